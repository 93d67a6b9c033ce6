//! Each way to an answer by itself, against brute force: in the public API each pair is answered by the first way that
//! can, which hides the others.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use glam::{Affine2, DMat2, DVec2, Mat2, Vec2, dvec2, vec2};

use super::Contact;
use super::closest_features::closest_features;
use super::contact_points::{closest_feature_contact, exact_contact};
use super::epa;
use super::exact_separation::exact_separation;
use super::gjk;
use super::hull::{Core, Disc, Hull};
use super::minkowski::Difference;
use super::points::{Points, mapped};
use super::sat::best_side::NotFound;
use super::sat::exact;
use super::separation::{Frame, Separation};
use super::support::Support;
use crate::math::affine_disc::uniform_scale;
use crate::math::tolerance::TOUCHING;

/// The rounding of numbers of about ten in `f64`.
const ROUNDING: f64 = 1e-13;

/// The rounding of such numbers in `f32`.
const DOUBT: f64 = 3e-5;

/// Returns the separation of two outlines by brute force: the largest gap along the normal of any side or along the
/// line between any two corners.
fn gap(a: &[DVec2], b: &[DVec2]) -> f64 {
    let between = a.iter().flat_map(|from| b.iter().map(|to| *to - *from)).filter_map(DVec2::try_normalize);
    between.map(|along| gap_along(a, b, along)).chain(gap_of_sides(a, b)).reduce(f64::max).unwrap_or(0.0)
}

/// Returns the largest gap along the normal of a side, `None` for two points.
fn gap_of_sides(a: &[DVec2], b: &[DVec2]) -> Option<f64> {
    let normals = [a, b].into_iter().flat_map(normals).flat_map(|normal| [normal, -normal]);
    normals.map(|along| gap_along(a, b, along)).reduce(f64::max)
}

fn normals(outline: &[DVec2]) -> impl Iterator<Item = DVec2> {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    ends.filter_map(|(from, to)| (*from - *to).perp().try_normalize())
}

/// Returns the gap along a unit vector.
fn gap_along(a: &[DVec2], b: &[DVec2], along: DVec2) -> f64 {
    let most = a.iter().map(|point| point.dot(along)).fold(f64::NEG_INFINITY, f64::max);
    b.iter().map(|point| point.dot(along)).fold(f64::INFINITY, f64::min) - most
}

/// Two shapes with round discs, relative to the first one's centre.
struct Case<'a> {
    a: Hull<'a>,
    b: Hull<'a>,
    frame: Frame,
    cores: [Vec<DVec2>; 2],
    radii: [f64; 2],
}

impl<'a> Case<'a> {
    fn new(a: Hull<'a>, b: Hull<'a>) -> Self {
        let frame = Frame::new(&a, &b, DVec2::ZERO);
        let cores = [a.core.points().to_vec(), b.core.points().iter().map(|point| *point + frame.offset).collect()];
        let radii = [a, b].map(|hull| match hull.disc {
            Disc::Circle(radius) => radius,
            other => unreachable!("{other:?}"),
        });
        Self { a, b, frame, cores, radii }
    }

    /// Returns the gap of the cores.
    fn gap(&self) -> f64 {
        gap(&self.cores[0], &self.cores[1])
    }

    fn separating_axes(&self) -> Separation {
        exact::separation(&self.a.core.points(), &self.b.core.points(), &self.frame)
    }

    /// Returns `true` if the sides do not decide in `f32`, or if two corners of one side are equally near.
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

    /// Returns the separation by support functions alone, and the number of calls of the first shape's.
    fn by_support_functions(&self) -> (Separation, usize) {
        let calls = Cell::new(0);
        let first = |along: DVec2| {
            calls.set(calls.get() + 1);
            self.a.core.furthest(along)
        };
        let second = |along: DVec2| self.b.core.furthest(along);
        (epa::separation(&Difference { a: &first, b: &second, frame: &self.frame }), calls.get())
    }

