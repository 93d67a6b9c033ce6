//! Random programs of public calls on a scene and on a naive model that recomputes every answer from its tree.

use std::mem::discriminant;

use glam::{Vec2, vec2};
use hitgraph::{CollisionLayers, Transform};
use proptest::prelude::*;
use support::naive::run;
use support::program::{Program, ShapeSpec, Step};
use support::{Numbers, ShapeKind, cases, numbers, point};

fn transform() -> impl Strategy<Value = Transform> {
    let exact = [-6..=6_i8, -6..=6_i8].prop_map(|at| Transform::from_position(vec2(at[0].into(), at[1].into())));
    prop_oneof![2 => exact, 1 => support::transform()]
}

fn spec() -> BoxedStrategy<ShapeSpec> {
    let make = |(kind, numbers, bits): (usize, Numbers, u16)| ShapeSpec::new(ShapeKind::ALL[kind], &numbers, bits);
    (0..ShapeKind::ALL.len(), numbers(), any::<u16>()).prop_map(make).boxed()
}

fn step() -> BoxedStrategy<Step> {
    let index = || 0..24_usize;
    // Most nodes become children of the root.
    let parent = || prop_oneof![2 => Just(0), 1 => 0..24_usize];
    let layers =
        prop_oneof![Just(CollisionLayers::ALL), (0..4_u32, 0..4_u32).prop_map(|(m, f)| CollisionLayers::new(m, f))];
    let number = prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(0.0), -9.0..9.0_f32];
    let scale = prop_oneof![Just(Vec2::ONE), Just(vec2(1.0, 0.0)), Just(Vec2::ZERO), Just(Vec2::splat(3e38))];
    let edits = prop_oneof![
        6 => (parent(), transform()).prop_map(|(parent, transform)| Step::Add { parent, transform }),
        2 => index().prop_map(Step::Remove),
        2 => (index(), parent()).prop_map(|(node, parent)| Step::SetParent { node, parent }),
        2 => (index(), parent()).prop_map(|(node, parent)| Step::SetParentInPlace { node, parent }),
        1 => (index(), 0..4_usize).prop_map(|(node, index)| Step::MoveChild { node, index }),
        1 => (index(), parent()).prop_map(|(node, parent)| Step::CopySubtree { node, parent }),
        1 => (index(), parent()).prop_map(|(node, parent)| Step::Graft { node, parent }),
        9 => (index(), spec(), prop::bool::weighted(0.2))
            .prop_map(|(node, spec, sensor)| Step::Attach { node, spec, sensor }),
        1 => index().prop_map(Step::Detach),
        2 => (index(), index()).prop_map(|(collider, node)| Step::MoveCollider { collider, node }),
        5 => (index(), transform()).prop_map(|(node, transform)| Step::SetTransform { node, transform }),
        1 => index().prop_map(Step::Mirror),
        2 => (index(), scale).prop_map(|(node, by)| Step::SetScale { node, by }),
        2 => (index(), number).prop_map(|(node, x)| Step::SetX { node, x }),
        2 => index().prop_map(|node| Step::SetTransform { node, transform: Transform::IDENTITY }),
    ];
    let settings = prop_oneof![
        2 => (index(), any::<bool>()).prop_map(|(node, on)| Step::SetNodeEnabled { node, on }),
        3 => (index(), any::<bool>()).prop_map(|(node, on)| Step::SetOwnsSubtree { node, on }),
        3 => (index(), index()).prop_map(|(a, b)| Step::IgnorePair([a, b])),
        1 => (index(), index()).prop_map(|(a, b)| Step::StopIgnoringPair([a, b])),
        2 => (index(), any::<bool>()).prop_map(|(collider, on)| Step::SetColliderEnabled { collider, on }),
        1 => (index(), any::<bool>()).prop_map(|(collider, on)| Step::SetSensor { collider, on }),
        1 => (index(), prop::option::of(point())).prop_map(|(collider, up)| Step::SetOneWay { collider, up }),
        2 => (index(), layers).prop_map(|(collider, layers)| Step::SetLayers { collider, layers }),
        2 => (index(), spec()).prop_map(|(collider, spec)| Step::SetCollider { collider, spec }),
    ];
    let others = prop_oneof![
        1 => Just(Step::Clear),
        1 => Just(Step::Save),
        1 => Just(Step::Restore),
        1 => Just(Step::ShrinkToFit),
        9 => Just(Step::Update),
        4 => (point(), point(), spec())
            .prop_map(|(from, to, probe)| Step::Query { from: from * 2.0, to: to * 2.0, probe }),
        3 => (index(), point()).prop_map(|(node, displacement)| Step::MoveAndSlide { node, displacement }),
        1 => (index(), point()).prop_map(|(node, displacement)| Step::MoveAndCollide { node, displacement }),
        3 => (index(), point(), prop_oneof![Just(0.0), -2.0..2.0_f32])
            .prop_map(|(node, displacement, rotation)| Step::Push { node, displacement, rotation }),
        1 => index().prop_map(Step::Depenetrate),
    ];
    prop_oneof![7 => edits, 2 => settings, 4 => others].boxed()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn random_programs_leave_the_scene_equal_to_the_naive_model(
        program in prop::collection::vec(step(), 1..80).prop_map(Program),
    ) {
        run(&program).map_err(TestCaseError::fail)?;
    }
}

