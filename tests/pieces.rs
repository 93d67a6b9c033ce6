//! Shapes of many pieces: one collider each, and the same answers as from its pieces one by one.

mod support;

use std::f32::consts::TAU;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine2, DVec2, Mat2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionEvent, Compound, DebugGeometry, DebugOptions, Node,
    Polygon, Polyline, Rect, Scene, Segment, Shape, ShapeError, Tile, Tiles, Transform,
};
use proptest::prelude::*;
use support::{Body, Squircle, anything, at, body, cases, numbers, point, transform};

fn put(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> ColliderId {
    scene.add_with(Node::new("n").with_transform(transform), collider).1
}

/// Shapes that a user holds in a list of their own.
#[derive(Debug, Clone)]
struct Listed(Vec<Shape>);

impl Collider for Listed {
    fn support(&self, direction: Vec2) -> Vec2 {
        let points = self.0.iter().map(|shape| shape.support(direction));
        points.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap_or_default()
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        for (number, shape) in self.0.iter().enumerate().filter(|(_, shape)| shape.bounds().overlaps(*region)) {
            visit(number as u32, shape);
        }
        true
    }
}

// --- Outlines ---

/// Points around a centre, at any distance from it.
fn star() -> impl Strategy<Value = Vec<Vec2>> {
    (prop::collection::vec(0.1..1.0_f32, 3..40), 1.0..100.0_f32).prop_map(|(radii, size)| {
        let step = TAU / radii.len() as f32;
        radii.iter().enumerate().map(|(i, radius)| Vec2::from_angle(step * i as f32) * *radius * size).collect()
    })
}

/// Towers of whole numbers, with points on straight sides.
fn skyline() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec(1..6_u8, 1..30).prop_map(|heights| {
        let mut outline = vec![vec2(heights.len() as f32, 0.0), vec2(0.0, 0.0)];
        for (x, height) in heights.iter().enumerate() {
            outline.extend([x, x + 1].map(|x| vec2(x as f32, f32::from(*height))));
        }
        outline
    })
}

/// A strip that winds around itself.
fn spiral() -> impl Strategy<Value = Vec<Vec2>> {
    (8..80_usize, 0.05..0.7_f32).prop_map(|(count, width)| {
        let around = |i: usize, more: f32| Vec2::from_angle(0.4 * i as f32) * (3.0 + 0.4 * i as f32 / TAU + more);
        let outer = (0..count).map(|i| around(i, width));
        outer.chain((0..count).rev().map(|i| around(i, 0.0))).collect()
    })
}

/// Thin teeth, some of them slivers.
fn comb() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((1e-4..1.0_f32, 0.1..9.0_f32), 2..20).prop_map(|teeth| {
        let mut outline = Vec::new();
        for (i, (width, length)) in teeth.iter().enumerate() {
            outline.extend([
                vec2(i as f32, 0.0),
                vec2(i as f32 + width * 0.5, *length),
                vec2(i as f32 + width * 0.9, 0.0),
            ]);
        }
        outline.extend([vec2(teeth.len() as f32, -0.5), vec2(-0.5, -0.5)]);
        outline
    })
}

/// Any simple outline, in either winding, from any point on, some points twice.
fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    let shape = prop_oneof![star().boxed(), skyline().boxed(), spiral().boxed(), comb().boxed()];
    (shape, any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(mut outline, turned, first, twice)| {
            if turned {
                outline.reverse();
            }
            let (first, twice) = (first.index(outline.len()), twice.index(outline.len()));
            outline.rotate_left(first);
            outline.insert(twice, outline[twice]);
            outline
        },
    )
}

/// Twice the signed area, exact enough for any of these.
fn twice_area(points: &[Vec2]) -> f64 {
    let first = points[0].as_dvec2();
    let relative = |point: &Vec2| point.as_dvec2() - first;
    points.windows(2).map(|pair| relative(&pair[0]).perp_dot(relative(&pair[1]))).sum()
}

/// Whether a ray to the right crosses the outline an odd number of times.
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

