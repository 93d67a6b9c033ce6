//! Each way to an answer by itself, against the definition: what pairs in the world do not show, since each of them is
//! answered by the first way that can.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use glam::{Affine2, DMat2, DVec2, Mat2, Vec2, dvec2, vec2};

use super::convex::{self, nearest};
use super::family::{Disc, Hull, Mapped, Points, with_points};
use super::features::{Missing, closest};
use super::manifold;
use super::separation::{Frame, Separation, cores, separation};
use super::{Capsule, Circle, Contact, Polygon, Rect, Rounded, Segment, Shape};
use crate::math::tolerance::TOUCHING;

/// Rounding in `f64`, of numbers of about ten.
const ROUNDING: f64 = 1e-13;

/// What `f32` cannot tell from nothing, of such numbers.
const DOUBT: f64 = 3e-5;

/// The most that `b` lies beyond `a` along any unit vector. That is along a normal of a side or from a corner to
/// another.
fn gap(a: &[DVec2], b: &[DVec2]) -> f64 {
    let between = a.iter().flat_map(|from| b.iter().map(|to| *to - *from)).filter_map(DVec2::try_normalize);
    between.map(|along| beyond(a, b, along)).chain(gap_of_sides(a, b)).reduce(f64::max).unwrap_or(0.0)
}

/// The most along a normal of a side; of points there is none.
fn gap_of_sides(a: &[DVec2], b: &[DVec2]) -> Option<f64> {
    let normals = [a, b].into_iter().flat_map(normals).flat_map(|normal| [normal, -normal]);
    normals.map(|along| beyond(a, b, along)).reduce(f64::max)
}

fn normals(outline: &[DVec2]) -> impl Iterator<Item = DVec2> {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    ends.filter_map(|(from, to)| (*from - *to).perp().try_normalize())
}

/// How far `b` lies beyond `a` along a unit vector.
fn beyond(a: &[DVec2], b: &[DVec2], along: DVec2) -> f64 {
    let most = a.iter().map(|point| point.dot(along)).fold(f64::NEG_INFINITY, f64::max);
    b.iter().map(|point| point.dot(along)).fold(f64::INFINITY, f64::min) - most
}

/// Two shapes with round discs, seen from the first one's centre.
struct Case<'a> {
    a: Hull<'a>,
    b: Hull<'a>,
    frame: Frame,
    cores: [Vec<DVec2>; 2],
    radii: [f64; 2],
}

impl<'a> Case<'a> {
    fn new(a: &'a Shape, b: &'a Shape) -> Self {
        let (a, b) = (a.hull(), b.hull());
        let frame = Frame::new(&a, &b, DVec2::ZERO);
        let cores = [a.core.points().to_vec(), b.core.points().iter().map(|point| *point + frame.offset).collect()];
        let radii = [a, b].map(|hull| match hull.disc {
            Disc::Round(radius) => radius,
            other => unreachable!("{other:?}"),
        });
        Self { a, b, frame, cores, radii }
    }

    /// The gap of the cores.
    fn gap(&self) -> f64 {
        gap(&self.cores[0], &self.cores[1])
    }

    fn separating_axes(&self) -> Separation {
        with_points!(&self.a.core, a => with_points!(&self.b.core, b => cores(a, b, &self.frame)))
    }

    /// Whether the sides do not tell how the cores lie, as far as `f32` sees, or two corners of one side which is
    /// nearer.
    fn is_near_tie(&self) -> bool {
        let [a, b] = &self.cores;
        let apart = self.gap();
        let of_sides = gap_of_sides(a, b).unwrap_or(apart);
        of_sides.abs() <= DOUBT || (apart > of_sides + ROUNDING && self.has_parallel_sides())
    }

    fn has_parallel_sides(&self) -> bool {
        let [a, b] = &self.cores;
        normals(a).any(|side| normals(b).any(|other| side.perp_dot(other).abs() < ROUNDING))
    }

