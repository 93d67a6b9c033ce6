//! A 2D scene graph whose nodes carry colliders, for people who write their own game engine.
//!
//! In this order it wants to be: right, clear, fast.
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
//! // What began and ceased to touch. The knight looks left, and so does his sword.
//! for event in scene.update() {
//!     if let CollisionEvent::Started(pair) = event {
//!         assert!(pair.involves(sword) && pair.involves(troll));
//!     }
//! }
//!
//! // Questions are about now: no update is needed in between.
//! scene[troll].transform.position.x = -9.0;
//! let filter = QueryFilter::default().exclude_subtree(knight);
//! let hit = scene.world().cast_ray(Vec2::ZERO, -Vec2::X, 100.0, &filter);
//! assert_eq!(hit.map(|hit| hit.side.node), Some(troll));
//! # Ok::<(), hitgraph::SceneError>(())
//! ```
//!
//! # What you see is what collides
//!
//! A world transform is a full affine matrix and is never taken apart. A rectangle under a turned and unevenly scaled
//! parent is a parallelogram, a stretched circle is an ellipse, a mirrored sprite is mirrored, and
//! [`World::debug_draw`] draws just what is tested. Dashed is what is left of it where transforms are taken apart:
//!
#![cfg_attr(doc, doc = include_str!("../docs/figures/exact.svg"))]
//!
//! # Answers are never stale
//!
//! Questions live on [`World`], which only [`Scene::world`] hands out, after it has taken in what moved. It borrows the
//! scene, so as long as an answer is being worked out nothing can move: a stale answer does not compile.
//!
//! # The pair table is total
//!
//! Every shape meets every shape, for every question. A shape of yours needs one method, [`Collider::support`]. Shapes
//! can be asked without a scene too, by [`Meets`]. A line of hills ([`Polyline`]), a concave outline ([`Compound`]) and
//! a map of tiles ([`Tiles`]) are one collider each, however many pieces they have.
//!
//! # The same rules everywhere
//!
//! - Shapes are closed and solid: touching overlaps, lying inside overlaps, a ray that starts inside hits at 0.
//! - Zero sizes are points and segments, which are shapes like any other.
//! - Radians, counter-clockwise with y up; a host with y down sees clockwise, and nothing else changes. Units are
//!   yours.
//! - A contact's normal is a unit vector from the first to the second; moving the second by `normal * depth` parts
//!   them.
//! - Two colliders touch if their [layers](CollisionLayers) agree, they are enabled, and they are not of the same node.
//!   There is no other rule.
//! - NaN and infinity: constructors refuse them, a transform sets its node [aside](Scene::quarantined), a question
//!   answers nothing. Stale ids answer `None`, `false` or [`SceneError::NodeNotFound`]; only `scene[stale]` panics.
//! - Results come in documented order, and the same calls give the same bits.
//!
//! # Without `std`
//!
//! The features `std` (on unless turned off) and `libm` say where float functions come from; one of them is needed, and
//! `alloc` always. Answers are the same. Without `std` glam from 0.33 on also needs its own feature `f64`:
//!
//! ```toml
//! hitgraph = { version = "0.1", default-features = false, features = ["libm"] }
//! glam = { version = "0.34", default-features = false, features = ["libm", "f64"] }
//! ```
//!
//! # What it is not
//!
//! A physics engine: there are no masses, no forces, no solver. Take `rapier2d` or Box2D for those.

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("hitgraph needs one of its features `std` and `libm`");

mod collider;
mod index;
mod math;
mod scene;
mod shape;

/// The glam whose vectors this crate takes and gives, for hosts that have none of their own.
pub use glam;

pub use collider::{AsCollider, Attachment, Collider, CollisionLayers, Convex};
pub use math::{Aabb, Transform};
pub use scene::{
    ColliderId, CollisionEvent, CollisionPair, DebugGeometry, DebugKind, DebugOptions, DebugQuery, DebugShape,
    DebugState, MoveHit, MoveOptions, Moved, Nearest, Node, NodeId, PointProjection, QueryFilter, RayHit, Scene,
    SceneError, ShapeCastHit, Side, World,
};
pub use shape::{
    Capsule, Circle, Compound, Contact, Ellipse, Meets, Polygon, Polyline, Rect, Rounded, Segment, Shape, ShapeError,
    Tile, Tiles,
};

/// What is written about the crate, whose examples are tests.
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
    tree: "docs/guide/tree.md",
    shapes: "docs/guide/shapes.md",
    events: "docs/guide/events.md",
    questions: "docs/guide/questions.md",
    moving: "docs/guide/moving.md",
    drawing: "docs/guide/drawing.md",
    performance: "docs/guide/performance.md",
    your_own_shape: "docs/guide/your_own_shape.md",
    coming_from: "docs/guide/coming_from.md",
    frequently_asked: "docs/guide/frequently_asked.md",
}
