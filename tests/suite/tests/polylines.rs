//! Polylines: hollow, with a front or without, and the answers of their pieces.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Circle, Collider, MoveOptions, Node, Polyline, Scene, ShapeError, Transform};
use support::{add, anything, at};

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
fn a_one_sided_line_that_is_flattened_to_a_point_stops_moves_casts_and_rays_from_its_front() {
    for (x, y) in [0.0, -0.0, 1e-30, -1e-30].into_iter().flat_map(|x| [(x, 2.0), (x, -2.0)]) {
        let mut scene = Scene::new();
        let line = Polyline::new(&[vec2(-4.0, 0.0), vec2(4.0, 0.0)]).unwrap().one_sided();
        scene.add_with(Node::new("line").with_scale(vec2(x, 1.0)), line);
        let shape = Circle::new(0.3);
        let (ball, _) = scene.add_with(Node::new("ball").with_position(vec2(0.0, y)), shape);
        let (to, others) = (vec2(0.0, -2.0 * y), anything().exclude_subtree(ball));
        let world = scene.world();
        let cast = world.cast_shape(&shape, &Affine2::from_translation(vec2(0.0, y)), to, &others).is_some();
        let ray = world.cast_ray(vec2(0.0, y), to, 9.0, &others).is_some();
        let node = world.cast_node(ball, to, &anything()).is_some();
        let stops = !scene.move_and_collide(ball, to, &MoveOptions::default()).unwrap().hits().is_empty();
        assert_eq!([cast, ray, node, stops], [y > 0.0; 4], "scale {x}, from {y}");
    }
}

#[test]
fn a_one_sided_line_has_a_front_however_long_or_short_its_pieces_are() {
    for unit in [1e-40, 1e-24, 1.0, 1e19, 1e38] {
        let line = Polyline::new(&[Vec2::ZERO, vec2(3.0 * unit, 0.0)]).unwrap().one_sided();
        assert_eq!(line.one_way_of(0), Some(Vec2::Y), "{unit}");
    }
}
