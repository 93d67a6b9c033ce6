//! The closed forms in which `f32` alone decides whether two shapes touch. They may leave a near tie to the authority, but
//! nothing that is clear, and what they say is held against the oracle.

mod support;

use std::fmt;

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{Capsule, Circle, Ellipse, Meets, Polygon, Rect, Rounded, Segment, Shape};
use support::dice::Dice;
use support::oracle::{Gap, Swollen, gap, touches_exactly};

/// What the closed form of a pair says.
fn screen(a: &Shape, b: &Shape) -> Option<bool> {
    match a {
        Shape::Circle(a) => screen_of(a, b),
        Shape::Segment(a) => screen_of(a, b),
        Shape::Capsule(a) => screen_of(a, b),
        Shape::Rect(a) => screen_of(a, b),
        Shape::Polygon(a) => screen_of(&**a, b),
        Shape::Ellipse(a) => screen_of(a, b),
        Shape::Rounded(a) => screen_of(&**a, b),
    }
}

fn screen_of<A>(a: &A, b: &Shape) -> Option<bool>
where
    A: Meets<Circle> + Meets<Segment> + Meets<Capsule> + Meets<Rect> + Meets<Polygon> + Meets<Ellipse> + Meets<Rounded>,
{
    match b {
        Shape::Circle(b) => a.screen(b),
        Shape::Segment(b) => a.screen(b),
        Shape::Capsule(b) => a.screen(b),
        Shape::Rect(b) => a.screen(b),
        Shape::Polygon(b) => a.screen(&**b),
        Shape::Ellipse(b) => a.screen(b),
        Shape::Rounded(b) => a.screen(&**b),
    }
}

/// From so many units on a case is clear. Eight times the tolerance of a screen, on the sum of the coordinates that go into
/// it, is at most this much of a case's scale.
const CLEAR: f64 = 8.0 * 8.0 * 3.0 * std::f64::consts::SQRT_2;

type Make = fn(&mut Dice, Sizes) -> Shape;

/// The kinds whose pairs all have a screen.
const KINDS: [Make; 5] = [circle, segment, capsule, rect, polygon];

#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// Of about one size.
    Alike,
    /// Of one shape, from 1e-4 to 1e4.
    Any,
    /// Of about one size, and all sides along the axes, give or take a turn of a last bit.
    Aligned,
    /// Of about one size in units from 1e-36 to 1e18, whose squares leave the range of `f32`.
    Dust,
}

impl Sizes {
    /// What the unit is: some power of two.
    fn unit(self, dice: &mut Dice) -> f32 {
        2_f32.powi(match self {
            Self::Alike | Self::Aligned => dice.around(24),
            Self::Any => dice.around(8),
            Self::Dust => dice.around(90) - 30,
        })
    }

    fn length(self, dice: &mut Dice) -> f32 {
        match self {
            Self::Alike | Self::Aligned | Self::Dust if dice.once_in(2) => (1 + dice.below(16)) as f32 * 0.25,
            Self::Alike | Self::Aligned | Self::Dust => dice.within(0.1..4.0),
            Self::Any => 10_f32.powf(dice.within(-4.0..4.0)),
        }
    }

    /// A turn and a stretch.
    fn matrix(self, dice: &mut Dice) -> Mat2 {
        if let Self::Aligned = self {
            return Mat2::from_angle(dice.around(2) as f32 * 1e-7);
        }
        let angle = dice.within(-4.0..4.0);
        let (x, y) = (Vec2::from_angle(angle), Vec2::from_angle(angle + dice.within(0.5..2.5)));
        Mat2::from_cols(x, y * dice.within(0.2..2.0))
    }

    fn point(self, dice: &mut Dice) -> Vec2 {
        match self {
            Self::Alike | Self::Aligned | Self::Dust if dice.once_in(2) => {
                vec2(dice.around(16) as f32, dice.around(16) as f32) * 0.25
            }
            Self::Alike | Self::Aligned | Self::Dust => vec2(dice.within(-4.0..4.0), dice.within(-4.0..4.0)),
            Self::Any => Vec2::from_angle(dice.within(-4.0..4.0)) * self.length(dice),
        }
    }
}

fn circle(dice: &mut Dice, sizes: Sizes) -> Shape {
    Circle::new(if dice.once_in(4) { 0.0 } else { sizes.length(dice) }).into()
}

/// Two ends, not in one place.
fn ends(dice: &mut Dice, sizes: Sizes) -> [Vec2; 2] {
    let (start, along) = (sizes.point(dice), vec2(sizes.length(dice), sizes.length(dice)));
    let along = match sizes {
        Sizes::Aligned => along * dice.one_of(&[Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]),
        _ => along,
    };
    let matrix = sizes.matrix(dice);
    [start, start + along].map(|end| matrix * end)
}

fn segment(dice: &mut Dice, sizes: Sizes) -> Shape {
    let [start, end] = ends(dice, sizes);
    Segment::new(start, end).into()
}

