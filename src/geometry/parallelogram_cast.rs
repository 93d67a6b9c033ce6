//! The cast of a parallelogram, a segment or a point against another one, both enlarged by discs: the pairs of circles,
//! capsules, segments and rectangles.

use glam::DVec2;

use super::cast_touch::Entry;
use super::points::Parallelogram;
use super::{CastTouch, Ray};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{INPUT_ROUNDING, TOUCHING};

/// The Minkowski difference of two parallelograms. It is symmetric about its middle, so each half-axis stands for two
/// sides, of which a point is in front of at most one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParallelogramDifference {
    middle: DVec2,
    /// Zero for what a segment or a point lacks.
    half_axes: [DVec2; 4],
}

impl ParallelogramDifference {
    /// Returns the difference `b - a`.
    pub(super) fn new(a: &Parallelogram, b: &Parallelogram) -> Self {
        let ([x, y], [u, v]) = (a.axes, b.axes);
        Self { middle: b.middle - a.middle, half_axes: [x, y, u, v] }
    }

    /// Returns how a path enters the difference, enlarged by a disc. The entry is unclear if the path starts inside,
    /// or on the line of a segment.
    ///
    /// The path enters where it crosses the line of a side last, if it crosses within the side. If not, it is beyond
    /// the corner at the end of that side then, between the lines of both sides of the corner, and enters at the disc
    /// around this corner or nowhere.
    pub(super) fn enter(&self, ray: &Ray, radius: f64) -> Entry {
        let path = Ray { origin: ray.origin - self.middle, ..*ray };
        let across = path.direction.perp();
        let beside = path.origin.dot(across).abs() - self.reach(across);
        if beside > 0.0 && beside * beside > radius * radius * across.length_squared() {
            return Entry::Never;
        }
        let places = ray.origin.abs() + self.middle.abs();
        let extent = self.half_axes.iter().fold(places, |sum, axis| sum + axis.abs());
        let tolerance = extent.element_sum() * TOUCHING;
        let (fraction, side) = match self.last_crossing(&path, radius, tolerance) {
            Ok(crossing) => crossing,
            Err(entry) => return entry,
        };
        let Some(normal) = side.try_normalize() else {
            let is_point = self.half_axes == [DVec2::ZERO; 4];
            return if is_point { path.enter_disc(DVec2::ZERO, radius, tolerance) } else { Entry::Unclear };
        };
        match self.corner_before(normal, path.at(fraction)) {
            Some(corner) => path.enter_disc(corner, radius, tolerance),
            None if fraction > 0.0 => Entry::At(CastTouch { fraction, normal }),
            None => Entry::Unclear,
        }
    }

    /// Returns the fraction at which a path crosses the line of a side last, and the outward normal of this side; its
    /// length has no meaning. A path that starts behind all these lines starts at the side of which it is furthest in
    /// front, if there is any, and has the fraction 0. All lines are `radius` away from their sides.
    ///
    /// # Errors
    /// The answer for a path that never crosses one of the lines.
    fn last_crossing(&self, path: &Ray, radius: f64, tolerance: f64) -> Result<(f64, DVec2), Entry> {
        let (mut last, mut side, mut nearest): (Option<f64>, _, _) = (None, DVec2::ZERO, 0.0);
        for (axis, reach) in self.half_axes.into_iter().zip(self.reaches()) {
            // Heights are times the length of the axis.
            let normal = axis.perp();
            let offset = path.origin.dot(normal);
            let (height, squared) = (offset.abs() - reach, normal.length_squared());
            if height <= 0.0 {
                continue;
            }
            let outward = if offset < 0.0 { -normal } else { normal };
            if height * height <= radius * radius * squared {
                if last.is_none() && height * height > nearest * squared {
                    (nearest, side) = (height * height / squared, outward);
                }
                continue;
            }
            let approach = -path.direction.dot(outward);
            let size = squared.sqrt();
            let distance = height - radius * size;
            let short = distance - if approach > 0.0 { approach * path.length } else { 0.0 };
            if short > tolerance * size {
                return Err(Entry::Never);
            }
            // A path that starts touching to within rounding is left to the caller, however short it is.
            if approach <= 0.0 {
                return Err(Entry::Unclear);
            }
            if last.is_none_or(|last| distance > last * approach) {
                // Rounding may put a path that starts on this line behind it.
                (last, side) = (Some((distance / approach).max(0.0)), outward);
            }
        }
        Ok((last.unwrap_or(0.0), side))
    }

    /// Returns the corner before a point that is in front of the line of a side, but beyond the end of the side; `None`
    /// if the point is in front of the side itself. Both are relative to the middle.
    fn corner_before(&self, normal: DVec2, point: DVec2) -> Option<DVec2> {
        let tangent = normal.perp();
        let (mut height, mut middle, mut half) = (0.0, 0.0, 0.0);
        for axis in self.half_axes {
            let (up, along) = (axis.dot(normal), axis.dot(tangent));
            height += up.abs();
            if up.abs() <= INPUT_ROUNDING * along.abs() {
                half += along.abs();
            } else {
                middle += if up < 0.0 { -along } else { along };
            }
        }
        let beyond = point.dot(tangent) - middle;
        let end = middle + if beyond < 0.0 { -half } else { half };
        (beyond.abs() > half).then(|| normal * height + tangent * end)
    }