    /// Asserts that a separation of the cores, rounded by these radii, is that of brute force to within `slack`.
    #[track_caller]
    fn assert_separation(&self, found: &Separation, radii: [f64; 2], slack: f64) {
        let [a, b] = &self.cores;
        let (expected, apart) = (self.gap(), found.gap + radii[0] + radii[1]);
        assert!((found.normal.length() - 1.0).abs() <= ROUNDING, "{found:?}");
        assert!(apart <= expected + ROUNDING && apart >= expected - slack, "{expected}, not {found:?} of {self:?}");
        let along = gap_along(a, b, found.normal);
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

fn rounded(core: Core<'static>, radius: f64) -> Hull<'static> {
    Hull { center: Vec2::ZERO, core, disc: Disc::Circle(radius) }
}

fn polygon(points: impl IntoIterator<Item = Vec2>) -> Core<'static> {
    Core::Polygon(Vec::from_iter(points).leak())
}

/// Returns the image of a shape. The numbers of its core are `f32`.
fn transformed(shape: &Hull<'static>, by: &Affine2) -> Hull<'static> {
    let image = |vector: DVec2| by.matrix2 * vector.as_vec2();
    let core = match shape.core {
        Core::Polygon(points) => polygon(points.iter().map(|point| by.matrix2 * *point)),
        Core::Parallelogram(core) => match core.len {
            1 => Core::POINT,
            2 => Core::segment([0, 1].map(|end| image(core.point(end)))),
            _ => Core::parallelogram(core.axes.map(image)),
        },
    };
    let disc = match (shape.disc, uniform_scale(by.matrix2)) {
        (Disc::Circle(radius), None) if radius > 0.0 => Disc::Ellipse(by.matrix2.as_dmat2() * radius),
        (disc, _) => disc,
    };
    Hull { center: by.transform_point2(shape.center), core, disc }
}

/// Returns shapes of every kind without an ellipse.
fn shapes() -> Vec<Hull<'static>> {
    let triangle = polygon([vec2(-1.0, -1.0), vec2(2.0, -0.5), vec2(0.0, 1.5)]);
    let rect = |x: f32, y: f32| rounded(Core::parallelogram([Vec2::X * x, Vec2::Y * y]), 0.0);
    let pentagon = [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.5, 0.25), vec2(0.25, 1.25), vec2(-1.0, 1.0)];
    let skewed = Affine2::from_mat2(Mat2::from_cols(vec2(1.0, 0.25), vec2(0.75, -1.0)));
    vec![
        rounded(Core::POINT, 0.75),
        rounded(Core::segment([vec2(-1.5, -1.0), vec2(1.5, 1.0)]), 0.0),
        rounded(Core::segment([vec2(-1.0, 0.5), vec2(1.5, 0.5)]), 0.25),
        rect(1.5, 1.0),
        transformed(&rect(1.5, 0.5), &Affine2::from_angle(0.5)),
        transformed(&rect(1.0, 0.75), &skewed),
        rounded(triangle, 0.0),
        transformed(&rounded(triangle, 0.0), &Affine2::from_angle(2.0)),
        rounded(polygon(pentagon), 0.0),
        rounded(triangle, 0.5),
    ]
}

/// Returns shapes without area.
fn flat_shapes() -> [Hull<'static>; 4] {
    let rect = rounded(Core::parallelogram([Vec2::X * 1.25, Vec2::ZERO]), 0.0);
    [
        rounded(Core::segment([vec2(0.25, 0.5); 2]), 0.0),
        transformed(&rect, &Affine2::from_angle(-1.0)),
        rounded(polygon([vec2(-1.0, 0.75), vec2(1.0, -0.75)]), 0.0),
        rounded(polygon([vec2(0.5, 0.5)]), 0.0),
    ]
}

/// Calls `examine` with all pairs of shapes, displaced relative to each other by the points of a grid.
fn each_case(shapes: &[Hull<'static>], step: f32, mut examine: impl FnMut(&Case<'_>)) {
    for x in -6..=6 {
        for y in -6..=6 {
            let by = vec2(x as f32, y as f32) * step;
            for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
                examine(&Case::new(*a, Hull { center: by + b.center, ..*b }));
            }
        }
    }
}

