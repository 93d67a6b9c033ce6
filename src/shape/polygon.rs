use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use super::any::{Local, Shape};
use super::capsule::Capsule;
use super::circle::Circle;
use super::error::{self, ShapeError};
use super::family::{Core, Disc, Family, Hull};
use super::meets::{Meets, mirror};
use super::rect::Rect;
use super::segment::Segment;
use super::sides;
use crate::math::tolerance::CONVEX;
use crate::math::{Aabb, turn};

/// A solid convex polygon of any number of points; up to eight need no heap. Without area it is the segment or the
/// point that it is.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/polygon.svg"))]
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("hull", "triangle"))]
pub struct Polygon {
    pub(super) center: Vec2,
    /// Relative to the centre, counter-clockwise.
    pub(super) points: SmallVec<[Vec2; 8]>,
}

impl Polygon {
    /// The polygon with this outline, in either winding. Repeated points and points on a straight side are accepted and
    /// dropped.
    ///
    /// # Errors
    /// If there are no points, a coordinate is not finite, or the outline is concave or crosses itself.
    pub fn convex(outline: &[Vec2]) -> Result<Self, ShapeError> {
        for vertex in outline {
            error::point("a point of the outline", *vertex)?;
        }
        let hull = hull(outline);
        if hull.is_empty() {
            return Err(ShapeError::Empty);
        }
        if hull.len() > 2 {
            follows_outline(outline, &hull)?;
        }
        Ok(Self::from_indices(outline, &hull))
    }

    /// The smallest convex polygon that contains all the points.
    ///
    /// # Errors
    /// If there are no points or a coordinate is not finite.
    pub fn convex_hull(points: &[Vec2]) -> Result<Self, ShapeError> {
        for vertex in points {
            error::point("a point", *vertex)?;
        }
        if points.is_empty() { Err(ShapeError::Empty) } else { Ok(Self::hull(Vec2::ZERO, points)) }
    }

    /// The hull of at least one finite offset from `center`.
    pub(super) fn hull(center: Vec2, points: &[Vec2]) -> Self {
        Self { center, ..Self::from_indices(points, &hull(points)) }
    }

    /// A box. Its corners are kept as they are: a centre and half a size would round its sides away from where they
    /// were given.
    pub(crate) fn upright(Aabb { min, max }: Aabb) -> Self {
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        Self { center: Vec2::ZERO, points: corners.into_iter().collect() }
    }

    /// Corners that are known to be convex and counter-clockwise.
    pub(super) fn from_corners(corners: &[Vec2]) -> Self {
        Self { center: Vec2::ZERO, points: SmallVec::from_slice(corners) }
    }

    fn from_indices(outline: &[Vec2], indices: &[usize]) -> Self {
        Self { center: Vec2::ZERO, points: indices.iter().map(|index| outline[*index]).collect() }
    }

    /// The same polygon, moved.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { center: self.center + offset, ..self }
    }

    /// The corners, counter-clockwise.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        self.points.iter().map(|point| self.center + *point)
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let Aabb { min, max } = Aabb::from_points(self.points.iter().copied());
        Aabb::padded(self.center, min, max)
    }

    /// What an affine map makes of it: a polygon.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        let mut image = self.clone();
        image.set_image(self, by);
        image.into()
    }

    /// Becomes what an affine map makes of `local`, reusing its own memory.
    pub(super) fn set_image(&mut self, local: &Self, by: &Affine2) {
        self.set_image_of(local.center, &local.points, by);
    }

    /// Becomes what an affine map makes of offsets from a centre, reusing its own memory.
    pub(super) fn set_image_of(&mut self, center: Vec2, points: &[Vec2], by: &Affine2) {
        self.center = by.transform_point2(center);
        self.points.clear();
        self.points.extend(points.iter().map(|point| by.matrix2 * *point));
        if by.matrix2.determinant() < 0.0 {
            self.points.reverse();
        }
        // Flattened, or so nearly that the rounding of its corners shows, some are not corners any more. What overflows
        // must stay to be seen.
        if !turns_left(&self.points) && self.points.iter().all(|point| point.is_finite()) {
            self.points = hull(&self.points).into_iter().map(|index| self.points[index]).collect();
        }
    }

    /// Whether an outline around another centre is within `reach`, if `f32` can tell.
    fn near(&self, outline: &[Vec2], center: Vec2, reach: f32) -> Option<bool> {
        sides::within(&self.points, outline, center - self.center, reach)
    }
}

