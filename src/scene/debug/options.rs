use crate::collider::CollisionLayers;
use crate::math::Aabb;
use crate::scene::{DebugKind, DebugState, NodeId};

/// The choice of what [`World::debug_draw`](crate::World::debug_draw) draws. The default is every collider and nothing
/// else.
///
/// ```
/// use hitgraph::{Circle, DebugKind, DebugOptions, Node, Scene};
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("hero"), Circle::new(1.0));
/// scene.add_with(Node::new("troll"), Circle::new(1.0));
/// scene.update();
/// let options = DebugOptions { bounds: true, contacts: true, ..DebugOptions::default() };
/// let mut kinds = Vec::new();
/// scene.world().debug_draw(&options, |shape| kinds.push(shape.kind));
/// assert_eq!(kinds.iter().filter(|kind| **kind == DebugKind::Bounds).count(), 2);
/// assert!(kinds.contains(&DebugKind::Contact));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct DebugOptions {
    /// `true` draws colliders.
    pub shapes: bool,
    /// `true` draws the outline of every piece of a composite. `false` omits seams: the parts of these outlines that
    /// are inside the collider, such as the common side of two pieces. A gap narrower than half a millionth of the
    /// collider's size and coordinates counts as a seam. Pieces that are [segments](crate::Segment) or points are drawn
    /// whole. This costs a search for pieces at each line.
    ///
    /// ```
    /// use hitgraph::{Compound, DebugOptions, Node, Scene};
    /// use glam::vec2;
    ///
    /// let outline = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("corner"), Compound::from_outline(&outline)?);
    /// let mut length = |seams: bool| {
    ///     let mut length = 0.0;
    ///     let options = DebugOptions { seams, ..DebugOptions::default() };
    ///     scene.world().debug_draw(&options, |shape| shape.lines(|a, b| length += a.distance(b)));
    ///     length
    /// };
    /// assert!((length(false) - 16.0).abs() < 1e-3, "the outline");
    /// assert!(length(true) > 18.0, "its two pieces share a side");
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    pub seams: bool,
    /// `true` draws the box around each collider.
    pub bounds: bool,
    /// `true` draws the contact points of pairs that touched at the last update and still do, if one of the two is
    /// drawn. The mark at a collider without size has no size.
    pub contacts: bool,
    /// `true` draws the contact normals of these pairs. An arrow is as long as the overlap is deep, or as long as it
    /// takes to be visible. At a collider without size it may have no length.
    pub normals: bool,
    /// `true` draws the boxes of the index, the tree that finds candidates.
    pub index: bool,
    /// `false` omits sensors, because large ones can hide everything else.
    pub sensors: bool,
    /// `false` omits disabled colliders.
    pub disabled: bool,
    /// Only colliders whose layers agree with these are drawn. [`CollisionLayers::ALL`] means all, even those that may
    /// touch nothing.
    pub layers: CollisionLayers,
    /// Only colliders of this node and of its descendants are drawn: none if it is not in the scene. `None` means all.
    /// The boxes of the index do not depend on it.
    pub subtree: Option<NodeId>,
    /// Only what may be visible in this region of the world is drawn: colliders whose boxes overlap it, of composites
    /// only pieces near it, and the contacts of these colliders. `None` means everything. A region that is empty or has
    /// a NaN contains nothing.
    ///
    /// ```
    /// use hitgraph::{Aabb, DebugOptions, Node, Scene, Tiles};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// let map = Tiles::new(1_000, 1_000, Vec2::ONE, |column, row| (column + row) % 2 == 0);
    /// scene.add_with(Node::new("map"), map);
    /// let screen = Aabb::from_center(Vec2::splat(500.0), Vec2::new(16.0, 9.0));
    /// let options = DebugOptions { region: Some(screen), ..DebugOptions::default() };
    /// let mut count = 0;
    /// scene.world().debug_draw(&options, |_| count += 1);
    /// assert!(count < 400, "{count} of 500,000 tiles");
    /// ```
    #[doc(alias("camera", "viewport", "culling"))]
    pub region: Option<Aabb>,
    /// The colours.
    pub palette: DebugPalette,
}

impl DebugOptions {
    /// Returns the region in which things are drawn.
    pub(super) fn visible_region(&self) -> Aabb {
        self.region.unwrap_or(Aabb::EVERYTHING)
    }
}

impl Default for DebugOptions {
    fn default() -> Self {
        Self {
            shapes: true,
            seams: false,
            bounds: false,
            contacts: false,
            normals: false,
            index: false,
            sensors: true,
            disabled: true,
            layers: CollisionLayers::ALL,
            subtree: None,
            region: None,
            palette: DebugPalette::default(),
        }
    }
}

/// Declares the palette from one row for each kind: its colour's name, the kind, and the default colour.
macro_rules! palette {
    ($($name:ident: $kind:ident$(($state:ident))? = $default:expr;)*) => {
        /// The colour of each kind of drawing: red, green, blue and alpha from 0 to 1.
        ///
        /// ```
        /// use hitgraph::{DebugKind, DebugPalette, DebugState};
        ///
        /// let mut palette = DebugPalette::default();
        /// palette.sensor = [0.0, 1.0, 0.0, 0.5];
        /// assert_eq!(palette.color(DebugKind::Collider(DebugState::Sensor)), [0.0, 1.0, 0.0, 0.5]);
        /// let grey = DebugPalette::uniform([0.5, 0.5, 0.5, 1.0]);
        /// assert_eq!(grey.color(DebugKind::Index), grey.query);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
        #[non_exhaustive]
        pub struct DebugPalette {
            $(
                #[doc = concat!("The colour of [`DebugKind::", stringify!($kind), "`]"
                    $(, " in the state [`DebugState::", stringify!($state), "`]")?, ".")]
                pub $name: [f32; 4],
            )*
        }

        impl DebugPalette {
            /// Returns a palette with one colour for every kind.
            #[must_use]
            pub const fn uniform(color: [f32; 4]) -> Self {
                Self { $($name: color,)* }
            }

            /// Returns the colour of a kind.
            #[must_use]
            pub const fn color(&self, kind: DebugKind) -> [f32; 4] {
                match kind { $(DebugKind::$kind$((DebugState::$state))? => self.$name,)* }
            }
        }

        impl Default for DebugPalette {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }
    };
}

palette! {
    solid: Collider(Solid) = [0.16, 0.50, 0.73, 1.0];
    sensor: Collider(Sensor) = [0.15, 0.68, 0.38, 1.0];
    touching: Collider(Touching) = [0.85, 0.33, 0.10, 1.0];
    disabled: Collider(Disabled) = [0.58, 0.60, 0.62, 1.0];
    quarantined: Collider(Quarantined) = [0.75, 0.10, 0.60, 1.0];
    bounds: Bounds = [0.95, 0.77, 0.06, 0.6];
    contact: Contact = [0.91, 0.12, 0.16, 1.0];
    normal: Normal = [0.91, 0.12, 0.16, 1.0];
    index: Index = [0.60, 0.45, 0.80, 0.4];
    query: Query = [0.80, 0.36, 0.00, 1.0];
}
