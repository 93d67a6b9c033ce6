//! The region that a fill rule fills, as convex pieces.

use glam::{DVec2, Vec2};
use hitgraph::{Aabb, Compound, Polygon, Shape};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::float::simplify::SimplifyShape;
use i_overlay::float::slice::FloatSlice;

use super::path::Subpath;
use super::remark::Reason;

type Contour = Vec<[f64; 2]>;
/// An outline, followed by its holes.
type Outline = Vec<Contour>;

/// The maximum number of points of an outline. Dividing a comb into convex pieces takes quadratic time.
const MOST_POINTS: usize = 10_000;
/// The maximum number of pairs of sides that may cross, because their boxes overlap.
const MOST_CROSSINGS: usize = 500_000;
/// The maximum number of pairs of sides that are compared for this.
const MOST_COMPARED: usize = 100_000_000;

/// Returns the inside of an outline as convex pieces.
pub fn inside(outline: &[Vec2]) -> Result<Vec<Shape>, Reason> {
    if outline.len() > MOST_POINTS {
        return Err(Reason::TooLarge(format!("an outline of more than {MOST_POINTS} points")));
    }
    match Polygon::convex(outline) {
        Ok(polygon) => Ok(vec![polygon.into()]),
        Err(_) => Ok(Compound::from_outline(outline)?.pieces().to_vec()),
    }
}

/// Returns the filled region of closed subpaths, which may cross and contain each other, as convex pieces.
pub fn region(subpaths: &[&Subpath], even_odd: bool) -> Result<Vec<Shape>, Reason> {
    if may_cross_too_often(subpaths) {
        return Err(Reason::TooLarge("it crosses itself too often".to_owned()));
    }
    let wide = |point: &Vec2| point.as_dvec2().to_array();
    let contours: Vec<Contour> = subpaths.iter().map(|subpath| subpath.points.iter().map(wide).collect()).collect();
    let rule = if even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
    let mut pieces = Vec::new();
    for outline in contours.simplify_shape(rule) {
        for part in without_holes(outline) {
            let points: Vec<Vec2> = part.into_iter().map(|point| DVec2::from(point).as_vec2()).collect();
            pieces.extend(inside(&points)?);
        }
    }
    Ok(pieces)
}

/// Returns `true` if so many sides may cross that the region would need too much memory.
fn may_cross_too_often(subpaths: &[&Subpath]) -> bool {
    let side = |points: &Subpath, index: usize| {
        Aabb::from_points([points.points[index], points.points[(index + 1) % points.points.len()]])
    };
    let sides = subpaths.iter().flat_map(|points| (0..points.points.len()).map(move |index| side(points, index)));
    let mut sides: Vec<Aabb> = sides.collect();
    sides.sort_by(|a, b| a.min.x.total_cmp(&b.min.x));
    let (mut crossing, mut compared) = (0, 0);
    for (index, side) in sides.iter().enumerate() {
        for other in sides[index + 1..].iter().take_while(|other| other.min.x <= side.max.x) {
            compared += 1;
            crossing += usize::from(other.min.y <= side.max.y && side.min.y <= other.max.y);
            if crossing > MOST_CROSSINGS || compared > MOST_COMPARED {
                return true;
            }
        }
    }
    false
}

/// Cuts an outline along a vertical line through each hole, which leaves parts without holes.
fn without_holes(outline: Outline) -> Vec<Contour> {
    let (mut parts, mut remaining) = (Vec::new(), vec![outline]);
    // Each cut opens at least the holes that it was made for.
    while let Some(mut outline) = remaining.pop() {
        if outline.len() <= 1 {
            parts.extend(outline.pop());
            continue;
        }
        let [_, bottom, _, top] = bounds(&outline[0]);
        let height = top - bottom;
        let cut = |hole: &Contour| {
            let [left, _, right, _] = bounds(hole);
            let x = f64::midpoint(left, right);
            vec![[x, bottom - height], [x, top + height]]
        };
        let cuts: Vec<Contour> = outline[1..].iter().map(cut).collect();
        let cut_up = outline.slice_by(&cuts, FillRule::NonZero);
        let holes = |outlines: &[Outline]| outlines.iter().map(|outline| outline.len() - 1).sum::<usize>();
        if holes(&cut_up) < outline.len() - 1 {
            remaining.extend(cut_up);
        } else {
            // The holes are too thin to be cut.
            parts.push(outline.swap_remove(0));
        }
    }
    parts
}

/// Returns left, bottom, right and top.
fn bounds(contour: &[[f64; 2]]) -> [f64; 4] {
    let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    contour
        .iter()
        .fold(start, |[left, bottom, right, top], [x, y]| [left.min(*x), bottom.min(*y), right.max(*x), top.max(*y)])
}