/// Whether an outline turns counter-clockwise in every corner.
fn turns_left(points: &[Vec2]) -> bool {
    let [.., before, last] = points else { return true };
    let mut ends = (*before, *last);
    points.len() == 2
        || points.iter().all(|point| {
            let is_left = turn(ends.0, ends.1, *point) > 0.0;
            ends = (ends.1, *point);
            is_left
        })
}

/// The indices of the corners of the convex hull, counter-clockwise, without those on a straight side: Andrew's
/// monotone chain.
///
/// Source: A. M. Andrew, *Another efficient algorithm for convex hulls in two dimensions* (1979).
fn hull(points: &[Vec2]) -> SmallVec<[usize; 8]> {
    let at = |index: usize| points[index].as_dvec2();
    let mut order: SmallVec<[usize; 8]> = (0..points.len()).collect();
    order.sort_by(|a, b| {
        // Adding zero makes both zeros one: what was flattened onto an axis has them mixed.
        let [p, q] = [*a, *b].map(|index| points[index] + 0.0);
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.cmp(b))
    });
    order.dedup_by(|a, b| points[*a] == points[*b]);
    if order.len() < 3 {
        return order;
    }
    let slack = CONVEX * size(points);
    let mut chain: SmallVec<[usize; 8]> = SmallVec::new();
    let turn = |from: &[usize], to: usize| {
        let (a, b) = (at(from[from.len() - 2]), at(from[from.len() - 1]));
        (b - a).perp_dot(at(to) - a) > slack * at(to).distance(a)
    };
    for pass in 0..2 {
        let base = chain.len();
        for index in order.iter().copied() {
            while chain.len() >= base + 2 && !turn(&chain[base..], index) {
                chain.pop();
            }
            chain.push(index);
        }
        chain.pop();
        if pass == 0 {
            order.reverse();
        }
    }
    chain
}

/// Checks that walking along the outline is walking once around its hull, in either direction, and never off it.
fn follows_outline(outline: &[Vec2], hull: &[usize]) -> Result<(), ShapeError> {
    let sides = || hull.iter().copied().zip(hull[1..].iter().chain(&hull[..1]).copied());
    let ascents = sides().filter(|(from, to)| from < to).count();
    let descents = hull.len() - ascents;
    // Once around in order, the indices start over exactly once.
    let clockwise = ascents == 1;
    if !clockwise && descents != 1 {
        let against = |(from, to): &(usize, usize)| (from < to) == (ascents < descents);
        let index = sides().filter(against).nth(1).map_or(0, |(_, to)| to);
        return Err(ShapeError::Crossing { index });
    }
    let slack = 4.0 * CONVEX * size(outline) + f64::from(f32::EPSILON * outline[0].abs().max_element());
    for (from, to) in sides() {
        let (from, to) = if clockwise { (to, from) } else { (from, to) };
        let between = (to + outline.len() - from) % outline.len();
        for index in (1..between).map(|step| (from + step) % outline.len()) {
            let [a, b, point] = [from, to, index].map(|index| outline[index].as_dvec2());
            let t = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            if a.lerp(b, t).distance(point) > slack {
                return Err(ShapeError::Concave { index });
            }
        }
    }
    Ok(())
}

/// The larger side of the points' bounding box.
fn size(points: &[Vec2]) -> f64 {
    f64::from(Aabb::from_points(points.iter().copied()).size().max_element())
}

impl Local for Polygon {
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        match world {
            Shape::Polygon(world) => world.set_image(self, by),
            _ => *world = self.transformed(by),
        }
        world.bounds()
    }
}

impl Family for Polygon {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::Many(&self.points), disc: Disc::Round(0.0) }
    }
}

impl Meets<Circle> for Polygon {
    fn screen(&self, circle: &Circle) -> Option<bool> {
        self.near(&[Vec2::ZERO], circle.center, circle.radius)
    }
}

impl Meets<Segment> for Polygon {
    fn screen(&self, segment: &Segment) -> Option<bool> {
        self.near(&segment.ends, segment.center, 0.0)
    }
}

impl Meets<Capsule> for Polygon {
    fn screen(&self, capsule: &Capsule) -> Option<bool> {
        self.near(&capsule.axis.ends, capsule.axis.center, capsule.radius)
    }
}

impl Meets<Rect> for Polygon {
    fn screen(&self, rect: &Rect) -> Option<bool> {
        rect.outline().and_then(|outline| self.near(&outline, rect.center, 0.0))
    }
}

impl Meets<Polygon> for Polygon {
    fn screen(&self, other: &Polygon) -> Option<bool> {
        self.near(&other.points, other.center, 0.0)
    }
}

mirror!(Polygon: Circle, Segment, Capsule, Rect);
