//! Conversion of lengths to user units.

use std::str::FromStr;

use glam::DVec2;
use svgtypes::{Length, LengthUnit, ViewBox};

use super::element::Element;
use super::remark::Reason;

/// The largest accepted absolute value, so that sums of a few values stay finite in `f32`.
const LARGEST: f64 = 1e37;

/// The extent of the page that a percentage refers to.
#[derive(Debug, Clone, Copy)]
pub enum Along {
    X,
    Y,
    Diagonal,
}

/// The conversion of lengths to user units: 96 px per inch, em by the font size, percent by the viewBox.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    corner: DVec2,
    size: Option<DVec2>,
    em: f64,
}

impl Units {
    /// Returns the units of a document. The scale of its viewBox affects only the display, so it changes no number.
    pub fn of_document(root: &Element<'_, '_>) -> Result<Self, Reason> {
        let units = Self { corner: DVec2::ZERO, size: None, em: 16.0 };
        if let Some(text) = root.node.attribute("viewBox") {
            let view = ViewBox::from_str(text).map_err(|error| Reason::value("viewBox", text, error))?;
            return Ok(Self {
                corner: DVec2::new(finite("viewBox", text, view.x)?, finite("viewBox", text, view.y)?),
                size: Some(DVec2::new(finite("viewBox", text, view.w)?, finite("viewBox", text, view.h)?)),
                ..units
            });
        }
        let relative = |name: &&str| root.property(name).is_none_or(|text| text.trim_end().ends_with('%'));
        if ["width", "height"].iter().any(relative) {
            return Ok(units);
        }
        let size = [("width", Along::X), ("height", Along::Y)].map(|(name, along)| units.length(root, name, along));
        let [width, height] = size;
        Ok(Self { size: width?.zip(height?).map(DVec2::from), ..units })
    }

    /// Returns the smallest corner and the size of the region that the document shows, if the document defines it.
    pub fn page(self) -> Option<(DVec2, DVec2)> {
        self.size.map(|size| (self.corner, size))
    }

    /// Returns the units within a region of this corner and size.
    pub fn with_page(self, corner: DVec2, size: Option<DVec2>) -> Self {
        Self { corner, size, ..self }
    }

    /// Returns the units with the font size of a child element.
    pub fn within(self, element: &Element<'_, '_>) -> Self {
        // Relative sizes refer to the parent's font size; keywords like `large` do not change it.
        let parent = Self { size: Some(DVec2::splat(self.em)), ..self };
        let em = parent.length(element, "font-size", Along::X).ok().flatten();
        Self { em: em.unwrap_or(self.em), ..self }
    }

    /// Returns the length of an attribute in user units; `None` if it is missing or `auto`.
    pub fn length(self, element: &Element<'_, '_>, name: &str, along: Along) -> Result<Option<f64>, Reason> {
        let text = element.property(name).filter(|text| *text != "auto");
        text.map(|text| self.parse(name, text, along)).transpose()
    }

    /// Parses the value of an attribute as a length in user units.
    pub fn parse(self, name: &str, text: &str, along: Along) -> Result<f64, Reason> {
        let wrong = |reason: &str| Reason::value(name, text, reason);
        let length = Length::from_str(&text.to_ascii_lowercase()).map_err(|_| wrong("not a length"))?;
        let unit = match (length.unit, self.size) {
            (LengthUnit::None | LengthUnit::Px, _) => 1.0,
            (LengthUnit::In, _) => 96.0,
            (LengthUnit::Cm, _) => 96.0 / 2.54,
            (LengthUnit::Mm, _) => 96.0 / 25.4,
            (LengthUnit::Pt, _) => 96.0 / 72.0,
            (LengthUnit::Pc, _) => 96.0 / 6.0,
            (LengthUnit::Em, _) => self.em,
            (LengthUnit::Ex, _) => self.em / 2.0,
            (LengthUnit::Percent, Some(size)) => match along {
                Along::X => size.x / 100.0,
                Along::Y => size.y / 100.0,
                Along::Diagonal => (size.length_squared() / 2.0).sqrt() / 100.0,
            },
            (LengthUnit::Percent, None) => return Err(wrong("a percentage requires a size of the root")),
        };
        finite(name, text, length.number * unit)
    }
}

/// Returns the value, or an error if it is too large for `f32` arithmetic.
pub fn finite(name: &str, text: &str, value: f64) -> Result<f64, Reason> {
    if value.abs() <= LARGEST { Ok(value) } else { Err(Reason::value(name, text, "too large")) }
}
