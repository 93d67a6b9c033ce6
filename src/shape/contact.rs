use glam::Vec2;

use crate::geometry::Manifold;

/// How two shapes overlap.
///
/// Moving the second shape by `normal * depth` leaves the two touching, and it is the shortest move that does. A little
/// further separates them.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/contact.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[doc(alias = "manifold")]
pub struct Contact {
    /// Unit vector in world space from the first shape to the second. If all directions are equally good (equal
    /// centres), it is the x axis or the normal of a side; it is never zero and never NaN.
    pub normal: Vec2,
    /// How far the shapes overlap along the normal, in world units; 0 if they only touch, never negative.
    pub depth: f32,
    /// The numbers of the two pieces that touch, 0 for a shape of one piece. The contact of shapes with
    /// [several pieces](crate::Collider::pieces) is that of the two pieces that overlap deepest.
    pub pieces: [u32; 2],
    points: [Vec2; 2],
    count: u8,
}

impl From<Manifold> for Contact {
    fn from(Manifold { normal, depth, points }: Manifold) -> Self {
        Self { normal, depth, pieces: [0; 2], points, count: if points[0] == points[1] { 1 } else { 2 } }
    }
}

impl Contact {
    /// Returns the contact points in world space, midway between the two surfaces: two if a side meets a side, else
    /// one. The deepest comes first.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points[..usize::from(self.count)]
    }

    /// Returns the contact with the two shapes exchanged: the normal negated, the pieces swapped.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [first, second] = self.pieces;
        Self { normal: -self.normal, pieces: [second, first], ..self }
    }
}
