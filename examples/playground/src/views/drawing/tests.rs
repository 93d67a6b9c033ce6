use glam::vec2;

use super::*;

fn map(content: &str) -> String {
    let size = r#"orientation="orthogonal" width="2" height="1" tilewidth="32" tileheight="32""#;
    format!("<map version=\"1.10\" {size}>{content}</map>")
}

const TILES: &str = r#"<layer id="1" name="a" width="2" height="1"><data encoding="csv">1,1</data></layer>"#;

#[test]
fn the_samples_open_and_have_contacts() {
    let mut view = DrawingView::default();
    assert_eq!(view.error, None);
    for (name, bytes) in [DRAWING, map::SAMPLE.unwrap()] {
        view.open(name, bytes).unwrap();
        let sheet = view.sheet.as_ref().unwrap();
        assert_eq!(sheet.name, name);
        assert!(sheet.scene.collider_count() > 5 && sheet.touching.count > 0);
        assert!(sheet.home.is_finite());
    }
    view.set_state("drawing").unwrap();
    assert_eq!(view.sheet.as_ref().unwrap().name, DRAWING.0);
    view.set_state("map").unwrap();
    assert_eq!(view.state(), "map");
    assert!(view.set_state("cave").unwrap_err().contains("cave"));
}

#[test]
fn an_invalid_file_gives_a_specific_error_and_changes_nothing() {
    let mut view = DrawingView::default();
    let infinite = map("").replace("<map", "<map infinite=\"1\"");
    let files: [(&[u8], &str); 9] = [
        (b"", "empty"),
        (b"no markup", "line 1: not well-formed XML"),
        (b"\x89PNG\r\n\x1a\n\xff", "line 1: not UTF-8"),
        (b"\x1f\x8b\x08", "compressed"),
        (b"<svg>\n<rect", "line 2: not well-formed XML"),
        (b"<svg/>", "xmlns"),
        (b"<html/>", "neither an SVG drawing nor a Tiled map: the root element is <html>"),
        (b"<map/>", "Missing attribute: version"),
        (infinite.as_bytes(), "the map is infinite"),
    ];
    for (bytes, expected) in files {
        let error = view.open("file", bytes).unwrap_err();
        assert!(error.contains(expected), "{error}");
        assert_eq!(view.sheet.as_ref().unwrap().name, DRAWING.0, "the open file stays open");
    }
    let short = map(&TILES.replace("1,1", "1"));
    let error = view.open("file.tmx", short.as_bytes()).unwrap_err();
    assert_eq!(error, "a: it should have 2 x 1 tiles, but has fewer");
}

#[test]
fn a_map_opens_when_its_tileset_is_dropped_after_it() {
    let mut view = DrawingView::default();
    let text = map(&format!(r#"<tileset firstgid="1" source="../sets/stone.tsx"/>{TILES}"#));
    let error = view.open("my.tmx", text.as_bytes()).unwrap_err();
    assert_eq!(error, "the map needs stone.tsx: drop that file onto the window too");
    let tileset = r#"<tileset version="1.10" name="s" tilewidth="32" tileheight="32" tilecount="1" columns="1">
        <image source="stone.png" width="32" height="32"/></tileset>"#;
    view.open("stone.tsx", tileset.as_bytes()).unwrap();
    assert_eq!(view.sheet.as_ref().unwrap().name, "my.tmx");
    view.open("other.tmx", text.as_bytes()).unwrap();
    assert_eq!(view.sheet.as_ref().unwrap().name, "other.tmx", "the tileset is stored");
}

#[test]
fn an_invalid_attribute_gives_a_remark_and_a_drag_changes_the_contacts() {
    let mut view = DrawingView::default();
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg"><g transform="scale(2)">
        <circle id="a" r="1"/><circle id="b" cx="9" r="1"/></g>
        <rect id="c" width="wide" height="1"/><text/></svg>"#;
    view.open("my.svg", text.as_bytes()).unwrap();
    let sheet = view.sheet.as_mut().unwrap();
    assert_eq!(sheet.remarks.len(), 2, "{:?}", sheet.remarks);
    assert!(sheet.remarks[0].contains("line 3: c: width=\"wide\": not a length"), "{:?}", sheet.remarks);
    assert!(sheet.touching.count == 0);
    let node = sheet.pick(vec2(18.5, 0.5), 0.1).unwrap();
    assert_eq!(sheet.name_of(node), "b");
    sheet.drag(node, vec2(18.5, 0.5), vec2(3.5, 0.5));
    assert!((sheet.touching.listed[0].contact.depth - 1.0).abs() < 1e-4);
    assert_eq!(sheet.pick(vec2(18.5, 0.5), 0.1), None);
    sheet.drag(node, vec2(3.5, 0.5), vec2(103.5, 0.5));
    assert!(view.content().unwrap().max.x > 104.0, "Center also shows what was dragged away");
}
