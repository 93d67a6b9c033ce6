use glam::{DMat2, DVec2, Vec2};

use super::convex;
use super::family::{Disc, Hull, Mapped, Points, inverse, with_points};
use super::separation::Frame;
use crate::math::Aabb;
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{BLACK_BOX, ROUNDS, TOUCHING};

/// A stretch of a straight line, in `f64` and relative to some centre.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: DVec2,
    /// A unit vector in world space; seen through a map no longer one, so that distances along it stay what they were.
    pub(crate) direction: DVec2,
    /// How far it reaches, in multiples of the direction.
    pub(crate) length: f64,
}

/// Where a ray enters a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayTouch {
    pub(crate) distance: f64,
    /// Unit vector, facing the asker.
    pub(crate) normal: DVec2,
}

impl Ray {
    /// `None` for what is no ray: a zero or non-finite direction, a non-finite origin, a negative or NaN length.
    pub(crate) fn new(origin: Vec2, direction: Vec2, length: f32) -> Option<Self> {
        let usable = origin.is_finite() && direction.is_finite() && length >= 0.0;
        let direction = direction.as_dvec2().try_normalize().filter(|_| usable)?;
        Some(Self { origin: origin.as_dvec2(), direction, length: f64::from(length) })
    }

    /// Where the ray enters a shape.
    pub(crate) fn enter(&self, shape: &Hull<'_>) -> Option<RayTouch> {
        let ray = self.seen_from(shape.center);
        match shape.disc {
            Disc::Round(radius) => with_points!(&shape.core, points => ray.enter_round(points, radius)),
            Disc::Squashed(matrix) => match inverse(matrix) {
                Some(map) => with_points!(&shape.core, points => ray.enter_squashed(points, map)),
                None => ray.enter_convex(shape),
            },
            Disc::BlackBox(_) => ray.enter_convex(shape),
        }
    }

