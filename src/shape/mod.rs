//! What the shapes are and how they meet. Knows nothing of nodes, boxes or scenes: everything here is in world space.
//!
//! Every convex shape is a convex polygon of *core points*, swollen by the affine image of a disc ([`family`]). A file
//! holds one shape and its row of the pair table: how it meets every shape ranked before it, so each pair
//! has one home. The rank is the order of [`for_each_shape!`].
//!
//! - Whether two shapes overlap is decided in `f32` by a closed form where that is certain: [`zonotope`] for points,
//!   segments and rectangles, [`sides`] where there is a polygon.
//! - Contacts and distances of cores swollen by round discs are measured in `f64` between the [`features`] that `f32`
//!   picks, where those prove to be the right ones.
//! - A near tie, and every other question, goes to [`separation`](mod@separation): one authority in `f64`. It is exact
//!   for shapes with round or no discs, and asks [`convex`], the search over support functions, for squashed ones and
//!   for shapes that the crate has never heard of.

/// Calls `$then!` with the built-in shapes in rank order: type, how a [`Shape`] holds it (32 bytes at most), visitor of
/// overlaps, visitor of contacts.
macro_rules! for_each_shape {
    ($then:ident) => {
        $then! {
            Circle(Circle) collides_with_circle contact_with_circle,
            Segment(Segment) collides_with_segment contact_with_segment,
            Capsule(Capsule) collides_with_capsule contact_with_capsule,
            Rect(Rect) collides_with_rect contact_with_rect,
            Polygon(alloc::boxed::Box<Polygon>) collides_with_polygon contact_with_polygon,
            Ellipse(Ellipse) collides_with_ellipse contact_with_ellipse,
            Rounded(alloc::boxed::Box<Rounded>) collides_with_rounded contact_with_rounded,
        }
    };
}
pub(crate) use for_each_shape;

mod any;
mod capsule;
mod circle;
mod compound;
mod contact;
mod convex;
mod ellipse;
mod error;
pub(crate) mod family;
mod features;
mod manifold;
mod meets;
mod outline;
mod outline_crossings;
mod outline_decomposition;
pub(crate) mod pieces;
mod polygon;
mod polyline;
mod ray;
mod rect;
mod rounded;
mod segment;
mod separation;
mod sides;
mod sweep;
mod tile;
mod tiles;
mod zonotope;

pub use any::Shape;
pub(crate) use any::{Image, Kind, Local};
pub use capsule::Capsule;
pub use circle::Circle;
pub use compound::Compound;
pub use contact::Contact;
pub use ellipse::Ellipse;
pub use error::ShapeError;
pub use meets::Meets;
pub(crate) use meets::mirror;
pub use polygon::Polygon;
pub use polyline::Polyline;
pub use rect::Rect;
pub use rounded::Rounded;
pub use segment::Segment;
pub use tile::Tile;
pub use tiles::Tiles;

pub(crate) use outline::{outline, smooth};
pub(crate) use ray::{Ray, RayTouch};
pub(crate) use separation::{Separation, separation, separation_after};
pub(crate) use sweep::{Meeting, Sweep, SweepTouch, graze, is_beyond};

#[cfg(test)]
mod tests;
