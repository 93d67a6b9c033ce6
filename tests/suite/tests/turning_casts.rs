//! Turning casts: cases with known results, and comparisons with an oracle that samples the motion.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Affine2, DVec2, Vec2, vec2};
use hitgraph::{
    Aabb, Circle, Collider, Compound, Ellipse, Motion, Node, Polygon, Polyline, Rect, Scene, Segment, Shape,
    ShapeCastHit, Transform,
};
use support::cases::check_cases;
use support::dice::Dice;
use support::oracle::{Gap, OracleHull, gap, separation_along};
use support::{KINDS, Kind, Numbers, Squircle, TestCollider, anything, translation};

/// The number of cases, unless the environment sets another.
const CASES: u64 = 3_000;

/// Units by which a hit may differ from the first touch: units in the last place of an `f32` as large as the sizes, the
/// distance and the path of the case.
const HIT_UNITS: f64 = 4.0;

/// Units for user shapes, whose support points are `f32`.
const USER_SHAPE_UNITS: f64 = 8.0;

/// Further units of depth up to which a graze may be reported as no hit.
const GRAZE_UNITS: f64 = 8.0;

/// Units of depth up to which a cast that starts overlapping may count as touching. Their scale excludes the path.
const TOUCH_UNITS: f64 = 1.5;

/// Casts `caster` against `target`, which is alone in a scene, at the origin.
fn cast(target: impl Collider, caster: &dyn Collider, from: Affine2, motion: Motion) -> Option<ShapeCastHit> {
    let mut scene = Scene::new();
    scene.add_with(Node::new("n").with_transform(Transform::IDENTITY), target);
    scene.world().cast_shape(caster, &from, motion, &anything())
}

fn turn(rotation: f32) -> Motion {
    Motion::default().with_rotation(rotation)
}

fn close(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 4e-7 * expected.abs().max(1.0)
}

#[test]
fn a_bar_that_turns_about_its_middle_hits_a_wall_with_its_corner() {
    // The half-diagonal is 5 and leans by atan(3/4) from the long side.
    let hit = cast(Rect::new(2.0, 40.0), &Rect::new(8.0, 6.0), translation(5.5, 0.0), turn(1.0)).unwrap();
    let expected = 0.75_f32.atan() - 0.9_f32.acos();
    assert!(close(hit.fraction, expected), "{hit:?} {expected}");
    assert!(hit.normal.abs_diff_eq(Vec2::X, 1e-6) && hit.distance == 0.0);
    assert!(hit.point.abs_diff_eq(vec2(1.0, 5.0 * (1.0 - 0.81_f32).sqrt()), 1e-5), "{hit:?}");
}

#[test]
fn a_point_on_an_arc_hits_a_segment_where_the_circle_crosses_it() {
    let line = Segment::new(vec2(-9.0, 3.0), vec2(9.0, 3.0));
    for radius in [3.001_f32, 3.5, 5.0, 50.0] {
        let hit = cast(line, &Circle::point(vec2(radius, 0.0)), Affine2::IDENTITY, turn(PI));
        let x = (radius * radius - 9.0).sqrt();
        let expected = (x <= 9.0).then(|| (3.0 / radius).asin() / PI);
        match (hit, expected) {
            (Some(hit), Some(expected)) => assert!((hit.fraction - expected).abs() < 1e-6, "{hit:?} {expected}"),
            (hit, expected) => assert_eq!(hit.map(|hit| hit.fraction), expected),
        }
    }
}

#[test]
fn a_graze_is_no_hit_and_a_hair_more_is() {
    let line = Segment::new(vec2(-9.0, 3.0), vec2(9.0, 3.0));
    assert_eq!(cast(line, &Circle::point(vec2(3.0, 0.0)), Affine2::IDENTITY, turn(PI)), None);
    assert_eq!(cast(line, &Circle::point(vec2(3.0_f32.next_down(), 0.0)), Affine2::IDENTITY, turn(PI)), None);
    let hit = cast(line, &Circle::point(vec2(3.0001, 0.0)), Affine2::IDENTITY, turn(PI)).unwrap();
    assert!((hit.fraction - (3.0_f32 / 3.0001).asin() / PI).abs() < 1e-4, "{hit:?}");
}

