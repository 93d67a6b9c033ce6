//! A log-log plot of the time of a frame against the number of colliders.

use std::fmt::Write as _;

use crate::report::{Mark, time};
use crate::scheme::SCHEME;

const SIZE: [f64; 2] = [720.0, 420.0];
const FRAME: [f64; 4] = [70.0, 20.0, 560.0, 370.0];
/// Visible on light and on dark paper.
const GRID: &str = "#80889066";
const COLORS: [(&str, &str); 5] = [
    ("hitgraph", "#d6336c"),
    ("parry2d", "#1c7ed6"),
    ("rapier2d", "#2f9e44"),
    ("Box2D", "#e8590c"),
    ("brute force", "#868e96"),
];

pub fn svg(marks: &[Mark]) -> String {
    let bounds = |values: &dyn Fn(&Mark) -> f64| {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (least, most) =
            marks.iter().map(|mark| values(mark).log10()).fold(start, |(least, most), v| (least.min(v), most.max(v)));
        [least.floor(), most.ceil().max(least.floor() + 1.0)]
    };
    let (across, up) = (bounds(&|mark| mark.count as f64), bounds(&|mark| mark.seconds));
    let [left, top, right, bottom] = FRAME;
    let x = |log: f64| left + (right - left) * (log - across[0]) / (across[1] - across[0]);
    let y = |log: f64| bottom - (bottom - top) * (log - up[0]) / (up[1] - up[0]);

    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" class=\"scheme\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <style>{SCHEME}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
         <g fill=\"currentColor\">\n"
    );
    for decade in across[0] as i32..=across[1] as i32 {
        let at = x(decade.into());
        let _ = writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"{GRID}\"/>");
        let count = format!("{}", 10_f64.powi(decade));
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{count}</text>", bottom + 20.0);
    }
    for decade in up[0] as i32..=up[1] as i32 {
        let at = y(decade.into());
        let _ = writeln!(svg, "<path d=\"M{left} {at:.1}H{right}\" stroke=\"{GRID}\"/>");
        let label = decade_of_time(decade);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 8.0, at + 4.0);
    }
    let middle = (left + right) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">colliders, all moving (W1): time of a frame</text>",
        bottom + 42.0
    );
    let mut labels = Vec::new();
    for (system, color) in COLORS {
        let mut points: Vec<_> = marks.iter().filter(|mark| mark.system == system).collect();
        points.sort_by_key(|mark| mark.count);
        let at = |mark: &Mark| [x((mark.count as f64).log10()), y(mark.seconds.log10())];
        let line: Vec<_> = points.iter().map(|mark| at(mark)).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"/>",
            line.join(" ")
        );
        for mark in &points {
            let [x, y] = at(mark);
            let tooltip = format!("{system}, {} colliders: {}", mark.count, time(mark.seconds));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"><title>{tooltip}</title></circle>"
            );
        }
        if let Some(last) = points.last() {
            labels.push((at(last), system, color));
        }
    }
    // Labels are next to the last point, and moved apart if they would overlap.
    labels.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]));
    let mut last = f64::NEG_INFINITY;
    for ([x, y], system, color) in labels {
        last = y.max(last + 16.0);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{system}</text>", x + 10.0, last + 4.0);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn decade_of_time(decade: i32) -> String {
    let value = |unit: i32| 10_f64.powi(decade - unit).round();
    match decade {
        ..-6 => format!("{} ns", value(-9)),
        -6..-3 => format!("{} µs", value(-6)),
        -3..0 => format!("{} ms", value(-3)),
        _ => format!("{} s", value(0)),
    }
}
