use hitgraph::{Aabb, MoveOptions, Node, QueryFilter, Scene, SceneError};

use super::bits::Bits;

/// The most colliders of a scene here.
const MOST: u8 = 10;

/// Everything that has a way, through a few colliders: rays, casts, what is near, and moves.
pub fn casts(data: &[u8]) {
    let mut bits = Bits(data);
    let (from, way, reach) = (bits.point(), bits.point(), bits.number());
    let (brush, at) = (bits.attachment(), bits.transform().to_affine());
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
    for _ in 0..bits.byte() % (MOST + 1) {
        let above = nodes[bits.index() % nodes.len()];
        let node = scene.add_child(above, Node::new("n").with_transform(bits.transform())).unwrap();
        nodes.push(node);
        if let Ok(attachment) = bits.attachment() {
            let attachment = if bits.byte() % 4 == 1 { attachment.one_way(bits.point()) } else { attachment };
            scene.attach(node, attachment).unwrap();
        }
    }
    let (world, all) = (scene.world(), QueryFilter::default());
    let rays = world.cast_ray_all(from, way, reach, &all);
    assert_eq!(world.cast_ray(from, way, reach, &all), rays.first().copied());
    for hit in rays {
        assert!(hit.distance >= 0.0 && hit.distance <= reach, "{hit:?}");
        assert!((hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
    }
    let near = world.nearest_n(from, 3, reach, &all);
    assert_eq!(world.nearest(from, reach, &all), near.first().copied());
    assert!(near.iter().all(|near| near.distance >= 0.0 && near.distance <= reach), "{near:?}");
    let _ = world.in_aabb(Aabb::new(from, way), &all).count();
    if let Ok(brush) = brush {
        let hits = world.cast_shape_all(brush.shape(), &at, way, &all);
        assert_eq!(world.cast_shape(brush.shape(), &at, way, &all), hits.first().copied());
        for hit in hits {
            assert!((0.0..=1.0).contains(&hit.fraction) && (hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
        }
    }
    for node in nodes {
        if let Ok(moved) = scene.move_and_slide(node, way, &options) {
            assert!(!moved.travel.is_nan(), "{way} {options:?} {moved:?}");
        }
        if let Ok(moved) = scene.move_and_collide(node, -way, &options) {
            assert!(moved.hits.len() <= 2 && !moved.travel.is_nan(), "{moved:?}");
        }
        match scene.depenetrate(node, &all) {
            Ok(way) => assert!(!way.is_nan(), "{way}"),
            Err(error) => assert!(!matches!(error, SceneError::NodeNotFound(_)), "{error}"),
        }
    }
    scene.update();
    scene.validate().unwrap();
}
