//! A fighter: limbs of flat colour at joints, with a pose for every motion.

use std::borrow::Cow;

use glam::{Vec2, vec2};

use super::kind::{Hull, Kind};
use super::operand::{Operand, Pose};

/// The shape of a limb: the kinds of the pair view that are convex and have a simple support function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Circle,
    Rect,
    Capsule,
    Hull(Hull),
}

impl Form {
    pub fn kind(self) -> Kind {
        match self {
            Self::Circle => Kind::Circle,
            Self::Rect => Kind::Rect,
            Self::Capsule => Kind::Capsule,
            Self::Hull(hull) => Kind::Hull(hull),
        }
    }
}

/// The part of a limb in the duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It hits the other fighter's bodies.
    Weapon,
    /// The other fighter's weapons hit it.
    Body,
    /// Both: a limb of a drawing.
    Limb,
    /// It is drawn only.
    Paint,
}

impl Role {
    pub fn hits(self) -> bool {
        matches!(self, Self::Weapon | Self::Limb)
    }

    pub fn is_hit(self) -> bool {
        matches!(self, Self::Body | Self::Limb)
    }
}

/// The part of the motion that rotates a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    Still,
    /// Points the y axis of the joint to the aim.
    Aim,
    /// Swings with the stride, times a factor.
    Stride(f32),
    Nod,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    pub at: Vec2,
    pub drive: Drive,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Limb {
    pub name: Cow<'static, str>,
    /// The index of its joint.
    pub joint: usize,
    pub form: Form,
    /// The pose of the shape in the frame of the joint.
    pub pose: Pose,
    /// The colour as 0xRRGGBB.
    pub tint: u32,
    pub role: Role,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fighter {
    pub name: Cow<'static, str>,
    pub joints: Vec<Joint>,
    /// From back to front.
    pub limbs: Vec<Limb>,
}

/// The motion of a fighter at one time. Angles are in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    pub position: Vec2,
    /// 1 if the fighter looks to the right, -1 for the mirrored one.
    pub facing: f32,
    /// The stretch: positive if the fighter is tall and thin, negative if low and wide. The area is constant.
    pub stretch: f32,
    /// The shear of the whole fighter.
    pub shear: f32,
    /// The direction of the weapon: 0 is forward, 90 is up.
    pub aim: f32,
    pub stride: f32,
    pub nod: f32,
}

impl Fighter {
    /// Returns the limbs in world space, each with its chain of three nodes: the fighter, the joint, the shape. The
    /// numbers are those that a link to the pair view contains.
    pub fn operands(&self, motion: &Motion) -> impl Iterator<Item = Operand> + '_ {
        let tall = motion.stretch.exp();
        let root = Pose {
            position: motion.position,
            scale: vec2(motion.facing / tall, tall),
            skew: motion.shear,
            ..Pose::IDENTITY
        };
        let motion = *motion;
        self.limbs.iter().map(move |limb| {
            let Joint { at, drive } = self.joints[limb.joint];
            let turn = match drive {
                Drive::Still => 0.0,
                Drive::Aim => motion.aim - 90.0,
                Drive::Stride(factor) => motion.stride * factor,
                Drive::Nod => motion.nod,
            };
            let joint = Pose { position: at, turn, ..Pose::IDENTITY };
            Operand { kind: limb.form.kind(), chain: [root, joint, limb.pose].map(|pose| pose.rounded()) }
        })
    }
}