#[test]
fn a_cast_that_starts_touching_hits_only_if_a_touching_part_approaches() {
    let floor = Rect::new(20.0, 2.0);
    let (left, right) = (vec2(-1.0, 1.0), vec2(1.0, 1.0));
    for lift in [0.0, 1e-7, -1e-7] {
        let on_floor = |shape: &dyn Collider, motion: Motion| cast(floor, shape, translation(0.0, 2.0 + lift), motion);
        // The box stands on the floor from x = -1 to 1.
        let standing = Rect::new(2.0, 2.0);
        for (rotation, pivot) in [(0.5, left), (-0.5, right), (3.0, left), (1e-3, left)] {
            let hit = on_floor(&standing, turn(rotation).with_pivot(pivot));
            assert_eq!(hit.is_some(), rotation == 3.0, "it tips over its corner: {hit:?}");
            assert!(hit.is_none_or(|hit| close(hit.fraction, FRAC_PI_2 / 3.0)), "onto its other side: {hit:?}");
            let into_floor = on_floor(&standing, turn(-rotation).with_pivot(pivot)).unwrap();
            assert!(into_floor.fraction < 1e-6 && into_floor.normal == Vec2::Y, "{into_floor:?}");
        }
        for rotation in [1e-3, -0.1, 6.0] {
            let hit = on_floor(&standing, turn(rotation)).unwrap();
            assert!(hit.fraction < 1e-5 && hit.normal == Vec2::Y, "one corner goes down: {hit:?}");
        }
        let (wheel, spin) = (Circle::new(1.0), turn(-30.0));
        assert_eq!(on_floor(&wheel, spin), None, "it slides");
        assert_eq!(
            on_floor(&wheel, Motion { displacement: vec2(9.0, 0.0), rotation: -9.0, pivot: None }),
            None,
            "it rolls"
        );
        assert_eq!(on_floor(&wheel, Motion { displacement: vec2(1.0, 1.0), ..spin }), None, "it leaves");
        let hit = on_floor(&wheel, Motion { displacement: vec2(1.0, -1.0), ..spin }).unwrap();
        assert!(hit.fraction < 1e-6, "{hit:?}");
    }
}

#[test]
fn a_tip_that_turns_and_passes_exactly_over_a_peak_hits_nothing() {
    let diamond = Polygon::convex(&[Vec2::X * 3.0, Vec2::Y * 5.0, -Vec2::X * 2.0, -Vec2::Y]).unwrap();
    for (left, right, rise) in (1..9_i8).flat_map(|x| (1..9_i8).flat_map(move |y| (-1..2_i8).map(move |z| (x, y, z)))) {
        let corners = [vec2(-f32::from(left), -3.0), vec2(f32::from(right), -3.0), Vec2::ZERO];
        let (peak, displacement) = (Polygon::convex(&corners).unwrap(), vec2(13.0, f32::from(rise)));
        for rotation in [0.06, -0.1] {
            // The diamond turns about its tip, which passes over the peak at a third of the motion.
            let cast = |lift: f32| {
                let tip = vec2(0.0, lift) - displacement;
                let motion = Motion { displacement: displacement * 3.0, rotation, pivot: Some(tip) };
                cast(peak.clone(), &diamond, Affine2::from_translation(tip + Vec2::Y), motion)
            };
            assert_eq!(cast(0.0), None, "{peak:?} {displacement} {rotation}");
            assert!(cast(-0.01).is_some(), "{peak:?} {displacement} {rotation}");
        }
    }
}

#[test]
fn a_plank_turns_about_a_tip_but_not_on_a_flat_top() {
    let (plank, at) = (Rect::new(10.0, 1.0), translation(0.0, 0.5));
    let tip = Polygon::convex(&[vec2(-1.0, -2.0), vec2(1.0, -2.0), Vec2::ZERO]).unwrap();
    for rotation in [0.5, -0.5, 1e-4, -1.0] {
        let motion = turn(rotation).with_pivot(Vec2::ZERO);
        assert_eq!(cast(tip.clone(), &plank, at, motion), None, "{rotation}");
        let block = Rect::from_corners(vec2(-0.5, -2.0), vec2(0.5, 0.0));
        let hit = cast(block, &plank, at, motion).unwrap();
        assert!(hit.fraction < 1e-6 && hit.normal == Vec2::Y, "{rotation} {hit:?}");
    }
    // At 1.107 radians the plank meets the side of the tip.
    let hit = cast(tip, &plank, at, turn(3.0).with_pivot(Vec2::ZERO)).unwrap();
    assert!(close(hit.fraction, 2.0_f32.atan() / 3.0), "{hit:?}");
}

#[test]
fn a_cast_that_starts_inside_hits_at_fraction_zero_for_any_rotation() {
    for rotation in [1e-6, -0.5, 40.0] {
        for shape in [&Rect::new(2.0, 2.0) as &dyn Collider, &Circle::new(1.0), &Squircle(1.0), &Ellipse::new(1.0, 1.5)]
        {
            for displacement in [Vec2::ZERO, Vec2::Y] {
                let motion = Motion { displacement, ..turn(rotation) };
                let hit = cast(Rect::new(8.0, 8.0), shape, translation(0.0, 4.5), motion).unwrap();
                assert!(hit.fraction == 0.0 && hit.normal.abs_diff_eq(Vec2::Y, 1e-3), "{shape:?} {hit:?}");
            }
        }
    }
}

