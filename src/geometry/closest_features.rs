//! The closest features of two polygons: a side and the corner or side opposite to it, or two corners. An `f32` test
//! chooses them, and `f64` measures and verifies them. If the verification fails, the exact test decides. A point and a
//! parallelogram, and two upright rectangles, have closed forms in `f64`, which are faster still.
//!
//! This path makes contacts four times as fast as the exact test alone (`benches/peers`).
//!
//! Of overlapping polygons, the features are the side with the least depth, or any side whose depth `f32` cannot
//! distinguish from it, and the deepest corner behind it. Of polygons apart, a corner that projects onto a side is
//! nearest to it, and two corners are nearest if neither polygon has a point beyond its own along the line between
//! them. The polygon with the side is the *reference*, the other the *incident* polygon, as in Box2D.
//!
//! Source: M. C. Lin, J. F. Canny, *A fast algorithm for incremental distance calculation* (ICRA 1991).

use glam::{DVec2, Vec2};

use super::points::{Parallelogram, wrapped};
use super::sat::best_side::{NotFound, ReferenceSide};
use super::sat::{parallelograms, polygons};
use super::separation::{Frame, Operand};
use super::{Contact, Core, Points, Separation};
use crate::math::Each;
use crate::math::tolerance::{FAST_OVERLAP, PARALLEL_SIDES, TOUCHING};

/// The parts of two polygons that are nearest to each other or, overlapping, deepest in each other.
pub(super) struct Features {
    /// The reference: the polygon with the side.
    pub(super) operand: Operand,
    /// Unit vector from the reference to the incident polygon.
    pub(super) normal: DVec2,
    /// The point with the smallest gap.
    pub(super) nearest: Opposite,
    /// The other end of the stretch that two sides share.
    pub(super) other_end: Option<Opposite>,
}

/// A point of the reference with the point of the incident polygon that is opposite to it.
#[derive(Clone, Copy)]
pub(super) struct Opposite {
    /// Relative to the centre of the reference.
    pub(super) point: DVec2,
    /// The signed distance of the incident polygon's point from it along the normal.
    pub(super) gap: f64,
}

impl Features {
    /// Returns features of which one is a corner.
    fn at_point(operand: Operand, normal: DVec2, point: DVec2, gap: f64) -> Self {
        Self { operand, normal, nearest: Opposite { point, gap }, other_end: None }
    }

    /// Returns the separation of the polygons.
    pub(super) fn separation(&self, frame: &Frame) -> Separation {
        frame.separation_at(self.operand, self.nearest.point, self.normal, self.nearest.gap)
    }

    /// Returns the contact of the polygons after discs with these radii are added to them.
    pub(super) fn contact(&self, frame: &Frame, radii: [f64; 2]) -> Contact {
        let (normal, center, [own, others]) = match self.operand {
            Operand::A => (self.normal, DVec2::ZERO, radii),
            Operand::B => (-self.normal, frame.offset, [radii[1], radii[0]]),
        };
        let middle = |Opposite { point, gap }| {
            let point = point + self.normal * ((own + gap - others) * 0.5);
            (frame.origin.as_dvec2() + (center + point)).as_vec2()
        };
        let depth = own + others - self.nearest.gap;
        let depth = if depth > 0.0 { depth as f32 } else { 0.0 };
        let nearest = middle(self.nearest);
        Contact::new(normal.as_vec2(), depth, [nearest, self.other_end.map_or(nearest, middle)])
    }
}

