use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer};

use super::document::{NoUserShape, SavedCollider, SavedNode, SavedScene, SavedShape, unwrapped};
use crate::collider::{Attachment, Collider};
use crate::scene::placed::{Colliders, Touching};
use crate::scene::tree::Hierarchy;
use crate::scene::{LoadError, NodeCollider, NodeId, Scene, slot_of};

impl Scene {
    /// Returns the scene of saved data: equal to the saved one, with the same ids. An id of the saved scene is valid in
    /// the loaded one, and only there: a scene that already exists keeps its own ids.
    ///
    /// The data may come from anywhere. Whatever it contains, the result is a valid scene or an error.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, SavedScene, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(1.0));
    /// let text = serde_json::to_string(&scene.save()?)?;
    /// assert!(serde_json::from_str::<SavedScene>(&text.replace("1.0", "-1.0")).is_err(), "no radius is negative");
    ///
    /// let saved: SavedScene = serde_json::from_str(&text)?;
    /// let loaded = Scene::load(saved)?;
    /// assert!(loaded.contains(ball));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`LoadError`] if the data is not that of a scene, or contains a user shape.
    #[doc(alias("deserialize", "read"))]
    pub fn load(saved: SavedScene) -> Result<Self, LoadError> {
        Self::load_with(saved, |_: NoUserShape| None)
    }

    /// Does the same as [`load`](Self::load) for a scene with user shapes, of whose data `load` makes colliders. See
    /// [`save_with`](Self::save_with) for an example.
    ///
    /// # Errors
    /// A [`LoadError`] if the data is not that of a scene, or `load` returns `None`.
    pub fn load_with<U>(
        saved: SavedScene<U>,
        mut load: impl FnMut(U) -> Option<Box<dyn Collider>>,
    ) -> Result<Self, LoadError> {
        let SavedScene { touching, quarantined, .. } = saved;
        let (mut nodes, mut parents, mut colliders) = (Vec::new(), Vec::new(), Vec::new());
        for SavedNode { id, parent, node, colliders: own } in saved.nodes {
            nodes.push((id, node));
            parents.push((id, parent));
            colliders.extend(own.into_iter().map(|collider| (id, collider)));
        }
        let mut scene = Self::new();
        scene.hierarchy = Hierarchy::restored(nodes, &parents, &saved.free_nodes)?;
        let mut attachments = Vec::with_capacity(colliders.len());
        for (node, collider) in colliders {
            let id = collider.id;
            let path = || scene.path(node).unwrap_or_default();
            attachments.push((id, attachment_of(collider, &mut load, path)?));
            scene.hierarchy.attach(node, id);
        }
        scene.colliders = Colliders::restored(attachments, &saved.free_colliders, &scene.hierarchy)?;
        scene.restore_ignored_pairs(saved.ignored_pairs)?;
        scene.touching = scene.restored_touching(&touching, &saved.pairs).ok_or(LoadError::Touching)?;
        let had_node = |node: &NodeId| scene.hierarchy.nodes().has_slot(*node);
        if !quarantined.is_sorted_by(|a, b| a < b) || !quarantined.iter().all(had_node) {
            return Err(LoadError::Quarantined);
        }
        scene.quarantined = quarantined;
        for (node, memory) in saved.movers {
            // Its numbers may be any: a move of extreme size overflows.
            if !scene.contains(node) || !memory.is_in_order() || scene.movers.insert(node, memory).is_some() {
                return Err(LoadError::Mover(node));
            }
        }
        scene.list_all_riders();
        scene.expect_changes(&touching);
        Ok(scene)
    }

    fn restore_ignored_pairs(&mut self, pairs: Vec<[NodeId; 2]>) -> Result<(), LoadError> {
        for [a, b] in pairs {
            let may_be_ignored = self.contains(a) && self.contains(b) && a != b;
            if !(may_be_ignored && self.colliders.ignored_pairs.insert([a, b].map(slot_of))) {
                return Err(LoadError::IgnoredPair([a, b]));
            }
        }
        Ok(())
    }

    /// Returns the pairs that touched, as indices of the list of their sides. These were in the scene, but may be gone.
    fn restored_touching(&self, sides: &[NodeCollider], pairs: &[[u32; 2]]) -> Option<Touching> {
        let was_in_scene = |&NodeCollider { node, owner, collider, .. }: &NodeCollider| {
            let nodes = self.hierarchy.nodes();
            nodes.has_slot(node) && nodes.has_slot(owner) && self.colliders.attachments.has_slot(collider)
        };
        if sides.iter().all(was_in_scene) { Touching::restored(sides, pairs) } else { None }
    }

    /// Records that everything may have changed: the next refresh places everything, and the next update compares all
    /// pairs with those of `touching`, some of which may be gone.
    fn expect_changes(&mut self, touching: &[NodeCollider]) {
        let Self { hierarchy, colliders, changes, .. } = self;
        changes.since_update.disabled = true;
        hierarchy.subtree(hierarchy.root()).for_each(|node| changes.node_changed(slot_of(node)));
        let touched = touching.iter().map(|side| side.collider);
        colliders.attachments.keys().chain(touched).for_each(|id| changes.collider_edited(slot_of(id)));
    }
}

/// Returns the attachment of a saved collider. `path` returns the path of its node.
fn attachment_of<U>(
    SavedCollider { id, shape, settings }: SavedCollider<U>,
    load: &mut impl FnMut(U) -> Option<Box<dyn Collider>>,
    path: impl Fn() -> String,
) -> Result<Attachment, LoadError> {
    let attachment = match shape {
        SavedShape::Convex(shape) => unwrapped(&shape),
        SavedShape::Shape(shape) => shape.into(),
        SavedShape::Polyline(polyline) => polyline.into(),
        SavedShape::Compound(compound) => compound.into(),
        SavedShape::Tiles(tiles) => tiles.into(),
        SavedShape::User(user) => load(user).ok_or_else(|| LoadError::UserShape { path: path(), collider: id })?.into(),
    };
    Ok(settings.apply(attachment))
}

/// Does the same as [`Scene::load`].
impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved: SavedScene<NoUserShape> = SavedScene::deserialize(deserializer)?;
        Self::load(saved).map_err(serde::de::Error::custom)
    }
}
