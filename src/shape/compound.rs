use alloc::vec::Vec;
use core::fmt;

use glam::{Affine2, Vec2};

use super::any::Shape;
use super::error::ShapeError;
use super::outline_decomposition::decompose;
use super::pieces::{Pieces, Spare, finite_bounds};
use crate::index::Index;

/// Several shapes as one: one collider, one event, one id. It is solid wherever one of its pieces is.
///
/// Pieces are numbered in the order in which they were given, those of an outline in no particular order.
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
#[doc(alias("concave polygon", "composite", "multi shape", "convex decomposition"))]
pub struct Compound {
    pieces: Vec<Shape>,
    index: Index,
}

impl Compound {
    /// The union of shapes, each placed where it is to be; they may overlap. Without any it touches nothing.
    ///
    /// # Errors
    /// If a shape was moved to where is no number, or is so large that its box overflows.
    pub fn new(pieces: impl IntoIterator<Item = impl Into<Shape>>) -> Result<Self, ShapeError> {
        let mut compound = Self { pieces: Vec::new(), index: Index::default() };
        for piece in pieces {
            let piece: Shape = piece.into();
            compound.index.set(compound.pieces.len() as u32, finite_bounds(&piece)?);
            compound.pieces.push(piece);
        }
        compound.index.refresh();
        Ok(compound)
    }

    /// The inside of a simple outline, convex or not, in either winding, cut into few convex polygons that share their
    /// edges and cover it exactly.
    ///
    /// Repeated points, a last one that repeats the first, points on a straight side and spikes without width are
    /// accepted and dropped; an outline without area is the line or the point that it is. It may touch itself, as
    /// one that reaches a hole by a cut does, but not cross itself. Takes about n log n for n points as a rule.
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
    /// If there are no points, a coordinate is not finite, or the outline crosses itself or goes around more than once.
    pub fn from_outline(outline: &[Vec2]) -> Result<Self, ShapeError> {
        Self::new(decompose(outline)?)
    }

    /// The pieces, in the order of their numbers.
    #[must_use]
    pub fn pieces(&self) -> &[Shape] {
        &self.pieces
    }
}

impl Pieces for Compound {
    fn index(&self) -> &Index {
        &self.index
    }

    fn count(&self) -> usize {
        self.pieces.len()
    }

    fn number(&self, slot: u32) -> u32 {
        slot
    }

    fn place<'a>(&self, slot: u32, by: &Affine2, spare: &'a mut Spare) -> &'a Shape {
        spare.image(&self.pieces[slot as usize], by)
    }
}

impl fmt::Debug for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compound").field("pieces", &self.pieces).finish()
    }
}

impl PartialEq for Compound {
    fn eq(&self, other: &Self) -> bool {
        self.pieces == other.pieces
    }
}
