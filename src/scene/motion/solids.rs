use core::ops::ControlFlow;

use glam::DVec2;
use smallvec::SmallVec;

use crate::collider::Placed;
use crate::math::Aabb;
use crate::scene::bodies::Slot;
use crate::scene::{NodeId, QueryFilter, Scene, World};

/// Up to so many are gathered. If more are near, the index is asked each time.
const MOST: usize = 16;

/// What stands in the way of a node. What is near it is gathered once, since a move asks several times.
pub(super) struct Solids<'a> {
    world: World<'a>,
    node: NodeId,
    filter: &'a QueryFilter,
    /// A node that does not stand in the way now, with its subtree.
    pub(super) ignored: Option<NodeId>,
    /// All that overlap a region, with their boxes.
    gathered: SmallVec<[(u32, Aabb); MOST]>,
    region: Aabb,
}

impl<'a> Solids<'a> {
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter) -> Self {
        Self { world, node, filter, ignored: None, gathered: SmallVec::new(), region: Aabb::EMPTY }
    }

    /// Takes in what is in a region where the mover is likely to stay.
    pub(super) fn gather(&mut self, region: Aabb) {
        let bodies = &self.world.scene.bodies;
        self.gathered.clear();
        let flow = bodies.index.in_region(region, |slot| {
            if !self.is_solid(bodies.slot(slot)) {
                return ControlFlow::Continue(());
            }
            if self.gathered.len() == MOST {
                return ControlFlow::Break(());
            }
            self.gathered.extend(bodies.index.bounds(slot).map(|bounds| (slot, bounds)));
            ControlFlow::Continue(())
        });
        self.region = if flow.is_break() { Aabb::EMPTY } else { region };
    }

    /// Visits what is in a region.
    pub(super) fn in_region(&self, region: Aabb, visit: &mut dyn FnMut(&Slot, &Placed<'a>)) {
        if self.has(region) {
            for (slot, _) in self.gathered.iter().filter(|(_, bounds)| bounds.overlaps(region)) {
                self.offer(*slot, visit);
            }
            return;
        }
        let bodies = &self.world.scene.bodies;
        let _ = bodies.index.in_region(region, |slot| {
            if self.is_solid(bodies.slot(slot)) {
                self.offer(slot, visit);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Visits what a box may touch that moves along, as far as `limit` times the motion and no further than `visit`
    /// returned last.
    pub(super) fn along(
        &self,
        from: Aabb,
        motion: DVec2,
        mut limit: f64,
        visit: &mut dyn FnMut(&Slot, &Placed<'a>) -> f64,
    ) {
        let swept = |limit: f64| {
            let reach = (motion * limit).as_vec2();
            from.union(Aabb { min: from.min + reach, max: from.max + reach })
        };
        if self.has(swept(limit)) {
            for (slot, bounds) in &self.gathered {
                if bounds.overlaps(swept(limit)) {
                    self.offer(*slot, &mut |what, placed| limit = visit(what, placed));
                }
            }
            return;
        }
        let bodies = &self.world.scene.bodies;
        bodies.index.along(from, motion.as_vec2(), limit as f32, |slot, _| {
            if self.is_solid(bodies.slot(slot)) {
                self.offer(slot, &mut |what, placed| limit = visit(what, placed));
            }
            limit as f32
        });
    }

    /// Where to one may pass a piece of a collider, as a unit vector in the world, if it holds in one direction only.
    pub(super) fn one_way(&self, what: &Slot, target: &Placed<'_>, piece: u32) -> Option<DVec2> {
        let of_all = || self.world.scene.bodies.body(what.owner)?.attachment.one_way;
        let up = target.collider.one_way_of(piece).or_else(of_all)?.as_dvec2();
        let matrix = self.world.scene.transforms.world(what.node)?.matrix2.as_dmat2();
        // Normals are mapped by the inverse transpose: but for a factor, the cofactors.
        let mapped = matrix.x_axis.perp() * up.y - matrix.y_axis.perp() * up.x;
        (if matrix.determinant() < 0.0 { -mapped } else { mapped }).try_normalize()
    }

    /// Whether all that is in a region was gathered.
    fn has(&self, region: Aabb) -> bool {
        self.region.contains(region.min) && self.region.contains(region.max)
    }

    fn offer(&self, slot: u32, visit: &mut dyn FnMut(&Slot, &Placed<'a>)) {
        let Scene { bodies, hierarchy, .. } = self.world.scene;
        let what = bodies.slot(slot);
        if self.ignored.is_none_or(|ignored| !hierarchy.is_within(what.node, ignored))
            && let Some(placed) = bodies.placed_at(slot)
        {
            visit(what, &placed);
        }
    }

    /// Whether a collider stands in the way at all.
    fn is_solid(&self, what: &Slot) -> bool {
        !what.sensor
            && self.world.accepts(what, self.filter)
            && !self.world.scene.hierarchy.is_within(what.node, self.node)
    }
}
