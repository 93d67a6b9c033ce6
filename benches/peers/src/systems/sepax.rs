//! sepax2d: separating axis tests on shapes in world space, with static types as in hitgraph.

use sepax2d::prelude::*;

use crate::data::{Form, Pose};

pub fn circle(radius: f32, at: Pose) -> Circle {
    Circle::new(at.position.into(), radius)
}

/// Its boxes are placed by their smallest corner.
pub fn aligned(half: glam::Vec2, at: Pose) -> AABB {
    AABB::new((at.position - half).into(), 2.0 * half.x, 2.0 * half.y)
}

pub fn turned(half: glam::Vec2, at: Pose) -> Parallelogram {
    let turn = glam::Vec2::from_angle(at.angle);
    let (u, v) = (turn.rotate(glam::vec2(2.0 * half.x, 0.0)), turn.rotate(glam::vec2(0.0, 2.0 * half.y)));
    Parallelogram::new((at.position - (u + v) / 2.0).into(), u.into(), v.into())
}

/// It has no segments; a polygon with two corners is the nearest equivalent.
pub fn segment(half: f32, at: Pose) -> Polygon {
    let arm = glam::Vec2::from_angle(at.angle) * half;
    Polygon::from_vertices(at.position.into(), vec![(-arm).into(), arm.into()])
}

pub fn capsule(half: f32, radius: f32, at: Pose) -> Capsule {
    Capsule::new(at.position.into(), (glam::Vec2::from_angle(at.angle) * half).into(), radius)
}

pub fn octagon(radius: f32, at: Pose) -> Polygon {
    let turn = glam::Vec2::from_angle(at.angle);
    let corners = Form::octagon(radius).map(|corner| turn.rotate(corner).into());
    Polygon::from_vertices(at.position.into(), corners.to_vec())
}
