//! Pairs for which the decomposing engine is wrong.

use super::kind::Kind;
use super::operand::{Operand, Pose};

/// The names of the presets, in the order of [`operands`].
pub const NAMES: [&str; 4] = ["mirrored", "squashed capsule", "shear", "stretched circle"];

/// Returns the operands of a preset.
pub fn operands(preset: usize) -> [Operand; 2] {
    let pair = |a: (Kind, [Pose; 3]), b: (Kind, [Pose; 3])| [a, b].map(|(kind, chain)| Operand { kind, chain });
    let alone = |pose: Pose| [pose, Pose::IDENTITY, Pose::IDENTITY];
    match preset {
        // The mirrored parent turns the child the other way, and its scale shears it.
        0 => pair(
            (Kind::Rect, [Pose::at(-0.7, 0.0), Pose::scaled(-1.5, 0.6), Pose::turned(55.0)]),
            (Kind::Circle, alone(Pose { scale: glam::vec2(0.6, 0.6), ..Pose::at(0.76, 0.71) })),
        ),
        1 => pair(
            (Kind::Capsule, [Pose::at(-0.4, -0.4), Pose::scaled(1.8, 0.5), Pose::IDENTITY]),
            (Kind::Rect, alone(Pose { scale: glam::vec2(0.7, 0.7), ..Pose::at(0.2, 0.45) })),
        ),
        2 => pair(
            (Kind::Rect, alone(Pose { skew: -45.0, ..Pose::at(-0.6, 0.0) })),
            (Kind::Circle, alone(Pose { scale: glam::vec2(0.35, 0.35), ..Pose::at(0.75, 0.72) })),
        ),
        _ => pair(
            (Kind::Circle, alone(Pose { scale: glam::vec2(1.9, 0.6), ..Pose::at(-0.3, -0.5) })),
            (Kind::Polygon, alone(Pose { scale: glam::vec2(0.7, 0.7), ..Pose::at(0.1, 1.0) })),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::pair::decomposed::decomposed;
    use crate::views::pair::pair_scene::PairScene;

    #[test]
    fn the_decomposing_engine_is_wrong_about_every_preset() {
        for (preset, name) in NAMES.into_iter().enumerate() {
            let operands = operands(preset);
            let mut scene = PairScene::new();
            scene.set_operands(&operands);
            let exact = scene.query();
            scene.set_shapes(operands.each_ref().map(|operand| decomposed(operand).unwrap()));
            let wrong = scene.query();
            assert_ne!(exact.touching(), wrong.touching(), "{name}: {:?} {:?}", exact.distance, wrong.distance);
        }
    }
}
