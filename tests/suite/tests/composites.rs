//! Composites (compounds, polylines, tiles, user shapes with pieces): each is one collider and gives the same answers
//! as its pieces.

use std::f32::consts::TAU;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use allocation_counter::measure;
use glam::{Affine2, DVec2, Mat2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionEvent, Compound, DebugGeometry, DebugOptions, Node,
    Polygon, Polyline, Rect, Scene, Segment, Shape, ShapeError, Tile, Tiles, Transform, World,
};
use proptest::prelude::*;
use support::{Squircle, TestCollider, anything, at, cases, numbers, point, test_collider, transform};

fn add(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> ColliderId {
    scene.add_with(Node::new("n").with_transform(transform), collider).1
}

/// A user shape that returns its pieces from a list.
#[derive(Debug, Clone)]
struct UserComposite(Vec<Shape>);

impl Collider for UserComposite {
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

/// Generates stars: points around a centre at varying distances.
fn star() -> impl Strategy<Value = Vec<Vec2>> {
    (prop::collection::vec(0.1..1.0_f32, 3..40), 1.0..100.0_f32).prop_map(|(radii, size)| {
        let step = TAU / radii.len() as f32;
        radii.iter().enumerate().map(|(i, radius)| Vec2::from_angle(step * i as f32) * *radius * size).collect()
    })
}

/// Generates skylines with integer coordinates and collinear points.
fn skyline() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec(1..6_u8, 1..30).prop_map(|heights| {
        let mut outline = vec![vec2(heights.len() as f32, 0.0), vec2(0.0, 0.0)];
        for (x, height) in heights.iter().enumerate() {
            outline.extend([x, x + 1].map(|x| vec2(x as f32, f32::from(*height))));
        }
        outline
    })
}

/// Generates strips that wind around a centre.
fn spiral() -> impl Strategy<Value = Vec<Vec2>> {
    (8..80_usize, 0.05..0.7_f32).prop_map(|(count, width)| {
        let around = |i: usize, more: f32| Vec2::from_angle(0.4 * i as f32) * (3.0 + 0.4 * i as f32 / TAU + more);
        let outer = (0..count).map(|i| around(i, width));
        outer.chain((0..count).rev().map(|i| around(i, 0.0))).collect()
    })
}

/// Generates combs, some of whose teeth are very thin.
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

/// Generates simple outlines in either winding, with any first point and one repeated point.
fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    let shape = prop_oneof![star().boxed(), skyline().boxed(), spiral().boxed(), comb().boxed()];
    (shape, any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(mut outline, reversed, first, repeated)| {
            if reversed {
                outline.reverse();
            }
            let (first, repeated) = (first.index(outline.len()), repeated.index(outline.len()));
            outline.rotate_left(first);
            outline.insert(repeated, outline[repeated]);
            outline
        },
    )
}

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

// --- The same answers as the pieces ---

/// A composite and its pieces, both as colliders.
#[derive(Debug, Clone)]
struct Composite {
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

/// Returns the pieces in local space with their numbers, in ascending order.
fn pieces_of(collider: &dyn Collider) -> Vec<(u32, Shape)> {
    let mut pieces = Vec::new();
    assert!(collider.pieces(&Aabb::EVERYTHING, &mut |number, piece| pieces.push((number, piece.clone()))));
    pieces.sort_by_key(|(number, _)| *number);
    pieces
}

/// Returns what `touching_pieces` reports: the tiles of a map one by one, and the pieces of all other composites.
fn parts_of(attachment: &Attachment) -> Vec<(u32, Attachment)> {
    let Some(tiles) = attachment.collider_as::<Tiles>() else {
        let is_composite = attachment.collider().pieces(&Aabb::EMPTY, &mut |_, _| {});
        let pieces =
            if is_composite { pieces_of(attachment.collider()) } else { return vec![(0, attachment.clone())] };
        return pieces.into_iter().map(|(number, piece)| (number, piece.into())).collect();
    };
    let places = (0..tiles.rows()).flat_map(|row| (0..tiles.columns()).map(move |column| (column, row)));
    let alone = |place: (u32, u32)| {
        let tile = |column, row| {
            if (column, row) == place { tiles.tile(column, row).unwrap() } else { Tile::EMPTY }
        };
        Tiles::from_tiles(tiles.columns(), tiles.rows(), tiles.size(), tile).unwrap()
    };
    places.flat_map(|place| pieces_of(&alone(place))).map(|(number, tile)| (number, tile.into())).collect()
}

/// Adds a node that carries each part of a shape as a separate collider, and returns these with the parts' numbers.
fn add_parts(scene: &mut Scene, attachment: &Attachment, at: Transform) -> Vec<(u32, ColliderId)> {
    let node = scene.add(Node::new("parts").with_transform(at));
    let parts = parts_of(attachment).into_iter();
    parts.map(|(number, part)| (number, scene.attach(node, part).unwrap())).collect()
}

/// Returns the numbers of all pairs of parts that touch, in order.
fn touching_parts(world: World<'_>, parts: &[(u32, ColliderId)], others: &[(u32, ColliderId)]) -> Vec<[u32; 2]> {
    let pairs = parts.iter().flat_map(|part| others.iter().map(move |other| [*part, *other]));
    let touching = pairs.filter(|[(_, part), (_, other)]| world.contact(*part, *other).is_some());
    touching.map(|pair| pair.map(|(number, _)| number)).collect()
}

fn composite() -> impl Strategy<Value = Composite> {
    let shapes = prop::collection::vec(support::test_collider_of(support::BUILT_IN), 1..12).prop_map(|colliders| {
        let finite = colliders.iter().filter_map(TestCollider::shape);
        Attachment::new(Compound::new(finite.filter(|shape| shape.bounds().is_finite())).unwrap())
    });
    let line = (prop::collection::vec(point(), 1..20), any::<bool>()).prop_map(|(points, closed)| {
        Attachment::new(if closed { Polyline::closed(&points) } else { Polyline::new(&points) }.unwrap())
    });
    let solid = outline().prop_map(|outline| Attachment::new(Compound::from_outline(&outline).unwrap()));
    let built_in = prop_oneof![shapes.boxed(), line.boxed(), solid.boxed(), tiles().prop_map(Attachment::new).boxed()];
    (built_in, any::<bool>()).prop_filter_map("the composite must have pieces", |(attachment, by_user)| {
        let pieces: Vec<Shape> = pieces_of(attachment.collider()).into_iter().map(|(_, piece)| piece).collect();
        let attachment = if by_user { UserComposite(pieces.clone()).into() } else { attachment };
        (!pieces.is_empty()).then_some(Composite { attachment, pieces })
    })
}

/// Adds a composite, and a second node with the same transform that carries each piece as a separate collider.
fn add_composite_and_pieces(scene: &mut Scene, composite: &Composite, at: Transform) -> (ColliderId, Vec<ColliderId>) {
    let one = add(scene, at, composite.attachment.clone());
    let pieces = scene.add(Node::new("pieces").with_transform(at));
    (one, composite.pieces.iter().map(|piece| scene.attach(pieces, piece.clone()).unwrap()).collect())
}

fn close(a: f32, b: f32, scale: f32) -> bool {
    (a - b).abs() <= 2e-6 * scale
}

/// Returns `true` if two depths agree. The depths of curved shapes exceed the exact depth by at most 0.2 %.
fn depths_agree(a: f32, b: f32, scale: f32) -> bool {
    close(a, b, scale) || (a - b).abs() <= 0.002 * b
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn overlap_contact_and_distance_of_a_composite_match_those_of_its_pieces(
        composite in composite(), at in transform(), other in test_collider()
    ) {
        let mut scene = Scene::new();
        let (one, pieces) = add_composite_and_pieces(&mut scene, &composite, at);
        let parts = add_parts(&mut scene, &composite.attachment, at);
        let others = add_parts(&mut scene, &other.attachment, other.transform);
        let probe = add(&mut scene, other.transform, other.attachment.clone());
        let world = scene.world();
        let touched = |id: ColliderId| world.overlaps(probe).any(|side| side.collider == id);
        prop_assert_eq!(touched(one), pieces.iter().any(|piece| touched(*piece)));
        prop_assert_eq!(world.contact(one, probe).is_some(), touched(one));
        prop_assert_eq!(world.touching_pieces(one, probe), touching_parts(world, &parts, &others));

        let distances = pieces.iter().filter_map(|piece| world.distance(*piece, probe));
        let distance = distances.fold(f32::INFINITY, f32::min);
        let reach = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).element_sum();
        let scale = reach(world.bounds(one).unwrap()) + reach(world.bounds(probe).unwrap());
        let found = world.distance(one, probe).unwrap();
        prop_assert!(close(found, distance, scale), "the composite is {found} away, its nearest piece {distance}");
        let [on_one, on_probe] = world.closest_points(one, probe).unwrap();
        prop_assert!(close(on_one.distance(on_probe), found, 2.0 * scale));

        let depths = pieces.iter().filter_map(|piece| world.contact(*piece, probe)).map(|contact| contact.depth);
        let depth = depths.fold(0.0, f32::max);
        if let Some(contact) = world.contact(one, probe) {
            prop_assert!(depths_agree(contact.depth, depth, scale), "{contact:?}: {depth}");
            prop_assert!(contact.pieces[1] == 0);
            prop_assert_eq!(world.contact(probe, one), Some(contact.flipped()));
        }
    }

