//! The views, in the order of the tabs.

mod crowd;
mod drawing;
mod mirror;
mod pair;
mod scene;
mod walk;

use crate::view::Entry;

pub const ALL: &[Entry] = &[
    Entry { name: "mirror", title: "Mirror", make: || Box::new(mirror::MirrorView::default()), opens_files: true },
    Entry { name: "pair", title: "Pair", make: || Box::new(pair::PairView::default()), opens_files: false },
    Entry { name: "scene", title: "Scene", make: || Box::new(scene::SceneView::default()), opens_files: false },
    Entry { name: "walk", title: "Walk", make: || Box::new(walk::WalkView::default()), opens_files: false },
    Entry { name: "crowd", title: "Crowd", make: || Box::new(crowd::CrowdView::default()), opens_files: false },
    Entry { name: "drawing", title: "Drawing", make: || Box::new(drawing::DrawingView::default()), opens_files: true },
];
