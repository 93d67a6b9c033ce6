use glam::Vec2;

/// How two shapes overlap.
///
/// Moving the second by `normal * depth` leaves the two touching, and it is the shortest move that does; a
/// little further separates them.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/contact.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias = "manifold")]
pub struct Contact {
    /// Unit vector in world space, from the first shape to the second. Where every direction is as good (equal
    /// centres), it is the x axis or the normal of some face: never zero, never NaN.
    pub normal: Vec2,
    /// How far they overlap along the normal, in world units; 0 where they only touch, never negative.
    pub depth: f32,
    /// Which piece of the first shape touches which piece of the second; 0 for a shape of one piece. Of shapes of
    /// [many pieces](crate::Collider::pieces) the contact is that of the two pieces that are deepest in each other.
    pub pieces: [u32; 2],
    points: [Vec2; 2],
    count: u8,
}

impl Contact {
    /// With one point given twice, it has one.
    pub(crate) fn new(normal: Vec2, depth: f32, points: [Vec2; 2]) -> Self {
        Self { normal, depth, pieces: [0; 2], points, count: if points[0] == points[1] { 1 } else { 2 } }
    }

    /// Where they touch, in world space, midway between the two surfaces: two points where a face meets a face,
    /// otherwise one. The deepest comes first.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points[..usize::from(self.count)]
    }

    /// The same contact as the second shape sees it: the normal the other way round, the pieces exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [first, second] = self.pieces;
        Self { normal: -self.normal, pieces: [second, first], ..self }
    }
}
