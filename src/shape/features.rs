//! The closest features of two polygons: a side and what lies across it, or two corners. They are chosen in `f32` and
//! measured in `f64`, and the answer stands where it proves itself.
//!
//! Overlapping, what is chosen is the side with the least way out, and any side that `f32` cannot tell from it will do.
//! Apart, a corner straight above a side is nearest to it, and so are two corners if neither shape has a point beyond
//! its own, along the line between them.
//!
//! Source: M. C. Lin, J. F. Canny, *A fast algorithm for incremental distance calculation* (ICRA 1991).

use glam::{DVec2, Vec2};

use super::contact::Contact;
use super::family::{Core, Parallelogram, Points};
use super::separation::{Frame, Separation};
use super::{sides, zonotope};
use crate::math::tolerance::{FACE, SCREEN, TOUCHING};

/// Where two polygons are nearest to each other or, overlapping, deepest in each other.
pub(super) struct Features {
    /// Whether the polygon with the side, the owner, is the first.
    pub(super) of_a: bool,
    /// Unit vector from the owner to the other.
    pub(super) normal: DVec2,
    /// Points of the owner, relative to its centre, the one with the least gap first: two where side lies along side,
    /// otherwise the same one twice.
    pub(super) on_owner: [DVec2; 2],
    /// How far the other's points lie from these along the normal; negative behind them.
    pub(super) gaps: [f64; 2],
}

impl Features {
    /// The separation of the cores.
    pub(super) fn separation(&self, frame: &Frame) -> Separation {
        let (on_owner, on_other) = (self.on_owner[0], self.on_owner[0] + self.normal * self.gaps[0]);
        let (normal, [on_a, on_b]) = if self.of_a {
            (self.normal, [on_owner, on_other])
        } else {
            (-self.normal, [on_other, on_owner].map(|point| frame.offset + point))
        };
        Separation { gap: self.gaps[0], normal, on_a, on_b, origin: frame.origin, tolerance: frame.tolerance }
    }

    /// The contact of the cores, swollen by discs with these radii.
    pub(super) fn contact(&self, frame: &Frame, radii: [f64; 2]) -> Contact {
        let (normal, center, [own, others]) = if self.of_a {
            (self.normal, DVec2::ZERO, radii)
        } else {
            (-self.normal, frame.offset, [radii[1], radii[0]])
        };
        let middle = |index: usize| {
            let point = self.on_owner[index] + self.normal * ((own + self.gaps[index] - others) * 0.5);
            (frame.origin.as_dvec2() + (center + point)).as_vec2()
        };
        let depth = own + others - self.gaps[0];
        Contact::new(normal.as_vec2(), if depth > 0.0 { depth as f32 } else { 0.0 }, [middle(0), middle(1)])
    }
}

/// Why there are no features to tell.
pub(super) enum Missing {
    /// The polygons are further apart than asked for.
    Beyond,
    /// Too close to call, or nothing has a length: a question for the authority.
    Unclear,
}

/// The closest features of two cores, if they are no more than `limit` apart.
#[inline(always)]
pub(super) fn closest(a: &Core<'_>, b: &Core<'_>, frame: &Frame, limit: f64) -> Result<Features, Missing> {
    let offset = frame.offset.as_vec2();
    // What `f32` sees beyond this certainly is.
    let reach = (limit + 2.0 * doubt(frame)) as f32;
    match (a, b) {
        (Core::Few(Parallelogram { len: 1, .. }), Core::Few(Parallelogram { len: 1, .. })) => {
            let point = &[Vec2::ZERO][..];
            corners(point, point, [DVec2::ZERO; 2], frame.offset, frame, limit)
        }
        (Core::Few(a), Core::Few(b)) => of_like(a, b, zonotope::deepest(a, b, frame.offset, reach)?, frame, limit),
        (Core::Few(a), Core::Many(b)) => {
            let outline = a.outline().ok_or(Missing::Unclear)?;
            let side = sides::deepest(&outline[..a.len], b, offset, reach)?;
            of_unlike(a, *b, side, frame, limit)
        }
        (Core::Many(a), Core::Few(b)) => {
            let outline = b.outline().ok_or(Missing::Unclear)?;
            let side = sides::deepest(a, &outline[..b.len], offset, reach)?;
            of_unlike(*a, b, side, frame, limit)
        }
        (Core::Many(a), Core::Many(b)) => of_like(*a, *b, sides::deepest(a, b, offset, reach)?, frame, limit),
    }
}

