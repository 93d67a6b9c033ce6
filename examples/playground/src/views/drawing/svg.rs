//! SVG drawings, read by the reader of the example `collision_test`.

#[path = "../../../../collision_test/document.rs"]
pub mod document;
#[path = "../../../../collision_test/drawing.rs"]
mod drawing;
#[path = "../../../../collision_test/remark.rs"]
mod remark;
#[path = "../../../../collision_test/shape.rs"]
mod shape;
#[path = "../../../../collision_test/units.rs"]
mod units;

use hitgraph::Aabb;
use roxmltree::Document;

use super::sheet::Sheet;
use drawing::Drawing;

pub fn read(name: &str, document: &Document<'_>) -> Result<Sheet, String> {
    let Drawing { scene, units, remarks, hidden, unsupported } =
        Drawing::read(document).map_err(|fault| fault.to_string())?;
    let page = units.page().map(|(corner, size)| Aabb::new(corner.as_vec2(), (corner + size).as_vec2()));
    let mut remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    if hidden > 0 {
        remarks.push(format!("hidden elements: {hidden}"));
    }
    remarks.extend(unsupported.iter().map(|(kind, count)| format!("not supported yet: {count} {kind}")));
    Ok(Sheet::new(name, scene, page, remarks))
}
