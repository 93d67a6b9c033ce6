//! The shapes that an engine tests if it decomposes world transforms into position, rotation and scale.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Rounded, ShapeError, Transform};

use super::kind::{Kind, triangle};
use super::operand::Operand;

/// Returns the shape and transform that such an engine tests. It drops shear, and round shapes stay round: it scales
/// radii by the larger scale.
pub fn decomposed(operand: &Operand) -> Result<(Attachment, Affine2), ShapeError> {
    let Transform { position, rotation, scale, .. } = Transform::from_affine(operand.world(2));
    let placed = |scale: Vec2| Affine2::from_scale_angle_translation(scale, rotation, position);
    let larger = scale.abs().max_element();
    let unscaled = placed(vec2(1.0, scale.y.signum()));
    Ok(match operand.kind {
        Kind::Circle => (Circle::try_new(larger)?.into(), placed(Vec2::ONE)),
        Kind::Capsule => {
            let end = vec2(Kind::CAPSULE_HALF * scale.x, 0.0);
            (Capsule::try_new(-end, end, Kind::CAPSULE_RADIUS * larger)?.into(), unscaled)
        }
        Kind::Rounded => {
            let core = triangle()?.transformed(&Affine2::from_scale(vec2(scale.x, scale.y.abs())));
            match core {
                hitgraph::Shape::Polygon(core) => (Rounded::try_new(*core, Kind::ROUNDING * larger)?.into(), unscaled),
                _ => (operand.kind.attachment()?, placed(scale)),
            }
        }
        kind => (kind.attachment()?, placed(scale)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::pair::operand::Pose;
    use crate::views::pair::pair_scene::PairScene;

    /// Returns `true` for a touch: first by the library, then by the decomposing engine.
    fn touching(operands: [Operand; 2]) -> [bool; 2] {
        let mut exact = PairScene::new();
        exact.set_operands(&operands);
        let mut approximate = PairScene::new();
        approximate.set_shapes([decomposed(&operands[0]).unwrap(), decomposed(&operands[1]).unwrap()]);
        [exact.query().touching(), approximate.query().touching()]
    }

    #[test]
    fn decomposition_enlarges_a_flattened_circle() {
        let flat = Operand { kind: Kind::Circle, chain: [Pose::IDENTITY, Pose::scaled(2.0, 0.5), Pose::IDENTITY] };
        let above = Operand { kind: Kind::Circle, chain: [Pose::at(0.0, 2.0), Pose::IDENTITY, Pose::IDENTITY] };
        assert_eq!(touching([flat, above]), [false, true]);
    }

    #[test]
    fn with_uniform_scale_and_no_shear_decomposition_is_exact() {
        for kind in Kind::ALL {
            let chain = [Pose::at(1.0, 2.0), Pose::turned(30.0), Pose::scaled(1.5, 1.5)];
            let near = Operand { kind: Kind::Circle, chain: [Pose::at(1.0, 2.0), Pose::IDENTITY, Pose::IDENTITY] };
            let (_, at) = decomposed(&Operand { kind, chain }).unwrap();
            assert!(at.translation.distance(vec2(1.0, 2.0)) < 1e-6);
            assert_eq!(touching([Operand { kind, chain }, near]), [true, true], "{kind:?}");
            let far = Operand { chain: [Pose::at(1.0, 7.0), Pose::IDENTITY, Pose::IDENTITY], ..near };
            assert_eq!(touching([Operand { kind, chain }, far]), [false, false], "{kind:?}");
        }
    }
}
