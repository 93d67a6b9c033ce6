use alloc::vec::Vec;

use crate::math::{clone_fields, extend_to, shrink_to};

/// Stands for no slot.
const NONE: u32 = u32::MAX;

/// For the slot of each platform, the slots of the movers that stood on it at the end of their last moves.
///
/// Few nodes are platforms. So an edit, a move or a push of a node need not look at each mover for its riders: 16,000 calls
/// of `set_parent` beside as many movers took 3.7 s.
#[derive(Debug, Default)]
pub(in crate::scene) struct RiderLists {
    /// By the slot of a platform: the rider that has come last, or none.
    last: Vec<u32>,
    /// By the slot of a mover.
    links: Vec<Link>,
}

clone_fields!(RiderLists { last, links });

/// The place of a rider in the list of its platform.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// `NONE` for a mover that is in no list.
    platform: u32,
    /// The rider that has come before, or none.
    older: u32,
    /// The rider that has come after, or none.
    newer: u32,
}

impl Link {
    const NOWHERE: Self = Self { platform: NONE, older: NONE, newer: NONE };
}

impl RiderLists {
    /// Iterates over the riders of a platform, in the reverse order in which they have come.
    pub(super) fn riders(&self, platform: u32) -> impl Iterator<Item = u32> + '_ {
        let older = |rider: u32| self.links[rider as usize].older;
        let last = self.last.get(platform as usize).copied().filter(|rider| *rider != NONE);
        core::iter::successors(last, move |rider| Some(older(*rider)).filter(|older| *older != NONE))
    }

    /// Puts a mover into the list of its platform, if it has one, and into no other one.
    pub(super) fn set_platform(&mut self, rider: u32, platform: Option<u32>) {
        let old = self.links.get(rider as usize).map_or(NONE, |link| link.platform);
        // Most movers stand on the same platform in every move, or on none.
        if old == platform.unwrap_or(NONE) {
            return;
        }
        self.take_out(rider);
        if let Some(platform) = platform {
            extend_to(&mut self.last, platform as usize + 1, NONE);
            extend_to(&mut self.links, rider as usize + 1, Link::NOWHERE);
            let older = core::mem::replace(&mut self.last[platform as usize], rider);
            if older != NONE {
                self.links[older as usize].newer = rider;
            }
            self.links[rider as usize] = Link { platform, older, newer: NONE };
        }
    }

    /// Forgets a node that is gone, as a rider and as a platform.
    pub(in crate::scene) fn remove(&mut self, slot: u32) {
        self.take_out(slot);
        while let Some(&rider) = self.last.get(slot as usize).filter(|rider| **rider != NONE) {
            self.take_out(rider);
        }
    }

    /// Takes a mover out of its list, if it is in one.
    fn take_out(&mut self, rider: u32) {
        let Some(link) = self.links.get_mut(rider as usize) else { return };
        let Link { platform, older, newer } = core::mem::replace(link, Link::NOWHERE);
        if platform == NONE {
            return;
        }
        match newer {
            NONE => self.last[platform as usize] = older,
            newer => self.links[newer as usize].older = older,
        }
        if older != NONE {
            self.links[older as usize].newer = newer;
        }
    }

    /// Frees memory that is not in use, given the number of slots of all nodes.
    pub(in crate::scene) fn shrink_to_fit(&mut self, slots: usize) {
        shrink_to(&mut self.last, slots);
        shrink_to(&mut self.links, slots);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_rider_is_in_the_list_of_its_platform_alone() {
        let mut lists = RiderLists::default();
        let riders = |lists: &RiderLists, platform| lists.riders(platform).collect::<Vec<_>>();
        for rider in [5, 2, 9] {
            lists.set_platform(rider, Some(1));
        }
        lists.set_platform(2, Some(1));
        assert_eq!((riders(&lists, 1), riders(&lists, 0), riders(&lists, 70)), (vec![9, 2, 5], vec![], vec![]));
        lists.set_platform(2, Some(0));
        assert_eq!((riders(&lists, 1), riders(&lists, 0)), (vec![9, 5], vec![2]));
        lists.set_platform(9, None);
        lists.set_platform(700, None);
        assert_eq!((riders(&lists, 1), riders(&lists, 0)), (vec![5], vec![2]));
        lists.set_platform(5, Some(2));
        lists.set_platform(9, Some(2));
        lists.remove(2);
        assert_eq!([0, 1, 2].map(|platform| riders(&lists, platform)), [vec![], vec![], vec![]]);
        lists.set_platform(5, Some(2));
        assert_eq!(riders(&lists, 2), [5], "another node has got the slot");
    }
}
