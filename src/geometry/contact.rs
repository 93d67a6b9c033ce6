use glam::Vec2;

/// The overlap of two shapes: its depth, normal and points.
///
/// Moving the second shape by `normal * depth` leaves two shapes of one piece touching, and it is the shortest move that
/// does (for pairs without a closed form, to within 0.2 %). A little further separates them. Of composite shapes this
/// holds for the two [`pieces`](Self::pieces); others may still overlap.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/contact.svg"))]
///
/// ```
/// use hitgraph::{Circle, Contact, Meets, Rect};
/// use glam::vec2;
///
/// let wall = Rect::new(2.0, 2.0);
/// let mut ball = Circle::new(1.0).at(vec2(1.5, 0.0));
/// let contact: Contact = wall.contact(&ball).expect("they overlap");
/// assert_eq!((contact.normal, contact.depth), (vec2(1.0, 0.0), 0.5));
/// assert_eq!(contact.points(), [vec2(0.75, 0.0)]);
/// assert_eq!(ball.contact(&wall), Some(contact.flipped()));
///
/// // The ball is pushed out.
/// ball = ball.at(ball.center() + contact.normal * contact.depth);
/// assert_eq!(wall.contact(&ball).map(|contact| contact.depth), Some(0.0), "touching");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "manifold")]
pub struct Contact {
    /// Unit vector in world space from the first shape to the second. If all directions are equally good (equal
    /// centres), it is the x axis or the normal of a side; it is never zero and never NaN.
    pub normal: Vec2,
    /// The length of the overlap along the normal, in world units; 0 if the shapes only touch, never negative.
    pub depth: f32,
    /// The numbers of the two pieces that touch, 0 for a shape of one piece. The contact of shapes with
    /// [several pieces](crate::Collider::pieces) is that of the two pieces that overlap deepest.
    pub pieces: [u32; 2],
    /// Equal if there is only one.
    pub(super) points: [Vec2; 2],
}

impl Contact {
    /// Returns the contact of two shapes of one piece. The deepest point comes first; the two are equal unless a side
    /// meets a side.
    pub(super) fn new(normal: Vec2, depth: f32, points: [Vec2; 2]) -> Self {
        Self { normal, depth, pieces: [0; 2], points }
    }

    /// Returns the contact points in world space, midway between the two surfaces: two if a side meets a side, else
    /// one. The deepest comes first.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        let [first, second] = &self.points;
        if first == second { core::slice::from_ref(first) } else { &self.points }
    }

    /// Returns the contact with the two shapes exchanged: the normal negated, the pieces swapped.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [first, second] = self.pieces;
        Self { normal: -self.normal, pieces: [second, first], ..self }
    }
}
