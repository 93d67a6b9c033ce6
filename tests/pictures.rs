//! The comparison of pictures in the example `pictures`: which changes count as differences.

#[path = "../examples/pictures/compare.rs"]
mod compare;

use compare::difference;

#[test]
fn numbers_within_rounding_are_no_difference() {
    let old = r##"<path d="M1.25-.5l-3 .75z" style="stroke:#2980ba"/>"##;
    for (from, to) in [("1.25", "1.27"), ("-.5", "-.48"), ("-3 .75", "-2.98 .76"), ("1.25", "1.250"), ("\"M", "\" M")] {
        let new = old.replace(from, to);
        assert_ne!(new, old);
        assert_eq!(difference(old, &new), None, "{from} became {to}");
    }
}

#[test]
fn other_changes_are_differences() {
    let old = "<svg>\n<path d=\"M1.25-.5l-3 .75z\" style=\"stroke:#2980ba\"/>\n<text>piece 1</text>\n</svg>";
    for (from, to) in [
        ("1.25", "1.28"),
        ("-.5", ".5"),
        ("-3 .75", "-6 .75"),
        ("z", ""),
        ("l-3 .75", "l-3 .75 1 1"),
        ("#2980ba", "#2981ba"),
        ("piece", "Piece"),
        ("\n</svg>", ""),
    ] {
        let new = old.replace(from, to);
        assert_ne!(new, old);
        assert!(difference(old, &new).is_some(), "{from} became {to}");
        assert!(difference(&new, old).is_some(), "{to} became {from}");
    }
    let message = difference(old, &old.replace("1.25", "4")).unwrap();
    assert_eq!(message, "line 2: it was 1.25, now it is 4");
}
