//! The names that drawing programs give to elements.

use std::borrow::Cow;

use roxmltree::Node;

const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";
const SODIPODI: &str = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd";
/// The namespace of Affinity.
const SERIF: &str = "http://www.serif.com/";

/// Returns the name that a program shows for an element, where it differs from the id: Inkscape, Affinity and
/// Illustrator store it in an attribute of their own.
pub fn label<'a>(element: Node<'a, '_>) -> Option<&'a str> {
    let label = element.attribute((INKSCAPE, "label")).or(element.attribute((SERIF, "id")));
    label.or(element.attribute("data-name")).filter(|label| !label.is_empty())
}

/// Returns the id of an element. Illustrator writes a space as `_x0020_`, and other characters likewise.
pub fn id<'a>(element: Node<'a, '_>) -> Option<Cow<'a, str>> {
    let id = element.attribute("id").filter(|id| !id.is_empty())?;
    let mut parts = id.split("_x");
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.split_once('_').filter(|(digits, _)| digits.len() == 4);
        let character = code.and_then(|(digits, _)| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        match (code, character) {
            (Some((_, rest)), Some(character)) => {
                decoded.push(character);
                decoded.push_str(rest);
            }
            _ => {
                decoded.push_str("_x");
                decoded.push_str(part);
            }
        }
    }
    Some(if decoded == id { Cow::Borrowed(id) } else { Cow::Owned(decoded) })
}

/// Returns `true` if the element is a layer: a group that Inkscape marks as one. Other programs do not mark layers, but
/// write each as a group directly below the root.
pub fn is_layer(element: Node<'_, '_>) -> bool {
    let below_root = element.parent_element() == Some(element.document().root_element());
    let is_group = element.tag_name().name() == "g";
    element.attribute((INKSCAPE, "groupmode")) == Some("layer") || (is_group && below_root)
}

/// Returns `true` if the element is locked in Inkscape.
pub fn is_locked(element: Node<'_, '_>) -> bool {
    element.attribute((SODIPODI, "insensitive")).is_some_and(|value| ["true", "1"].contains(&value))
}