/// Returns the closest features of two cores.
///
/// # Errors
/// If the cores are further apart than `limit`, or too close to a tie.
#[inline(always)]
pub(super) fn closest_features(a: &Core<'_>, b: &Core<'_>, frame: &Frame, limit: f64) -> Result<Features, NotFound> {
    let search = Search { frame, limit };
    let offset = frame.offset.as_vec2();
    // A gap that is larger than this in `f32` is larger than the limit.
    let reach = (limit + 2.0 * search.doubt()) as f32;
    match (a, b) {
        (Core::Parallelogram(a), Core::Parallelogram(b)) => match (a.len, b.len) {
            (1, 1) => search.at_corner(DVec2::ZERO, frame.offset, Operand::A),
            (_, 1) => search.of_parallelogram_and_point(a, Operand::A),
            (1, _) => search.of_parallelogram_and_point(b, Operand::B),
            _ => match (a.upright_half(), b.upright_half()) {
                (Some(half_a), Some(half_b)) => search.of_upright_rectangles(half_a, half_b),
                _ => search.at_side(a, b, parallelograms::best_side(a, b, frame.offset, reach)?),
            },
        },
        (Core::Parallelogram(a), &Core::Polygon(b)) if a.len == 1 => search.of_polygon_and_point(b, Operand::B, reach),
        (&Core::Polygon(a), Core::Parallelogram(b)) if b.len == 1 => search.of_polygon_and_point(a, Operand::A, reach),
        (Core::Parallelogram(a), &Core::Polygon(b)) => {
            let outline = a.outline().ok_or(NotFound::Unclear)?;
            search.at_side(a, b, polygons::best_side(&outline[..a.len], b, offset, reach)?)
        }
        (&Core::Polygon(a), Core::Parallelogram(b)) => {
            let outline = b.outline().ok_or(NotFound::Unclear)?;
            search.at_side(a, b, polygons::best_side(a, &outline[..b.len], offset, reach)?)
        }
        (&Core::Polygon(a), &Core::Polygon(b)) => search.at_side(a, b, polygons::best_side(a, b, offset, reach)?),
    }
}

/// A search for the closest features of two polygons in a frame.
#[derive(Clone, Copy)]
struct Search<'a> {
    frame: &'a Frame,
    /// The largest gap of interest.
    limit: f64,
}

