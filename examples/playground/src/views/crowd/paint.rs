//! Draws the movers in a few large meshes. Small circles have few corners.

use std::f32::consts::TAU;

use glam::Vec2;
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::Color;

use super::movers::{Figure, Mover, Movers};
use crate::camera::Camera;
use crate::theme;

/// The largest number of indices that macroquad accepts in one mesh.
const MAX_INDICES: usize = 4_800;

/// Draws the visible movers.
pub fn draw(movers: &Movers, camera: &Camera) {
    let seen = camera.seen().grown(2.0);
    let mut batch = Batch::default();
    let mut corners = Vec::new();
    for mover in movers.all().iter().filter(|mover| seen.contains(mover.position)) {
        outline(mover, camera, &mut corners);
        let color = match (mover.touching, mover.figure) {
            (true, _) => theme::TOUCHING,
            (false, Figure::Circle { .. }) => theme::FIRST,
            (false, Figure::Rect { .. }) => theme::SECOND,
        };
        batch.polygon(&corners, color);
    }
    batch.flush();
}

/// Writes a mover's outline in points of the screen to `corners`.
fn outline(mover: &Mover, camera: &Camera, corners: &mut Vec<Vec2>) {
    corners.clear();
    match mover.figure {
        Figure::Circle { radius } => {
            let count = (4.0 + radius * camera.scale * 0.7).clamp(5.0, 28.0) as u32;
            let step = TAU / count as f32;
            corners.extend((0..count).map(|corner| mover.position + Vec2::from_angle(step * corner as f32) * radius));
        }
        Figure::Rect { half } => {
            let (along, across) =
                (Vec2::from_angle(mover.rotation) * half.x, Vec2::from_angle(mover.rotation).perp() * half.y);
            corners.extend(
                [along + across, across - along, -along - across, along - across].map(|corner| mover.position + corner),
            );
        }
    }
    corners.iter_mut().for_each(|corner| *corner = camera.to_screen(*corner));
}

/// Polygons that are collected into one mesh.
#[derive(Default)]
struct Batch {
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
}

impl Batch {
    fn polygon(&mut self, corners: &[Vec2], color: Color) {
        if self.indices.len() + 3 * corners.len() > MAX_INDICES {
            self.flush();
        }
        let first = self.vertices.len() as u16;
        self.vertices.extend(corners.iter().map(|at| Vertex::new(at.x, at.y, 0.0, 0.0, 0.0, color)));
        self.indices.extend((2..corners.len() as u16).flat_map(|corner| [first, first + corner - 1, first + corner]));
    }

    fn flush(&mut self) {
        let (vertices, indices) = (std::mem::take(&mut self.vertices), std::mem::take(&mut self.indices));
        if !indices.is_empty() {
            draw_mesh(&Mesh { vertices, indices, texture: None });
        }
    }
}