    /// From where to where it lies in a box, in multiples of the direction.
    pub(crate) fn stretch_in(&self, bounds: Aabb) -> Option<[f64; 2]> {
        let (mut enters, mut leaves) = (0.0_f64, self.length);
        for axis in 0..2 {
            let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            if direction == 0.0 {
                if !(min..=max).contains(&origin) {
                    return None;
                }
                continue;
            }
            let [a, b] = [min, max].map(|side| (side - origin) / direction);
            (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
        }
        (enters - leaves <= enters.abs() * TOUCHING).then_some([enters, leaves])
    }

    /// The same ray, relative to a centre.
    fn seen_from(&self, center: Vec2) -> Self {
        Self { origin: self.origin - center.as_dvec2(), ..*self }
    }

    pub(crate) fn at(&self, distance: f64) -> DVec2 {
        self.origin + self.direction * distance
    }

    fn inside(&self) -> RayTouch {
        RayTouch { distance: 0.0, normal: -self.direction }
    }

    /// Where the ray enters a polygon swollen by a round disc.
    pub(super) fn enter_round<P: Points + ?Sized>(&self, core: &P, radius: f64) -> Option<RayTouch> {
        let slack = (core.extent() + radius + self.origin.abs().element_sum()) * TOUCHING;
        let mut first: Option<RayTouch> = None;
        // What is offered later must come first by more than its own doubt.
        let mut offer = |distance: f64, normal: DVec2, doubt: f64| {
            if (0.0..=self.length).contains(&distance) && first.is_none_or(|first| distance + doubt < first.distance) {
                first = Some(RayTouch { distance, normal });
            }
        };
        // Without a disc, the sides of a polygon leave nothing to its corners.
        let has_area = twice_area(core) > slack * core.extent();
        let needs_corners = radius > 0.0 || !has_area;
        let mut behind_all = has_area;
        for index in 0..core.count() {
            let (start, edge) = core.edge(index);
            // Heights above this edge, and places along it, are times its length.
            let length_squared = edge.length_squared();
            if length_squared == 0.0 {
                continue;
            }
            let length = if needs_corners { length_squared.sqrt() } else { edge.abs().element_sum() };
            let (radius, slack) = (radius * length, slack * length);
            let outward = -edge.perp();
            let height = (self.origin - start).dot(outward);
            let beside = |point: DVec2| (-slack..=length_squared + slack).contains(&(point - start).dot(edge));
            behind_all &= height <= slack;
            if needs_corners && height.abs() <= radius + slack && beside(self.origin) {
                return Some(self.inside());
            }
            let approach = -self.direction.dot(outward);
            if approach > 0.0 {
                let distance = (height - radius) / approach;
                if beside(self.at(distance)) {
                    offer(distance, outward, 0.0);
                }
            }
        }
        let mut corners = (0..core.count()).map(|index| core.point(index));
        if needs_corners && corners.any(|corner| self.pass_corner(corner, radius, slack, &mut offer)) {
            return Some(self.inside());
        }
        if behind_all {
            return Some(self.inside());
        }
        first.map(|touch| RayTouch { normal: touch.normal.normalize(), ..touch })
    }

    /// Offers where the ray enters the disc around a corner; tells whether it starts in it.
    fn pass_corner(&self, corner: DVec2, radius: f64, slack: f64, offer: &mut impl FnMut(f64, DVec2, f64)) -> bool {
        let to_corner = corner - self.origin;
        if to_corner.length() <= radius + slack {
            return true;
        }
        let speed = self.direction.length_squared();
        let nearest = to_corner.dot(self.direction) / speed;
        let miss = (to_corner - self.direction * nearest).length_squared();
        let reach = radius + slack;
        if nearest > 0.0 && miss <= reach * reach {
            let distance = nearest - ((radius * radius - miss).max(0.0) / speed).sqrt();
            if radius > slack {
                offer(distance, self.at(distance) - corner, 0.0);
            } else {
                // A side that ends there has the better normal.
                offer(distance, -self.direction, slack / speed.sqrt());
            }
        }
        false
    }

    /// Where the ray enters a polygon swollen by a squashed disc, given the map that makes that the unit disc: the same
    /// question in its space.
    fn enter_squashed<P: Points + ?Sized>(&self, core: &P, map: DMat2) -> Option<RayTouch> {
        let mapped = Self { origin: map * self.origin, direction: map * self.direction, length: self.length };
        let touch = mapped.enter_round(&Mapped::new(core, DVec2::ZERO, map), 1.0)?;
        // Normals are mapped by the transpose.
        let normal = (map.transpose() * touch.normal).normalize();
        Some(if touch.distance == 0.0 { self.inside() } else { RayTouch { normal, ..touch } })
    }

    /// Where the ray enters a shape by its support function alone: conservative advancement, which never oversteps. See
    /// [`convex`] for the source.
    fn enter_convex(&self, shape: &Hull<'_>) -> Option<RayTouch> {
        let tolerance = (shape.extent() + self.origin.abs().element_sum()) * BLACK_BOX;
        let mut touch = self.inside();
        for _ in 0..ROUNDS {
            let frame = Frame { offset: -self.at(touch.distance), origin: Vec2::ZERO, tolerance };
            let point = |_| DVec2::ZERO;
            let Some(apart) = convex::nearest(&point, &|u| shape.furthest(u), &frame, frame.offset) else { break };
            if apart.gap <= tolerance {
                break;
            }
            let approach = self.direction.dot(apart.normal);
            touch.distance += apart.gap / approach;
            touch.normal = -apart.normal;
            if approach <= 0.0 || touch.distance > self.length {
                return None;
            }
        }
        Some(touch)
    }
}

/// Twice the area of a core: next to nothing where its corners lie on one line, and every point of that line is behind
/// all its sides.
pub(super) fn twice_area<P: Points + ?Sized>(core: &P) -> f64 {
    let first = core.point(0);
    (2..core.count()).map(|index| (core.point(index - 1) - first).perp_dot(core.point(index) - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_lies_in_a_box_from_where_it_comes_in_to_where_it_goes_out() {
        let bounds = Aabb::new(Vec2::new(2.0, -1.0), Vec2::new(6.0, 3.0));
        let stretch = |origin: [f64; 2], direction: [f64; 2], length: f64| {
            Ray { origin: origin.into(), direction: direction.into(), length }.stretch_in(bounds)
        };
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 9.0), Some([1.0, 3.0]));
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 2.0), Some([1.0, 2.0]), "it ends inside");
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 0.5), None, "it ends before");
        assert_eq!(stretch([3.0, 0.5], [2.0, 0.0], 9.0), Some([0.0, 1.5]), "it begins inside");
        assert_eq!(stretch([7.0, 0.5], [2.0, 0.0], 9.0), None, "it begins behind");
        assert_eq!(stretch([0.0, 3.0], [2.0, 0.0], 9.0), Some([1.0, 3.0]), "along a border");
        assert_eq!(stretch([0.0, 3.5], [2.0, 0.0], 9.0), None, "beside");
        assert_eq!(stretch([1.0, -3.0], [2.0, 4.0], 9.0), Some([0.5, 1.5]), "upwards");
        assert_eq!(stretch([0.0, 1.25], [1.0, 1.0], 9.0), None, "past a corner");
        for part in 1..40 {
            let way = DVec2::new(0.1, 0.3) * f64::from(part);
            let ray = Ray { origin: DVec2::new(2.0, 3.0) - way, direction: DVec2::new(0.1, 0.3), length: 99.0 };
            assert!(ray.stretch_in(bounds).is_some(), "through a corner, but for the rounding: {ray:?}");
        }
    }
}