impl Search<'_> {
    /// Returns the features of two rectangles with these half-sizes, whose sides are parallel to the coordinate axes.
    /// The closed form decides near ties too. Without it, their contacts and distances take almost twice as many
    /// instructions.
    fn of_upright_rectangles(self, half_a: DVec2, half_b: DVec2) -> Result<Features, NotFound> {
        let Frame { offset, tolerance, .. } = *self.frame;
        // Unlike `signum`, it does not distinguish the two zeros.
        let facing = DVec2::select(offset.cmplt(DVec2::ZERO), DVec2::NEG_ONE, DVec2::ONE);
        let gaps = offset.abs() - (half_a + half_b);
        if !tolerance.is_finite() {
            return Err(NotFound::Unclear);
        }
        if gaps.min_element() > tolerance {
            return self.at_corner(facing * half_a, facing * gaps, Operand::A);
        }
        let gap = gaps.max_element();
        self.check_limit(gap)?;
        // Two sides meet. The stretch that they share reaches from the later start to the earlier end.
        let low = (-half_a).max(offset - half_b);
        let high = half_a.min(offset + half_b).max(low);
        let (normal, from, to) = if gaps.x > gaps.y {
            let x = facing.x * half_a.x;
            (DVec2::new(facing.x, 0.0), DVec2::new(x, low.y), DVec2::new(x, high.y))
        } else {
            let y = facing.y * half_a.y;
            (DVec2::new(0.0, facing.y), DVec2::new(low.x, y), DVec2::new(high.x, y))
        };
        Ok(Features {
            operand: Operand::A,
            normal,
            nearest: Opposite { point: from, gap },
            other_end: Some(Opposite { point: to, gap }),
        })
    }

    /// Returns the features of a parallelogram or segment and a point. The closed form needs no `f32` test. Inlined,
    /// since a result in memory makes the contacts of circles take a third longer (W5 of `benches/peers`).
    #[inline(always)]
    fn of_parallelogram_and_point(self, shape: &Parallelogram, operand: Operand) -> Result<Features, NotFound> {
        // Relative to the middle of the parallelogram.
        let point = self.frame.offset_from(operand) - shape.middle;
        let [x, y] = shape.axes;
        // The heights of the point and of the sides over the middle, times the lengths of the sides.
        let (height_x, height_y, area) = (x.perp_dot(point), point.perp_dot(y), x.perp_dot(y));
        let (beyond_x, beyond_y) = (height_x.abs() - area, height_y.abs() - area);
        // The side with the largest gap: one along x or one along y.
        let is_along_x =
            beyond_x * beyond_x.abs() * y.length_squared() >= beyond_y * beyond_y.abs() * x.length_squared();
        let (along, across, height) = if is_along_x { (x, y, height_x) } else { (y, x, height_y) };
        let facing = if height < 0.0 { -1.0 } else { 1.0 };
        let outward = if is_along_x { facing } else { -facing };
        let length = along.length();
        let tangent = along / length;
        let normal = tangent.perp() * outward;
        let side = across * facing;
        let place = point - side;
        let (gap, at) = (place.dot(normal), place.dot(tangent));
        self.check_limit(gap)?;
        if at.abs() <= length {
            let found = Features::at_point(operand, normal, shape.middle + side + tangent * at, gap);
            return if gap.abs() > self.frame.tolerance { Ok(found) } else { Err(NotFound::Unclear) };
        }
        let end = if at < 0.0 { -along } else { along };
        let between = place - end;
        if !(between.dot(side) >= 0.0 && between.dot(end) >= 0.0) {
            return Err(NotFound::Unclear);
        }
        self.at_corner(shape.middle + side + end, between, operand)
    }

    /// Returns the features of a polygon and a point. Inlined for the same reason as
    /// [those of a parallelogram](Self::of_parallelogram_and_point).
    #[inline(always)]
    fn of_polygon_and_point(self, polygon: &[Vec2], operand: Operand, reach: f32) -> Result<Features, NotFound> {
        let point = self.frame.offset_from(operand);
        let index = polygons::best_side_towards(polygon, point.as_vec2(), reach)?;
        let Side { start, edge, length, tangent, normal } = Side::new(polygon, index);
        let place = point - start;
        let (gap, at) = (place.dot(normal), place.dot(tangent));
        self.check_limit(gap)?;
        if at >= 0.0 && at <= length {
            let found = Features::at_point(operand, normal, start + tangent * at, gap);
            let is_clear = gap < -self.doubt() || gap > self.frame.tolerance;
            return if is_clear { Ok(found) } else { Err(NotFound::Unclear) };
        }
        // The neighbouring side that ends in the nearer corner must not face the point.
        let count = polygon.len();
        let (corner, neighbor) = if at > 0.0 {
            (start + edge, polygon.point(wrapped(index + 2, count)))
        } else {
            (start, polygon.point(wrapped(index + count - 1, count)))
        };
        let between = point - corner;
        if !(gap > self.frame.tolerance && between.dot(corner - neighbor) >= 0.0) {
            return Err(NotFound::Unclear);
        }
        self.at_corner(corner, between, operand)
    }

    /// Returns the features at a corner of the reference and the nearest point of the other, which is `between` away.
    fn at_corner(self, corner: DVec2, between: DVec2, operand: Operand) -> Result<Features, NotFound> {
        let gap = between.length();
        self.check_limit(gap)?;
        if gap > self.frame.tolerance {
            Ok(Features::at_point(operand, between / gap, corner, gap))
        } else {
            Err(NotFound::Unclear)
        }
    }

    /// Returns the features at a side of one of two cores.
    #[inline]
    fn at_side(self, a: impl Points, b: impl Points, side: ReferenceSide) -> Result<Features, NotFound> {
        match side.operand {
            Operand::A => self.at_reference_side(a, b, side),
            Operand::B => self.at_reference_side(b, a, side),
        }
    }

    /// Does the same, given the polygon with the side first. Compiled once per pair of core types, not per pair of
    /// shapes.
    #[inline(never)]
    fn at_reference_side(
        self,
        reference: impl Points,
        incident: impl Points,
        ReferenceSide { operand, index }: ReferenceSide,
    ) -> Result<Features, NotFound> {
        let (offset, tolerance) = (self.frame.offset_from(operand), self.frame.tolerance);
        let side = Side::new(reference, index);
        let [deepest, before, after] = incident.furthest_with_neighbors(side.edge.perp());
        // The points are subtracted first and the centres second, so that exchanging the shapes negates every number
        // exactly.
        let place = (deepest - side.start) + offset;
        let (gap, at) = (place.dot(side.normal), place.dot(side.tangent));
        self.check_limit(gap)?;
        let stretch = match [before, after].each(|neighbor| side.shared_with(at, neighbor - deepest)) {
            // Of a polygon without area, several sides in a row face the other one.
            [Some(_), Some(_)] => return Err(NotFound::Unclear),
            [Some(_), None] | [None, Some(_)] if continues_straight(reference, index) => return Err(NotFound::Unclear),
            [first, second] => first.or(second),
        };
        let end = side.clamp(at);
        // If the polygons overlap, the side that has the least depth in `f32` may have no point of the other opposite
        // to it. Then the closest features are elsewhere.
        let faces = at == end || stretch.is_some_and(|stretch| stretch.rise <= tolerance);
        if faces && (gap < -self.doubt() || gap > tolerance) {
            let other_end = stretch.map(|SharedStretch { length, slope, .. }| Opposite {
                point: side.start + side.tangent * (end + length),
                gap: gap + slope * length,
            });
            let nearest = Opposite { point: side.start + side.tangent * end, gap };
            Ok(Features { operand, normal: side.normal, nearest, other_end })
        } else if gap > tolerance {
            let corner = if at > 0.0 { side.start + side.edge } else { side.start };
            self.at_corners(reference, incident, [corner, deepest], operand)
        } else {
            Err(NotFound::Unclear)
        }
    }

    /// Returns the features at two corners, verified by the points beyond them. Not inlined, since its many values would
    /// push those of contacts, which rarely need it, out of the registers: up to 4 % of a contact (W5 of `benches/peers`).
    #[inline(never)]
    fn at_corners(
        self,
        reference: impl Points,
        incident: impl Points,
        corners: [DVec2; 2],
        operand: Operand,
    ) -> Result<Features, NotFound> {
        let between = (corners[1] - corners[0]) + self.frame.offset_from(operand);
        let beyond = (reference.furthest(between) - corners[0]).dot(between);
        let before = (corners[1] - incident.furthest(-between)).dot(between);
        if beyond <= 0.0 && before <= 0.0 {
            self.at_corner(corners[0], between, operand)
        } else {
            Err(NotFound::Unclear)
        }
    }

    /// Returns an error if a gap is larger than the limit.
    #[inline]
    fn check_limit(self, gap: f64) -> Result<(), NotFound> {
        if gap - self.limit > self.frame.tolerance { Err(NotFound::Beyond) } else { Ok(()) }
    }

    /// Returns the rounding of a gap in `f32`.
    fn doubt(self) -> f64 {
        self.frame.tolerance * (f64::from(FAST_OVERLAP) / TOUCHING)
    }
}