fn from_border(outline: &[Vec2], point: Vec2) -> f64 {
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
    fn an_outline_becomes_convex_pieces_that_cover_it_exactly(outline in outline(), samples in prop::array::uniform32((0.0..1.0_f32, 0.0..1.0_f32))) {
        let compound = Compound::from_outline(&outline).unwrap();
        let whole = twice_area(&outline).abs();
        let mut sum = 0.0;
        for piece in compound.pieces() {
            let corners = corners(piece);
            prop_assert!(corners.iter().all(|corner| outline.contains(corner)), "no new points");
            prop_assert!(Polygon::convex(&corners).is_ok(), "{corners:?}");
            let area = twice_area(&corners);
            prop_assert!(area > 0.0, "counter-clockwise: {corners:?}");
            sum += area;
        }
        prop_assert!((sum - whole).abs() <= 1e-9 * whole, "{sum} of {whole}");
        let mut scene = Scene::new();
        put(&mut scene, Transform::IDENTITY, compound);
        let bounds = Aabb::from_points(outline.iter().copied());
        for sample in samples {
            let sample = bounds.min + bounds.size() * Vec2::from(sample);
            let found = scene.world().at_point(sample, &anything()).len() == 1;
            let off = from_border(&outline, sample) > 1e-6 * f64::from(bounds.size().max_element());
            prop_assert!(found == inside(&outline, sample) || !off, "{sample}: {found}");
        }
    }

    #[test]
    fn two_sides_that_cross_are_told_with_their_place(outline in star(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let (from, to) = (from.index(outline.len()), to.index(outline.len()));
        let mut crossed = outline.clone();
        crossed.swap(from, to);
        match Compound::from_outline(&crossed) {
            Ok(compound) => {
                let sum: f64 = compound.pieces().iter().map(|piece| twice_area(&corners(piece))).sum();
                prop_assert!((sum - twice_area(&crossed).abs()).abs() <= 1e-9 * sum);
            }
            Err(ShapeError::CrossesItself { first, second, at }) => {
                for side in [first, second] {
                    let ends = [crossed[side], crossed[(side + 1) % crossed.len()]];
                    prop_assert!(from_border(&ends, at) < 1e-4, "{at} is not on the side after {side}");
                }
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

/// How often an outline goes around a point, counter-clockwise.
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

    // On a grid of five by five nearly every outline touches itself somewhere, and most cross.
    #[test]
    fn an_outline_that_touches_itself_is_cut_exactly_or_refused(places in prop::collection::vec((0..5_u8, 0..5_u8), 4..12)) {
        let outline: Vec<Vec2> = places.iter().map(|(x, y)| vec2(f32::from(*x), f32::from(*y))).collect();
        let samples = (0..24 * 24_u16).map(|i| vec2(f32::from(i / 24), f32::from(i % 24)) / 6.0 + vec2(0.0371, 0.0617));
        let windings: Vec<(Vec2, i32)> = samples.map(|sample| (sample, winding(&outline, sample))).collect();
        let around = |times: i32| windings.iter().all(|(_, found)| *found == 0 || *found == times);
        match Compound::from_outline(&outline) {
            Ok(compound) => {
                prop_assert!(around(1) || around(-1), "it goes around something twice, or both ways");
                let mut scene = Scene::new();
                put(&mut scene, Transform::IDENTITY, compound);
                for (sample, times) in &windings {
                    let found = scene.world().at_point(*sample, &anything()).len() == 1;
                    prop_assert!(found == (*times != 0) || from_border(&outline, *sample) == 0.0, "{sample}: {found}");
                }
            }
            Err(error) => prop_assert!(matches!(error, ShapeError::CrossesItself { .. }), "{error}"),
        }
    }
}

#[test]
fn few_pieces_are_made() {
    let ell = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    assert_eq!(Compound::from_outline(&ell).unwrap().pieces().len(), 2);
    let circle: Vec<Vec2> = (0..200).map(|i| Vec2::from_angle(TAU / 200.0 * i as f32)).collect();
    assert_eq!(Compound::from_outline(&circle).unwrap().pieces().len(), 1);
    // A plus has four concave corners, each of which one cut can serve, or two corners together.
    let plus: Vec<Vec2> =
        [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]
            .map(|(x, y)| vec2(x as f32, y as f32))
            .to_vec();
    assert!(Compound::from_outline(&plus).unwrap().pieces().len() <= 5);
}

#[test]
fn outlines_with_nothing_wrong_but_their_looks_are_accepted() {
    let area = |outline: &[Vec2]| -> f64 {
        let compound = Compound::from_outline(outline).unwrap();
        compound.pieces().iter().map(|piece| twice_area(&corners(piece)) / 2.0).sum()
    };
    let square = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(0.0, 2.0)];
    assert_eq!(area(&square), 4.0);
    let repeated = [square[0], square[0], square[1], square[2], square[2], square[3], square[0]];
    assert_eq!(area(&repeated), 4.0, "repeated points, also the first at the end");
    let straight = [vec2(1.0, 0.0), square[1], vec2(2.0, 0.5), square[2], square[3], vec2(0.0, 1.0), square[0]];
    assert_eq!(area(&straight), 4.0, "points on straight sides, also the first one");
    let spike = [square[0], square[1], vec2(5.0, 0.0), square[1], square[2], vec2(2.0, 9.0), square[2], square[3]];
    assert_eq!(area(&spike), 4.0, "spikes without width");
    let hole = [vec2(0.5, 0.5), vec2(0.5, 1.5), vec2(1.5, 1.5), vec2(1.5, 0.5)];
    let ring = [&square[..], &square[..1], &hole[..], &hole[..1]].concat();
    assert_eq!(area(&ring), 3.0, "a hole that a cut leads to");
    let pinched = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(1.0, 1.0), vec2(0.0, 2.0)];
    assert_eq!(area(&pinched), 2.0, "two triangles that share a corner");
    let on_a_side = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(2.0, 0.0), vec2(0.0, 3.0)];
    assert_eq!(area(&on_a_side), 6.0, "a corner that lies on another side");
}

#[test]
fn an_outline_without_area_is_the_segment_or_the_point_that_it_is() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, 0.0), Compound::from_outline(&[vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(1.0, 0.0)]).unwrap());
    put(&mut scene, at(0.0, 5.0), Compound::from_outline(&[vec2(0.0, 0.0)]).unwrap());
    let count = |scene: &mut Scene, x: f32, y: f32| scene.world().at_point(vec2(x, y), &anything()).len();
    assert_eq!([count(&mut scene, 3.0, 0.0), count(&mut scene, 3.0, 0.1), count(&mut scene, 0.0, 5.0)], [1, 0, 1]);
}