#[test]
fn a_door_with_its_hinge_on_a_wall_opens_until_it_meets_the_wall_again() {
    // The wall fills the half plane below y = 0. The door's corner touches it at the origin.
    let wall = || Rect::from_corners(vec2(-50.0, -50.0), vec2(50.0, 0.0));
    let door = Rect::from_corners(vec2(0.0, 0.0), vec2(1.0, 4.0));
    let hinge = |rotation: f32| turn(rotation).with_pivot(Vec2::ZERO);
    assert_eq!(cast(wall(), &door, Affine2::IDENTITY, hinge(1.5)), None);
    let hit = cast(wall(), &door, Affine2::IDENTITY, hinge(2.0)).unwrap();
    assert!(close(hit.fraction, FRAC_PI_2 / 2.0) && hit.normal == Vec2::Y, "{hit:?}");
    assert!(hit.point.abs_diff_eq(vec2(-2.0, 0.0), 1e-5), "the middle of the side that lands: {hit:?}");
    let hit = cast(wall(), &door, Affine2::IDENTITY, hinge(-0.1)).unwrap();
    assert!(hit.fraction < 1e-6, "the lower side goes down: {hit:?}");
}

#[test]
fn a_fast_needle_never_passes_a_peg() {
    let needle = Rect::new(20.0, 1e-6);
    for (peg, radius) in [(vec2(3.0, 0.0), 1e-5), (vec2(0.0, 9.0), 1e-6), (vec2(-5.0, -5.0), 0.0)] {
        for rotation in [10.0, -1e3, 1e5] {
            for displacement in [Vec2::ZERO, vec2(1e-3, 2e-3)] {
                let from = Affine2::from_angle(0.5);
                let hit = cast(Circle::new(radius).at(peg), &needle, from, Motion { displacement, ..turn(rotation) });
                let start = if rotation > 0.0 { peg.to_angle() - 0.5 } else { 0.5 - peg.to_angle() };
                let expected = start.rem_euclid(PI) / rotation.abs();
                assert!((hit.unwrap().fraction / expected - 1.0).abs() < 1e-3, "{peg} {rotation} {hit:?} {expected}");
            }
        }
    }
}

#[test]
fn a_motion_of_many_turns_hits_within_a_turn_of_where_the_swept_disc_does() {
    let bar = Rect::new(8.0, 0.5);
    for turns in [3.0, 20.0, 100.0_f32] {
        let motion = Motion { displacement: vec2(20.0, 0.0), ..turn(turns * TAU) };
        let hit = cast(Rect::new(2.0, 40.0), &bar, translation(-15.0, 0.0), motion).unwrap();
        let disc = (14.0 - 4.0_f32.hypot(0.25)) / 20.0;
        assert!((disc..disc + 1.0 / turns).contains(&hit.fraction), "{turns} turns: {hit:?} {disc}");
    }
    // In place, only the first turn matters.
    assert_eq!(cast(Rect::new(2.0, 40.0), &bar, translation(5.1, 0.0), turn(1e6)), None);
    let hit = cast(Rect::new(2.0, 40.0), &bar, translation(3.0, 0.0), turn(-1e6)).unwrap();
    assert!(hit.fraction < TAU / 1e6, "{hit:?}");
    // A search that gives up does so on the safe side.
    let orbit = cast(
        Circle::new(1.0),
        &Circle::new(1.0).at(vec2(9.0, 0.0)),
        Affine2::IDENTITY,
        Motion { displacement: vec2(0.0, 2.0), ..turn(1e6) },
    );
    assert!(orbit.is_some());
}

#[test]
fn a_zero_or_non_finite_motion_hits_nothing() {
    let hit = |motion: Motion| cast(Rect::new(2.0, 2.0), &Circle::new(1.0), Affine2::IDENTITY, motion);
    assert!(hit(turn(1.0)).is_some());
    for motion in
        [Motion::default(), Motion::default().with_pivot(Vec2::X), turn(-0.0), turn(f32::NAN), turn(f32::INFINITY)]
    {
        assert_eq!(hit(motion), None, "{motion:?}");
    }
    assert_eq!(hit(turn(1.0).with_pivot(vec2(f32::NAN, 0.0))), None);
    assert_eq!(hit(Motion { displacement: vec2(0.0, f32::NEG_INFINITY), ..turn(1.0) }), None);
    assert_eq!(cast(Rect::new(2.0, 2.0), &Circle::new(1.0), Affine2::NAN, turn(1.0)), None);
}

#[test]
fn a_circle_that_turns_about_its_centre_hits_where_a_straight_cast_does() {
    for (from, displacement) in [(vec2(-5.0, 1.6), vec2(10.0, 0.0)), (vec2(3.0, 8.0), vec2(-2.0, -9.0))] {
        let (mut scene, filter, at) = (Scene::new(), anything(), Affine2::from_translation(from));
        scene.add_with(Node::new("box"), Rect::new(2.0, 2.0));
        let world = scene.world();
        let straight = world.cast_shape(&Circle::new(1.0), &at, displacement, &filter).unwrap();
        let motion = Motion { displacement, ..turn(7.0) };
        let turning = world.cast_shape(&Circle::new(1.0), &at, motion, &filter).unwrap();
        assert!(close(turning.fraction, straight.fraction) && turning.normal.abs_diff_eq(straight.normal, 1e-6));
        assert!(turning.point.abs_diff_eq(straight.point, 1e-6) && close(turning.distance, straight.distance));
    }
}

