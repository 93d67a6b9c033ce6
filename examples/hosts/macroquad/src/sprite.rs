//! Sprites: textures that follow their nodes. The corners of a texture are mapped by the matrix of the node, so shear
//! and mirroring change the picture exactly as they change the collider.

use hitgraph::{Aabb, NodeId, World};
use macroquad::prelude::*;

/// The pixels of a texture per unit of the node's frame.
const RESOLUTION: f32 = 0.5;

pub struct Sprite {
    pub node: NodeId,
    pub tint: Color,
    texture: Texture2D,
    /// The rectangle of the texture in the node's frame.
    area: Aabb,
}

impl Sprite {
    /// Paints a convex outline with a dark rim. `pattern` returns the brightness of a place inside.
    pub fn new(node: NodeId, outline: &[Vec2], color: [u8; 4], pattern: impl Fn(Vec2) -> f32) -> Self {
        let area = outline.iter().fold(Aabb::EMPTY, |area, corner| area.union(Aabb::new(*corner, *corner)));
        let size = (area.size() * RESOLUTION).ceil();
        let depth = |at: Vec2| {
            let sides = outline.iter().zip(outline.iter().cycle().skip(1));
            sides.map(|(a, b)| (*b - *a).normalize().perp_dot(at - *a)).fold(f32::INFINITY, f32::min)
        };
        let pixel = |x: f32, y: f32| {
            let at = area.min + (vec2(x, y) + 0.5) / size * area.size();
            let light = match depth(at) {
                ..0.0 => 0.0,
                ..2.0 => pattern(at).min(0.5),
                _ => pattern(at),
            };
            let [red, green, blue] = [0, 1, 2].map(|channel: usize| (f32::from(color[channel]) * light) as u8);
            [red, green, blue, if light > 0.0 { 255 } else { 0 }]
        };
        let [width, height] = size.to_array().map(|side| side as u16);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels: Vec<u8> = pixels.flat_map(|(x, y)| pixel(x.into(), y.into())).collect();
        let texture = Texture2D::from_rgba8(width, height, &pixels);
        texture.set_filter(FilterMode::Nearest);
        Self { node, tint: WHITE, texture, area }
    }

    pub fn draw(&self, world: World<'_>) {
        let Some(matrix) = world.transform(self.node) else { return };
        let vertices = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)].map(|part| {
            let at = matrix.transform_point2(self.area.min + part * self.area.size());
            Vertex::new2(at.extend(0.0), part, self.tint)
        });
        let (vertices, indices) = (vertices.to_vec(), vec![0, 1, 2, 0, 2, 3]);
        draw_mesh(&Mesh { vertices, indices, texture: Some(self.texture.clone()) });
    }
}
