use alloc::vec::Vec;
use core::fmt;

use glam::{Affine2, Vec2};

use super::any::Shape;
use super::error::{ShapeError, point};
use super::pieces::{Pieces, Spare, finite_bounds};
use super::segment::Segment;
use crate::index::Index;

/// A line through any number of points, without thickness and without inside: hills, coasts, the walls of a cave. It is
/// one collider, however long.
///
/// Piece `i` is the segment from point `i` to the next one. A closed line has as many pieces as points; what lies in
/// the middle of the ring does not touch it ([`Compound::from_outline`](crate::Compound::from_outline) is solid).
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/polyline.svg"))]
///
/// ```
/// use hitgraph::{Node, Polyline, QueryFilter, Scene};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// let hills = Polyline::new(&[vec2(0.0, 0.0), vec2(4.0, 2.0), vec2(8.0, 1.0)])?;
/// let ground = scene.add(Node::new("ground"));
/// scene.attach(ground, hills).unwrap();
/// let hit = scene.world().cast_ray(vec2(6.0, 9.0), -Vec2::Y, 99.0, &QueryFilter::default()).unwrap();
/// assert_eq!((hit.point, hit.piece), (vec2(6.0, 1.5), 1));
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Clone)]
#[doc(alias("chain", "edge chain", "line strip", "terrain"))]
pub struct Polyline {
    points: Vec<Vec2>,
    closed: bool,
    one_sided: bool,
    index: Index,
}

impl Polyline {
    /// The line from the first point through all others to the last. A single point is a point; repeated points make
    /// pieces without length.
    ///
    /// # Errors
    /// If there are no points, or a coordinate is not finite or so large that a box around it overflows.
    #[doc(alias = "open")]
    pub fn new(points: &[Vec2]) -> Result<Self, ShapeError> {
        Self::through(points, false)
    }

    /// The same, and from the last point back to the first.
    ///
    /// # Errors
    /// If there are no points, or a coordinate is not finite or so large that a box around it overflows.
    #[doc(alias = "loop")]
    pub fn closed(points: &[Vec2]) -> Result<Self, ShapeError> {
        Self::through(points, true)
    }

    fn through(points: &[Vec2], closed: bool) -> Result<Self, ShapeError> {
        if points.is_empty() {
            return Err(ShapeError::Empty);
        }
        for vertex in points {
            point("a point of the line", *vertex)?;
        }
        let mut line = Self { points: points.to_vec(), closed, one_sided: false, index: Index::default() };
        for piece in 0..line.piece_count() {
            line.index.set(piece, finite_bounds(&line.segment(piece).into())?);
        }
        line.index.refresh();
        Ok(line)
    }

    /// The same line, which now stops only what comes from its front: the left, seen along the line (where y is up).
    /// A mirrored line keeps its front: the image of the one in its own frame.
    ///
    /// Rays from behind pass through, and so do movers; see [`Collider::one_way_of`](crate::Collider::one_way_of).
    /// Whether something touches the line, and how far away it is, has nothing to do with sides.
    #[must_use]
    pub fn one_sided(self) -> Self {
        Self { one_sided: true, ..self }
    }

    /// The points, in the order they were given.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Whether it ends where it begins.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether it stops only what comes from its front.
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// How many segments it is made of.
    #[must_use]
    pub fn piece_count(&self) -> u32 {
        let open = !self.closed && self.points.len() > 1;
        self.points.len() as u32 - u32::from(open)
    }

    fn segment(&self, piece: u32) -> Segment {
        let from = piece as usize;
        let to = if from + 1 == self.points.len() { 0 } else { from + 1 };
        Segment { center: Vec2::ZERO, ends: [self.points[from], self.points[to]] }
    }

    /// The front of a piece, as a unit vector; that of its neighbour if it has no length, `None` if it has none.
    pub(crate) fn front(&self, piece: u32) -> Option<Vec2> {
        let front = |piece: u32| {
            let [from, to] = self.segment(piece).ends();
            (to - from).perp().try_normalize()
        };
        let count = self.piece_count();
        let near = (piece..count).chain((0..piece.min(count)).rev());
        if self.one_sided { near.map(front).find_map(|front| front) } else { None }
    }
}

impl Pieces for Polyline {
    fn index(&self) -> &Index {
        &self.index
    }

    fn count(&self) -> usize {
        self.piece_count() as usize
    }

    fn number(&self, slot: u32) -> u32 {
        slot
    }

    fn place<'a>(&self, slot: u32, by: &Affine2, spare: &'a mut Spare) -> &'a Shape {
        spare.image(&self.segment(slot).into(), by)
    }

    fn lets_through(&self, number: u32, image: &Shape, by: &Affine2, direction: Vec2) -> bool {
        let (true, Shape::Segment(image)) = (self.one_sided, image) else { return false };
        let [from, to] = image.ends.map(|end| end.as_dvec2());
        // A piece without length goes the way of its neighbour; what has no front at all stops everything.
        let way = if from == to {
            self.front(number).map(|front| (by.matrix2 * -front.perp()).as_dvec2())
        } else {
            Some(to - from)
        };
        // Not by `signum`: a flattened line must not ask for the sign of zero.
        let mirror = if by.matrix2.determinant() < 0.0 { -1.0 } else { 1.0 };
        way.is_some_and(|way| way.perp_dot(direction.as_dvec2()) * mirror >= 0.0)
    }
}

impl fmt::Debug for Polyline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, closed, one_sided, .. } = self;
        let mut fields = f.debug_struct("Polyline");
        fields.field("points", points).field("closed", closed).field("one_sided", one_sided).finish()
    }
}

impl PartialEq for Polyline {
    fn eq(&self, other: &Self) -> bool {
        let parts = |line: &Self| (line.closed, line.one_sided);
        parts(self) == parts(other) && self.points == other.points
    }
}
