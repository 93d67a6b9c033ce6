use slotmap::{Key, KeyData, new_key_type};

new_key_type! {
    /// The id of a node.
    ///
    /// An id stays valid until its node is removed. No other node gets the same id, except after a return to a
    /// [snapshot](crate::Scene#impl-Clone-for-Scene) and after 2^31 removals from one slot. It is valid in the scene
    /// that made it, in clones of that scene, and in the scene that is loaded from its saved data. In any other scene
    /// it may name another node, because all scenes give out the same ids. The default id is valid in none. Ids are
    /// ordered, and their order depends only on the calls that made them.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hitgraph::{Node, NodeId, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let door = scene.add(Node::new("door"));
    /// let mut is_open: BTreeMap<NodeId, bool> = BTreeMap::from([(door, false)]);
    /// scene.remove(door);
    /// assert!(scene.get(door).is_none(), "a stale id finds nothing");
    /// is_open.retain(|node, _| scene.contains(*node));
    /// assert!(is_open.is_empty() && !scene.contains(NodeId::default()));
    /// ```
    pub struct NodeId;
    /// The id of a collider.
    ///
    /// An id stays valid until its collider is detached or removed with its node. Otherwise it is like a [`NodeId`].
    ///
    /// ```
    /// use hitgraph::{Circle, ColliderId, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (troll, head): (_, ColliderId) = scene.add_with(Node::new("troll"), Circle::new(0.5));
    /// let belly = scene.attach(troll, Circle::new(1.0))?;
    /// assert_eq!(scene.colliders(troll), [head, belly]);
    /// assert_eq!(scene.node_of(belly), Some(troll));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub struct ColliderId;
}

/// Converts ids to numbers and back.
macro_rules! bits {
    ($($id:ident)*) => {
        $(
            impl $id {
                /// Returns the id as a number that is never 0, for scripts, C and files. [`from_bits`](Self::from_bits)
                /// turns it back into the id.
                #[must_use]
                #[doc(alias("raw", "ffi", "handle"))]
                pub fn to_bits(self) -> u64 {
                    self.data().as_ffi()
                }

                /// Returns the id of a number. Any number is safe: one that [`to_bits`](Self::to_bits) did not return
                /// gives an id that is probably in no scene. A number below 2^32 gives the default id, which is in none.
                ///
                /// ```
                #[doc = concat!("use hitgraph::", stringify!($id), ";")]
                ///
                #[doc = concat!("let id = ", stringify!($id), "::default();")]
                #[doc = concat!("assert_eq!(", stringify!($id), "::from_bits(id.to_bits()), id);")]
                #[doc = concat!("assert_eq!(", stringify!($id), "::from_bits(1), id);")]
                /// ```
                #[must_use]
                pub fn from_bits(bits: u64) -> Self {
                    // The version of an id is odd, and slotmap would change an even one to the next.
                    let has_version = bits >> 32 & 1 == 1;
                    if has_version { KeyData::from_ffi(bits).into() } else { Self::default() }
                }
            }
        )*
    };
}

bits!(NodeId ColliderId);

/// Returns the slot of an id: its index into dense arrays.
///
/// Live ids have different slots, in the order of the ids. The slot of a removed node or collider is used again by a
/// later one, under a new id.
#[inline]
pub(super) fn slot_of(id: impl Key) -> u32 {
    id.data().as_ffi() as u32
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use slotmap::SlotMap;

    use super::*;

    #[test]
    fn slots_stay_small_and_have_the_order_of_the_ids() {
        let mut ids: SlotMap<ColliderId, ()> = SlotMap::with_key();
        let mut live: Vec<ColliderId> = (0..100).map(|_| ids.insert(())).collect();
        for id in live.drain(30..60) {
            ids.remove(id);
        }
        live.extend((0..50).map(|_| ids.insert(())));
        live.sort_unstable();
        assert!(live.windows(2).all(|pair| slot_of(pair[0]) < slot_of(pair[1])));
        assert!(live.iter().all(|id| slot_of(*id) <= 120));
    }
}
