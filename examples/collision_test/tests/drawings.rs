//! The reading of drawings as programs save them, and the end of hostile ones in a message.

mod program;

use std::fs;
use std::path::Path;

use program::{ROOT, drawing, file, file_with, folder, run};

/// Returns the summary of a drawing on a page of 200 x 100 units with this content.
fn options(test: &str, content: &str, options: &[&str]) -> program::Report {
    file_with(test, format!("{ROOT} viewBox=\"0 0 200 100\">\n{content}\n</svg>").as_bytes(), options)
}

/// The names of the touching pairs.
fn names(report: &program::Report) -> Vec<String> {
    let name = |line: &&str| line.split(" normal ").next().unwrap_or_default().to_owned();
    report.pairs().iter().map(name).collect()
}

/// A circle that is almost a point.
fn dot(id: &str, x: f64, y: f64) -> String {
    format!(r#"<circle id="{id}" cx="{x}" cy="{y}" r="0.01"/>"#)
}

#[test]
fn drawings_of_four_programs_print_the_golden_reports() {
    let drawings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../drawings");
    for name in [
        "inkscape_island",
        "inkscape_machine",
        "illustrator_car",
        "illustrator_robot",
        "figma_dashboard",
        "affinity_aquarium",
    ] {
        let path = drawings.join(name).with_extension("svg");
        let output = run(&folder(name), &[path.to_str().unwrap()]);
        assert!(output.status.success() && output.stderr.is_empty(), "{name}");
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name).with_extension("txt");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), fs::read_to_string(golden).unwrap(), "{name}");
    }
}

#[test]
fn closed_paths_are_solid_and_open_ones_are_lines() {
    let report = drawing(
        "paths",
        &[
            r#"<path id="closed" d="M10 10h30v30h-30z"/><path id="ends-at-start" d="M50 10h30v30h-30V10"/>"#,
            r#"<path id="open" d="M90 10h30v30h-30"/><path id="both" d="M130 10h30v30h-30zM165 10V40"/>"#,
            &dot("in-closed", 25.0, 25.0),
            &dot("in-ends-at-start", 65.0, 25.0),
            &dot("in-open", 105.0, 25.0),
            &dot("on-open", 105.0, 10.0),
            &dot("in-both", 145.0, 25.0),
            &dot("on-both", 165.0, 25.0),
        ]
        .concat(),
    );
    let expected = [
        "closed touches in-closed",
        "ends-at-start touches in-ends-at-start",
        "open touches on-open",
        "both touches in-both",
        "both touches on-both",
    ];
    assert_eq!(names(&report), expected);
}

#[test]
fn curves_are_within_the_tolerance_of_the_true_curve() {
    // A circle of two arcs of radius 40 around (50, 50), within a group that is four times as large.
    let content = |reach: f64| {
        format!(
            r#"<g transform="scale(4)"><path id="disc" d="M10 50A40 40 0 0 1 90 50A40 40 0 0 1 10 50Z"/></g>{}"#,
            (0..90)
                .map(|step| {
                    let (sin, cos) = f64::from(step).to_radians().sin_cos();
                    dot(&format!("at-{step}"), 200.0 + reach * cos, 200.0 + reach * sin)
                })
                .collect::<String>()
        )
    };
    for (tolerance, margin) in [("0.05", 0.06), ("1", 1.1)] {
        let inside = options("inside", &content(160.0 - margin), &["--tolerance", tolerance]);
        let outside = options("outside", &content(160.0 + margin), &["--tolerance", tolerance]);
        assert_eq!((inside.pairs().len(), outside.pairs().len()), (90, 0), "{tolerance}");
    }
}

