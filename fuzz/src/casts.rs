use hitgraph::{Aabb, MoveOptions, Node, QueryFilter, Scene, SceneError};

use super::bits::Bits;

/// The largest number of colliders in a scene.
const MAX_COLLIDERS: u8 = 10;

/// Runs ray casts, shape casts, nearest queries and moves with any options in a scene of a few colliders. Distances and
/// fractions must be in range and normals of unit length.
pub fn casts(data: &[u8]) {
    let mut bits = Bits(data);
    let (from, displacement, reach) = (bits.point(), bits.point(), bits.number());
    let (probe, at) = (bits.attachment(), bits.transform().to_affine());
    let options = MoveOptions {
        up: bits.point(),
        max_slope: bits.number(),
        snap_to_floor: bits.number(),
        step_height: bits.number(),
        skin_width: bits.number(),
        stand_on_slopes: bits.flag(),
        ride_platforms: bits.flag(),
        ..MoveOptions::default()
    };
    let mut scene = Scene::new();
    let mut nodes = vec![scene.root()];
    for _ in 0..bits.byte() % (MAX_COLLIDERS + 1) {
        let parent = nodes[bits.index() % nodes.len()];
        let node = scene.add_child(parent, Node::new("n").with_transform(bits.transform())).unwrap();
        nodes.push(node);
        if let Ok(attachment) = bits.attachment() {
            let attachment = if bits.byte() % 4 == 1 { attachment.one_way(bits.point()) } else { attachment };
            scene.attach(node, attachment).unwrap();
        }
    }
    let (world, all) = (scene.world(), QueryFilter::default());
    let rays = world.cast_ray_all(from, displacement, reach, &all);
    assert_eq!(world.cast_ray(from, displacement, reach, &all), rays.first().copied());
    for hit in rays {
        assert!(hit.distance >= 0.0 && hit.distance <= reach, "{hit:?}");
        assert!((hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
    }
    let near = world.nearest_n(from, 3, reach, &all);
    assert_eq!(world.nearest(from, reach, &all), near.first().copied());
    assert!(near.iter().all(|near| near.distance >= 0.0 && near.distance <= reach), "{near:?}");
    let _ = world.in_aabb(Aabb::new(from, displacement), &all).count();
    if let Ok(probe) = probe {
        let hits = world.cast_shape_all(probe.collider(), &at, displacement, &all);
        assert_eq!(world.cast_shape(probe.collider(), &at, displacement, &all), hits.first().copied());
        for hit in hits {
            assert!((0.0..=1.0).contains(&hit.fraction) && (hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
        }
    }
    for node in nodes {
        if let Ok(moved) = scene.move_and_slide(node, displacement, &options) {
            assert!(!moved.travel.is_nan(), "{displacement} {options:?} {moved:?}");
        }
        if let Ok(moved) = scene.move_and_collide(node, -displacement, &options) {
            let blocked = moved.hits().iter().filter(|hit| !hit.began_inside).count();
            assert!(blocked <= 2 && !moved.travel.is_nan(), "{moved:?}");
        }
        match scene.depenetrate(node, &all) {
            Ok(displacement) => assert!(!displacement.is_nan(), "{displacement}"),
            Err(error) => assert!(!matches!(error, SceneError::NodeNotFound(_)), "{error}"),
        }
    }
    scene.update();
    scene.validate().unwrap();
}
