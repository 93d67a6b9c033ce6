//! The handles that move, rotate, scale, skew and mirror a node. All places are in points of the screen.

use glam::{Affine2, Vec2, vec2};

use super::operand::{Operand, Pose, into_frame};
use crate::camera::Camera;

/// The distance of a tip from the origin along the node's axis, in the node's local units.
const ARM_LENGTH: f32 = 1.0;
/// The additional distance of a tip in points, so that a node with zero scale has tips too.
const TIP_OFFSET: f32 = 26.0;
/// The distance of the rotation and skew handles beyond the tips, in points.
const KNOB_OFFSET: f32 = 30.0;

/// A handle of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    Move,
    Turn,
    ScaleX,
    ScaleY,
    Skew,
}

/// The places of a node's handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handles {
    pub origin: Vec2,
    /// The tips of both axes. Dragging one along its axis scales the node; beyond the origin it mirrors the node.
    pub tips: [Vec2; 2],
    /// The rotation handle, beyond the tip of x.
    pub turn: Vec2,
    /// The skew handle, beyond the tip of y.
    pub skew: Vec2,
}

impl Handles {
    /// Returns the handles of a node.
    pub fn of(operand: &Operand, node: usize, camera: &Camera) -> Self {
        let parent = operand.parent_of(node);
        let pose = &operand.chain[node];
        let origin = camera.to_screen(parent.transform_point2(pose.position));
        let axes = axes(&parent, pose, camera);
        let [x, y] = [0, 1].map(|axis| {
            let sign = if pose.scale[axis] < 0.0 { -1.0 } else { 1.0 };
            let direction = axes[axis].try_normalize().unwrap_or([Vec2::X, -Vec2::Y][axis]) * sign;
            let tip = origin + axes[axis] * (ARM_LENGTH * pose.scale[axis]) + direction * TIP_OFFSET;
            (tip, tip + direction * KNOB_OFFSET)
        });
        Self { origin, tips: [x.0, y.0], turn: x.1, skew: y.1 }
    }

    /// Returns each handle with its place. Frequently used handles are first and win ties.
    pub fn places(&self) -> [(Handle, Vec2); 5] {
        let Self { origin, tips: [x, y], turn, skew } = *self;
        [(Handle::Turn, turn), (Handle::ScaleX, x), (Handle::ScaleY, y), (Handle::Skew, skew), (Handle::Move, origin)]
    }

    /// Returns the handle nearest to a point, if it is within `reach`.
    pub fn pick(&self, at: Vec2, reach: f32) -> Option<Handle> {
        let near = self.places().map(|(handle, place)| (handle, place.distance(at)));
        let nearest = near.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= reach).then_some(nearest.0)
    }
}

/// Returns the node's axes on the screen at scale 1.
fn axes(parent: &Affine2, pose: &Pose, camera: &Camera) -> [Vec2; 2] {
    let (turn, skew) = (pose.turn.to_radians(), pose.skew.to_radians());
    let [x, y] = [Vec2::from_angle(turn), Vec2::from_angle(turn + skew).perp()];
    [x, y].map(|axis| camera.to_screen_vector(parent.matrix2 * axis))
}

/// A drag of a handle.
#[derive(Debug, Clone, Copy)]
pub struct Grip {
    pub handle: Handle,
    /// The pointer at the start of the drag.
    from: Vec2,
    /// The node's pose at the start of the drag.
    before: Pose,
}

impl Grip {
    /// Starts a drag.
    pub fn new(handle: Handle, from: Vec2, before: Pose) -> Self {
        Self { handle, from, before }
    }

    /// Returns the node's pose for the pointer at `to`. Returns the initial pose if the parent is singular.
    pub fn pose(&self, operand: &Operand, node: usize, camera: &Camera, to: Vec2) -> Pose {
        self.dragged(&operand.parent_of(node), camera, to).unwrap_or(self.before).rounded()
    }

