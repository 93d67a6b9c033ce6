//! The fast overlap: closed forms in `f32` that may abstain (`None`) on a near tie. These tests compare every answer
//! with the oracle, and require an answer in every clear case.

use std::fmt;

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{Capsule, Circle, Ellipse, Meets, Polygon, Rect, Rounded, Segment, Shape};
use support::ShapeKind;
use support::dice::Dice;
use support::oracle::{Gap, OracleHull, gap, touches_exactly};

/// Returns the answer of the fast overlap for a pair.
fn fast_overlap(a: &Shape, b: &Shape) -> Option<bool> {
    match a {
        Shape::Circle(a) => fast_overlap_of(a, b),
        Shape::Segment(a) => fast_overlap_of(a, b),
        Shape::Capsule(a) => fast_overlap_of(a, b),
        Shape::Rect(a) => fast_overlap_of(a, b),
        Shape::Polygon(a) => fast_overlap_of(&**a, b),
        Shape::Ellipse(a) => fast_overlap_of(a, b),
        Shape::Rounded(a) => fast_overlap_of(&**a, b),
        other => unreachable!("a new shape: {other:?}"),
    }
}

/// Returns the answers of the fast overlap for four pairs at a time: a pair, and the same with another second shape in
/// turn. `None` if the pair of types has no such form.
fn four_overlaps(a: &Shape, b: &Shape, far: &Shape) -> Option<[Option<bool>; 4]> {
    fn answers<A: Meets<B>, B: Meets<Circle>>(a: &A, b: &B, far: &B) -> Option<[Option<bool>; 4]> {
        let test = A::FOUR_OVERLAPS?;
        let (even, odd) = (test([a; 4], [b, far, b, far]), test([a; 4], [far, b, far, b]));
        assert!([even.answer(1), even.answer(3), odd.answer(0), odd.answer(2)].iter().all(|far| *far != Some(true)));
        Some([even.answer(0), odd.answer(1), even.answer(2), odd.answer(3)])
    }
    match (a, b, far) {
        (Shape::Circle(a), Shape::Circle(b), Shape::Circle(far)) => answers(a, b, far),
        (Shape::Segment(a), Shape::Circle(b), Shape::Circle(far)) => answers(a, b, far),
        (Shape::Segment(a), Shape::Segment(b), Shape::Segment(far)) => answers(a, b, far),
        (Shape::Capsule(a), Shape::Circle(b), Shape::Circle(far)) => answers(a, b, far),
        (Shape::Capsule(a), Shape::Segment(b), Shape::Segment(far)) => answers(a, b, far),
        (Shape::Capsule(a), Shape::Capsule(b), Shape::Capsule(far)) => answers(a, b, far),
        (Shape::Rect(a), Shape::Circle(b), Shape::Circle(far)) => answers(a, b, far),
        (Shape::Rect(a), Shape::Segment(b), Shape::Segment(far)) => answers(a, b, far),
        (Shape::Rect(a), Shape::Capsule(b), Shape::Capsule(far)) => answers(a, b, far),
        (Shape::Rect(a), Shape::Rect(b), Shape::Rect(far)) => answers(a, b, far),
        _ => None,
    }
}

fn fast_overlap_of<A>(a: &A, b: &Shape) -> Option<bool>
where
    A: Meets<Circle> + Meets<Segment> + Meets<Capsule> + Meets<Rect> + Meets<Polygon> + Meets<Ellipse> + Meets<Rounded>,
{
    match b {
        Shape::Circle(b) => a.fast_overlap(b),
        Shape::Segment(b) => a.fast_overlap(b),
        Shape::Capsule(b) => a.fast_overlap(b),
        Shape::Rect(b) => a.fast_overlap(b),
        Shape::Polygon(b) => a.fast_overlap(&**b),
        Shape::Ellipse(b) => a.fast_overlap(b),
        Shape::Rounded(b) => a.fast_overlap(&**b),
        other => unreachable!("a new shape: {other:?}"),
    }
}

/// A case is clear if its gap exceeds this many units. The fast overlap's tolerance refers to the sum of its
/// coordinates; eight times that tolerance is at most this multiple of `f32::EPSILON` times the scale.
const CLEAR: f64 = 8.0 * 8.0 * 3.0 * std::f64::consts::SQRT_2;