#[test]
fn a_concave_shape_reports_the_piece_and_hits_with_the_piece_that_touches_first() {
    let hook = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(3.0, 3.0), vec2(3.0, 1.0), vec2(0.0, 1.0)];
    let hook = Compound::from_outline(&hook).unwrap();
    // The ball is in the hook's mouth. Turning left, the prong at x = 3 meets it.
    let ball = Circle::new(0.25).at(vec2(1.0, 2.5));
    let hit = cast(ball, &hook, Affine2::IDENTITY, turn(1.0)).unwrap();
    // The inner corner of the prong is at a distance of sqrt(18) from the pivot, and its inner side at 3.
    let side = PI - 2.5_f32.atan2(1.0) - FRAC_PI_2;
    assert!(hit.fraction > 0.0 && hit.fraction < 1.0 && side > 0.0, "{hit:?}");
    let row = Polyline::new(&(0..20_u8).map(|x| vec2(f32::from(x), -1.0)).collect::<Vec<_>>()).unwrap();
    let arm = Rect::from_corners(vec2(0.0, -0.25), vec2(8.5, 0.25));
    let hit = cast(row, &arm, Affine2::IDENTITY, turn(-1.0)).unwrap();
    let expected = (8.5_f32.hypot(0.25).recip()).asin() - 0.25_f32.atan2(8.5);
    assert!(hit.piece == 8 && close(hit.fraction, expected), "{hit:?} {expected}");
}

#[test]
fn a_one_sided_polyline_stops_a_turning_shape_from_its_front_only() {
    let line = || Polyline::new(&[vec2(-9.0, 0.0), vec2(9.0, 0.0)]).unwrap().one_sided();
    let bar = Rect::new(6.0, 0.5);
    for rotation in [PI, -PI] {
        assert!(cast(line(), &bar, translation(0.0, 2.0), turn(rotation)).is_some());
        assert_eq!(cast(line(), &bar, translation(0.0, -2.0), turn(rotation)), None);
    }
    // Flat on the front, one end goes down.
    assert!(cast(line(), &bar, translation(0.0, 0.25), turn(0.5)).unwrap().fraction < 1e-6);
}

#[test]
fn a_one_sided_polyline_stops_a_shape_that_turns_back_after_it_passed_from_behind() {
    let line = || Polyline::new(&[vec2(-9.0, 0.0), vec2(9.0, 0.0)]).unwrap().one_sided();
    let shapes: [&dyn Collider; 5] = [
        &Circle::new(0.5),
        &Rect::new(1.0, 1.0).rotated(FRAC_PI_2 * 0.5),
        &Circle::new(0.0),
        &Segment::new(vec2(-0.2, 0.1), vec2(0.2, 0.0)),
        &Squircle(0.4),
    ];
    for shape in shapes {
        for (rotation, pivot) in [(TAU, 0.0), (-TAU, 0.0), (20.0, -3.0), (TAU, 3.6)] {
            // The shape begins at the lowest point of an orbit of radius 4.
            let motion = turn(rotation).with_pivot(vec2(0.0, pivot));
            let hit = cast(line(), shape, translation(0.0, pivot - 4.0), motion).unwrap();
            // The angle at which its middle is on the line again.
            let angle = PI + FRAC_PI_2 + (pivot / 4.0_f32).asin();
            let early = angle - hit.fraction * rotation.abs();
            assert!(
                hit.normal.y > 0.9 && (-1e-5..0.5).contains(&early),
                "{shape:?} {rotation} {pivot} {hit:?} {early}"
            );
        }
    }
    // A shape that only goes up passes, and so does one that always comes down beyond the end.
    let ball = Circle::new(0.5);
    assert_eq!(cast(line(), &ball, translation(0.0, -4.0), turn(PI).with_pivot(Vec2::ZERO)), None);
    let around = Motion { displacement: vec2(0.1, 0.0), ..turn(-30.0) };
    assert_eq!(cast(line(), &ball, translation(9.0, -4.0), around.with_pivot(vec2(9.0, 0.0))), None);
}

/// A row of posts at all whole numbers of x, as the pieces of a user shape.
#[derive(Debug, Clone)]
struct Posts;

impl Collider for Posts {
    fn support(&self, direction: Vec2) -> Vec2 {
        vec2(100.0, 1.0) * direction.signum()
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        for x in -100..=100_i16 {
            let x = f32::from(x);
            if region.overlaps(Aabb::new(vec2(x, -1.0), vec2(x, 1.0))) {
                visit((x + 100.0) as u32, &Segment::new(vec2(x, -1.0), vec2(x, 1.0)).into());
            }
        }
        true
    }
}

