use glam::DVec2;

use super::points::{Outline, Points, wrapped};

/// Returns the outline of the Minkowski difference `b - a`, counter-clockwise: the sides of both outlines in the order
/// of their directions.
///
/// Source: de Berg et al., *Computational Geometry* (2008), section 13.3.
pub(super) fn difference_outline(a: impl Points, b: impl Points) -> Outline {
    // The corner between the last side that leads down and the first that does not. The coordinates of two corners may
    // be equal only after rounding, but the sides of a parallelogram are exact.
    let lowest = |count: usize, edge: &dyn Fn(usize) -> DVec2| {
        let begins = |index: &usize| {
            let mut before = (1..count).map(|back| edge(wrapped(index + count - back, count)));
            let before = before.find(|edge| *edge != DVec2::ZERO);
            edge(*index) != DVec2::ZERO && !is_lower_half(edge(*index)) && before.is_some_and(is_lower_half)
        };
        (0..count).find(begins).unwrap_or(0)
    };
    let (n, m) = (a.count(), b.count());
    let (first_a, first_b) = (lowest(n, &|index| -a.edge(index).1), lowest(m, &|index| b.edge(index).1));
    let (mut i, mut j) = (0, 0);
    let mut outline = Outline::new();
    while i < n || j < m {
        let (of_a, of_b) = (wrapped(first_a + i, n), wrapped(first_b + j, m));
        let corner = b.point(of_b) - a.point(of_a);
        if outline.last() != Some(&corner) {
            outline.push(corner);
        }
        let (along_a, along_b) = (-a.edge(of_a).1, b.edge(of_b).1);
        let order = match (i == n, j == m) {
            (true, _) => -1.0,
            (_, true) => 1.0,
            _ => direction_order(along_a, along_b),
        };
        // With NaN both advance, so that the loop ends.
        i += usize::from(order >= 0.0 || order.is_nan());
        j += usize::from(order <= 0.0 || order.is_nan());
    }
    outline
}

/// Returns `true` if a direction is in the second half of a turn that begins at the x axis.
fn is_lower_half(direction: DVec2) -> bool {
    direction.y < 0.0 || (direction.y == 0.0 && direction.x < 0.0)
}

/// Returns a positive number if the direction `a` comes before `b`, counter-clockwise from the x axis, and 0 if they
/// are equal. A vector without length comes first.
fn direction_order(a: DVec2, b: DVec2) -> f64 {
    match (is_lower_half(a), is_lower_half(b)) {
        _ if a == DVec2::ZERO => 1.0,
        _ if b == DVec2::ZERO => -1.0,
        (false, true) => 1.0,
        (true, false) => -1.0,
        _ => a.perp_dot(b),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::geometry) fn corners(points: &[[f64; 2]]) -> Outline {
        points.iter().copied().map(DVec2::from).collect()
    }

    /// Returns outlines, counter-clockwise, that start at their lowest corner, the leftmost of equals.
    pub(in crate::geometry) fn outlines() -> [Outline; 6] {
        [
            corners(&[[2.0, 1.0]]),
            corners(&[[-1.0, 0.0], [3.0, 0.0]]),
            corners(&[[0.0, -1.0], [0.0, 2.0]]),
            corners(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]),
            corners(&[[0.0, -2.0], [1.5, 1.0], [-2.0, 2.0]]),
            corners(&[[0.0, -3.0], [2.0, -2.0], [3.0, 1.0], [1.0, 3.0], [-1.0, 2.0], [-1.5, -1.0]]),
        ]
    }

    /// Returns the same outline, starting at another corner.
    fn begun_at(outline: &Outline, index: usize) -> Outline {
        let mut turned = outline.clone();
        turned.rotate_left(index);
        turned
    }

    /// Returns the convex hull of some points, from the lowest: the next corner is the one with all others on its left.
    fn hull(points: &[DVec2]) -> Outline {
        let lower = |p: &&DVec2, q: &&DVec2| (p.y, p.x).partial_cmp(&(q.y, q.x)).unwrap();
        let mut hull = Outline::from_elem(*points.iter().min_by(lower).unwrap(), 1);
        loop {
            let last = hull[hull.len() - 1];
            let next = points.iter().copied().filter(|point| *point != last).reduce(|best, point| {
                let side = (best - last).perp_dot(point - last);
                let is_further = last.distance_squared(point) > last.distance_squared(best);
                if side < 0.0 || (side == 0.0 && is_further) { point } else { best }
            });
            match next {
                Some(next) if next != hull[0] => hull.push(next),
                _ => return hull,
            }
        }
    }

    #[test]
    fn the_difference_outline_is_the_hull_of_all_differences_for_every_start() {
        for a in outlines() {
            for b in outlines() {
                let all: Outline = a.iter().flat_map(|a| b.iter().map(|b| *b - *a)).collect();
                let expected = hull(&all);
                for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
                    let found = difference_outline(&begun_at(&a, i), &begun_at(&b, j));
                    assert_eq!(found, expected, "{b:?} - {a:?}");
                }
            }
        }
    }

    /// Returns an outline without repeated corners and corners on a straight side.
    fn without_straight_corners(outline: &Outline) -> Outline {
        let count = outline.len();
        let goes_on = |index: usize| {
            let [before, here, after] = [index + count - 1, index, index + 1].map(|index| outline[index % count]);
            let (to, from) = (here - before, after - here);
            from == DVec2::ZERO || (to.perp_dot(from) == 0.0 && to.dot(from) > 0.0)
        };
        (0..count).filter(|index| !goes_on(*index)).map(|index| outline[index]).collect()
    }

    #[test]
    fn straight_and_repeated_corners_do_not_change_the_difference() {
        let odd = [
            corners(&[[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.5, 1.0], [-1.0, 1.0]]),
            corners(&[[0.0, -2.0], [1.0, -1.0], [2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-2.0, 0.0], [-1.0, -1.0]]),
            corners(&[[-1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [3.0, 0.0], [3.0, 0.0]]),
            corners(&[[0.0, -2.0], [1.5, 1.0], [1.5, 1.0], [-2.0, 2.0], [-2.0, 2.0], [0.0, -2.0]]),
        ];
        let diagonals = [corners(&[[-1.0, -1.0], [1.0, 1.0]]), corners(&[[1.0, -1.0], [-1.0, 1.0]])];
        let others = || outlines().into_iter().chain(diagonals.clone()).chain(odd.clone());
        for [a, b] in odd.iter().flat_map(|a| others().flat_map(|b| [[a.clone(), b.clone()], [b, a.clone()]])) {
            let all: Outline = a.iter().flat_map(|a| b.iter().map(|b| *b - *a)).collect();
            assert_eq!(without_straight_corners(&difference_outline(&a, &b)), hull(&all), "{b:?} - {a:?}");
        }
    }
}