    #[test]
    fn ray_casts_and_projections_on_a_composite_match_those_on_its_pieces(
        composite in composite(), at in transform(), from in point(), to in point()
    ) {
        let mut scene = Scene::new();
        let (one, pieces) = add_composite_and_pieces(&mut scene, &composite, at);
        let world = scene.world();
        let own = |side: hitgraph::NodeCollider| side.collider == one;
        let hit = world.only(&own).cast_ray(from, to - from, 50.0, &anything());
        let others = |side: hitgraph::NodeCollider| side.collider != one;
        let first = world.only(&others).cast_ray(from, to - from, 50.0, &anything());
        prop_assert_eq!(hit.is_some(), first.is_some());
        if let (Some(hit), Some(first)) = (hit, first) {
            prop_assert!(close(hit.distance, first.distance, 50.0), "{hit:?} {first:?}");
            prop_assert!(hit.normal.dot(to - from) <= 1e-6 * from.distance(to));
        }
        let distances = pieces.iter().filter_map(|piece| world.project_point(*piece, from)).map(|found| found.distance);
        let nearest = distances.fold(f32::INFINITY, f32::min);
        let found = world.project_point(one, from).unwrap();
        let scale = world.bounds(one).unwrap().size().element_sum() + found.distance;
        prop_assert!(close(found.distance, nearest, scale));
        let numbers = pieces_of(composite.attachment.collider());
        let index = numbers.iter().position(|(number, _)| *number == found.piece).unwrap();
        let reported = world.project_point(pieces[index], from).unwrap();
        prop_assert!(close(reported.distance, nearest, scale), "the reported piece is not the nearest one");
        prop_assert_eq!(world.only(&own).at_point(from, &anything()).len() == 1, found.inside);
    }

    #[test]
    fn contact_and_distance_of_two_composites_match_those_of_their_pieces(
        a in composite(), b in composite(), at_a in transform(), at_b in transform()
    ) {
        let mut scene = Scene::new();
        let (one, ones) = add_composite_and_pieces(&mut scene, &a, at_a);
        let (two, twos) = add_composite_and_pieces(&mut scene, &b, at_b);
        let [parts, others] = [(&a, at_a), (&b, at_b)].map(|(composite, at)| add_parts(&mut scene, &composite.attachment, at));
        let world = scene.world();
        let pairs = || ones.iter().flat_map(|one| twos.iter().map(move |two| (*one, *two)));
        let distance = pairs().filter_map(|(a, b)| world.distance(a, b)).fold(f32::INFINITY, f32::min);
        let depth = pairs().filter_map(|(a, b)| world.contact(a, b)).map(|contact| contact.depth).fold(0.0, f32::max);
        let scale = world.bounds(one).unwrap().union(world.bounds(two).unwrap()).size().element_sum();
        prop_assert!(close(world.distance(one, two).unwrap(), distance, scale));
        let touching = touching_parts(world, &parts, &others);
        prop_assert_eq!(world.touching_pieces(one, two), &touching[..]);
        let mut flipped: Vec<[u32; 2]> = touching.iter().map(|[a, b]| [*b, *a]).collect();
        flipped.sort_unstable();
        prop_assert_eq!(world.touching_pieces(two, one), flipped);
        let contact = world.contact(one, two);
        prop_assert_eq!(contact.is_some(), distance == 0.0);
        prop_assert_eq!(contact.is_some(), world.overlaps(one).any(|side| side.collider == two));
        if let Some(contact) = contact {
            prop_assert!(depths_agree(contact.depth, depth, scale), "{contact:?}: {depth}");
        }
    }

