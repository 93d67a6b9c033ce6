//! Rejects files on which the crate `tiled` panics or does not terminate.

use std::io::Read;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::read::{GzDecoder, ZlibDecoder};
use roxmltree::{Document, Node, ParsingOptions};

use super::{Fault, whole};

/// The maximum number of tiles in a row or a column.
const MOST_TILES: u32 = 10_000;
/// The maximum nesting depth of elements.
const DEEPEST: usize = 128;

/// Checks a map, a tileset or a template.
pub fn check(text: &str) -> Result<(), Fault> {
    // Older maps have a DOCTYPE.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| whole(format!("not well-formed XML: {error}")))?;
    if document.root_element().attribute("infinite") == Some("1") {
        return Err(whole("the map is infinite; turn that off in its properties"));
    }
    for element in document.root_element().descendants() {
        let reason = if element.ancestors().take(DEEPEST + 1).count() > DEEPEST {
            Some(format!("more than {DEEPEST} elements within each other"))
        } else {
            match element.tag_name().name() {
                "layer" => layer(element),
                "tileset" => tileset(element),
                "object" => object(element),
                _ => None,
            }
        };
        if let Some(reason) = reason {
            return Err(Fault { place: place(element), reason });
        }
    }
    Ok(())
}

/// Returns the names of the layers that contain an element.
fn place(element: Node<'_, '_>) -> String {
    let layers =
        element.ancestors().filter(|above| ["layer", "objectgroup", "group"].contains(&above.tag_name().name()));
    let mut names: Vec<_> = layers.map(|layer| layer.attribute("name").unwrap_or_default()).collect();
    names.reverse();
    if names.is_empty() { String::new() } else { format!(", {}", names.join("/")) }
}

/// Checks a tile layer. `tiled` accepts a layer with too few tiles and panics when the last one is read.
fn layer(layer: Node<'_, '_>) -> Option<String> {
    let [columns, rows] =
        ["width", "height"].map(|name| layer.attribute(name).and_then(|text| text.parse::<u32>().ok()));
    let (columns, rows) = (columns?, rows?);
    if columns.max(rows) > MOST_TILES {
        return Some(format!("{columns} x {rows} tiles are more than can be read"));
    }
    for data in layer.children().filter(|child| child.has_tag_name("data")) {
        let source = &data.document().input_text()[data.range()];
        if source.contains("<!") {
            return Some("its tiles are broken up by a comment or CDATA".to_owned());
        }
        if count(data).is_some_and(|count| count < (columns * rows) as usize) {
            return Some(format!("it should have {columns} x {rows} tiles, but has fewer"));
        }
    }
    None
}

/// Counts the tiles. Returns `None` if the data is invalid, which `tiled` reports later.
fn count(data: Node<'_, '_>) -> Option<usize> {
    let text = data.text().unwrap_or_default();
    let bytes = || BASE64_STANDARD.decode(text.trim()).ok();
    match (data.attribute("encoding")?, data.attribute("compression")) {
        ("csv", None) => Some(text.split(',').count()),
        ("base64", None) => Some(bytes()?.len() / 4),
        ("base64", Some("zlib")) => length(ZlibDecoder::new(&*bytes()?)).map(|length| length / 4),
        ("base64", Some("gzip")) => length(GzDecoder::new(&*bytes()?)).map(|length| length / 4),
        _ => None,
    }
}

fn length(mut from: impl Read) -> Option<usize> {
    let length = std::io::copy(&mut from, &mut std::io::sink()).ok()?;
    usize::try_from(length).ok()
}

/// Checks a tileset. Without a number of columns, `tiled` computes it from the width of the image without a check.
fn tileset(tileset: Node<'_, '_>) -> Option<String> {
    let number = |element: Node<'_, '_>, name| element.attribute(name).and_then(|text| text.parse::<u32>().ok());
    let image = tileset.children().find(|child| child.has_tag_name("image"))?;
    let size = |name| u64::from(number(tileset, name).unwrap_or(0));
    let width = u64::from(number(image, "width")?);
    let step = size("tilewidth") + size("spacing");
    let sound = tileset.has_attribute("columns") || step > 0 && size("margin") <= width;
    (!sound).then(|| "the tiles of a tileset do not fit into its picture".to_owned())
}

/// Checks an object. Templates that use templates may form a cycle.
fn object(object: Node<'_, '_>) -> Option<String> {
    let root = object.document().root_element();
    let chained = object.has_attribute("template") && !root.has_tag_name("map");
    chained.then(|| "an object by a template within a template or a tileset".to_owned())
}