#[test]
fn bad_outlines_are_refused_with_a_reason_and_a_place() {
    let told = |outline: &[Vec2]| Compound::from_outline(outline).unwrap_err().to_string();
    let bowtie = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    let meets = "where the side after point 0 meets the one after point 2";
    assert_eq!(told(&bowtie), format!("the outline crosses itself at [0.5, 0.5], {meets}"));
    assert_eq!(told(&[]), "an outline needs at least one point");
    assert_eq!(told(&[Vec2::ZERO, Vec2::X, vec2(0.0, f32::NAN)]), "a point of the outline must be finite, but is NaN");
    let pentagram: Vec<Vec2> = (0..5).map(|i| Vec2::from_angle(TAU * 0.4 * i as f32)).collect();
    assert!(told(&pentagram).starts_with("the outline crosses itself at ["));
    let square = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
    assert!(told(&[square, square].concat()).contains("crosses itself"), "twice around");
    let smaller = square.map(|corner| corner * 0.5);
    assert!(told(&[square, smaller].concat()).contains("crosses itself at [0, 0]"), "and once more in a corner");
    let at_a_corner = [vec2(0.0, 0.0), vec2(2.0, 2.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(2.0, 2.0), vec2(0.0, 4.0)];
    let crossed = [at_a_corner[0], at_a_corner[1], at_a_corner[3], at_a_corner[2], at_a_corner[4], at_a_corner[5]];
    assert!(told(&crossed).contains("crosses itself at [2, 2]"), "through a point that it passes twice");
}

#[test]
fn an_outline_of_thousands_of_points_is_cut() {
    let coast: Vec<Vec2> = (0..6000)
        .map(|i| {
            Vec2::from_angle(TAU / 6000.0 * i as f32) * (50.0 + 9.0 * (i as f32 * 0.37).sin() + (i as f32 * 1.9).sin())
        })
        .collect();
    let compound = Compound::from_outline(&coast).unwrap();
    let sum: f64 = compound.pieces().iter().map(|piece| twice_area(&corners(piece))).sum();
    assert!((sum / twice_area(&[&coast[..], &coast[..1]].concat()) - 1.0).abs() < 1e-9);
    let reversed: Vec<Vec2> = coast.iter().rev().copied().collect();
    assert!(Compound::from_outline(&reversed).unwrap().pieces().len().abs_diff(compound.pieces().len()) < 400);
}

// --- The same answers as from the pieces ---

/// A shape of many pieces with its pieces.
#[derive(Debug, Clone)]
struct Whole {
    attachment: Attachment,
    pieces: Vec<Shape>,
}

fn tiles() -> impl Strategy<Value = Tiles> {
    let tile = prop_oneof![
        3 => Just(Tile::EMPTY),
        4 => Just(Tile::FULL),
        1 => Just(Tile::slope(0.0, 1.0)),
        1 => Just(Tile::slope(0.75, 0.25).flipped()),
        1 => Just(Tile::part(vec2(0.0, 0.5), vec2(1.0, 1.0))),
        1 => Just(Tile::part(vec2(0.25, 0.0), vec2(0.5, 1.0))),
    ];
    (1..7_u32, prop::collection::vec(tile, 1..40), (0.1..2.0_f32, 0.1..2.0_f32)).prop_map(|(columns, cells, size)| {
        let rows = (cells.len() as u32).div_ceil(columns);
        let cell = |column, row| cells.get((row * columns + column) as usize).copied().unwrap_or_default();
        Tiles::from_tiles(columns, rows, size.into(), cell).unwrap()
    })
}

/// The pieces as they lie in the shape's own frame.
fn pieces_of(collider: &dyn Collider) -> Vec<(u32, Shape)> {
    let mut pieces = Vec::new();
    assert!(collider.pieces(&Aabb::EVERYTHING, &mut |number, piece| pieces.push((number, piece.clone()))));
    pieces.sort_by_key(|(number, _)| *number);
    pieces
}

fn whole() -> impl Strategy<Value = Whole> {
    let shapes = prop::collection::vec(support::body_of(support::BUILT_IN), 1..12).prop_map(|bodies| {
        let finite = bodies.iter().filter_map(Body::shape);
        Attachment::new(Compound::new(finite.filter(|shape| shape.bounds().is_finite())).unwrap())
    });
    let line = (prop::collection::vec(point(), 1..20), any::<bool>()).prop_map(|(points, closed)| {
        Attachment::new(if closed { Polyline::closed(&points) } else { Polyline::new(&points) }.unwrap())
    });
    let solid = outline().prop_map(|outline| Attachment::new(Compound::from_outline(&outline).unwrap()));
    let built_in = prop_oneof![shapes.boxed(), line.boxed(), solid.boxed(), tiles().prop_map(Attachment::new).boxed()];
    (built_in, any::<bool>()).prop_filter_map("it has pieces", |(attachment, listed)| {
        let pieces: Vec<Shape> = pieces_of(attachment.shape()).into_iter().map(|(_, piece)| piece).collect();
        let attachment = if listed { Listed(pieces.clone()).into() } else { attachment };
        (!pieces.is_empty()).then_some(Whole { attachment, pieces })
    })
}

/// The whole under a node, and beside it a node of the same place with every piece as a collider of its own.
fn whole_and_parts(scene: &mut Scene, whole: &Whole, place: Transform) -> (ColliderId, Vec<ColliderId>) {
    let one = put(scene, place, whole.attachment.clone());
    let parts = scene.add(Node::new("parts").with_transform(place));
    (one, whole.pieces.iter().map(|piece| scene.attach(parts, piece.clone()).unwrap()).collect())
}

fn close(a: f32, b: f32, scale: f32) -> bool {
    (a - b).abs() <= 2e-6 * scale
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn a_whole_answers_as_its_pieces_do(whole in whole(), place in transform(), other in body()) {
        let mut scene = Scene::new();
        let (one, parts) = whole_and_parts(&mut scene, &whole, place);
        let probe = put(&mut scene, other.transform, other.attachment.clone());
        let world = scene.world();
        let touched = |id: ColliderId| world.overlaps(probe).any(|side| side.collider == id);
        prop_assert_eq!(touched(one), parts.iter().any(|part| touched(*part)));
        prop_assert_eq!(world.contact(one, probe).is_some(), touched(one));

        let distance = parts.iter().filter_map(|part| world.distance(*part, probe)).fold(f32::INFINITY, f32::min);
        let reach = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).element_sum();
        let scale = reach(world.bounds(one).unwrap()) + reach(world.bounds(probe).unwrap());
        let found = world.distance(one, probe).unwrap();
        prop_assert!(close(found, distance, scale), "{found} instead of {distance}");
        let [on_one, on_probe] = world.closest_points(one, probe).unwrap();
        prop_assert!(close(on_one.distance(on_probe), found, 2.0 * scale));

        let depth = parts.iter().filter_map(|part| world.contact(*part, probe)).map(|contact| contact.depth).fold(0.0, f32::max);
        if let Some(contact) = world.contact(one, probe) {
            prop_assert!(close(contact.depth, depth, scale) || (contact.depth - depth).abs() <= 0.002 * depth, "{contact:?}: {depth}");
            prop_assert!(contact.pieces[1] == 0);
            prop_assert_eq!(world.contact(probe, one), Some(contact.flipped()));
        }
    }

    #[test]
    fn rays_and_points_meet_a_whole_as_they_meet_its_pieces(whole in whole(), place in transform(), from in point(), to in point()) {
        let mut scene = Scene::new();
        let (one, parts) = whole_and_parts(&mut scene, &whole, place);
        let world = scene.world();
        let own = |side: hitgraph::Side| side.collider == one;
        let hit = world.only(&own).cast_ray(from, to - from, 50.0, &anything());
        let others = |side: hitgraph::Side| side.collider != one;
        let first = world.only(&others).cast_ray(from, to - from, 50.0, &anything());
        prop_assert_eq!(hit.is_some(), first.is_some());
        if let (Some(hit), Some(first)) = (hit, first) {
            prop_assert!(close(hit.distance, first.distance, 50.0), "{hit:?} {first:?}");
            prop_assert!(hit.normal.dot(to - from) <= 1e-6 * from.distance(to));
        }
        let nearest = parts.iter().filter_map(|part| world.project_point(*part, from)).map(|found| found.distance).fold(f32::INFINITY, f32::min);
        let found = world.project_point(one, from).unwrap();
        let scale = world.bounds(one).unwrap().size().element_sum() + found.distance;
        prop_assert!(close(found.distance, nearest, scale));
        let there = world.project_point(parts[pieces_of(whole.attachment.shape()).iter().position(|(number, _)| *number == found.piece).unwrap()], from).unwrap();
        prop_assert!(close(there.distance, nearest, scale), "the piece that is told is the nearest one");
        prop_assert_eq!(world.only(&own).at_point(from, &anything()).len() == 1, found.inside);
    }

    #[test]
    fn two_wholes_meet_as_their_pieces_do(a in whole(), b in whole(), place_a in transform(), place_b in transform()) {
        let mut scene = Scene::new();
        let (one, ones) = whole_and_parts(&mut scene, &a, place_a);
        let (two, twos) = whole_and_parts(&mut scene, &b, place_b);
        let world = scene.world();
        let pairs = || ones.iter().flat_map(|one| twos.iter().map(move |two| (*one, *two)));
        let distance = pairs().filter_map(|(a, b)| world.distance(a, b)).fold(f32::INFINITY, f32::min);
        let depth = pairs().filter_map(|(a, b)| world.contact(a, b)).map(|contact| contact.depth).fold(0.0, f32::max);
        let scale = world.bounds(one).unwrap().union(world.bounds(two).unwrap()).size().element_sum();
        prop_assert!(close(world.distance(one, two).unwrap(), distance, scale));
        let contact = world.contact(one, two);
        prop_assert_eq!(contact.is_some(), distance == 0.0);
        prop_assert_eq!(contact.is_some(), world.overlaps(one).any(|side| side.collider == two));
        if let Some(contact) = contact {
            prop_assert!(close(contact.depth, depth, scale) || (contact.depth - depth).abs() <= 0.002 * depth, "{contact:?}: {depth}");
        }
    }

    #[test]
    fn the_box_of_a_whole_is_that_of_its_pieces(whole in whole(), place in transform()) {
        let mut scene = Scene::new();
        let (one, parts) = whole_and_parts(&mut scene, &whole, place);
        let world = scene.world();
        let (own, all) = (world.bounds(one).unwrap(), parts.iter().filter_map(|part| world.bounds(*part)).reduce(Aabb::union).unwrap());
        let slack = 4e-6 * (own.min.abs().max(own.max.abs()).element_sum() + all.size().element_sum());
        prop_assert!(own.grown(slack).contains(all.min) && own.grown(slack).contains(all.max));
        prop_assert!(all.grown(slack).contains(own.min) && all.grown(slack).contains(own.max), "{own:?} {all:?}");
    }

    #[test]
    fn regions_and_brushes_find_a_whole_as_they_find_its_pieces(whole in whole(), place in transform(), numbers in numbers(), corner in point()) {
        let mut scene = Scene::new();
        let (one, _) = whole_and_parts(&mut scene, &whole, place);
        let world = scene.world();
        let brush = Rect::new(numbers.sizes[0], numbers.sizes[1]);
        let region = Aabb::from_center(corner, Vec2::from(numbers.sizes) * 0.5);
        let both = |found: Vec<hitgraph::Side>| (found.iter().any(|side| side.collider == one), found.iter().any(|side| side.collider != one));
        let (found, expected) = both(world.in_aabb(region, &anything()).collect());
        prop_assert_eq!(found, expected);
        let (found, expected) = both(world.overlaps_shape(&brush, &Affine2::from_translation(corner), &anything()).collect());
        prop_assert_eq!(found, expected);
        // The whole as the brush, against the pieces and itself: all of them are there, or none.
        let here = place.to_affine();
        let met = world.overlaps_shape(whole.attachment.shape(), &here, &anything());
        prop_assert_eq!(met.len(), world.scene().collider_count());
    }
}

