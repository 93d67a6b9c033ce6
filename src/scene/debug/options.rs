use super::shape::{DebugKind, DebugState};
use crate::collider::CollisionLayers;
use crate::scene::NodeId;

/// The choice of what [`World::debug_draw`](crate::World::debug_draw) draws. The default is every collider and nothing
/// else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DebugOptions {
    /// `true` draws colliders.
    pub shapes: bool,
    /// `true` draws the box around each collider.
    pub bounds: bool,
    /// `true` draws the contact points of pairs that touched at the last update and still do.
    pub contacts: bool,
    /// `true` draws the contact normals of these pairs. An arrow is as long as the overlap is deep, or as long as it
    /// takes to be visible.
    pub normals: bool,
    /// `true` draws the boxes of the index, the tree that finds candidates.
    pub index: bool,
    /// `false` omits sensors, because large ones can hide everything else.
    pub sensors: bool,
    /// `false` omits disabled colliders.
    pub disabled: bool,
    /// Only colliders whose layers agree with these are drawn.
    pub layers: CollisionLayers,
    /// Only colliders of this node and of its descendants are drawn. `None` means all.
    pub subtree: Option<NodeId>,
    /// The colours.
    pub palette: DebugPalette,
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
            palette: DebugPalette::default(),
        }
    }
}

/// The colour of each kind of drawing: red, green, blue and alpha from 0 to 1.
///
/// ```
/// use hitgraph::{DebugKind, DebugOptions, DebugPalette, DebugState};
///
/// let mut palette = DebugPalette::default();
/// palette.sensor = [0.0, 1.0, 0.0, 0.5];
/// assert_eq!(palette.color(DebugKind::Collider(DebugState::Sensor)), [0.0, 1.0, 0.0, 0.5]);
/// let in_grey = DebugOptions { palette: DebugPalette::uniform([0.5, 0.5, 0.5, 1.0]), ..DebugOptions::default() };
/// # let _ = in_grey;
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DebugPalette {
    /// The colour of [`DebugState::Solid`].
    pub solid: [f32; 4],
    /// The colour of [`DebugState::Sensor`].
    pub sensor: [f32; 4],
    /// The colour of [`DebugState::Touching`].
    pub touching: [f32; 4],
    /// The colour of [`DebugState::Disabled`].
    pub disabled: [f32; 4],
    /// The colour of [`DebugState::Quarantined`].
    pub quarantined: [f32; 4],
    /// The colour of [`DebugKind::Bounds`].
    pub bounds: [f32; 4],
    /// The colour of [`DebugKind::Contact`].
    pub contact: [f32; 4],
    /// The colour of [`DebugKind::Normal`].
    pub normal: [f32; 4],
    /// The colour of [`DebugKind::Index`].
    pub index: [f32; 4],
    /// The colour of [`DebugKind::Query`].
    pub query: [f32; 4],
}

impl DebugPalette {
    /// Returns a palette with one colour for every kind.
    #[must_use]
    pub const fn uniform(color: [f32; 4]) -> Self {
        Self {
            solid: color,
            sensor: color,
            touching: color,
            disabled: color,
            quarantined: color,
            bounds: color,
            contact: color,
            normal: color,
            index: color,
            query: color,
        }
    }

    /// Returns the colour of a kind.
    #[must_use]
    pub const fn color(&self, kind: DebugKind) -> [f32; 4] {
        match kind {
            DebugKind::Collider(DebugState::Solid) => self.solid,
            DebugKind::Collider(DebugState::Sensor) => self.sensor,
            DebugKind::Collider(DebugState::Touching) => self.touching,
            DebugKind::Collider(DebugState::Disabled) => self.disabled,
            DebugKind::Collider(DebugState::Quarantined) => self.quarantined,
            DebugKind::Bounds => self.bounds,
            DebugKind::Contact => self.contact,
            DebugKind::Normal => self.normal,
            DebugKind::Index => self.index,
            DebugKind::Query => self.query,
        }
    }
}

impl Default for DebugPalette {
    fn default() -> Self {
        Self {
            solid: [0.16, 0.50, 0.73, 1.0],
            sensor: [0.15, 0.68, 0.38, 1.0],
            touching: [0.85, 0.33, 0.10, 1.0],
            disabled: [0.58, 0.60, 0.62, 1.0],
            quarantined: [0.75, 0.10, 0.60, 1.0],
            bounds: [0.95, 0.77, 0.06, 0.6],
            contact: [0.91, 0.12, 0.16, 1.0],
            normal: [0.91, 0.12, 0.16, 1.0],
            index: [0.60, 0.45, 0.80, 0.4],
            query: [0.80, 0.36, 0.00, 1.0],
        }
    }
}