#[test]
fn pieces_of_a_user_shape_hit_and_are_hit() {
    let ball = Circle::new(0.25);
    let hit = cast(Posts, &ball.at(vec2(6.5, 0.0)), Affine2::IDENTITY, turn(0.2).with_pivot(vec2(6.5, 4.0))).unwrap();
    // At this angle the ball has moved 0.25 to the right, and its pivot is four units above.
    assert!(hit.piece == 107 && close(hit.fraction, 0.0625_f32.asin() / 0.2), "{hit:?}");
    let reversed =
        cast(ball.at(vec2(6.5, 0.0)), &Posts, Affine2::IDENTITY, turn(-0.2).with_pivot(vec2(6.5, 4.0))).unwrap();
    assert!((reversed.fraction - hit.fraction).abs() < 0.01, "{reversed:?}");
}

#[test]
fn the_first_hit_is_the_first_of_all_hits_if_another_collider_is_hit_right_after_it() {
    let mut scene = Scene::new();
    let outline = [vec2(0.0, -0.5), vec2(1.0, -0.75), vec2(1.0, 0.25), vec2(0.5, 1.0)];
    let mirrored = Transform { position: vec2(2.7501, 3.0), scale: vec2(-1.0, 1.0), ..Transform::IDENTITY };
    scene.add_with(Node::new("block").with_transform(mirrored), Polygon::convex(&outline).unwrap());
    let scale = vec2(2776.055, -2776.055);
    let far = Transform { position: vec2(-692.2637, -3467.8186), scale, ..Transform::IDENTITY };
    let pin = Polygon::convex(&[vec2(0.25, -1.25)]).unwrap();
    let (_, pin) = scene.add_with(Node::new("pin").with_transform(far), pin);
    // The rod begins at the pin, and hits the block soon after.
    let (rod, at) = (Segment::new(vec2(2.0, 1.5), vec2(-1.25, -0.5)), vec2(0.50006104, 1.75));
    let at = Affine2::from_scale_angle_translation(Vec2::NEG_ONE, 0.0, at);
    let motion = Motion::new(vec2(1.25, 0.5)).with_rotation(-30.0).with_pivot(vec2(1.7722778, 2.2635942));
    let first = scene.world().cast_shape(&rod, &at, motion, &anything());
    let all = scene.world().cast_shape_all(&rod, &at, motion, &anything());
    assert_eq!((first, all.len(), all[0].side.collider), (Some(all[0]), 2, pin), "{all:?}");
}

#[test]
fn hits_are_sorted_by_fraction_and_then_by_id_and_match_one_cast_per_collider() {
    check_cases(
        300,
        100,
        |dice| dice.clone(),
        |dice| {
            let mut dice = dice.clone();
            let mut scene = Scene::new();
            let mut single = Vec::new();
            let Turning { caster, motion, .. } = Turning::new(&mut dice, [&KINDS; 2], Sizes::Similar);
            let (shape, at) = (caster.attachment.collider(), caster.transform.to_affine());
            for index in 0..12 {
                let mut body = random_collider(&mut dice, &KINDS, Sizes::Similar);
                body.transform.position = dice.vector(-8.0..8.0);
                for _ in 0..1 + index % 2 {
                    let node = scene.add(Node::new(body.kind).with_transform(body.transform));
                    let id = scene.attach(node, body.attachment.clone()).unwrap();
                    let alone = |side: hitgraph::NodeCollider| side.collider == id;
                    single.extend(scene.world().only(&alone).cast_shape(shape, &at, motion, &anything()));
                }
            }
            single.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.side.collider.cmp(&b.side.collider)));
            let world = scene.world();
            let all = world.cast_shape_all(shape, &at, motion, &anything());
            let first = world.cast_shape(shape, &at, motion, &anything());
            let agree = all == single && first == all.first().copied();
            if agree { Ok(()) } else { Err(format!("{all:?} {first:?} {single:?}")) }
        },
    );
}

/// A turning cast of one collider against another.
#[derive(Debug, Clone)]
struct Turning {
    caster: TestCollider,
    target: TestCollider,
    motion: Motion,
}

/// The distribution of sizes and positions.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sizes {
    /// About one unit.
    Similar,
    /// From 1e-3 to 1e3, up to 10,000 times as long as wide.
    Any,
    /// Multiples of a quarter, also for positions, pivots and displacements: exact touches are frequent.
    Quarters,
}

