//! The query for the pieces by which two colliders touch.

use alloc::vec::Vec;

use crate::math::sort_by;
use crate::scene::{ColliderId, World};

impl World<'_> {
    /// Returns the pieces by which two colliders touch: for each pair of pieces that share a point, the number of the
    /// piece of `a` and that of `b`, in the order of these numbers. A shape of one piece has the number 0. The list is
    /// empty if the two do not touch. It ignores layers, owners, ignored pairs and `enabled`.
    ///
    /// Events name colliders, not pieces: a tile map is one collider, however many tiles it has. When an event reports
    /// that two colliders started touching, this list has the pieces that did. A
    /// [`PieceTracker`](crate::PieceTracker) also reports pieces that start later. The call costs as much as to test
    /// every piece near the other collider.
    ///
    /// The pieces of [`Tiles`](crate::Tiles) are here the tiles, by their [numbers](crate::Tiles::number_of): equal
    /// neighbours are not joined. Two shapes that touch by less than the rounding of their corners may do so without
    /// any tile.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene, Tiles};
    /// use glam::{Vec2, vec2};
    ///
    /// let floor = Tiles::new(9, 1, Vec2::ONE, |_, _| true);
    /// let mut scene = Scene::new();
    /// let (hero, body) = scene.add_with(Node::new("hero").with_position(vec2(3.9, 1.1)), Circle::new(0.2));
    /// let (_, floor) = scene.add_with(Node::new("floor"), floor);
    /// for event in scene.update() {
    ///     if event.started_with(hero).is_some_and(|side| side.collider == floor) {
    ///         assert_eq!(scene.world().touching_pieces(body, floor), [[0, 3], [0, 4]]);
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn touching_pieces(self, a: ColliderId, b: ColliderId) -> Vec<[u32; 2]> {
        let mut pieces = Vec::new();
        self.touching_pieces_into(a, b, &mut pieces);
        pieces
    }

    /// Does the same as [`touching_pieces`](Self::touching_pieces) into a buffer, which it clears first.
    pub fn touching_pieces_into(self, a: ColliderId, b: ColliderId, pieces: &mut Vec<[u32; 2]>) {
        pieces.clear();
        // A single tile may round to where the joined piece that contains it does not reach.
        let Some([low, high]) = self.in_order(a, b).filter(|[low, high]| low.overlaps(high)) else { return };
        // A map may have a million tiles in the box around a river of a hundred segments.
        let is_low_first = low.unjoined_count() <= high.unjoined_count();
        let [first, second] = if is_low_first { [&low, &high] } else { [&high, &low] };
        first.each_unjoined(second.bounds(), &mut |number, piece| {
            second.each_unjoined(piece.bounds(), &mut |other_number, other| {
                let touch = if is_low_first { piece.overlaps(other) } else { other.overlaps(piece) };
                if touch {
                    pieces.push(if is_low_first == (a <= b) { [number, other_number] } else { [other_number, number] });
                }
            });
        });
        sort_by(pieces, |a, b| a < b);
    }
}
