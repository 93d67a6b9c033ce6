use super::seams::PieceOf;
use crate::collider::CollisionLayers;
use crate::math::{Aabb, Each};
use crate::scene::placed::{ColliderRecord, ColliderState};
use crate::scene::{ColliderId, DebugGeometry, DebugKind, DebugOptions, DebugShape, DebugState, Scene, World, slot_of};

/// A function that draws a geometry of a collider. The last argument is there if the seams of a piece are omitted.
type Show<'a> = dyn FnMut(DebugKind, Option<ColliderId>, DebugGeometry<'_>, Option<PieceOf<'_>>) + 'a;

impl World<'_> {
    /// Calls `draw` with exactly the geometry that is tested, one thing after another: the boxes of the index, then
    /// each collider with its box, in the order of the ids, then contacts. A shape of many pieces is drawn piece by
    /// piece, by default [without seams](DebugOptions::seams). A [narrowed](Self::only) view draws only its colliders.
    /// The call allocates nothing after the first.
    ///
    /// Queries are not recorded; a [`DebugQuery`](crate::DebugQuery) draws one.
    ///
    /// ```
    /// # use hitgraph::{Circle, DebugOptions, Node, Scene};
    /// # let mut scene = Scene::new();
    /// # let ball = scene.add(Node::new("ball"));
    /// # scene.attach(ball, Circle::new(1.0)).unwrap();
    /// # fn draw_line(from: [f32; 2], to: [f32; 2], color: [f32; 4]) {}
    /// scene.world().debug_draw(&DebugOptions::default(), |shape| {
    ///     shape.lines(|a, b| draw_line(a.into(), b.into(), shape.color));
    /// });
    /// ```
    pub fn debug_draw(self, options: &DebugOptions, mut draw: impl FnMut(DebugShape<'_>)) {
        let show: &mut Show<'_> = &mut |kind, collider, geometry, piece_of| {
            draw(DebugShape { kind, color: options.palette.color(kind), collider, geometry, piece_of });
        };
        if options.index {
            self.scene.colliders.index.extended().node_bounds(|bounds| {
                if bounds.overlaps(options.visible_region()) {
                    show(DebugKind::Index, None, DebugGeometry::Aabb(bounds), None);
                }
            });
        }
        self.draw_colliders(options, show);
        if options.contacts || options.normals {
            self.draw_contacts(options, show);
        }
    }

    fn draw_colliders(self, options: &DebugOptions, show: &mut Show<'_>) {
        let Scene { colliders, touching, scratch, .. } = self.scene;
        for id in colliders.attachments.keys() {
            let slot = slot_of(id);
            let (Some(bounds), Some(collider)) = (self.drawn(slot, options), self.collider_at(slot)) else {
                continue;
            };
            if options.shapes {
                let kind = DebugKind::Collider(state(colliders.record(slot), touching.contains(id)));
                let omits_seams = !options.seams && !collider.is_one_piece();
                collider.each_piece(options.visible_region(), &mut |number, piece| {
                    let piece_of = omits_seams.then(|| PieceOf::new(&collider, number, bounds, &scratch.covered));
                    show(kind, Some(id), DebugGeometry::of_piece(piece), piece_of);
                });
            }
            if options.bounds {
                show(DebugKind::Bounds, Some(id), DebugGeometry::Aabb(bounds), None);
            }
        }
    }

    fn draw_contacts(self, options: &DebugOptions, show: &mut Show<'_>) {
        for pair in self.scene.touching().iter() {
            let ids = [pair.a.collider, pair.b.collider];
            let Some(contact) = self.contact(ids[0], ids[1]).filter(|_| self.may_touch(ids.each(slot_of))) else {
                continue;
            };
            // The mark suits the smaller of the two, if both are drawn.
            let sizes = ids.each(|id| self.drawn(slot_of(id), options).map(|bounds| bounds.size().max_element()));
            let Some(size) = sizes.into_iter().flatten().reduce(f32::min).map(|size| size * 0.06) else { continue };
            for at in contact.points().iter().copied() {
                if options.contacts {
                    show(DebugKind::Contact, Some(ids[0]), DebugGeometry::Point { at, size }, None);
                }
                if options.normals {
                    let to = at + contact.normal * contact.depth.max(size);
                    show(DebugKind::Normal, Some(ids[0]), DebugGeometry::Arrow { from: at, to }, None);
                }
            }
        }
    }

    /// Returns `true` if a pair that touched at the last update may touch now.
    fn may_touch(self, slots: [u32; 2]) -> bool {
        let colliders = &self.scene.colliders;
        let is_active = |slot| colliders.record(slot).state == ColliderState::Active;
        slots.into_iter().all(is_active) && colliders.may_touch(slots)
    }

    /// Returns the box of a collider that is drawn; `None` if the options omit it or it never had a finite place.
    fn drawn(self, slot: u32, options: &DebugOptions) -> Option<Aabb> {
        let (colliders, hierarchy) = (&self.scene.colliders, &self.scene.hierarchy);
        let record = colliders.record(slot);
        let on_layers = options.layers == CollisionLayers::ALL || options.layers.meets(colliders.layers(slot));
        let is_chosen = on_layers
            && (options.sensors || !record.sensor)
            && (options.disabled || record.state != ColliderState::Disabled)
            && options.subtree.is_none_or(|node| hierarchy.is_within(hierarchy.id(colliders.node(slot)), node))
            && self.matches(slot);
        let bounds = colliders.bounds(&self.scene.transforms, slot)?;
        let is_visible = bounds.is_finite() && bounds.overlaps(options.visible_region());
        (is_chosen && is_visible).then_some(bounds)
    }
}

fn state(record: &ColliderRecord, touches: bool) -> DebugState {
    match record.state {
        ColliderState::Quarantined => DebugState::Quarantined,
        ColliderState::Disabled => DebugState::Disabled,
        ColliderState::Active if touches => DebugState::Touching,
        ColliderState::Active if record.sensor => DebugState::Sensor,
        ColliderState::Active => DebugState::Solid,
    }
}