#[test]
fn the_exact_separation_matches_brute_force() {
    let shapes: Vec<Hull<'_>> = shapes().into_iter().chain(flat_shapes()).collect();
    each_case(&shapes, 0.75, |case| {
        case.assert_separation(&case.separating_axes(), [0.0; 2], ROUNDING);
        let found = exact_separation(&case.a, &case.b);
        case.assert_separation(&found, case.radii, DOUBT);
        let flipped = found.flipped();
        assert_eq!((flipped.gap, flipped.normal), (found.gap, -found.normal));
        assert_eq!([flipped.on_a, flipped.on_b], [found.on_b, found.on_a]);
    });
}

#[test]
fn gjk_and_epa_match_brute_force_within_80_support_calls() {
    let shapes: Vec<Hull<'_>> = shapes().into_iter().chain(flat_shapes()).collect();
    let mut calls = Vec::new();
    each_case(&shapes, 0.75, |case| {
        let (found, count) = case.by_support_functions();
        case.assert_separation(&found, [0.0; 2], ROUNDING);
        calls.push(count);
    });
    assert_calls(&calls, 10, 80);
}

/// Asserts the average and the largest number of support calls.
#[track_caller]
fn assert_calls(counts: &[usize], average: usize, most: usize) {
    let (sum, max) = (counts.iter().sum::<usize>(), counts.iter().max().unwrap());
    assert!(
        sum <= average * counts.len() && *max <= most,
        "{} on average, {max} at most",
        sum as f64 / counts.len() as f64
    );
}

#[test]
fn closest_features_match_brute_force_and_abstain_only_in_near_ties() {
    each_case(&shapes(), 0.73, |case| {
        let expected = case.gap();
        for limit in [0.0, 0.75, f64::INFINITY] {
            match closest_features(&case.a.core, &case.b.core, &case.frame, limit) {
                Ok(features) => {
                    assert!(expected <= limit + ROUNDING);
                    let slack = if expected > 0.0 { ROUNDING } else { DOUBT };
                    case.assert_separation(&features.separation(&case.frame), [0.0; 2], slack);
                }
                Err(NotFound::Beyond) => assert!(expected > limit, "{expected} is not beyond {limit}: {case:?}"),
                Err(NotFound::Unclear) => assert!(case.is_near_tie(), "{expected} is clear: {case:?}"),
            }
        }
    });
}

#[test]
fn a_contact_of_closest_features_is_the_exact_one() {
    // Sides at such a small angle still count as parallel, with one end deeper than the other.
    let slope = Affine2::from_angle(5e-5);
    let shapes = [shapes(), shapes().iter().map(|shape| transformed(shape, &slope)).collect()].concat();
    let mut with_sides = 0;
    each_case(&shapes, 0.74, |case| {
        let found = match closest_feature_contact(&case.a, &case.b) {
            Err(NotFound::Unclear) => return,
            found => found.ok(),
        };
        let expected = exact_contact(&case.a, &case.b);
        assert_eq!(found.is_some(), expected.is_some(), "{case:?}");
        let (Some(found), Some(expected)) = (found, expected) else { return };
        assert!((found.depth - expected.depth).abs() <= 1e-6, "{found:?}, not {expected:?}: {case:?}");
        // Two directions with equal depth are equally right.
        if !found.normal.abs_diff_eq(expected.normal, 1e-6) {
            return;
        }
        let ([first, second], found_ends) = (expected.points, found.points);
        let same = |expected: [Vec2; 2]| (0..2).all(|end| found_ends[end].abs_diff_eq(expected[end], 2e-6));
        let is_same = same([first, second]) || (case.has_parallel_sides() && same([second, first]));
        assert!(is_same, "{found:?}, not {expected:?}: {case:?}");
        let meets_side = |of: &Contact| of.points().len() == 2;
        assert_eq!(meets_side(&found), meets_side(&expected), "{found:?}, not {expected:?}: {case:?}");
        with_sides += usize::from(meets_side(&found));
    });
    assert!(with_sides > 500, "sides meet");
}

