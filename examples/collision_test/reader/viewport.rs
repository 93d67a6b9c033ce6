//! The regions that nested `<svg>` elements and symbols are drawn into.

use std::str::FromStr;

use glam::{DAffine2, DVec2};
use svgtypes::{Align, AspectRatio, ViewBox};

use super::element::Element;
use super::remark::Reason;
use super::units::{Along, Units};

/// Returns the size that an element gives itself or, for a missing side, that of the surrounding region.
pub fn size(element: &Element<'_, '_>, units: Units) -> Result<[Option<f64>; 2], Reason> {
    let whole = units.page().map(|(_, size)| size);
    let width = units.length(element, "width", Along::X)?.or(whole.map(|size| size.x));
    let height = units.length(element, "height", Along::Y)?.or(whole.map(|size| size.y));
    Ok([width, height])
}

/// Returns the matrix from the frame of the content of an `<svg>` or `<symbol>` of this size to the frame around it,
/// and the units of the content.
pub fn content(element: &Element<'_, '_>, size: [Option<f64>; 2], units: Units) -> Result<(DAffine2, Units), Reason> {
    let [x, y] = [("x", Along::X), ("y", Along::Y)].map(|(name, along)| units.length(element, name, along));
    let corner = DAffine2::from_translation(DVec2::new(x?.unwrap_or(0.0), y?.unwrap_or(0.0)));
    let size = size[0].zip(size[1]).map(DVec2::from);
    let Some(text) = element.node.attribute("viewBox") else {
        return Ok((corner, units.with_page(DVec2::ZERO, size)));
    };
    let view = ViewBox::from_str(text).map_err(|error| Reason::value("viewBox", text, error))?;
    let (view_corner, view_size) = (DVec2::new(view.x, view.y), DVec2::new(view.w, view.h));
    let inner = units.with_page(view_corner, Some(view_size));
    let Some(size) = size else { return Ok((corner, inner)) };
    if size.min_element() <= 0.0 {
        return Err(Reason::Nothing("its width or height is 0"));
    }
    let ratio = element.node.attribute("preserveAspectRatio").map_or(Ok(AspectRatio::default()), AspectRatio::from_str);
    let ratio = ratio.map_err(|error| Reason::value("preserveAspectRatio", "", error))?;
    let stretch = size / view_size;
    let scale = match (ratio.align, ratio.slice) {
        (Align::None, _) => stretch,
        (_, false) => DVec2::splat(stretch.min_element()),
        (_, true) => DVec2::splat(stretch.max_element()),
    };
    let offset = (size - view_size * scale) * share(ratio.align);
    Ok((corner * DAffine2::from_scale_angle_translation(scale, 0.0, offset - view_corner * scale), inner))
}

/// Returns the part of the free space that lies before the content.
fn share(align: Align) -> DVec2 {
    let (x, y) = match align {
        Align::None | Align::XMinYMin => (0.0, 0.0),
        Align::XMidYMin => (0.5, 0.0),
        Align::XMaxYMin => (1.0, 0.0),
        Align::XMinYMid => (0.0, 0.5),
        Align::XMidYMid => (0.5, 0.5),
        Align::XMaxYMid => (1.0, 0.5),
        Align::XMinYMax => (0.0, 1.0),
        Align::XMidYMax => (0.5, 1.0),
        Align::XMaxYMax => (1.0, 1.0),
    };
    DVec2::new(x, y)
}
