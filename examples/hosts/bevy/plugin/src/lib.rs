//! A Bevy plugin for hitgraph.
//!
//! Colliders are components ([`Hitbox`]), events are messages ([`Touch`]), and gizmos draw what is tested. Bevy owns the
//! hierarchy, so all nodes are children of the scene's root. Transforms go both ways: the plugin copies each changed
//! [`GlobalTransform`] to the scene, and what a move or a push changes in the scene back to the [`Transform`].

use std::collections::HashMap;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_math::{Affine2, Affine3A, Vec2};
use bevy_transform::TransformSystems;
use bevy_transform::components::{GlobalTransform, Transform};
use hitgraph::{Attachment, Node, NodeId, Scene};

/// The scene and the entity of each node.
#[derive(Resource, Default)]
pub struct Collisions {
    pub scene: Scene,
    entities: HashMap<NodeId, Entity>,
}

impl Collisions {
    /// Returns the entity of a node.
    #[must_use]
    pub fn entity(&self, node: NodeId) -> Option<Entity> {
        self.entities.get(&node).copied()
    }
}

/// The collider of an entity.
#[derive(Component)]
#[require(Transform)]
pub struct Hitbox(pub Attachment);

/// The node of an entity with a [`Hitbox`]. The plugin inserts it.
#[derive(Component)]
pub struct InScene {
    node: NodeId,
    /// The node's transform when it last agreed with that of the entity; `None` before the first frame.
    agreed: Option<hitgraph::Transform>,
}

impl InScene {
    /// Returns the node, for moves and queries.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }
}

/// Two entities started or stopped touching. After a stop, one of them may be despawned.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    pub entities: [Entity; 2],
    pub started: bool,
}

impl Touch {
    /// Returns the other entity, if one of the two is `entity`.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        let [a, b] = self.entities;
        if a == entity { Some(b) } else { (b == entity).then_some(a) }
    }
}

/// Adds the scene as the resource [`Collisions`], and the systems that keep it and the entities equal.
pub struct CollisionPlugin;

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Collisions>().add_message::<Touch>().add_observer(enter).add_observer(leave);
        app.add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
        app.add_systems(PostUpdate, (place, report).chain().after(TransformSystems::Propagate));
        #[cfg(feature = "gizmos")]
        app.add_systems(PostUpdate, draw.after(report));
    }
}

fn enter(
    added: On<Add, Hitbox>,
    hitboxes: Query<&Hitbox>,
    mut collisions: ResMut<Collisions>,
    mut commands: Commands,
) -> Result {
    // The node stays disabled until Bevy has propagated its transform.
    let node = Node::new("hitbox").with_enabled(false);
    let (node, _) = collisions.scene.add_with(node, hitboxes.get(added.entity)?.0.clone());
    collisions.entities.insert(node, added.entity);
    commands.entity(added.entity).insert(InScene { node, agreed: None });
    Ok(())
}

fn leave(
    removed: On<Remove, Hitbox>,
    nodes: Query<&InScene>,
    mut collisions: ResMut<Collisions>,
    mut commands: Commands,
) -> Result {
    collisions.scene.remove(nodes.get(removed.entity)?.node);
    commands.entity(removed.entity).try_remove::<InScene>();
    Ok(())
}

/// Copies what moves and pushes changed in the scene to the entities.
fn follow(
    collisions: Res<Collisions>,
    mut hitboxes: Query<(&mut InScene, &mut Transform, Option<&ChildOf>)>,
    globals: Query<&GlobalTransform>,
) {
    for (mut in_scene, mut transform, parent) in &mut hitboxes {
        let (Some(node), Some(agreed)) = (collisions.scene.get(in_scene.node), in_scene.agreed) else { continue };
        let now = node.transform;
        if now.position == agreed.position && now.rotation == agreed.rotation {
            continue;
        }
        // The node is in world space, the entity's transform in the frame of its parent.
        let above = parent.and_then(|parent| globals.get(parent.parent()).ok());
        let position = now.position.extend(0.0);
        let position = above.map_or(position, |above| above.affine().inverse().transform_point3(position));
        transform.translation = position.truncate().extend(transform.translation.z);
        transform.rotate_z(now.rotation - agreed.rotation);
        in_scene.agreed = Some(now);
    }
}

/// Copies changed transforms of entities to the scene. The matrix keeps shear and mirroring.
fn place(mut collisions: ResMut<Collisions>, mut hitboxes: Query<(&mut InScene, Ref<GlobalTransform>)>) {
    for (mut in_scene, transform) in &mut hitboxes {
        if in_scene.agreed.is_some() && !transform.is_changed() {
            continue;
        }
        let matrix = flat(&transform);
        let Some(node) = collisions.scene.get_mut(in_scene.node) else { continue };
        let here = node.transform.position;
        node.transform = hitgraph::Transform::from_affine(matrix);
        if in_scene.agreed.is_none() {
            node.enabled = true;
        } else if node.transform.position.abs_diff_eq(here, 1e-6 * here.abs().max_element().max(1.0)) {
            // It differs by the rounding of the propagation only. To write it would be a teleport.
            node.transform.position = here;
        }
        in_scene.agreed = Some(node.transform);
    }
}

/// Returns the part of a transform in the plane.
fn flat(transform: &GlobalTransform) -> Affine2 {
    let Affine3A { matrix3, translation } = transform.affine();
    let [x, y, at]: [Vec2; 3] = [matrix3.x_axis, matrix3.y_axis, translation].map(|axis| axis.truncate());
    Affine2::from_cols(x, y, at)
}

fn report(mut collisions: ResMut<Collisions>, mut touches: MessageWriter<Touch>) {
    let Collisions { scene, entities } = &mut *collisions;
    for event in scene.update() {
        let pair = event.pair();
        if let [Some(a), Some(b)] = [pair.a, pair.b].map(|side| entities.get(&side.node).copied()) {
            touches.write(Touch { entities: [a, b], started: event.started() });
        }
    }
    // The stop events of removed nodes have been sent.
    entities.retain(|node, _| scene.contains(*node));
}

#[cfg(feature = "gizmos")]
fn draw(mut collisions: ResMut<Collisions>, mut gizmos: bevy_gizmos::gizmos::Gizmos) {
    let options = hitgraph::DebugOptions { contacts: true, normals: true, ..Default::default() };
    collisions.scene.world().debug_draw(&options, |shape| {
        let [red, green, blue, alpha] = shape.color;
        let color = bevy_color::Srgba::new(red, green, blue, alpha);
        shape.lines(|a, b| gizmos.line_2d(a, b, color));
    });
}