#[test]
fn the_extent_is_between_one_and_two_times_the_furthest_distance() {
    let squash = Affine2::from_mat2(Mat2::from_cols(vec2(3.0, 0.25), vec2(-0.5, 0.5)));
    let squashed: Vec<Hull<'_>> = shapes().iter().map(|shape| transformed(shape, &squash)).collect();
    for hull in shapes().iter().chain(&squashed) {
        let around = (0..256).map(|step| hull.furthest(DVec2::from_angle(f64::from(step) * 0.024_6)).length());
        let furthest = around.fold(0.0, f64::max);
        assert!((furthest * (1.0 - ROUNDING)..=furthest * 2.0).contains(&hull.extent()), "{hull:?}");
        let corners: Vec<DVec2> = hull.core.points().iter().map(|point| *point * 2.0).collect();
        let doubled = mapped(&hull.core.points(), DMat2::from_diagonal(DVec2::splat(2.0)));
        assert_eq!(doubled.to_vec(), corners, "{hull:?}");
        let sums = corners.iter().map(|corner| corner.abs().element_sum());
        assert_eq!(doubled.extent(), sums.fold(0.0, f64::max), "{hull:?}");
    }
}

/// A convex shape given by its support function, and the least radius of curvature of its border.
struct Rolled {
    radius: f64,
    furthest: Box<dyn Fn(DVec2) -> DVec2>,
}

/// Returns the sum of some corners' hull and the image of the unit disc under a matrix.
fn rolled(corners: &'static [DVec2], matrix: DMat2) -> Rolled {
    let axes = [matrix.x_axis.length(), matrix.y_axis.length()];
    let furthest = move |along: DVec2| {
        let corner = corners.iter().copied().reduce(|a, b| if b.dot(along) > a.dot(along) { b } else { a });
        corner.unwrap() + matrix * (matrix.transpose() * along).normalize_or_zero()
    };
    // The curvature of an ellipse is largest at the ends of the major axis.
    let radius = if axes == [0.0; 2] { 0.0 } else { axes[0].min(axes[1]).powi(2) / axes[0].max(axes[1]) };
    Rolled { radius, furthest: Box::new(furthest) }
}

/// Returns points, polygons, discs, ellipses, thin ones too, and sums of them.
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

