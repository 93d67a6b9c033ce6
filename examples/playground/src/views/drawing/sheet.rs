//! What was opened: a scene, what is to be told of it, and what touches in it.

use hitgraph::{Aabb, CollisionPair, Contact, NodeId, QueryFilter, Scene};
use macroquad::prelude::Vec2;

pub struct Sheet {
    pub name: String,
    pub scene: Scene,
    /// What is shown at first: its page and all that is on it.
    pub home: Aabb,
    /// What the reader could not read, or left out.
    pub remarks: Vec<String>,
    /// As of the last change.
    pub contacts: Vec<(CollisionPair, Contact)>,
}

impl Sheet {
    pub fn new(name: &str, scene: Scene, page: Option<Aabb>, remarks: Vec<String>) -> Self {
        let mut sheet = Self { name: name.to_owned(), scene, home: Aabb::EMPTY, remarks, contacts: Vec::new() };
        sheet.changed();
        let world = sheet.scene.world();
        let colliders = world.descendants(world.root()).flat_map(|node| world.colliders(node));
        let bounds = colliders.filter_map(|id| world.bounds(*id)).filter(|bounds| bounds.is_finite());
        let seen = bounds.fold(page.unwrap_or(Aabb::EMPTY), Aabb::union);
        let seen = if seen.is_finite() { seen } else { Aabb::new(Vec2::ZERO, Vec2::splat(100.0)) };
        let margin = seen.size().max_element() * 0.03;
        sheet.home = seen.grown(if margin > 0.0 { margin } else { 1.0 });
        sheet
    }

    /// Looks anew at what touches.
    pub fn changed(&mut self) {
        let _ = self.scene.update();
        self.scene.world().contacts_into(&mut self.contacts);
    }

    /// The node of what is at a point, or near it. Of several it is the last, which SVG and Tiled draw on top.
    pub fn pick(&mut self, at: Vec2, reach: f32) -> Option<NodeId> {
        let (world, filter) = (self.scene.world(), QueryFilter::default());
        let near = || world.nearest(at, reach, &filter).map(|near| near.side);
        world.at_point(at, &filter).last().or_else(near).map(|side| side.node)
    }

    /// Moves a node by so much of the world, whatever is above it.
    pub fn drag(&mut self, node: NodeId, from: Vec2, to: Vec2) {
        let world = self.scene.world();
        let above = world.parent(node).unwrap_or(world.root());
        let (Some(from), Some(to)) = (world.to_local(above, from), world.to_local(above, to)) else { return };
        if let Some(node) = self.scene.get_mut(node).filter(|_| from != to) {
            node.transform.position += to - from;
            self.changed();
        }
    }

    pub fn name_of(&self, node: NodeId) -> &str {
        self.scene.get(node).map_or("", |node| &node.name)
    }
}
