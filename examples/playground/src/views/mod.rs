//! The views, in the order of their tabs.

mod pair;

use crate::view::Entry;

pub const ALL: &[Entry] =
    &[Entry { name: "pair", title: "Pair", make: || Box::new(pair::PairView::default()), opens_files: false }];
