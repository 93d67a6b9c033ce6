//! A 2D scene graph whose nodes carry colliders, for people who write their own game engine.
//!
//! Goals, the most important first: correct answers, readable code, speed.
//!
//! ```
//! use hitgraph::{CollisionEvent, Circle, Node, QueryFilter, Rect, Scene};
//! use glam::{Vec2, vec2};
//!
//! let mut scene = Scene::new();
//! let knight = scene.add(Node::new("knight").with_scale(vec2(-1.0, 1.0)));
//! let sword = Node::new("sword").with_position(vec2(1.0, 0.5));
//! let (sword, _) = scene.add_child_with(knight, sword, Rect::new(1.6, 0.2))?;
//! let (troll, _) = scene.add_with(Node::new("troll").with_position(vec2(-2.4, 0.5)), Circle::new(0.8));
//!
//! // The knight is mirrored, and so is his sword: it reaches to the left, into the troll.
//! for event in scene.update() {
//!     if let CollisionEvent::Started(pair) = event {
//!         assert!(pair.involves(sword) && pair.involves(troll));
//!     }
//! }
//!
//! // Queries see every change at once. No update is needed first.
//! scene[troll].transform.position.x = -9.0;
//! let filter = QueryFilter::default().exclude_subtree(knight);
//! let hit = scene.world().cast_ray(Vec2::ZERO, -Vec2::X, 100.0, &filter);
//! assert_eq!(hit.map(|hit| hit.side.node), Some(troll));
//! # Ok::<(), hitgraph::SceneError>(())
//! ```
//!
//! # What you see is what collides
//!
//! A world transform is a full affine matrix and is never decomposed. A rectangle under a rotated, non-uniformly scaled
//! parent is a parallelogram, a stretched circle is an ellipse, and a mirrored sprite is mirrored.
//! [`World::debug_draw`] draws exactly the tested shapes. The dashed outlines in this figure are the shapes that an
//! engine tests if it decomposes transforms:
//!
#![cfg_attr(doc, doc = include_str!("../docs/figures/exact.svg"))]
//!
//! # Answers are never stale
//!
//! Queries are methods of [`World`]. [`Scene::world`] returns one after it has placed everything that moved, and
//! [`Scene::try_world`] returns one only if no edit waits. A `World` borrows the scene, so nothing can move while it is in
//! use. A result that you keep is as of its query.
//!
//! # The pair table is total
//!
//! Every query covers every pair of shapes. Your own shape needs one method, [`Collider::support`]. Shapes also work
//! without a scene, through [`Meets`]. A line of hills ([`Polyline`]), a concave outline ([`Compound`]) and a tile map
//! ([`Tiles`]) are one collider each, however many pieces they have.
//!
//! # Which type for what
//!
//! | to | use |
//! |---|---|
//! | build and edit the tree | [`Scene`], [`Node`], [`Transform`] |
//! | make a node collide | [`Attachment`], [`CollisionLayers`], a shape, or your own [`Collider`] |
//! | choose a shape | [`Circle`], [`Rect`], [`Capsule`], [`Polygon`], [`Segment`], [`Ellipse`], [`Rounded`] |
//! | choose a shape of many pieces | [`Tiles`] for maps, [`Polyline`] for hills, [`Compound`] for any other outline |
//! | decide what may touch | [`CollisionLayers`], [`Node::owns_subtree`], [`Scene::ignore_pair`] |
//! | react when two colliders start or stop touching | [`Scene::update`], [`CollisionEvent`] |
//! | react when a hero steps from one tile to the next | [`PieceTracker`] |
//! | clean your own tables after removals | [`Scene::keep_removed`], [`Scene::drain_removed`] |
//! | query rays, casts, points, regions and distances | [`World`], [`QueryFilter`] |
//! | query a scene that is shared behind `&` | [`Scene::refresh`], [`Scene::try_world`] |
//! | move a character without tunnelling | [`Scene::move_and_slide`], [`MoveOptions`], [`Moved`], [`MoveResponse`] |
//! | push others out of the way: lifts, crushers, flippers | [`Scene::push`], [`Motion`], [`Pushed`] |
//! | draw what is tested | [`World::debug_draw`], [`DebugOptions`] |
//! | test two shapes without a scene | [`Meets`], [`Shape`] |
//!
//! # Rules that hold everywhere
//!
//! - Shapes are closed and solid: touching counts as overlapping, so does lying inside, and a ray that starts inside
//!   hits at distance 0.
//! - A shape of size zero is a point or a segment, which are shapes like any other.
//! - Angles are in radians, counter-clockwise with y up. A host with y down sees them clockwise, and sets
//!   [`MoveOptions::up`], the directions of one-way colliders and the rows of [`Tiles`] itself. The units of length are
//!   yours.
//! - A contact's normal is a unit vector from the first shape to the second. Moving the second shape by
//!   `normal * depth` leaves the two touching; of composite shapes, these are the two pieces that overlap deepest.
//! - Two colliders can touch if their [layers](CollisionLayers) agree, both are enabled, and their
//!   [owners](Node::owns_subtree) differ: by default, if they are on different nodes. [`Scene::ignore_pair`] makes
//!   exceptions for two nodes. There is no other rule.
//! - NaN and infinity: constructors of shapes reject them; a [`Tile`] clamps them. [`Circle::point`], `at`, and
//!   `rotated`, which does nothing to a circle, accept them; the shape then overlaps nothing, and as a collider it is
//!   [quarantined](Scene::quarantined). So is a node with such a transform. A query with such an argument finds nothing;
//!   only a radius, a distance or a region may be infinite.
//! - A stale id gives `None`, `false`, an empty list or a [`SceneError`]; only `scene[stale]` panics.
//! - The order of all results is documented. The same calls give the same bits.
//!
//! # Without `std`
//!
//! The features `std` (on by default) and `libm` select the source of the float functions. One of the two is required,
//! and so is `alloc`. The answers are the same. Without `std`, glam 0.33 and newer also need glam's own feature `f64`:
//!
//! ```toml
//! hitgraph = { version = "0.1", default-features = false, features = ["libm"] }
//! glam = { version = "0.34", default-features = false, features = ["libm", "f64"] }
//! ```
//!
//! # Saving
//!
//! The optional feature `serde` saves and loads scenes with their ids, and plain data: transforms, shapes, options,
//! events and hits. `Scene` then has the methods `save`, `load`, `save_with` and `load_with`.
//!
//! # Threads
//!
//! [`World`] is `Sync`, so any number of threads may query it. The feature `parallel` (off by default) divides large
//! updates among the threads of rayon's pool, with the same bits as without it.
//!
//! # When not to use it
//!
//! This is not a physics engine: it has no masses, no forces and no solver. Use `rapier2d` or Box2D for those.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("hitgraph needs one of its features `std` and `libm`");