    #[test]
    fn the_bounds_of_a_composite_are_the_union_of_the_bounds_of_its_pieces(
        composite in composite(), at in transform()
    ) {
        let mut scene = Scene::new();
        let (one, pieces) = add_composite_and_pieces(&mut scene, &composite, at);
        let world = scene.world();
        let own = world.bounds(one).unwrap();
        let all = pieces.iter().filter_map(|piece| world.bounds(*piece)).reduce(Aabb::union).unwrap();
        let slack = 4e-6 * (own.min.abs().max(own.max.abs()).element_sum() + all.size().element_sum());
        prop_assert!(own.grown(slack).contains(all.min) && own.grown(slack).contains(all.max));
        prop_assert!(all.grown(slack).contains(own.min) && all.grown(slack).contains(own.max), "{own:?} {all:?}");
    }

    #[test]
    fn in_aabb_and_overlaps_shape_find_a_composite_if_they_find_its_pieces(
        composite in composite(), at in transform(), numbers in numbers(), corner in point()
    ) {
        let mut scene = Scene::new();
        let (one, _) = add_composite_and_pieces(&mut scene, &composite, at);
        let world = scene.world();
        let both = |found: Vec<hitgraph::NodeCollider>| {
            let finds_composite = found.iter().any(|side| side.collider == one);
            (finds_composite, found.iter().any(|side| side.collider != one))
        };
        let region = Aabb::from_center(corner, Vec2::from(numbers.sizes) * 0.5);
        let (found, expected) = both(world.in_aabb(region, &anything()).collect());
        prop_assert_eq!(found, expected);
        let rect = Rect::new(numbers.sizes[0], numbers.sizes[1]);
        let here = Affine2::from_translation(corner);
        let (found, expected) = both(world.overlaps_shape(&rect, &here, &anything()).collect());
        prop_assert_eq!(found, expected);
        // The composite, as the query shape, overlaps itself and each of its pieces.
        let overlaps = world.overlaps_shape(composite.attachment.collider(), &at.to_affine(), &anything());
        prop_assert_eq!(overlaps.len(), world.scene().collider_count());
    }
}

#[test]
fn a_ray_along_a_cut_between_pieces_hits_the_compound() {
    let mut scene = Scene::new();
    let ell = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    add(&mut scene, at(0.0, 0.0), Compound::from_outline(&ell).unwrap());
    let cast = |scene: &mut Scene, from: Vec2, direction| scene.world().cast_ray(from, direction, 99.0, &anything());
    assert_eq!(cast(&mut scene, vec2(0.5, 0.5), Vec2::X).unwrap().distance, 0.0);
    let notch = cast(&mut scene, vec2(3.0, 3.0), -Vec2::X).unwrap();
    assert_eq!((notch.distance, notch.normal), (2.0, Vec2::X));
    for step in 0..=40_u8 {
        let y = 0.1 * f32::from(step);
        assert!(cast(&mut scene, vec2(-1.0, y), Vec2::X).is_some(), "the ray at height {y} passes through a cut");
    }
}

