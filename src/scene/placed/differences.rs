/// Pairs that may have started or stopped touching, as sorted [keys](super::pair::key_of).
///
/// A pair that is in both lists touches as before, unless one of its colliders is gone and another has its slot.
pub(in crate::scene) struct Differences<'a> {
    pub(super) before: &'a [u64],
    pub(super) now: &'a [u64],
}