type Constructor = fn(&mut Dice, Sizes) -> Shape;

/// Returns the constructor of a kind if every pair of such kinds has a fast overlap.
fn constructor(kind: ShapeKind) -> Option<Constructor> {
    match kind {
        ShapeKind::Circle => Some(circle),
        ShapeKind::Segment => Some(segment),
        ShapeKind::Capsule => Some(capsule),
        ShapeKind::Rect => Some(rect),
        ShapeKind::Polygon => Some(polygon),
        // The constructor of circles also returns points.
        ShapeKind::Point => None,
        ShapeKind::Ellipse | ShapeKind::Rounded | ShapeKind::User => None,
        ShapeKind::Polyline | ShapeKind::Compound | ShapeKind::Tiles => None,
    }
}

#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// Lengths from 0.1 to 4.
    Similar,
    /// Lengths from 1e-4 to 1e4, mixed within one shape.
    Any,
    /// Lengths from 0.1 to 4, with all sides parallel to the axes up to a rotation by 2e-7.
    Aligned,
    /// Lengths from 0.1 to 4 in units from 1e-33 to 1e33, whose squares leave the range of `f32`.
    Extreme,
}

impl Sizes {
    /// Returns a power of two by which the case is scaled.
    fn unit(self, dice: &mut Dice) -> f32 {
        2_f32.powi(match self {
            Self::Similar | Self::Aligned => dice.around(24),
            Self::Any => dice.around(8),
            Self::Extreme => dice.around(110),
        })
    }

    fn length(self, dice: &mut Dice) -> f32 {
        match self {
            Self::Similar | Self::Aligned | Self::Extreme if dice.once_in(2) => (1 + dice.below(16)) as f32 * 0.25,
            Self::Similar | Self::Aligned | Self::Extreme => dice.within(0.1..4.0),
            Self::Any => 10_f32.powf(dice.within(-4.0..4.0)),
        }
    }

    /// Returns a rotation with a skew and a non-uniform scale; for `Aligned`, a rotation by at most 2e-7.
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
            Self::Similar | Self::Aligned | Self::Extreme if dice.once_in(2) => dice.quarters(16),
            Self::Similar | Self::Aligned | Self::Extreme => dice.vector(-4.0..4.0),
            Self::Any => Vec2::from_angle(dice.within(-4.0..4.0)) * self.length(dice),
        }
    }
}

fn circle(dice: &mut Dice, sizes: Sizes) -> Shape {
    Circle::new(if dice.once_in(4) { 0.0 } else { sizes.length(dice) }).into()
}

/// Returns two different points.
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

/// Returns a rectangle whose sides have a ratio of at most 100,000 : 1.
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

/// Two shapes in world space and the oracle's gap between them.
struct Case {
    shapes: [Shape; 2],
    hulls: [OracleHull; 2],
    gap: Gap,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.gap.least / self.gap.unit();
        write!(f, "{:?}\n  {:?}\n  {:?}\n  {units} units", self.shapes[0], self.shapes[1], self.gap)
    }
}

impl Case {
    fn at(shapes: &[Shape; 2], positions: [Vec2; 2]) -> Self {
        let translated = |index: usize| shapes[index].transformed(&Affine2::from_translation(positions[index]));
        let shapes = [translated(0), translated(1)];
        let hulls = [0, 1].map(|index| OracleHull::of(&shapes[index], positions[index]));
        let gap = gap(&hulls[0], &hulls[1]);
        Self { shapes, hulls, gap }
    }

    fn new(dice: &mut Dice, [a, b]: [Constructor; 2], sizes: Sizes) -> Self {
        let unit = sizes.unit(dice);
        // In some cases one shape is 1024 times smaller than the other.
        let units = dice.one_of(&[[unit, unit], [unit, unit], [unit, unit / 1024.0], [unit / 1024.0, unit]]);
        let scaled = |shape: &Shape, unit| shape.transformed(&Affine2::from_scale(Vec2::splat(unit)));
        let shapes = [scaled(&a(dice, sizes), units[0]), scaled(&b(dice, sizes), units[1])];
        Self::placed(dice, &shapes, unit)
    }

