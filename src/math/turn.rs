use glam::Vec2;

#[cfg(not(feature = "std"))]
use super::float::Float;

/// Twice the area of the triangle of three points: above zero where they turn counter-clockwise, below where they turn
/// clockwise, zero where they lie on one line. The sign is exact as long as the coordinates are within a factor of 2²⁹
/// of each other.
///
/// Source: the filter of J. R. Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates* (1997); what is left of the two products behind it is exact by fused multiplication.
pub(crate) fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [along, across] = [b, c].map(|point| point.as_dvec2() - a.as_dvec2());
    let (left, right) = (along.x * across.y, along.y * across.x);
    let area = left - right;
    if area.abs() > (left.abs() + right.abs()) * f64::EPSILON {
        return area;
    }
    area + (along.x.mul_add(across.y, -left) - along.y.mul_add(across.x, -right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn three_points_turn_the_same_way_wherever_one_starts() {
        let (low, high) = (vec2(0.1, 0.3), vec2(7.7, 23.1));
        let middle = low.lerp(high, 0.37);
        for step in -8..=8 {
            let nudged = vec2(middle.x, f32::from_bits(middle.y.to_bits().wrapping_add_signed(step)));
            let signs = [turn(low, high, nudged), turn(high, nudged, low), turn(nudged, low, high)].map(f64::signum);
            assert!(signs.iter().all(|sign| *sign == signs[0]), "{step}: {signs:?}");
            assert_eq!(turn(high, low, nudged).signum(), -signs[0]);
        }
    }

    #[test]
    fn points_on_one_line_do_not_turn() {
        assert_eq!(turn(vec2(0.1, 0.1), vec2(0.2, 0.2), vec2(0.4, 0.4)), 0.0);
        assert_eq!(turn(vec2(1.0, 2.0), vec2(1.0, 2.0), vec2(5.0, 7.0)), 0.0);
        assert!(turn(vec2(1e-9, 1e-9), vec2(1.0, 1.0), vec2(3.0, 3.000_000_2)) > 0.0);
    }
}