#[test]
fn a_ray_from_inside_hits_at_zero_and_one_along_a_cut_hits_too() {
    let mut scene = Scene::new();
    let ell = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    put(&mut scene, at(0.0, 0.0), Compound::from_outline(&ell).unwrap());
    let cast = |scene: &mut Scene, from: Vec2, direction| scene.world().cast_ray(from, direction, 99.0, &anything());
    assert_eq!(cast(&mut scene, vec2(0.5, 0.5), Vec2::X).unwrap().distance, 0.0);
    let notch = cast(&mut scene, vec2(3.0, 3.0), -Vec2::X).unwrap();
    assert_eq!((notch.distance, notch.normal), (2.0, Vec2::X));
    for step in 0..=40_u8 {
        let y = 0.1 * f32::from(step);
        assert!(cast(&mut scene, vec2(-1.0, y), Vec2::X).is_some(), "{y}: cuts leave no gap");
    }
}

#[test]
fn no_ray_falls_between_tiles_of_any_size() {
    for size in [0.1_f32, 0.3, 1.7, 16.0] {
        let mut scene = Scene::new();
        // Different columns, so that nothing is joined from side to side.
        put(&mut scene, at(0.1, -0.7), Tiles::new(60, 60, Vec2::splat(size), |column, row| row < 20 + column % 2));
        for column in 1..60_u16 {
            let x = 0.1 + f32::from(column) * size;
            for x in [x, x.next_down(), x.next_up()] {
                assert!(scene.world().cast_ray(vec2(x, 1e3), -Vec2::Y, 2e3, &anything()).is_some(), "{size}: {x}");
            }
        }
    }
}

// --- One collider ---

#[test]
fn a_whole_starts_and_stops_once_however_many_pieces_are_touched() {
    let mut scene = Scene::new();
    let hills: Vec<Vec2> = (0..50).map(|i| vec2(i as f32, (i % 2) as f32)).collect();
    let ground = put(&mut scene, at(0.0, 0.0), Polyline::new(&hills).unwrap());
    let node = scene.add(Node::new("ball"));
    let ball = scene.attach(node, Circle::new(5.0)).unwrap();
    let other = put(&mut scene, at(0.0, 0.4), Compound::new([Rect::new(60.0, 0.1), Rect::new(60.0, 0.1)]).unwrap());
    let events = scene.update();
    assert_eq!(events.len(), 3, "{events:?}");
    assert!(events.iter().all(|event| matches!(event, CollisionEvent::Started(_))));
    scene[node].transform.position.x = 20.0;
    assert!(scene.update().is_empty(), "other pieces, the same touch");
    scene[node].transform.position.y = 20.0;
    let stopped = scene.update();
    assert_eq!(stopped.len(), 2);
    assert!(stopped.iter().all(
        |event| matches!(event, CollisionEvent::Stopped(pair) if pair.a.collider == ball || pair.b.collider == ball)
    ));
    assert_eq!(scene.world().overlaps(other).map(|side| side.collider).collect::<Vec<_>>(), [ground]);
}

