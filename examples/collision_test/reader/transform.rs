//! Conversion of transforms, as attributes and in CSS, to matrices.

use glam::{DAffine2, DMat2, DVec2};

use super::element::Element;
use super::remark::Reason;
use super::units::{Along, Units, finite};

/// Returns the transform of an element as one matrix.
pub fn transform(element: &Element<'_, '_>, units: Units) -> Result<DAffine2, Reason> {
    let Some(text) = element.property("transform").filter(|text| *text != "none") else {
        return Ok(DAffine2::IDENTITY);
    };
    let matrix = match (text.parse(), element.declared("transform")) {
        (Ok(svgtypes::Transform { a, b, c, d, e, f }), _) => DAffine2::from_cols_array(&[a, b, c, d, e, f]),
        (Err(error), None) => return Err(Reason::value("transform", text, error)),
        (Err(error), Some(text)) => {
            functions(text, units).ok_or_else(|| Reason::value("transform", text, error.to_string()))?
        }
    };
    for value in matrix.to_cols_array() {
        finite("transform", text, value)?;
    }
    let origin = DAffine2::from_translation(origin(element, units)?);
    let matrix = origin * matrix * origin.inverse();
    let [a, b, c, d, ..] = matrix.to_cols_array();
    if a * d == b * c { Err(Reason::Nothing("its transform has no inverse")) } else { Ok(matrix) }
}

/// Returns the fixed point of rotations and scales, by default the origin. Percentages refer to the viewBox.
fn origin(element: &Element<'_, '_>, units: Units) -> Result<DVec2, Reason> {
    let Some(text) = element.property("transform-origin") else { return Ok(DVec2::ZERO) };
    if element.property("transform-box").is_some_and(|text| text != "view-box") {
        return Err(Reason::Unsupported("transform-box"));
    }
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_vertical = |word: &&str| ["top", "bottom"].contains(word);
    let (x, y) = match words[..] {
        [y] if is_vertical(&y) => ("center", y),
        [x] => (x, "center"),
        [y, x] if is_vertical(&y) || ["left", "right"].contains(&x) => (x, y),
        [x, y, ..] => (x, y),
        [] => ("0", "0"),
    };
    let length = |word, along| {
        let text = match word {
            "left" | "top" => "0%",
            "center" => "50%",
            "right" | "bottom" => "100%",
            other => other,
        };
        units.parse("transform-origin", text, along)
    };
    Ok(DVec2::new(length(x, Along::X)?, length(y, Along::Y)?))
}

/// Returns the product of CSS transform functions; `None` if one is invalid or unknown.
fn functions(text: &str, units: Units) -> Option<DAffine2> {
    let (mut product, mut rest) = (DAffine2::IDENTITY, text.trim());
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(')?;
        let (arguments, after) = after.split_once(')')?;
        let arguments: Vec<&str> = arguments.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        product *= function(name.trim(), &arguments, units)?;
        rest = after.trim_start_matches([' ', ',', '\n', '\r', '\t']);
    }
    Some(product)
}

fn function(name: &str, arguments: &[&str], units: Units) -> Option<DAffine2> {
    let length = |text: &str, along| units.parse("transform", text, along).ok();
    let number = |text: &str| match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|value| value / 100.0),
        None => text.parse::<f64>().ok(),
    };
    let skew =
        |x: f64, y: f64| DAffine2::from_mat2(DMat2::from_cols(DVec2::new(1.0, y.tan()), DVec2::new(x.tan(), 1.0)));
    let scale = |x, y| DAffine2::from_scale(DVec2::new(x, y));
    Some(match (name, arguments) {
        ("translate" | "translateX", [x]) => DAffine2::from_translation(DVec2::new(length(x, Along::X)?, 0.0)),
        ("translate", [x, y]) => DAffine2::from_translation(DVec2::new(length(x, Along::X)?, length(y, Along::Y)?)),
        ("translateY", [y]) => DAffine2::from_translation(DVec2::new(0.0, length(y, Along::Y)?)),
        ("scale", [both]) => scale(number(both)?, number(both)?),
        ("scale", [x, y]) => scale(number(x)?, number(y)?),
        ("scaleX", [x]) => scale(number(x)?, 1.0),
        ("scaleY", [y]) => scale(1.0, number(y)?),
        ("rotate" | "rotateZ", [by]) => DAffine2::from_angle(angle(by)?),
        ("skew" | "skewX", [x]) => skew(angle(x)?, 0.0),
        ("skew", [x, y]) => skew(angle(x)?, angle(y)?),
        ("skewY", [y]) => skew(0.0, angle(y)?),
        ("matrix", [a, b, c, d, e, f]) => {
            let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(|text| number(text));
            DAffine2::from_cols_array(&[a?, b?, c?, d?, e?, f?])
        }
        _ => return None,
    })
}

/// Returns an angle in radians. A number without a unit is in degrees, as in the attribute.
fn angle(text: &str) -> Option<f64> {
    let units = [("deg", 360.0), ("grad", 400.0), ("turn", 1.0), ("rad", std::f64::consts::TAU), ("", 360.0)];
    let (number, turn) = units.into_iter().find_map(|(unit, turn)| Some((text.strip_suffix(unit)?, turn)))?;
    Some(number.parse::<f64>().ok()? / turn * std::f64::consts::TAU)
}