    fn dragged(&self, parent: &Affine2, camera: &Camera, to: Vec2) -> Option<Pose> {
        let mut pose = self.before;
        let to_local = |vector: Vec2| into_frame(parent.matrix2, camera.to_world_vector(vector));
        let origin = camera.to_screen(parent.transform_point2(pose.position));
        match self.handle {
            Handle::Move => pose.position += to_local(to - self.from)?,
            Handle::ScaleX | Handle::ScaleY => {
                let axis = usize::from(self.handle == Handle::ScaleY);
                let along = axes(parent, &self.before, camera)[axis];
                // The axis has zero length on the screen if the parent is singular.
                if along.length_squared() > 1e-6 {
                    pose.scale[axis] += (to - self.from).dot(along) / (along.length_squared() * ARM_LENGTH);
                }
            }
            Handle::Turn => {
                let [before, now] = [to_local(self.from - origin)?, to_local(to - origin)?];
                pose.turn += before.angle_between(now).to_degrees();
            }
            Handle::Skew => {
                let back = Vec2::from_angle(-pose.turn.to_radians());
                // Relative to the y axis, also if the y scale is negative.
                let sign = if pose.scale.y < 0.0 { -1.0 } else { 1.0 };
                let skew_angle = |vector: Vec2| {
                    let vector = back.rotate(vector) * sign;
                    (-vector.x).atan2(vector.y).to_degrees()
                };
                let [before, now] = [to_local(self.from - origin)?, to_local(to - origin)?];
                pose.skew = (pose.skew + skew_angle(now) - skew_angle(before)).clamp(-80.0, 80.0);
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

    /// Drags a handle by a displacement on the screen and returns the node's pose.
    fn drag(operand: &Operand, node: usize, handle: Handle, by: Vec2) -> Pose {
        let camera = camera();
        let places = Handles::of(operand, node, &camera).places();
        let from = places.into_iter().find(|(each, _)| *each == handle).unwrap().1;
        Grip::new(handle, from, operand.chain[node]).pose(operand, node, &camera, from + by)
    }

    #[test]
    fn a_dragged_handle_stays_under_the_pointer() {
        let camera = camera();
        let mut operand = Operand::start()[1];
        operand.chain[2].skew = 15.0;
        operand.chain[1].scale.x = -1.2;
        for node in 0..3 {
            for handle in [Handle::Move, Handle::Turn] {
                let by = vec2(17.0, -23.0);
                let mut moved = operand;
                moved.chain[node] = drag(&operand, node, handle, by);
                let [before, after] = [operand, moved].map(|operand| Handles::of(&operand, node, &camera));
                match handle {
                    Handle::Move => assert!(after.origin.distance(before.origin + by) < 0.3, "{node}"),
                    _ => {
                        let [actual, expected] = [after.turn - after.origin, before.turn + by - before.origin];
                        assert!(actual.angle_between(expected).abs() < 0.01, "{node}: {actual} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn dragging_a_tip_beyond_the_origin_mirrors_the_node() {
        let operand = Operand { chain: [Pose::IDENTITY; 3], ..Operand::start()[0] };
        assert_eq!(drag(&operand, 2, Handle::ScaleX, vec2(-200.0, 0.0)).scale, vec2(-1.0, 1.0));
        assert_eq!(drag(&operand, 2, Handle::ScaleY, vec2(30.0, -100.0)).scale, vec2(1.0, 2.0));
        // Back again, and starting from a scale of zero.
        let flat = Operand { chain: [Pose::IDENTITY, Pose::IDENTITY, Pose::scaled(0.0, -1.0)], ..operand };
        assert_eq!(drag(&flat, 2, Handle::ScaleX, vec2(50.0, 0.0)).scale, vec2(0.5, -1.0));
        assert_eq!(drag(&flat, 2, Handle::ScaleY, vec2(0.0, -200.0)).scale, vec2(0.0, 1.0));
    }

    #[test]
    fn the_skew_follows_the_pointer_for_both_signs_of_the_y_scale() {
        for sign in [1.0, -1.0] {
            let mut operand = Operand { chain: [Pose::IDENTITY; 3], ..Operand::start()[0] };
            operand.chain[2].scale.y = sign;
            let skew = drag(&operand, 2, Handle::Skew, vec2(-60.0 * sign, 0.0)).skew;
            assert!(skew > 10.0 && skew < 40.0, "{skew}");
        }
    }

    #[test]
    fn no_handle_changes_a_node_below_a_singular_parent() {
        let mut operand = Operand { chain: [Pose::IDENTITY; 3], ..Operand::start()[0] };
        operand.chain[1].scale = Vec2::ZERO;
        for handle in [Handle::Move, Handle::Turn, Handle::ScaleX, Handle::ScaleY, Handle::Skew] {
            assert_eq!(drag(&operand, 2, handle, vec2(9.0, 9.0)), Pose::IDENTITY);
        }
    }
}