#[test]
fn hits_and_contacts_tell_the_piece() {
    let mut scene = Scene::new();
    let posts = Compound::new((0..9_u8).map(|i| Circle::new(0.4).at(vec2(f32::from(i), 0.0)))).unwrap();
    let fence = put(&mut scene, at(0.0, 0.0), posts);
    let ball = put(&mut scene, at(4.1, 0.0), Circle::new(0.1));
    let world = scene.world();
    let hit = world.cast_ray(vec2(6.0, 9.0), -Vec2::Y, 99.0, &anything()).unwrap();
    assert_eq!((hit.side.collider, hit.piece), (fence, 6));
    assert_eq!(world.contact(fence, ball).unwrap().pieces, [4, 0]);
    assert_eq!(world.contact(ball, fence).unwrap().pieces, [0, 4]);
    assert_eq!(world.project_point(fence, vec2(2.2, 3.0)).unwrap().piece, 2);
    assert_eq!(world.project_point(ball, vec2(2.2, 3.0)).unwrap().piece, 0);
}

#[test]
fn what_is_drawn_is_every_piece_under_the_id_of_the_whole() {
    let mut scene = Scene::new();
    let line =
        put(&mut scene, at(3.0, 0.0), Polyline::closed(&[vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0)]).unwrap());
    let mut lines = Vec::new();
    scene.world().debug_draw(&DebugOptions::default(), |shape| {
        assert_eq!(shape.collider, Some(line));
        assert!(matches!(shape.geometry, DebugGeometry::Shape(Shape::Segment(_))));
        shape.lines(|a, b| lines.push([a.to_array(), b.to_array()].map(|point| point.map(|value| value as i32))));
    });
    lines.sort_unstable();
    assert_eq!(lines, [[[3, 0], [4, 0]], [[3, 1], [3, 0]], [[4, 0], [3, 1]]]);
}

#[test]
fn a_shape_without_pieces_touches_nothing_and_is_not_set_aside() {
    let empty: [Attachment; 3] = [
        Compound::new(Vec::<Shape>::new()).unwrap().into(),
        Tiles::new(4, 4, Vec2::ONE, |_, _| false).into(),
        Tiles::new(0, 7, Vec2::ONE, |_, _| true).into(),
    ];
    let mut scene = Scene::new();
    let ball = put(&mut scene, at(0.0, 0.0), Circle::new(9.0));
    for attachment in empty {
        let id = put(&mut scene, at(0.0, 0.0), attachment);
        assert!(scene.update().is_empty());
        assert!(scene.quarantined().is_empty());
        let world = scene.world();
        assert_eq!(
            (world.distance(ball, id), world.contact(ball, id), world.project_point(id, Vec2::ONE)),
            (None, None, None)
        );
        assert_eq!(world.at_point(Vec2::ZERO, &anything()).len(), 1);
        assert_eq!(world.in_aabb(Aabb::EVERYTHING, &anything()).len(), 1);
        let ray = world.cast_ray_all(vec2(-20.0, 0.0), Vec2::X, 99.0, &anything());
        assert_eq!(ray.len(), 1);
    }
}

/// A square that counts how often each of its visitors is asked.
#[derive(Debug, Default)]
struct Witness([AtomicU32; 2]);

impl Collider for &'static Witness {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction.signum()
    }

    fn collides_with_rect(&self, _: &Affine2, _: &Rect) -> bool {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        true
    }

    fn collides_with_segment(&self, _: &Affine2, _: &Segment) -> bool {
        self.0[1].fetch_add(1, Ordering::Relaxed);
        false
    }
}

#[test]
fn a_users_shape_is_visited_by_the_pieces_near_it() {
    static WITNESS: Witness = Witness([AtomicU32::new(0), AtomicU32::new(0)]);
    let asked = || [0, 1].map(|visitor: usize| WITNESS.0[visitor].swap(0, Ordering::Relaxed));
    let mut scene = Scene::new();
    let boxes = (0..1000_u16).map(|i| Rect::new(0.5, 0.5).at(vec2(f32::from(i), 0.0)));
    let boxes = put(&mut scene, at(0.0, 0.0), Compound::new(boxes).unwrap());
    let own = put(&mut scene, at(500.0, 0.0), &WITNESS);
    assert!(scene.world().overlaps(own).any(|side| side.collider == boxes));
    assert_eq!(asked(), [1, 0], "the first that touches is enough");
    let hills: Vec<Vec2> = (0..1000).map(|i| vec2(i as f32, 0.0)).collect();
    put(&mut scene, at(0.0, 0.0), Polyline::new(&hills).unwrap());
    scene.update();
    let [_, segments] = asked();
    assert!((2..=4).contains(&segments), "those near it alone: {segments}");
    assert!(scene.world().overlaps_shape(&Squircle(2.0), &Affine2::IDENTITY, &anything()).len() == 2);
}

/// Pieces that are where they are told to be, and tells how many it was asked for.
#[derive(Debug, Default)]
struct Meadow(AtomicU32);

impl Collider for &'static Meadow {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction.signum() * 1e4
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        let (low, high) = (region.min.max(Vec2::splat(-1e4)).ceil(), region.max.min(Vec2::splat(1e4)).floor());
        let (columns, rows) = (low.x as i32..=high.x as i32, low.y as i32..=high.y as i32);
        for (x, y) in columns.flat_map(|x| rows.clone().map(move |y| (x, y))) {
            self.0.fetch_add(1, Ordering::Relaxed);
            visit(0, &Circle::point(vec2(x as f32, y as f32)).into());
        }
        true
    }
}

#[test]
fn a_users_pieces_are_asked_for_only_where_they_matter() {
    static MEADOW: Meadow = Meadow(AtomicU32::new(0));
    let mut scene = Scene::new();
    let meadow = put(&mut scene, Transform::from_rotation(0.5), &MEADOW);
    let ball = put(&mut scene, at(300.4, -200.3), Circle::new(0.1));
    scene.update();
    let world = scene.world();
    let distance = world.distance(meadow, ball).unwrap();
    assert!((0.0..0.7).contains(&distance), "{distance}");
    assert!(world.cast_ray(vec2(300.4, -200.3), Vec2::from_angle(0.5), 1e3, &anything()).is_some());
    assert!(world.cast_ray(vec2(500.25, 0.3), Vec2::from_angle(0.61), 30.0, &anything()).is_none());
    let asked = MEADOW.0.load(Ordering::Relaxed);
    assert!(asked < 10_000, "of four hundred million: {asked}");
}

// --- Polylines ---

