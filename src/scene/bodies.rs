use std::collections::BTreeSet;

use glam::Affine2;
use slotmap::SlotMap;

use super::transforms::Transforms;
use super::{ColliderId, CollisionPair, NodeId, Side};
use crate::collider::{Attachment, Placed, Sealed};
use crate::index::{Handle, Index};
use crate::math::Aabb;
use crate::shape::{Circle, Shape};

/// The colliders in the world: their world forms, and the index over them.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    map: SlotMap<ColliderId, Body>,
    pub(super) index: Index<ColliderId>,
    /// To be placed anew, each once.
    touched: Vec<ColliderId>,
    /// Placed anew since the last update, each once.
    stirred: Vec<ColliderId>,
    /// Those whose own size overflows where they are.
    overflowing: BTreeSet<ColliderId>,
}

/// A collider in the world.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) node: NodeId,
    pub(super) attachment: Attachment,
    at: Affine2,
    /// The world form, if it is a built-in shape.
    shape: Shape,
    is_flat: bool,
    pub(super) bounds: Aabb,
    /// Its place in the index while it takes part.
    handle: Option<Handle>,
    /// How many others it touched at the last update.
    pub(super) touching: u32,
    pub(super) state: BodyState,
    touched: bool,
    pub(super) stirred: bool,
}

/// Whether a collider takes part, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyState {
    Active,
    Disabled,
    SetAside,
}

impl Body {
    pub(super) fn placed(&self) -> Placed<'_> {
        Placed { collider: self.attachment.shape(), at: &self.at, shape: self.is_flat.then_some(&self.shape) }
    }

    pub(super) fn is_active(&self) -> bool {
        self.state == BodyState::Active
    }

    /// Whether two colliders may touch at all.
    pub(super) fn may_touch(&self, other: &Self) -> bool {
        self.node != other.node && self.attachment.layers.meets(other.attachment.layers)
    }
}

impl Bodies {
    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn body(&self, id: ColliderId) -> Option<&Body> {
        self.map.get(id)
    }

    pub(super) fn body_mut(&mut self, id: ColliderId) -> Option<&mut Body> {
        self.map.get_mut(id)
    }

    /// Every body, in no documented order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ColliderId, &Body)> {
        self.map.iter()
    }

    pub(super) fn insert(&mut self, node: NodeId, attachment: Attachment) -> ColliderId {
        let id = self.map.insert(Body {
            node,
            attachment,
            at: Affine2::IDENTITY,
            shape: Circle::point(glam::Vec2::ZERO).into(),
            is_flat: false,
            bounds: Aabb::EMPTY,
            handle: None,
            touching: 0,
            state: BodyState::Disabled,
            touched: true,
            stirred: false,
        });
        self.touched.push(id);
        id
    }

    pub(super) fn remove(&mut self, id: ColliderId) -> Option<Body> {
        let body = self.map.remove(id)?;
        self.overflowing.remove(&id);
        if let Some(handle) = body.handle {
            self.index.remove(handle);
        }
        Some(body)
    }

    /// The attachment for changing; the body counts as changed from now on.
    pub(super) fn attachment_mut(&mut self, id: ColliderId) -> Option<&mut Attachment> {
        self.touch(id);
        self.map.get_mut(id).map(|body| &mut body.attachment)
    }

    pub(super) fn touch(&mut self, id: ColliderId) {
        if let Some(body) = self.map.get_mut(id).filter(|body| !body.touched) {
            body.touched = true;
            self.touched.push(id);
        }
    }

    /// Places every touched body anew.
    pub(super) fn refresh(&mut self, transforms: &Transforms) {
        for id in self.touched.drain(..) {
            let Some(body) = self.map.get_mut(id) else { continue };
            body.touched = false;
            body.place(transforms);
            if body.state == BodyState::SetAside && transforms.placement(body.node).is_some_and(|node| node.finite) {
                self.overflowing.insert(id);
            } else {
                self.overflowing.remove(&id);
            }
            match (body.is_active(), body.handle) {
                (true, Some(handle)) => self.index.set(handle, body.bounds),
                (true, None) => body.handle = Some(self.index.insert(id, body.bounds)),
                (false, Some(handle)) => {
                    self.index.remove(handle);
                    body.handle = None;
                }
                (false, None) => {}
            }
            if !body.stirred {
                body.stirred = true;
                self.stirred.push(id);
            }
        }
        self.index.refresh();
    }

    /// The bodies placed anew since the last update, each once.
    pub(super) fn stirred(&self) -> &[ColliderId] {
        &self.stirred
    }

    /// The pair of two colliders, if they touch.
    pub(super) fn pair(&self, first: ColliderId, second: ColliderId) -> Option<CollisionPair> {
        let ids = [first.min(second), first.max(second)];
        let [a, b] = [self.map.get(ids[0])?, self.map.get(ids[1])?];
        (a.may_touch(b) && a.bounds.overlaps(b.bounds) && a.placed().overlaps(&b.placed())).then(|| CollisionPair {
            a: Side { node: a.node, collider: ids[0] },
            b: Side { node: b.node, collider: ids[1] },
            sensor: a.attachment.sensor || b.attachment.sensor,
            node_boundary: false,
        })
    }

    /// Begins the time until the next update.
    pub(super) fn settle(&mut self) {
        for id in self.stirred.drain(..) {
            if let Some(body) = self.map.get_mut(id) {
                body.stirred = false;
            }
        }
    }

    /// The nodes whose colliders overflow where they are, though the nodes themselves do not.
    pub(super) fn overflowing(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.overflowing.iter().filter_map(|id| self.map.get(*id)).map(|body| body.node)
    }
}

impl Body {
    fn place(&mut self, transforms: &Transforms) {
        let Some(placement) = transforms.placement(self.node).filter(|placement| placement.finite) else {
            self.state = BodyState::SetAside;
            return;
        };
        let collider = self.attachment.shape();
        let is_flat = collider.place(&placement.world, &mut self.shape, Sealed);
        let bounds = if is_flat { self.shape.bounds() } else { collider.bounds(&placement.world) };
        if !bounds.is_finite() {
            // What is drawn is where it was last.
            collider.place(&self.at, &mut self.shape, Sealed);
            self.state = BodyState::SetAside;
            return;
        }
        (self.at, self.is_flat, self.bounds) = (placement.world, is_flat, bounds);
        let enabled = placement.enabled && self.attachment.enabled;
        self.state = if enabled { BodyState::Active } else { BodyState::Disabled };
    }
}