#[test]
fn no_ray_passes_between_adjacent_tiles() {
    for size in [0.1_f32, 0.3, 1.7, 16.0] {
        let mut scene = Scene::new();
        // The columns differ in height, so that tiles of different columns do not merge.
        add(&mut scene, at(0.1, -0.7), Tiles::new(60, 60, Vec2::splat(size), |column, row| row < 20 + column % 2));
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
fn a_composite_fires_one_start_and_one_stop_for_any_number_of_pieces() {
    let mut scene = Scene::new();
    let hills: Vec<Vec2> = (0..50).map(|i| vec2(i as f32, (i % 2) as f32)).collect();
    let ground = add(&mut scene, at(0.0, 0.0), Polyline::new(&hills).unwrap());
    let node = scene.add(Node::new("ball"));
    let ball = scene.attach(node, Circle::new(5.0)).unwrap();
    let other = add(&mut scene, at(0.0, 0.4), Compound::new([Rect::new(60.0, 0.1), Rect::new(60.0, 0.1)]).unwrap());
    let events = scene.update();
    assert_eq!(events.len(), 3, "{events:?}");
    assert!(events.iter().all(|event| matches!(event, CollisionEvent::Started(_))));
    scene[node].transform.position.x = 20.0;
    assert!(scene.update().is_empty(), "moving to other pieces of the same composite fires no event");
    scene[node].transform.position.y = 20.0;
    let stopped = scene.update();
    assert_eq!(stopped.len(), 2);
    assert!(stopped.iter().all(
        |event| matches!(event, CollisionEvent::Stopped(pair) if pair.a.collider == ball || pair.b.collider == ball)
    ));
    assert_eq!(scene.world().overlaps(other).map(|side| side.collider).collect::<Vec<_>>(), [ground]);
}

#[test]
fn hits_and_contacts_report_the_piece() {
    let mut scene = Scene::new();
    let posts = Compound::new((0..9_u8).map(|i| Circle::new(0.4).at(vec2(f32::from(i), 0.0)))).unwrap();
    let fence = add(&mut scene, at(0.0, 0.0), posts);
    let ball = add(&mut scene, at(4.1, 0.0), Circle::new(0.1));
    let world = scene.world();
    let hit = world.cast_ray(vec2(6.0, 9.0), -Vec2::Y, 99.0, &anything()).unwrap();
    assert_eq!((hit.side.collider, hit.piece), (fence, 6));
    assert_eq!(world.contact(fence, ball).unwrap().pieces, [4, 0]);
    assert_eq!(world.contact(ball, fence).unwrap().pieces, [0, 4]);
    assert_eq!(world.project_point(fence, vec2(2.2, 3.0)).unwrap().piece, 2);
    assert_eq!(world.project_point(ball, vec2(2.2, 3.0)).unwrap().piece, 0);
}

#[test]
fn debug_drawing_draws_every_piece_under_the_id_of_the_composite() {
    let mut scene = Scene::new();
    let line =
        add(&mut scene, at(3.0, 0.0), Polyline::closed(&[vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0)]).unwrap());
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
fn a_composite_without_pieces_touches_nothing_and_is_not_quarantined() {
    let empty: [Attachment; 3] = [
        Compound::new(Vec::<Shape>::new()).unwrap().into(),
        Tiles::new(4, 4, Vec2::ONE, |_, _| false).into(),
        Tiles::new(0, 7, Vec2::ONE, |_, _| true).into(),
    ];
    let mut scene = Scene::new();
    let ball = add(&mut scene, at(0.0, 0.0), Circle::new(9.0));
    for attachment in empty {
        let id = add(&mut scene, at(0.0, 0.0), attachment);
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

/// A square that counts the calls of two of its visitors.
#[derive(Debug, Default)]
struct VisitorCounter([AtomicU32; 2]);

impl Collider for &'static VisitorCounter {
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
fn only_nearby_pieces_call_the_visitors_of_a_user_shape() {
    static COUNTER: VisitorCounter = VisitorCounter([AtomicU32::new(0), AtomicU32::new(0)]);
    let calls = || [0, 1].map(|visitor: usize| COUNTER.0[visitor].swap(0, Ordering::Relaxed));
    let mut scene = Scene::new();
    let boxes = (0..1000_u16).map(|i| Rect::new(0.5, 0.5).at(vec2(f32::from(i), 0.0)));
    let boxes = add(&mut scene, at(0.0, 0.0), Compound::new(boxes).unwrap());
    let own = add(&mut scene, at(500.0, 0.0), &COUNTER);
    assert!(scene.world().overlaps(own).any(|side| side.collider == boxes));
    assert_eq!(calls(), [1, 0], "the search ends at the first piece that touches");
    let hills: Vec<Vec2> = (0..1000).map(|i| vec2(i as f32, 0.0)).collect();
    add(&mut scene, at(0.0, 0.0), Polyline::new(&hills).unwrap());
    scene.update();
    let [_, segments] = calls();
    assert!((2..=4).contains(&segments), "{segments} segments called the visitor");
    assert!(scene.world().overlaps_shape(&Squircle(2.0), &Affine2::IDENTITY, &anything()).len() == 2);
}

/// A user shape with a point at every pair of integers up to 10,000, which counts the pieces that it visits.
#[derive(Debug, Default)]
struct Grid(AtomicU32);

impl Collider for &'static Grid {
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
fn queries_request_user_pieces_only_in_a_small_region() {
    static GRID: Grid = Grid(AtomicU32::new(0));
    let mut scene = Scene::new();
    let grid = add(&mut scene, Transform::from_rotation(0.5), &GRID);
    let ball = add(&mut scene, at(300.4, -200.3), Circle::new(0.1));
    scene.update();
    let world = scene.world();
    let distance = world.distance(grid, ball).unwrap();
    assert!((0.0..0.7).contains(&distance), "{distance}");
    assert!(world.cast_ray(vec2(300.4, -200.3), Vec2::from_angle(0.5), 1e3, &anything()).is_some());
    assert!(world.cast_ray(vec2(500.25, 0.3), Vec2::from_angle(0.61), 30.0, &anything()).is_none());
    let visited = GRID.0.load(Ordering::Relaxed);
    assert!(visited < 10_000, "{visited} of 400 million pieces were visited");
}

// --- Polylines ---

#[test]
fn a_polyline_is_hollow_and_stops_rays_from_both_sides() {
    let mut scene = Scene::new();
    let square = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(0.0, 4.0)];
    let ring = add(&mut scene, at(0.0, 0.0), Polyline::closed(&square).unwrap());
    let ball = add(&mut scene, at(2.0, 2.0), Circle::new(0.5));
    assert!(scene.update().is_empty(), "a closed polyline does not touch a circle inside it");
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
fn a_one_sided_polyline_stops_rays_from_its_left_only() {
    let line = Polyline::new(&[vec2(-5.0, 0.0), vec2(0.0, 0.0), vec2(5.0, 0.0)]).unwrap().one_sided();
    assert_eq!(line.one_way_of(1), Some(Vec2::Y));
    let repeated = Polyline::new(&[Vec2::ZERO, Vec2::ZERO, Vec2::X, Vec2::X]).unwrap().one_sided();
    assert_eq!(
        [0, 1, 2].map(|piece| repeated.one_way_of(piece)),
        [Some(Vec2::Y); 3],
        "pieces of zero length have the front of their neighbour"
    );
    for mirrored in [1.0, -1.0] {
        let mut scene = Scene::new();
        let transform = Transform::from_scale(vec2(1.0, mirrored)).with_rotation(0.3);
        add(&mut scene, transform, line.clone());
        let front = transform.to_affine().matrix2 * Vec2::Y;
        assert!(scene.world().cast_ray(front * 3.0, -front, 99.0, &anything()).is_some(), "{mirrored}");
        assert!(scene.world().cast_ray(front * -3.0, front, 99.0, &anything()).is_none(), "{mirrored}");
        assert_eq!(scene.world().at_point(Vec2::ZERO, &anything()).len(), 1, "at_point finds a one-sided polyline");
    }
}

#[test]
fn a_piece_of_zero_length_has_the_front_of_its_neighbour() {
    let piece_hit = |points: &[Vec2], transform: Transform, direction: Vec2| {
        let mut scene = Scene::new();
        add(&mut scene, transform, Polyline::new(points).unwrap().one_sided());
        let direction = transform.to_affine().matrix2 * direction;
        let start = Affine2::from_translation(direction * -3.0);
        let hit = scene.world().cast_shape(&Circle::new(0.5), &start, direction * 6.0, &anything());
        hit.map(|hit| hit.piece)
    };
    for mirrored in [1.0, -1.0] {
        let transform = Transform::from_scale(vec2(1.0, mirrored)).with_rotation(0.3);
        for points in [[Vec2::ZERO, Vec2::ZERO, Vec2::X], [Vec2::NEG_X, Vec2::ZERO, Vec2::ZERO]] {
            assert_eq!(piece_hit(&points, transform, Vec2::NEG_Y), Some(0), "{points:?} from the front");
            assert_eq!(piece_hit(&points, transform, Vec2::Y), None, "{points:?} from behind");
        }
        let coincident = [Vec2::ZERO; 3];
        assert_eq!(
            piece_hit(&coincident, transform, Vec2::NEG_Y),
            Some(0),
            "a polyline without length stops both directions"
        );
        assert_eq!(
            piece_hit(&coincident, transform, Vec2::Y),
            Some(0),
            "a polyline without length stops both directions"
        );
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
    fn edited_tiles_equal_tiles_built_from_the_same_cells(
        tiles in tiles(), edits in prop::collection::vec((0..7_u32, 0..40_u32, 0..4_usize), 0..60)
    ) {
        let mut tiles = tiles;
        let kinds = [Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 1.0), Tile::part(vec2(0.0, 0.5), vec2(1.0, 1.0))];
        for (column, row, kind) in edits {
            let exists = tiles.number_of(column, row).is_some();
            prop_assert_eq!(tiles.set(column, row, kinds[kind]), exists);
            prop_assert_eq!(tiles.tile(column, row), exists.then_some(kinds[kind]));
        }
        let cell = |column, row| tiles.tile(column, row).unwrap();
        let fresh = Tiles::from_tiles(tiles.columns(), tiles.rows(), tiles.size(), cell).unwrap();
        prop_assert_eq!(pieces_of(&tiles), pieces_of(&fresh));
        prop_assert_eq!(tiles.piece_count(), fresh.piece_count());
        let scenes = [tiles, fresh].map(|tiles| {
            let mut scene = Scene::new();
            add(&mut scene, Transform::IDENTITY, tiles);
            drawn(&mut scene)
        });
        prop_assert_eq!(&scenes[0], &scenes[1]);
    }

    #[test]
    fn full_tiles_contain_their_centres_and_empty_tiles_do_not(
        columns in 1..12_u32, cells in prop::collection::vec(any::<bool>(), 1..100),
        size in (0.25..4.0_f32, 0.25..4.0_f32)
    ) {
        let rows = (cells.len() as u32).div_ceil(columns);
        let full = |column: u32, row: u32| cells.get((row * columns + column) as usize) == Some(&true);
        let mut scene = Scene::new();
        let tiles = Tiles::new(columns, rows, size.into(), full);
        add(&mut scene, Transform::IDENTITY, tiles.clone());
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            let middle = (vec2(column as f32, row as f32) + 0.5) * Vec2::from(size);
            prop_assert_eq!(tiles.place_of(middle), Some((column, row)));
            prop_assert_eq!(scene.world().at_point(middle, &anything()).len() == 1, full(column, row));
        }
    }
}

#[test]
fn maps_are_equal_if_their_tiles_are_whatever_edits_led_to_them() {
    let of = |tiles: [Tile; 2]| Tiles::from_tiles(2, 1, Vec2::ONE, |column, _| tiles[column as usize]).unwrap();
    let (slope, full) = (Tile::slope(0.0, 1.0), Tile::FULL);
    let mut edited = of([full, full]);
    assert_ne!(edited, of([slope, full]));
    edited.set(0, 0, slope);
    assert_eq!(edited, of([slope, full]));
    assert_ne!(Tiles::new(2, 1, Vec2::ONE, |_, _| true), Tiles::new(1, 2, Vec2::ONE, |_, _| true));
    assert_ne!(Tiles::new(1, 1, Vec2::ONE, |_, _| true), Tiles::new(1, 1, vec2(1.0, 2.0), |_, _| true));
}

#[test]
fn adjacent_equal_boxes_merge_into_one_piece() {
    assert_eq!(Tiles::new(100, 1, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(100, 100, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(10, 10, Vec2::ONE, |column, row| row < 3 || column == 0).piece_count(), 2);
    assert_eq!(Tiles::new(9, 9, Vec2::ONE, |column, row| (column + row) % 2 == 0).piece_count(), 41);
    let of = |tile: Tile| Tiles::from_tiles(4, 4, Vec2::ONE, |_, _| tile).unwrap().piece_count();
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(1.0, 0.5))), 4, "low halves merge along their row");
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(0.5, 1.0))), 4, "left halves merge along their column");
    assert_eq!(of(Tile::slope(0.0, 1.0)), 16, "slopes do not merge");
    assert_eq!(of(Tile::FULL.one_way(Vec2::Y)), 1);
}

