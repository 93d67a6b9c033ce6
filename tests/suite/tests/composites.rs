//! Composites (compounds, polylines, tiles, user shapes with pieces): each is one collider and gives the same answers
//! as its pieces.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionEvent, Compound, DebugGeometry, DebugOptions,
    Motion, MoveOptions, Node, Polygon, Polyline, Rect, Scene, Segment, Shape, Tile, Tiles, Transform, World,
};
use proptest::prelude::*;
use support::composites::{outline, pieces_of, tiles};
use support::{Squircle, TestCollider, add, anything, at, cases, numbers, point, test_collider, transform};

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

/// A composite and its pieces, both as colliders.
#[derive(Debug, Clone)]
struct Composite {
    attachment: Attachment,
    pieces: Vec<Shape>,
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
        let motion = Motion::new(Vec2::splat(1e19));
        for motion in [motion, motion.with_rotation(1.0), motion.with_rotation(-0.3).with_pivot(Vec2::ZERO)] {
            for hit in scene.world().cast_shape_all(&caster, &transform, motion, &anything()) {
                assert!((0.0..=1.0).contains(&hit.fraction) && hit.normal.is_finite(), "{bits:b} {hit:?}");
            }
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
fn rays_and_casts_hit_the_first_piece_at_any_scale_and_length() {
    let points: Vec<Vec2> = (0..64_u8).map(|x| vec2(f32::from(x), f32::from(x % 2))).collect();
    let line = Polyline::new(&points).unwrap();
    for scale in [1e-37, 1e-30, 1e-12, 1.0, 1e12, 1e30, 1e36] {
        for (stretch, rotation, length) in [(1.0, 0.0, 1.0), (1e-3, 0.0, f32::INFINITY), (-1.0, 0.5, f32::MAX)] {
            let mut scene = Scene::new();
            let scales = scale * vec2(1.0, stretch);
            add(&mut scene, Transform::from_scale(scales).with_rotation(rotation), line.clone());
            let to_world = |x: f32, y: f32| Vec2::from_angle(rotation).rotate(vec2(x, y) * scales);
            let world = scene.world();
            for x in [0.5, 7.25, 31.5, 62.9_f32] {
                let piece = x as u32;
                let height = if piece.is_multiple_of(2) { x.fract() } else { 1.0 - x.fract() };
                let [from, on, to] = [-1.5, height, 1.5].map(|y| to_world(x, y));
                let length = if length == 1.0 { 3.0 * scale } else { length };
                let hit = world.cast_ray(from, to - from, length, &anything()).expect("the ray crosses the line");
                let cast =
                    world.cast_shape(&Circle::new(0.0), &Affine2::from_translation(from), to - from, &anything());
                let cast = cast.expect("the cast crosses the line");
                for (found, point) in [(hit.piece, hit.point), (cast.piece, cast.point)] {
                    let error = (point - on).abs().max_element();
                    assert!(found == piece && error <= 1e-5 * scale, "{scale} {stretch} {x}: {found} {point} {on}");
                }
            }
        }
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

/// A user shape with one piece and a box that does not contain it.
#[derive(Debug, Clone)]
struct Outside(Shape);

impl Collider for Outside {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction
    }

    fn bounds(&self, at: &Affine2) -> Aabb {
        Aabb::from_center(at.translation, Vec2::ONE)
    }

    fn pieces(&self, _: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        visit(0, &self.0);
        true
    }
}

#[test]
fn a_user_piece_that_overflows_hits_nothing_and_panics_in_no_cast() {
    let mut scene = Scene::new();
    add(&mut scene, at(3.0, 0.0), Rect::new(1.0, 1.0));
    let motions = [0.0, 1.0, -9.0].map(|rotation| Motion::new(vec2(5.0, 0.0)).with_rotation(rotation));
    let axis = [Vec2::ZERO, vec2(1e3, 0.0)];
    let pieces: [Shape; 4] = [
        Rect::new(1e3, 1e3).into(),
        Circle::new(1e3).into(),
        Segment::new(axis[0], axis[1]).into(),
        Capsule::new(axis[0], axis[1], 1e3).into(),
    ];
    for (piece, motion) in pieces.iter().flat_map(|piece| motions.map(|motion| (piece, motion))) {
        for matrix in
            [[1e18, -0.5, 3e38, 3e38], [1e-20, -3e38, 1.0, 0.6], [3e38, 0.0, 0.0, 3e38], [0.0, 3e38, 1e30, 0.0]]
        {
            let transform = Affine2::from_mat2(Mat2::from_cols_array(&matrix));
            let caster = Outside(piece.clone());
            for hit in scene.world().cast_shape_all(&caster, &transform, motion, &anything()) {
                assert!(hit.normal.is_normalized() && hit.point.is_finite(), "{piece:?} {matrix:?} {hit:?}");
            }
        }
    }
}

/// A user shape of a row of discs, which counts its visited pieces and the requests for them.
#[derive(Debug, Default)]
struct Row {
    visited: AtomicU32,
    requests: AtomicU32,
}

impl Row {
    const LENGTH: u16 = 400;

    /// Returns how many pieces were visited, and in how many requests, since the last call.
    fn take(&self) -> [u32; 2] {
        [&self.visited, &self.requests].map(|count| count.swap(0, Ordering::Relaxed))
    }
}

impl Collider for &'static Row {
    fn support(&self, direction: Vec2) -> Vec2 {
        let end = if direction.x > 0.0 { f32::from(Row::LENGTH - 1) } else { 0.0 };
        vec2(end, 0.0) + direction.normalize_or_zero() * 0.1
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        self.requests.fetch_add(1, Ordering::Relaxed);
        for x in 0..Row::LENGTH {
            let disc = Circle::new(0.1).at(vec2(f32::from(x), 0.0));
            if disc.bounds().overlaps(*region) {
                self.visited.fetch_add(1, Ordering::Relaxed);
                visit(x.into(), &disc.into());
            }
        }
        true
    }
}

#[test]
fn a_long_cast_that_is_blocked_at_once_visits_few_pairs_of_pieces() {
    static ROW: Row = Row { visited: AtomicU32::new(0), requests: AtomicU32::new(0) };
    let mut scene = Scene::new();
    let teeth = (0..Row::LENGTH).map(|x| Circle::new(0.1).at(vec2(f32::from(x) + 0.5, 0.0)));
    add(&mut scene, at(0.0, 0.0), Compound::new(teeth).unwrap());
    let (node, _) = scene.add_with(Node::new("row"), &ROW);
    scene.update();
    let (displacement, filter) = (vec2(300.0, 0.0), anything());
    let check = |call: &str| {
        let [visited, _] = ROW.take();
        assert!(visited < 8 * u32::from(Row::LENGTH), "{call}: {visited} own pieces were visited");
    };
    ROW.take();
    assert!(scene.world().cast_node(node, displacement, &filter).is_some());
    check("cast_node");
    let others = filter.clone().exclude_subtree(node);
    assert!(scene.world().cast_shape(&&ROW, &Affine2::IDENTITY, displacement, &others).is_some());
    check("cast_shape");
    let moved = scene.move_and_collide(node, displacement, &MoveOptions::top_down()).unwrap();
    assert!(moved.travel.x < 0.5 && moved.hits().len() == 1, "{moved:?}");
    check("move_and_collide");
}

#[test]
fn a_long_move_that_meets_the_end_of_a_side_at_once_visits_few_pieces_behind_it() {
    static ROW: Row = Row { visited: AtomicU32::new(0), requests: AtomicU32::new(0) };
    let mut scene = Scene::new();
    add(&mut scene, at(0.0, 0.0), &ROW);
    // The mover meets its side by two skins.
    add(&mut scene, at(-1.0, -0.98), Rect::new(0.2, 1.0));
    let (mover, _) = scene.add_with(Node::new("mover").with_position(vec2(-2.0, 0.0)), Rect::new(1.0, 1.0));
    scene.update();
    ROW.take();
    let moved = scene.move_and_collide(mover, vec2(500.0, 0.0), &MoveOptions::top_down()).unwrap();
    assert!(moved.travel.x < 0.5 && moved.hits().len() == 1, "{moved:?}");
    let [visited, _] = ROW.take();
    assert!(visited < u32::from(Row::LENGTH) / 4, "{visited} pieces were visited");
}

#[test]
fn touching_pieces_of_a_large_map_request_the_pieces_of_a_user_shape_once() {
    static ROW: Row = Row { visited: AtomicU32::new(0), requests: AtomicU32::new(0) };
    let mut scene = Scene::new();
    let map = add(&mut scene, at(0.0, 0.0), Tiles::new(200, 200, Vec2::ONE, |_, _| true));
    let row = add(&mut scene, Transform::from_position(vec2(0.5, 0.5)).with_rotation(0.75), &ROW);
    scene.update();
    ROW.take();
    let pieces = scene.world().touching_pieces(map, row);
    let [_, requests] = ROW.take();
    assert!(pieces.len() > 200 && pieces.is_sorted(), "{}", pieces.len());
    assert!(requests < 16, "{requests} requests");
    let flipped: Vec<[u32; 2]> = scene.world().touching_pieces(row, map).iter().map(|[a, b]| [*b, *a]).collect();
    assert!(flipped.len() == pieces.len() && flipped.iter().all(|pair| pieces.contains(pair)));
}
