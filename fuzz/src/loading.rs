use glam::Vec2;
use hitgraph::{Aabb, MoveOptions, Node, NodeId, QueryFilter, Scene};
use support::saved::{from_bytes, to_bytes};

use super::bits::Bits;

/// The largest number of nodes in a scene before it is damaged.
const MAX_NODES: u8 = 8;

/// Loads bytes that claim to be a scene: any bytes, or those of a saved scene with some of them replaced. The result
/// must be an error, or a valid scene that answers queries, moves, and can be saved and loaded again.
pub fn loading(data: &[u8]) {
    let mut bits = Bits(data);
    if bits.flag() {
        check(bits.0);
        return;
    }
    let mut scene = Scene::new();
    let mut nodes: Vec<NodeId> = vec![scene.root()];
    for _ in 0..bits.byte() % (MAX_NODES + 1) {
        let parent = nodes[bits.index() % nodes.len()];
        let node = scene.add_child(parent, Node::new("n").with_transform(bits.transform())).unwrap();
        nodes.push(node);
        if let Ok(attachment) = bits.attachment() {
            scene.attach(node, attachment).unwrap();
        }
        if bits.byte() % 4 == 0 {
            let _ = scene.move_and_slide(node, bits.point(), &MoveOptions::default());
        }
    }
    scene.update();
    scene.remove(nodes[bits.index() % nodes.len()]);
    let mut bytes = to_bytes(&scene);
    let loaded = from_bytes(&bytes).unwrap();
    assert_eq!(loaded.checksum(), scene.checksum());
    while !bits.is_empty() {
        let index = bits.index() * 256 + bits.index();
        let length = bytes.len();
        bytes[index % length] = bits.byte();
    }
    check(&bytes);
}

fn check(bytes: &[u8]) {
    let Ok(mut scene) = from_bytes(bytes) else { return };
    let sum = scene.checksum();
    let again = from_bytes(&to_bytes(&scene)).unwrap();
    assert_eq!(again.checksum(), sum);
    scene.validate().unwrap();
    let nodes: Vec<NodeId> = scene.descendants(scene.root()).collect();
    for node in nodes.into_iter().take(usize::from(MAX_NODES)) {
        if let Ok(moved) = scene.move_and_slide(node, Vec2::new(0.25, -1.0), &MoveOptions::default()) {
            assert!(!moved.travel.is_nan(), "{moved:?}");
        }
    }
    scene.update();
    assert!(scene.update().is_empty(), "nothing has changed since the last update");
    let world = scene.world();
    let _ = world.contacts();
    let _ = world.in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).count();
    scene.clear();
    let touching = scene.touching().len();
    assert_eq!(scene.update().len(), touching, "every pair stops");
    scene.validate().unwrap();
}
