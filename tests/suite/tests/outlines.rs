//! `Compound::from_outline`: convex pieces that cover an outline exactly, and errors for outlines that cross themselves.

use std::f32::consts::TAU;

use glam::{DVec2, Vec2, vec2};
use hitgraph::{Aabb, Compound, Polygon, Scene, Shape, ShapeError, Transform};
use proptest::prelude::*;
use support::composites::{outline, star};
use support::{add, anything, at, cases};

/// Returns twice the signed area.
fn double_area(points: &[Vec2]) -> f64 {
    let first = points[0].as_dvec2();
    let relative = |point: &Vec2| point.as_dvec2() - first;
    points.windows(2).map(|pair| relative(&pair[0]).perp_dot(relative(&pair[1]))).sum()
}

/// Returns `true` if a ray to the right crosses the outline an odd number of times.
fn inside(outline: &[Vec2], point: Vec2) -> bool {
    let point = point.as_dvec2();
    let crosses = |(a, b): (DVec2, DVec2)| {
        (a.y > point.y) != (b.y > point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
    };
    sides(outline).filter(|side| crosses(*side)).count() % 2 == 1
}

fn sides(outline: &[Vec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    outline.iter().zip(outline.iter().cycle().skip(1)).map(|(a, b)| (a.as_dvec2(), b.as_dvec2()))
}

fn distance_from_border(outline: &[Vec2], point: Vec2) -> f64 {
    let point = point.as_dvec2();
    let distance = |(a, b): (DVec2, DVec2)| {
        let along = ((point - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        point.distance(a.lerp(b, along))
    };
    sides(outline).map(distance).fold(f64::INFINITY, f64::min)
}

fn corners(shape: &Shape) -> Vec<Vec2> {
    let Shape::Polygon(polygon) = shape else { panic!("{shape:?}") };
    polygon.points().collect()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn from_outline_divides_an_outline_into_convex_pieces_that_cover_it_exactly(
        outline in outline(), samples in prop::array::uniform32((0.0..1.0_f32, 0.0..1.0_f32))
    ) {
        let compound = Compound::from_outline(&outline).unwrap();
        let total = double_area(&outline).abs();
        let mut sum = 0.0;
        for piece in compound.pieces() {
            let corners = corners(piece);
            let all_known = corners.iter().all(|corner| outline.contains(corner));
            prop_assert!(all_known, "a piece has a corner that is not in the outline: {corners:?}");
            prop_assert!(Polygon::convex(&corners).is_ok(), "{corners:?}");
            let area = double_area(&corners);
            prop_assert!(area > 0.0, "not counter-clockwise: {corners:?}");
            sum += area;
        }
        prop_assert!((sum - total).abs() <= 1e-9 * total, "the areas add up to {sum}, not {total}");
        let mut scene = Scene::new();
        add(&mut scene, Transform::IDENTITY, compound);
        let bounds = Aabb::from_points(outline.iter().copied());
        for sample in samples {
            let sample = bounds.min + bounds.size() * Vec2::from(sample);
            let found = scene.world().at_point(sample, &anything()).len() == 1;
            let off = distance_from_border(&outline, sample) > 1e-6 * f64::from(bounds.size().max_element());
            prop_assert!(found == inside(&outline, sample) || !off, "{sample}: {found}");
        }
    }

    #[test]
    fn a_crossing_error_names_both_sides_and_the_crossing_point(
        outline in star(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()
    ) {
        let (from, to) = (from.index(outline.len()), to.index(outline.len()));
        let mut crossed = outline.clone();
        crossed.swap(from, to);
        match Compound::from_outline(&crossed) {
            Ok(compound) => {
                let sum: f64 = compound.pieces().iter().map(|piece| double_area(&corners(piece))).sum();
                prop_assert!((sum - double_area(&crossed).abs()).abs() <= 1e-9 * sum);
            }
            Err(ShapeError::CrossesItself { first, second, at }) => {
                for side in [first, second] {
                    let ends = [crossed[side], crossed[(side + 1) % crossed.len()]];
                    prop_assert!(distance_from_border(&ends, at) < 1e-4, "{at} is not on the side after {side}");
                }
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

/// Returns the winding number of an outline around a point, counter-clockwise.
fn winding(outline: &[Vec2], point: Vec2) -> i32 {
    let point = point.as_dvec2();
    let passes = |(a, b): (DVec2, DVec2)| {
        let upwards = i32::from(b.y > point.y) - i32::from(a.y > point.y);
        if f64::from(upwards) * (b - a).perp_dot(point - a) > 0.0 { upwards } else { 0 }
    };
    sides(outline).map(passes).sum()
}

proptest! {
    #![proptest_config(cases(800))]

    // On a grid of 5 x 5 points, nearly every outline touches itself, and most cross themselves.
    #[test]
    fn an_outline_that_touches_itself_is_divided_exactly_or_refused(
        points in prop::collection::vec((0..5_u8, 0..5_u8), 4..12)
    ) {
        let outline: Vec<Vec2> = points.iter().map(|(x, y)| vec2(f32::from(*x), f32::from(*y))).collect();
        let samples = (0..24 * 24_u16).map(|i| vec2(f32::from(i / 24), f32::from(i % 24)) / 6.0 + vec2(0.0371, 0.0617));
        let windings: Vec<(Vec2, i32)> = samples.map(|sample| (sample, winding(&outline, sample))).collect();
        let all_wind = |times: i32| windings.iter().all(|(_, found)| *found == 0 || *found == times);
        match Compound::from_outline(&outline) {
            Ok(compound) => {
                prop_assert!(all_wind(1) || all_wind(-1), "the winding number is not 0 or 1 everywhere, nor 0 or -1");
                let mut scene = Scene::new();
                add(&mut scene, Transform::IDENTITY, compound);
                for (sample, times) in &windings {
                    let found = scene.world().at_point(*sample, &anything()).len() == 1;
                    let on_border = distance_from_border(&outline, *sample) == 0.0;
                    prop_assert!(found == (*times != 0) || on_border, "{sample}: {found}");
                }
            }
            Err(error) => prop_assert!(matches!(error, ShapeError::CrossesItself { .. }), "{error}"),
        }
    }
}

#[test]
fn from_outline_makes_few_pieces() {
    let ell = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    assert_eq!(Compound::from_outline(&ell).unwrap().pieces().len(), 2);
    let circle: Vec<Vec2> = (0..200).map(|i| Vec2::from_angle(TAU / 200.0 * i as f32)).collect();
    assert_eq!(Compound::from_outline(&circle).unwrap().pieces().len(), 1);
    // A plus has four concave corners. One cut removes one or two of them.
    let plus: Vec<Vec2> =
        [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]
            .map(|(x, y)| vec2(x as f32, y as f32))
            .to_vec();
    assert!(Compound::from_outline(&plus).unwrap().pieces().len() <= 5);
}

#[test]
fn outlines_with_repeats_spikes_and_holes_are_accepted() {
    let area = |outline: &[Vec2]| -> f64 {
        let compound = Compound::from_outline(outline).unwrap();
        compound.pieces().iter().map(|piece| double_area(&corners(piece)) / 2.0).sum()
    };
    let square = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(0.0, 2.0)];
    assert_eq!(area(&square), 4.0);
    let repeated = [square[0], square[0], square[1], square[2], square[2], square[3], square[0]];
    assert_eq!(area(&repeated), 4.0, "repeated points, and the first point again at the end");
    let straight = [vec2(1.0, 0.0), square[1], vec2(2.0, 0.5), square[2], square[3], vec2(0.0, 1.0), square[0]];
    assert_eq!(area(&straight), 4.0, "collinear points, including the first");
    let spike = [square[0], square[1], vec2(5.0, 0.0), square[1], square[2], vec2(2.0, 9.0), square[2], square[3]];
    assert_eq!(area(&spike), 4.0, "spikes of zero width");
    let hole = [vec2(0.5, 0.5), vec2(0.5, 1.5), vec2(1.5, 1.5), vec2(1.5, 0.5)];
    let ring = [&square[..], &square[..1], &hole[..], &hole[..1]].concat();
    assert_eq!(area(&ring), 3.0, "a hole connected to the border by a double side");
    let pinched = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(1.0, 1.0), vec2(0.0, 2.0)];
    assert_eq!(area(&pinched), 2.0, "two triangles that share a corner");
    let on_a_side = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(2.0, 0.0), vec2(0.0, 3.0)];
    assert_eq!(area(&on_a_side), 6.0, "a corner on another side");
}

#[test]
fn an_outline_without_area_becomes_a_segment_or_a_point() {
    let mut scene = Scene::new();
    add(&mut scene, at(0.0, 0.0), Compound::from_outline(&[vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(1.0, 0.0)]).unwrap());
    add(&mut scene, at(0.0, 5.0), Compound::from_outline(&[vec2(0.0, 0.0)]).unwrap());
    let count = |scene: &mut Scene, x: f32, y: f32| scene.world().at_point(vec2(x, y), &anything()).len();
    assert_eq!([count(&mut scene, 3.0, 0.0), count(&mut scene, 3.0, 0.1), count(&mut scene, 0.0, 5.0)], [1, 0, 1]);
}

#[test]
fn errors_of_invalid_outlines_state_the_reason_and_the_place() {
    let message = |outline: &[Vec2]| Compound::from_outline(outline).unwrap_err().to_string();
    let bowtie = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    let meets = "where the side after point 0 meets the one after point 2";
    assert_eq!(message(&bowtie), format!("the outline crosses itself at [0.5, 0.5], {meets}"));
    assert_eq!(message(&[]), "an outline needs at least one point");
    assert_eq!(
        message(&[Vec2::ZERO, Vec2::X, vec2(0.0, f32::NAN)]),
        "a point of the outline must be finite, but is NaN"
    );
    let pentagram: Vec<Vec2> = (0..5).map(|i| Vec2::from_angle(TAU * 0.4 * i as f32)).collect();
    assert!(message(&pentagram).starts_with("the outline crosses itself at ["));
    let square = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
    assert!(message(&[square, square].concat()).contains("crosses itself"), "an outline that winds twice");
    let smaller = square.map(|corner| corner * 0.5);
    assert!(
        message(&[square, smaller].concat()).contains("crosses itself at [0, 0]"),
        "an outline that winds twice around a part"
    );
    let at_a_corner = [vec2(0.0, 0.0), vec2(2.0, 2.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(2.0, 2.0), vec2(0.0, 4.0)];
    let crossed = [at_a_corner[0], at_a_corner[1], at_a_corner[3], at_a_corner[2], at_a_corner[4], at_a_corner[5]];
    assert!(message(&crossed).contains("crosses itself at [2, 2]"), "a crossing at a point that occurs twice");
}

#[test]
fn an_outline_of_6000_points_is_divided_exactly() {
    let coast: Vec<Vec2> = (0..6000)
        .map(|i| {
            Vec2::from_angle(TAU / 6000.0 * i as f32) * (50.0 + 9.0 * (i as f32 * 0.37).sin() + (i as f32 * 1.9).sin())
        })
        .collect();
    let compound = Compound::from_outline(&coast).unwrap();
    let sum: f64 = compound.pieces().iter().map(|piece| double_area(&corners(piece))).sum();
    assert!((sum / double_area(&[&coast[..], &coast[..1]].concat()) - 1.0).abs() < 1e-9);
    let reversed: Vec<Vec2> = coast.iter().rev().copied().collect();
    assert!(Compound::from_outline(&reversed).unwrap().pieces().len().abs_diff(compound.pieces().len()) < 400);
}
