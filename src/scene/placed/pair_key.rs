/// Two slots as one number, the smaller slot in the upper half. The order of the keys is the order of pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::scene) struct PairKey(u64);

impl PairKey {
    /// Returns the key of two slots, given in either order.
    #[inline]
    pub(super) fn new([a, b]: [u32; 2]) -> Self {
        Self((u64::from(a.min(b)) << 32) | u64::from(a.max(b)))
    }

    /// Returns the two slots, the smaller one first.
    #[inline]
    pub(in crate::scene) fn slots(self) -> [u32; 2] {
        [(self.0 >> 32) as u32, self.0 as u32]
    }
}