/// Runs `search` on two shapes with the gap `gap` along `normal`. Returns its result and the number of support calls.
fn count_calls<R>([a, b]: [&Rolled; 2], normal: DVec2, gap: f64, search: impl Fn(&Difference<'_>) -> R) -> (R, usize) {
    let offset = (a.furthest)(normal) + normal * gap - (b.furthest)(-normal);
    let frame = Frame { offset, origin: Vec2::ZERO, tolerance: 10.0 * TOUCHING };
    let calls = Cell::new(0);
    let first = |along: DVec2| {
        calls.set(calls.get() + 1);
        (a.furthest)(along)
    };
    (search(&Difference { a: &first, b: &b.furthest, frame: &frame }), calls.get())
}

/// Calls `examine` with all pairs of them, in directions that are normal to no side.
fn each_rolled(mut examine: impl FnMut([&Rolled; 2], DVec2)) {
    let shapes = rolled_shapes();
    for normal in (0..24).map(|step| DVec2::from_angle(f64::from(step) * 0.27 + 0.1)) {
        for a in &shapes {
            shapes.iter().for_each(|b| examine([a, b], normal));
        }
    }
}

/// Asserts that a search has found a gap and its two points.
#[track_caller]
fn assert_found(found: &Separation, [a, b]: [&Rolled; 2], normal: DVec2, gap: f64) {
    assert!((found.gap - gap).abs() <= ROUNDING, "{gap}, not {found:?}");
    // On a smooth border the points, and with them the normal, have half as many digits.
    let offset = (a.furthest)(normal) + normal * gap - (b.furthest)(-normal);
    let on_b = (b.furthest)(-normal) + offset;
    assert!(found.on_a.distance((a.furthest)(normal)) <= 1e-6, "on the first: {found:?}");
    assert!(found.on_b.distance(on_b) <= 1e-6, "on the second: {found:?}");
    assert!((found.normal * gap).distance(normal * gap) <= 1e-6, "{normal}, not {found:?}");
}

#[test]
fn gjk_finds_the_gap_and_the_closest_points_of_smooth_shapes() {
    let mut calls = Vec::new();
    each_rolled(|shapes, normal| {
        for gap in [3.0, 0.3, 1e-3, 1e-6, 1e-9, 1e-11] {
            let search = |both: &Difference<'_>| gjk::distance(both, both.frame.offset, f64::INFINITY);
            let (found, count) = count_calls(shapes, normal, gap, search);
            assert_found(&found.unwrap(), shapes, normal, gap);
            calls.push(count);
        }
    });
    assert_calls(&calls, 19, 60);
}

#[test]
fn the_overlap_of_smooth_shapes_needs_no_depth() {
    let mut calls = Vec::new();
    each_rolled(|shapes, normal| {
        let radius = shapes[0].radius + shapes[1].radius;
        for gap in [3.0, 0.3, 1e-3, 1e-9, -1e-9, -1e-3 * radius, -0.5 * radius, -0.9 * radius] {
            if gap <= 0.0 && -gap >= radius {
                continue;
            }
            let (found, count) = count_calls(shapes, normal, gap, epa::overlap);
            assert!(found.map_or(gap.abs() < 1e-6, |found| found == (gap < 0.0)), "a gap of {gap}: {found:?}");
            calls.push(count);
        }
    });
    assert_calls(&calls, 8, 80);
}

#[test]
fn epa_finds_the_depth_and_the_deepest_points_of_smooth_shapes() {
    let (mut calls, mut first_calls) = (Vec::new(), Vec::new());
    each_rolled(|shapes, normal| {
        let radius = shapes[0].radius + shapes[1].radius;
        for gap in [0.01, 0.5, 0.9].map(|part| -part * radius).into_iter().filter(|gap| *gap < 0.0) {
            let search = |both: &Difference<'_>| gjk::distance(both, both.frame.offset, f64::INFINITY);
            let (found, count) = count_calls(shapes, normal, gap, search);
            assert!(found.is_none_or(|found| found.gap <= ROUNDING), "{found:?} are apart");
            first_calls.push(count);
            let (found, count) = count_calls(shapes, normal, gap, epa::separation);
            assert_found(&found, shapes, normal, gap);
            calls.push(count);
        }
    });
    assert_calls(&first_calls, 6, 80);
    assert_calls(&calls, 32, 90);
}

#[test]
fn the_depth_of_concentric_shapes_separates_them_and_is_at_most_0_2_percent_too_long() {
    let directions: Vec<DVec2> = (0..2_000).map(|step| DVec2::from_angle(f64::from(step) * 0.003_2)).collect();
    let shapes = rolled_shapes();
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let depth = |along: DVec2| ((a.furthest)(along) - (b.furthest)(-along)).dot(along);
        let least = directions.iter().map(|along| depth(*along)).fold(f64::INFINITY, f64::min);
        let frame = Frame { offset: DVec2::ZERO, origin: Vec2::ZERO, tolerance: 10.0 * TOUCHING };
        let found = epa::separation(&Difference { a: &a.furthest, b: &b.furthest, frame: &frame });
        assert!((depth(found.normal) + found.gap).abs() <= ROUNDING, "{found:?}");
        assert!(-found.gap <= least * 1.002 + ROUNDING, "{least}, not {found:?}");
        assert!((found.on_b - found.on_a).distance(found.normal * found.gap) <= 1e-6, "{found:?}");
    }
}
