/// Who may touch whom: what a collider is, and what it looks for. Both sides must agree.
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
#[doc(alias("collision mask", "collision groups", "category", "bit mask"))]
pub struct CollisionLayers {
    /// The layers this is on, one bit each.
    pub memberships: u32,
    /// The layers it may touch, one bit each.
    pub filters: u32,
}

impl CollisionLayers {
    /// On every layer, touching every layer: the default.
    pub const ALL: Self = Self::new(u32::MAX, u32::MAX);

    /// On no layer: touches nothing.
    pub const NONE: Self = Self::new(0, 0);

    /// For walls and floors: on the last layer alone, and touching everything that is on another one. Meets all but
    /// scenery, which saves the time of testing walls against walls.
    pub const SCENERY: Self = Self::new(1 << 31, !(1 << 31));

    /// On `memberships`, touching `filters`.
    #[must_use]
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    /// Whether both sides look for each other.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::ALL
    }
}