#[test]
fn slopes_flipped_slopes_and_partial_tiles_have_the_documented_shape() {
    let row = [
        Tile::slope(0.0, 1.0),
        Tile::slope(1.0, 0.0).flipped(),
        Tile::part(vec2(0.5, 1.0), vec2(0.25, -3.0)),
        Tile::EMPTY,
    ];
    let tiles = Tiles::from_tiles(4, 1, vec2(2.0, 4.0), |column, _| row[column as usize]).unwrap();
    let mut scene = Scene::new();
    add(&mut scene, at(10.0, 0.0), tiles);
    let mut solid = |x: f32, y: f32| scene.world().at_point(vec2(10.0 + x, y), &anything()).len() == 1;
    assert!(solid(1.5, 2.9) && !solid(1.5, 3.1), "a ramp");
    assert!(solid(2.5, 1.1) && !solid(2.5, 0.9), "a flipped ramp hangs from the top");
    assert!(
        solid(4.6, 4.0) && solid(5.0, 0.0) && !solid(4.4, 2.0) && !solid(5.1, 2.0),
        "a part, with its corners given in any order"
    );
    assert!(!solid(7.0, 2.0), "an empty tile");
}

#[test]
fn one_way_of_returns_the_direction_of_a_one_way_tile() {
    let plank = Tile::part(vec2(0.0, 0.75), Vec2::ONE).one_way(Vec2::Y);
    let tiles = Tiles::from_tiles(5, 2, Vec2::ONE, |column, _| if column < 3 { plank } else { Tile::FULL }).unwrap();
    let numbers: Vec<u32> = pieces_of(&tiles).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [0, 3, 5], "each merged piece has the number of its first tile");
    assert_eq!(
        numbers.iter().map(|number| tiles.one_way_of(*number)).collect::<Vec<_>>(),
        [Some(Vec2::Y), None, Some(Vec2::Y)]
    );
    assert_eq!(tiles.one_way_of(99), None);
    assert_eq!(Tile::FULL.one_way(Vec2::ZERO).one_way_direction(), None);
    assert_eq!(Tile::FULL.one_way(Vec2::NAN), Tile::FULL);
}

#[test]
fn tiles_of_invalid_or_excessive_size_are_refused() {
    let error =
        |columns, rows, size| Tiles::try_new(columns, rows, size, |_, _| true).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error(2, 2, vec2(-1.0, 1.0)), "the width of a tile must not be negative, but is -1");
    assert_eq!(error(2, 2, vec2(1.0, f32::NAN)), "the height of a tile must be finite, but is NaN");
    assert_eq!(error(8, 2, vec2(1e38, 1.0)), "the width of the map must be finite, but is inf");
    assert_eq!(error(1 << 14, 1 << 14, Vec2::ONE), "the number of tiles must be at most 67108864, but is 268435456");
    let mut called = false;
    let largest = Tiles::try_new(u32::MAX, u32::MAX, Vec2::ONE, |_, _| std::mem::replace(&mut called, true));
    assert!(largest.is_err() && !called, "the size is refused before the function is called");
    assert!(std::panic::catch_unwind(|| Tiles::new(1, 1, -Vec2::ONE, |_, _| true)).is_err());
}

