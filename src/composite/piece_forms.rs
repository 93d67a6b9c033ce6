use glam::{Affine2, Vec2};

use crate::math::Pool;
use crate::shape::{Circle, Kind, Polygon, Shape, WorldForm};

/// Memory for the world forms of pieces: one per kind of local shape, so that heap memory is reused.
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
        let world = &mut self.0[local.kind() as usize];
        local.write_world_form(by, world);
        world
    }

    /// Returns the image of a polygon, given by its counter-clockwise corners, under an affine map.
    pub(super) fn polygon(&mut self, corners: &[Vec2], by: &Affine2) -> &Shape {
        let world = &mut self.0[Kind::Polygon as usize];
        match world {
            Shape::Polygon(polygon) => polygon.set_image_of(Vec2::ZERO, corners, by),
            _ => {
                let mut polygon = Polygon::from_corners(&[]);
                polygon.set_image_of(Vec2::ZERO, corners, by);
                *world = polygon.into();
            }
        }
        world
    }
}