/// Returns a program that fills a scene with so many nodes that the index sorts them in several parts, then replaces
/// many of them between updates, so that slots are used again.
fn churn() -> impl Strategy<Value = Program> {
    // Plain shapes, because the naive model compares every pair.
    let spec = || prop_oneof![Just(ShapeSpec::Circle(0.5)), Just(ShapeSpec::Rect([1.0, 2.0]))];
    let index = || 0..80_usize;
    let parent = || prop_oneof![4 => Just(0), 1 => 0..80_usize];
    let attach = move || (index(), spec()).prop_map(|(node, spec)| Step::Attach { node, spec, sensor: false });
    let add = move || (parent(), transform()).prop_map(|(parent, transform)| Step::Add { parent, transform });
    let change = prop_oneof![
        6 => index().prop_map(Step::Remove),
        6 => add(),
        8 => attach(),
        1 => index().prop_map(Step::Detach),
        2 => (index(), transform()).prop_map(|(node, transform)| Step::SetTransform { node, transform }),
        1 => (index(), parent()).prop_map(|(node, parent)| Step::SetParent { node, parent }),
        1 => (index(), index()).prop_map(|(collider, node)| Step::MoveCollider { collider, node }),
        1 => Just(Step::Update),
    ];
    let fill = (prop::collection::vec(add(), 66..72), prop::collection::vec(attach(), 66..72));
    (fill, prop::collection::vec(change, 20..60)).prop_map(|((nodes, colliders), changes)| {
        let filled = nodes.into_iter().chain(colliders).chain([Step::Update]);
        Program(filled.chain(changes).chain([Step::Update]).collect())
    })
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn nodes_that_come_and_go_leave_a_large_scene_equal_to_the_naive_model(program in churn()) {
        run(&program).map_err(TestCaseError::fail)?;
    }
}

