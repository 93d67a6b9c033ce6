use alloc::vec::Vec;
use core::mem::take;

use glam::{Affine2, DVec2, Mat2, Vec2};

use super::early_move::EarlyMove;
use super::ride::{Ride, Wedge, is_rounding};
use crate::math::tolerance::POSITION_ROUNDING;
use crate::math::{Checksum, clone_fields, inverse_of};
use crate::scene::NodeId;

/// The state of a mover at the end of its last move. The next move computes from it on which side of a solid the mover
/// was, even if the solid, the mover's parent or the mover itself has moved or turned since.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::scene) struct MoverMemory {
    /// The local position that the move wrote. If the node has another one, the caller has written it since.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(in crate::scene) position: Vec2,
    /// The position in the world that the move led to.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) at: DVec2,
    /// The matrix of the mover's world transform then.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) matrix: Mat2,
    pub(super) ride: Option<Ride>,
    pub(super) early: EarlyMove,
    /// The nodes whose blocking colliders were near, the ancestors of the platform that do not move the mover, and the
    /// platforms below it that had moved and not yet carried their own riders, each once and in the order of their ids, with
    /// their world transforms then.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) nearby: Vec<(NodeId, Affine2)>,
}

clone_fields!(MoverMemory { position, at, matrix, ride, early, nearby });

impl MoverMemory {
    pub(in crate::scene) fn add_to(&self, sum: &mut Checksum) {
        let Self { position, at, matrix, ride, early, nearby } = self;
        sum.add_vec2(*position);
        sum.add_dvec2(*at);
        matrix.to_cols_array().into_iter().for_each(|number| sum.add_f32(number));
        sum.add(ride.is_some());
        if let Some(Ride { platform, point, frame, frame_transform, wedge }) = ride {
            sum.add(platform.to_bits());
            sum.add_dvec2(*point);
            sum.add(frame.to_bits());
            add_transform(frame_transform, sum);
            if let Some(Wedge { missed, is_stuck }) = wedge {
                sum.add_dvec2(*missed);
                sum.add(*is_stuck);
            }
        }
        early.add_to(sum);
        sum.add(nearby.len() as u64);
        for (node, transform) in nearby {
            sum.add(node.to_bits());
            add_transform(transform, sum);
        }
    }

    /// Returns `true` if the nodes nearby are in the order of their ids, as lookups need them.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn is_in_order(&self) -> bool {
        self.nearby.is_sorted_by(|(a, _), (b, _)| a < b)
    }

    /// Returns `true` if a local position is the one that the move wrote. One that differs by rounding is the same: the
    /// caller may have computed it from the travel.
    pub(super) fn is_at(&self, position: Vec2) -> bool {
        let rounding = position.abs().max_element() * POSITION_ROUNDING as f32;
        // A NaN differs from every number.
        (position - self.position).abs().cmple(Vec2::splat(rounding)).all()
    }

    /// Returns the mover's world transform at the end of the move.
    pub(super) fn place(&self) -> Affine2 {
        Affine2 { matrix2: self.matrix, translation: self.at.as_vec2() }
    }

    /// Makes the memory void, as a position written by the caller does.
    pub(in crate::scene) fn forget_place(&mut self) {
        self.position = Vec2::NAN;
    }

    /// Empties the memory, makes it void, and keeps its capacity.
    pub(super) fn clear(&mut self) {
        self.nearby.clear();
        self.early.clear();
        *self = Self { nearby: take(&mut self.nearby), early: take(&mut self.early), ..Self::default() };
        self.forget_place();
    }

    /// Returns the place of a node in the list of the nodes nearby, or the place at which to insert it.
    pub(super) fn search(&self, node: NodeId) -> Result<usize, usize> {
        self.nearby.binary_search_by_key(&node, |(other, _)| *other)
    }

    /// Adds a node with its world transform, if it has one, unless it is in the list of the nodes nearby.
    pub(super) fn add_nearby(&mut self, node: NodeId, transform: Option<Affine2>) {
        if let (Err(place), Some(transform)) = (self.search(node), transform) {
            self.nearby.insert(place, (node, transform));
        }
    }

    /// Returns the world transform of a node at the end of the mover's last move, if it was near.
    pub(super) fn transform(&self, node: NodeId) -> Option<&Affine2> {
        self.search(node).ok().map(|place| &self.nearby[place].1)
    }

    /// Returns a world transform as of the end of the mover's last move, turned and stretched about the mover's position
    /// then as the mover has been since: it has the same place relative to the mover with its present `matrix`.
    pub(super) fn turned(&self, transform: &Affine2, matrix: Mat2) -> Affine2 {
        turned_about(self.at, [self.matrix, matrix], transform)
    }

    /// Returns a world transform as of the end of the mover's last move in its place relative to the mover's present one,
    /// to which its parent may have moved and turned it since.
    pub(super) fn to_present(&self, transform: &Affine2, at: DVec2, matrix: Mat2) -> Affine2 {
        displaced(&self.turned(transform, matrix), at - self.at, at)
    }

    /// Does the opposite of [`to_present`](Self::to_present).
    pub(super) fn to_past(&self, transform: &Affine2, at: DVec2, matrix: Mat2) -> Affine2 {
        turned_about(self.at, [matrix, self.matrix], &displaced(transform, self.at - at, at))
    }
}

/// Returns a world transform after a displacement that led to or from a place. One that is only the rounding of the place
/// changes nothing.
fn displaced(transform: &Affine2, displacement: DVec2, at: DVec2) -> Affine2 {
    let displacement = if is_rounding(at, displacement) { Vec2::ZERO } else { displacement.as_vec2() };
    Affine2 { translation: transform.translation + displacement, ..*transform }
}

/// Returns a world transform after the map about a pivot that turns one matrix into another. If there is none, or the
/// result is not finite, nothing changes.
fn turned_about(pivot: DVec2, [old, now]: [Mat2; 2], transform: &Affine2) -> Affine2 {
    // Most movers never turn, and rounding must not move what they remember.
    if old == now {
        return *transform;
    }
    let Some(turn) = inverse_of(old.as_dmat2()).map(|inverse| now.as_dmat2() * inverse) else { return *transform };
    let arm = transform.translation.as_dvec2() - pivot;
    let matrix2 = (turn * transform.matrix2.as_dmat2()).as_mat2();
    let turned = Affine2 { matrix2, translation: (pivot + turn * arm).as_vec2() };
    if turned.is_finite() { turned } else { *transform }
}

fn add_transform(transform: &Affine2, sum: &mut Checksum) {
    transform.to_cols_array().into_iter().for_each(|number| sum.add_f32(number));
}
