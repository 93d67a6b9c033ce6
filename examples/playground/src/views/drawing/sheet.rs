//! An open drawing or map.

use hitgraph::{Aabb, NodeId, QueryFilter, Scene};
use macroquad::prelude::Vec2;

use super::svg::reader::touching::Touching;

/// The maximum number of contacts that are drawn. The pairs of many shapes in one place would need too much memory.
pub const MOST_CONTACTS: usize = 500;
/// The number of colliders and pairs up to which a drag finds the pairs again at every step, and else at its end.
const MOST_LIVE: usize = 5_000;

/// An open file: its scene, the reader's remarks and the touching pairs.
pub struct Sheet {
    pub name: String,
    pub scene: Scene,
    /// The page's rectangle, if the file has one.
    page: Option<Aabb>,
    /// The region of the page and all colliders when the file was opened.
    pub home: Aabb,
    /// The elements that the reader skipped, with the reasons.
    pub remarks: Vec<String>,
    /// The pairs as of the last [`Sheet::refresh`].
    pub touching: Touching,
    /// `true` if a node was moved since the last refresh.
    is_moved: bool,
}

impl Sheet {
    pub fn new(name: &str, scene: Scene, page: Option<Aabb>, remarks: Vec<String>) -> Self {
        let (name, touching) = (name.to_owned(), Touching::default());
        let mut sheet = Self { name, scene, page, home: Aabb::EMPTY, remarks, touching, is_moved: true };
        sheet.refresh();
        sheet.home = sheet.region();
        sheet
    }

    /// Returns the region that contains the page and all colliders, with a margin.
    pub fn region(&mut self) -> Aabb {
        let world = self.scene.world();
        let colliders = world.descendants(world.root()).flat_map(|node| world.colliders(node));
        let bounds = colliders.filter_map(|id| world.bounds(*id)).filter(|bounds| bounds.is_finite());
        let content = bounds.fold(self.page.unwrap_or(Aabb::EMPTY), Aabb::union);
        let content = if content.is_finite() { content } else { Aabb::new(Vec2::ZERO, Vec2::splat(100.0)) };
        let margin = content.size().max_element() * 0.03;
        content.grown(if margin > 0.0 { margin } else { 1.0 })
    }

    /// Finds the touching pairs again if a node was moved.
    pub fn refresh(&mut self) {
        if std::mem::take(&mut self.is_moved) {
            self.touching = Touching::find(self.scene.world(), MOST_CONTACTS);
        }
    }

    /// Returns the node at a point, or else the nearest within `reach`. Of several nodes at the point, returns the
    /// last, which SVG and Tiled draw on top.
    pub fn pick(&mut self, at: Vec2, reach: f32) -> Option<NodeId> {
        let (world, filter) = (self.scene.world(), QueryFilter::default());
        let near = || world.nearest(at, reach, &filter).map(|near| near.side);
        world.at_point(at, &filter).last().or_else(near).map(|side| side.node)
    }

    /// Moves a node by a displacement in world space, whatever its parent's transform is. Call [`Sheet::refresh`] at the
    /// end of the drag.
    pub fn drag(&mut self, node: NodeId, from: Vec2, to: Vec2) {
        let world = self.scene.world();
        let parent = world.parent(node).unwrap_or(world.root());
        let (Some(from), Some(to)) = (world.to_local(parent, from), world.to_local(parent, to)) else { return };
        if let Some(node) = self.scene.get_mut(node).filter(|_| from != to) {
            node.transform.position += to - from;
            self.is_moved = true;
            if self.scene.collider_count() + self.touching.count <= MOST_LIVE {
                self.refresh();
            }
        }
    }

    /// Returns the name of a node, or an empty text for a stale id.
    pub fn name_of(&self, node: NodeId) -> &str {
        self.scene.get(node).map_or("", |node| &node.name)
    }
}