#[test]
fn a_point_on_a_border_is_in_the_tile_with_the_larger_coordinates_and_one_before_it_in_the_other() {
    for size in [0.1, 0.3, 0.7, 1.0, 1.1, 16.1_f32] {
        let tiles = Tiles::new(1_000, 1, Vec2::splat(size), |_, _| true);
        let column = |x: f32| tiles.place_of(vec2(x, 0.0)).map(|(column, _)| column);
        for right in 1..1_000 {
            let border = right as f32 * size;
            assert_eq!((column(border.next_down()), column(border)), (Some(right - 1), Some(right)), "{size}");
        }
        assert_eq!((column(0.0), column(1_000.0 * size), column(-1e-9)), (Some(0), None, None));
    }
}

#[test]
fn rays_through_a_corner_hit_a_users_composite_that_returns_its_smallest_box() {
    #[derive(Debug, Clone)]
    struct Exact(Rect);

    impl Collider for Exact {
        fn support(&self, direction: Vec2) -> Vec2 {
            self.0.support(direction)
        }

        fn bounds(&self, at: &Affine2) -> Aabb {
            Aabb::new(at.translation + vec2(2.0, -1.0), at.translation + vec2(6.0, 3.0))
        }

        fn pieces(&self, _: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
            visit(0, &self.0.into());
            true
        }
    }

    let rect = Rect::from_corners(vec2(2.0, -1.0), vec2(6.0, 3.0));
    let mut scenes = [Scene::new(), Scene::new()];
    add(&mut scenes[0], Transform::IDENTITY, Exact(rect));
    add(&mut scenes[1], Transform::IDENTITY, rect);
    let mut hits = 0;
    for (x, y) in (1..100).flat_map(|x| (1..100).map(move |y| (x, y))) {
        let way = vec2(x as f32, y as f32) * 0.25;
        let [user, built_in] = scenes
            .each_mut()
            .map(|scene| scene.world().cast_ray(vec2(2.0, 3.0) - way, way, 100.0, &anything()).map(|hit| hit.distance));
        assert_eq!(user.is_some(), built_in.is_some(), "{way}");
        hits += usize::from(user.is_some());
    }
    assert!(hits > 9_000, "{hits} rays hit the corner");
}

#[test]
fn tiles_without_columns_or_rows_take_no_time_however_long_the_other_side_is() {
    // A loop over the rows or columns would take minutes.
    for (columns, rows) in [(0, u32::MAX), (u32::MAX, 0)] {
        for size in [Vec2::ZERO, Vec2::ONE] {
            let new = || Tiles::try_new(columns, rows, size, |_, _| unreachable!("the map has no tile"));
            assert!(measure(|| drop(new())).bytes_total < 1_000);
            let mut tiles = new().unwrap();
            assert_eq!((tiles.columns(), tiles.rows(), tiles.piece_count()), (columns, rows, 0));
            assert!(!tiles.set(0, 0, Tile::FULL) && tiles.tile(0, 0).is_none() && tiles.number_of(0, 0).is_none());
            assert!(tiles.place_of(Vec2::ZERO).is_none() && tiles.place_of_hit(Vec2::ZERO).is_none());
        }
    }
}

#[test]
fn tiles_of_zero_size_become_segments_and_points() {
    let mut scene = Scene::new();
    add(&mut scene, at(0.0, 0.0), Tiles::new(4, 4, vec2(1.0, 0.0), |column, _| column < 2));
    add(&mut scene, at(0.0, 9.0), Tiles::new(1, 1, Vec2::ZERO, |_, _| true));
    add(
        &mut scene,
        Transform::from_scale(vec2(0.0, 1.0)).with_position(vec2(20.0, 0.0)),
        Tiles::new(8, 8, Vec2::ONE, |c, r| c != r),
    );
    let mut count = |x: f32, y: f32| scene.world().at_point(vec2(x, y), &anything()).len();
    assert_eq!([count(1.5, 0.0), count(2.5, 0.0), count(1.5, 0.1), count(0.0, 9.0)], [1, 0, 0, 1]);
    assert_eq!(
        [count(20.0, 4.5), count(20.1, 4.5), count(20.0, 8.5)],
        [1, 0, 0],
        "a node scaled to zero in x flattens its tiles"
    );
}

#[test]
fn single_tiles_of_a_million_can_be_edited() {
    let mut scene = Scene::new();
    let level =
        add(&mut scene, at(-500.0, -500.0), Tiles::new(1000, 1000, Vec2::ONE, |column, row| (column + row) % 3 != 0));
    let ball = add(&mut scene, at(0.5, 0.5), Circle::new(0.4));
    let solid = |scene: &mut Scene, column: u32, row: u32| {
        let middle = vec2(column as f32 - 499.5, row as f32 - 499.5);
        scene.world().at_point(middle, &anything()).any(|side| side.collider == level)
    };
    let mut touching = scene.update().len() == 1;
    assert_eq!(touching, (500 + 500) % 3 != 0);
    for step in 0..2000_u32 {
        let (column, row) = if step % 10 == 0 { (500, 500) } else { (step * 7919 % 1000, step * 104_729 % 1000) };
        let attachment = scene.attachment_mut(level).unwrap();
        let tiles = attachment.collider_mut::<Tiles>().unwrap();
        let filled = tiles.tile(column, row) == Some(Tile::EMPTY);
        tiles.set(column, row, if filled { Tile::FULL } else { Tile::EMPTY });
        assert_eq!(solid(&mut scene, column, row), filled);
        if (column, row) == (500, 500) {
            let events = scene.update();
            assert_eq!(events.len(), 1, "changing the tile under the circle fires one event");
            touching = !touching;
            assert_eq!(scene.world().overlaps(ball).len() == 1, touching);
        }
    }
}

#[test]
fn two_tile_maps_report_contact_piece_and_distance() {
    let mut scene = Scene::new();
    let checker = |odd: u32| Tiles::new(200, 200, Vec2::ONE, move |column, row| (column + row) % 2 == odd);
    let (low, high) = (add(&mut scene, at(0.0, 0.0), checker(0)), add(&mut scene, at(199.5, 199.75), checker(0)));
    assert_eq!(scene.update().len(), 1);
    let contact = scene.world().contact(low, high).unwrap();
    assert_eq!(contact.pieces, [199 * 200 + 199, 0]);
    assert_eq!((contact.depth, contact.normal), (0.25, Vec2::Y));
    let apart = scene.node_of(high).unwrap();
    scene[apart].transform.position = vec2(203.0, 204.0);
    assert_eq!(scene.world().distance(low, high), Some(5.0));
}

