//! The context that elements inherit.

use glam::DAffine2;
use hitgraph::NodeId;

use super::element::Element;
use super::units::Units;

/// The context that an element inherits from its ancestors.
#[derive(Clone)]
pub struct Context {
    pub parent: NodeId,
    /// The names of the `<use>` elements that lead to the element, each followed by a slash.
    pub path: String,
    pub units: Units,
    /// The matrix from the frame of the parent to that of the root.
    pub to_page: DAffine2,
    pub paint: Paint,
    /// `true` within the layers that are read.
    pub included: bool,
    pub depth: usize,
}

impl Context {
    /// Returns the context with the properties that an element sets.
    pub fn within(&self, element: &Element<'_, '_>) -> Self {
        let (units, paint) = (self.units.within(element), self.paint.within(element));
        Self { units, paint, depth: self.depth + 1, ..self.clone() }
    }

    /// Returns the context of the children of a node with this transform.
    pub fn below(&self, parent: NodeId, transform: DAffine2) -> Self {
        Self { parent, to_page: self.to_page * transform, ..self.clone() }
    }

    /// Returns the largest factor by which lengths of the parent's frame grow on the page.
    pub fn stretch(&self) -> f64 {
        let columns = self.to_page.matrix2;
        let squares = columns.x_axis.length_squared() + columns.y_axis.length_squared();
        let determinant = columns.determinant();
        ((squares + (squares * squares - 4.0 * determinant * determinant).max(0.0).sqrt()) / 2.0).sqrt()
    }
}

/// The inherited properties that determine which parts of a shape are visible.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    visible: bool,
    fill: bool,
    stroke: bool,
    pub even_odd: bool,
}

impl Paint {
    /// The initial values of CSS: black and without a stroke.
    pub const INITIAL: Self = Self { visible: true, fill: true, stroke: false, even_odd: false };

    pub fn within(self, element: &Element<'_, '_>) -> Self {
        let painted = |name, inherited| match element.property(name) {
            None | Some("inherit") => inherited,
            Some(color) => !["none", "transparent"].contains(&color),
        };
        Self {
            visible: match element.property("visibility") {
                Some("visible") => true,
                Some("hidden" | "collapse") => false,
                _ => self.visible,
            },
            fill: painted("fill", self.fill),
            stroke: painted("stroke", self.stroke),
            even_odd: element.property("fill-rule").map_or(self.even_odd, |rule| rule == "evenodd"),
        }
    }

    /// Returns `true` if a shape is visible: its inside, its border, or both.
    pub fn draws(self) -> bool {
        self.visible && (self.fill || self.stroke)
    }
}
