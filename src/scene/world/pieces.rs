use alloc::vec::Vec;

use crate::math::sort_by;
use crate::scene::{ColliderId, World};

impl World<'_> {
    /// Returns the pieces by which two colliders touch: for each pair of pieces that share a point, the number of the
    /// piece of `a` and that of `b`, in the order of these numbers. A shape of one piece has the number 0. The list is
    /// empty if the two do not touch. It ignores layers, owners and `enabled`.
    ///
    /// Events name colliders, not pieces: a tile map is one collider, however many tiles it has. For those colliders
    /// whose pieces matter, such as a map of traps, call this once per step, and compare the list with that of the last
    /// step to find the pieces that began to touch. It costs as much as to test every piece near the other collider; no
    /// other call pays for it.
    ///
    /// [`Tiles`](crate::Tiles) join equal tiles into one piece, which has the
    /// [number](crate::Tiles::number_of) of the tile in its low corner.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene, Tile, Tiles};
    /// use glam::{Vec2, vec2};
    ///
    /// // Two traps with a gap between them.
    /// let traps = Tiles::new(3, 1, Vec2::ONE, |column, _| column != 1);
    /// let number = |column: u32| traps.number_of(column, 0);
    /// let (left, right) = (number(0), number(2));
    ///
    /// let mut scene = Scene::new();
    /// let (hero, body) = scene.add_with(Node::new("hero").with_position(vec2(0.5, 0.5)), Circle::new(0.2));
    /// let (_, traps) = scene.add_with(Node::new("traps"), traps);
    /// let mut before = Vec::new();
    /// let mut sprung = Vec::new();
    /// for x in [0.5, 0.7, 1.5, 2.5] {
    ///     scene[hero].transform.position.x = x;
    ///     let now = scene.world().touching_pieces(body, traps);
    ///     sprung.extend(now.iter().filter(|pieces| !before.contains(*pieces)).map(|[_, trap]| Some(*trap)));
    ///     before = now;
    /// }
    /// assert_eq!(sprung, [left, right]);
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
        // The smaller id comes first, as in the events.
        let (Some(low), Some(high)) = (self.collider(a.min(b)), self.collider(a.max(b))) else { return };
        low.each_piece(high.bounds(), &mut |number, piece| {
            high.each_piece(piece.bounds(), &mut |other_number, other| {
                if piece.overlaps(other) {
                    pieces.push(if a <= b { [number, other_number] } else { [other_number, number] });
                }
            });
        });
        sort_by(pieces, |a, b| a < b);
    }
}