#[test]
fn a_polyline_has_no_inside_and_two_sides() {
    let mut scene = Scene::new();
    let square = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(0.0, 4.0)];
    let ring = put(&mut scene, at(0.0, 0.0), Polyline::closed(&square).unwrap());
    let ball = put(&mut scene, at(2.0, 2.0), Circle::new(0.5));
    assert!(scene.update().is_empty(), "in the middle of the ring");
    assert_eq!(scene.world().distance(ring, ball), Some(1.5));
    for (from, direction) in [(vec2(2.0, 2.9), Vec2::Y), (vec2(2.0, 9.0), -Vec2::Y)] {
        let hit = scene.world().cast_ray(from, direction, 99.0, &anything()).unwrap();
        assert_eq!((hit.point, hit.normal, hit.piece), (vec2(2.0, 4.0), -direction, 2));
    }
    assert_eq!(Polyline::new(&square).unwrap().piece_count(), 3);
    assert_eq!(Polyline::new(&square[..1]).unwrap().piece_count(), 1);
    assert_eq!(Polyline::new(&[]), Err(ShapeError::Empty));
    assert!(matches!(Polyline::closed(&[Vec2::INFINITY]), Err(ShapeError::NotFinite { .. })));
}

#[test]
fn a_one_sided_polyline_stops_rays_from_its_left() {
    let line = Polyline::new(&[vec2(-5.0, 0.0), vec2(0.0, 0.0), vec2(5.0, 0.0)]).unwrap().one_sided();
    assert_eq!(line.one_way_of(1), Some(Vec2::Y));
    let repeated = Polyline::new(&[Vec2::ZERO, Vec2::ZERO, Vec2::X, Vec2::X]).unwrap().one_sided();
    assert_eq!([0, 1, 2].map(|piece| repeated.one_way_of(piece)), [Some(Vec2::Y); 3], "also of pieces without length");
    for mirrored in [1.0, -1.0] {
        let mut scene = Scene::new();
        let place = Transform::from_scale(vec2(1.0, mirrored)).with_rotation(0.3);
        put(&mut scene, place, line.clone());
        let front = place.to_affine().matrix2 * Vec2::Y;
        assert!(scene.world().cast_ray(front * 3.0, -front, 99.0, &anything()).is_some(), "{mirrored}");
        assert!(scene.world().cast_ray(front * -3.0, front, 99.0, &anything()).is_none(), "{mirrored}");
        assert_eq!(scene.world().at_point(Vec2::ZERO, &anything()).len(), 1, "touching has no sides");
    }
}

#[test]
fn a_piece_without_length_has_the_front_of_its_neighbour() {
    let piece_hit = |points: &[Vec2], place: Transform, way: Vec2| {
        let mut scene = Scene::new();
        put(&mut scene, place, Polyline::new(points).unwrap().one_sided());
        let way = place.to_affine().matrix2 * way;
        let ball = Circle::new(0.5);
        let hit = scene.world().cast_shape(&ball, &Affine2::from_translation(way * -3.0), way * 6.0, &anything());
        hit.map(|hit| hit.piece)
    };
    for mirrored in [1.0, -1.0] {
        let place = Transform::from_scale(vec2(1.0, mirrored)).with_rotation(0.3);
        for points in [[Vec2::ZERO, Vec2::ZERO, Vec2::X], [Vec2::NEG_X, Vec2::ZERO, Vec2::ZERO]] {
            assert_eq!(piece_hit(&points, place, Vec2::NEG_Y), Some(0), "{points:?} from the front");
            assert_eq!(piece_hit(&points, place, Vec2::Y), None, "{points:?} from behind");
        }
        let nowhere = [Vec2::ZERO; 3];
        assert_eq!(piece_hit(&nowhere, place, Vec2::NEG_Y), Some(0), "a line of one place has no front");
        assert_eq!(piece_hit(&nowhere, place, Vec2::Y), Some(0), "a line of one place has no front");
    }
}

// --- Tiles ---

fn drawn(scene: &mut Scene) -> Vec<[[i32; 2]; 2]> {
    let mut lines = Vec::new();
    let grid = |point: Vec2| (point * 1024.0).as_ivec2().to_array();
    scene.world().debug_draw(&DebugOptions::default(), |shape| shape.lines(|a, b| lines.push([grid(a), grid(b)])));
    lines.sort_unstable();
    lines
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn an_edited_map_is_the_map_that_it_has_become(tiles in tiles(), edits in prop::collection::vec((0..7_u32, 0..40_u32, 0..4_usize), 0..60)) {
        let mut tiles = tiles;
        let kinds = [Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 1.0), Tile::part(vec2(0.0, 0.5), vec2(1.0, 1.0))];
        for (column, row, kind) in edits {
            let there = tiles.number_of(column, row).is_some();
            prop_assert_eq!(tiles.set(column, row, kinds[kind]), there);
            prop_assert_eq!(tiles.tile(column, row), there.then_some(kinds[kind]));
        }
        let fresh = Tiles::from_tiles(tiles.columns(), tiles.rows(), tiles.size(), |column, row| tiles.tile(column, row).unwrap()).unwrap();
        prop_assert_eq!(pieces_of(&tiles), pieces_of(&fresh));
        prop_assert_eq!(tiles.piece_count(), fresh.piece_count());
        let scenes = [tiles, fresh].map(|tiles| {
            let mut scene = Scene::new();
            put(&mut scene, Transform::IDENTITY, tiles);
            drawn(&mut scene)
        });
        prop_assert_eq!(&scenes[0], &scenes[1]);
    }

    #[test]
    fn a_full_tile_is_full_and_an_empty_one_empty(columns in 1..12_u32, cells in prop::collection::vec(any::<bool>(), 1..100), size in (0.25..4.0_f32, 0.25..4.0_f32)) {
        let rows = (cells.len() as u32).div_ceil(columns);
        let full = |column: u32, row: u32| cells.get((row * columns + column) as usize) == Some(&true);
        let mut scene = Scene::new();
        let tiles = Tiles::new(columns, rows, size.into(), full);
        put(&mut scene, Transform::IDENTITY, tiles.clone());
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            let middle = (vec2(column as f32, row as f32) + 0.5) * Vec2::from(size);
            prop_assert_eq!(tiles.place_of(middle), Some((column, row)));
            prop_assert_eq!(scene.world().at_point(middle, &anything()).len() == 1, full(column, row));
        }
    }
}

