//! The camera: maps between the world and the screen.

use hitgraph::Aabb;
use macroquad::prelude::{Rect, Vec2, vec2};

/// The visible part of the world and its place on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Camera {
    /// The world point at the centre of the area.
    pub center: Vec2,
    /// Points of the screen per unit of the world.
    pub scale: f32,
    /// The part of the screen that shows the world, in points.
    pub area: Rect,
    /// `true` if the world's y axis points down, as the screen's does.
    pub y_down: bool,
    /// `true` after the user has moved the camera. It then no longer follows its home.
    moved: bool,
}

impl Camera {
    pub fn new(y_down: bool) -> Self {
        Self { center: Vec2::ZERO, scale: 100.0, area: Rect::new(0.0, 0.0, 1.0, 1.0), y_down, moved: false }
    }

    /// Sets the area of the screen and the home, the region to show until the user moves the camera. Called once per
    /// frame.
    pub fn place(&mut self, area: Rect, home: Aabb) {
        self.area = area;
        let size = home.size();
        if !self.moved && home.is_finite() && size.max_element() > 0.0 {
            self.center = home.center();
            self.scale = (area.w / size.x.max(1e-6)).min(area.h / size.y.max(1e-6)).clamp(1e-4, 1e5);
        }
    }

    /// Shows a region with a margin, and stays there.
    pub fn fit(&mut self, region: Aabb) {
        let margin = region.size().max_element() * 0.08;
        self.moved = false;
        self.place(self.area, region.grown(if margin > 0.0 { margin } else { 1.0 }));
        self.moved = true;
    }

    /// Makes the camera follow its home again.
    pub fn go_home(&mut self) {
        self.moved = false;
    }

    pub fn to_screen(self, point: Vec2) -> Vec2 {
        self.area.center() + self.to_screen_vector(point - self.center)
    }

    pub fn to_world(self, point: Vec2) -> Vec2 {
        self.center + self.to_world_vector(point - self.area.center())
    }

    pub fn to_screen_vector(self, vector: Vec2) -> Vec2 {
        vector * self.signs() * self.scale
    }

    pub fn to_world_vector(self, vector: Vec2) -> Vec2 {
        vector * self.signs() / self.scale
    }

    /// Returns the visible region of the world.
    pub fn seen(&self) -> Aabb {
        let corner = vec2(self.area.w, self.area.h) * (0.5 / self.scale);
        Aabb::new(self.center - corner, self.center + corner)
    }

    /// Moves the picture by a displacement on the screen.
    pub fn pan(&mut self, by: Vec2) {
        if by != Vec2::ZERO {
            self.center -= self.to_world_vector(by);
            self.moved = true;
        }
    }

    /// Zooms by a factor. The world point under `at` on the screen is fixed.
    pub fn zoom(&mut self, at: Vec2, factor: f32) {
        if factor != 1.0 && factor.is_finite() {
            let before = self.to_world(at);
            self.scale = (self.scale * factor).clamp(1e-4, 1e5);
            self.center += before - self.to_world(at);
            self.moved = true;
        }
    }

    fn signs(self) -> Vec2 {
        vec2(1.0, if self.y_down { 1.0 } else { -1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screen_and_world_coordinates_are_inverse_and_zoom_keeps_the_pointer_fixed() {
        for y_down in [false, true] {
            let mut camera = Camera::new(y_down);
            camera.place(Rect::new(10.0, 20.0, 400.0, 300.0), Aabb::new(vec2(-4.0, -1.0), vec2(4.0, 1.0)));
            assert_eq!(camera.to_screen(vec2(4.0, 0.0)), vec2(410.0, 170.0));
            let point = vec2(1.25, 0.5);
            assert!(camera.to_world(camera.to_screen(point)).distance(point) < 1e-5);
            assert_eq!(camera.to_screen(point).y > 170.0, y_down);

            let pointer = camera.to_screen(point);
            camera.zoom(pointer, 3.0);
            assert!(camera.to_world(pointer).distance(point) < 1e-5, "the world point under the pointer is fixed");
            camera.place(camera.area, Aabb::new(Vec2::ZERO, Vec2::ONE));
            assert_eq!(camera.scale, 150.0, "after a zoom the camera does not follow its home");
        }
    }

    #[test]
    fn an_empty_area_gives_finite_coordinates() {
        let mut camera = Camera::new(false);
        camera.place(Rect::new(0.0, 0.0, 0.0, 0.0), Aabb::new(Vec2::ZERO, Vec2::ONE));
        assert!(camera.to_screen(Vec2::ONE).is_finite() && camera.to_world(Vec2::ONE).is_finite());
    }
}