impl Turning {
    fn new(dice: &mut Dice, kinds: [&[Kind]; 2], sizes: Sizes) -> Self {
        let [caster, target] = kinds.map(|kinds| random_collider(dice, kinds, sizes));
        let mut cast = Self { caster, target, motion: Motion::default() };
        let size = cast.caster.size() + cast.target.size();
        let apart = match sizes {
            Sizes::Quarters => dice.quarters(12),
            _ => Vec2::from_angle(dice.within(-PI..PI)) * size * dice.within(0.3..1.5),
        };
        cast.caster.transform.position = apart;
        let base = match sizes {
            Sizes::Any if dice.once_in(2) => Vec2::from_angle(dice.within(-PI..PI)) * size.max(1.0) * 1e4,
            _ => Vec2::ZERO,
        };
        cast.target.transform.position += base;
        cast.caster.transform.position += base;
        let [a, b] = cast.hulls();
        let mut surface =
            |hull: &OracleHull| hull.side(DVec2::from_angle(f64::from(dice.within(-PI..PI))))[0].as_vec2();
        let (on_caster, on_target) = (surface(&a), surface(&b));
        let far = cast.caster.transform.position + Vec2::from_angle(dice.within(-PI..PI)) * size * 20.0;
        let near = cast.caster.transform.position + dice.quarters(8);
        let pivots = [None, None, Some(on_caster), Some(on_caster), Some(on_target), Some(far), Some(near)];
        let pivot = if sizes == Sizes::Quarters { dice.one_of(&[None, Some(near)]) } else { dice.one_of(&pivots) };
        let gap = gap(&a, &b);
        let along = gap.normal.as_vec2();
        let displacement = match sizes {
            Sizes::Quarters => dice.quarters(12),
            _ => {
                let length = size * dice.within(0.0..2.0);
                let anywhere = Vec2::from_angle(dice.within(-PI..PI));
                dice.one_of(&[Vec2::ZERO, anywhere, along, along.perp(), -along.perp()]) * length
            }
        };
        let (small, large) = (dice.within(-0.3..0.3), dice.within(-4.0..4.0));
        let rotation = dice.one_of(&[small, small, large, FRAC_PI_2, -PI, TAU, small * 100.0]);
        cast.motion = Motion { displacement, rotation, pivot };
        match dice.below(6) {
            0 if sizes != Sizes::Quarters => {
                // Starts nearly touching.
                let part = f64::from(10_f32.powf(dice.within(-8.0..-2.0)) * dice.one_of(&[1.0, 0.0, -1.0]));
                cast.caster.transform.position += (gap.normal * (gap.least + gap.scale * part)).as_vec2();
            }
            1 if sizes != Sizes::Quarters => {
                // Nearly grazes: the target is where the least gap of the motion is nearly zero.
                let part = f64::from(10_f32.powf(dice.within(-8.0..-2.0)) * dice.one_of(&[1.0, 0.0, -1.0]));
                let (_, least) = cast.least_gap(&a, &b, 60);
                cast.target.transform.position -= (least.normal * (least.most + least.scale * part)).as_vec2();
            }
            _ => {}
        }
        cast
    }

    /// Returns the oracle's shapes in world space.
    fn hulls(&self) -> [OracleHull; 2] {
        [&self.caster, &self.target].map(|body| {
            let at = body.transform.to_affine();
            let mut pieces: Vec<Shape> = Vec::new();
            let shape = body.attachment.collider();
            shape.pieces(&Aabb::EVERYTHING, &mut |_, piece| pieces.push(piece.transformed(&at)));
            match body.shape().or(pieces.pop()) {
                Some(shape) => OracleHull::of(&shape, at.translation),
                None => OracleHull::user(&body.attachment, &at),
            }
        })
    }

    fn pivot(&self) -> Vec2 {
        self.motion.pivot.unwrap_or(self.caster.transform.position)
    }

    /// Returns the caster at a fraction of the motion.
    fn moved(&self, caster: &OracleHull, fraction: f64) -> OracleHull {
        let Motion { displacement, rotation, .. } = self.motion;
        let pivot = self.pivot().as_dvec2();
        caster.turned(f64::from(rotation) * fraction, pivot, displacement.as_dvec2() * fraction)
    }

    /// Returns an upper bound of the speed of the caster's points.
    fn speed(&self, caster: &OracleHull) -> f64 {
        let reach = caster.reach_from(self.pivot().as_dvec2());
        f64::from(self.motion.displacement.length()) + f64::from(self.motion.rotation.abs()) * reach
    }

    /// Returns the fraction with the least gap, and that gap, as far as sampling finds it.
    fn least_gap(&self, a: &OracleHull, b: &OracleHull, samples: u32) -> (f64, Gap) {
        let at = |fraction: f64| (fraction, gap(&self.moved(a, fraction), b));
        let less = |best: (f64, Gap), other: (f64, Gap)| if other.1.most < best.1.most { other } else { best };
        let best = (0..=samples).map(|step| at(f64::from(step) / f64::from(samples))).reduce(less).unwrap();
        let mut width = 1.0 / f64::from(samples);
        (0..40).fold(best, |best, _| {
            width *= 0.6;
            [best.0 - width, best.0 + width].map(|fraction| at(fraction.clamp(0.0, 1.0))).into_iter().fold(best, less)
        })
    }

    /// Looks for an overlap deeper than `graze` before a fraction: no overlap lies between two samples whose gaps are
    /// larger than the shapes may move in between. Stops after `budget` samples.
    fn overlap_before(&self, [a, b]: &[OracleHull; 2], end: f64, graze: f64, budget: usize) -> Option<(f64, f64)> {
        let speed = self.speed(a);
        let mut open = std::collections::VecDeque::from([(0.0, end)]);
        for _ in 0..budget {
            let (from, to) = open.pop_front()?;
            let middle = (from + to) * 0.5;
            let gap = gap(&self.moved(a, middle), b);
            if gap.most < -graze {
                return Some((middle, gap.most));
            }
            if gap.least + graze < speed * (to - from) * 0.5 {
                open.extend([(from, middle), (middle, to)]);
            }
        }
        None
    }

