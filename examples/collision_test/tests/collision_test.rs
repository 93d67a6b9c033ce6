//! The program `collision_test` from outside: its output, the picture that it writes, and its errors.

mod program;

use program::{ROOT, drawing, file, folder, run};

#[test]
fn the_shipped_drawing_prints_the_golden_report() {
    let folder = folder("shipped");
    let output = run(&folder, &[]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), include_str!("golden/collision_test.txt"));
    assert!(output.stderr.is_empty());
    assert!(folder.join("collision_test.collisions.svg").exists());
}

#[test]
fn pairs_are_listed_in_document_order_with_normal_and_depth() {
    let report = drawing(
        "order",
        r#"<circle id="zebra" cx="10" cy="10" r="5"/>
        <rect id="ant" x="14" y="5" width="10" height="10"/>
        <g id="group"><line id="mole" x1="0" y1="12" x2="50" y2="12"/></g>
        <polygon id="bee" points="24,0 30,0 30,20 24,20"/>
        <ellipse id="far" cx="100" cy="50" rx="20" ry="10"/>"#,
    );
    assert_eq!(
        report.lines,
        [
            "zebra touches ant normal 1.0000 0.0000 depth 1.0000",
            "zebra touches mole normal 0.0000 1.0000 depth 3.0000",
            "ant touches mole normal 0.0000 1.0000 depth 3.0000",
            "ant touches bee normal 1.0000 0.0000 depth 0.0000",
            "mole touches bee normal 0.0000 -1.0000 depth 8.0000",
            "6 nodes with 5 colliders, 5 pairs touching",
            "wrote level.collisions.svg",
        ]
    );
    assert_eq!((report.code, report.errors.len()), (0, 0));
}

#[test]
fn a_self_intersecting_polygon_is_refused_with_a_reason_and_the_rest_is_tested() {
    let report = drawing(
        "crossing",
        r#"<rect id="before" width="10" height="10"/>
        <polygon id="bow" points="0,0 10,10 10,0 0,10"/>
        <rect id="after" x="9" width="10" height="10"/>"#,
    );
    assert_eq!(
        report.lines,
        [
            "before touches after normal 1.0000 0.0000 depth 1.0000",
            "refused bow, line 3: the outline crosses itself at [5, 5], where the side after point 0 meets the one after \
             point 2",
            "2 nodes with 2 colliders, 1 pair touching, 1 refused",
            "wrote level.collisions.svg",
        ]
    );
    assert_eq!(report.code, 0);
}

#[test]
fn concave_polygons_are_solid_and_polylines_are_hollow() {
    let report = drawing(
        "concave",
        r#"<polygon id="arrow" points="0,0 40,20 0,40 16,20"/>
        <circle id="in-the-notch" cx="3" cy="20" r="4"/>
        <circle id="at-the-tip" cx="42" cy="20" r="4"/>
        <polyline id="roof" points="100,50 120,10 140,50"/>
        <rect id="under-it" x="112" y="40" width="16" height="10"/>
        <rect id="through-it" x="95" y="44" width="10" height="10"/>"#,
    );
    assert_eq!(
        report.lines,
        [
            "arrow touches at-the-tip normal 1.0000 0.0000 depth 2.0000",
            "roof touches through-it normal -1.0000 0.0000 depth 5.0000",
            "6 nodes with 6 colliders, 2 pairs touching",
            "wrote level.collisions.svg",
        ]
    );
    assert_eq!(report.picture.matches(">arrow</title>").count(), 2, "the arrow is drawn as two pieces");
}

#[test]
fn every_svg_transform_function_is_supported() {
    let places = [
        ("none", (10.0, 4.0)),
        ("translate(3)", (13.0, 4.0)),
        ("translate(3,-5)", (13.0, -1.0)),
        ("scale(2)", (20.0, 8.0)),
        ("scale(-1 3)", (-10.0, 12.0)),
        ("rotate(90)", (-4.0, 10.0)),
        ("rotate(90 10 0)", (6.0, 0.0)),
        ("skewX(45)", (14.0, 4.0)),
        ("skewY(-45)", (10.0, -6.0)),
        ("matrix(1 2 3 4 5 6)", (27.0, 42.0)),
        ("translate(100 0), rotate(90) scale(2 1)", (96.0, 20.0)),
    ];
    for (transform, (x, y)) in places {
        let report = drawing(
            "transforms",
            &format!(
                r#"<g id="outer" transform="translate(50 50)">
                <circle id="moved" cx="10" cy="4" r="0.001" transform="{transform}"/>
                <circle id="there" cx="{x}" cy="{y}" r="0.001"/>
                </g>"#
            ),
        );
        assert_eq!(report.pairs().len(), 1, "{transform}: {:?} {:?}", report.lines, report.errors);
    }
}