    /// Returns the furthest coordinates along the normals of the half-axes, as [`reach`](Self::reach) does.
    fn reaches(&self) -> [f64; 4] {
        let area = |a: DVec2, b: DVec2| a.perp_dot(b).abs();
        let [x, y, u, v] = self.half_axes;
        let [xy, uv, xu, xv, yu, yv] = [area(x, y), area(u, v), area(x, u), area(x, v), area(y, u), area(y, v)];
        [xy + xu + xv, xy + yu + yv, uv + xu + yu, uv + xv + yv]
    }

    /// Returns the furthest coordinate along a direction, from the middle and times the direction's length.
    fn reach(&self, direction: DVec2) -> f64 {
        let [x, y, u, v] = self.half_axes.map(|axis| axis.dot(direction).abs());
        x + y + u + v
    }
}

impl Ray {
    /// Returns how the path enters a disc. A path that starts touching it to within rounding is unclear.
    fn enter_disc(&self, center: DVec2, radius: f64, tolerance: f64) -> Entry {
        let (to_center, least) = (center - self.origin, radius + tolerance);
        if radius <= tolerance || to_center.length_squared() <= least * least {
            return Entry::Unclear;
        }
        let Some(fraction) = self.meets_disc(to_center, radius, tolerance) else { return Entry::Never };
        let normal = (self.at(fraction) - center).try_normalize();
        normal.map_or(Entry::Unclear, |normal| Entry::At(CastTouch { fraction, normal }))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use glam::Vec2;

    use super::*;
    use crate::geometry::difference_outline::difference_outline;
    use crate::geometry::hull::Core;

    #[test]
    fn the_entry_agrees_with_a_ray_against_the_difference_outline() {
        let cores = [
            Core::POINT,
            Core::segment([Vec2::new(-1.0, 0.5), Vec2::new(0.5, 0.75)]),
            Core::segment([Vec2::new(-1.5, 0.0), Vec2::new(1.5, 0.0)]),
            Core::parallelogram([Vec2::X * 1.5, Vec2::Y * 0.5]),
            Core::parallelogram([Vec2::new(0.75, 0.25), Vec2::new(-0.25, 0.75)]),
            Core::parallelogram([Vec2::new(2.0, 1.0), Vec2::new(0.5, -1.0)]),
        ];
        let shapes = cores.map(|core| match core {
            Core::Parallelogram(shape) => shape,
            Core::Polygon(_) => unreachable!("points, segments and rectangles are parallelograms"),
        });
        let (mut entries, mut unclear) = (0, 0);
        for [a, b] in shapes.iter().flat_map(|a| shapes.iter().map(move |b| [a, b])) {
            let (outline, difference) = (difference_outline(a, b), ParallelogramDifference::new(a, b));
            for case in 0..3456 {
                let (radius, step, way) = ([0.01, 0.625, 3.0][case % 3], (case / 3 % 48) as f64, (case / 144) as f64);
                let mut origin = DVec2::from_angle(step) * (1.0 + step * 0.125);
                let axis = difference.half_axes[case % 4];
                // Half of the rays start as movers do that were pushed out: exactly on the line of a side.
                let normal = axis.perp().try_normalize().filter(|_| case / 4 % 2 == 0);
                if let Some(normal) = normal {
                    let height = difference.reach(normal) + radius;
                    origin = difference.middle + normal * height + axis * (step / 8.0 - 3.0);
                }
                let ray = Ray { origin, direction: DVec2::from_angle(way * 0.7) * 7.0, length: 0.25 + step / 48.0 };
                // A path that starts on the border, or slides along it, touches with a slightly larger disc only.
                let slack = if normal.is_some() { 1e-9 } else { 0.0 };
                let [thin, touch, thick] =
                    [radius - slack, radius, radius + slack].map(|radius| ray.enter_rounded(&outline, radius));
                let starts_inside = thick.is_some_and(|touch| touch.fraction == 0.0);
                let which = || format!("{b:?} - {a:?}, {ray:?}, {radius}: {touch:?}");
                match difference.enter(&ray, radius) {
                    Entry::Never => assert!(touch.is_none() || thin.is_none(), "{}", which()),
                    Entry::At(CastTouch { fraction, normal }) => {
                        assert_eq!(touch.is_some(), fraction <= ray.length, "{}", which());
                        let Some(touch) = touch else { continue };
                        assert!((touch.fraction - fraction).abs() < 1e-12, "{}", which());
                        let is_inside = starts_inside && slack > 0.0;
                        assert!(is_inside || touch.normal.distance(normal) < 1e-12, "{}", which());
                        entries += 1;
                    }
                    Entry::Unclear => {
                        assert!(starts_inside || slack > 0.0, "{}", which());
                        unclear += 1;
                    }
                }
            }
        }
        assert!(entries > 10_000 && unclear > 10_000, "{entries} {unclear}");
    }
}
