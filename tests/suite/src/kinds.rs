//! The one list of shapes. Tests, generators and fuzz targets take their kinds from here.
//!
//! To add a shape, add its row. A `match` over [`ShapeKind`] has no wildcard arm, so the compiler then names every
//! other place that needs one: [`ShapeSpec`](crate::program::ShapeSpec), the fuzz targets, and the tests with inputs of
//! their own.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Compound, Ellipse, Polygon, Polyline, Rect, Rounded, Segment, Tiles};

use crate::program::Squircle;

/// The numbers that a shape is made from.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    pub sizes: [f32; 2],
    pub radius: f32,
    pub points: [Vec2; 5],
}

impl Numbers {
    /// Numbers for shapes about two units wide.
    pub const PLAIN: Self = Self {
        sizes: [2.0, 1.0],
        radius: 0.5,
        points: [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.5, 1.0), vec2(-0.5, 1.0), vec2(0.0, -0.5)],
    };
}

/// Returns the convex hull of finite points.
pub fn hull(points: &[Vec2]) -> Polygon {
    Polygon::convex_hull(points).unwrap()
}

/// The name of a kind of shape, and its constructor.
pub type Kind = (&'static str, fn(&Numbers) -> Attachment);

/// Passes the rows of the built-in convex shapes to a macro, each as `(variant, name, |numbers| shape)`. The
/// constructors return the concrete types, for tests that are generic over them.
#[macro_export]
macro_rules! built_in_shapes {
    ($callback:ident) => {
        $callback! {
            (Circle, "circle", |n: &Numbers| Circle::new(n.radius))
            (Point, "point", |n: &Numbers| Circle::point(n.points[0]))
            (Segment, "segment", |n: &Numbers| Segment::new(n.points[0], n.points[1]))
            (Capsule, "capsule", |n: &Numbers| Capsule::new(n.points[0], n.points[1], n.radius))
            (Rect, "rect", |n: &Numbers| Rect::new(n.sizes[0], n.sizes[1]))
            (Polygon, "polygon", |n: &Numbers| $crate::hull(&n.points))
            (Ellipse, "ellipse", |n: &Numbers| Ellipse::new(n.sizes[0], n.sizes[1]))
            (Rounded, "rounded", |n: &Numbers| Rounded::new($crate::hull(&n.points[..4]), n.radius))
        }
    };
}

macro_rules! kinds {
    (
        [$(($variant:ident, $name:literal, $make:expr))*]
        $(($other_variant:ident, $other_name:literal, $make_other:expr))*
    ) => {
        /// A kind of shape.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ShapeKind {
            $($variant,)*
            $($other_variant,)*
        }

        impl ShapeKind {
            /// All kinds, in the order of [`KINDS`].
            pub const ALL: &[Self] = &[$(Self::$variant,)* $(Self::$other_variant,)*];
        }

        /// The kinds that [`Shape`](hitgraph::Shape) holds.
        pub const BUILT_IN: &[Kind] = &[$(($name, |n| $make(n).into()),)*];

        /// All kinds. All pair tests run over this list.
        pub const KINDS: [Kind; ShapeKind::ALL.len()] =
            [$(($name, |n| $make(n).into()),)* $(($other_name, |n| $make_other(n).into()),)*];
    };
}

macro_rules! all_kinds {
    ($($built_in:tt)*) => {
        kinds! {
            [$($built_in)*]
            // A user shape.
            (User, "own", |n: &Numbers| Squircle(n.radius))
            // Composites of one piece, which must give the same answers as that piece.
            (Polyline, "polyline", |n: &Numbers| Polyline::new(&n.points[..2]).unwrap())
            (Compound, "compound", |n: &Numbers| {
                Compound::new([Capsule::new(n.points[0], n.points[1], n.radius)]).unwrap()
            })
            (Tiles, "tiles", |n: &Numbers| Tiles::new(3, 2, Vec2::from(n.sizes) * 0.5, |_, _| true))
        }
    };
}

built_in_shapes!(all_kinds);
