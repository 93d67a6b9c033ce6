//! The Minkowski difference `b - a` of two polygons, given by its sides: those of `b`, and those of `a` reversed. The
//! sides need no order, so nothing has to be built.

use glam::DVec2;

use super::cast_touch::Entry;
use super::{CastTouch, Points, Ray};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{INPUT_ROUNDING, TOUCHING};

/// Returns `true` if the infinite line through a path misses the difference `b - a`, enlarged by a disc.
fn misses(a: impl Points, b: impl Points, ray: &Ray, radius: f64) -> bool {
    let across = ray.direction.perp();
    let reach = radius * radius * across.length_squared();
    [across, -across].into_iter().any(|outward| {
        let height = ray.origin.dot(outward) + b.lowest(-outward) + a.lowest(outward);
        height > 0.0 && height * height > reach
    })
}

/// Returns the side of the difference `b - a`, enlarged by a disc, that a path crosses last. If it crosses within the
/// side itself, it enters there. With the [outline](super::difference_outline) of the difference alone, moves of capsules,
/// circles and polygons over a floor of mixed shapes take 3 % more instructions.
pub(super) fn enter_side(a: impl Points, b: impl Points, ray: &Ray, radius: f64) -> Entry {
    if misses(a, b, ray, radius) {
        return Entry::Never;
    }
    let (mut last, mut side) = (0.0, DVec2::ZERO);
    let stays_outside = any_side(a, b, ray.origin, |outward, height| {
        // Heights are times the length of the side.
        let squared = outward.length_squared();
        if height <= 0.0 || height * height <= radius * radius * squared {
            return false;
        }
        let approach = -ray.direction.dot(outward);
        let distance = height - radius * squared.sqrt();
        if distance > last * approach {
            (last, side) = (distance / approach, outward);
        }
        let short = distance - approach * ray.length;
        // A path that starts touching to within rounding is left to the corners, however short it is.
        short > 0.0 && short > rounding_of_height(a, b, ray.origin) * squared.sqrt()
    });
    if stays_outside {
        return Entry::Never;
    }
    let Some(normal) = side.try_normalize() else { return Entry::Unclear };
    let tangent = normal.perp();
    let interval = |side: [DVec2; 2]| {
        let [p, q] = side.map(|end| end.dot(tangent));
        [p.min(q), p.max(q)]
    };
    let [low, high] = interval(b.facing_side(normal, INPUT_ROUNDING));
    let [from, to] = interval(a.facing_side(-normal, INPUT_ROUNDING));
    let beside = (low - to..=high - from).contains(&ray.at(last).dot(tangent));
    if beside { Entry::At(CastTouch { fraction: last, normal }) } else { Entry::Unclear }
}

/// Returns `true` if `test` holds for a side of the difference `b - a`. The arguments of `test` are the outward normal
/// and the signed distance of `point` from the side, both times the side's length.
pub(super) fn any_side(a: impl Points, b: impl Points, point: DVec2, mut test: impl FnMut(DVec2, f64) -> bool) -> bool {
    for index in 0..b.count() {
        let (start, edge) = b.edge(index);
        let outward = -edge.perp();
        if edge != DVec2::ZERO && test(outward, (point - start).dot(outward) + a.lowest(outward)) {
            return true;
        }
    }
    for index in 0..a.count() {
        let (start, edge) = a.edge(index);
        let outward = edge.perp();
        if edge != DVec2::ZERO && test(outward, (point + start).dot(outward) + b.lowest(-outward)) {
            return true;
        }
    }
    false
}

/// Returns the rounding of the distance between a point and a side.
pub(super) fn rounding_of_height(a: impl Points, b: impl Points, offset: DVec2) -> f64 {
    (a.extent() + b.extent() + offset.abs().element_sum()) * TOUCHING
}

