//! The true outlines in f64, and the gap between two of them. This is the measure of both engines, so it shares no code
//! with either: it searches the direction of greatest separation of two support functions.

use std::f64::consts::TAU;

use glam::{DAffine2, DMat2, DVec2};

use super::fighter::Form;
use super::kind::Kind;
use super::operand::Pose;

/// The number of directions that are sampled before the search is refined.
const DIRECTIONS: u32 = 180;
/// The steps of the refinement: each reduces the interval to 0.618 of its length.
const STEPS: u32 = 60;

/// A limb in world space.
#[derive(Debug, Clone, Copy)]
pub struct Outline {
    form: Form,
    world: DAffine2,
}

impl Outline {
    pub fn new(form: Form, chain: &[Pose; 3]) -> Self {
        Self { form, world: chain.iter().fold(DAffine2::IDENTITY, |parent, pose| parent * affine(pose)) }
    }

    /// Returns the largest dot product of a direction and a point of the outline.
    fn reach(&self, direction: DVec2) -> f64 {
        let local = self.world.matrix2.transpose() * direction;
        let reach = match self.form {
            Form::Circle => local.length(),
            // Half of the sides of the kind, 2 by 1.2.
            Form::Rect => local.x.abs() + 0.6 * local.y.abs(),
            Form::Capsule => {
                f64::from(Kind::CAPSULE_HALF) * local.x.abs() + f64::from(Kind::CAPSULE_RADIUS) * local.length()
            }
            Form::Hull(hull) => {
                let corners = hull.points().iter().map(|corner| corner.as_dvec2().dot(local));
                corners.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        self.world.translation.dot(direction) + reach
    }
}

/// Returns `true` if the outlines are separated by more than `least` along the line between their centres. This proves
/// that they are apart; `false` proves nothing.
pub fn clearly_apart(a: &Outline, b: &Outline, least: f64) -> bool {
    let direction = (b.world.translation - a.world.translation).normalize_or_zero();
    separation(a, b, direction) > least
}

/// Returns the extent of the space between two outlines along a direction; negative if there is none.
fn separation(a: &Outline, b: &Outline, direction: DVec2) -> f64 {
    -(a.reach(direction) + b.reach(-direction))
}

/// Returns the gap between two outlines: the distance if it is positive, else minus the depth.
pub fn gap(a: &Outline, b: &Outline) -> f64 {
    let separation = |angle: f64| separation(a, b, DVec2::from_angle(angle));
    let step = TAU / f64::from(DIRECTIONS);
    let sampled: Vec<f64> = (0..DIRECTIONS).map(|index| separation(f64::from(index) * step)).collect();
    let count = sampled.len();
    let is_peak = |index: &usize| {
        sampled[*index] >= sampled[(index + 1) % count] && sampled[*index] >= sampled[(index + count - 1) % count]
    };
    let refine = |index: usize| golden_section(separation, (index as f64 - 1.0) * step, (index as f64 + 1.0) * step);
    (0..count).filter(is_peak).map(refine).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the maximum of a function with one peak in an interval. Source: J. Kiefer, *Sequential minimax search for a
/// maximum* (1953).
fn golden_section(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    for _ in 0..STEPS {
        let part = (high - low) * RATIO;
        let (left, right) = (high - part, low + part);
        if function(left) > function(right) { high = right } else { low = left }
    }
    function((low + high) * 0.5)
}

fn affine(pose: &Pose) -> DAffine2 {
    let (turn, skew) = (f64::from(pose.turn).to_radians(), f64::from(pose.skew).to_radians());
    let [x, y] = [DVec2::from_angle(turn), DVec2::from_angle(turn + skew).perp()];
    let scale = pose.scale.as_dvec2();
    DAffine2 { matrix2: DMat2::from_cols(x * scale.x, y * scale.y), translation: pose.position.as_dvec2() }
}

#[cfg(test)]
mod tests {
    use glam::vec2;

    use super::*;
    use crate::views::pair::kind::Hull;
    use crate::views::pair::operand::Operand;
    use crate::views::pair::pair_scene::PairScene;

    fn outline(form: Form, pose: Pose) -> Outline {
        Outline::new(form, &[pose, Pose::IDENTITY, Pose::IDENTITY])
    }

    #[test]
    fn the_gap_of_circles_and_boxes_is_known_exactly() {
        let circle = outline(Form::Circle, Pose::at(3.0, 4.0));
        assert!((gap(&outline(Form::Circle, Pose::IDENTITY), &circle) - 3.0).abs() < 1e-9);
        let wide = outline(Form::Rect, Pose::scaled(2.0, 1.0));
        let above = outline(Form::Rect, Pose::at(0.0, 1.0));
        assert!((gap(&wide, &above) + 0.2).abs() < 1e-9);
        // The ellipse x²/4 + y² = 1 and a box whose edge is at x = 2.5.
        let ellipse = outline(Form::Circle, Pose::scaled(2.0, 1.0));
        assert!((gap(&ellipse, &outline(Form::Rect, Pose::at(3.5, 0.0))) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn the_gap_agrees_with_the_library_for_sheared_and_mirrored_shapes() {
        let hull = Form::Hull(Hull::new(&[vec2(-0.5, 0.0), vec2(0.7, 0.1), vec2(0.0, 1.4)]));
        let mut pair = PairScene::new();
        let (mut apart, mut together) = (0, 0);
        for (index, a) in [Form::Circle, Form::Rect, Form::Capsule, hull].into_iter().enumerate() {
            for (other, b) in [Form::Circle, Form::Rect, Form::Capsule, hull].into_iter().enumerate() {
                for step in 0..40_u8 {
                    let turn = f32::from(step) * 17.0;
                    let body = Pose { scale: vec2(-1.3, 0.7), skew: 20.0, ..Pose::turned(turn) };
                    let first = [body, Pose::turned(turn * 0.7), Pose::scaled(0.8, 1.1 + index as f32 * 0.2)];
                    let second = [Pose::at(0.9, 0.2 * other as f32), Pose::scaled(0.6, 1.5), Pose::turned(40.0 - turn)];
                    pair.set_operands(&[
                        Operand { kind: a.kind(), chain: first },
                        Operand { kind: b.kind(), chain: second },
                    ]);
                    let results = pair.query();
                    let [first, second] = [Outline::new(a, &first), Outline::new(b, &second)];
                    let measured = gap(&first, &second);
                    assert!(measured > 0.3 || !clearly_apart(&first, &second, 0.3));
                    assert_eq!(measured <= 0.0, results.touching(), "{a:?} {b:?} {step}: {measured}");
                    match results.contact {
                        // A contact's depth separates the shapes along its normal, so it is never less than the least.
                        Some(contact) => assert!(f64::from(contact.depth) > -measured - 1e-4),
                        None => assert!((measured - f64::from(results.distance.unwrap())).abs() < 1e-4),
                    }
                    *if measured > 0.0 { &mut apart } else { &mut together } += 1;
                }
            }
        }
        assert!(apart > 50 && together > 50, "{apart} {together}");
    }
}