fn capsule(dice: &mut Dice, sizes: Sizes) -> Shape {
    let [start, end] = ends(dice, sizes);
    Capsule::new(start, end, sizes.length(dice)).into()
}

/// No flatter than 1 : 100,000.
fn rect(dice: &mut Dice, sizes: Sizes) -> Shape {
    let length = sizes.length(dice);
    let width = match sizes {
        Sizes::Any => length * 10_f32.powf(dice.within(-4.0..0.0)),
        _ => sizes.length(dice),
    };
    let rect = Rect::new(length, width);
    match dice.below(3) {
        0 => rect.transformed(&Affine2::from_mat2(sizes.matrix(dice))),
        1 if !matches!(sizes, Sizes::Aligned) => rect.rotated(dice.within(-4.0..4.0)).into(),
        _ => rect.into(),
    }
}

fn polygon(dice: &mut Dice, sizes: Sizes) -> Shape {
    loop {
        let points: Vec<Vec2> = (0..3 + dice.below(14)).map(|_| sizes.point(dice)).collect();
        let matrix = sizes.matrix(dice);
        let shape = Polygon::convex_hull(&points).unwrap().transformed(&Affine2::from_mat2(matrix));
        if matches!(&shape, Shape::Polygon(polygon) if polygon.points().len() > 2) {
            return shape;
        }
    }
}

/// Two shapes at their places.
struct Case {
    shapes: [Shape; 2],
    swollen: [Swollen; 2],
    gap: Gap,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.gap.least / self.gap.unit();
        write!(f, "{:?}\n  {:?}\n  {:?}\n  {units} units", self.shapes[0], self.shapes[1], self.gap)
    }
}

impl Case {
    fn at(shapes: &[Shape; 2], places: [Vec2; 2]) -> Self {
        let put = |index: usize| shapes[index].transformed(&Affine2::from_translation(places[index]));
        let shapes = [put(0), put(1)];
        let swollen = [0, 1].map(|index| Swollen::of(&shapes[index], places[index]));
        let gap = gap(&swollen[0], &swollen[1]);
        Self { shapes, swollen, gap }
    }

    fn new(dice: &mut Dice, [a, b]: [Make; 2], sizes: Sizes) -> Self {
        let unit = sizes.unit(dice);
        // Sometimes one is dust beside the other.
        let units = dice.one_of(&[[unit, unit], [unit, unit], [unit, unit / 1024.0], [unit / 1024.0, unit]]);
        let scaled = |shape: &Shape, unit| shape.transformed(&Affine2::from_scale(Vec2::splat(unit)));
        let shapes = [scaled(&a(dice, sizes), units[0]), scaled(&b(dice, sizes), units[1])];
        Self::brought(dice, &shapes, unit)
    }

    /// As they fall, concentric, or brought to touching and then apart by a part of their scale.
    fn brought(dice: &mut Dice, shapes: &[Shape; 2], unit: f32) -> Self {
        let extent: f64 = shapes.iter().map(|shape| Swollen::of(shape, Vec2::ZERO).extent()).sum();
        let base =
            if dice.once_in(4) { vec2(dice.within(-1e3..1e3), dice.within(-1e3..1e3)) * unit } else { Vec2::ZERO };
        // Straight along an axis a sum of coordinates is no more than a distance.
        let toward = vec2(dice.within(-1.0..1.0), if dice.once_in(3) { 0.0 } else { dice.within(-1.0..1.0) });
        let place = base + toward * extent as f32;
        let part = f64::from(10_f32.powf(dice.within(-8.0..-1.0)));
        let part = match dice.below(12) {
            0 => return Self::at(shapes, [base, base]),
            1 | 2 => return Self::at(shapes, [base, place]),
            3..=5 => 0.0,
            6..=8 => part,
            _ => -part,
        };
        let Gap { normal, scale, least, .. } = Self::at(shapes, [base, place]).gap;
        let place = (place.as_dvec2() + normal * (part * scale - least)).as_vec2();
        Self::at(shapes, [base, place])
    }

    fn touches(&self) -> bool {
        let [a, b] = &self.swollen;
        self.gap.overlaps(1e-14 * self.gap.scale).or_else(|| touches_exactly(a, b)).unwrap()
    }

    /// Whether they are segments along nearly one line, which only their ends part.
    fn is_one_line(&self) -> bool {
        let axes = self.shapes.each_ref().map(|shape| match shape {
            Shape::Segment(segment) => Some((segment.ends()[1] - segment.ends()[0]).normalize()),
            _ => None,
        });
        matches!(axes, [Some(a), Some(b)] if a.perp_dot(b).abs() < 0.1)
    }

    /// What the screen says, asked in both orders.
    fn said(&self) -> [Option<bool>; 2] {
        let [a, b] = &self.shapes;
        [screen(a, b), screen(b, a)]
    }
}

/// Examines cases of all kinds against all.
fn each_case(count: u64, sizes: Sizes, examine: impl Fn(&Case)) {
    let pairs = (0..KINDS.len()).flat_map(|a| (0..=a).map(move |b| [KINDS[a], KINDS[b]]));
    for (pair, number) in pairs.flat_map(|pair| (0..count).map(move |number| (pair, number))) {
        examine(&Case::new(&mut Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)), pair, sizes));
    }
}

