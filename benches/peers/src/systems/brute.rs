//! The engine of the tutorials: it tests every pair of nodes, supports only circles and boxes, and has no broad phase.
//!
//! Its capsules and segments are boxes, so its counts differ and are not compared.

use glam::Vec2;

use crate::data::{Form, Pose};

#[derive(Clone, Copy)]
enum Shape {
    Circle { center: Vec2, radius: f32 },
    Box { center: Vec2, half: Vec2, x: Vec2 },
}

pub struct Brute {
    forms: Vec<Form>,
    shapes: Vec<Shape>,
    pairs: Vec<[usize; 2]>,
}

impl Brute {
    pub fn new(forms: &[Form]) -> Self {
        Self { forms: forms.to_vec(), shapes: Vec::new(), pairs: Vec::new() }
    }

    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        self.shapes.clear();
        self.shapes.extend(self.forms.iter().zip(poses).map(|(form, pose)| Shape::new(*form, *pose)));
        self.pairs.clear();
        for a in 0..self.shapes.len() {
            for b in a + 1..self.shapes.len() {
                if self.shapes[a].overlaps(&self.shapes[b]) {
                    self.pairs.push([a, b]);
                }
            }
        }
        self.pairs.len()
    }
}

impl Shape {
    fn new(form: Form, pose: Pose) -> Self {
        let (center, x) = (pose.position, Vec2::from_angle(pose.angle));
        match form {
            Form::Circle { radius } => Self::Circle { center, radius },
            Form::Rect { half } => Self::Box { center, half, x },
            Form::Segment { half } => Self::Box { center, half: Vec2::new(half, 0.0), x },
            Form::Capsule { half, radius } => Self::Box { center, half: Vec2::new(half + radius, radius), x },
            Form::Octagon { radius } => Self::Box { center, half: Vec2::splat(radius), x },
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Circle { center, radius }, Self::Circle { center: other, radius: other_radius }) => {
                center.distance_squared(*other) <= (radius + other_radius).powi(2)
            }
            (Self::Circle { center: at, radius }, Self::Box { center, half, x })
            | (Self::Box { center, half, x }, Self::Circle { center: at, radius }) => {
                let local = x.conjugate().rotate(*at - center);
                local.distance_squared(local.clamp(-*half, *half)) <= radius * radius
            }
            (Self::Box { center, half, x }, Self::Box { center: other, half: other_half, x: other_x }) => {
                let (offset, turn) = (*other - center, x.conjugate().rotate(*other_x).abs());
                let seen = |axis: Vec2| Vec2::new(axis.dot(offset), axis.perp().dot(offset)).abs();
                let reach = |half: Vec2| Vec2::new(half.dot(turn), half.dot(Vec2::new(turn.y, turn.x)));
                (seen(*x).cmple(half + reach(*other_half)) & seen(*other_x).cmple(other_half + reach(*half))).all()
            }
        }
    }
}

trait Conjugate {
    fn conjugate(self) -> Self;
}

impl Conjugate for Vec2 {
    /// The inverse rotation.
    fn conjugate(self) -> Self {
        Self::new(self.x, -self.y)
    }
}
