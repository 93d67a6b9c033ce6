use glam::{Affine2, Vec2};

use crate::geometry::uniform_scale;
use crate::math::Pool;
use crate::shape::{Circle, Kind, Shape, WorldForm};

/// Memory for the world forms of pieces, and of shapes that are in no scene: one per kind, so that heap memory is reused.
#[derive(Debug, Clone)]
pub(crate) struct WorldForms([Shape; Kind::COUNT]);

static POOL: Pool<WorldForms> = Pool::new();

impl Default for WorldForms {
    fn default() -> Self {
        Self([const { Shape::Circle(Circle::point(Vec2::NAN)) }; Kind::COUNT])
    }
}

impl WorldForms {
    /// Runs `work` with memory from a pool. Nested calls get different memory.
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        POOL.with(work)
    }

    /// Returns the image of a shape of a kind under an affine map. (The shape need not be a [`Shape`], because that of a
    /// polygon is on the heap.)
    pub(crate) fn image(&mut self, kind: Kind, local: &impl WorldForm, by: &Affine2) -> &Shape {
        // In the memory of a capsule's own kind, capsules and boxed rounded polygons would replace each other.
        let becomes_rounded = kind == Kind::Capsule && uniform_scale(by.matrix2).is_none();
        let world = &mut self.0[if becomes_rounded { Kind::Rounded } else { kind } as usize];
        local.write_world_form(by, world);
        world
    }
}
