//! The convex shapes and their pair table, in world space. No node and no scene appears here.
//!
//! Each shape has a file with its definition and its row of the pair table: how it meets every shape ranked before it.
//! The rank is the order of [`for_each_shape!`], so each pair has one place: `impl Meets<Circle> for Rect` in `rect.rs`
//! has the closed form for the overlap of circle and rectangle. Everything else is a default of [`Meets`]: the exact
//! overlap in `f64` of near ties and of pairs without a closed form, the distance, and the contact by the closest
//! features, which only circle and ellipse override. The affine images of all shapes are in [`affine_image`], above the
//! [enum](Shape) of all shapes.

/// Calls `$then!` with the list of the built-in convex shapes, in rank order.
///
/// Each entry is a type, the type by which a [`Shape`] holds it (a box if it is larger than 28 bytes), and the names of
/// its visitors for overlap and contact. The list generates the visitors, the enums and the implementations for the
/// built-in types.
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

mod affine_image;
mod any;
mod capsule;
mod circle;
mod convex_hull;
mod ellipse;
mod error;
mod meets;
mod outline;
mod polygon;
mod rect;
mod rounded;
mod segment;

pub(crate) use affine_image::WorldForm;
pub(crate) use any::Kind;
pub use any::Shape;
pub use capsule::Capsule;
pub use circle::Circle;
pub use ellipse::Ellipse;
pub use error::ShapeError;
pub(crate) use error::{finite_points, or_panic, valid_size};
pub use meets::Meets;
pub(crate) use meets::mirror;
pub(crate) use outline::{outline, support_outline};
pub use polygon::Polygon;
pub use rect::Rect;
pub use rounded::Rounded;
pub use segment::Segment;

pub use crate::geometry::Contact;