    fn hit(&self) -> Option<ShapeCastHit> {
        let mut scene = Scene::new();
        let node = scene.add(Node::new("target").with_transform(self.target.transform));
        scene.attach(node, self.target.attachment.clone()).unwrap();
        let (shape, at) = (self.caster.attachment.collider(), self.caster.transform.to_affine());
        scene.world().cast_shape(shape, &at, self.motion, &anything())
    }

    /// Returns the tolerance of a hit, and the depth up to which an overlap may count as a graze.
    fn tolerances(&self, [a, b]: &[OracleHull; 2]) -> [f64; 2] {
        let unit = f64::from(f32::EPSILON);
        let path = self.speed(a);
        let scale = gap(a, b).scale + path;
        let positions = [&self.caster, &self.target].map(|body| f64::from(body.transform.position.abs().max_element()));
        let units = if a.is_user() || b.is_user() { USER_SHAPE_UNITS } else { HIT_UNITS };
        [unit * scale * units, unit * (scale * (units + GRAZE_UNITS) + positions[0] + positions[1])]
    }

    /// Compares the cast with the oracle.
    fn check(&self) -> Result<(), String> {
        let hulls = self.hulls();
        let [tolerance, graze] = self.tolerances(&hulls);
        let [a, b] = &hulls;
        let before = gap(a, b);
        let hit = self.hit();
        let ensure =
            |holds: bool, message: &str| if holds { Ok(()) } else { Err(format!("{message}, {before:?} {hit:?}")) };
        let Some(hit) = hit else {
            if self.motion.rotation == 0.0 && self.motion.displacement == Vec2::ZERO {
                return Ok(());
            }
            let found = self.overlap_before(&hulls, 1.0, graze, 300);
            return ensure(found.is_none(), &format!("a hit is missed: {found:?}, more than {graze}"));
        };
        let (fraction, normal) = (f64::from(hit.fraction), hit.normal.as_dvec2());
        let (at_hit, point) = (self.moved(a, fraction), hit.point.as_dvec2());
        ensure(
            (0.0..=1.0).contains(&fraction) && (normal.length() - 1.0).abs() < 1e-6,
            "the fraction is out of range or the normal is no unit vector",
        )?;
        let separation = separation_along(&at_hit, b, -normal);
        if before.most < -graze {
            ensure(fraction == 0.0, "a cast that starts inside must hit at the start")?;
        }
        if fraction == 0.0 && before.most < -TOUCH_UNITS * before.unit() {
            return ensure(separation >= before.least * 1.01 - tolerance, "the normal is not the shortest way out");
        }
        ensure(gap(&at_hit, b).most <= tolerance, &format!("separate at the hit by {:?}", gap(&at_hit, b)))?;
        ensure(separation >= -graze, &format!("the normal does not separate the shapes at the hit: {separation}"))?;
        let leaves = [1e-5, 1e-4, 1e-3].iter().all(|later| {
            let gap = gap(&self.moved(a, fraction + later), b);
            gap.least > 20.0 * graze && gap.normal.dot(normal) < 0.0
        });
        ensure(!leaves, "the shapes only leave each other")?;
        let found = self.overlap_before(&hulls, fraction, graze, 300);
        ensure(found.is_none(), &format!("an earlier overlap: {found:?}, more than {graze}"))?;
        let hit_point = OracleHull::of(&Circle::new(0.0).into(), Vec2::ZERO).moved(point);
        let point_tolerance = graze + f64::from(f32::EPSILON) * point.abs().max_element();
        ensure(gap(&hit_point, b).most <= point_tolerance, "the point is not on the target")?;
        ensure(gap(&hit_point, &at_hit).most <= point_tolerance, "the point is not on the caster")
    }
}