#[test]
fn the_sign_of_a_zero_scale_does_not_matter() {
    let line = Polyline::new(&[vec2(0.0, -5.0), vec2(0.0, 5.0)]).unwrap().one_sided();
    let hits = [vec2(0.0, -1.0), vec2(-0.0, -1.0), vec2(0.0, 1.0), vec2(-0.0, 1.0)].map(|scale| {
        let mut scene = Scene::new();
        add(&mut scene, Transform::from_scale(scale), line.clone());
        let world = scene.world();
        [Vec2::X, -Vec2::X].map(|direction| {
            let start = Affine2::from_translation(direction * -3.0);
            world.cast_shape(&Circle::new(0.5), &start, direction * 6.0, &anything()).is_some()
        })
    });
    assert_eq!((hits[0], hits[2]), (hits[1], hits[3]));
}

#[test]
fn at_point_agrees_with_project_point_on_a_huge_polyline() {
    // The rounding error of so long a piece exceeds its distance from its neighbour.
    let line = Polyline::new(&[vec2(8e-4, 9.5), vec2(-0.045, 0.105), vec2(-30.25, 4.0), vec2(-2.03e34, 4.25)]).unwrap();
    let mut scene = Scene::new();
    let id = add(&mut scene, at(2.0, -27.0).with_rotation(-12.5), line);
    let world = scene.world();
    for point in [vec2(-5.25, 21.0), vec2(-40.0, 40.0), vec2(-30.0, 30.0)] {
        let found = world.at_point(point, &anything()).count() == 1;
        let projection = world.project_point(id, point).unwrap();
        assert_eq!((projection.inside, projection.distance == 0.0), (found, found), "{point}");
    }
}

#[test]
fn a_tile_far_longer_than_thick_contains_no_point_beside_it() {
    // The end of a tile in the second row is nearer to the point than the rounding error of the tile's length.
    let tiles = Tiles::new(2, 2, vec2(1e34, 1e-31), |_, row| row == 1);
    let mut scene = Scene::new();
    let id = add(&mut scene, at(1e19, 0.0), tiles);
    let world = scene.world();
    assert_eq!(world.at_point(Vec2::ZERO, &anything()).count(), 0);
    let found = world.project_point(id, Vec2::ZERO).unwrap();
    assert!(!found.inside && found.distance == 0.0, "{found:?}");
}

#[test]
fn constructors_refuse_pieces_that_overflow() {
    for points in [[Vec2::MAX, Vec2::ZERO], [Vec2::ZERO, vec2(0.0, f32::MIN)]] {
        let messages = [Polyline::new(&points), Polyline::closed(&points)].map(|line| line.unwrap_err().to_string());
        let compound = Compound::new([Segment::new(points[0], points[1])]).unwrap_err().to_string();
        assert!(messages.iter().all(|message| *message == compound), "{messages:?} {compound}");
    }
    assert!(Polyline::new(&[Vec2::splat(1e38), Vec2::ZERO]).is_ok());
}

#[test]
fn a_piece_that_overflows_in_world_space_quarantines_its_node() {
    // The corners are within the range of `f32`, but the products that lead to them are not.
    let piece = Rect::new(1e19, 1e19).at(Vec2::splat(3.5e19));
    let sheared = Mat2::from_cols(vec2(1e19, 0.0), vec2(-1e19, 1.0));
    for (matrix, is_quarantined) in [(sheared, true), (sheared * 0.1, false)] {
        let mut scene = Scene::new();
        let transform = Transform::from_affine(Affine2::from_mat2(matrix));
        add(&mut scene, transform, Compound::new([piece]).unwrap());
        scene.update();
        assert_eq!(scene.quarantined().len(), usize::from(is_quarantined), "{matrix}");
    }
}

#[test]
fn casting_a_composite_whose_pieces_overflow_returns_finite_hits() {
    // The bounds are finite, but some corners of the pieces are not.
    let (x_axis, y_axis) = (vec2(6.401_606e18, 7.682_411e18), vec2(-9.835_954e18, -1.803_889_2e18));
    let transform = Affine2::from_cols(x_axis, y_axis, Vec2::splat(1e19));
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, Segment::new(Vec2::ZERO, Vec2::X));
    for bits in 0..1 << 9 {
        let caster = Tiles::new(4, 4, Vec2::splat(1e19), |column, row| bits >> ((row * 4 + column) % 9) & 1 == 1);
        for hit in scene.world().cast_shape_all(&caster, &transform, Vec2::splat(1e19), &anything()) {
            assert!((0.0..=1.0).contains(&hit.fraction) && hit.normal.is_finite(), "{bits:b} {hit:?}");
        }
    }
}

/// A user shape without pieces that records the union of all regions in which pieces were requested.
#[derive(Debug)]
struct RegionRecorder(Mutex<Aabb>);

impl Collider for &'static RegionRecorder {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction.signum() * 50.0
    }

    fn pieces(&self, region: &Aabb, _: &mut dyn FnMut(u32, &Shape)) -> bool {
        let mut recorded = self.0.lock().unwrap();
        *recorded = recorded.union(*region);
        true
    }
}

#[test]
fn a_shape_cast_requests_user_pieces_only_along_its_path() {
    static RECORDER: RegionRecorder = RegionRecorder(Mutex::new(Aabb::EMPTY));
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, &RECORDER);
    scene.update();
    *RECORDER.0.lock().unwrap() = Aabb::EMPTY;
    let from = Affine2::from_translation(vec2(-20.0, 7.0));
    assert_eq!(scene.world().cast_shape(&Rect::new(6.0, 2.0), &from, vec2(40.0, 0.0), &anything()), None);
    let searched = *RECORDER.0.lock().unwrap();
    assert!(
        searched.min.abs_diff_eq(vec2(-23.0, 6.0), 1e-3) && searched.max.abs_diff_eq(vec2(23.0, 8.0), 1e-3),
        "{searched:?}"
    );
}

#[test]
fn a_map_with_more_columns_or_rows_than_numbers_is_an_error() {
    let most = 1_u32 << 24;
    for (columns, rows) in [(most + 1, 1), (1, most + 1)] {
        let found = Tiles::try_new(columns, rows, Vec2::ONE, |_, _| false).unwrap_err();
        let expected = ShapeError::TooMany {
            what: "the number of columns or rows",
            value: u64::from(most) + 1,
            most: most.into(),
        };
        assert_eq!(found, expected);
    }
}

