//! The enum of references to every built-in type, convex shapes and composites.

use glam::Affine2;

use crate::composite::{Composite, WorldForms};
use crate::math::Checksum;
use crate::shape::{Kind, Shape, for_each_shape};

/// Adds the composites to the list of convex shapes.
macro_rules! with_composites {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        builtin! { [$($kind)*] [Polyline Compound Tiles] }
    };
}

macro_rules! builtin {
    ([$($kind:ident)*] [$($composite:ident)*]) => {
        /// A reference to a collider of a built-in type, for code that reads a scene.
        ///
        /// [`Attachment::builtin`](crate::Attachment::builtin) returns it, in the collider's own frame. A collider of
        /// type [`Shape`] yields its inner variant.
        ///
        /// ```
        /// use hitgraph::{Builtin, Circle, Node, Polyline, Rect, Scene, Shape};
        /// use glam::vec2;
        ///
        /// /// Writes one line for a shape.
        /// fn save(shape: Builtin<'_>) -> String {
        ///     match shape {
        ///         Builtin::Circle(circle) => format!("circle at {} of radius {}", circle.center(), circle.radius()),
        ///         Builtin::Polyline(line) => format!("line through {} points", line.points().len()),
        ///         // And so on. The last arm serves types that later versions add.
        ///         other => format!("unknown: {other:?}"),
        ///     }
        /// }
        ///
        /// let mut scene = Scene::new();
        /// let level = scene.add(Node::new("level"));
        /// scene.attach(level, Polyline::new(&[vec2(0.0, 0.0), vec2(4.0, 2.0)]).unwrap())?;
        /// scene.attach(level, Circle::new(0.5))?;
        /// scene.attach(level, Shape::from(Circle::new(1.5)))?;
        ///
        /// let attachments = scene.colliders(level).iter().filter_map(|collider| scene.attachment(*collider));
        /// let saved: Vec<String> = attachments.filter_map(|attachment| attachment.builtin()).map(save).collect();
        /// assert_eq!(
        ///     saved,
        ///     ["line through 2 points", "circle at [0, 0] of radius 0.5", "circle at [0, 0] of radius 1.5"]
        /// );
        /// # Ok::<(), hitgraph::SceneError>(())
        /// ```
        #[derive(Debug, Clone, Copy)]
        #[non_exhaustive]
        #[doc(alias("save", "serialize", "downcast"))]
        pub enum Builtin<'a> {
            $(
                #[doc = concat!("A convex shape: [`", stringify!($kind), "`](crate::", stringify!($kind), ").")]
                $kind(&'a crate::shape::$kind),
            )*
            $(
                #[doc = concat!("A composite: [`", stringify!($composite), "`](crate::", stringify!($composite), ").")]
                $composite(&'a crate::composite::$composite),
            )*
        }

        $(impl<'a> From<&'a crate::shape::$kind> for Builtin<'a> {
            fn from(shape: &'a crate::shape::$kind) -> Self {
                Self::$kind(shape)
            }
        })*

        $(impl<'a> From<&'a crate::composite::$composite> for Builtin<'a> {
            fn from(composite: &'a crate::composite::$composite) -> Self {
                Self::$composite(composite)
            }
        })*

        impl<'a> From<&'a Shape> for Builtin<'a> {
            fn from(shape: &'a Shape) -> Self {
                match shape { $(Shape::$kind(shape) => Self::$kind(shape),)* }
            }
        }

        impl<'a> Builtin<'a> {
            /// Returns a copy of a convex shape; `None` for a composite.
            pub(crate) fn to_shape(self) -> Option<Shape> {
                match self {
                    $(Self::$kind(shape) => Some(shape.clone().into()),)*
                    $(Self::$composite(_) => None,)*
                }
            }

            /// Returns the image of a convex shape under an affine map, in given memory; `None` for a composite.
            pub(super) fn world_form<'f>(self, by: &Affine2, forms: &'f mut WorldForms) -> Option<&'f Shape> {
                match self {
                    $(Self::$kind(shape) => Some(forms.image(Kind::$kind, shape, by)),)*
                    $(Self::$composite(_) => None,)*
                }
            }

            /// Adds the kind of the shape and its numbers.
            pub(super) fn add_to(self, sum: &mut Checksum) {
                match self {
                    $(Self::$kind(shape) => {
                        sum.add(Kind::$kind as u64);
                        shape.add_to(sum);
                    })*
                    $(Self::$composite(composite) => {
                        sum.add_text(stringify!($composite));
                        composite.add_to(sum);
                    })*
                }
            }

            /// Returns a composite; `None` for a convex shape.
            pub(super) fn composite(self) -> Option<&'a dyn Composite> {
                match self {
                    $(Self::$kind(_) => None,)*
                    $(Self::$composite(composite) => Some(composite),)*
                }
            }
        }
    };
}

for_each_shape!(with_composites);
