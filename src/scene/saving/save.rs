use alloc::string::String;
use core::error::Error;
use core::fmt;

use serde::{Serialize, Serializer};

use super::document::{FORMAT, NoUserShape, SavedCollider, SavedNode, SavedScene, SavedShape, Settings};
use crate::collider::Attachment;
use crate::scene::{ColliderId, NodeId, Scene};

/// The reason why a scene cannot be saved. It names the node and the collider; [`Scene::save_with`] has an example.
///
/// ```
/// use hitgraph::{Circle, Node, SaveError, Scene};
///
/// fn saved(scene: &Scene) -> Result<String, String> {
///     let saved = scene.save().map_err(|error: SaveError| error.to_string())?;
///     serde_json::to_string(&saved).map_err(|error| error.to_string())
/// }
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("ball"), Circle::new(1.0));
/// assert!(saved(&scene).is_ok_and(|text| text.contains("ball")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The function given to [`Scene::save_with`] returned `None` for a user shape, or there was no such function.
    UserShape {
        /// The path of the node, as in [`Scene::find`].
        path: String,
        /// The collider.
        collider: ColliderId,
    },
}

impl Error for SaveError {}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::UserShape { path, collider } = self;
        write!(
            f,
            "{collider:?} of the node \"{path}\" has a user shape: the function of `Scene::save_with` must return its data"
        )
    }
}

impl Scene {
    /// Returns the scene as plain data, which serde writes in any format. All ids stay valid in the loaded scene, and
    /// from then on it gives the same answers, bit for bit, and the same new ids as this one.
    ///
    /// The data contains the nodes, the colliders, the ignored pairs, the touching pairs and quarantined nodes of the last
    /// update, and the memory of movers. It also contains edits that no update has processed. Clones of a `Tiles`,
    /// `Compound` or `Polyline` share their memory; loaded ones do not.
    ///
    /// `Scene` also implements serde's traits, so a struct of yours may derive them and contain a scene:
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(1.0));
    /// let text = serde_json::to_string(&scene)?;
    ///
    /// let loaded: Scene = serde_json::from_str(&text)?;
    /// assert_eq!(loaded[ball].name, "ball");
    /// assert_eq!(loaded.checksum(), scene.checksum());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError::UserShape`] if a collider has a user shape.
    #[doc(alias("serialize", "write"))]
    pub fn save(&self) -> Result<SavedScene, SaveError> {
        self.save_with(|_| None)
    }

    /// Does the same as [`save`](Self::save) for a scene with user shapes. `save` returns the data of a user shape as a
    /// type of yours, such as an enum of all your shapes. [`load_with`](Self::load_with) makes shapes of it again.
    ///
    /// ```
    /// use glam::{Vec2, vec2};
    /// use hitgraph::{Collider, Node, SavedScene, Scene};
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// A half disc, flat side down.
    /// #[derive(Debug, Clone, Serialize, Deserialize)]
    /// struct Dome {
    ///     radius: f32,
    /// }
    ///
    /// impl Collider for Dome {
    ///     fn support(&self, direction: Vec2) -> Vec2 {
    ///         let round = direction.y > 0.0;
    ///         self.radius * if round { direction.normalize() } else { vec2(direction.x.signum(), 0.0) }
    ///     }
    /// }
    ///
    /// let mut scene = Scene::new();
    /// let (_, hill) = scene.add_with(Node::new("hill"), Dome { radius: 3.0 });
    /// assert_eq!(
    ///     scene.save().unwrap_err().to_string(),
    ///     "ColliderId(1v1) of the node \"hill\" has a user shape: the function of `Scene::save_with` must return its data",
    /// );
    ///
    /// let saved: SavedScene<Dome> = scene.save_with(|attachment| attachment.collider_as::<Dome>().cloned())?;
    /// let text = serde_json::to_string(&saved)?;
    ///
    /// let saved: SavedScene<Dome> = serde_json::from_str(&text)?;
    /// let loaded = Scene::load_with(saved, |dome| Some(Box::new(dome)))?;
    /// assert_eq!(loaded.attachment(hill).unwrap().collider_as::<Dome>().unwrap().radius, 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError::UserShape`] if `save` returns `None`.
    pub fn save_with<U>(&self, mut save: impl FnMut(&Attachment) -> Option<U>) -> Result<SavedScene<U>, SaveError> {
        let nodes = self.hierarchy.subtree(self.root()).map(|node| self.saved_node(node, &mut save));
        let (touching, pairs) = self.touching.saved();
        Ok(SavedScene {
            format: FORMAT,
            nodes: nodes.collect::<Result<_, _>>()?,
            free_nodes: self.hierarchy.nodes().free().collect(),
            free_colliders: self.colliders.attachments.free().collect(),
            ignored_pairs: self.ignored_pairs().collect(),
            touching,
            pairs,
            quarantined: self.quarantined.clone(),
            movers: self.movers.iter().map(|(node, memory)| (node, memory.clone())).collect(),
        })
    }

    fn saved_node<U>(
        &self,
        node: NodeId,
        save: &mut impl FnMut(&Attachment) -> Option<U>,
    ) -> Result<SavedNode<U>, SaveError> {
        let colliders = self.attachments(node).map(|(id, attachment)| {
            let shape = SavedShape::of_builtin(attachment).or_else(|| save(attachment).map(SavedShape::User));
            let error = || SaveError::UserShape { path: self.path(node).unwrap_or_default(), collider: id };
            Ok(SavedCollider { id, shape: shape.ok_or_else(error)?, settings: Settings::of(attachment) })
        });
        let colliders = colliders.collect::<Result<_, SaveError>>()?;
        Ok(SavedNode { id: node, parent: self.parent(node), node: self[node].clone(), colliders })
    }
}

/// Does the same as [`Scene::save`].
impl Serialize for Scene {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved: SavedScene<NoUserShape> = self.save().map_err(serde::ser::Error::custom)?;
        saved.serialize(serializer)
    }
}