fn random_collider(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> TestCollider {
    let (kind, make) = dice.one_of(kinds);
    let is_exact = sizes == Sizes::Quarters;
    let unit = if sizes == Sizes::Any { 10_f32.powf(dice.within(-3.0..3.0)) } else { 1.0 };
    let flat = if sizes == Sizes::Any { 10_f32.powf(dice.within(-4.0..0.0)) } else { 1.0 };
    let mut length = || if is_exact { (1 + dice.below(12)) as f32 * 0.25 } else { dice.within(0.05..3.0) };
    let (sizes, radius) = ([length() * unit, length() * unit * flat], length() * unit * flat);
    let points = [(); 5].map(|()| {
        let anywhere = dice.vector(-2.0..2.0);
        (if is_exact { dice.quarters(8) } else { anywhere }) * vec2(unit, unit * flat)
    });
    let scale =
        if is_exact || dice.once_in(2) { Vec2::ONE } else { vec2(dice.within(0.3..2.0), dice.within(-2.0..2.0)) };
    let rotation = if is_exact { 0.0 } else { dice.within(-PI..PI) };
    let transform = Transform { scale, rotation, ..Transform::IDENTITY };
    TestCollider { kind, attachment: make(&Numbers { sizes, radius, points }), transform }
}

#[test]
fn turning_casts_against_shapes_of_similar_size_match_the_oracle() {
    check_cases(CASES, 50, |dice| Turning::new(dice, [&KINDS; 2], Sizes::Similar), Turning::check);
}

#[test]
fn turning_casts_against_needles_of_all_sizes_match_the_oracle() {
    check_cases(CASES, 25, |dice| Turning::new(dice, [&KINDS; 2], Sizes::Any), Turning::check);
}

#[test]
fn turning_casts_with_many_exact_touches_match_the_oracle() {
    check_cases(CASES, 25, |dice| Turning::new(dice, [&KINDS; 2], Sizes::Quarters), Turning::check);
}

impl Turning {
    /// Returns the same case with all positions and directions transformed, and the rotation reversed by a mirror.
    fn transformed(&self, by: Affine2) -> Self {
        let body = |body: &TestCollider| {
            let transform = Transform::from_affine(by * body.transform.to_affine());
            TestCollider { transform, ..body.clone() }
        };
        let motion = Motion {
            displacement: by.transform_vector2(self.motion.displacement),
            rotation: self.motion.rotation * by.matrix2.determinant().signum(),
            pivot: self.motion.pivot.map(|pivot| by.transform_point2(pivot)),
        };
        Self { caster: body(&self.caster), target: body(&self.target), motion }
    }

    /// Returns `true` if the caster hits head on and soon overlaps by far more than rounding.
    fn is_clear_hit(&self, hit: &ShapeCastHit) -> bool {
        let [a, b] = self.hulls();
        let later = f64::from(hit.fraction) + 1e-3;
        let before = gap(&a, &b);
        let overlap = gap(&self.moved(&a, later), &b).most;
        later < 1.0 && before.least > 1e-4 * before.scale && overlap < -1e-4 * self.speed(&a)
    }

    /// Checks that a transformed case has the same clear hits.
    fn check_transformed(&self, by: Affine2, tolerance: f32) -> Result<(), String> {
        let other = self.transformed(by);
        let hits = [self, &other].map(|case| case.hit().filter(|hit| case.is_clear_hit(hit)));
        match hits {
            // Corners that meet have many normals, so only the fractions are comparable.
            [Some(hit), Some(other)] if (hit.fraction - other.fraction).abs() > tolerance => {
                Err(format!("{hit:?} {other:?}"))
            }
            _ => Ok(()),
        }
    }
}

#[test]
fn a_turning_cast_in_a_rotated_or_mirrored_world_hits_at_the_same_fraction() {
    check_cases(
        CASES,
        25,
        |dice| {
            let by = Affine2::from_scale_angle_translation(
                vec2(dice.one_of(&[1.0, -1.0]), 1.0),
                dice.within(-PI..PI),
                vec2(3.0, -2.0),
            );
            (Turning::new(dice, [&KINDS; 2], Sizes::Similar), by)
        },
        |(case, by)| case.check_transformed(*by, 1e-4),
    );
}

#[test]
fn scaling_by_a_power_of_two_changes_no_bit_of_a_fraction() {
    check_cases(
        CASES,
        25,
        |dice| Turning::new(dice, [&KINDS; 2], Sizes::Similar),
        |case| {
            let hit = case.hit().map(|hit| (hit.fraction, hit.normal));
            for factor in [-32, 40].map(|power| 2_f32.powi(power)) {
                let mut scaled = case.clone();
                for body in [&mut scaled.caster, &mut scaled.target] {
                    body.transform.position *= factor;
                    body.transform.scale *= factor;
                }
                scaled.motion.displacement *= factor;
                scaled.motion.pivot = scaled.motion.pivot.map(|pivot| pivot * factor);
                let other = scaled.hit().map(|hit| (hit.fraction, hit.normal));
                if hit != other {
                    return Err(format!("{other:?} at scale {factor}, but {hit:?}"));
                }
            }
            Ok(())
        },
    );
}

#[test]
fn without_rotation_a_turning_cast_is_a_shape_cast_bit_for_bit() {
    check_cases(
        CASES,
        25,
        |dice| Turning::new(dice, [&KINDS; 2], Sizes::Similar),
        |case| {
            let mut scene = Scene::new();
            scene.add_with(Node::new("target").with_transform(case.target.transform), case.target.attachment.clone());
            let (shape, at) = (case.caster.attachment.collider(), case.caster.transform.to_affine());
            let displacement = case.motion.displacement;
            let straight = scene.world().cast_shape(shape, &at, displacement, &anything());
            for rotation in [0.0, -0.0] {
                let motion = Motion { rotation, ..case.motion };
                let turning = scene.world().cast_shape(shape, &at, motion, &anything());
                if turning != straight {
                    return Err(format!("{turning:?} but {straight:?}"));
                }
            }
            Ok(())
        },
    );
}