    /// Places two shapes at random, concentrically, or so that they touch, up to an offset relative to their scale.
    fn placed(dice: &mut Dice, shapes: &[Shape; 2], unit: f32) -> Self {
        let extent: f64 = shapes.iter().map(|shape| OracleHull::of(shape, Vec2::ZERO).extent()).sum();
        let base = if dice.once_in(4) { dice.vector(-1e3..1e3) * unit } else { Vec2::ZERO };
        // Along an axis, the sum of the coordinates equals the distance, so the tolerance is at its least.
        let toward = vec2(dice.within(-1.0..1.0), if dice.once_in(3) { 0.0 } else { dice.within(-1.0..1.0) });
        let position = base + toward * extent as f32;
        let part = f64::from(10_f32.powf(dice.within(-8.0..-1.0)));
        let part = match dice.below(12) {
            0 => return Self::at(shapes, [base, base]),
            1 | 2 => return Self::at(shapes, [base, position]),
            3..=5 => 0.0,
            6..=8 => part,
            _ => -part,
        };
        let Gap { normal, scale, least, .. } = Self::at(shapes, [base, position]).gap;
        let position = (position.as_dvec2() + normal * (part * scale - least)).as_vec2();
        Self::at(shapes, [base, position])
    }

    fn touches(&self) -> bool {
        let [a, b] = &self.hulls;
        self.gap.overlaps(1e-14 * self.gap.scale).or_else(|| touches_exactly(a, b)).unwrap()
    }

    /// Returns `true` for two nearly parallel segments. If they are collinear, only their ends separate them, and the
    /// fast overlap may abstain.
    fn is_nearly_collinear(&self) -> bool {
        let axes = self.shapes.each_ref().map(|shape| match shape {
            Shape::Segment(segment) => Some((segment.ends()[1] - segment.ends()[0]).normalize()),
            _ => None,
        });
        matches!(axes, [Some(a), Some(b)] if a.perp_dot(b).abs() < 0.1)
    }

    /// Returns the answers of the fast overlap for both orders of the shapes.
    fn answers(&self) -> [Option<bool>; 2] {
        let [a, b] = &self.shapes;
        [fast_overlap(a, b), fast_overlap(b, a)]
    }

    /// Returns the answers of the fast overlap for four pairs at a time, from all lanes.
    fn four_answers(&self) -> [Option<bool>; 4] {
        let [a, b] = &self.shapes;
        let extent = (a.bounds().size() + b.bounds().size()).max_element();
        let far = b.transformed(&Affine2::from_translation(Vec2::splat(8.0 * extent)));
        four_overlaps(a, b, &far).unwrap_or_default()
    }
}

/// Passes `count` cases of every pair of kinds to `examine`.
fn each_case(count: u64, sizes: Sizes, examine: impl Fn(&Case)) {
    let kinds: Vec<Constructor> = ShapeKind::ALL.iter().filter_map(|kind| constructor(*kind)).collect();
    let pairs = kinds.iter().enumerate().flat_map(|(index, a)| kinds[..=index].iter().map(|b| [*a, *b]));
    for (pair, number) in pairs.flat_map(|pair| (0..count).map(move |number| (pair, number))) {
        examine(&Case::new(&mut Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)), pair, sizes));
    }
}

/// Asserts that every answer of the fast overlap equals the oracle's.
fn assert_answers_match_oracle(case: &Case) {
    for answer in case.answers().into_iter().chain(case.four_answers()).flatten() {
        assert_eq!(answer, case.touches(), "{case:?}");
    }
}

/// Asserts that the fast overlap answers a clear case in both orders.
fn assert_clear_case_is_answered(case: &Case) {
    let is_clear = case.gap.least > CLEAR * case.gap.unit() || case.gap.most < -CLEAR * case.gap.unit();
    if is_clear && !case.is_nearly_collinear() {
        assert!(case.answers().iter().all(Option::is_some), "{case:?}");
        let [a, b] = &case.shapes;
        // Four rectangles and capsules stay undecided where a corner is nearest; four parallelograms, by their angle.
        if matches!((a, b), (Shape::Circle(_) | Shape::Segment(_) | Shape::Capsule(_), Shape::Circle(_))) {
            assert!(case.four_answers().iter().all(Option::is_some), "{case:?}");
        }
    }
}