#[test]
fn equal_boxes_are_joined_and_their_edges_vanish() {
    assert_eq!(Tiles::new(100, 1, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(100, 100, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(10, 10, Vec2::ONE, |column, row| row < 3 || column == 0).piece_count(), 2);
    assert_eq!(Tiles::new(9, 9, Vec2::ONE, |column, row| (column + row) % 2 == 0).piece_count(), 41);
    let of = |tile: Tile| Tiles::from_tiles(4, 4, Vec2::ONE, |_, _| tile).unwrap().piece_count();
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(1.0, 0.5))), 4, "a low half is joined along its row");
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(0.5, 1.0))), 4, "a left half is joined along its column");
    assert_eq!(of(Tile::slope(0.0, 1.0)), 16, "a slope is not");
    assert_eq!(of(Tile::FULL.one_way(Vec2::Y)), 1);
}

#[test]
fn tiles_are_what_they_say() {
    let row = [
        Tile::slope(0.0, 1.0),
        Tile::slope(1.0, 0.0).flipped(),
        Tile::part(vec2(0.5, 1.0), vec2(0.25, -3.0)),
        Tile::EMPTY,
    ];
    let tiles = Tiles::from_tiles(4, 1, vec2(2.0, 4.0), |column, _| row[column as usize]).unwrap();
    let mut scene = Scene::new();
    put(&mut scene, at(10.0, 0.0), tiles);
    let mut solid = |x: f32, y: f32| scene.world().at_point(vec2(10.0 + x, y), &anything()).len() == 1;
    assert!(solid(1.5, 2.9) && !solid(1.5, 3.1), "a ramp");
    assert!(solid(2.5, 1.1) && !solid(2.5, 0.9), "hanging: what was below is above");
    assert!(
        solid(4.6, 4.0) && solid(5.0, 0.0) && !solid(4.4, 2.0) && !solid(5.1, 2.0),
        "a part, its corners in any order"
    );
    assert!(!solid(7.0, 2.0), "nothing");
}

#[test]
fn a_one_way_tile_tells_its_direction() {
    let plank = Tile::part(vec2(0.0, 0.75), Vec2::ONE).one_way(Vec2::Y);
    let tiles = Tiles::from_tiles(5, 2, Vec2::ONE, |column, _| if column < 3 { plank } else { Tile::FULL }).unwrap();
    let numbers: Vec<u32> = pieces_of(&tiles).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [0, 3, 5], "a plank a row, and the wall: each by its first tile");
    assert_eq!(
        numbers.iter().map(|number| tiles.one_way_of(*number)).collect::<Vec<_>>(),
        [Some(Vec2::Y), None, Some(Vec2::Y)]
    );
    assert_eq!(tiles.one_way_of(99), None);
    assert_eq!(Tile::FULL.one_way(Vec2::ZERO).passage(), None);
    assert_eq!(Tile::FULL.one_way(Vec2::NAN), Tile::FULL);
}

#[test]
fn bad_maps_are_refused() {
    let make =
        |columns, rows, size| Tiles::try_new(columns, rows, size, |_, _| true).map(|_| ()).unwrap_err().to_string();
    assert_eq!(make(2, 2, vec2(-1.0, 1.0)), "the width of a tile must not be negative, but is -1");
    assert_eq!(make(2, 2, vec2(1.0, f32::NAN)), "the height of a tile must be finite, but is NaN");
    assert_eq!(make(8, 2, vec2(1e38, 1.0)), "the width of the map must be finite, but is inf");
    assert_eq!(make(1 << 14, 1 << 14, Vec2::ONE), "the number of tiles must be at most 67108864, but is 268435456");
    let mut asked = false;
    let largest = Tiles::try_new(u32::MAX, u32::MAX, Vec2::ONE, |_, _| std::mem::replace(&mut asked, true));
    assert!(largest.is_err() && !asked, "refused before anything is asked for or reserved");
    assert!(std::panic::catch_unwind(|| Tiles::new(1, 1, -Vec2::ONE, |_, _| true)).is_err());
}

#[test]
fn tiles_without_size_are_segments_and_points() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, 0.0), Tiles::new(4, 4, vec2(1.0, 0.0), |column, _| column < 2));
    put(&mut scene, at(0.0, 9.0), Tiles::new(1, 1, Vec2::ZERO, |_, _| true));
    put(
        &mut scene,
        Transform::from_scale(vec2(0.0, 1.0)).with_position(vec2(20.0, 0.0)),
        Tiles::new(8, 8, Vec2::ONE, |c, r| c != r),
    );
    let mut count = |x: f32, y: f32| scene.world().at_point(vec2(x, y), &anything()).len();
    assert_eq!([count(1.5, 0.0), count(2.5, 0.0), count(1.5, 0.1), count(0.0, 9.0)], [1, 0, 0, 1]);
    assert_eq!([count(20.0, 4.5), count(20.1, 4.5), count(20.0, 8.5)], [1, 0, 0], "flattened by the node");
}

#[test]
fn a_map_of_a_million_tiles_is_edited_in_place() {
    let mut scene = Scene::new();
    let level =
        put(&mut scene, at(-500.0, -500.0), Tiles::new(1000, 1000, Vec2::ONE, |column, row| (column + row) % 3 != 0));
    let ball = put(&mut scene, at(0.5, 0.5), Circle::new(0.4));
    let solid = |scene: &mut Scene, column: u32, row: u32| {
        let middle = vec2(column as f32 - 499.5, row as f32 - 499.5);
        scene.world().at_point(middle, &anything()).any(|side| side.collider == level)
    };
    let mut touching = scene.update().len() == 1;
    assert_eq!(touching, (500 + 500) % 3 != 0);
    for step in 0..2000_u32 {
        let (column, row) = if step % 10 == 0 { (500, 500) } else { (step * 7919 % 1000, step * 104_729 % 1000) };
        let attachment = scene.attachment_mut(level).unwrap();
        let tiles = attachment.shape_mut::<Tiles>().unwrap();
        let filled = tiles.tile(column, row) == Some(Tile::EMPTY);
        tiles.set(column, row, if filled { Tile::FULL } else { Tile::EMPTY });
        assert_eq!(solid(&mut scene, column, row), filled);
        if (column, row) == (500, 500) {
            let events = scene.update();
            assert_eq!(events.len(), 1, "one tile under the ball, one event");
            touching = !touching;
            assert_eq!(scene.world().overlaps(ball).len() == 1, touching);
        }
    }
}