mod collider;
mod composite;
mod geometry;
mod index;
mod math;
mod scene;
mod shape;

/// The glam of this crate's signatures, for hosts that have no glam of their own.
pub use glam;

pub use collider::{Attachment, Builtin, Collider, CollisionLayers, SupportShape};
pub use composite::{Compound, Polyline, Tile, Tiles};
pub use math::{Aabb, Motion, Transform};
pub use scene::{
    ColliderId, CollisionEvent, CollisionPair, CopiedIds, DebugGeometry, DebugKind, DebugOptions, DebugPalette,
    DebugQuery, DebugShape, DebugState, MoveHit, MoveOptions, MoveResponse, Moved, Nearest, Node, NodeCollider, NodeId,
    PieceEvent, PieceTracker, PointProjection, Pushed, PushedNode, QueryFilter, RayHit, Removed, Scene, SceneError,
    ShapeCastHit, TouchingPairs, World,
};
#[cfg(feature = "serde")]
pub use scene::{LoadError, NoUserShape, SaveError, SavedScene};
pub use shape::{Capsule, Circle, Contact, Ellipse, Meets, Polygon, Rect, Rounded, Segment, Shape, ShapeError};

/// Compiles the examples of the README and of the guide as doc tests.
macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../", $file))]
            mod $page {}
        )*
    };
}

pages! {
    readme: "README.md",
    getting_started: "docs/guide/getting_started.md",
    a_game_in_an_hour: "docs/guide/a_game_in_an_hour.md",
    borrowing: "docs/guide/borrowing.md",
    tree: "docs/guide/tree.md",
    shapes: "docs/guide/shapes.md",
    events: "docs/guide/events.md",
    queries: "docs/guide/queries.md",
    moving: "docs/guide/moving.md",
    common_tasks: "docs/guide/common_tasks.md",
    drawing: "docs/guide/drawing.md",
    performance: "docs/guide/performance.md",
    your_own_shape: "docs/guide/your_own_shape.md",
    coming_from: "docs/guide/coming_from.md",
    frequently_asked: "docs/guide/frequently_asked.md",
}

#[cfg(feature = "serde")]
pages! {
    saving: "docs/guide/saving.md",
}
