use glam::DVec2;

use super::moved::MoveHit;
use crate::geometry::{CastTouch, Hull, Meeting, Support};
use crate::math::tolerance::THIN_SKIN;
use crate::scene::World;

/// The distance from the end of a side within which another surface may hide the side, as a multiple of the skin. That
/// surface is met at most half a skin before the side and stops the mover a skin before itself, so it hides at most one
/// and a half skins of a side upright on it, and more of a slanting one.
const HIDDEN_SKINS: f64 = 4.0;

/// The sine of the angle between two surfaces below which neither hides the other. They are nearly one surface then, and
/// the wider touch decides.
const MIN_CROSSING_SIN: f64 = 0.1;

/// A piece of a collider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PieceId {
    /// The slot of the collider.
    pub(super) slot: u32,
    /// The number of the piece in the collider.
    pub(super) piece: u32,
}

/// A number, and what decides if it is equal: a normal, and then two pieces. The normal comes first, because ids depend on
/// the order in which colliders were added.
pub(super) type Tie = (f64, [f64; 2], [PieceId; 2]);

/// A convex piece of the mover and one of a collider.
#[derive(Debug, Clone, Copy)]
pub(super) struct PiecePair<'n> {
    /// The piece of the collider.
    pub(super) id: PieceId,
    /// The piece of the mover.
    pub(super) own_id: PieceId,
    pub(super) own: &'n Hull<'n>,
    pub(super) other: &'n Hull<'n>,
}

impl PiecePair<'_> {
    /// Returns the two pieces, which decide between equal answers.
    pub(super) fn pieces(&self) -> [PieceId; 2] {
        [self.id, self.own_id]
    }
}

/// The first touch of a displacement with a piece of a collider.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) id: PieceId,
    /// The piece of the mover.
    own_id: PieceId,
    /// The fraction of the displacement at which the shapes themselves touch, without the skin. It exceeds 1 if the
    /// mover only comes within its skin of the collider.
    pub(super) fraction: f64,
    /// The normal of the collider, facing the mover.
    pub(super) normal: DVec2,
    /// The length of the displacement against the normal.
    pub(super) approach: f64,
    pub(super) point: DVec2,
    /// The length of the segment in which the two touch.
    width: f64,
    /// The lengths of the least displacements of the mover along `normal.perp()`, and against it, after which the sides
    /// that meet share nothing.
    exits: [f64; 2],
    /// `true` if a side of the mover meets a corner. The mover does not slide along a surface then.
    is_at_corner: bool,
    /// The width of the mover's piece along the normal.
    pub(super) thickness: f64,
}

impl Touch {
    /// Creates the touch of a displacement of a mover whose travel until the touch is `travel`.
    pub(super) fn new(pair: &PiecePair<'_>, touch: CastTouch, travel: DVec2, displacement: DVec2) -> Self {
        let (&PiecePair { id, own_id, own, other }, CastTouch { fraction, normal }) = (pair, touch);
        let Meeting { point, width, exits, is_at_corner } = Meeting::new(own, other, travel, normal);
        let thickness = (own.furthest(normal) - own.furthest(-normal)).dot(normal);
        let approach = -displacement.dot(normal);
        Self { id, own_id, fraction, normal, approach, point, width, exits, is_at_corner, thickness }
    }

    /// Returns the hit from outside at a fraction of the mover's own displacement.
    pub(super) fn hit(&self, world: World<'_>, fraction: f64) -> MoveHit {
        MoveHit {
            side: world.node_collider(self.id.slot),
            own: world.node_collider(self.own_id.slot).collider,
            point: self.point.as_vec2(),
            normal: self.normal.as_vec2(),
            fraction: fraction.clamp(0.0, 1.0) as f32,
            depth: 0.0,
            began_inside: false,
            piece: self.id.piece,
        }
    }

    /// Returns the two pieces, which decide between equal touches.
    pub(super) fn pieces(&self) -> [PieceId; 2] {
        [self.id, self.own_id]
    }

    /// Returns a key that is least for the touch that decides, of those at about the same fraction: the widest one, since
    /// the normal at a corner is arbitrary.
    pub(super) fn order(&self) -> (f64, Tie) {
        (-self.width, self.tie())
    }

    /// Returns the key that decides between touches which are equally good.
    pub(super) fn tie(&self) -> Tie {
        (self.fraction, self.normal.to_array(), self.pieces())
    }

    /// Returns `true` if the mover meets a side by no more than a few skins at its end, so that another surface may hide
    /// that side.
    pub(super) fn is_at_end(&self, skin: f64) -> bool {
        self.exits[0].min(self.exits[1]) <= HIDDEN_SKINS * skin
    }

    /// Returns `true` if a mover that stops a skin before this surface and slides along it passes the side that the other
    /// touch meets: that side ends behind this surface or in its skin, as between two columns of a slope.
    pub(super) fn hides(&self, other: &Self, skin: f64) -> bool {
        // The other touch is that far beyond the place where this one stops the mover.
        let beyond = self.approach * (other.fraction - self.stop(skin).max(0.0));
        // The slide meets the plane of the other side that much further along it, and out of this surface.
        let rise = self.normal.dot(other.normal.perp());
        let exit = other.exits[usize::from(rise < 0.0)];
        !self.is_at_corner && beyond > 0.0 && rise.abs() > MIN_CROSSING_SIN && exit * rise.abs() <= beyond
    }

    /// Returns the same touch, as if it stopped the mover at a fraction of the displacement, unless it does so before.
    pub(super) fn stopping_at(self, stop: f64, skin: f64) -> Self {
        if self.stop(skin) <= stop {
            return self;
        }
        Self { fraction: (stop - self.skin_ahead(skin)).max(0.0), ..self }
    }

    /// Returns the fraction of the displacement at which the mover is a skin away from the collider.
    pub(super) fn stop(&self, skin: f64) -> f64 {
        self.fraction + self.skin_ahead(skin)
    }

    /// Returns `true` if the skin between the mover and the surface is thin at the start of the displacement.
    pub(super) fn is_in_thin_skin(&self, skin: f64) -> bool {
        self.approach * self.fraction < skin * THIN_SKIN
    }

    /// Returns the fraction of the displacement that leads through the skin, as a negative number.
    fn skin_ahead(&self, skin: f64) -> f64 {
        skin / (-self.approach).min(0.0)
    }
}
