use core::any::Any;
use core::fmt::Debug;

use glam::{Affine2, Vec2};

use super::Builtin;
use crate::math::Aabb;
use crate::shape::Shape;

/// The geometry of a collider, without its visitors.
///
/// Support shapes and composites are built on this trait and not on [`Collider`](crate::Collider), because the default
/// bodies of [`Collider`](crate::Collider) call them in turn. Every collider implements it.
pub trait ColliderGeometry: Any + Debug + Send + Sync {
    /// Returns `self` as a trait object.
    fn as_geometry(&self) -> &dyn ColliderGeometry;

    /// Calls [`Collider::support`](crate::Collider::support).
    fn support_point(&self, direction: Vec2) -> Vec2;

    /// Calls [`Collider::bounds`](crate::Collider::bounds).
    fn world_bounds(&self, at: &Affine2) -> Aabb;

    /// Calls [`Collider::pieces`](crate::Collider::pieces).
    fn local_pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool;

    /// Returns the collider as its own type if the type is built in.
    fn as_builtin(&self) -> Option<Builtin<'_>>;
}
