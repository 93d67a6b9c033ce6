//! SVG drawings, read by the reader of the example `collision_test`.

#[path = "../../../../collision_test/reader/mod.rs"]
// The page uses no options of the reader.
#[allow(dead_code)]
pub mod reader;

use hitgraph::Aabb;
use roxmltree::Document;

use super::sheet::Sheet;
use reader::drawing::Drawing;

pub fn read(name: &str, document: &Document<'_>) -> Result<Sheet, String> {
    let drawing = Drawing::read(document).map_err(|fault| fault.to_string())?;
    let page = drawing.units.page().map(|(corner, size)| Aabb::new(corner.as_vec2(), (corner + size).as_vec2()));
    let mut remarks: Vec<String> = drawing.remarks.iter().map(ToString::to_string).collect();
    if drawing.hidden > 0 {
        remarks.push(format!("hidden elements: {}", drawing.hidden));
    }
    for (what, kinds) in [("not supported yet", &drawing.unsupported), ("without effect", &drawing.ignored)] {
        if !kinds.is_empty() {
            remarks.push(format!("{what}: {kinds}"));
        }
    }
    Ok(Sheet::new(name, drawing.scene, page, remarks))
}
