/// The layers that a collider is on, and those that it may touch.
///
/// Two colliders may touch if each is on a layer that the other may touch.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/layers.svg"))]
///
/// ```
/// use hitgraph::CollisionLayers;
///
/// const PLAYER: u32 = 1 << 0;
/// const COIN: u32 = 1 << 1;
/// let player = CollisionLayers::new(PLAYER, COIN);
/// let coin = CollisionLayers::new(COIN, PLAYER);
/// assert!(player.meets(coin) && !coin.meets(coin));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[doc(alias("collision mask", "collision groups", "category", "bit mask"))]
pub struct CollisionLayers {
    /// The layers that the collider is on, one bit each.
    pub memberships: u32,
    /// The layers that the collider may touch, one bit each.
    pub filters: u32,
}

impl CollisionLayers {
    /// On every layer, touching every layer: the default.
    pub const ALL: Self = Self::new(u32::MAX, u32::MAX);

    /// On no layer, touching nothing.
    pub const NONE: Self = Self::new(0, 0);

    /// For walls and floors: on the last layer only, touching every other layer.
    ///
    /// Scenery meets everything but scenery, which saves the tests of walls against walls. A mover whose filters lack
    /// these memberships passes through it.
    pub const SCENERY: Self = Self::new(1 << 31, !(1 << 31));

    /// Creates layers from two bit masks: on `memberships`, touching `filters`.
    #[must_use]
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    /// Returns `true` if both colliders are on a layer that the other may touch.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }

    /// Returns layers that meet everything that one of the two meets, and possibly more.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self::new(self.memberships | other.memberships, self.filters | other.filters)
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_meet_only_if_both_colliders_agree() {
        let [player, coin] = [CollisionLayers::new(1, 2), CollisionLayers::new(2, 1)];
        let ghost = CollisionLayers::new(4, 3);
        assert!(player.meets(coin) && coin.meets(player));
        assert!(!ghost.meets(player) && !player.meets(ghost), "only the ghost's filters match");
        assert!(!CollisionLayers::NONE.meets(CollisionLayers::ALL));
    }

    #[test]
    fn scenery_meets_everything_but_scenery() {
        assert!(CollisionLayers::SCENERY.meets(CollisionLayers::ALL));
        assert!(CollisionLayers::SCENERY.meets(CollisionLayers::new(1, u32::MAX)));
        assert!(!CollisionLayers::SCENERY.meets(CollisionLayers::SCENERY));
    }
}