#[test]
fn two_maps_meet_where_they_overlap() {
    let mut scene = Scene::new();
    let checker = |odd: u32| Tiles::new(200, 200, Vec2::ONE, move |column, row| (column + row) % 2 == odd);
    let (low, high) = (put(&mut scene, at(0.0, 0.0), checker(0)), put(&mut scene, at(199.5, 199.75), checker(0)));
    assert_eq!(scene.update().len(), 1);
    let contact = scene.world().contact(low, high).unwrap();
    assert_eq!(contact.pieces, [199 * 200 + 199, 0]);
    assert_eq!((contact.depth, contact.normal), (0.25, Vec2::Y));
    let apart = scene.node_of(high).unwrap();
    scene[apart].transform.position = vec2(203.0, 204.0);
    assert_eq!(scene.world().distance(low, high), Some(5.0));
}

#[test]
fn a_flattened_line_does_not_ask_for_the_sign_of_zero() {
    let line = Polyline::new(&[vec2(0.0, -5.0), vec2(0.0, 5.0)]).unwrap().one_sided();
    let hits = [vec2(0.0, -1.0), vec2(-0.0, -1.0), vec2(0.0, 1.0), vec2(-0.0, 1.0)].map(|scale| {
        let mut scene = Scene::new();
        put(&mut scene, Transform::from_scale(scale), line.clone());
        let world = scene.world();
        [Vec2::X, -Vec2::X].map(|way| {
            let brush = Circle::new(0.5);
            world.cast_shape(&brush, &Affine2::from_translation(way * -3.0), way * 6.0, &anything()).is_some()
        })
    });
    assert_eq!((hits[0], hits[2]), (hits[1], hits[3]));
}

#[test]
fn what_contains_a_point_is_where_the_point_projects_inside() {
    // Of so long a piece the rounding reaches further than the gap to its neighbour.
    let line = Polyline::new(&[vec2(8e-4, 9.5), vec2(-0.045, 0.105), vec2(-30.25, 4.0), vec2(-2.03e34, 4.25)]).unwrap();
    let mut scene = Scene::new();
    let id = put(&mut scene, at(2.0, -27.0).with_rotation(-12.5), line);
    let world = scene.world();
    for point in [vec2(-5.25, 21.0), vec2(-40.0, 40.0), vec2(-30.0, 30.0)] {
        let found = world.at_point(point, &anything()).count() == 1;
        let projection = world.project_point(id, point).unwrap();
        assert_eq!((projection.inside, projection.distance == 0.0), (found, found), "{point}");
    }
}

#[test]
fn what_is_far_longer_than_thick_contains_no_point_beside_it() {
    // The end of a tile in the second row is nearer than the rounding of its length.
    let tiles = Tiles::new(2, 2, vec2(1e34, 1e-31), |_, row| row == 1);
    let mut scene = Scene::new();
    let id = put(&mut scene, at(1e19, 0.0), tiles);
    let world = scene.world();
    assert_eq!(world.at_point(Vec2::ZERO, &anything()).count(), 0);
    let found = world.project_point(id, Vec2::ZERO).unwrap();
    assert!(!found.inside && found.distance == 0.0, "{found:?}");
}

#[test]
fn a_piece_that_overflows_is_refused_and_not_lost() {
    for points in [[Vec2::MAX, Vec2::ZERO], [Vec2::ZERO, vec2(0.0, f32::MIN)]] {
        let told = [Polyline::new(&points), Polyline::closed(&points)].map(|line| line.unwrap_err().to_string());
        let compound = Compound::new([Segment::new(points[0], points[1])]).unwrap_err().to_string();
        assert!(told.iter().all(|told| *told == compound), "{told:?} {compound}");
    }
    assert!(Polyline::new(&[Vec2::splat(1e38), Vec2::ZERO]).is_ok());
}

#[test]
fn a_piece_that_overflows_on_its_way_sets_its_node_aside() {
    // The corners belong well within the range, but the products that lead there do not.
    let piece = Rect::new(1e19, 1e19).at(Vec2::splat(3.5e19));
    let sheared = Mat2::from_cols(vec2(1e19, 0.0), vec2(-1e19, 1.0));
    for (matrix, is_aside) in [(sheared, true), (sheared * 0.1, false)] {
        let mut scene = Scene::new();
        let place = Transform::from_affine(Affine2::from_mat2(matrix));
        put(&mut scene, place, Compound::new([piece]).unwrap());
        scene.update();
        assert_eq!(scene.quarantined().len(), usize::from(is_aside), "{matrix}");
    }
}

#[test]
fn a_brush_whose_pieces_overflow_meets_nothing_that_is_no_number() {
    // Its box is finite, but some corners of its pieces are not.
    let (x_axis, y_axis) = (vec2(6.401_606e18, 7.682_411e18), vec2(-9.835_954e18, -1.803_889_2e18));
    let place = Affine2::from_cols(x_axis, y_axis, Vec2::splat(1e19));
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, Segment::new(Vec2::ZERO, Vec2::X));
    for bits in 0..1 << 9 {
        let brush = Tiles::new(4, 4, Vec2::splat(1e19), |column, row| bits >> ((row * 4 + column) % 9) & 1 == 1);
        for hit in scene.world().cast_shape_all(&brush, &place, Vec2::splat(1e19), &anything()) {
            assert!((0.0..=1.0).contains(&hit.fraction) && hit.normal.is_finite(), "{bits:b} {hit:?}");
        }
    }
}

/// Pieces that nothing ever meets, and where they were looked for.
#[derive(Debug)]
struct Watched(Mutex<Aabb>);

impl Collider for &'static Watched {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction.signum() * 50.0
    }

    fn pieces(&self, region: &Aabb, _: &mut dyn FnMut(u32, &Shape)) -> bool {
        let mut watched = self.0.lock().unwrap();
        *watched = watched.union(*region);
        true
    }
}

#[test]
fn a_cast_looks_for_a_users_pieces_where_the_shape_passes_and_nowhere_else() {
    static WATCHED: Watched = Watched(Mutex::new(Aabb::EMPTY));
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, &WATCHED);
    scene.update();
    *WATCHED.0.lock().unwrap() = Aabb::EMPTY;
    let from = Affine2::from_translation(vec2(-20.0, 7.0));
    assert_eq!(scene.world().cast_shape(&Rect::new(6.0, 2.0), &from, vec2(40.0, 0.0), &anything()), None);
    let looked = *WATCHED.0.lock().unwrap();
    assert!(
        looked.min.abs_diff_eq(vec2(-23.0, 6.0), 1e-3) && looked.max.abs_diff_eq(vec2(23.0, 8.0), 1e-3),
        "{looked:?}"
    );
}