#[test]
fn the_fill_rule_determines_the_holes() {
    // Two squares in the same winding, the smaller inside the larger, and a pentagram.
    let rings = "M10 10h40v40h-40z m10 10h20v20h-20z";
    let pentagram = "M100 10L123 82L62 38H138L77 82z";
    for (rule, expected) in [("evenodd", vec![]), ("nonzero", vec!["ring touches hole", "star touches middle"])] {
        let report = drawing(
            "holes",
            &[
                &format!(r#"<g fill-rule="{rule}"><path id="ring" d="{rings}"/><path id="star" d="{pentagram}"/></g>"#),
                &dot("hole", 30.0, 30.0)[..],
                &dot("middle", 100.0, 50.0),
            ]
            .concat(),
        );
        assert_eq!(names(&report), expected, "{rule}");
        assert!(report.errors.is_empty());
    }
    let opposite = drawing(
        "opposite",
        &[
            r#"<path id="ring" d="M10 10h40v40h-40zM20 20v20h20v-20z"/>"#,
            &dot("hole", 30.0, 30.0),
            &dot("rim", 15.0, 30.0),
        ]
        .concat(),
    );
    assert_eq!(names(&opposite), ["ring touches rim"]);
}

#[test]
fn invalid_paths_are_errors_and_empty_ones_are_not_drawn() {
    let report = drawing("bad-paths", r#"<path id="bad" d="M0 0L9"/><path id="move" d="M5 5"/><path id="none"/>"#);
    let error = r#"error: level.svg, line 2: bad: d="M0 0L9": unexpected end of stream"#;
    assert_eq!(report.errors, [error]);
    assert_eq!(
        report.lines[..3],
        [
            "not drawn move, line 2: it has no lines",
            "not drawn none, line 2: it has no lines",
            "0 nodes with 0 colliders, 0 pairs touching, 1 wrong, 2 not drawn",
        ]
    );
}

#[test]
fn style_sheets_decide_which_shapes_are_drawn() {
    let style = r"<style>/* first */ .gone { display: none } .clear, .back { fill: none }
        circle.ghost { visibility: hidden } #shown { visibility: visible !important }
        .big { r: 9 }</style><style type='text/css'><![CDATA[.clear { stroke: none }]]></style>";
    let shapes = [
        r#"<rect id="floor" width="150" height="50"/><circle class="gone" r="9"/><circle class="a clear" r="9"/>"#,
        r#"<circle class="ghost" r="9"/><circle id="shown" class="ghost" cx="20" r="9"/>"#,
        r#"<circle id="inline" class="gone" style="display:inline" cx="50" r="9"/>"#,
        r#"<circle id="grown" class="big" cx="80" r="1"/><g opacity="0"><circle r="9"/></g>"#,
        r#"<g stroke="red"><circle id="ring" class="back" cx="110" r="9"/></g>"#,
    ];
    let report = drawing("css", &[style, &shapes.concat()].concat());
    let expected = ["floor touches shown", "floor touches inline", "floor touches grown", "floor touches ring"];
    assert_eq!(names(&report), expected);
    assert!(report.lines.iter().any(|line| line.ends_with("4 hidden")), "{:?}", report.lines);
}

#[test]
fn css_transforms_are_read() {
    let places = [
        ("translate(10px, 5px)", (15.0, 8.0)),
        ("translateX(1in) translateY(10%)", (101.0, 13.0)),
        ("rotate(90deg)", (-3.0, 5.0)),
        ("rotate(0.25turn)", (-3.0, 5.0)),
        ("rotate(100grad) scale(2, 1)", (-3.0, 10.0)),
        ("scaleX(3) scaleY(50%)", (15.0, 1.5)),
        ("skewX(45deg)", (8.0, 3.0)),
        ("matrix(1, 0, 0, 1, 7, 8)", (12.0, 11.0)),
        ("rotate(180deg); transform-origin: 10px 10px", (15.0, 17.0)),
        ("rotate(180deg); transform-origin: center", (195.0, 97.0)),
    ];
    for (transform, (x, y)) in places {
        let moved = format!(r#"<g style="transform: {transform}"><circle id="moved" cx="5" cy="3" r="0.001"/></g>"#);
        let report = drawing("css-transforms", &[moved, dot("there", x, y)].concat());
        assert_eq!(report.pairs().len(), 1, "{transform}: {:?} {:?}", report.lines, report.errors);
    }
}

#[test]
fn nested_drawings_and_symbols_are_scaled_to_their_region() {
    let square = r#"<rect id="square" width="10" height="10"/>"#;
    let content = [
        &format!(r#"<svg id="inner" x="20" y="10" width="40" height="20" viewBox="0 0 10 10">{square}</svg>"#),
        &format!(r#"<symbol id="tile" viewBox="0 0 10 10" preserveAspectRatio="none">{square}</symbol>"#),
        r##"<use id="wide" href="#tile" x="100" width="60" height="30"/>"##,
        // The square is in the middle of the wide region: from 30 to 50.
        &dot("left-of-inner", 29.0, 20.0)[..],
        &dot("in-inner", 31.0, 20.0),
        &dot("end-of-inner", 49.0, 29.0),
        &dot("in-wide", 159.0, 29.0),
        &dot("below-wide", 159.0, 31.0),
    ]
    .concat();
    let report = drawing("nested", &content);
    assert_eq!(
        names(&report),
        ["square touches in-inner", "square touches end-of-inner", "wide/square touches in-wide"]
    );
}

#[test]
fn labels_are_names_and_repeated_ones_have_the_id_appended() {
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
        xmlns:serif="http://www.serif.com/">
        <rect id="rect1" inkscape:label="left wall" width="9" height="9"/>
        <rect id="rect2" inkscape:label="left wall" x="9" width="9" height="9"/>
        <rect id="rect3" serif:id="right wall" x="18" width="9" height="9"/>
        <rect id="rect4" data-name="tail" x="27" width="9" height="9"/>
        <rect id="last_x0020_one" x="36" width="9" height="9"/></svg>"#;
    let expected = [
        "left wall touches left wall#rect2",
        "left wall#rect2 touches right wall",
        "right wall touches tail",
        "tail touches last one",
    ];
    assert_eq!(names(&file("labels", text.as_bytes())), expected);
}

const LAYERS: &str = r#"<g xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:groupmode="layer" i:label="Ground">
    <rect id="floor" width="150" height="50"/><rect id="step" y="40" width="20" height="20"/></g>
    <g id="Things"><circle id="ball" cx="50" r="9"/><circle id="hoop" cx="55" r="9"/></g>
    <g id="Notes" xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" s:insensitive="true">
    <circle id="note" cx="100" r="9"/></g>"#;

#[test]
fn options_choose_which_pairs_are_reported() {
    let all =
        ["floor touches step", "floor touches ball", "floor touches hoop", "floor touches note", "ball touches hoop"];
    let cases: [(&[&str], &[usize], &str); 7] = [
        (&[], &[0, 1, 2, 3, 4], "8 nodes with 5 colliders, 5 pairs touching"),
        (&["--skip-locked"], &[0, 1, 2, 4], "6 nodes with 4 colliders, 4 pairs touching, 1 left out"),
        (&["--ignore", "hoop"], &[0, 1, 3], "7 nodes with 4 colliders, 3 pairs touching, 1 left out"),
        (&["--ignore", "Ground"], &[4], "5 nodes with 3 colliders, 1 pair touching, 1 left out"),
        (&["--layer", "Ground"], &[0], "5 nodes with 2 colliders, 1 pair touching, 3 left out"),
        (
            &["--layer", "Ground", "--layer", "Things"],
            &[0, 1, 2, 4],
            "7 nodes with 4 colliders, 4 pairs touching, 1 left out",
        ),
        (&["--between-layers"], &[1, 2, 3], "8 nodes with 5 colliders, 3 pairs touching"),
    ];
    for (arguments, expected, summary) in cases {
        let report = options("layers", LAYERS, arguments);
        let expected: Vec<&str> = expected.iter().map(|index| all[*index]).collect();
        assert_eq!(names(&report), expected, "{arguments:?}");
        assert!(report.lines.iter().any(|line| line == summary), "{arguments:?}: {:?}", report.lines);
    }
    let unknown = options("unknown", LAYERS, &["--layer", "Sky", "--ignore", "hoop"]);
    assert_eq!(unknown.errors, ["error: level.svg has no element named Sky"]);
    assert_eq!(unknown.code, 1);
    let wrong = options("tolerance", LAYERS, &["--tolerance", "0"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.errors[0].contains("the tolerance must be a positive number"), "{:?}", wrong.errors);
}

#[test]
fn a_shape_as_large_as_the_page_is_mentioned_and_not_tested() {
    let content =
        r#"<rect id="paper" x="-1" y="-1" width="202" height="102"/><rect id="half" width="100" height="100"/>"#;
    let report = drawing("background", content);
    assert_eq!(report.pairs().len(), 0);
    assert_eq!(report.lines[0], "background paper, line 2: as large as the page, so it is not tested");
    assert_eq!(names(&options("kept", content, &["--keep-background"])), ["paper touches half"]);
}

#[test]
fn each_kind_that_has_no_effect_is_reported_once_with_its_lines() {
    let texts = "<text>a</text>\n".repeat(12);
    let clipped = r##"<g clip-path="url(#a)"><rect width="9" height="9" style="mask:url(#b)" filter="none"/></g>"##;
    let report = drawing("kinds", &format!("{texts}<image/>\n{clipped}<style>@media print {{ a {{ r: 1 }} }}</style>"));
    assert_eq!(
        report.lines[1..3],
        [
            "not supported yet: 1 @media (line 15), 1 image (line 14), 12 text (lines 2, 3, 4, 5, 6, 7, 8, 9 and 4 more)",
            "without effect: 1 clip-path (line 15), 1 mask (line 15)",
        ]
    );
}

#[test]
fn a_switch_shows_its_first_child_without_requirements() {
    let content = r#"<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/"/>
        <rect id="german" systemLanguage="de" width="9" height="9"/>
        <g><rect id="first" width="9" height="9"/><circle id="second" r="5"/></g>
        <circle id="third" r="5"/></switch>"#;
    assert_eq!(names(&drawing("switch", content)), ["first touches second"]);
}

#[test]
fn two_thousand_circles_in_one_place_list_some_pairs_and_state_how_many_are_left_out() {
    let report = drawing("stack", &"<circle cx=\"50\" cy=\"50\" r=\"10\"/>\n".repeat(2000));
    assert_eq!(report.pairs().len(), 10_000);
    assert_eq!(
        report.lines[10_000..],
        [
            "not listed: 1989000 more pairs",
            "2000 nodes with 2000 colliders, 1999000 pairs touching",
            "wrote level.collisions.svg",
        ]
    );
    assert!(report.picture.len() < 2_000_000, "{}", report.picture.len());
    assert!(report.picture.contains("of the first 2000 pairs"));
}

#[test]
fn twenty_thousand_small_circles_are_tested() {
    let circle = |index: usize| format!("<circle cx=\"{}\" cy=\"{}\" r=\"2\"/>\n", index % 200 * 5, index / 200 * 5);
    let report = drawing("many", &(0..20_000).map(circle).collect::<String>());
    assert_eq!(report.lines[0], "20000 nodes with 20000 colliders, 0 pairs touching");
}

#[test]
fn drawings_that_would_take_too_long_end_in_a_message() {
    let attributes: String = (0..100_000).map(|index| format!(" a{index}='<&lt;>'").replace('<', "")).collect();
    let rules: String = (0..2000).map(|index| format!(".c{index}{{fill:red}}")).collect();
    let curve = "C0 99 99 99 99 0".repeat(100_000);
    let cases = [
        (format!("<rect{attributes}/>"), "line 2: an element with more than 1000 attributes"),
        (
            format!("<style>{rules}</style>{}", "<g/>".repeat(20_000)),
            "line 2: its style sheets have too many rules for this many elements",
        ),
        (format!("<path d=\"M0 0{curve}\"/>"), "line 2: more than 1000000 points in all paths"),
    ];
    for (content, reason) in cases {
        let report = drawing("costly", &content);
        assert_eq!(report.errors, [format!("error: level.svg, {reason}")]);
        assert_eq!(report.code, 1);
    }
    let zigzag: String = (0..2000).map(|index| format!("L{} {}", index % 2 * 900, index * 389 % 1000)).collect();
    let comb: String = (0..10_001).map(|index| format!("L{index} {}", index % 2 * 900)).collect();
    let refused = drawing("refused", &format!("<path id='a' d='M0 0{zigzag}z'/><path id='b' d='M0 0{comb}z'/>"));
    assert_eq!(
        refused.lines[..2],
        ["refused a, line 2: it crosses itself too often", "refused b, line 2: an outline of more than 10000 points",]
    );
    assert_eq!(refused.code, 0);
}
