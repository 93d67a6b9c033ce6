use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use glam::{Affine2, Vec2};

use super::pieces::{Composite, finite_bounds};
use super::world_forms::WorldForms;
use crate::index::Index;
use crate::math::{Checksum, Each, map_normal, mirrors};
use crate::shape::{Kind, Segment, Shape, ShapeError, finite_points};

/// A line through any number of points, without thickness and without inside: hills, coasts, the walls of a cave. It is
/// one collider, however long it is. Clones share their memory.
///
/// Piece `i` is the segment from point `i` to the next one. A closed line has as many pieces as points. It is hollow: a
/// shape inside the ring does not touch it ([`Compound::from_outline`](crate::Compound::from_outline) is solid).
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/polyline.svg"))]
///
/// ```
/// use hitgraph::{Node, Polyline, QueryFilter, Scene};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// let hills = Polyline::new(&[vec2(0.0, 0.0), vec2(4.0, 2.0), vec2(8.0, 1.0)])?;
/// assert_eq!((hills.points().len(), hills.piece_count()), (3, 2));
/// assert!(!hills.is_closed() && !hills.is_one_sided());
/// let ground = scene.add(Node::new("ground"));
/// scene.attach(ground, hills).unwrap();
/// let hit = scene.world().cast_ray(vec2(6.0, 9.0), -Vec2::Y, 99.0, &QueryFilter::default()).unwrap();
/// assert_eq!((hit.point, hit.piece), (vec2(6.0, 1.5), 1));
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "SavedPolyline", into = "SavedPolyline")
)]
#[doc(alias("chain", "edge chain", "line strip", "terrain"))]
pub struct Polyline {
    data: Arc<Data>,
    closed: bool,
    one_sided: bool,
}

/// Shared by clones.
struct Data {
    points: Vec<Vec2>,
    index: Index,
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct SavedPolyline {
    #[serde(with = "crate::math::saved")]
    points: Vec<Vec2>,
    closed: bool,
    one_sided: bool,
}

#[cfg(feature = "serde")]
impl From<Polyline> for SavedPolyline {
    fn from(Polyline { data, closed, one_sided }: Polyline) -> Self {
        Self { points: data.points.clone(), closed, one_sided }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<SavedPolyline> for Polyline {
    type Error = ShapeError;

    fn try_from(SavedPolyline { points, closed, one_sided }: SavedPolyline) -> Result<Self, ShapeError> {
        Ok(Self { one_sided, ..Self::through(&points, closed)? })
    }
}

impl Polyline {
    /// Returns the line from the first point through all others to the last. A single point makes a point, and repeated
    /// points make pieces without length.
    ///
    /// # Errors
    /// If there are no points, or a coordinate is not finite or so large that a corner of a box around it overflows.
    #[doc(alias = "open")]
    pub fn new(points: &[Vec2]) -> Result<Self, ShapeError> {
        Self::through(points, false)
    }

    /// Returns the line through all points and from the last back to the first.
    ///
    /// ```
    /// # use hitgraph::Polyline;
    /// # use glam::vec2;
    /// let fence = Polyline::closed(&[vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0)])?;
    /// assert!(fence.is_closed() && !fence.is_one_sided());
    /// assert_eq!((fence.points().len(), fence.piece_count()), (3, 3));
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// If there are no points, or a coordinate is not finite or so large that a corner of a box around it overflows.
    #[doc(alias = "loop")]
    pub fn closed(points: &[Vec2]) -> Result<Self, ShapeError> {
        Self::through(points, true)
    }

    fn through(points: &[Vec2], closed: bool) -> Result<Self, ShapeError> {
        if points.is_empty() {
            return Err(ShapeError::Empty);
        }
        finite_points("a point of the line", points)?;
        let bounds = (0..piece_count(points, closed)).map(|piece| finite_bounds(&segment(points, piece).into()));
        let index = bounds.collect::<Result<_, _>>()?;
        Ok(Self { data: Arc::new(Data { points: points.to_vec(), index }), closed, one_sided: false })
    }

    /// Returns the line as a one-sided one, which stops only movers, rays and shape casts that come from its front: the
    /// left side, seen along the line with y up. A mirrored line keeps its front: the image of the one in its local
    /// frame.
    ///
    /// From behind, all of these pass through, and so do rays along the line; for movers, see
    /// [`Collider::one_way_of`](crate::Collider::one_way_of). Overlap and distance do not depend on sides.
    ///
    /// ```
    /// # use hitgraph::Polyline;
    /// # use glam::vec2;
    /// // Ground from left to right: its left, seen along it, is above.
    /// let ground = Polyline::new(&[vec2(0.0, 0.0), vec2(9.0, 0.0)])?.one_sided();
    /// assert!(ground.is_one_sided());
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    #[must_use]
    pub fn one_sided(self) -> Self {
        Self { one_sided: true, ..self }
    }

    /// Returns the points in the order in which they were given.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.data.points
    }

    /// Returns `true` if the line leads back from its last point to its first.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns `true` if the line stops only movers, rays and shape casts from its front.
    #[must_use]
    pub const fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// Returns the number of segments.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        piece_count(&self.data.points, self.closed) as usize
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { data, closed, one_sided } = self;
        sum.add(*closed);
        sum.add(*one_sided);
        sum.add(data.points.len() as u64);
        data.points.iter().for_each(|point| sum.add_vec2(*point));
    }

