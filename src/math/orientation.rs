use glam::Vec2;

use super::Each;

#[cfg(not(feature = "std"))]
use super::float::Float;
use super::tolerance::AREA_ROUNDING;

/// Returns twice the signed area of the triangle `a`, `b`, `c`: positive if the points turn counter-clockwise, negative
/// if they turn clockwise, zero if they are collinear.
///
/// The sign is exact as long as the coordinates differ by less than a factor of 2²⁹. A NaN or infinite coordinate gives
/// NaN or infinity.
///
/// Source: the filter of J. R. Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates* (1997). Behind the filter, fused multiplication computes the rounding errors of both products exactly.
pub(crate) fn orient2d(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [to_b, to_c] = [b, c].each(|point| point.as_dvec2() - a.as_dvec2());
    let (left, right) = (to_b.x * to_c.y, to_b.y * to_c.x);
    let area = left - right;
    if area.abs() > (left.abs() + right.abs()) * AREA_ROUNDING {
        return area;
    }
    area + (to_b.x.mul_add(to_c.y, -left) - to_b.y.mul_add(to_c.x, -right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn near_collinear_points_have_one_sign_in_every_cyclic_order() {
        let (low, high) = (vec2(0.1, 0.3), vec2(7.7, 23.1));
        let middle = low.lerp(high, 0.37);
        for step in -8..=8 {
            let nudged = vec2(middle.x, f32::from_bits(middle.y.to_bits().wrapping_add_signed(step)));
            let cyclic = [orient2d(low, high, nudged), orient2d(high, nudged, low), orient2d(nudged, low, high)];
            let signs = cyclic.map(f64::signum);
            assert!(signs.iter().all(|sign| *sign == signs[0]), "{step}: {signs:?}");
            assert_eq!(orient2d(high, low, nudged).signum(), -signs[0]);
        }
    }

    #[test]
    fn collinear_points_give_zero() {
        assert_eq!(orient2d(vec2(0.1, 0.1), vec2(0.2, 0.2), vec2(0.4, 0.4)), 0.0);
        assert_eq!(orient2d(vec2(1.0, 2.0), vec2(1.0, 2.0), vec2(5.0, 7.0)), 0.0);
        assert!(orient2d(vec2(1e-9, 1e-9), vec2(1.0, 1.0), vec2(3.0, 3.000_000_2)) > 0.0);
    }
}
