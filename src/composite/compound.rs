use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use glam::{Affine2, Vec2};

use super::decomposition::decompose;
use super::pieces::{Composite, finite_bounds};
use super::world_forms::WorldForms;
use crate::index::Index;
use crate::math::Checksum;
use crate::shape::{Shape, ShapeError};

/// Several shapes as one collider, with one id. It is solid wherever one of its pieces is. Clones share their memory.
///
/// Pieces have numbers in the order in which they were given; those of an outline are in no particular order.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/compound.svg"))]
///
/// ```
/// use hitgraph::{Circle, Compound, Node, QueryFilter, Rect, Scene, Shape};
/// use glam::vec2;
///
/// let key = Compound::new([
///     Shape::from(Circle::new(1.0)),
///     Shape::from(Rect::new(3.0, 0.5).at(vec2(2.0, 0.0))),
/// ])?;
/// let outline = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
/// let corner = Compound::from_outline(&outline)?;
/// assert_eq!(corner.pieces().len(), 2);
///
/// let mut scene = Scene::new();
/// let node = scene.add(Node::new("corner"));
/// scene.attach(node, corner).unwrap();
/// let world = scene.world();
/// assert_eq!(world.at_point(vec2(3.0, 3.0), &QueryFilter::default()).count(), 0, "the notch is empty");
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("concave polygon", "composite", "multi shape", "convex decomposition"))]
pub struct Compound(
    #[cfg_attr(feature = "serde", serde(serialize_with = "save_pieces", deserialize_with = "saved_pieces"))] Arc<Data>,
);

/// Shared by clones.
struct Data {
    pieces: Vec<Shape>,
    index: Index,
}

#[cfg(feature = "serde")]
fn save_pieces<S: serde::Serializer>(data: &Arc<Data>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&data.pieces, serializer)
}

#[cfg(feature = "serde")]
fn saved_pieces<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<Data>, D::Error> {
    let pieces: Vec<Shape> = serde::Deserialize::deserialize(deserializer)?;
    Compound::new(pieces).map(|compound| compound.0).map_err(serde::de::Error::custom)
}

impl Compound {
    /// Returns the union of shapes, each at its own position; they may overlap. A compound without shapes touches
    /// nothing.
    ///
    /// # Errors
    /// If the bounds of a shape are not finite.
    pub fn new(pieces: impl IntoIterator<Item = impl Into<Shape>>) -> Result<Self, ShapeError> {
        let pieces: Vec<Shape> = pieces.into_iter().map(Into::into).collect();
        let index = pieces.iter().map(finite_bounds).collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Data { pieces, index })))
    }

    /// Returns the inside of a simple outline, convex or not, in either winding. It is divided into few convex polygons
    /// that share their edges and cover it exactly.
    ///
    /// Repeated points, a last point that repeats the first, points on a straight side and spikes without width are
    /// accepted and dropped. An outline without area makes lines or a point. The outline may touch itself (a cut that
    /// leads to a hole does) but not cross itself. The time is usually about n log n for n points. For many long thin parts,
    /// as in combs, stars and spirals, it grows with the square of n and faster: up to a second for 10,000 points.
    ///
    /// ```
    /// use hitgraph::Compound;
    /// use glam::vec2;
    ///
    /// let bowtie = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    /// assert_eq!(
    ///     Compound::from_outline(&bowtie).unwrap_err().to_string(),
    ///     "the outline crosses itself at [0.5, 0.5], where the side after point 0 meets the one after point 2",
    /// );
    /// ```
    ///
    /// # Errors
    /// If there are no points, a coordinate is not finite, the outline is so large that a box around it overflows, or it
    /// crosses itself or winds around more than once.
    pub fn from_outline(outline: &[Vec2]) -> Result<Self, ShapeError> {
        Self::new(decompose(outline)?)
    }

    /// Returns the pieces in the order of their numbers.
    #[must_use]
    pub fn pieces(&self) -> &[Shape] {
        &self.0.pieces
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        self.pieces().iter().for_each(|piece| piece.add_to(sum));
    }
}

impl Composite for Compound {
    fn index(&self) -> &Index {
        &self.0.index
    }

    fn piece<'a>(&self, slot: u32, by: &Affine2, forms: &'a mut WorldForms) -> (u32, &'a Shape) {
        let piece = &self.0.pieces[slot as usize];
        (slot, forms.image(piece.kind(), piece, by))
    }
}

impl fmt::Debug for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compound").field("pieces", &self.pieces()).finish()
    }
}

impl PartialEq for Compound {
    fn eq(&self, other: &Self) -> bool {
        self.pieces() == other.pieces()
    }
}