    /// Returns the front of a piece as a unit vector: that of its neighbour if it has no length, `None` if the line has
    /// two sides or no length.
    pub(crate) fn front(&self, piece: u32) -> Option<Vec2> {
        let front = |piece: u32| {
            let [from, to] = segment(&self.data.points, piece).offsets();
            (to - from).as_dvec2().perp().try_normalize().map(|front| front.as_vec2())
        };
        let count = piece_count(&self.data.points, self.closed);
        let mut near = (piece..count).chain((0..piece.min(count)).rev());
        if self.one_sided { near.find_map(front) } else { None }
    }
}

fn piece_count(points: &[Vec2], closed: bool) -> u32 {
    let open = !closed && points.len() > 1;
    points.len() as u32 - u32::from(open)
}

fn segment(points: &[Vec2], piece: u32) -> Segment {
    let from = piece as usize;
    let to = if from + 1 == points.len() { 0 } else { from + 1 };
    Segment::unchecked([points[from], points[to]])
}

impl Composite for Polyline {
    fn index(&self) -> &Index {
        &self.data.index
    }

    fn piece<'a>(&self, slot: u32, by: &Affine2, forms: &'a mut WorldForms) -> (u32, &'a Shape) {
        (slot, forms.image(Kind::Segment, &segment(&self.data.points, slot), by))
    }

    fn lets_through(&self, number: u32, image: &Shape, by: &Affine2, direction: Vec2) -> bool {
        let (true, Shape::Segment(image)) = (self.one_sided, image) else { return false };
        let [from, to] = image.offsets().each(|end| end.as_dvec2());
        let front = if from == to {
            // A piece without length has the front of its neighbour. A line without a front stops everything.
            self.front(number).and_then(|front| map_normal(by.matrix2.as_dmat2(), front.as_dvec2()))
        } else {
            let left = (to - from).perp();
            Some(if mirrors(by.matrix2) { -left } else { left })
        };
        front.is_some_and(|front| front.dot(direction.as_dvec2()) >= 0.0)
    }
}

impl fmt::Debug for Polyline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { data, closed, one_sided } = self;
        let mut fields = f.debug_struct("Polyline");
        fields.field("points", &data.points).field("closed", closed).field("one_sided", one_sided).finish()
    }
}

impl PartialEq for Polyline {
    fn eq(&self, other: &Self) -> bool {
        self.closed == other.closed && self.one_sided == other.one_sided && self.points() == other.points()
    }
}
