use super::{NodeId, Scene};
use crate::math::Checksum;

impl Scene {
    /// Returns a checksum of everything that can influence an answer. Two scenes with equal checksums are equal with
    /// near certainty: the same calls on both give the same answers, bit for bit, and the same ids.
    ///
    /// Lockstep games compare it between machines, and rollback compares a repeated frame with the first one. It covers
    /// the nodes with their data and order, the colliders with their shapes and settings, the ignored pairs, all ids that
    /// are in use or will be used next, the pairs and the quarantined nodes of the last update, and the memory of movers.
    /// Edits count at once, without an update. The checksum is the same on every platform, in debug and release; it may
    /// differ between versions of this crate. [`Collider::checksum`](crate::Collider::checksum) is the part of a shape.
    ///
    /// The time is that of reading the whole scene: see the guide page on saving for a measurement.
    ///
    /// ```
    /// use hitgraph::{Circle, MoveOptions, Node, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(1.0));
    /// let snapshot = scene.clone();
    /// assert_eq!(scene.checksum(), snapshot.checksum());
    ///
    /// scene.move_and_slide(ball, vec2(0.5, 0.0), &MoveOptions::default())?;
    /// assert_ne!(scene.checksum(), snapshot.checksum());
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    #[doc(alias("hash", "desync", "lockstep", "rollback", "determinism"))]
    pub fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for node in self.hierarchy.subtree(self.root()) {
            self.add_node(node, &mut sum);
        }
        self.hierarchy.nodes().free().for_each(|id| sum.add(id.to_bits()));
        sum.add(self.hierarchy.nodes().free().len() as u64);
        self.colliders.attachments.free().for_each(|id| sum.add(id.to_bits()));
        sum.add(self.colliders.attachments.free().len() as u64);
        self.touching.add_to(&mut sum);
        self.ignored_pairs().flatten().for_each(|node| sum.add(node.to_bits()));
        sum.add(self.ignored_pairs().len() as u64);
        self.quarantined.iter().for_each(|node| sum.add(node.to_bits()));
        sum.add(self.quarantined.len() as u64);
        for (node, memory) in &self.movers {
            sum.add(node.to_bits());
            memory.add_to(&mut sum);
        }
        sum.value()
    }

    fn add_node(&self, id: NodeId, sum: &mut Checksum) {
        self[id].add_to(sum);
        sum.add(id.to_bits());
        // With the order of the nodes, the parents determine the tree.
        sum.add(self.parent(id).map_or(0, NodeId::to_bits));
        for (collider, attachment) in self.attachments(id) {
            sum.add(collider.to_bits());
            attachment.add_to(sum);
        }
    }
}
