//! Drawing what is tested.

use glam::Vec2;

use super::bodies::{Body, BodyState};
use super::{ColliderId, NodeId, Side, World, slot_of};
use crate::collider::{CollisionLayers, Convex};
use crate::math::Aabb;
use crate::shape::family::Family;
use crate::shape::{Contact, Shape, outline, smooth};

/// What [`World::debug_draw`] draws. The default is every collider and nothing else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DebugOptions {
    /// The colliders themselves.
    pub shapes: bool,
    /// The box around each collider.
    pub bounds: bool,
    /// The contact points of pairs that touched at the last update and still do.
    pub contacts: bool,
    /// The contact normals of those pairs, as long as the overlap is deep, or a little longer so that they can be seen.
    pub normals: bool,
    /// The boxes of the index, the tree that finds who might touch.
    pub index: bool,
    /// Draw sensors too, as they are unless this is turned off: large ones can hide all the rest.
    pub sensors: bool,
    /// Draw disabled colliders too. They are unless this is turned off.
    pub disabled: bool,
    /// Draw only colliders whose layers agree with these.
    pub layers: CollisionLayers,
    /// Draw only the colliders of this node and of what is below it.
    pub subtree: Option<NodeId>,
    /// Colours by what is drawn, red, green, blue and alpha from 0 to 1: colliders in the order of [`DebugState`], then
    /// bounds, contacts, normals, the index and [questions](super::DebugQuery).
    pub palette: [[f32; 4]; 10],
}

impl Default for DebugOptions {
    fn default() -> Self {
        Self {
            shapes: true,
            bounds: false,
            contacts: false,
            normals: false,
            index: false,
            sensors: true,
            disabled: true,
            layers: CollisionLayers::ALL,
            subtree: None,
            palette: PALETTE,
        }
    }
}

/// In the order of [`DebugState`], then bounds, contact, normal, index and query.
const PALETTE: [[f32; 4]; 10] = [
    [0.16, 0.50, 0.73, 1.0],
    [0.15, 0.68, 0.38, 1.0],
    [0.85, 0.33, 0.10, 1.0],
    [0.58, 0.60, 0.62, 1.0],
    [0.75, 0.10, 0.60, 1.0],
    [0.95, 0.77, 0.06, 0.6],
    [0.91, 0.12, 0.16, 1.0],
    [0.91, 0.12, 0.16, 1.0],
    [0.60, 0.45, 0.80, 0.4],
    [0.80, 0.36, 0.00, 1.0],
];

/// How a collider is.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/debug_state.svg"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugState {
    /// Solid, touching nothing.
    Solid,
    /// A sensor, touching nothing.
    Sensor,
    /// Touching something as of the last update.
    Touching,
    /// Disabled, itself or by its node or one above.
    Disabled,
    /// Set aside: drawn where it was last, before its transform became non-finite.
    SetAside,
}

/// What a [`DebugShape`] is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugKind {
    /// A collider.
    Collider(DebugState),
    /// The box around a collider.
    Bounds,
    /// A contact point.
    Contact,
    /// A contact normal.
    Normal,
    /// A box of the index.
    Index,
    /// A question that was asked, or its answer; see [`DebugQuery`](super::DebugQuery).
    Query,
}

/// What to draw, in world space; for hosts that can draw more than lines.
#[derive(Debug, Clone, Copy)]
pub enum DebugGeometry<'a> {
    /// One of the built-in shapes.
    Shape(&'a Shape),
    /// A user's shape.
    Convex(Convex<'a>),
    /// A box.
    Aabb(Aabb),
    /// A point, with a size that suits the colliders it is between.
    Point {
        /// Where.
        at: Vec2,
        /// Half the size of a cross.
        size: f32,
    },
    /// An arrow.
    Arrow {
        /// The tail.
        from: Vec2,
        /// The tip.
        to: Vec2,
    },
}

/// One thing to draw.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct DebugShape<'a> {
    /// What it is.
    pub kind: DebugKind,
    /// Red, green, blue and alpha from 0 to 1.
    pub color: [f32; 4],
    /// Whose it is; the smaller id for contacts, what was found for answers, `None` for the index and questions.
    pub collider: Option<ColliderId>,
    /// The thing itself.
    pub geometry: DebugGeometry<'a>,
}

