//! Conversion of paths to colliders.

use std::cell::Cell;

use glam::{DVec2, Vec2};
use hitgraph::{Attachment, Compound, Polyline, Segment, Shape};
use kurbo::{BezPath, PathEl, Point, flatten};
use svgtypes::{SimplePathSegment, SimplifyingPathParser};

use super::region::{inside, region};
use super::remark::Reason;
use super::units::finite;

/// The smallest tolerance, as a part of the path's extent, so that no curve has very many points.
const FINEST: f64 = 1e-6;

/// The way in which paths become colliders.
pub struct Fill<'a> {
    /// The distance of a curve from the lines that replace it, in the frame of the element.
    pub tolerance: f64,
    /// `true` if the fill rule is `evenodd`.
    pub even_odd: bool,
    /// The number of points that paths may still have. It is 0 after a path that has more.
    pub points_left: &'a Cell<usize>,
}

/// A path of straight lines.
pub struct Subpath {
    pub points: Vec<Vec2>,
    pub closed: bool,
}

/// Returns the subpaths of path data, with lines in place of curves.
pub fn flattened(data: &str, fill: &Fill<'_>) -> Result<Vec<Subpath>, Reason> {
    let curves = curves(data)?;
    let extent = curves.control_box();
    let tolerance = fill.tolerance.max(FINEST * extent.width().max(extent.height())).max(f64::MIN_POSITIVE);
    let mut subpaths: Vec<Subpath> = Vec::new();
    let mut points_left = fill.points_left.get();
    flatten(curves, tolerance, |element| {
        points_left = points_left.saturating_sub(1);
        match (element, subpaths.last_mut()) {
            _ if points_left == 0 => {}
            (PathEl::MoveTo(to), _) => subpaths.push(Subpath { points: vec![narrow(to)], closed: false }),
            (PathEl::LineTo(to), Some(last)) => last.points.push(narrow(to)),
            (PathEl::ClosePath, Some(last)) => last.closed = true,
            _ => {}
        }
    });
    fill.points_left.set(points_left);
    // A move without a line draws nothing.
    subpaths.retain(|subpath| subpath.closed || subpath.points.len() > 1);
    for subpath in &mut subpaths {
        let ends_at_start = subpath.points[0].distance(subpath.points[subpath.points.len() - 1]) <= tolerance as f32;
        subpath.closed |= subpath.points.len() > 3 && ends_at_start;
    }
    if subpaths.is_empty() { Err(Reason::Nothing("it has no lines")) } else { Ok(subpaths) }
}

fn narrow(point: Point) -> Vec2 {
    DVec2::new(point.x, point.y).as_vec2()
}

fn curves(data: &str) -> Result<BezPath, Reason> {
    let mut path = BezPath::new();
    for segment in SimplifyingPathParser::from(data) {
        path.push(match segment.map_err(|error| Reason::value("d", data, error))? {
            SimplePathSegment::MoveTo { x, y } => PathEl::MoveTo(point(data, x, y)?),
            SimplePathSegment::LineTo { x, y } => PathEl::LineTo(point(data, x, y)?),
            SimplePathSegment::Quadratic { x1, y1, x, y } => PathEl::QuadTo(point(data, x1, y1)?, point(data, x, y)?),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                PathEl::CurveTo(point(data, x1, y1)?, point(data, x2, y2)?, point(data, x, y)?)
            }
            SimplePathSegment::ClosePath => PathEl::ClosePath,
        });
    }
    Ok(path)
}

fn point(data: &str, x: f64, y: f64) -> Result<Point, Reason> {
    Ok(Point::new(finite("d", data, x)?, finite("d", data, y)?))
}

/// Returns the collider of subpaths. Closed ones are solid, where the fill rule fills them; open ones are lines.
pub fn collider(subpaths: &[Subpath], fill: &Fill<'_>) -> Result<Attachment, Reason> {
    let (closed, open): (Vec<_>, Vec<_>) = subpaths.iter().partition(|subpath| subpath.closed);
    if let ([], [line]) = (&closed[..], &open[..]) {
        return Ok(Polyline::new(&line.points)?.into());
    }
    let mut pieces = match &closed[..] {
        [] => Vec::new(),
        [outline] => match inside(&outline.points) {
            Err(Reason::Shape(_)) => region(&closed, fill.even_odd)?,
            pieces => pieces?,
        },
        _ => region(&closed, fill.even_odd)?,
    };
    let sides = open.iter().flat_map(|line| line.points.windows(2));
    let sides = sides.map(|ends| Segment::try_new(ends[0], ends[1]).map(Shape::from));
    pieces.extend(sides.collect::<Result<Vec<_>, _>>()?);
    match pieces.pop() {
        None => Err(Reason::Nothing("it has no area")),
        Some(piece) if pieces.is_empty() => Ok(piece.into()),
        Some(piece) => {
            pieces.push(piece);
            Ok(Compound::new(pieces)?.into())
        }
    }
}
