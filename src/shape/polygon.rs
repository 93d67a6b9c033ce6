use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use super::any::{Local, Shape};
use super::capsule::Capsule;
use super::circle::Circle;
use super::error::{self, ShapeError};
use super::family::{Core, Disc, Family, flattened};
use super::meets::{Meets, decide, mirror};
use super::ray::{Ray, RayTouch};
use super::rect::Rect;
use super::segment::Segment;
use super::zonotope::{magnitude, negative};
use crate::math::Aabb;
use crate::math::tolerance::CONVEX;

/// A solid convex polygon of any number of points; up to eight need no heap. Without area it is the segment or the point that it is.
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("hull", "triangle"))]
pub struct Polygon {
    pub(super) center: Vec2,
    /// Relative to the centre, counter-clockwise.
    pub(super) points: SmallVec<[Vec2; 8]>,
}

impl Polygon {
    /// The polygon with this outline, in either winding. Repeated points and points on a straight side are accepted and dropped.
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

    /// A box. Its corners are kept as they are: a centre and half a size would round its sides away from where they were given.
    pub(crate) fn upright(Aabb { min, max }: Aabb) -> Self {
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        Self { center: Vec2::ZERO, points: corners.into_iter().collect() }
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
        self.center = by.transform_point2(local.center);
        self.points.clear();
        self.points.extend(local.points.iter().map(|point| by.matrix2 * *point));
        if flattened(by.matrix2.as_dmat2()).is_some() {
            // Sides that fell on one line are not sides any more.
            self.points = hull(&self.points).into_iter().map(|index| self.points[index]).collect();
        } else if by.matrix2.determinant() < 0.0 {
            self.points.reverse();
        }
    }

    pub(crate) fn cast_ray(&self, ray: &Ray) -> Option<RayTouch> {
        ray.seen_from(self.center).enter(&self.points.as_slice(), 0.0)
    }

    /// Whether a sum of segments `±g` around a point (see [`super::zonotope`]) comes within `reach`, if `f32` can tell.
    ///
    /// `terms` is the magnitude of what `center`, relative to the polygon's, was added up from.
    fn near<const N: usize>(&self, center: Vec2, terms: f32, generators: [Vec2; N], reach: f32) -> Option<bool> {
        let own = self.points.iter().map(|point| magnitude(*point)).fold(0.0, f32::max);
        let size = terms + own + reach + generators.into_iter().map(magnitude).sum::<f32>();
        let mut sides = Sides::new(self.points.len() > 2);
        for (start, edge) in self.edges() {
            let spread: f32 = generators.iter().map(|g| edge.perp_dot(*g).abs()).sum();
            let height = -edge.perp_dot(center - start) - spread;
            if sides.certainly_apart(height, edge, size, reach) {
                return Some(false);
            }
            if N == 0 {
                sides.approach(start - center, edge);
            }
        }
        for g in generators {
            let (low, high) = range(self.points.iter().map(|point| g.perp_dot(*point)));
            let (middle, spread) = (g.perp_dot(center), generators.iter().map(|h| g.perp_dot(*h).abs()).sum::<f32>());
            let height = (middle - spread - high).max(low - middle - spread);
            if sides.certainly_apart(height, g, size, reach) {
                return Some(false);
            }
        }
        sides.verdict(size, reach)
    }

    fn near_segment(&self, segment: &Segment, reach: f32) -> Option<bool> {
        let (middle, terms, half) = segment.seen_from(self.center);
        self.near(middle, terms, [half], reach)
    }

    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        let last = self.points.last().copied();
        last.into_iter().chain(self.points.iter().copied()).zip(&self.points).map(|(from, to)| (from, *to - from))
    }
}

/// What the sides tried so far say.
struct Sides {
    behind_all: bool,
    /// Squared distance from the origin to the nearest edge.
    nearest: f32,
}

impl Sides {
    fn new(solid: bool) -> Self {
        Self { behind_all: solid, nearest: f32::INFINITY }
    }

    /// Takes in a height above a line along `edge`, times the edge's length. Whether it is certainly more than `reach`.
    fn certainly_apart(&mut self, height: f32, edge: Vec2, size: f32, reach: f32) -> bool {
        let doubt = magnitude(edge) * size;
        self.behind_all &= negative(height, doubt) == Some(true);
        let beyond = if reach > 0.0 { reach * edge.length() } else { 0.0 };
        negative(height - beyond, doubt) == Some(false)
    }

    /// Takes in the distance of the origin from an edge.
    fn approach(&mut self, start: Vec2, edge: Vec2) {
        let length_squared = edge.length_squared();
        let t = if length_squared > 0.0 { (-start.dot(edge) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        self.nearest = self.nearest.min((start + edge * t).length_squared());
    }

    fn verdict(&self, size: f32, reach: f32) -> Option<bool> {
        if self.behind_all {
            return Some(true);
        }
        if !self.nearest.is_finite() {
            return None;
        }
        let distance = self.nearest.sqrt();
        // That far from every edge may still be inside, where the heights were too close to call.
        negative(self.nearest - reach * reach, (distance + reach) * size).filter(|within| *within)
    }
}

fn range(values: impl Iterator<Item = f32>) -> (f32, f32) {
    values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The indices of the corners of the convex hull, counter-clockwise, without those on a straight side: Andrew's monotone chain.
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
    fn place(&self, by: &Affine2, world: &mut Shape) {
        match world {
            Shape::Polygon(world) => world.set_image(self, by),
            _ => *world = self.transformed(by),
        }
    }
}

impl Family for Polygon {
    fn center(&self) -> Vec2 {
        self.center
    }

    fn core(&self) -> impl Core {
        self.points.as_slice()
    }

    fn disc(&self) -> Disc {
        Disc::Round(0.0)
    }
}

impl Meets<Circle> for Polygon {
    fn overlaps(&self, circle: &Circle) -> bool {
        let offset = circle.center - self.center;
        decide(self.near(offset, magnitude(offset), [], circle.radius), self, circle)
    }
}

impl Meets<Segment> for Polygon {
    fn overlaps(&self, segment: &Segment) -> bool {
        decide(self.near_segment(segment, 0.0), self, segment)
    }
}

impl Meets<Capsule> for Polygon {
    fn overlaps(&self, capsule: &Capsule) -> bool {
        decide(self.near_segment(&capsule.axis, capsule.radius), self, capsule)
    }
}

impl Meets<Rect> for Polygon {
    fn overlaps(&self, rect: &Rect) -> bool {
        let offset = rect.center - self.center;
        decide(self.near(offset, magnitude(offset), rect.half_axes, 0.0), self, rect)
    }
}

impl Meets<Polygon> for Polygon {
    fn overlaps(&self, other: &Polygon) -> bool {
        let offset = other.center - self.center;
        let size =
            [self, other].map(|polygon| polygon.points.iter().map(|point| magnitude(*point)).fold(0.0, f32::max));
        let size = magnitude(offset) + size[0] + size[1];
        let mut sides = Sides::new(self.points.len() > 2 && other.points.len() > 2);
        for (a, b, offset) in [(self, other, offset), (other, self, -offset)] {
            for (start, edge) in a.edges() {
                let (nearest, _) = range(b.points.iter().map(|point| -edge.perp_dot(*point - start + offset)));
                if sides.certainly_apart(nearest, edge, size, 0.0) {
                    return false;
                }
            }
        }
        decide(sides.verdict(size, 0.0), self, other)
    }
}

mirror!(Polygon: Circle, Segment, Capsule, Rect);
