use alloc::vec::Vec;

use glam::Vec2;
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::collider::{Attachment, Builtin, CollisionLayers};
use crate::composite::{Compound, Polyline, Tiles};
use crate::scene::motion::MoverMemory;
use crate::scene::{ColliderId, Node, NodeCollider, NodeId};
use crate::shape::{Shape, for_each_shape};

/// The version of the format. Each change of the format gets the next number.
pub(super) const FORMAT: u32 = 1;

/// A saved scene: plain data that serde writes and reads in any format. [`Scene::save`](crate::Scene::save) makes it,
/// [`Scene::load`](crate::Scene::load) turns it back into a scene.
///
/// `U` is a type of yours for your own shapes, such as an enum of them: see
/// [`Scene::save_with`](crate::Scene::save_with). A scene without user shapes needs none.
///
/// The data contains the number of its format. Another number is an error that names both.
///
/// ```
/// use hitgraph::{SavedScene, Scene};
///
/// let text = serde_json::to_string(&Scene::new().save()?)?;
/// let saved: SavedScene = serde_json::from_str(&text)?;
/// assert_eq!(Scene::load(saved)?.node_count(), 1);
///
/// // A file of a later version of this crate.
/// let text = text.replace(r#""format":1"#, r#""format":1000"#);
/// let error = serde_json::from_str::<SavedScene>(&text).unwrap_err();
/// assert!(error.to_string().starts_with("the scene was saved in format 1000"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedScene<U = NoUserShape> {
    /// The first field, so that another format is recognised before anything else is read.
    #[serde(deserialize_with = "this_format")]
    pub(super) format: u32,
    /// Parents before their children, siblings in order.
    pub(super) nodes: Vec<SavedNode<U>>,
    /// The last ids of the free slots. The last one is used first.
    pub(super) free_nodes: Vec<NodeId>,
    pub(super) free_colliders: Vec<ColliderId>,
    pub(super) ignored_pairs: Vec<[NodeId; 2]>,
    /// The colliders that touched at the last update, as of then.
    pub(super) touching: Vec<NodeCollider>,
    /// The pairs that touched, as indices of that list.
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) quarantined: Vec<NodeId>,
    pub(super) movers: Vec<(NodeId, MoverMemory)>,
}

/// Reads the number of the format, which must be the present one.
fn this_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    let error =
        format_args!("the scene was saved in format {version}, and this version of hitgraph reads format {FORMAT}");
    if version == FORMAT { Ok(version) } else { Err(D::Error::custom(error)) }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedNode<U> {
    pub(super) id: NodeId,
    /// `None` for the root.
    pub(super) parent: Option<NodeId>,
    pub(super) node: Node,
    pub(super) colliders: Vec<SavedCollider<U>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedCollider<U> {
    pub(super) id: ColliderId,
    pub(super) shape: SavedShape<U>,
    pub(super) settings: Settings,
}

/// The fields of an attachment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Settings {
    layers: CollisionLayers,
    sensor: bool,
    #[serde(default, with = "crate::math::saved")]
    one_way: Option<Vec2>,
    enabled: bool,
    user_data: u64,
}

impl Settings {
    pub(super) fn of(attachment: &Attachment) -> Self {
        let Attachment { layers, sensor, one_way, enabled, user_data, .. } = *attachment;
        Self { layers, sensor, one_way, enabled, user_data }
    }

    /// Returns an attachment with these settings.
    pub(super) fn apply(self, mut attachment: Attachment) -> Attachment {
        let Self { layers, sensor, one_way, enabled, user_data } = self;
        (attachment.layers, attachment.sensor, attachment.one_way) = (layers, sensor, one_way);
        (attachment.enabled, attachment.user_data) = (enabled, user_data);
        attachment
    }
}

/// The shape of a collider.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum SavedShape<U> {
    /// A collider of the type of the shape.
    Convex(Shape),
    /// A collider of the type [`Shape`].
    Shape(Shape),
    Polyline(Polyline),
    Compound(Compound),
    Tiles(Tiles),
    User(U),
}

impl<U> SavedShape<U> {
    /// Returns the shape of an attachment; `None` for a user's shape.
    pub(super) fn of_builtin(attachment: &Attachment) -> Option<Self> {
        if let Some(shape) = attachment.collider_as::<Shape>() {
            return Some(Self::Shape(shape.clone()));
        }
        Some(match attachment.builtin()? {
            Builtin::Polyline(polyline) => Self::Polyline(polyline.clone()),
            Builtin::Compound(compound) => Self::Compound(compound.clone()),
            Builtin::Tiles(tiles) => Self::Tiles(tiles.clone()),
            convex => Self::Convex(convex.to_shape()?),
        })
    }
}

macro_rules! unwrapped {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        /// Returns an attachment whose collider has the type of the shape, and not the type [`Shape`].
        pub(super) fn unwrapped(shape: &Shape) -> Attachment {
            match shape { $(Shape::$kind(shape) => crate::shape::$kind::clone(shape).into(),)* }
        }
    };
}

for_each_shape!(unwrapped);

/// The user shape of scenes that have none.
///
/// ```
/// use hitgraph::{NoUserShape, SavedScene, Scene};
///
/// let saved: SavedScene<NoUserShape> = Scene::new().save()?;
/// assert!(Scene::load(saved).is_ok());
/// # Ok::<(), hitgraph::SaveError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NoUserShape(());

impl Serialize for NoUserShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Reads any value of a format that describes itself, so that [`Scene::load`](crate::Scene::load) can name the node.
impl<'de> Deserialize<'de> for NoUserShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Err(D::Error::custom("the scene has user shapes: read a `SavedScene` of your type for them"));
        }
        IgnoredAny::deserialize(deserializer).map(|_| Self(()))
    }
}