/// Returns `true` if the difference `b - a` certainly has an area: one of the two has, or they are not parallel.
pub(super) fn has_area(a: impl Points, b: impl Points, offset: DVec2) -> bool {
    // Twice an area is at most four times the extent times the thickness.
    let rounding = rounding_of_height(a, b, offset) * 4.0 * (a.extent() + b.extent());
    a.twice_area().max(b.twice_area()) > rounding || a.spread().perp_dot(b.spread()).abs() > rounding
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::geometry::difference_outline::difference_outline;
    use crate::geometry::difference_outline::tests::outlines;
    use crate::geometry::points::Outline;

    /// Returns the points of a grid.
    fn places(half: i32, step: f64) -> impl Iterator<Item = DVec2> {
        (-half..=half).flat_map(move |x| (-half..=half).map(move |y| DVec2::new(x.into(), y.into()) * step))
    }

    /// A side of an outline: its start, its direction, its length and its outward normal.
    struct Border(DVec2, DVec2, f64, DVec2);

    impl Border {
        fn all_of(outline: &Outline) -> impl Iterator<Item = Self> {
            let edges = (0..outline.len()).map(|index| outline.edge(index)).filter(|edge| edge.1 != DVec2::ZERO);
            edges.map(|(start, edge)| Self(start, edge.normalize(), edge.length(), -edge.perp().normalize()))
        }

        fn is_before(&self, point: DVec2, radius: f64) -> bool {
            (point - self.0).dot(self.3) > radius + 1e-9
        }

        /// Returns `true` if a point of the offset side is clear of the discs at the side's ends.
        fn holds(&self, point: DVec2, radius: f64) -> bool {
            let along = (point - self.0).dot(self.1);
            ((point - self.0).dot(self.3) - radius).abs() < 1e-9 && along > 1e-3 && along < self.2 - 1e-3
        }
    }

    #[test]
    fn enter_side_agrees_with_a_ray_against_the_difference_outline() {
        let (radius, length) = (0.625, 1.5);
        let ways = [[9.0, 2.0], [-3.0, 7.5], [0.5, -4.0], [-6.0, 0.0], [0.0, 0.25]].map(DVec2::from);
        for [a, b] in outlines().into_iter().flat_map(|a| outlines().map(|b| [a.clone(), b])) {
            let outline = difference_outline(&a, &b);
            for ray in places(5, 1.75).flat_map(|origin| ways.map(|direction| Ray { origin, direction, length })) {
                let which = || format!("{b:?} - {a:?}, {ray:?}");
                let mut sides = Border::all_of(&outline);
                match (enter_side(&a, &b, &ray, radius), ray.enter_rounded(&outline, radius)) {
                    (Entry::Never, touch) => assert!(touch.is_none(), "{}", which()),
                    (Entry::At(CastTouch { fraction, normal }), touch) => {
                        let touch = touch.unwrap();
                        assert!((fraction - touch.fraction).abs() < 1e-12, "{}", which());
                        assert!(normal.distance(touch.normal) < 1e-12, "{}", which());
                    }
                    (Entry::Unclear, Some(touch)) => {
                        let through = sides.any(|side| side.holds(ray.at(touch.fraction), radius));
                        assert!(!through || touch.fraction == 0.0, "{}", which());
                    }
                    (Entry::Unclear, None) => {
                        let ends = [ray.origin, ray.at(length)];
                        let stays = sides.any(|side| ends.iter().all(|end| side.is_before(*end, radius)));
                        assert!(!stays, "{}", which());
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_misses_if_the_whole_difference_is_on_one_side_of_it() {
        let radius = 0.625;
        for [a, b] in outlines().into_iter().flat_map(|a| outlines().map(|b| [a.clone(), b])) {
            let outline = difference_outline(&a, &b);
            for origin in places(5, 1.75) {
                for direction in [[9.0, 2.0], [-3.0, 7.5], [0.5, -4.0]].map(DVec2::from) {
                    let ray = Ray { origin, direction, length: 1.0 };
                    let off = |corner: &DVec2| (*corner - origin).dot(direction.perp().normalize());
                    let expected = outline.iter().all(|corner| off(corner) > radius)
                        || outline.iter().all(|corner| off(corner) < -radius);
                    assert_eq!(misses(&a, &b, &ray, radius), expected, "{b:?} - {a:?}, {ray:?}");
                }
            }
        }
    }
}