impl DebugShape<'_> {
    /// The colour in bytes: red, green, blue and alpha from 0 to 255.
    #[must_use]
    pub fn rgba8(&self) -> [u8; 4] {
        // What is beyond stops at the ends, and NaN is 0.
        self.color.map(|channel| (channel * 255.0 + 0.5) as u8)
    }

    /// Calls `line` with both ends of every line of the outline. Every end lies exactly on the border of the tested
    /// shape. A collider without any size is one line of no length, for it has no size to draw it in: where `a == b`,
    /// a host draws a mark as large as suits its screen.
    pub fn lines(&self, mut line: impl FnMut(Vec2, Vec2)) {
        match self.geometry {
            DebugGeometry::Shape(shape) => outline(shape, &mut line),
            DebugGeometry::Convex(convex) => smooth(&convex.hull(), &mut line),
            DebugGeometry::Aabb(Aabb { min, max }) => {
                let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
                for (index, corner) in corners.into_iter().enumerate() {
                    line(corner, corners[(index + 1) % 4]);
                }
            }
            DebugGeometry::Point { at, size } => {
                line(at - Vec2::splat(size), at + Vec2::splat(size));
                line(at - Vec2::new(size, -size), at + Vec2::new(size, -size));
            }
            DebugGeometry::Arrow { from, to } => {
                let back = (from - to) * 0.25;
                line(from, to);
                line(to, to + back + back.perp() * 0.5);
                line(to, to + back - back.perp() * 0.5);
            }
        }
    }
}

impl World<'_> {
    /// Calls `draw` with one thing after another: exactly the geometry that is tested. Index boxes come first, then
    /// each collider with its box, then contacts. A shape of many pieces is drawn piece by piece, each a thing of its
    /// own. A [narrowed](Self::only) world draws only the colliders that it is about. Allocates nothing.
    ///
    /// What was asked is not recorded; a [`DebugQuery`](super::DebugQuery) draws it.
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
        let mut emit = |kind: DebugKind, collider: Option<ColliderId>, geometry: DebugGeometry<'_>| {
            let color = options.palette[kind.color()];
            draw(DebugShape { kind, color, collider, geometry });
        };
        if options.index {
            self.scene.bodies.index.boxes(|bounds, _| emit(DebugKind::Index, None, DebugGeometry::Aabb(bounds)));
        }
        for (id, body) in self.scene.bodies.iter() {
            let (Some(bounds), Some(placed)) = (self.drawn(id, options), self.scene.bodies.placed(id)) else {
                continue;
            };
            if options.shapes {
                let kind = DebugKind::Collider(self.state(id, body));
                placed.each_piece(Aabb::EVERYTHING, &mut |_, piece| {
                    let geometry = piece.shape.map_or(DebugGeometry::Convex(piece.convex()), DebugGeometry::Shape);
                    emit(kind, Some(id), geometry);
                });
            }
            if options.bounds {
                emit(DebugKind::Bounds, Some(id), DebugGeometry::Aabb(bounds));
            }
        }
        if !options.contacts && !options.normals {
            return;
        }
        for pair in self.scene.touching() {
            let ids = [pair.a.collider, pair.b.collider];
            let Some(contact) = self.contact(ids[0], ids[1]) else { continue };
            let sizes = ids.map(|id| self.drawn(id, options).map(|bounds| bounds.size().max_element()));
            // A mark suits the smaller of the two, if both are drawn.
            if let Some(size) = sizes.into_iter().flatten().reduce(f32::min) {
                draw_contact(options, &contact, size * 0.06, |kind, geometry| emit(kind, Some(ids[0]), geometry));
            }
        }
    }

    /// The box of a collider that is to be drawn. One that never was anywhere has none.
    fn drawn(self, id: ColliderId, options: &DebugOptions) -> Option<Aabb> {
        let body = self.scene.bodies.body(id)?;
        let below = |node| self.scene.hierarchy.is_within(body.node, node);
        let wanted = options.layers.meets(body.attachment.layers)
            && (options.sensors || !body.attachment.sensor)
            && (options.disabled || self.scene.bodies.slot(slot_of(id)).state != BodyState::Disabled)
            && options.subtree.is_none_or(below)
            && self.matches(Side { node: body.node, collider: id });
        self.scene.bodies.bounds(id).filter(|bounds| wanted && bounds.is_finite())
    }

    fn state(self, id: ColliderId, body: &Body) -> DebugState {
        match self.scene.bodies.slot(slot_of(id)).state {
            BodyState::SetAside => DebugState::SetAside,
            BodyState::Disabled => DebugState::Disabled,
            BodyState::Active if body.touching > 0 => DebugState::Touching,
            BodyState::Active if body.attachment.sensor => DebugState::Sensor,
            BodyState::Active => DebugState::Solid,
        }
    }
}

fn draw_contact(
    options: &DebugOptions,
    contact: &Contact,
    size: f32,
    mut emit: impl FnMut(DebugKind, DebugGeometry<'_>),
) {
    for at in contact.points().iter().copied() {
        if options.contacts {
            emit(DebugKind::Contact, DebugGeometry::Point { at, size });
        }
        if options.normals {
            let to = at + contact.normal * contact.depth.max(size);
            emit(DebugKind::Normal, DebugGeometry::Arrow { from: at, to });
        }
    }
}

impl DebugKind {
    /// The place in the palette.
    pub(super) fn color(self) -> usize {
        match self {
            Self::Collider(state) => state as usize,
            Self::Bounds => 5,
            Self::Contact => 6,
            Self::Normal => 7,
            Self::Index => 8,
            Self::Query => 9,
        }
    }
}
