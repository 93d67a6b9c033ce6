//! What one takes hold of to move, turn, scale, skew and mirror a node. All places are on the screen.

use glam::{Affine2, Vec2, vec2};

use super::body::{Body, Pose, into_frame};
use crate::camera::Camera;

/// How far along an axis of the node's frame the tip of a handle is.
const ARM: f32 = 1.0;
/// How many points further, so that a flat node has tips too.
const STAND_OFF: f32 = 26.0;
const KNOB: f32 = 30.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    Move,
    Turn,
    ScaleX,
    ScaleY,
    Skew,
}

/// Where the handles of a node are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handles {
    pub origin: Vec2,
    /// The tips of both axes: dragged along the axis they scale, and mirror beyond the origin.
    pub tips: [Vec2; 2],
    /// Beyond the tip of x.
    pub turn: Vec2,
    /// Beyond the tip of y.
    pub skew: Vec2,
}

impl Handles {
    pub fn of(body: &Body, node: usize, camera: &Camera) -> Self {
        let parent = body.parent_of(node);
        let pose = &body.chain[node];
        let origin = camera.to_screen(parent.transform_point2(pose.position));
        let axes = axes(&parent, pose, camera);
        let [x, y] = [0, 1].map(|axis| {
            let sign = if pose.scale[axis] < 0.0 { -1.0 } else { 1.0 };
            let way = axes[axis].try_normalize().unwrap_or([Vec2::X, -Vec2::Y][axis]) * sign;
            let tip = origin + axes[axis] * (ARM * pose.scale[axis]) + way * STAND_OFF;
            (tip, tip + way * KNOB)
        });
        Self { origin, tips: [x.0, y.0], turn: x.1, skew: y.1 }
    }

    /// Each with its place; those that are reached for more often come first.
    pub fn places(&self) -> [(Handle, Vec2); 5] {
        let Self { origin, tips: [x, y], turn, skew } = *self;
        [(Handle::Turn, turn), (Handle::ScaleX, x), (Handle::ScaleY, y), (Handle::Skew, skew), (Handle::Move, origin)]
    }

    /// The handle nearest to a point, within a reach.
    pub fn pick(&self, at: Vec2, reach: f32) -> Option<Handle> {
        let near = self.places().map(|(handle, place)| (handle, place.distance(at)));
        let nearest = near.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= reach).then_some(nearest.0)
    }
}

/// What an axis would be on the screen with a scale of 1.
fn axes(parent: &Affine2, pose: &Pose, camera: &Camera) -> [Vec2; 2] {
    let (turn, skew) = (pose.turn.to_radians(), pose.skew.to_radians());
    let [x, y] = [Vec2::from_angle(turn), Vec2::from_angle(turn + skew).perp()];
    [x, y].map(|axis| camera.to_screen_vector(parent.matrix2 * axis))
}

/// A handle that is being dragged.
#[derive(Debug, Clone, Copy)]
pub struct Grip {
    pub handle: Handle,
    /// Where the pointer was, and how the node was, when it was taken.
    from: Vec2,
    before: Pose,
}

impl Grip {
    pub fn new(handle: Handle, from: Vec2, before: Pose) -> Self {
        Self { handle, from, before }
    }

    /// The node's pose, now that the pointer is at `to`; as before, if its parent is flat.
    pub fn pose(&self, body: &Body, node: usize, camera: &Camera, to: Vec2) -> Pose {
        self.dragged(&body.parent_of(node), camera, to).unwrap_or(self.before).tidied()
    }

