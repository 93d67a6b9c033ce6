//! The knight and the troll. Both look to the right; the duel mirrors the knight.

use glam::{Vec2, vec2};

use super::fighter::{Drive, Fighter, Form, Joint, Limb, Role};
use super::kind::Hull;
use super::operand::Pose;

const STEEL: u32 = 0x6ea8fe;
const DARK_STEEL: u32 = 0x3f74c4;
const BLADE: u32 = 0xe3ebf7;
const GOLD: u32 = 0xf2d45c;
const SKIN: u32 = 0xb494ff;
const DARK_SKIN: u32 = 0x8461d6;
const BONE: u32 = 0xeae2ff;
const WOOD: u32 = 0xb88a5e;
const INK: u32 = 0x13161b;

fn hull(points: &[(f32, f32)]) -> Form {
    let points: Vec<Vec2> = points.iter().map(|(x, y)| vec2(*x, *y)).collect();
    Form::Hull(Hull::new(&points))
}

fn limb(name: &'static str, joint: usize, form: Form, pose: Pose, tint: u32, role: Role) -> Limb {
    Limb { name: name.into(), joint, form, pose, tint, role }
}

fn at(x: f32, y: f32, width: f32, height: f32) -> Pose {
    Pose { position: vec2(x, y), scale: vec2(width, height), ..Pose::IDENTITY }
}

fn turned(pose: Pose, turn: f32) -> Pose {
    Pose { turn, ..pose }
}

fn joint(x: f32, y: f32, drive: Drive) -> Joint {
    Joint { at: vec2(x, y), drive }
}

pub fn knight() -> Fighter {
    const BODY: Pose = Pose::IDENTITY;
    let joints = vec![
        joint(0.0, 0.0, Drive::Still),
        joint(-0.22, 1.15, Drive::Stride(1.0)),
        joint(0.22, 1.15, Drive::Stride(-1.0)),
        joint(0.05, 2.85, Drive::Nod),
        joint(0.2, 2.1, Drive::Aim),
    ];
    let leg = turned(at(0.0, -0.55, 0.58, 0.45), 90.0);
    let limbs = vec![
        limb("left leg", 1, Form::Capsule, leg, DARK_STEEL, Role::Body),
        limb("right leg", 2, Form::Capsule, leg, DARK_STEEL, Role::Body),
        limb("plume", 3, hull(&[(-0.02, 0.36), (-0.3, 0.26), (-0.75, 0.62)]), BODY, GOLD, Role::Paint),
        limb("chest", 0, hull(&[(-0.34, 1.0), (0.34, 1.0), (0.52, 2.35), (-0.52, 2.35)]), BODY, STEEL, Role::Body),
        limb("head", 3, Form::Circle, at(0.0, 0.0, 0.42, 0.42), STEEL, Role::Body),
        limb("visor", 3, Form::Rect, at(0.22, 0.03, 0.17, 0.07), INK, Role::Paint),
        limb("sword", 4, hull(&BLADE_POINTS), BODY, BLADE, Role::Weapon),
        limb("hilt", 4, Form::Rect, at(0.0, 0.92, 0.3, 0.08), GOLD, Role::Paint),
        limb("arm", 4, Form::Capsule, turned(at(0.0, 0.42, 0.48, 0.38), 90.0), DARK_STEEL, Role::Paint),
        limb("shield", 0, Form::Circle, at(0.68, 1.45, 0.2, 0.72), GOLD, Role::Body),
    ];
    Fighter { name: "knight".into(), joints, limbs }
}

const BLADE_POINTS: [(f32, f32); 5] = [(-0.1, 0.9), (0.1, 0.9), (0.09, 2.55), (0.0, 2.85), (-0.09, 2.55)];

pub fn troll() -> Fighter {
    const BODY: Pose = Pose::IDENTITY;
    let joints = vec![
        joint(0.0, 0.0, Drive::Still),
        joint(-0.6, 0.9, Drive::Stride(1.0)),
        joint(0.6, 0.9, Drive::Stride(-1.0)),
        joint(0.15, 3.1, Drive::Nod),
        joint(0.45, 2.2, Drive::Aim),
    ];
    let foot = at(0.05, -0.45, 0.32, 0.75);
    let horn = [(-0.17, 0.0), (0.17, 0.0), (0.0, 0.7)];
    let club = [(-0.12, 0.95), (0.12, 0.95), (0.3, 2.1), (0.16, 2.4), (-0.16, 2.4), (-0.3, 2.1)];
    let limbs = vec![
        limb("left foot", 1, Form::Rect, foot, DARK_SKIN, Role::Body),
        limb("right foot", 2, Form::Rect, foot, DARK_SKIN, Role::Body),
        limb("left horn", 3, hull(&horn), turned(at(-0.35, 0.4, 1.0, 1.0), 25.0), BONE, Role::Body),
        limb("right horn", 3, hull(&horn), turned(at(0.4, 0.4, 1.0, 1.0), -30.0), BONE, Role::Body),
        limb("belly", 0, Form::Circle, at(0.0, 1.75, 0.95, 1.35), SKIN, Role::Body),
        limb("head", 3, Form::Circle, at(0.0, 0.0, 0.78, 0.5), SKIN, Role::Body),
        limb("left eye", 3, Form::Circle, at(0.12, 0.14, 0.11, 0.11), INK, Role::Paint),
        limb("right eye", 3, Form::Circle, at(0.5, 0.14, 0.1, 0.11), INK, Role::Paint),
        limb("mouth", 3, Form::Rect, at(0.34, -0.2, 0.24, 0.07), INK, Role::Paint),
        limb("club", 4, hull(&club), BODY, WOOD, Role::Weapon),
        limb("arm", 4, Form::Capsule, turned(at(0.0, 0.5, 0.58, 0.5), 90.0), DARK_SKIN, Role::Paint),
    ];
    Fighter { name: "troll".into(), joints, limbs }
}
