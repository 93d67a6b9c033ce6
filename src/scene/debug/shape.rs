use glam::Vec2;

use crate::collider::{SupportShape, WorldCollider};
use crate::geometry::RoundedConvex;
use crate::math::Aabb;
use crate::scene::ColliderId;
use crate::shape::{Shape, outline, smooth};

/// The state of a collider that is drawn.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/debug_state.svg"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DebugState {
    /// A solid collider that touches nothing.
    Solid,
    /// A sensor that touches nothing.
    Sensor,
    /// A collider that touched another at the last update.
    Touching,
    /// A collider that is disabled, or whose node or an ancestor is.
    Disabled,
    /// A quarantined collider. It is drawn at its last place before the quarantine.
    Quarantined,
}

/// The subject of a [`DebugShape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A query or its result; see [`DebugQuery`](crate::DebugQuery).
    Query,
}

/// The geometry to draw, in world space, for hosts that can draw more than lines.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DebugGeometry<'a> {
    /// A built-in shape.
    Shape(&'a Shape),
    /// A user's shape.
    SupportShape(SupportShape<'a>),
    /// A box.
    Aabb(Aabb),
    /// A point, with a size that suits the colliders around it.
    Point {
        /// The position.
        at: Vec2,
        /// Half the size of a cross, in world units.
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

/// A single thing to draw.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct DebugShape<'a> {
    /// The subject.
    pub kind: DebugKind,
    /// The colour: red, green, blue and alpha from 0 to 1.
    pub color: [f32; 4],
    /// The collider that the shape belongs to: for a contact that with the smaller id, for a result of a query the one
    /// that was found, `None` for the index and for a query itself.
    pub collider: Option<ColliderId>,
    /// The geometry.
    pub geometry: DebugGeometry<'a>,
}

impl<'a> DebugGeometry<'a> {
    /// Returns the geometry of a collider of one piece.
    pub(super) fn of_piece(piece: &WorldCollider<'a>) -> Self {
        piece.world_form.map_or_else(|| Self::SupportShape(piece.support_shape()), Self::Shape)
    }
}

impl DebugShape<'_> {
    /// Returns the colour in bytes: red, green, blue and alpha from 0 to 255.
    #[must_use]
    pub fn rgba8(&self) -> [u8; 4] {
        // The cast clamps to the range of a byte and turns NaN into 0.
        self.color.map(|channel| (channel * 255.0 + 0.5) as u8)
    }

    /// Calls `line` with both ends of each line of the outline. All ends lie exactly on the border of the tested shape.
    /// A collider without any size is one line of length zero: for `a == b`, a host draws a mark of a size that suits
    /// its screen.
    pub fn lines(&self, mut line: impl FnMut(Vec2, Vec2)) {
        match self.geometry {
            DebugGeometry::Shape(shape) => outline(shape, &mut line),
            DebugGeometry::SupportShape(shape) => smooth(&shape.hull(), &mut line),
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
