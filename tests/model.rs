//! Whatever is done to a scene, it is what a scene says that works everything out anew.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{CollisionLayers, Transform};
use proptest::prelude::*;
use support::naive::run;
use support::program::{Form, Program, Step};
use support::{cases, numbers, point};

fn place() -> impl Strategy<Value = Transform> {
    let exact = [-6..=6_i8, -6..=6_i8].prop_map(|at| Transform::from_position(vec2(at[0].into(), at[1].into())));
    prop_oneof![2 => exact, 1 => support::transform()]
}

fn form() -> BoxedStrategy<Form> {
    let make = |(kind, n, bits): (u8, support::Numbers, u16)| {
        let [a, b, c, d, _] = n.points;
        match kind {
            0 => Form::Circle(n.radius),
            1 => Form::Point(a),
            2 => Form::Segment([a, b]),
            3 => Form::Capsule([a, b], n.radius),
            4 => Form::Rect(n.sizes),
            5 => Form::Polygon(n.points),
            6 => Form::Ellipse(n.sizes),
            7 => Form::Rounded([a, b, c, d], n.radius),
            8 => Form::Own(n.radius),
            9 => Form::Line(n.points, bits % 2 == 0),
            10 => Form::Union(n.radius, n.sizes),
            _ => Form::Tiles(bits, n.sizes),
        }
    };
    (0..12_u8, numbers(), any::<u16>()).prop_map(make).boxed()
}

fn step() -> BoxedStrategy<Step> {
    let any_one = || 0..24_usize;
    // Most nodes hang high.
    let above = || prop_oneof![2 => Just(0), 1 => 0..24_usize];
    let layers =
        prop_oneof![Just(CollisionLayers::ALL), (0..4_u32, 0..4_u32).prop_map(|(m, f)| CollisionLayers::new(m, f))];
    let number = prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(0.0), -9.0..9.0_f32];
    let scale = prop_oneof![Just(Vec2::ONE), Just(vec2(1.0, 0.0)), Just(Vec2::ZERO), Just(Vec2::splat(3e38))];
    let edits = prop_oneof![
        6 => (above(), place()).prop_map(|(above, transform)| Step::Add { above, transform }),
        2 => any_one().prop_map(Step::Remove),
        2 => (any_one(), above()).prop_map(|(node, above)| Step::SetParent { node, above }),
        2 => (any_one(), above()).prop_map(|(node, above)| Step::SetParentInPlace { node, above }),
        9 => (any_one(), form(), prop::bool::weighted(0.2))
            .prop_map(|(node, form, sensor)| Step::Attach { node, form, sensor }),
        1 => any_one().prop_map(Step::Detach),
        2 => (any_one(), any_one()).prop_map(|(collider, node)| Step::MoveCollider { collider, node }),
        5 => (any_one(), place()).prop_map(|(node, transform)| Step::Place { node, transform }),
        1 => any_one().prop_map(Step::Mirror),
        2 => (any_one(), scale).prop_map(|(node, by)| Step::Scale { node, by }),
        2 => (any_one(), number).prop_map(|(node, x)| Step::PutX { node, x }),
        2 => any_one().prop_map(|node| Step::Place { node, transform: Transform::IDENTITY }),
    ];
    let settings = prop_oneof![
        2 => (any_one(), any::<bool>()).prop_map(|(node, on)| Step::EnableNode { node, on }),
        2 => (any_one(), any::<bool>()).prop_map(|(collider, on)| Step::EnableCollider { collider, on }),
        1 => (any_one(), any::<bool>()).prop_map(|(collider, on)| Step::Sensor { collider, on }),
        1 => (any_one(), prop::option::of(point())).prop_map(|(collider, up)| Step::OneWay { collider, up }),
        2 => (any_one(), layers).prop_map(|(collider, layers)| Step::Layers { collider, layers }),
        2 => (any_one(), form()).prop_map(|(collider, form)| Step::Shape { collider, form }),
    ];
    let others = prop_oneof![
        1 => Just(Step::Clear),
        1 => Just(Step::Save),
        1 => Just(Step::Restore),
        9 => Just(Step::Update),
        4 => (point(), point(), form()).prop_map(|(from, to, brush)| Step::Ask { from: from * 2.0, to: to * 2.0, brush }),
        3 => (any_one(), point()).prop_map(|(node, motion)| Step::Slide { node, motion }),
        1 => (any_one(), point()).prop_map(|(node, motion)| Step::Collide { node, motion }),
        1 => any_one().prop_map(Step::PushOut),
    ];
    prop_oneof![7 => edits, 2 => settings, 4 => others].boxed()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn whatever_is_done_the_scene_is_what_the_naive_one_is(
        program in prop::collection::vec(step(), 1..80).prop_map(Program),
    ) {
        run(&program).map_err(TestCaseError::fail)?;
    }
}

