//! Conversion of SVG shapes to colliders.

use std::f64::consts::TAU;

use glam::{Affine2, Vec2};
use hitgraph::{Attachment, Circle, Compound, Ellipse, Polygon, Polyline, Rect, Rounded, Segment, Shape};
use svgtypes::NumberListParser;

use super::element::Element;
use super::path::{Fill, collider, flattened};
use super::region::inside;
use super::remark::Reason;
use super::units::{Along, Units, finite};

const SODIPODI: &str = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd";
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// Returns the collider of an element in its own frame; `None` if its kind has no collider.
pub fn shape(element: &Element<'_, '_>, units: Units, fill: &Fill<'_>) -> Option<Result<Attachment, Reason>> {
    let reader = Attributes { element, units };
    let shape = match element.node.tag_name().name() {
        "rect" => reader.rect(),
        "circle" => reader.circle(),
        "ellipse" => reader.ellipse(),
        "line" => reader.line(),
        "path" => return Some(reader.whole_arc().map_or_else(|| reader.path(fill), |arc| arc.map(Attachment::from))),
        "polygon" => return Some(reader.polygon()),
        "polyline" => return Some(reader.polyline()),
        _ => return None,
    };
    Some(shape.map(Attachment::from))
}

struct Attributes<'b, 'a, 'input> {
    element: &'b Element<'a, 'input>,
    units: Units,
}

impl Attributes<'_, '_, '_> {
    fn length(&self, name: &str, along: Along) -> Result<f64, Reason> {
        Ok(self.units.length(self.element, name, along)?.unwrap_or(0.0))
    }

    fn point(&self, x: &str, y: &str) -> Result<Vec2, Reason> {
        Ok(Vec2::new(self.length(x, Along::X)? as f32, self.length(y, Along::Y)? as f32))
    }

    /// Returns `rx` and `ry`. A missing one equals the other.
    fn radii(&self) -> Result<[f64; 2], Reason> {
        let rx = self.units.length(self.element, "rx", Along::X)?;
        let ry = self.units.length(self.element, "ry", Along::Y)?;
        let [rx, ry] = [rx.or(ry), ry.or(rx)].map(Option::unwrap_or_default);
        Ellipse::try_new(rx as f32, ry as f32)?;
        Ok([rx, ry])
    }

    fn rect(&self) -> Result<Shape, Reason> {
        let (x, y) = (self.length("x", Along::X)?, self.length("y", Along::Y)?);
        let (width, height) = (self.length("width", Along::X)?, self.length("height", Along::Y)?);
        let rect = Rect::try_new(width as f32, height as f32)?;
        let [rx, ry] = self.radii()?;
        let center = Vec2::new((x + width / 2.0) as f32, (y + height / 2.0) as f32);
        if width == 0.0 || height == 0.0 {
            return Err(Reason::Nothing(if width == 0.0 { "its width is 0" } else { "its height is 0" }));
        }
        if rx == 0.0 || ry == 0.0 {
            return Ok(rect.at(center).into());
        }
        let (rx, ry) = (rx.min(width / 2.0), ry.min(height / 2.0));
        // Elliptical corners are circular ones on a box of another height, stretched along y.
        let stretch = ry / rx;
        let core = Rect::try_new((width - 2.0 * rx) as f32, ((height - 2.0 * ry) / stretch) as f32)?;
        let rounded = Rounded::try_new(Polygon::convex_hull(&core.corners())?, rx as f32)?;
        let place = Affine2::from_scale_angle_translation(Vec2::new(1.0, stretch as f32), 0.0, center);
        Ok(rounded.transformed(&place))
    }

    fn circle(&self) -> Result<Shape, Reason> {
        let radius = self.length("r", Along::Diagonal)?;
        let circle = Circle::try_new(radius as f32)?.at(self.point("cx", "cy")?);
        if radius == 0.0 { Err(Reason::Nothing("its radius is 0")) } else { Ok(circle.into()) }
    }

    fn ellipse(&self) -> Result<Shape, Reason> {
        let [rx, ry] = self.radii()?;
        let center = self.point("cx", "cy")?;
        if rx == 0.0 || ry == 0.0 {
            return Err(Reason::Nothing("a radius is 0"));
        }
        Ok(Ellipse::try_new(rx as f32, ry as f32)?.at(center).into())
    }

    fn line(&self) -> Result<Shape, Reason> {
        Ok(Segment::try_new(self.point("x1", "y1")?, self.point("x2", "y2")?)?.into())
    }

    fn polygon(&self) -> Result<Attachment, Reason> {
        let mut pieces = inside(&self.points()?)?;
        Ok(match pieces.pop() {
            Some(piece) if pieces.is_empty() => piece.into(),
            last => Compound::new(pieces.into_iter().chain(last))?.into(),
        })
    }

    fn polyline(&self) -> Result<Attachment, Reason> {
        Ok(Polyline::new(&self.points()?)?.into())
    }

    fn points(&self) -> Result<Vec<Vec2>, Reason> {
        let text = self.element.node.attribute("points").unwrap_or_default().trim();
        let wrong = |reason: &str| Reason::value("points", text, reason);
        let mut numbers = Vec::new();
        for number in NumberListParser::from(text) {
            let number = number.map_err(|error| wrong(&error.to_string()))?;
            numbers.push(finite("points", text, number)? as f32);
        }
        if numbers.is_empty() {
            return Err(Reason::Nothing("it has no points"));
        }
        let (points, odd) = numbers.as_chunks();
        if !odd.is_empty() {
            return Err(wrong("an odd number of coordinates"));
        }
        Ok(points.iter().copied().map(Vec2::from_array).collect())
    }

    fn path(&self, fill: &Fill<'_>) -> Result<Attachment, Reason> {
        collider(&flattened(self.element.node.attribute("d").unwrap_or_default(), fill)?, fill)
    }

    /// Returns the ellipse that older versions of Inkscape write as a path; `None` for an arc that is not a whole
    /// ellipse or that a path effect changes.
    fn whole_arc(&self) -> Option<Result<Shape, Reason>> {
        let number = |name| {
            let text = self.element.node.attribute((SODIPODI, name))?;
            finite(name, text, text.trim().parse().ok()?).ok()
        };
        let bent = self.element.node.has_attribute((INKSCAPE, "path-effect"));
        if bent || self.element.node.attribute((SODIPODI, "type")) != Some("arc") {
            return None;
        }
        let turns = (number("end").unwrap_or(TAU) - number("start").unwrap_or(0.0)) / TAU;
        if (turns - turns.round()).abs() > 1e-4 {
            return None;
        }
        let [cx, cy, rx, ry] = ["cx", "cy", "rx", "ry"].map(number);
        let (center, radii) = (Vec2::new(cx? as f32, cy? as f32), Vec2::new(rx? as f32, ry? as f32));
        let ellipse = Ellipse::try_new(radii.x, radii.y).map(|ellipse| ellipse.at(center).into());
        Some(ellipse.map_err(Reason::Shape))
    }
}