/// A side of an outline: the vector from its start to its end, with the unit vectors along it and out of the outline.
struct Side {
    start: DVec2,
    edge: DVec2,
    length: f64,
    tangent: DVec2,
    normal: DVec2,
}

impl Side {
    #[inline]
    fn new(outline: impl Points, index: usize) -> Self {
        let (start, edge) = outline.edge(index);
        let length = edge.length();
        let tangent = edge / length;
        Self { start, edge, length, tangent, normal: -tangent.perp() }
    }

    /// Returns a coordinate along the side, clamped to the side.
    #[inline]
    fn clamp(&self, at: f64) -> f64 {
        let at = if at > 0.0 { at } else { 0.0 };
        if at < self.length { at } else { self.length }
    }

    /// Returns the stretch that this side shares with a parallel one of the other polygon, which leads by `edge` from a
    /// point with the coordinate `at`.
    #[inline]
    fn shared_with(&self, at: f64, edge: DVec2) -> Option<SharedStretch> {
        let (rise, along) = (edge.dot(self.normal), edge.dot(self.tangent));
        let is_parallel = rise <= PARALLEL_SIDES * along.abs();
        let length = if is_parallel { self.clamp(at + along) - self.clamp(at) } else { 0.0 };
        (length != 0.0).then(|| SharedStretch { length, rise, slope: rise / along })
    }
}

/// The stretch that two parallel sides share.
#[derive(Clone, Copy)]
struct SharedStretch {
    /// Its length along the side of the reference, from the deepest point on.
    length: f64,
    /// How much less deep the other end of the incident polygon's side is.
    rise: f64,
    /// The rise per length.
    slope: f64,
}

/// Returns `true` if a side next to the one at `index` is parallel to it, because the outline has no area or almost no
/// bend there. The two sides of a segment do not count.
fn continues_straight(outline: impl Points, index: usize) -> bool {
    let (count, (_, edge)) = (outline.count(), outline.edge(index));
    let is_parallel = |index: usize| {
        let (_, neighbor) = outline.edge(wrapped(index, count));
        edge.perp_dot(neighbor).abs() < PARALLEL_SIDES * edge.dot(neighbor).abs()
    };
    count > 2 && (is_parallel(index + count - 1) || is_parallel(index + 1))
}