    /// The answer by support functions alone, and how many of the first shape's points that took.
    fn searched(&self) -> (Separation, usize) {
        let asked = Cell::new(0);
        let first = |along| {
            asked.set(asked.get() + 1);
            self.a.core.furthest(along)
        };
        (convex::separation(&first, &|along| self.b.core.furthest(along), &self.frame), asked.get())
    }

    /// That the answer for the cores, swollen by these radii, is the definition's but for `slack`.
    #[track_caller]
    fn proves(&self, found: &Separation, radii: [f64; 2], slack: f64) {
        let [a, b] = &self.cores;
        let (expected, apart) = (self.gap(), found.gap + radii[0] + radii[1]);
        assert!((found.normal.length() - 1.0).abs() <= ROUNDING, "{found:?}");
        assert!(apart <= expected + ROUNDING && apart >= expected - slack, "{expected}, not {found:?} of {self:?}");
        let along = beyond(a, b, found.normal);
        assert!((along - apart).abs() <= ROUNDING, "{along} along the normal of {found:?} of {self:?}");
        let (on_a, on_b) = (found.on_a - found.normal * radii[0], found.on_b + found.normal * radii[1]);
        let off = (on_b - on_a).distance(found.normal * apart);
        assert!(off <= ROUNDING, "{off} between the points of {found:?} of {self:?}");
        assert!(gap(a, &[on_a]) <= ROUNDING, "not on the first: {found:?} of {self:?}");
        assert!(gap(b, &[on_b]) <= ROUNDING, "not on the second: {found:?} of {self:?}");
    }
}

impl core::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} and {:?}", self.a, self.b)
    }
}

fn hull(points: &[[f32; 2]]) -> Polygon {
    let points: Vec<Vec2> = points.iter().map(|point| Vec2::from(*point)).collect();
    Polygon::convex_hull(&points).unwrap()
}

/// Shapes of every kind that has a round disc or none.
fn shapes() -> Vec<Shape> {
    let triangle = hull(&[[-1.0, -1.0], [2.0, -0.5], [0.0, 1.5]]);
    let skewed = Affine2::from_mat2(Mat2::from_cols(vec2(1.0, 0.25), vec2(0.75, -1.0)));
    vec![
        Circle::new(0.75).into(),
        Segment::new(vec2(-1.5, -1.0), vec2(1.5, 1.0)).into(),
        Capsule::new(vec2(-1.0, 0.5), vec2(1.5, 0.5), 0.25).into(),
        Rect::new(3.0, 2.0).into(),
        Rect::new(3.0, 1.0).rotated(0.5).into(),
        Rect::new(2.0, 1.5).transformed(&skewed),
        triangle.clone().into(),
        triangle.transformed(&Affine2::from_angle(2.0)),
        hull(&[[-1.0, -1.0], [1.0, -1.0], [1.5, 0.25], [0.25, 1.25], [-1.0, 1.0]]).into(),
        Rounded::new(triangle, 0.5).into(),
    ]
}

/// What has less area than its kind has.
fn flat_shapes() -> [Shape; 4] {
    [
        Segment::new(vec2(0.25, 0.5), vec2(0.25, 0.5)).into(),
        Rect::new(2.5, 0.0).rotated(-1.0).into(),
        hull(&[[-1.0, 0.75], [1.0, -0.75]]).into(),
        hull(&[[0.5, 0.5]]).into(),
    ]
}

