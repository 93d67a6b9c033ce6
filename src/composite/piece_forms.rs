use glam::{Affine2, Vec2};

use crate::geometry::uniform_scale;
use crate::math::Pool;
use crate::shape::{Circle, Kind, Polygon, Shape, WorldForm};

/// Memory for the world forms of pieces: one per kind, so that heap memory is reused.
#[derive(Debug, Clone)]
pub(crate) struct PieceForms([Shape; Kind::COUNT]);

static POOL: Pool<PieceForms> = Pool::new();

impl Default for PieceForms {
    fn default() -> Self {
        Self([const { Shape::Circle(Circle::point(Vec2::NAN)) }; Kind::COUNT])
    }
}

impl PieceForms {
    /// Runs `work` with memory from a pool. Nested calls get different memory.
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        POOL.with(work)
    }

    /// Returns the image of a shape under an affine map.
    pub(crate) fn image(&mut self, local: &Shape, by: &Affine2) -> &Shape {
        // In the memory of a capsule's own kind, capsules and boxed rounded polygons would replace each other.
        let becomes_rounded = matches!(local, Shape::Capsule(_)) && uniform_scale(by.matrix2).is_none();
        let kind = if becomes_rounded { Kind::Rounded } else { local.kind() };
        let world = &mut self.0[kind as usize];
        local.write_world_form(by, world);
        world
    }

    /// Returns the image of a polygon under an affine map. (To be a [`Shape`], the polygon would need heap memory.)
    pub(super) fn polygon(&mut self, local: &Polygon, by: &Affine2) -> &Shape {
        let world = &mut self.0[Kind::Polygon as usize];
        local.write_world_form(by, world);
        world
    }
}