/// A side of one of two outlines.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// Whether it is one of the first outline.
    pub(super) of_a: bool,
    /// The index of its start.
    pub(super) index: usize,
}

/// What `f32` cannot tell from nothing.
fn doubt(frame: &Frame) -> f64 {
    frame.tolerance * (f64::from(SCREEN) / TOUCHING)
}

/// What a side of one of two cores of a kind says. Compiled once for all shapes with such cores.
#[inline(never)]
fn of_like<P>(a: &P, b: &P, side: Side, frame: &Frame, limit: f64) -> Result<Features, Missing>
where
    P: Points + ?Sized,
{
    let (owner, other, offset) = if side.of_a { (a, b, frame.offset) } else { (b, a, -frame.offset) };
    across(owner, other, side, offset, frame, limit)
}

/// The same for cores of two kinds.
#[inline(never)]
fn of_unlike<P, Q>(a: &P, b: &Q, side: Side, frame: &Frame, limit: f64) -> Result<Features, Missing>
where
    P: Points + ?Sized,
    Q: Points + ?Sized,
{
    if side.of_a {
        across(a, b, side, frame.offset, frame, limit)
    } else {
        across(b, a, side, -frame.offset, frame, limit)
    }
}

/// What a side of `owner` says about `other`, whose centre is `offset` away.
#[inline]
fn across<P, Q>(owner: &P, other: &Q, side: Side, offset: DVec2, frame: &Frame, limit: f64) -> Result<Features, Missing>
where
    P: Points + ?Sized,
    Q: Points + ?Sized,
{
    let (start, edge) = owner.edge(side.index);
    let length = edge.length();
    let tangent = edge / length;
    let normal = -tangent.perp();
    let [deepest, before, after] = other.corner(edge.perp());
    // The points are subtracted first and the centres second, so that exchanging the shapes negates every number
    // exactly and the answer is the same.
    let place = (deepest - start) + offset;
    let gap = place.dot(normal);
    if gap - limit > frame.tolerance {
        return Err(Missing::Beyond);
    }
    let at = place.dot(tangent);
    let end = clamp(at, length);
    // Of the deepest point's neighbours the one that makes a flat side with it, if any: the side's other end, how much
    // less deep it is, and how much of it lies across the owner's.
    let sides = [before, after].map(|neighbour| {
        let (rise, along) = ((neighbour - deepest).dot(normal), (neighbour - deepest).dot(tangent));
        let across = if rise <= FACE * along.abs() { clamp(at + along, length) - end } else { 0.0 };
        (across, rise, along)
    });
    let (across, rise, along) = if sides[0].0.abs() > sides[1].0.abs() { sides[0] } else { sides[1] };
    // Overlapping, what `f32` takes for the side with the least way out may have nothing of the other across it: then
    // the place is elsewhere.
    let faces = at == end || (across != 0.0 && rise <= frame.tolerance);
    if faces && (gap < -doubt(frame) || gap > frame.tolerance) {
        let slope = if across != 0.0 { rise / along } else { 0.0 };
        Ok(Features {
            of_a: side.of_a,
            normal,
            on_owner: [end, end + across].map(|along| start + tangent * along),
            gaps: [gap, gap + slope * across],
        })
    } else if gap > frame.tolerance {
        let corner = if at > 0.0 { start + edge } else { start };
        let found = corners(owner, other, [corner, deepest], offset, frame, limit);
        found.map(|features| Features { of_a: side.of_a, ..features })
    } else {
        Err(Missing::Unclear)
    }
}

/// A place along a side, or the side's end before or after it.
#[inline]
fn clamp(at: f64, length: f64) -> f64 {
    let at = if at > 0.0 { at } else { 0.0 };
    if at < length { at } else { length }
}

/// What a corner of each says.
#[inline]
fn corners<P, Q>(
    owner: &P,
    other: &Q,
    at: [DVec2; 2],
    offset: DVec2,
    frame: &Frame,
    limit: f64,
) -> Result<Features, Missing>
where
    P: Points + ?Sized,
    Q: Points + ?Sized,
{
    let between = (at[1] - at[0]) + offset;
    let beyond = (owner.furthest(between) - at[0]).dot(between);
    let before = (at[1] - other.furthest(-between)).dot(between);
    let gap = between.length();
    if !(beyond <= 0.0 && before <= 0.0 && gap > frame.tolerance) {
        Err(Missing::Unclear)
    } else if gap - limit > frame.tolerance {
        Err(Missing::Beyond)
    } else {
        Ok(Features { of_a: true, normal: between / gap, on_owner: [at[0]; 2], gaps: [gap; 2] })
    }
}
