//! The authority: how far apart two shapes are, or how deep they overlap, in `f64`.
//!
//! In two dimensions that is a question about one angle: over all unit vectors `u`, the maximum of
//! `-(h_A(u) + h_B(-u))`, with `h` the support function. Positive, it is the distance; negative, minus the penetration
//! depth; the maximising `u` is the normal.

use glam::{DVec2, Vec2};

use super::convex;
use super::family::{Disc, Hull, Mapped, Points, inverse, with_points};
use super::features::{Missing, closest};
use crate::math::tolerance::{BLACK_BOX, MAPPED, TOUCHING};

/// How two shapes lie to each other. Points are relative to the first one's centre.
#[derive(Debug, Clone, Copy)]
pub struct Separation {
    /// The distance; negative where they overlap, by the depth.
    pub(crate) gap: f64,
    /// Unit vector from the first to the second.
    pub(crate) normal: DVec2,
    /// On the first shape's surface, nearest to the second (or deepest in it).
    pub(crate) on_a: DVec2,
    /// On the second shape's surface.
    pub(crate) on_b: DVec2,
    /// The first shape's centre, in world space.
    pub(crate) origin: Vec2,
    /// A gap up to this is rounding: they touch.
    pub(crate) tolerance: f64,
}

impl Separation {
    /// Whether they share a point.
    pub(crate) fn touches(&self) -> bool {
        self.gap <= self.tolerance
    }

    pub(crate) fn distance(&self) -> f32 {
        if self.touches() { 0.0 } else { self.gap as f32 }
    }

    pub(crate) fn depth(&self) -> f32 {
        // Not by `max`, which may choose the negative zero.
        if self.gap < 0.0 { -self.gap as f32 } else { 0.0 }
    }

    pub(crate) fn closest_points(&self) -> [Vec2; 2] {
        if self.touches() {
            [self.in_world((self.on_a + self.on_b) * 0.5); 2]
        } else {
            [self.on_a, self.on_b].map(|point| self.in_world(point))
        }
    }

    pub(crate) fn in_world(&self, point: DVec2) -> Vec2 {
        (self.origin.as_dvec2() + point).as_vec2()
    }

    /// The same, seen from the second shape. (The points stay relative to the first one's centre.)
    pub(crate) fn flipped(self) -> Self {
        Self { normal: -self.normal, on_a: self.on_b, on_b: self.on_a, ..self }
    }

    /// The same for cores that are swollen by round discs.
    fn swollen(self, a: f64, b: f64) -> Self {
        Self { gap: self.gap - (a + b), on_a: self.on_a + self.normal * a, on_b: self.on_b - self.normal * b, ..self }
    }
}

/// How `a` and `b` lie to each other.
pub(crate) fn separation(a: &Hull<'_>, b: &Hull<'_>) -> Separation {
    separation_after(a, b, DVec2::ZERO)
}

/// The same after `a` was moved. Points are relative to its centre as it is then, which is not the origin told.
pub(crate) fn separation_after(a: &Hull<'_>, b: &Hull<'_>, moved: DVec2) -> Separation {
    let frame = Frame::new(a, b, moved);
    match (a.disc, b.disc) {
        (Disc::Round(ra), Disc::Round(rb)) => {
            let apart = match closest(&a.core, &b.core, &frame, f64::INFINITY) {
                Ok(features) => features.separation(&frame),
                Err(_) => with_points!(&a.core, a => with_points!(&b.core, b => cores(a, b, &frame))),
            };
            apart.swollen(ra, rb)
        }
        _ => convex::separation(&|u| a.furthest(u), &|u| b.furthest(u), &frame),
    }
}

/// Whether `a` and `b` share a point.
///
/// Affine maps preserve overlap, so where only one disc is squashed, or both alike, the map that makes it the unit
/// disc leaves a question about two polygons and a distance. The map magnifies rounding, so near ties are left to
/// [`separation`].
pub(crate) fn touches(a: &Hull<'_>, b: &Hull<'_>) -> bool {
    let matrix = match a.disc.and(&b.disc) {
        Some(Disc::Squashed(matrix)) => matrix,
        Some(Disc::Round(reach)) => {
            return match closest(&a.core, &b.core, &Frame::new(a, b, DVec2::ZERO), reach) {
                Ok(_) => true,
                Err(Missing::Beyond) => false,
                Err(Missing::Unclear) => separation(a, b).touches(),
            };
        }
        _ => return separation(a, b).touches(),
    };
    let Some(map) = inverse(matrix) else { return separation(a, b).touches() };
    let offset = b.center.as_dvec2() - a.center.as_dvec2();
    let (beyond, scale) = with_points!(&a.core, a => with_points!(&b.core, b => {
        let (a, b) = (Mapped::new(a, DVec2::ZERO, map), Mapped::new(b, offset, map));
        let scale = a.extent() + b.extent() + 1.0;
        let frame = Frame { offset: DVec2::ZERO, origin: Vec2::ZERO, tolerance: scale * TOUCHING };
        (cores(&a, &b, &frame).gap - 1.0, scale)
    }));
    if beyond.abs() > scale * MAPPED { beyond < 0.0 } else { separation(a, b).touches() }
}

