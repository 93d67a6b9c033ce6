use core::ops::ControlFlow;

use glam::DVec2;
use smallvec::SmallVec;

use crate::collider::WorldCollider;
use crate::math::Aabb;
use crate::scene::{NodeId, QueryFilter, World};

/// The largest number of colliders that are gathered. If more are near, each cast searches the index.
const MAX_GATHERED: usize = 16;

/// The colliders that block a node. Those near it are gathered once, because a move searches several times.
pub(super) struct Solids<'a> {
    pub(super) world: World<'a>,
    node: NodeId,
    filter: &'a QueryFilter,
    /// A node that does not block now, with its subtree.
    pub(super) ignored: Option<NodeId>,
    /// The slots and boxes of all blocking colliders that overlap the region.
    gathered: SmallVec<[(u32, Aabb); MAX_GATHERED]>,
    region: Aabb,
}

impl<'a> Solids<'a> {
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter) -> Self {
        Self { world, node, filter, ignored: None, gathered: SmallVec::new(), region: Aabb::EMPTY }
    }

    /// Gathers the colliders in a region that the mover is not likely to leave.
    pub(super) fn gather(&mut self, region: Aabb) {
        let index = &self.world.scene.colliders.index;
        self.gathered.clear();
        let flow = index.in_region(region, |slot| {
            if !self.is_solid(slot) {
                return ControlFlow::Continue(());
            }
            if self.gathered.len() == MAX_GATHERED {
                return ControlFlow::Break(());
            }
            self.gathered.extend(index.bounds(slot).map(|bounds| (slot, bounds)));
            ControlFlow::Continue(())
        });
        self.region = if flow.is_break() { Aabb::EMPTY } else { region };
    }

    /// Visits the blocking colliders whose boxes overlap a region.
    pub(super) fn in_region(&self, region: Aabb, visit: &mut dyn FnMut(u32, &WorldCollider<'a>)) {
        if self.has_gathered(region) {
            for (slot, _) in self.gathered.iter().filter(|(_, bounds)| bounds.overlaps(region)) {
                self.visit(*slot, visit);
            }
            return;
        }
        let _ = self.world.scene.colliders.index.in_region(region, |slot| {
            if self.is_solid(slot) {
                self.visit(slot, visit);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Visits the blocking colliders whose boxes a moving box overlaps, up to `limit` times the displacement, and then
    /// up to the limit that `visit` last returned.
    pub(super) fn along(
        &self,
        from: Aabb,
        displacement: DVec2,
        mut limit: f64,
        visit: &mut dyn FnMut(u32, &WorldCollider<'a>) -> f64,
    ) {
        let swept = |limit: f64| {
            let reach = (displacement * limit).as_vec2();
            from.union(Aabb { min: from.min + reach, max: from.max + reach })
        };
        if self.has_gathered(swept(limit)) {
            for (slot, bounds) in &self.gathered {
                if bounds.overlaps(swept(limit)) {
                    self.visit(*slot, &mut |slot, target| limit = visit(slot, target));
                }
            }
            return;
        }
        self.world.scene.colliders.index.cast_aabb(from, displacement.as_vec2(), limit as f32, |slot, _| {
            if self.is_solid(slot) {
                self.visit(slot, &mut |slot, target| limit = visit(slot, target));
            }
            limit as f32
        });
    }

    /// Returns the direction in which a mover may pass a piece of a collider, as a unit vector in world space; `None`
    /// if it blocks in all directions.
    pub(super) fn one_way(&self, slot: u32, target: &WorldCollider<'_>, piece: u32) -> Option<DVec2> {
        let colliders = &self.world.scene.colliders;
        let of_all = || colliders.attachments.get(colliders.id(slot))?.one_way;
        let up = target.collider.one_way_of(piece).or_else(of_all)?.as_dvec2();
        let matrix = self.world.scene.transforms.world(colliders.record(slot).node)?.matrix2.as_dmat2();
        // The inverse transpose maps normals. The cofactors are the same but for a factor.
        let mapped = matrix.x_axis.perp() * up.y - matrix.y_axis.perp() * up.x;
        (if matrix.determinant() < 0.0 { -mapped } else { mapped }).try_normalize()
    }

    /// Returns `true` if all blocking colliders in a region are gathered.
    fn has_gathered(&self, region: Aabb) -> bool {
        self.region.contains(region.min) && self.region.contains(region.max)
    }

    fn visit(&self, slot: u32, visit: &mut dyn FnMut(u32, &WorldCollider<'a>)) {
        if self.ignored.is_none_or(|ignored| !self.is_on(slot, ignored))
            && let Some(target) = self.world.collider_at(slot)
        {
            visit(slot, &target);
        }
    }

    /// Returns `true` if a collider blocks the node.
    fn is_solid(&self, slot: u32) -> bool {
        !self.world.scene.colliders.record(slot).sensor
            && self.world.accepts(slot, self.filter)
            && !self.is_on(slot, self.node)
    }

    /// Returns `true` if a collider is on a node or on a descendant of it.
    fn is_on(&self, slot: u32, node: NodeId) -> bool {
        let hierarchy = &self.world.scene.hierarchy;
        hierarchy.is_within(hierarchy.id(self.world.scene.colliders.record(slot).node), node)
    }
}