/// What a screen says is so.
fn says_nothing_else(case: &Case) {
    for said in case.said().into_iter().flatten() {
        assert_eq!(said, case.touches(), "{case:?}");
    }
}

/// A clear case gets an answer, whichever is asked.
fn says_what_is_clear(case: &Case) {
    let is_clear = case.gap.least > CLEAR * case.gap.unit() || case.gap.most < -CLEAR * case.gap.unit();
    if is_clear && !case.is_one_line() {
        assert!(case.said().iter().all(Option::is_some), "{case:?}");
    }
}

#[test]
fn shapes_of_one_size_are_screened_rightly_and_the_clear_ones_all() {
    each_case(3000, Sizes::Alike, |case| {
        says_nothing_else(case);
        says_what_is_clear(case);
    });
}

#[test]
fn shapes_thin_and_wide_are_screened_rightly_and_the_clear_ones_all() {
    each_case(3000, Sizes::Any, |case| {
        says_nothing_else(case);
        says_what_is_clear(case);
    });
}

#[test]
fn shapes_along_one_another_are_screened_rightly_and_the_clear_ones_all() {
    each_case(3000, Sizes::Aligned, |case| {
        says_nothing_else(case);
        says_what_is_clear(case);
    });
}

#[test]
fn nothing_wrong_is_said_where_squares_leave_the_range() {
    each_case(1000, Sizes::Dust, says_nothing_else);
}

#[test]
fn nothing_wrong_is_said_of_what_has_no_area() {
    let flat = |dice: &mut Dice| {
        let sizes = if dice.once_in(2) { Sizes::Alike } else { Sizes::Aligned };
        let [start, end] = ends(dice, sizes);
        match dice.below(7) {
            0 => Shape::from(Polygon::convex(&[start, end]).unwrap()),
            1 => Polygon::convex(&[start]).unwrap().into(),
            2 => Segment::new(start, end).into(),
            3 => Segment::new(start, start).into(),
            4 => Circle::point(Vec2::ZERO).into(),
            5 => Rect::new(start.x.abs(), 0.0).transformed(&Affine2::from_mat2(sizes.matrix(dice))),
            _ => Capsule::new(start, dice.one_of(&[start, end]), sizes.length(dice)).into(),
        }
    };
    for number in 0..30_000 {
        let dice = &mut Dice(number);
        let shapes = [flat(dice), flat(dice)];
        says_nothing_else(&Case::brought(dice, &shapes, 1.0));
    }
    let level = Shape::from(Polygon::convex(&[Vec2::NEG_X, Vec2::X]).unwrap());
    let upright = Shape::from(Segment::new(Vec2::NEG_Y, Vec2::Y));
    assert_eq!(screen(&level, &upright), Some(true), "they cross");
}

#[test]
fn a_circle_beyond_the_long_radius_of_an_ellipse_or_within_the_short_one_is_screened() {
    // The screen takes the root of both radii's squares for the long one, and for the short one their product over that.
    for number in 0..20_000 {
        let dice = &mut Dice(number);
        let sizes = if dice.once_in(2) { Sizes::Alike } else { Sizes::Dust };
        let unit = sizes.unit(dice);
        let radius = Sizes::Any.length(dice) * unit;
        let (long, flat) = (Sizes::Alike.length(dice) * unit, 10_f32.powf(dice.within(-6.0..-0.1)));
        let upright = Shape::from(Ellipse::new(long, long * flat));
        let angle = if dice.once_in(3) { 0.0 } else { dice.within(-4.0..4.0) };
        let ellipse = upright.transformed(&Affine2::from_angle(angle));
        let outer = f64::from(long).hypot(f64::from(long * flat));
        let inner = f64::from(long) * f64::from(long * flat) / outer;
        let part = f64::from(10_f32.powf(dice.within(-8.0..-1.0))) * f64::from(dice.around(1));
        // A needle's end is at the one, its side at the other.
        let (reach, side) = if dice.once_in(2) { (outer, 0.0) } else { (inner, std::f32::consts::FRAC_PI_2) };
        let offset = (reach + f64::from(radius)) * (1.0 + part);
        let place = (Vec2::from_angle(angle + side).as_dvec2() * offset).as_vec2();
        let base = if dice.once_in(4) { place * 0.5 } else { Vec2::ZERO };
        let case = Case::at(&[ellipse, Circle::new(radius).into()], [base, base + place]);
        let offset = (base + place).as_dvec2().distance(base.as_dvec2()) - f64::from(radius);
        let clear = CLEAR * case.gap.unit();
        for said in case.said() {
            match said {
                Some(said) => assert!(case.gap.overlaps(0.0).is_none_or(|touches| touches == said), "{case:?}"),
                None if matches!(sizes, Sizes::Dust) => {}
                None => assert!(offset < outer + clear && offset > inner - clear, "{case:?}"),
            }
        }
    }
}
