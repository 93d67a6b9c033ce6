//! The shapes that a node carries: the trait [`Collider`] with its double dispatch, the [`Attachment`] that a node
//! owns, and the [`CollisionLayers`] that decide which colliders may touch.
//!
//! Each file uses only files above it in this list:
//!
//! - [`layers`]: which colliders may touch;
//! - [`builtin`]: an enum of references to the built-in types, for code that reads a scene;
//! - [`collider_geometry`]: the geometry of a collider, without its visitors;
//! - [`support_shape`]: a collider in world space, defined by its support function;
//! - [`composite_ref`]: the pieces of a collider, near a region, a box or a ray;
//! - [`collider_trait`]: the trait, with the default bodies of its visitors;
//! - [`world_collider`]: a collider in world space; distances and casts, piece by piece;
//! - [`dispatch`]: overlap and contact of any two colliders;
//! - [`builtin_colliders`]: the trait, implemented for the built-in types;
//! - [`attachment`]: a boxed collider with its settings.

mod attachment;
mod builtin;
mod builtin_colliders;
mod collider_geometry;
mod collider_trait;
mod composite_ref;
mod dispatch;
mod layers;
mod support_shape;
mod world_collider;

pub use attachment::Attachment;
pub use builtin::Builtin;
pub use collider_trait::Collider;
pub use layers::CollisionLayers;
pub use support_shape::SupportShape;
pub(crate) use world_collider::WorldCollider;