    fn dragged(&self, parent: &Affine2, camera: &Camera, to: Vec2) -> Option<Pose> {
        let mut pose = self.before;
        let inside = |vector: Vec2| into_frame(parent.matrix2, camera.to_world_vector(vector));
        let origin = camera.to_screen(parent.transform_point2(pose.position));
        match self.handle {
            Handle::Move => pose.position += inside(to - self.from)?,
            Handle::ScaleX | Handle::ScaleY => {
                let axis = usize::from(self.handle == Handle::ScaleY);
                let along = axes(parent, &self.before, camera)[axis];
                // A tip of no scale has no axis to go along.
                if along.length_squared() > 1e-6 {
                    pose.scale[axis] += (to - self.from).dot(along) / (along.length_squared() * ARM);
                }
            }
            Handle::Turn => {
                let [before, now] = [inside(self.from - origin)?, inside(to - origin)?];
                pose.turn += before.angle_between(now).to_degrees();
            }
            Handle::Skew => {
                let back = Vec2::from_angle(-pose.turn.to_radians());
                // From the y axis on, whichever way it points.
                let sign = if pose.scale.y < 0.0 { -1.0 } else { 1.0 };
                let lean = |vector: Vec2| {
                    let vector = back.rotate(vector) * sign;
                    (-vector.x).atan2(vector.y).to_degrees()
                };
                let [before, now] = [inside(self.from - origin)?, inside(to - origin)?];
                pose.skew = (pose.skew + lean(now) - lean(before)).clamp(-80.0, 80.0);
            }
        }
        let finite = [pose.position, pose.scale, vec2(pose.turn, pose.skew)].into_iter().all(Vec2::is_finite);
        finite.then_some(pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitgraph::Aabb;

    fn camera() -> Camera {
        let mut camera = Camera::new(false);
        let home = Aabb::new(Vec2::splat(-4.0), Vec2::splat(4.0));
        camera.place(macroquad::prelude::Rect::new(0.0, 40.0, 800.0, 800.0), home);
        camera
    }

    /// Drags a handle by so much on the screen.
    fn drag(body: &Body, node: usize, handle: Handle, by: Vec2) -> Pose {
        let camera = camera();
        let places = Handles::of(body, node, &camera).places();
        let from = places.into_iter().find(|(each, _)| *each == handle).unwrap().1;
        Grip::new(handle, from, body.chain[node]).pose(body, node, &camera, from + by)
    }

    #[test]
    fn a_handle_stays_under_the_pointer() {
        let camera = camera();
        let mut body = Body::start()[1];
        body.chain[2].skew = 15.0;
        body.chain[1].scale.x = -1.2;
        for node in 0..3 {
            for handle in [Handle::Move, Handle::Turn] {
                let by = vec2(17.0, -23.0);
                let mut moved = body;
                moved.chain[node] = drag(&body, node, handle, by);
                let [before, after] = [body, moved].map(|body| Handles::of(&body, node, &camera));
                match handle {
                    Handle::Move => assert!(after.origin.distance(before.origin + by) < 0.3, "{node}"),
                    _ => {
                        let [now, wanted] = [after.turn - after.origin, before.turn + by - before.origin];
                        assert!(now.angle_between(wanted).abs() < 0.01, "{node}: {now} {wanted}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_tip_beyond_the_origin_mirrors() {
        let body = Body { chain: [Pose::IDENTITY; 3], ..Body::start()[0] };
        assert_eq!(drag(&body, 2, Handle::ScaleX, vec2(-200.0, 0.0)).scale, vec2(-1.0, 1.0));
        assert_eq!(drag(&body, 2, Handle::ScaleY, vec2(30.0, -100.0)).scale, vec2(1.0, 2.0));
        // And back again, also through nothing at all.
        let flat = Body { chain: [Pose::IDENTITY, Pose::IDENTITY, Pose::scaled(0.0, -1.0)], ..body };
        assert_eq!(drag(&flat, 2, Handle::ScaleX, vec2(50.0, 0.0)).scale, vec2(0.5, -1.0));
        assert_eq!(drag(&flat, 2, Handle::ScaleY, vec2(0.0, -200.0)).scale, vec2(0.0, 1.0));
    }

    #[test]
    fn a_lean_follows_the_pointer_either_way_up() {
        for up in [1.0, -1.0] {
            let mut body = Body { chain: [Pose::IDENTITY; 3], ..Body::start()[0] };
            body.chain[2].scale.y = up;
            let skew = drag(&body, 2, Handle::Skew, vec2(-60.0 * up, 0.0)).skew;
            assert!(skew > 10.0 && skew < 40.0, "{skew}");
        }
    }

    #[test]
    fn a_flat_parent_lets_nothing_be_moved() {
        let mut body = Body { chain: [Pose::IDENTITY; 3], ..Body::start()[0] };
        body.chain[1].scale = Vec2::ZERO;
        for handle in [Handle::Move, Handle::Turn, Handle::ScaleX, Handle::ScaleY, Handle::Skew] {
            assert_eq!(drag(&body, 2, handle, vec2(9.0, 9.0)), Pose::IDENTITY);
        }
    }
}