#[test]
fn a_rotated_rectangle_in_a_stretched_group_is_a_parallelogram() {
    // A rhombus whose half-diagonals are 28.3 and 7.07.
    let turned = r#"<g transform="translate(60 50) scale(2 0.5)">
        <rect id="slate" x="-10" y="-10" width="20" height="20" transform="rotate(45)"/></g>"#;
    let probe = |x: f32, y: f32| format!(r#"<circle id="probe" cx="{x}" cy="{y}" r="0.5"/>"#);
    let touching = |x, y| !drawing("parallelogram", &format!("{turned}{}", probe(x, y))).pairs().is_empty();
    assert!(touching(60.0 + 28.2, 50.0));
    assert!(touching(60.0, 50.0 + 7.0));
    assert!(!touching(60.0 + 20.0, 50.0 + 5.0));
}

#[test]
fn lengths_in_every_svg_unit_are_supported() {
    let lengths = [
        (" 12px ", 12.0),
        ("1in", 96.0),
        ("2.54cm", 96.0),
        ("25.4mm", 96.0),
        ("72pt", 96.0),
        ("6PC", 96.0),
        ("2em", 40.0),
        ("2ex", 20.0),
        ("25%", 50.0),
        ("1e2", 100.0),
        ("auto", 0.0),
    ];
    for (length, expected) in lengths {
        let report = drawing(
            "units",
            &format!(
                r#"<g font-size="10"><g style="font-size:200%"><circle id="a" cx="{length}" cy="50%" r="0.001"/></g></g>
                <circle id="b" cx="{expected}" cy="50" r="0.001"/>"#
            ),
        );
        assert_eq!(report.pairs().len(), 1, "{length}: {:?} {:?}", report.lines, report.errors);
    }
}

#[test]
fn rectangles_with_rx_and_ry_have_rounded_corners() {
    let report = drawing(
        "corners",
        r#"<rect id="round" width="40" height="20" rx="10"/>
        <circle id="in-the-corner" cx="1" cy="1" r="1"/>
        <rect id="oval" x="50" width="40" height="20" rx="500" ry="500"/>
        <circle id="beside-the-oval" cx="53" cy="1" r="1"/>
        <circle id="on-the-side" cx="20" cy="-3" r="4"/>"#,
    );
    assert_eq!(report.pairs(), ["round touches on-the-side normal 0.0000 -1.0000 depth 1.0000"]);
}

#[test]
fn elements_that_svg_does_not_draw_have_no_collider() {
    let report = drawing(
        "undrawn",
        r##"<rect id="floor" width="100" height="50"/>
        <g style="fill:red; display : none"><rect width="9" height="9"/></g>
        <g visibility="hidden"><rect width="9" height="9"/><circle id="shown" cx="50" r="3" visibility="visible"/></g>
        <defs><rect width="9" height="9"/></defs>
        <clipPath id="clip"><rect width="9" height="9"/></clipPath>
        <rect id="flat" width="9"/>
        <circle id="dot" r="0"/>
        <rect id="squashed" width="9" height="9" transform="scale(1 0)"/>
        <text>floor</text><image/>"##,
    );
    assert_eq!(
        report.lines,
        [
            "floor touches shown normal 0.0000 -1.0000 depth 3.0000",
            "not drawn flat, line 7: its height is 0",
            "not drawn dot, line 8: its radius is 0",
            "not drawn squashed, line 9: its transform has no inverse",
            "3 nodes with 2 colliders, 1 pair touching, 3 not drawn, 2 hidden",
            "not supported yet: 1 image (line 10), 1 text (line 10)",
            "wrote level.collisions.svg",
        ]
    );
    assert_eq!(report.code, 0);
}

#[test]
fn use_elements_are_expanded_under_unique_names() {
    let report = drawing(
        "clones",
        r##"<g id="pair"><rect id="box" width="10" height="10"/><circle id="ball" cx="14" cy="5" r="5"/></g>
        <use id="copy" xlink:href="#pair" x="30" transform="scale(-1 1)"/>
        <use id="near" href="#box" x="18" y="0"/>
        <rect width="2" height="2" x="150"/><rect id="box" width="2" height="2" x="151"/>"##,
    );
    assert_eq!(
        report.lines,
        [
            "box touches ball normal 1.0000 0.0000 depth 1.0000",
            "ball touches near/box normal 1.0000 0.0000 depth 1.0000",
            "copy/box touches copy/ball normal -1.0000 0.0000 depth 1.0000",
            "rect@5:9 touches box@5:45 normal 1.0000 0.0000 depth 1.0000",
            "renamed box, line 5: line 2 has this id too, so here it is box@5:45",
            "11 nodes with 7 colliders, 4 pairs touching",
            "wrote level.collisions.svg",
        ]
    );
}

#[test]
fn inkscape_layers_and_full_arcs_are_supported() {
    let text = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
  <sodipodi:namedview id="base"><inkscape:grid id="grid1"/></sodipodi:namedview>
  <svg:g inkscape:groupmode="layer" id="layer1" inkscape:label="Level" transform="translate(0,-10)">
    <svg:rect id="rect10" x="10" y="20" width="50" height="10"/>
    <svg:path id="path12" sodipodi:type="arc" sodipodi:cx="20" sodipodi:cy="15" sodipodi:rx="4" sodipodi:ry="6" d="m 24,15"/>
    <svg:path id="slice" sodipodi:type="arc" sodipodi:cx="20" sodipodi:cy="15" sodipodi:rx="4" sodipodi:ry="6"
       sodipodi:start="0" sodipodi:end="3.1" d="m 54,15 a 4,6 0 0 1 -8,0 z"/>
  </svg:g>
  <svg:g inkscape:groupmode="layer" id="layer2" style="display:none"><svg:rect id="rect11" width="99" height="99"/></svg:g>
</svg:svg>"#;
    let report = file("inkscape", text.as_bytes());
    assert_eq!(
        report.lines,
        [
            "rect10 touches path12 normal 0.0000 -1.0000 depth 1.0000",
            "rect10 touches slice normal 0.0000 -1.0000 depth 1.0000",
            "4 nodes with 3 colliders, 2 pairs touching, 1 hidden",
            "wrote level.collisions.svg",
        ]
    );
}

#[test]
fn an_invalid_element_is_reported_with_its_line_and_the_rest_is_tested() {
    let invalid = [
        (r#"<rect id="x" width="-5" height="3"/>"#, "x: width must not be negative, but is -5"),
        (r#"<rect id="x" width="abc" height="3"/>"#, "x: width=\"abc\": not a length"),
        (r#"<rect id="x" width="NaN" height="3"/>"#, "x: width=\"NaN\": not a length"),
        (r#"<circle id="x" r="1e400"/>"#, "x: r=\"1e400\": not a length"),
        (r#"<circle id="x" r="1e39"/>"#, "x: r=\"1e39\": too large"),
        (r#"<polygon id="x" points="0,0 9,0 9"/>"#, "x: points=\"0,0 9,0 9\": an odd number of coordinates"),
        (r#"<polygon id="x" points="0,0 9,x"/>"#, "x: points=\"0,0 9,x\": invalid number at position 7"),
        (r#"<rect id="x" transform="rotate(1"/>"#, "x: transform=\"rotate(1\": unexpected end of stream"),
        (
            r#"<g id="x" transform="spin(1)"><rect width="9" height="9"/></g>"#,
            "x: transform=\"spin(1)\": unexpected data at position 1",
        ),
        (r##"<use id="x" href="#y"/>"##, "x: href=\"#y\": no element has this id"),
        (r##"<g id="x"><use href="#x"/></g>"##, "use@3:11: href=\"#x\": it would contain itself"),
        (
            r#"<g transform="scale(1e30)"><circle id="x" r="1" transform="scale(1e30)"/></g>"#,
            "x: its transforms lead too far away",
        ),
    ];
    for (element, reason) in invalid {
        let rest = r#"<rect id="a" width="5" height="5"/>"#;
        let report = drawing("wrong", &format!("{rest}\n{element}\n<rect id=\"b\" x=\"5\" width=\"5\" height=\"5\"/>"));
        assert_eq!(report.errors, [format!("error: level.svg, line 3: {reason}")]);
        assert_eq!(report.pairs(), ["a touches b normal 1.0000 0.0000 depth 0.0000"]);
        assert!(report.lines.iter().any(|line| line.ends_with(", 1 wrong")), "{:?}", report.lines);
        assert_eq!(report.code, 1);
    }
}

#[test]
fn an_invalid_file_is_reported_with_line_and_reason() {
    let laughs: String = ('b'..='m')
        .map(|c| format!("<!ENTITY {c} \"{}\">", format!("&{};", (c as u8 - 1) as char).repeat(9)))
        .collect();
    let root = format!("{ROOT}>");
    let clones: String =
        (1..9).map(|n| format!("<g id=\"g{n}\">{}</g>", format!("<use href=\"#g{}\"/>", n - 1).repeat(10))).collect();
    let files: [(Vec<u8>, &str); 9] = [
        (b"".into(), "line 1: not well-formed XML: the file is empty"),
        (b"<html>\n</html>".into(), "line 1: not an SVG drawing: the outermost element is <html>"),
        (b"\n<svg/>".into(), "line 2: the <svg> element lacks xmlns=\"http://www.w3.org/2000/svg\""),
        (format!("{root}\n<g>\n</svg>").into(), "line 3: not well-formed XML: expected 'g' tag, not 'svg'"),
        (
            format!("{root}\n<g>\n<rect").into(),
            "line 3: not well-formed XML: the root node was opened but never closed",
        ),
        (b"<svg>\n\xff</svg>".into(), "line 2: not UTF-8; save it in that encoding"),
        (
            format!("<!DOCTYPE svg [<!ENTITY a \"ha\">{laughs}]>\n<svg>&m;</svg>").into(),
            "line 1: not well-formed XML: a possible entity reference loop is detected",
        ),
        (
            format!("{root}\n{}{}</svg>", "<g>".repeat(5000), "</g>".repeat(5000)).into(),
            "line 2: more than 256 elements within each other",
        ),
        (
            format!("{root}<g id=\"g0\"><circle r=\"1\"/></g>\n{clones}</svg>").into(),
            "line 2: more than 200000 elements, those by <use> counted each time",
        ),
    ];
    for (bytes, reason) in files {
        let report = file("bad", &bytes);
        assert_eq!(report.errors, [format!("error: level.svg, {reason}")]);
        assert_eq!((report.code, report.lines.len(), report.picture.len()), (1, 0, 0), "{reason}");
    }
}

#[test]
fn an_unreadable_file_is_reported() {
    let folder = folder("missing");
    for name in ["nowhere.svg", "."] {
        let output = run(&folder, &[name]);
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.starts_with(&format!("error: {name} cannot be read: ")), "{errors}");
    }
}

#[test]
fn the_picture_contains_the_drawing_the_outlines_and_the_contacts() {
    let content = r#"<style>path { fill: red } a > b {}</style>
        <circle id="one" cx="20" cy="20" r="10" fill="&#x23;abc"/><circle id="two &amp; three" cx="35" cy="20" r="10"/>
        <circle id="alone" cx="100" cy="20" r="10"/><script>alert(1)</script>"#;
    let report = drawing("picture", content);
    let picture = roxmltree::Document::parse(&report.picture).unwrap();
    let ids: Vec<_> = picture.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids, ["one", "two & three", "alone"]);
    let titles = picture.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    let titles: Vec<_> = titles.filter_map(|node| node.text()).map(str::trim).collect();
    assert_eq!(titles, ["one", "two & three", "alone", "one touches two & three, depth 5.0000"]);
    assert!(!report.picture.contains("alert"));
    let points = r#"<line id="a"/><line id="b"/>"#;
    let smallest = file("points", format!("{ROOT}>{points}</svg>").as_bytes());
    assert!(smallest.lines[0].starts_with("a touches b ") && !smallest.picture.contains("NaN"));
}

#[test]
fn the_command_line_has_help_an_output_option_and_exit_codes() {
    let folder = folder("options");
    let help = String::from_utf8(run(&folder, &["--help"]).stdout).unwrap();
    assert!(help.contains("--output") && help.contains("Exit status"));
    for arguments in [&["--loud"][..], &["a.svg", "b.svg"], &["-o"]] {
        let output = run(&folder, arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        assert!(output.stderr.starts_with(b"error: "));
    }
    assert!(run(&folder, &["--output", "elsewhere.svg"]).status.success());
    // The report is printed even if the picture cannot be written.
    let output = run(&folder, &["--output", "."]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), false));
    assert!(output.stderr.starts_with(b"error: . cannot be written: "));
    assert!(folder.join("elsewhere.svg").exists() && !folder.join("collision_test.collisions.svg").exists());
}