#[test]
fn fast_overlap_is_correct_and_answers_clear_cases_of_similar_size() {
    each_case(3000, Sizes::Similar, |case| {
        assert_answers_match_oracle(case);
        assert_clear_case_is_answered(case);
    });
}

#[test]
fn fast_overlap_is_correct_and_answers_clear_cases_of_any_size() {
    each_case(3000, Sizes::Any, |case| {
        assert_answers_match_oracle(case);
        assert_clear_case_is_answered(case);
    });
}

#[test]
fn fast_overlap_is_correct_and_answers_clear_cases_of_aligned_shapes() {
    each_case(3000, Sizes::Aligned, |case| {
        assert_answers_match_oracle(case);
        assert_clear_case_is_answered(case);
    });
}

#[test]
fn fast_and_exact_overlap_are_correct_when_squares_leave_the_f32_range() {
    each_case(1000, Sizes::Extreme, |case| {
        assert_answers_match_oracle(case);
        let [a, b] = &case.shapes;
        let expected = case.gap.overlaps(4.0 * case.gap.unit());
        assert!(expected.is_none_or(|touches| a.overlaps(b) == touches), "{case:?}");
    });
}

#[test]
fn fast_overlap_is_correct_for_shapes_without_area() {
    let flat = |dice: &mut Dice| {
        let sizes = if dice.once_in(2) { Sizes::Similar } else { Sizes::Aligned };
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
        assert_answers_match_oracle(&Case::placed(dice, &shapes, 1.0));
    }
    let level = Shape::from(Polygon::convex(&[Vec2::NEG_X, Vec2::X]).unwrap());
    let upright = Shape::from(Segment::new(Vec2::NEG_Y, Vec2::Y));
    assert_eq!(fast_overlap(&level, &upright), Some(true), "the segments cross");
}

#[test]
fn fast_overlap_answers_for_circles_beyond_the_outer_or_within_the_inner_radius_of_an_ellipse() {
    // The fast overlap bounds the ellipse with radii `a >= b` from outside by a circle of radius `hypot(a, b)` and from
    // inside by a circle of radius `a * b / hypot(a, b)`.
    for number in 0..20_000 {
        let dice = &mut Dice(number);
        let sizes = if dice.once_in(2) { Sizes::Similar } else { Sizes::Extreme };
        let unit = sizes.unit(dice);
        let radius = Sizes::Any.length(dice) * unit;
        let (long, flat) = (Sizes::Similar.length(dice) * unit, 10_f32.powf(dice.within(-6.0..-0.1)));
        let upright = Shape::from(Ellipse::new(long, long * flat));
        let angle = if dice.once_in(3) { 0.0 } else { dice.within(-4.0..4.0) };
        let ellipse = upright.transformed(&Affine2::from_angle(angle));
        let outer = f64::from(long).hypot(f64::from(long * flat));
        let inner = f64::from(long) * f64::from(long * flat) / outer;
        let part = f64::from(10_f32.powf(dice.within(-8.0..-1.0))) * f64::from(dice.around(1));
        // The circle is near the outer radius, beside the ellipse's tip, or near the inner radius, beside its side.
        let (reach, side) = if dice.once_in(2) { (outer, 0.0) } else { (inner, std::f32::consts::FRAC_PI_2) };
        let offset = (reach + f64::from(radius)) * (1.0 + part);
        let position = (Vec2::from_angle(angle + side).as_dvec2() * offset).as_vec2();
        let base = if dice.once_in(4) { position * 0.5 } else { Vec2::ZERO };
        let case = Case::at(&[ellipse, Circle::new(radius).into()], [base, base + position]);
        let offset = (base + position).as_dvec2().distance(base.as_dvec2()) - f64::from(radius);
        let clear = CLEAR * case.gap.unit();
        for answer in case.answers() {
            match answer {
                Some(answer) => assert!(case.gap.overlaps(0.0).is_none_or(|touches| touches == answer), "{case:?}"),
                None if matches!(sizes, Sizes::Extreme) => {}
                None => assert!(offset < outer + clear && offset > inner - clear, "{case:?}"),
            }
        }
    }
}