/// All pairs of shapes, over and beside each other, by these steps.
fn each_case(shapes: &[Shape], step: f32, mut examine: impl FnMut(&Case<'_>)) {
    for x in -6..=6 {
        for y in -6..=6 {
            let by = Affine2::from_translation(vec2(x as f32, y as f32) * step);
            let moved: Vec<Shape> = shapes.iter().map(|shape| shape.transformed(&by)).collect();
            for (a, b) in shapes.iter().flat_map(|a| moved.iter().map(move |b| (a, b))) {
                examine(&Case::new(a, b));
            }
        }
    }
}

#[test]
fn the_authority_says_what_the_definition_says() {
    let shapes: Vec<Shape> = shapes().into_iter().chain(flat_shapes()).collect();
    each_case(&shapes, 0.75, |case| {
        case.proves(&case.separating_axes(), [0.0; 2], ROUNDING);
        let found = separation(&case.a, &case.b);
        case.proves(&found, case.radii, DOUBT);
        let flipped = found.flipped();
        assert_eq!((flipped.gap, flipped.normal), (found.gap, -found.normal));
        assert_eq!([flipped.on_a, flipped.on_b], [found.on_b, found.on_a]);
    });
}

#[test]
fn the_search_says_what_the_definition_says_and_soon() {
    let shapes: Vec<Shape> = shapes().into_iter().chain(flat_shapes()).collect();
    let mut asked = Vec::new();
    each_case(&shapes, 0.75, |case| {
        let (found, count) = case.searched();
        case.proves(&found, [0.0; 2], ROUNDING);
        asked.push(count);
    });
    assert_asked(&asked, 10, 80);
}

/// How many points a search has asked for: on average, and the most.
#[track_caller]
fn assert_asked(counts: &[usize], average: usize, most: usize) {
    let (sum, max) = (counts.iter().sum::<usize>(), counts.iter().max().unwrap());
    assert!(
        sum <= average * counts.len() && *max <= most,
        "{} on average, {max} at most",
        sum as f64 / counts.len() as f64
    );
}

#[test]
fn the_closest_features_prove_themselves_and_leave_only_near_ties() {
    each_case(&shapes(), 0.73, |case| {
        let expected = case.gap();
        for limit in [0.0, 0.75, f64::INFINITY] {
            match closest(&case.a.core, &case.b.core, &case.frame, limit) {
                Ok(features) => {
                    assert!(expected <= limit + ROUNDING);
                    let slack = if expected > 0.0 { ROUNDING } else { DOUBT };
                    case.proves(&features.separation(&case.frame), [0.0; 2], slack);
                }
                Err(Missing::Beyond) => assert!(expected > limit, "{expected} is not beyond {limit}: {case:?}"),
                Err(Missing::Unclear) => assert!(case.is_near_tie(), "{expected} is clear: {case:?}"),
            }
        }
    });
}

#[test]
fn a_contact_of_features_is_that_of_the_authority() {
    // So little turned sides still meet as faces, one end deeper than the other.
    let slope = Affine2::from_angle(5e-5);
    let shapes = [shapes(), shapes().iter().map(|shape| shape.transformed(&slope)).collect()].concat();
    let mut with_faces = 0;
    each_case(&shapes, 0.74, |case| {
        let Some(found) = manifold::clear(&case.a, &case.b) else { return };
        let expected = manifold::contact(&case.a, &case.b);
        assert_eq!(found.is_some(), expected.is_some(), "{case:?}");
        let (Some(found), Some(expected)) = (found, expected) else { return };
        assert!((found.depth - expected.depth).abs() <= 1e-6, "{found:?}, not {expected:?}: {case:?}");
        // Of two ways out that are as short either will do.
        if !found.normal.abs_diff_eq(expected.normal, 1e-6) {
            return;
        }
        let ends = |contact: &Contact| [contact.points()[0], *contact.points().last().unwrap()];
        let ([first, second], found_ends) = (ends(&expected), ends(&found));
        let same = |expected: [Vec2; 2]| (0..2).all(|end| found_ends[end].abs_diff_eq(expected[end], 2e-6));
        let is_same = same([first, second]) || (case.has_parallel_sides() && same([second, first]));
        assert!(is_same, "{found:?}, not {expected:?}: {case:?}");
        assert_eq!(found.points().len(), expected.points().len(), "{found:?}, not {expected:?}: {case:?}");
        with_faces += usize::from(found.points().len() == 2);
    });
    assert!(with_faces > 500, "faces meet");
}

#[test]
fn an_extent_holds_the_shape_and_is_not_much_more() {
    let squash = Affine2::from_mat2(Mat2::from_cols(vec2(3.0, 0.25), vec2(-0.5, 0.5)));
    let squashed: Vec<Shape> = shapes().iter().map(|shape| shape.transformed(&squash)).collect();
    for shape in shapes().iter().chain(&squashed) {
        let hull = shape.hull();
        let around = (0..256).map(|step| hull.furthest(DVec2::from_angle(f64::from(step) * 0.024_6)).length());
        let furthest = around.fold(0.0, f64::max);
        assert!((furthest * (1.0 - ROUNDING)..=furthest * 2.0).contains(&hull.extent()), "{shape:?}");
        let offset = dvec2(5.0, -1.0);
        let corners: Vec<DVec2> = hull.core.points().iter().map(|point| (*point + offset) * 2.0).collect();
        let mapped = with_points!(&hull.core, points => {
            let doubled = Mapped::new(points, offset, DMat2::from_diagonal(DVec2::splat(2.0)));
            (0..doubled.count()).for_each(|index| assert_eq!(doubled.point(index), corners[index], "{shape:?}"));
            doubled.extent()
        });
        let sums = corners.iter().map(|corner| corner.abs().element_sum());
        assert_eq!(mapped, sums.fold(0.0, f64::max), "{shape:?}");
    }
}

/// A convex shape as nothing but its support function, and the radius of a disc that rolls along inside of its border.
struct Rolled {
    radius: f64,
    furthest: Box<dyn Fn(DVec2) -> DVec2>,
}

/// Corners swollen by the image of the unit disc under a matrix.
fn rolled(corners: &'static [DVec2], matrix: DMat2) -> Rolled {
    let axes = [matrix.x_axis.length(), matrix.y_axis.length()];
    let furthest = move |along: DVec2| {
        let corner = corners.iter().copied().reduce(|a, b| if b.dot(along) > a.dot(along) { b } else { a });
        corner.unwrap() + matrix * (matrix.transpose() * along).normalize_or_zero()
    };
    // Of an ellipse the border bends most at the ends of the longer axis.
    let radius = if axes == [0.0; 2] { 0.0 } else { axes[0].min(axes[1]).powi(2) / axes[0].max(axes[1]) };
    Rolled { radius, furthest: Box::new(furthest) }
}

/// Points, polygons, discs, ellipses, the long and thin among them, and polygons swollen by any of these.
fn rolled_shapes() -> Vec<Rolled> {
    const POINT: &[DVec2] = &[DVec2::ZERO];
    const TRIANGLE: &[DVec2] = &[dvec2(-1.0, -1.0), dvec2(2.0, -0.5), dvec2(0.0, 1.5)];
    const NEEDLE: &[DVec2] = &[dvec2(-3.0, 0.001), dvec2(3.0, 0.0)];
    let turned = |x: f64, y: f64, angle: f64| DMat2::from_angle(angle) * DMat2::from_diagonal(dvec2(x, y));
    let mut shapes = Vec::new();
    for corners in [POINT, TRIANGLE, NEEDLE] {
        for matrix in [
            DMat2::ZERO,
            turned(0.75, 0.75, 0.0),
            turned(2.0, 0.5, 0.4),
            turned(0.01, 3.0, -1.0),
            turned(9.0, 2e-4, 1.0),
            turned(1e-3, 1e-3, 0.0),
        ] {
            shapes.push(rolled(corners, matrix));
        }
    }
    shapes
}

/// Asks about two shapes that lie `gap` apart along `normal`, and tells how many of the first one's points that took.
fn ask<R>(
    [a, b]: [&Rolled; 2],
    normal: DVec2,
    gap: f64,
    ask: impl Fn(&dyn Fn(DVec2) -> DVec2, &dyn Fn(DVec2) -> DVec2, &Frame) -> R,
) -> (R, usize) {
    let offset = (a.furthest)(normal) + normal * gap - (b.furthest)(-normal);
    let frame = Frame { offset, origin: Vec2::ZERO, tolerance: 10.0 * TOUCHING };
    let asked = Cell::new(0);
    let first = |along| {
        asked.set(asked.get() + 1);
        (a.furthest)(along)
    };
    (ask(&first, &b.furthest, &frame), asked.get())
}

/// All pairs of them, in directions that are nowhere upright on a side.
fn each_rolled(mut examine: impl FnMut([&Rolled; 2], DVec2)) {
    let shapes = rolled_shapes();
    for normal in (0..24).map(|step| DVec2::from_angle(f64::from(step) * 0.27 + 0.1)) {
        for a in &shapes {
            shapes.iter().for_each(|b| examine([a, b], normal));
        }
    }
}

/// That a search has found a gap and the places where it is.
#[track_caller]
fn proves(found: &Separation, [a, b]: [&Rolled; 2], normal: DVec2, gap: f64) {
    assert!((found.gap - gap).abs() <= ROUNDING, "{gap}, not {found:?}");
    // Along a smooth border the place, and with it the normal, is known to half as many digits.
    let offset = (a.furthest)(normal) + normal * gap - (b.furthest)(-normal);
    let on_b = (b.furthest)(-normal) + offset;
    assert!(found.on_a.distance((a.furthest)(normal)) <= 1e-6, "on the first: {found:?}");
    assert!(found.on_b.distance(on_b) <= 1e-6, "on the second: {found:?}");
    assert!((found.normal * gap).distance(normal * gap) <= 1e-6, "{normal}, not {found:?}");
}

#[test]
fn the_search_finds_how_far_apart_two_shapes_are_and_where() {
    let mut asked = Vec::new();
    each_rolled(|shapes, normal| {
        for gap in [3.0, 0.3, 1e-3, 1e-6, 1e-9, 1e-11] {
            let (found, count) = ask(shapes, normal, gap, |a, b, frame| nearest(&a, &b, frame, frame.offset));
            proves(&found.unwrap(), shapes, normal, gap);
            asked.push(count);
        }
    });
    assert_asked(&asked, 19, 80);
}

#[test]
fn the_search_finds_how_deep_two_shapes_overlap_and_where() {
    let (mut asked, mut asked_first) = (Vec::new(), Vec::new());
    each_rolled(|shapes, normal| {
        let radius = shapes[0].radius + shapes[1].radius;
        for gap in [0.01, 0.5, 0.9].map(|part| -part * radius).into_iter().filter(|gap| *gap < 0.0) {
            let (found, count) = ask(shapes, normal, gap, |a, b, frame| nearest(&a, &b, frame, frame.offset));
            assert!(found.is_none_or(|found| found.gap <= ROUNDING), "{found:?} are apart");
            asked_first.push(count);
            let (found, count) = ask(shapes, normal, gap, |a, b, frame| convex::separation(&a, &b, frame));
            proves(&found, shapes, normal, gap);
            asked.push(count);
        }
    });
    assert_asked(&asked_first, 6, 80);
    assert_asked(&asked, 82, 170);
}

#[test]
fn the_depth_of_concentric_shapes_parts_them_and_is_hardly_too_long() {
    let directions: Vec<DVec2> = (0..2_000).map(|step| DVec2::from_angle(f64::from(step) * 0.003_2)).collect();
    let shapes = rolled_shapes();
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let depth = |along: DVec2| ((a.furthest)(along) - (b.furthest)(-along)).dot(along);
        let least = directions.iter().map(|along| depth(*along)).fold(f64::INFINITY, f64::min);
        let frame = Frame { offset: DVec2::ZERO, origin: Vec2::ZERO, tolerance: 10.0 * TOUCHING };
        let found = convex::separation(&a.furthest, &b.furthest, &frame);
        assert!((depth(found.normal) + found.gap).abs() <= ROUNDING, "{found:?}");
        assert!(-found.gap <= least * 1.002 + ROUNDING, "{least}, not {found:?}");
        assert!((found.on_b - found.on_a).distance(found.normal * found.gap) <= 1e-6, "{found:?}");
    }
}