/// Returns a program in which a few nodes close to each other move, push each other and ride on each other, some of
/// them below a common parent.
fn crowd() -> impl Strategy<Value = Program> {
    let index = || 0..8_usize;
    let parent = || prop_oneof![3 => Just(0), 1 => index()];
    let near = || prop_oneof![[-8..=8_i8, -8..=8_i8].prop_map(|at| vec2(at[0].into(), at[1].into()) * 0.5), point()];
    let at = || prop_oneof![2 => near().prop_map(Transform::from_position), 1 => support::transform()];
    let add = move || (parent(), at()).prop_map(|(parent, transform)| Step::Add { parent, transform });
    let attach = move || (1..8_usize, spec()).prop_map(|(node, spec)| Step::Attach { node, spec, sensor: false });
    let rotation = || prop_oneof![Just(0.0), -2.0..2.0_f32];
    let step = prop_oneof![
        8 => (index(), near()).prop_map(|(node, displacement)| Step::MoveAndSlide { node, displacement }),
        2 => (index(), near()).prop_map(|(node, displacement)| Step::MoveAndCollide { node, displacement }),
        6 => (index(), near(), rotation())
            .prop_map(|(node, displacement, rotation)| Step::Push { node, displacement, rotation }),
        2 => (index(), at()).prop_map(|(node, transform)| Step::SetTransform { node, transform }),
        1 => (index(), parent()).prop_map(|(node, parent)| Step::SetParentInPlace { node, parent }),
        1 => index().prop_map(Step::Mirror),
        1 => index().prop_map(Step::Depenetrate),
        1 => Just(Step::Update),
    ];
    let fill = (prop::collection::vec(add(), 7), prop::collection::vec(attach(), 5..9));
    (fill, prop::collection::vec(step, 1..24))
        .prop_map(|((nodes, colliders), steps)| Program(nodes.into_iter().chain(colliders).chain(steps).collect()))
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn movers_that_push_each_other_leave_the_scene_equal_to_the_naive_model(program in crowd()) {
        run(&program).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn whatever_changes_about_a_mover_it_and_its_collider_stay_equal_to_the_naive_model() {
    let at = |x: f32| Transform { position: vec2(x, 0.0), ..Transform::IDENTITY };
    // Node 1 may be above the mover, which is node 2 with collider 2.
    let others = [
        Step::SetParent { node: 3, parent: 2 },
        Step::SetParent { node: 2, parent: 3 },
        Step::SetParentInPlace { node: 2, parent: 3 },
        Step::SetParent { node: 2, parent: 0 },
        Step::SetParent { node: 1, parent: 3 },
        Step::Add { parent: 2, transform: at(0.5) },
        Step::Attach { node: 2, spec: ShapeSpec::Rect([3.0, 0.5]), sensor: false },
        Step::Detach(2),
        Step::MoveCollider { collider: 2, node: 3 },
        Step::MoveCollider { collider: 3, node: 2 },
        Step::SetCollider { collider: 2, spec: ShapeSpec::Rect([0.5, 3.0]) },
        Step::SetCollider { collider: 2, spec: ShapeSpec::User(0.5) },
        Step::SetColliderEnabled { collider: 2, on: false },
        Step::SetScale { node: 2, by: vec2(2.0, 1.0) },
        Step::Remove(1),
        Step::Remove(2),
        Step::Remove(3),
        Step::Restore,
    ];
    let of_any_node = (0..=2).flat_map(|node| {
        [
            Step::SetNodeEnabled { node, on: false },
            Step::SetOwnsSubtree { node, on: true },
            Step::SetTransform { node, transform: at(3.0) },
            Step::SetX { node, x: f32::NAN },
            Step::SetX { node, x: 3e38 },
        ]
    });
    let moved = |x| [Step::SetX { node: 2, x }, Step::Update];
    for (other, parent, moves_first, has_collider) in others
        .into_iter()
        .chain(of_any_node)
        .flat_map(|other| (0..8).map(move |bits| (other, bits & 1, bits & 2 == 0, bits & 4 == 0)))
    {
        let add = |parent, x| Step::Add { parent, transform: at(x) };
        let mut steps = vec![add(0, 0.0), add(parent, 2.0), add(0, 4.0)];
        steps.extend((1..=3).map(|node| Step::Attach { node, spec: ShapeSpec::Circle(0.75), sensor: false }));
        if !has_collider {
            steps.push(Step::Detach(2));
        }
        steps.extend([Step::Update, Step::Save]);
        steps.extend(moved(1.0));
        let mut both = [other, Step::SetX { node: 2, x: 3.0 }];
        if moves_first {
            both.reverse();
        }
        steps.extend(both);
        steps.push(Step::Update);
        steps.extend([2.5, 0.25].into_iter().flat_map(moved));
        steps.extend([Step::SetX { node: 3, x: 3.5 }, Step::SetX { node: 2, x: 2.75 }, Step::Update]);
        let program = Program(steps);
        assert_eq!(run(&program), Ok(()), "{program}");
    }
}

/// Returns a program with every kind of step and every spec.
fn complete_program() -> Program {
    let (a, b, c, d) = (vec2(0.0, 0.0), vec2(1.0, -0.5), vec2(1.5, 1.0), vec2(0.25, 2.0));
    let e = vec2(-1.0, f32::MIN_POSITIVE);
    let turned = Transform { position: c, rotation: 0.5, scale: vec2(-1.0, 2.0), skew: 1e-7 };
    let specs = [
        ShapeSpec::Circle(1.5),
        ShapeSpec::Point(a),
        ShapeSpec::Segment([a, b]),
        ShapeSpec::Capsule([b, c], 0.5),
        ShapeSpec::Rect([2.0, 1e-9]),
        ShapeSpec::Polygon([a, b, c, d, e]),
        ShapeSpec::Ellipse([1.0, 3e5]),
        ShapeSpec::Rounded([a, b, c, d], 0.25),
        ShapeSpec::User(1.0),
        ShapeSpec::Polyline([a, b, c, d, e], false),
        ShapeSpec::Polyline([e, d, c, b, a], true),
        ShapeSpec::Compound(0.5, [2.0, 3.0]),
        ShapeSpec::Tiles(0b101_010_111, [1.0, 0.5]),
    ];
    for kind in ShapeKind::ALL {
        let is_of_kind =
            |spec: &ShapeSpec| discriminant(spec) == discriminant(&ShapeSpec::new(*kind, &Numbers::PLAIN, 0));
        assert!(specs.iter().any(is_of_kind), "the list of specs lacks {kind:?}");
    }
    let mut steps = vec![Step::Add { parent: 0, transform: turned }, Step::Add { parent: 1, transform: turned }];
    let attach = |(node, spec): (usize, ShapeSpec)| Step::Attach { node, spec, sensor: node % 4 == 3 };
    steps.extend(specs.into_iter().enumerate().map(attach));
    steps.extend([
        Step::Update,
        Step::Save,
        Step::SetParent { node: 2, parent: 0 },
        Step::SetParentInPlace { node: 1, parent: 2 },
        Step::MoveChild { node: 1, index: 0 },
        Step::CopySubtree { node: 2, parent: 1 },
        Step::Graft { node: 1, parent: 0 },
        Step::MoveCollider { collider: 3, node: 2 },
        Step::SetTransform { node: 1, transform: Transform::IDENTITY },
        Step::Mirror(2),
        Step::SetScale { node: 1, by: vec2(0.0, -0.0) },
        Step::SetX { node: 2, x: f32::NAN },
        Step::SetX { node: 1, x: f32::INFINITY },
        Step::SetX { node: 7, x: f32::NEG_INFINITY },
        Step::SetNodeEnabled { node: 2, on: false },
        Step::SetOwnsSubtree { node: 1, on: true },
        Step::IgnorePair([1, 2]),
        Step::StopIgnoringPair([2, 1]),
        Step::SetColliderEnabled { collider: 1, on: false },
        Step::SetSensor { collider: 1, on: true },
        Step::SetOneWay { collider: 5, up: Some(d) },
        Step::SetOneWay { collider: 5, up: None },
        Step::SetLayers { collider: 4, layers: CollisionLayers::SCENERY },
        Step::SetCollider { collider: 4, spec: ShapeSpec::Circle(0.0) },
        Step::Detach(2),
        Step::Query { from: a, to: d, probe: ShapeSpec::Rect([1.0, 1.0]) },
        Step::Restore,
        Step::MoveAndSlide { node: 1, displacement: b },
        Step::MoveAndCollide { node: 2, displacement: d },
        Step::Push { node: 2, displacement: c, rotation: -0.5 },
        Step::Depenetrate(2),
        Step::Remove(2),
        Step::Clear,
    ]);
    Program(steps)
}

#[test]
fn a_program_displays_as_rust_that_compiles_and_runs() {
    assert_eq!(include_str!("golden/program.txt"), format!("{{\n{}}}\n", complete_program()));
    assert_eq!(run(&complete_program()), Ok(()));
    displayed_program();
}

/// The displayed program. The compiler checks it, and the test runs it.
#[allow(clippy::all, clippy::pedantic, unused)]
fn displayed_program() {
    use hitgraph::{
        Attachment, Capsule, Circle, ColliderId, Compound, Ellipse, Motion, MoveOptions, Node, NodeId, Polygon,
        Polyline, QueryFilter, Rect, Rounded, Scene, Segment, Shape, Tiles,
    };
    use support::Squircle;

    include!("golden/program.txt")
}
