//! Overlap decided in integers, without rounding, for the Minkowski sum of a polygon and a circle: circles, segments,
//! capsules, rectangles and polygons. Each finite `f32` is an integer multiple of the smallest positive `f32`.

use hitgraph::Shape;
use num_bigint::{BigInt, Sign};

type Point = [BigInt; 2];

/// The Minkowski sum of a polygon and a circle. The corners and the radius are multiples of the same unit.
#[derive(Debug, Clone)]
pub struct IntegerHull {
    pub corners: Vec<Point>,
    pub radius: BigInt,
}

/// Returns a finite number as a multiple of the smallest positive `f32`.
fn integer(value: f32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    assert!(exponent < 255, "{value} must be finite");
    let magnitude =
        if exponent == 0 { BigInt::from(fraction) } else { BigInt::from(fraction | 0x80_0000) << (exponent - 1) };
    if value < 0.0 { -magnitude } else { magnitude }
}

fn pair([x, y]: [f32; 2]) -> Point {
    [integer(x), integer(y)]
}

impl IntegerHull {
    /// Returns the hull of `shape`, in world space, or `None` for ellipses and rounded polygons. `near` is the same
    /// shape translated by `-at`, so that its centre is the origin and its points are exactly the offsets that it
    /// stores.
    pub fn new(shape: &Shape, near: &Shape, at: glam::Vec2) -> Option<Self> {
        let around = |center: glam::Vec2, offsets: &mut dyn Iterator<Item = glam::Vec2>| {
            let center = pair(center.into());
            offsets.map(|offset| plus(&center, &pair(offset.into()))).collect::<Vec<_>>()
        };
        let (corners, radius) = match (shape, near) {
            (Shape::Circle(circle), _) => (vec![pair(circle.center().into())], circle.radius()),
            (Shape::Rect(rect), _) => {
                let center = pair(rect.center().into());
                let [x, y] = rect.half_axes().map(|axis| pair(axis.into()));
                let minus_x = minus(&pair([0.0; 2]), &x);
                let corner = |along: &Point, across: &Point| plus(&center, &plus(along, across));
                let minus_y = minus(&pair([0.0; 2]), &y);
                (vec![corner(&x, &y), corner(&minus_x, &y), corner(&minus_x, &minus_y), corner(&x, &minus_y)], 0.0)
            }
            (_, Shape::Segment(near)) => (around(at, &mut near.ends().into_iter()), 0.0),
            (_, Shape::Capsule(near)) => (around(at, &mut near.axis().ends().into_iter()), near.radius()),
            (_, Shape::Polygon(near)) => (around(at, &mut near.points()), 0.0),
            _ => return None,
        };
        Some(Self { corners, radius: integer(radius) })
    }

    /// Returns `true` if the two share a point.
    pub fn touches(&self, other: &Self) -> bool {
        let reach = &self.radius + &other.radius;
        let (a, b) = (&self.corners, &other.corners);
        // The sides and diagonals between all pairs of corners include the border of the convex hull.
        let segments = |points: &[Point]| {
            let ends = (0..points.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
            ends.map(|(i, j)| [points[i].clone(), points[j].clone()]).collect::<Vec<_>>()
        };
        let others = segments(b);
        let near = segments(a).iter().any(|a| others.iter().any(|b| segments_touch(a, b, &reach)));
        near || is_inside(a, &b[0]) || is_inside(b, &a[0])
    }
}

fn plus(a: &Point, b: &Point) -> Point {
    [&a[0] + &b[0], &a[1] + &b[1]]
}

fn minus(a: &Point, b: &Point) -> Point {
    [&a[0] - &b[0], &a[1] - &b[1]]
}

fn cross(a: &Point, b: &Point) -> BigInt {
    &a[0] * &b[1] - &a[1] * &b[0]
}

fn dot(a: &Point, b: &Point) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1]
}

/// Returns the side of a line on which a point lies: `Plus` for the left.
fn side(from: &Point, to: &Point, point: &Point) -> Sign {
    cross(&minus(to, from), &minus(point, from)).sign()
}

/// Returns `true` if the distance of two segments is at most `reach`.
fn segments_touch([a, b]: &[Point; 2], [c, d]: &[Point; 2], reach: &BigInt) -> bool {
    let within = |point: &Point, from: &Point, to: &Point| {
        let (edge, offset, beyond) = (minus(to, from), minus(point, from), minus(point, to));
        let (along, length_squared) = (dot(&offset, &edge), dot(&edge, &edge));
        let reach_squared = reach * reach;
        if along.sign() != Sign::Plus {
            dot(&offset, &offset) <= reach_squared
        } else if along >= length_squared {
            dot(&beyond, &beyond) <= reach_squared
        } else {
            cross(&edge, &offset).pow(2) <= reach_squared * length_squared
        }
    };
    let separates = |from, to, p, q| {
        let (first, second) = (side(from, to, p), side(from, to, q));
        first != second && first != Sign::NoSign && second != Sign::NoSign
    };
    within(a, c, d)
        || within(b, c, d)
        || within(c, a, b)
        || within(d, a, b)
        || (separates(a, b, c, d) && separates(c, d, a, b))
}

/// Returns `true` if a point lies strictly inside a triangle of three of the points.
fn is_inside(points: &[Point], point: &Point) -> bool {
    (0..points.len()).any(|i| {
        (0..i).any(|j| {
            (0..j).any(|k| {
                let [a, b, c] = [&points[i], &points[j], &points[k]];
                let sides = [side(a, b, point), side(b, c, point), side(c, a, point)];
                sides == [Sign::Plus; 3] || sides == [Sign::Minus; 3]
            })
        })
    })
}