#[test]
fn a_ray_that_hits_several_pieces_at_once_reports_the_smallest_number() {
    // Pieces 0 and 1 overlap. The ray crosses both at one point.
    let line = [vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0)];
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, Polyline::new(&line).unwrap());
    for direction in [vec2(1.3125, -0.25), vec2(1.1, -0.21), vec2(1.7, -0.3), vec2(0.9, -0.17)] {
        let hit = scene.world().cast_ray(vec2(0.25, 0.25), direction, f32::INFINITY, &anything()).unwrap();
        assert_eq!(hit.piece, 0, "{direction}");
    }
}

#[test]
fn a_tile_whose_sides_coincide_is_the_segment_between_its_furthest_corners() {
    let heights = [0.0, 0.2, 0.5, 0.6, 0.9];
    for [low, low_right, high, high_right] in cases_of_four(heights) {
        if low > high || low_right > high_right {
            continue;
        }
        let tile = |_, _| Tile::trapezoid([0.5, 0.5], [low, low_right], [high, high_right]);
        let map = Tiles::from_tiles(1, 1, vec2(10.0, 10.0), tile).unwrap();
        let mut scene = Scene::new();
        add(&mut scene, Transform::IDENTITY, map);
        let [bottom, top] = [low.min(low_right), high.max(high_right)];
        for height in heights {
            let found = scene.world().at_point(vec2(5.0, height * 10.0), &anything()).len() > 0;
            let expected = (bottom..=top).contains(&height);
            assert_eq!(found, expected, "{height}, {low} {low_right} {high} {high_right}");
        }
    }
}

/// Returns all lists of four of some numbers.
fn cases_of_four(numbers: [f32; 5]) -> impl Iterator<Item = [f32; 4]> {
    (0..625).map(move |case| [1, 5, 25, 125].map(|place| numbers[case / place % 5]))
}

#[test]
fn a_mirrored_one_sided_line_keeps_its_front_at_any_scale() {
    let line = Polyline::new(&[vec2(-4.0, 0.0), vec2(9.0, 0.0)]).unwrap().one_sided();
    for scale in [1e-30_f32, 1e-23, 1e-9, 1.0, 1e20] {
        let mut scene = Scene::new();
        let mirrored = Transform { scale: vec2(-scale, scale), ..Transform::IDENTITY };
        add(&mut scene, mirrored, line.clone());
        let hits = |up: f32, scene: &mut Scene| {
            scene.world().cast_ray(vec2(0.0, up * scale), Vec2::Y * -up, f32::INFINITY, &anything()).is_some()
        };
        assert!(hits(1.0, &mut scene) && !hits(-1.0, &mut scene), "{scale}");
    }
}

#[test]
fn a_cast_beside_a_sliver_does_not_begin_inside_it() {
    // Under this transform both pieces are flat, and the first one is 0.333 away from the mover.
    let flat = Transform { scale: vec2(0.0, 2.0), skew: -std::f32::consts::PI, ..Transform::IDENTITY };
    let corners =
        [vec2(-0.507_533_67, 0.416_002_15), vec2(-0.276_184_98, -0.799_748_9), vec2(0.512_726_55, 0.304_310_56)];
    let rounded = hitgraph::Rounded::new(Polygon::convex_hull(&corners).unwrap(), 0.283_563_52).at(vec2(1.0, 0.5));
    let axes = Mat2::from_cols(vec2(-0.627_710_46, 0.410_462_65), vec2(-0.273_641_77, -0.418_474_43));
    let ellipse = hitgraph::Ellipse::from_matrix(axes).at(vec2(-1.75, -1.25));
    let pieces: Vec<Shape> = vec![rounded.into(), ellipse.into()];
    let mover = Circle::new(0.75).at(vec2(-0.75, -1.5));
    let displacement = vec2(f32::from_bits(3_234_211_012), f32::from_bits(3_223_816_656));
    let mut scene = Scene::new();
    add(&mut scene, flat, UserComposite(pieces));
    let hit = scene.world().cast_shape(&mover, &flat.to_affine(), displacement, &anything());
    assert_eq!(hit, None);
}

#[test]
fn the_tile_of_a_hit_is_one_that_the_ray_has_hit() {
    let mut dice = support::dice::Dice(7);
    for case in 0..300 {
        let size = vec2(dice.within(0.5..20.0), dice.within(0.5..20.0));
        let kinds =
            [Tile::EMPTY, Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 1.0), Tile::part(Vec2::ZERO, vec2(1.0, 0.5))];
        let cells: Vec<Tile> = (0..48).map(|_| dice.one_of(&kinds)).collect();
        let map = Tiles::from_tiles(8, 6, size, |column, row| cells[(row * 8 + column) as usize]).unwrap();
        let turn = if case % 2 == 0 { 0.0 } else { dice.within(-3.0..3.0) };
        let place = Transform::from_position(vec2(dice.within(-90.0..90.0), 3.0)).with_rotation(turn);
        let mut scene = Scene::new();
        let (node, collider) = scene.add_with(Node::new("map").with_transform(place), map);
        for _ in 0..20 {
            // Half of the rays are upright, and hit borders and corners.
            let target = (vec2(dice.unit(), dice.unit()) * vec2(16.0, 12.0)).floor() * 0.5 * size;
            let way = dice.one_of(&[Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y, Vec2::from_angle(dice.clone().unit() * TAU)]);
            let world = scene.world();
            let from = world.to_world(node, target - way * 300.0).unwrap();
            let to = world.to_world(node, target).unwrap();
            let Some(hit) = world.cast_ray(from, to - from, 900.0, &anything()) else { continue };
            let point = world.to_local(node, hit.point).unwrap();
            let tiles = scene.attachment_mut(collider).unwrap().collider_mut::<Tiles>().unwrap();
            let (column, row) = tiles.place_of_hit(point).unwrap();
            let number = tiles.number_of(column, row).unwrap();
            let tile = tiles.tile(column, row).unwrap();
            let only = Tiles::from_tiles(8, 6, size, |x, y| if (x, y) == (column, row) { tile } else { Tile::EMPTY });
            let mut alone = Scene::new();
            add(&mut alone, place, only.unwrap());
            let same = alone.world().cast_ray(from, to - from, 900.0, &anything());
            let gap = same.map_or(f32::INFINITY, |same| (same.distance - hit.distance).abs());
            let touches = alone.world().nearest(hit.point, 0.01, &anything()).is_some();
            assert!(gap < 0.01 || touches, "case {case}: {hit:?} is not on tile {number}");
        }
    }
    let map = Tiles::new(2, 2, Vec2::ONE, |_, _| true);
    let places = [vec2(-0.6, 0.5), Vec2::NAN, Vec2::INFINITY, vec2(-0.4, 0.5)].map(|point| map.place_of_hit(point));
    assert_eq!(places, [None, None, None, Some((0, 0))]);
}