/// Where the second shape is, and what counts as touching.
pub(super) struct Frame {
    /// From the first centre to the second.
    pub(super) offset: DVec2,
    /// The first centre, in world space.
    pub(super) origin: Vec2,
    /// A gap up to this is rounding.
    pub(super) tolerance: f64,
}

impl Frame {
    #[inline(always)]
    pub(super) fn new(a: &Hull<'_>, b: &Hull<'_>, moved: DVec2) -> Self {
        let offset = b.center.as_dvec2() - a.center.as_dvec2() - moved;
        let scale = offset.abs().element_sum() + a.extent() + b.extent();
        let tolerance = match (a.disc, b.disc) {
            (Disc::BlackBox(_), _) | (_, Disc::BlackBox(_)) => scale * BLACK_BOX,
            _ => scale * TOUCHING,
        };
        Self { offset, origin: a.center, tolerance }
    }

    /// The separation of two points of the first and second shape (each relative to its own centre) along a normal.
    pub(super) fn between(&self, gap: f64, normal: DVec2, on_a: DVec2, on_b: DVec2) -> Separation {
        Separation { gap, normal, on_a, on_b: self.offset + on_b, origin: self.origin, tolerance: self.tolerance }
    }
}

/// The separating axis test, and where it finds the polygons apart or touching, their nearest points.
pub(super) fn cores<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, frame: &Frame) -> Separation {
    if a.count() == 1 && b.count() == 1 {
        let (on_a, on_b) = (a.point(0), b.point(0));
        let offset = (on_b - on_a) + frame.offset;
        let gap = offset.length();
        let normal = if gap > frame.tolerance { offset / gap } else { DVec2::X };
        return frame.between(gap, normal, on_a, on_b);
    }
    let of_a = (0..a.count()).filter_map(|index| Axis::new(a.edge(index), b, frame.offset, true));
    let of_b = (0..b.count()).filter_map(|index| Axis::new(b.edge(index), a, -frame.offset, false));
    let best = of_a.chain(of_b).reduce(|best, axis| if axis.gap > best.gap { axis } else { best });
    if let Some(found) = best.as_ref().filter(|axis| axis.gap < -frame.tolerance) {
        return found.separation(frame);
    }
    let start = best.as_ref().map_or(frame.offset, Axis::outward);
    let nearest = convex::nearest(&|u| a.furthest(u), &|u| b.furthest(u), frame, start);
    match (nearest, best) {
        // Nothing to tell them apart but rounding: the face's normal is the better one, but it does not tell the place.
        (Some(nearest), Some(axis)) if nearest.gap <= frame.tolerance => {
            Separation { on_a: nearest.on_a, on_b: nearest.on_b, ..axis.separation(frame) }
        }
        (Some(nearest), _) => nearest,
        (None, Some(axis)) => axis.separation(frame),
        // All edges without length: both are points.
        (None, None) => frame.between(0.0, DVec2::X, a.point(0), b.point(0)),
    }
}

/// A separating axis: an edge of one polygon and the point of the other that is nearest to it or deepest behind it.
struct Axis {
    gap: f64,
    /// Outward, of the polygon that has the edge.
    normal: DVec2,
    /// The edge: its start and direction.
    edge: (DVec2, DVec2),
    edge_of_a: bool,
    /// Where the point is straight above or below the line of the edge, from 0 at its start to 1 at its end.
    along: f64,
}

impl Axis {
    /// `None` for an edge without length.
    fn new<P: Points + ?Sized>(
        (start, edge): (DVec2, DVec2),
        other: &P,
        offset: DVec2,
        edge_of_a: bool,
    ) -> Option<Self> {
        let length = edge.length();
        if length == 0.0 {
            return None;
        }
        let normal = -edge.perp() / length;
        // The points are subtracted first and the centres second, so that exchanging the shapes negates every number
        // exactly and the answer is the same.
        let relative = |point: DVec2| (point - start) + offset;
        let mut deepest = other.point(0);
        let mut gap = relative(deepest).dot(normal);
        for index in 1..other.count() {
            let point = other.point(index);
            let height = relative(point).dot(normal);
            if height < gap {
                (deepest, gap) = (point, height);
            }
        }
        let along = relative(deepest).dot(edge) / (length * length);
        Some(Self { gap, normal, edge: (start, edge), edge_of_a, along })
    }

    /// The normal, from the first polygon to the second.
    fn outward(&self) -> DVec2 {
        if self.edge_of_a { self.normal } else { -self.normal }
    }

    fn separation(&self, frame: &Frame) -> Separation {
        let offset = if self.edge_of_a { frame.offset } else { -frame.offset };
        // The face's own point opposite the deepest one. Of a parallel side the deepest is an end, which may lie beyond
        // the face; then the face's end is opposite that side.
        let face = self.edge.0 + self.edge.1 * self.along.clamp(0.0, 1.0);
        let deepest = face + self.normal * self.gap - offset;
        if self.edge_of_a {
            frame.between(self.gap, self.normal, face, deepest)
        } else {
            frame.between(self.gap, -self.normal, deepest, face)
        }
    }
}
