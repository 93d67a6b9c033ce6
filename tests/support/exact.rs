//! Touching decided in whole numbers, without any rounding, for polygons that are swollen by round discs: of that kind
//! are circles, segments, capsules, rectangles and polygons. An `f32` is a whole multiple of the smallest one.

use hitgraph::Shape;
use num_bigint::{BigInt, Sign};

type Point = [BigInt; 2];

/// The corners of a polygon and the radius that it is swollen by, all in multiples of the same unit.
#[derive(Debug, Clone)]
pub struct Exact {
    pub corners: Vec<Point>,
    pub radius: BigInt,
}

/// A finite number as a multiple of the smallest `f32`.
fn whole(value: f32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    assert!(exponent < 255, "{value} is no number");
    let magnitude =
        if exponent == 0 { BigInt::from(fraction) } else { BigInt::from(fraction | 0x80_0000) << (exponent - 1) };
    if value < 0.0 { -magnitude } else { magnitude }
}

fn pair([x, y]: [f32; 2]) -> Point {
    [whole(x), whole(y)]
}

impl Exact {
    /// A shape in world space, given a second time with its centre in the origin, where its points are the offsets that
    /// it keeps, bit by bit. `None` for a disc that is squashed.
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
        Some(Self { corners, radius: whole(radius) })
    }

    /// Whether the two share a point.
    pub fn touches(&self, other: &Self) -> bool {
        let reach = &self.radius + &other.radius;
        let (a, b) = (&self.corners, &other.corners);
        // Between any two corners there is a side or a diagonal: all of them together touch what the hull's border
        // touches.
        let lines = |points: &[Point]| {
            let ends = (0..points.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
            ends.map(|(i, j)| [points[i].clone(), points[j].clone()]).collect::<Vec<_>>()
        };
        let others = lines(b);
        let near = lines(a).iter().any(|a| others.iter().any(|b| lines_touch(a, b, &reach)));
        near || holds(a, &b[0]) || holds(b, &a[0])
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

/// On which side of a line a point lies.
fn side(from: &Point, to: &Point, point: &Point) -> Sign {
    cross(&minus(to, from), &minus(point, from)).sign()
}

fn lines_touch([a, b]: &[Point; 2], [c, d]: &[Point; 2], reach: &BigInt) -> bool {
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
    let parts = |from, to, p, q| {
        let (first, second) = (side(from, to, p), side(from, to, q));
        first != second && first != Sign::NoSign && second != Sign::NoSign
    };
    within(a, c, d) || within(b, c, d) || within(c, a, b) || within(d, a, b) || (parts(a, b, c, d) && parts(c, d, a, b))
}

/// Whether a point lies inside a triangle of the points.
fn holds(points: &[Point], point: &Point) -> bool {
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
