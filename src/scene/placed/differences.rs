/// The sorted [keys](super::pair::key_of) of the pairs that stopped and that started touching since the last update.
///
/// A pair is in both lists if it touches as before, but one of its colliders is gone and another has its slot.
pub(in crate::scene) struct Differences<'a> {
    pub(super) stopped: &'a [u64],
    pub(super) started: &'a [u64],
}