/// Every step and every form once.
fn everything() -> Program {
    let (a, b, c, d) = (vec2(0.0, 0.0), vec2(1.0, -0.5), vec2(1.5, 1.0), vec2(0.25, 2.0));
    let e = vec2(-1.0, f32::MIN_POSITIVE);
    let turned = Transform { position: c, rotation: 0.5, scale: vec2(-1.0, 2.0), skew: 1e-7 };
    let forms = [
        Form::Circle(1.5),
        Form::Point(a),
        Form::Segment([a, b]),
        Form::Capsule([b, c], 0.5),
        Form::Rect([2.0, 1e-9]),
        Form::Polygon([a, b, c, d, e]),
        Form::Ellipse([1.0, 3e5]),
        Form::Rounded([a, b, c, d], 0.25),
        Form::Own(1.0),
        Form::Line([a, b, c, d, e], false),
        Form::Line([e, d, c, b, a], true),
        Form::Union(0.5, [2.0, 3.0]),
        Form::Tiles(0b101_010_111, [1.0, 0.5]),
    ];
    let mut steps = vec![Step::Add { above: 0, transform: turned }, Step::Add { above: 1, transform: turned }];
    let attach = |(node, form): (usize, Form)| Step::Attach { node, form, sensor: node % 4 == 3 };
    steps.extend(forms.into_iter().enumerate().map(attach));
    steps.extend([
        Step::Update,
        Step::Save,
        Step::SetParent { node: 2, above: 0 },
        Step::SetParentInPlace { node: 1, above: 2 },
        Step::MoveCollider { collider: 3, node: 2 },
        Step::Place { node: 1, transform: Transform::IDENTITY },
        Step::Mirror(2),
        Step::Scale { node: 1, by: vec2(0.0, -0.0) },
        Step::PutX { node: 2, x: f32::NAN },
        Step::PutX { node: 1, x: f32::INFINITY },
        Step::PutX { node: 5, x: f32::NEG_INFINITY },
        Step::EnableNode { node: 2, on: false },
        Step::EnableCollider { collider: 1, on: false },
        Step::Sensor { collider: 1, on: true },
        Step::OneWay { collider: 5, up: Some(d) },
        Step::OneWay { collider: 5, up: None },
        Step::Layers { collider: 4, layers: CollisionLayers::SCENERY },
        Step::Shape { collider: 4, form: Form::Circle(0.0) },
        Step::Detach(2),
        Step::Ask { from: a, to: d, brush: Form::Rect([1.0, 1.0]) },
        Step::Restore,
        Step::Slide { node: 1, motion: b },
        Step::Collide { node: 2, motion: d },
        Step::PushOut(2),
        Step::Remove(2),
        Step::Clear,
    ]);
    Program(steps)
}

#[test]
fn a_program_is_shown_as_rust_that_compiles() {
    assert_eq!(include_str!("golden/program.txt"), format!("{{\n{}}}\n", everything()));
    assert_eq!(run(&everything()), Ok(()));
    shown();
}

/// The program as it is shown. It is compiled, and it runs.
#[allow(clippy::all, clippy::pedantic, unused)]
fn shown() {
    use hitgraph::{
        Attachment, Capsule, Circle, ColliderId, Compound, Ellipse, MoveOptions, Node, Polygon, Polyline, QueryFilter,
        Rect, Rounded, Scene, Segment, Shape, Tiles,
    };
    use support::Squircle;

    include!("golden/program.txt")
}
