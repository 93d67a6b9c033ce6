use glam::{DVec2, Vec2};

use super::seams::PieceOf;
use crate::collider::{SupportShape, WorldCollider};
use crate::geometry::RoundedConvex;
use crate::math::{Aabb, Each};
use crate::scene::ColliderId;
use crate::shape::{Shape, outline, support_outline};

/// The state of a collider that is drawn.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/debug_state.svg"))]
///
/// ```
/// use hitgraph::{Circle, DebugKind, DebugOptions, DebugState, Node, Scene};
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("door").with_enabled(false), Circle::new(1.0));
/// let mut drawn = Vec::new();
/// scene.world().debug_draw(&DebugOptions::default(), |shape| drawn.push(shape.kind));
/// assert_eq!(drawn, [DebugKind::Collider(DebugState::Disabled)]);
/// ```
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
    /// A quarantined collider. It is drawn at its last place before the quarantine, unless the reason is that its own box
    /// overflows: then it is not drawn.
    Quarantined,
}

/// The subject of a [`DebugShape`].
///
/// ```
/// use hitgraph::{DebugKind, DebugShape, DebugState};
///
/// /// The width of the lines on the screen, in pixels.
/// fn width(shape: &DebugShape<'_>) -> f32 {
///     match shape.kind {
///         DebugKind::Collider(DebugState::Touching) => 3.0,
///         DebugKind::Collider(_) => 2.0,
///         _ => 1.0,
///     }
/// }
/// ```
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
///
/// ```
/// use hitgraph::{DebugGeometry, DebugShape, Shape};
/// # fn draw_circle(center: [f32; 2], radius: f32, color: [f32; 4]) {}
/// # fn draw_line(from: [f32; 2], to: [f32; 2], color: [f32; 4]) {}
///
/// /// Draws circles as circles, and everything else as lines.
/// fn draw(shape: DebugShape<'_>) {
///     match shape.geometry {
///         DebugGeometry::Shape(Shape::Circle(circle)) => {
///             draw_circle(circle.center().into(), circle.radius(), shape.color);
///         }
///         _ => shape.lines(|a, b| draw_line(a.into(), b.into(), shape.color)),
///     }
/// }
/// ```
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
///
/// ```
/// use hitgraph::{DebugOptions, Node, Rect, Scene};
///
/// let mut scene = Scene::new();
/// let (_, wall) = scene.add_with(Node::new("wall"), Rect::new(2.0, 4.0));
/// let mut lines = Vec::new();
/// scene.world().debug_draw(&DebugOptions::default(), |shape| {
///     assert_eq!(shape.collider, Some(wall));
///     shape.lines(|a, b| lines.push((a, b, shape.rgba8())));
/// });
/// assert_eq!(lines.len(), 4);
/// ```
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
    /// The collider of a piece whose seams are omitted.
    pub(super) piece_of: Option<PieceOf<'a>>,
}

impl<'a> DebugGeometry<'a> {
    /// Returns the geometry of a collider of one piece.
    pub(super) fn of_piece(piece: &'a WorldCollider<'a>) -> Self {
        piece.world_form.map_or_else(|| Self::SupportShape(piece.support_shape()), Self::Shape)
    }
}

impl DebugShape<'_> {
    /// Returns the colour in bytes: red, green, blue and alpha from 0 to 255.
    #[must_use]
    pub fn rgba8(&self) -> [u8; 4] {
        // The cast clamps to the range of a byte and turns NaN into 0.
        self.color.each(|channel| (channel * 255.0 + 0.5) as u8)
    }

    /// Calls `line` with both ends of each line to draw. All ends lie on the border of the tested shape, up to the
    /// rounding of their coordinates to `f32`. A piece without any size, or smaller than the rounding of its
    /// coordinates, is one line of length zero: for `a == b`, a host draws a mark of a size that suits its screen. No
    /// other piece has such a line.
    pub fn lines(&self, mut line: impl FnMut(Vec2, Vec2)) {
        match (self.geometry, self.piece_of) {
            (DebugGeometry::Shape(shape), Some(piece)) if !matches!(shape, Shape::Segment(_)) => {
                // The mean of the corners of a convex shape is inside it; the middle of its box may be outside.
                let (mut sum, mut corners) = (DVec2::ZERO, 0.0);
                outline(shape, &mut |a, _| {
                    sum += a.as_dvec2();
                    corners += 1.0;
                });
                outline(shape, &mut |a, b| piece.border(sum / corners, [a, b], &mut line));
            }
            _ => self.outline(line),
        }
    }

    /// Calls `line` with both ends of each line of the whole outline, seams included, for hosts that fill it. The lines
    /// of a shape are in order around it.
    ///
    /// ```
    /// use hitgraph::{DebugKind, DebugOptions, DebugShape, Node, Rect, Scene};
    ///
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("wall"), Rect::new(2.0, 1.0));
    /// let mut corners = Vec::new();
    /// scene.world().debug_draw(&DebugOptions::default(), |shape: DebugShape<'_>| {
    ///     if let DebugKind::Collider(_) = shape.kind {
    ///         shape.outline(|start, _| corners.push(start));
    ///     }
    /// });
    /// assert_eq!(corners.len(), 4, "a host fills the polygon of these corners");
    /// ```
    pub fn outline(&self, mut line: impl FnMut(Vec2, Vec2)) {
        match self.geometry {
            DebugGeometry::Shape(shape) => outline(shape, &mut line),
            DebugGeometry::SupportShape(shape) => support_outline(&shape.hull(), &mut line),
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
