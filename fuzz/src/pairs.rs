use glam::Vec2;
use hitgraph::{Contact, Node, QueryFilter, Scene};

use super::bits::Bits;

/// Runs every query about a pair on two shapes with any transforms. The answers must not depend on the order of the
/// two.
pub fn pairs(data: &[u8]) {
    let mut bits = Bits(data);
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (transform, attachment) = (bits.transform(), bits.attachment());
        let node = scene.add(Node::new("n").with_transform(transform));
        let Ok(attachment) = attachment else { return };
        ids.extend(scene.attach(node, attachment));
    }
    let point = bits.point();
    scene.update();
    scene.validate().unwrap();
    let [a, b] = [ids[0], ids[1]];
    let world = scene.world();

    // The depth of shapes near the largest `f32` may overflow to infinity.
    let is_huge = ids.iter().filter_map(|id| world.bounds(*id)).any(|bounds| bounds.size().max_element() > 1e37);
    if is_huge {
        let _ = (world.contact(a, b), world.distance(a, b), world.closest_points(a, b), world.project_point(a, point));
        return;
    }
    let contact = world.contact(a, b);
    let parts = |contact: &Contact| (contact.depth, contact.points().to_vec());
    let back = world.contact(b, a);
    assert_eq!(back.as_ref().map(parts), contact.as_ref().map(parts));
    assert_eq!(back.map(|contact| -contact.normal), contact.map(|contact| contact.normal));
    assert_eq!(world.pairs().len(), usize::from(world.overlaps(a).count() == 1));
    if let Some(contact) = contact {
        assert!((contact.normal.length() - 1.0).abs() < 1e-4, "{contact:?}");
        assert!(contact.depth >= 0.0, "{contact:?}");
    }
    let distance = world.distance(a, b);
    assert_eq!(distance, world.distance(b, a));
    assert!(distance.is_none_or(|distance| distance >= 0.0), "{distance:?}");
    let swapped = |[a, b]: [Vec2; 2]| [b, a];
    assert_eq!(world.closest_points(a, b), world.closest_points(b, a).map(swapped));
    for id in ids {
        let inside = world.at_point(point, &QueryFilter::default()).any(|side| side.collider == id);
        if let Some(projection) = world.project_point(id, point) {
            assert!(projection.distance >= 0.0, "{projection:?}");
            // Subnormal numbers are too coarse to decide whether a point touches a shape.
            let is_tiny = world.bounds(id).is_some_and(|bounds| bounds.size().max_element() < 1e-36);
            assert!(is_tiny || projection.inside == inside, "{point:?} {projection:?}");
        }
    }
}
