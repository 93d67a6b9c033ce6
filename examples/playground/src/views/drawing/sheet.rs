//! An open drawing or map.

use hitgraph::{Aabb, NodeId, QueryFilter, Scene};
use macroquad::prelude::Vec2;

use super::svg::reader::touching::Touching;

/// The maximum number of contacts that are drawn. The pairs of many shapes in one place would need too much memory.
const MOST_CONTACTS: usize = 2_000;

/// An open file: its scene, the reader's remarks and the touching pairs.
pub struct Sheet {
    pub name: String,
    pub scene: Scene,
    /// The region that contains the page and all colliders, with a margin.
    pub home: Aabb,
    /// The elements that the reader skipped, with the reasons.
    pub remarks: Vec<String>,
    /// The pairs as of the last [`Sheet::refresh`].
    pub touching: Touching,
}

impl Sheet {
    /// Creates a sheet. `page` is the page's rectangle, if the file has one.
    pub fn new(name: &str, scene: Scene, page: Option<Aabb>, remarks: Vec<String>) -> Self {
        let mut sheet =
            Self { name: name.to_owned(), scene, home: Aabb::EMPTY, remarks, touching: Touching::default() };
        sheet.refresh();
        let world = sheet.scene.world();
        let colliders = world.descendants(world.root()).flat_map(|node| world.colliders(node));
        let bounds = colliders.filter_map(|id| world.bounds(*id)).filter(|bounds| bounds.is_finite());
        let content = bounds.fold(page.unwrap_or(Aabb::EMPTY), Aabb::union);
        let content = if content.is_finite() { content } else { Aabb::new(Vec2::ZERO, Vec2::splat(100.0)) };
        let margin = content.size().max_element() * 0.03;
        sheet.home = content.grown(if margin > 0.0 { margin } else { 1.0 });
        sheet
    }

    /// Finds the touching pairs again.
    pub fn refresh(&mut self) {
        self.touching = Touching::find(self.scene.world(), MOST_CONTACTS);
    }

    /// Returns the node at a point, or else the nearest within `reach`. Of several nodes at the point, returns the
    /// last, which SVG and Tiled draw on top.
    pub fn pick(&mut self, at: Vec2, reach: f32) -> Option<NodeId> {
        let (world, filter) = (self.scene.world(), QueryFilter::default());
        let near = || world.nearest(at, reach, &filter).map(|near| near.side);
        world.at_point(at, &filter).last().or_else(near).map(|side| side.node)
    }

    /// Moves a node by a displacement in world space, whatever its parent's transform is.
    pub fn drag(&mut self, node: NodeId, from: Vec2, to: Vec2) {
        let world = self.scene.world();
        let parent = world.parent(node).unwrap_or(world.root());
        let (Some(from), Some(to)) = (world.to_local(parent, from), world.to_local(parent, to)) else { return };
        if let Some(node) = self.scene.get_mut(node).filter(|_| from != to) {
            node.transform.position += to - from;
            self.refresh();
        }
    }

    /// Returns the name of a node, or an empty text for a stale id.
    pub fn name_of(&self, node: NodeId) -> &str {
        self.scene.get(node).map_or("", |node| &node.name)
    }
}
