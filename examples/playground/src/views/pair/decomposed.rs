//! What an engine would test that takes a world transform apart into position, rotation and scale.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Rounded, ShapeError, Transform};

use super::body::Body;
use super::kind::{Kind, triangle};

/// The shape and where it is put. Shear is lost, since those three have no room for it, and what is round stays round,
/// with the larger of both scales.
pub fn decomposed(body: &Body) -> Result<(Attachment, Affine2), ShapeError> {
    let Transform { position, rotation, scale, .. } = Transform::from_affine(body.world(2));
    let placed = |scale: Vec2| Affine2::from_scale_angle_translation(scale, rotation, position);
    let larger = scale.abs().max_element();
    let upright = placed(vec2(1.0, scale.y.signum()));
    Ok(match body.kind {
        Kind::Circle => (Circle::try_new(larger)?.into(), placed(Vec2::ONE)),
        Kind::Capsule => {
            let end = vec2(Kind::CAPSULE_HALF * scale.x, 0.0);
            (Capsule::try_new(-end, end, Kind::CAPSULE_RADIUS * larger)?.into(), upright)
        }
        Kind::Rounded => {
            let core = triangle()?.transformed(&Affine2::from_scale(vec2(scale.x, scale.y.abs())));
            match core {
                hitgraph::Shape::Polygon(core) => (Rounded::try_new(*core, Kind::ROUNDING * larger)?.into(), upright),
                _ => (body.kind.attachment()?, placed(scale)),
            }
        }
        kind => (kind.attachment()?, placed(scale)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::pair::body::Pose;
    use crate::views::pair::meeting::Meeting;

    fn both(bodies: [Body; 2]) -> [bool; 2] {
        let mut meeting = Meeting::new();
        meeting.place(&bodies);
        let mut other = Meeting::new();
        other.place_each([decomposed(&bodies[0]).unwrap(), decomposed(&bodies[1]).unwrap()]);
        [meeting.ask().touching(), other.ask().touching()]
    }

    #[test]
    fn a_squashed_circle_becomes_too_large() {
        let flat = Body { kind: Kind::Circle, chain: [Pose::IDENTITY, Pose::scaled(2.0, 0.5), Pose::IDENTITY] };
        let above = Body { kind: Kind::Circle, chain: [Pose::at(0.0, 2.0), Pose::IDENTITY, Pose::IDENTITY] };
        assert_eq!(both([flat, above]), [false, true]);
    }

    #[test]
    fn without_shear_and_uneven_scale_it_is_the_same() {
        for kind in Kind::ALL {
            let chain = [Pose::at(1.0, 2.0), Pose::turned(30.0), Pose::scaled(1.5, 1.5)];
            let near = Body { kind: Kind::Circle, chain: [Pose::at(1.0, 2.0), Pose::IDENTITY, Pose::IDENTITY] };
            let (_, at) = decomposed(&Body { kind, chain }).unwrap();
            assert!(at.translation.distance(vec2(1.0, 2.0)) < 1e-6);
            assert_eq!(both([Body { kind, chain }, near]), [true, true], "{kind:?}");
            let far = Body { chain: [Pose::at(1.0, 7.0), Pose::IDENTITY, Pose::IDENTITY], ..near };
            assert_eq!(both([Body { kind, chain }, far]), [false, false], "{kind:?}");
        }
    }
}
