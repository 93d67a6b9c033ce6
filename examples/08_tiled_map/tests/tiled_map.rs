//! The loader of the example `08_tiled_map`: the positions of tiles and objects, and the errors of invalid maps.

use std::fs;
use std::path::{Path, PathBuf};

use glam::{Vec2, vec2};
use hitgraph::{QueryFilter, Scene};

/// The tileset of the shipped map, with tiles for stone, slope and grass.
const TILESET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../maps/cave.tsx");

/// Writes a map to `name.tmx` in a temporary folder and returns its path.
fn write(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiled_map");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name).with_extension("tmx");
    fs::write(&file, text).unwrap();
    file
}

/// Returns the XML of a map of 2 x 2 tiles with this content.
fn map(content: &str) -> String {
    let size = r#"orientation="orthogonal" width="2" height="2" tilewidth="32" tileheight="32""#;
    format!("<map version=\"1.10\" {size}>\n<tileset firstgid=\"1\" source=\"{TILESET}\"/>\n{content}\n</map>")
}

fn tiles(csv: &str) -> String {
    map(&format!(r#"<layer id="1" name="ground" width="2" height="2"><data encoding="csv">{csv}</data></layer>"#))
}

fn object(content: &str) -> String {
    map(&format!(r#"<objectgroup id="1" name="things">{content}</objectgroup>"#))
}

fn scene(name: &str, text: &str) -> Scene {
    loader::load(&write(name, text)).unwrap()
}

/// Returns the error for a map, without the path of its folder.
fn error_of(name: &str, text: &str) -> String {
    let file = write(name, text);
    let message = loader::load(&file).unwrap_err().to_string();
    message.replace(&*file.parent().unwrap().to_string_lossy(), "").replacen(['/', '\\'], "", 1)
}

/// Returns, for each point, whether a collider contains it.
fn occupied<const N: usize>(scene: &mut Scene, points: [Vec2; N]) -> [bool; N] {
    let world = scene.world();
    points.map(|point| world.at_point(point, &QueryFilter::default()).len() > 0)
}

#[test]
fn an_object_rotates_clockwise_about_its_upper_left_corner() {
    let shapes = [
        r#"<object id="1" x="100" y="50" width="40" height="10" rotation="90"/>"#,
        r#"<object id="1" x="100" y="50" width="40" height="10" rotation="90"><ellipse/></object>"#,
        r#"<object id="1" x="100" y="50" width="40" height="10" rotation="90"><capsule/></object>"#,
        r#"<object id="1" x="100" y="50" rotation="90"><polygon points="0,0 40,0 40,10 0,10"/></object>"#,
    ];
    for shape in shapes {
        let mut scene = scene("turned", &object(shape));
        let points = [vec2(95.0, 52.0), vec2(95.0, 88.0), vec2(95.0, 48.0), vec2(102.0, 70.0)];
        assert_eq!(occupied(&mut scene, points), [true, true, false, false], "{shape}");
    }
}

#[test]
fn a_tile_object_has_its_origin_at_the_lower_left_corner() {
    let tile = r#"<object id="1" gid="1" x="100" y="50" width="40" height="10"/>"#;
    let mut scene = scene("tile_object", &object(tile));
    assert_eq!(occupied(&mut scene, [vec2(120.0, 45.0), vec2(120.0, 55.0)]), [true, false]);
}

#[test]
fn a_tile_object_has_the_shapes_of_its_tile_flipped_and_stretched() {
    // The slope fills the lower right half of its tile. The object is 64 wide and 32 high, from (100, 18) to (164, 50).
    let slope = |gid: u32, more: &str| {
        let place = r#"x="100" y="50" width="64" height="32""#;
        scene("slope_object", &object(&format!(r#"<object id="1" name="ramp" gid="{gid}" {place}{more}/>"#)))
    };
    let corners = [vec2(104.0, 20.0), vec2(160.0, 20.0), vec2(104.0, 48.0), vec2(160.0, 48.0)];
    let [horizontal, vertical] = [1 << 31, 1 << 30];
    // The two corners on the diagonal are inside in part; these points are on the empty side of it.
    let [up_left, up_right, down_left, down_right] = corners;
    assert_eq!(occupied(&mut slope(2, ""), [up_left, down_right]), [false, true]);
    assert_eq!(occupied(&mut slope(2 | horizontal, ""), [up_right, down_left]), [false, true]);
    assert_eq!(occupied(&mut slope(2 | vertical, ""), [down_left, up_right]), [false, true]);
    let mut scene = slope(2, r#" rotation="90""#);
    // It rotates about its lower left corner, (100, 50), so its lower right corner is at (100, 114).
    assert_eq!(occupied(&mut scene, [vec2(102.0, 110.0), vec2(130.0, 52.0)]), [true, false]);
    assert!(scene.find("things/ramp/shapes").is_some());
}

#[test]
fn the_first_row_of_tiles_is_the_top_row() {
    let mut scene = scene("rows", &tiles("1,0,0,0"));
    let points = [vec2(16.0, 16.0), vec2(48.0, 16.0), vec2(16.0, 48.0), vec2(48.0, 48.0)];
    assert_eq!(occupied(&mut scene, points), [true, false, false, false]);
}

#[test]
fn collision_shapes_follow_all_eight_tile_flips() {
    // A box without symmetry, so that each of the eight flips puts it in a different place.
    let tile = r#"<tile id="0"><objectgroup><object id="1" x="2" y="8" width="4" height="4"/></objectgroup></tile>"#;
    let image = r#"<image source="box.png" width="32" height="32"/>"#;
    let tileset = r#"<tileset firstgid="5" name="box" tilewidth="32" tileheight="32" tilecount="1" columns="1">"#;
    let flips: [(u32, Vec2); 8] = [
        (0, vec2(4.0, 10.0)),
        (0x8000_0000, vec2(28.0, 10.0)),
        (0x4000_0000, vec2(4.0, 22.0)),
        (0xC000_0000, vec2(28.0, 22.0)),
        // In order: flipped along the diagonal, rotated by 90 degrees clockwise, counter-clockwise, and flipped along
        // the other diagonal.
        (0x2000_0000, vec2(10.0, 4.0)),
        (0xA000_0000, vec2(22.0, 4.0)),
        (0x6000_0000, vec2(10.0, 28.0)),
        (0xE000_0000, vec2(22.0, 28.0)),
    ];
    for (flip, place) in flips {
        let layer = format!(
            r#"<layer id="1" name="l" width="2" height="2"><data encoding="csv">0,0,0,{}</data></layer>"#,
            5 | flip
        );
        let mut scene = scene("flips", &map(&format!("{tileset}{image}{tile}</tileset>{layer}")));
        let solid = occupied(&mut scene, flips.map(|(_, place)| place + 32.0));
        assert_eq!(solid, flips.map(|(_, other)| other == place), "{flip:#x}");
    }
}

#[test]
fn nested_layers_apply_their_offset_and_visibility() {
    let inner =
        r#"<objectgroup id="2" name="in" offsetx="5"><object id="7" x="1" y="2" width="2" height="2"/></objectgroup>"#;
    let group = |hidden: &str| map(&format!(r#"<group id="1" name="out" offsety="30" {hidden}>{inner}</group>"#));
    let mut shown = scene("offset", &group(""));
    assert_eq!(occupied(&mut shown, [vec2(7.0, 33.0), vec2(2.0, 3.0)]), [true, false]);
    let object = shown.find("out/in/object 7").unwrap();
    assert_eq!(shown[object].user_data, 7);
    assert_eq!(occupied(&mut scene("hidden", &group("visible=\"0\"")), [vec2(7.0, 33.0)]), [false]);
}

#[test]
fn a_point_object_is_a_sensor() {
    let mut scene = scene("point", &object(r#"<object id="1" name="spawn" x="3" y="4"><point/></object>"#));
    let world = scene.world();
    assert_eq!(world.at_point(vec2(3.0, 4.0), &QueryFilter::default()).len(), 1);
    assert_eq!(world.at_point(vec2(3.0, 4.0), &QueryFilter::default().without_sensors()).len(), 0);
}

#[test]
fn errors_of_objects_name_file_layer_and_object() {
    let crossing = r#"<object id="3" name="bowtie" x="0" y="0"><polygon points="0,0 1,1 1,0 0,1"/></object>"#;
    let cases = [
        ("crossing", crossing, "crossing.tmx, things/bowtie: the outline crosses itself"),
        ("negative", r#"<object id="4" width="-1" height="2"/>"#, "negative.tmx, things/object 4: "),
        ("radius", r#"<object id="5" width="1" height="-2"><ellipse/></object>"#, "radius.tmx, things/object 5: "),
        (
            "nan",
            r#"<object id="6" x="NaN" width="1" height="1"/>"#,
            "nan.tmx, things/object 6: its position or rotation",
        ),
        ("turn", r#"<object id="6" rotation="inf"/>"#, "turn.tmx, things/object 6: its position or rotation"),
        ("line", r#"<object id="8"><polyline points="0,0 NaN,1"/></object>"#, "line.tmx, things/object 8: "),
    ];
    for (name, content, expected) in cases {
        let message = error_of(name, &object(content));
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn errors_of_layers_name_file_and_layer() {
    let short = "short.tmx, ground: it should have 2 x 2 tiles, but has fewer";
    assert_eq!(error_of("short", &tiles("1,1,1")), short);
    // Three tiles of four bytes each.
    let base64 = tiles("AQAAAAEAAAABAAAA").replace("csv", "base64");
    assert_eq!(error_of("short", &base64), short);
    let broken_up = "broken_up.tmx, ground: its tiles are broken up by a comment or CDATA";
    assert_eq!(error_of("broken_up", &tiles("1,1<!-- -->,1,1")), broken_up);
    let unknown = "unknown.tmx, ground: column 1, row 0: tileset \"cave\" has no tile 8";
    assert_eq!(error_of("unknown", &tiles("1,9,0,0")), unknown);
    let huge = r#"<layer id="1" name="huge" width="4000000000" height="1"><data encoding="csv">0</data></layer>"#;
    assert_eq!(error_of("huge", &map(huge)), "huge.tmx, huge: 4000000000 x 1 tiles are more than can be read");
}

#[test]
fn errors_of_maps_name_the_file() {
    let missing = loader::load(Path::new("no/such.tmx")).unwrap_err().to_string();
    assert!(missing.starts_with("no/such.tmx: Could not open"), "{missing}");
    assert!(error_of("empty", "").starts_with("empty.tmx: "));
    assert!(error_of("broken", &map("<layer")).starts_with("broken.tmx: "));
    assert!(error_of("svg", "<svg/>").starts_with("svg.tmx: "));
    let narrow = r#"<tileset firstgid="9" name="n" tilewidth="0" tileheight="1" tilecount="1"><image source="n.png" width="1" height="1"/></tileset>"#;
    assert_eq!(error_of("narrow", &map(narrow)), "narrow.tmx: the tiles of a tileset do not fit into its picture");
    let deep = format!("{}{}", "<group>".repeat(200), "</group>".repeat(200));
    assert!(error_of("deep", &map(&deep)).ends_with(": more than 128 elements within each other"));
    let no_tileset = error_of("no_tileset", &map(r#"<tileset firstgid="9" source="gone.tsx"/>"#));
    assert!(no_tileset.contains("gone.tsx"), "{no_tileset}");
    let isometric = map("").replace("orthogonal", "isometric");
    assert_eq!(
        error_of("isometric", &isometric),
        "isometric.tmx: the map is isometric; only orthogonal ones can be read"
    );
    let flat = map("").replace("tilewidth=\"32\"", "tilewidth=\"0\"");
    assert_eq!(error_of("flat", &flat), "flat.tmx: its tiles have no size");
    let chunks = r#"<layer id="1" name="ground" width="2" height="2"><data encoding="csv"></data></layer>"#;
    let circle = object(r#"<object id="1" template="circle.tx"/>"#);
    let template = r#"<template><object template="circle.tx"/></template>"#;
    fs::write(write("circle", &circle).with_extension("tx"), template).unwrap();
    assert_eq!(error_of("circle", &circle), "circle.tx: an object by a template within a template or a tileset");
    let infinite = map(chunks).replace("width=\"2\" height=\"2\" tile", "infinite=\"1\" width=\"2\" height=\"2\" tile");
    assert!(error_of("infinite", &infinite).starts_with("infinite.tmx: the map is infinite"));
}
