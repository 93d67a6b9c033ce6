//! How far one shape moves until it touches another.
//!
//! Moved along a path, `A` touches `B` when the path reaches the difference `B - A`. Of two members of the family that
//! is a polygon swollen by their discs, so a sweep is a ray against one shape: a closed form, however fast and far.
//! Squashed discs of two kinds and users' shapes are left to conservative advancement, which never oversteps.
//!
//! Source of the last: B. Mirtich, *Impulse-based dynamic simulation of rigid body systems* (1996).

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::convex;
use super::family::{Disc, Hull, Mapped, Points, inverse, with_points};
use super::ray::{Ray, RayTouch, twice_area};
use super::separation::{Frame, separation_after};
use crate::math::Aabb;
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{GRAZING, ROUNDS, TOUCHING};

/// The way of a shape: it begins where the shape is, moved by `start`, and leads along `motion`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sweep {
    pub(crate) start: DVec2,
    pub(crate) motion: DVec2,
    /// The length of the motion.
    pub(crate) length: f64,
}

/// Where a moving shape touches one that keeps still.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweepTouch {
    /// The part of the motion until then.
    pub(crate) fraction: f64,
    /// Unit vector, out of what is touched.
    pub(crate) normal: DVec2,
}

/// Where two shapes that touch have their sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    /// The middle of what they share, on what is touched, in world space.
    pub(crate) point: DVec2,
    /// The length of what they share; 0 unless a face meets a face.
    pub(crate) width: f64,
}

/// The corners of a difference.
type Outline = SmallVec<[DVec2; 16]>;

impl Sweep {
    /// `None` for what is no motion: a zero or non-finite one.
    pub(crate) fn new(start: DVec2, motion: DVec2) -> Option<Self> {
        let length = motion.length();
        (start.is_finite() && length.is_finite() && length > 0.0).then_some(Self { start, motion, length })
    }

    /// The ray that the middle of a box follows, as far as `limit` times the motion, and how far the box reaches to all
    /// sides of it.
    pub(crate) fn of_box(&self, bounds: Aabb, limit: f64) -> (Ray, Vec2) {
        let (min, max) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
        let reach = ((max - min) * 0.5).as_vec2();
        let ray = Ray { origin: (min + max) * 0.5, direction: self.motion, length: limit };
        (ray, Vec2::new(reach.x.next_up(), reach.y.next_up()))
    }

    /// Where it is after a part of the motion.
    pub(crate) fn at(&self, fraction: f64) -> DVec2 {
        self.start + self.motion * fraction
    }

    /// The first touch, at most `limit` times the motion away.
    ///
    /// What begins touching is a touch at 0 if it approaches; so is what begins deeper in, wherever it leads.
    /// What is only brushed against, without going into it, is not touched.
    pub(crate) fn touch(&self, mover: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<SweepTouch> {
        let origin = mover.center.as_dvec2() - target.center.as_dvec2() + self.start;
        let ray = Ray { origin, direction: self.motion, length: limit };
        match mover.disc.and(&target.disc) {
            Some(Disc::Round(radius)) => self.enter(mover, target, &ray, radius),
            Some(Disc::Squashed(matrix)) => self.enter_squashed(mover, target, &ray, matrix),
            _ => self.advance(mover, target, limit),
        }
    }

    /// A polygon swollen by a disc.
    fn enter(&self, mover: &Hull<'_>, target: &Hull<'_>, ray: &Ray, radius: f64) -> Option<SweepTouch> {
        with_points!(&mover.core, a => with_points!(&target.core, b => {
            let entry = if radius > 0.0 {
                if is_beside(a, b, ray, radius) {
                    return None;
                }
                face(a, b, ray, radius)
            } else if has_area(a, b, ray.origin) {
                return self.enter_polygon(a, b, ray, graze(mover, target));
            } else {
                Entry::Unclear
            };
            let touch = match entry {
                Entry::Never => return None,
                Entry::Face(touch) if touch.fraction > ray.length => return None,
                Entry::Face(touch) => touch,
                Entry::Unclear if a.count() == 1 => {
                    Ray { origin: ray.origin + a.point(0), ..*ray }.enter_round(b, radius)?.into()
                }
                Entry::Unclear => ray.enter_round(&difference(a, b)[..], radius)?.into(),
            };
            if touch.fraction == 0.0 { self.begin(mover, target) } else { self.approaching(touch) }
        }))
    }

    /// A polygon with an area and without a disc: the path is inside from where it is behind all sides until it is
    /// before one again. Along a side or through a corner it is never inside.
    fn enter_polygon<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        a: &A,
        b: &B,
        ray: &Ray,
        graze: f64,
    ) -> Option<SweepTouch> {
        let (mut entry, mut exit) = ((f64::NEG_INFINITY, DVec2::ZERO), f64::INFINITY);
        let mut shallowest = (f64::NEG_INFINITY, DVec2::ZERO);
        let passes_by = any_side(a, b, ray.origin, |outward, height| {
            let length = outward.length();
            let (height, approach) = (height / length, -ray.direction.dot(outward) / length);
            if height > -graze && approach <= self.length * GRAZING {
                return true;
            }
            if height > shallowest.0 {
                shallowest = (height, outward / length);
            }
            let fraction = height / approach;
            if approach < 0.0 {
                exit = exit.min(fraction);
            } else if approach > 0.0 && fraction > entry.0 {
                entry = (fraction, outward / length);
            }
            false
        });
        let (fraction, normal) = entry;
        if passes_by {
            return None;
        }
        // Begun inside, the nearest side is the way out.
        if fraction <= 0.0 {
            return Some(SweepTouch { fraction: 0.0, normal: shallowest.1 });
        }
        let slack = slack(a, b, ray.origin);
        let passes = (exit - fraction) * self.length > slack;
        (passes && fraction <= ray.length).then_some(SweepTouch { fraction, normal })
    }

    /// A polygon swollen by a squashed disc: the same in the space in which that is a unit disc.
    fn enter_squashed(
        &self,
        mover: &Hull<'_>,
        target: &Hull<'_>,
        ray: &Ray,
        matrix: glam::DMat2,
    ) -> Option<SweepTouch> {
        let Some(map) = inverse(matrix) else { return self.advance(mover, target, ray.length) };
        let outline = with_points!(&mover.core, a => with_points!(&target.core, b => difference(a, b)));
        let mapped = Ray { origin: map * ray.origin, direction: map * ray.direction, length: ray.length };
        let touch = mapped.enter_round(&Mapped::new(&outline[..], DVec2::ZERO, map), 1.0)?;
        if touch.distance == 0.0 {
            return self.begin(mover, target);
        }
        // Normals are mapped by the transpose.
        let normal = (map.transpose() * touch.normal).normalize();
        self.approaching(SweepTouch { fraction: touch.distance, normal })
    }

    /// Shapes by their support functions alone.
    fn advance(&self, mover: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<SweepTouch> {
        let offset = target.center.as_dvec2() - mover.center.as_dvec2() - self.start;
        let tolerance = Frame::new(mover, target, self.start).tolerance;
        let mut touch = SweepTouch { fraction: 0.0, normal: DVec2::ZERO };
        for _ in 0..ROUNDS {
            let frame = Frame { offset: offset - self.motion * touch.fraction, origin: Vec2::ZERO, tolerance };
            let nearest = convex::nearest(&|u| mover.furthest(u), &|u| target.furthest(u), &frame, frame.offset);
            let Some(apart) = nearest.filter(|apart| apart.gap > tolerance) else { break };
            touch.normal = -apart.normal;
            touch.fraction += apart.gap / self.approaching(touch).map(|touch| -self.motion.dot(touch.normal))?;
            if touch.fraction > limit {
                return None;
            }
        }
        if touch.fraction == 0.0 { self.begin(mover, target) } else { Some(touch) }
    }

    /// What begins touching or deeper in.
    fn begin(&self, mover: &Hull<'_>, target: &Hull<'_>) -> Option<SweepTouch> {
        let apart = separation_after(mover, target, self.start);
        let touch = SweepTouch { fraction: 0.0, normal: -apart.normal };
        if apart.gap < -graze(mover, target) { Some(touch) } else { self.approaching(touch) }
    }

    /// A touch, unless the motion leads away or along.
    fn approaching(&self, touch: SweepTouch) -> Option<SweepTouch> {
        (-self.motion.dot(touch.normal) > self.length * GRAZING).then_some(touch)
    }

    /// Where the two meet that touch.
    pub(crate) fn meeting(&self, mover: &Hull<'_>, target: &Hull<'_>, touch: &SweepTouch) -> Meeting {
        let moved = self.at(touch.fraction);
        if mover.disc.and(&target.disc).is_none() {
            // The rounding of the normal moves the furthest point of a needle from one end to the other.
            let apart = separation_after(mover, target, moved);
            return Meeting { point: mover.center.as_dvec2() + moved + apart.on_b, width: 0.0 };
        }
        let tangent = touch.normal.perp();
        let from_target = mover.center.as_dvec2() - target.center.as_dvec2() + moved;
        let near = Side::new(target, touch.normal, tangent);
        let far = Side::new(mover, -touch.normal, tangent);
        let shift = from_target.dot(tangent);
        let (from, to) = (near.low.max(far.low + shift), near.high.min(far.high + shift));
        let along = ((from + to) * 0.5).clamp(near.low, near.high);
        let on_target = touch.normal * near.height + tangent * along;
        Meeting { point: target.center.as_dvec2() + on_target, width: (to - from).max(0.0) }
    }
}

/// The side of a shape that faces a direction: how far out it is, and from where to where it reaches along a tangent,
/// all relative to the shape's centre.
struct Side {
    height: f64,
    low: f64,
    high: f64,
}

impl Side {
    fn new(shape: &Hull<'_>, direction: DVec2, tangent: DVec2) -> Self {
        let swell = match shape.disc {
            Disc::Round(radius) => direction * radius,
            Disc::Squashed(_) | Disc::BlackBox(_) => shape.furthest(direction) - shape.core.furthest(direction),
        };
        let (height, [low, high]) = with_points!(&shape.core, points => span(points, direction, tangent));
        let along = swell.dot(tangent);
        Self { height: height + swell.dot(direction), low: low + along, high: high + along }
    }
}

impl From<RayTouch> for SweepTouch {
    fn from(touch: RayTouch) -> Self {
        Self { fraction: touch.distance, normal: touch.normal }
    }
}

/// How a path enters a polygon swollen by a disc, as far as its sides tell.
enum Entry {
    /// It stays outside one of them.
    Never,
    /// Through this one.
    Face(SweepTouch),
    /// By a corner, or it begins inside.
    Unclear,
}

/// Whether a path leads past a polygon swollen by a disc, however far it goes.
fn is_beside<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, ray: &Ray, radius: f64) -> bool {
    let across = ray.direction.perp();
    let reach = radius * radius * across.length_squared();
    [across, -across].into_iter().any(|outward| {
        let height = ray.origin.dot(outward) + lowest(b, -outward) + lowest(a, outward);
        height > 0.0 && height * height > reach
    })
}

/// The side that a path comes behind last: if it does so beside the side itself, that is where it enters.
fn face<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, ray: &Ray, radius: f64) -> Entry {
    let (mut last, mut side) = (0.0, DVec2::ZERO);
    let stays_outside = any_side(a, b, ray.origin, |outward, height| {
        // Heights are times the length of the side.
        let squared = outward.length_squared();
        if height <= 0.0 || height * height <= radius * radius * squared {
            return false;
        }
        let approach = -ray.direction.dot(outward);
        let distance = height - radius * squared.sqrt();
        if distance > last * approach {
            (last, side) = (distance / approach, outward);
        }
        let short = distance - approach * ray.length;
        // What begins touching by rounding stays for the corners to tell, however short the way.
        short > 0.0 && short > slack(a, b, ray.origin) * squared.sqrt()
    });
    if stays_outside {
        return Entry::Never;
    }
    let Some(normal) = side.try_normalize() else { return Entry::Unclear };
    let tangent = normal.perp();
    let ([low, high], [from, to]) = (span(b, normal, tangent).1, span(a, -normal, tangent).1);
    let beside = (low - to..=high - from).contains(&ray.at(last).dot(tangent));
    if beside { Entry::Face(SweepTouch { fraction: last, normal }) } else { Entry::Unclear }
}

/// Whether `test` holds for a side of the difference `b - a`, given its outward normal and how far outside of it a
/// point is, both times the side's length.
fn any_side<A: Points + ?Sized, B: Points + ?Sized>(
    a: &A,
    b: &B,
    point: DVec2,
    mut test: impl FnMut(DVec2, f64) -> bool,
) -> bool {
    for index in 0..b.count() {
        let (start, edge) = b.edge(index);
        let outward = -edge.perp();
        if edge != DVec2::ZERO && test(outward, (point - start).dot(outward) + lowest(a, outward)) {
            return true;
        }
    }
    for index in 0..a.count() {
        let (start, edge) = a.edge(index);
        let outward = edge.perp();
        if edge != DVec2::ZERO && test(outward, (point + start).dot(outward) + lowest(b, -outward)) {
            return true;
        }
    }
    false
}

/// The least height of points in a direction.
#[inline]
fn lowest<P: Points + ?Sized>(points: &P, direction: DVec2) -> f64 {
    (1..points.count()).fold(points.point(0).dot(direction), |least, index| {
        let height = points.point(index).dot(direction);
        if height < least { height } else { least }
    })
}

/// Whether `a`, moved, is certainly further from `b` than `reach`.
pub(crate) fn is_beyond(a: &Hull<'_>, b: &Hull<'_>, moved: DVec2, reach: f64) -> bool {
    let (Disc::Round(p), Disc::Round(q)) = (a.disc, b.disc) else { return false };
    let offset = a.center.as_dvec2() - b.center.as_dvec2() + moved;
    let reach = p + q + reach;
    with_points!(&a.core, a => with_points!(&b.core, b => any_side(a, b, offset, |outward, height| {
        height > 0.0 && height * height > reach * reach * outward.length_squared()
    })))
}

/// The rounding of a height.
fn slack<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, offset: DVec2) -> f64 {
    (a.extent() + b.extent() + offset.abs().element_sum()) * TOUCHING
}

/// Whether the difference certainly has an area: one of them has, or they do not lie along one line.
fn has_area<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, offset: DVec2) -> bool {
    let rounding = slack(a, b, offset) * (a.extent() + b.extent());
    twice_area(a).max(twice_area(b)) > rounding || spread(a).perp_dot(spread(b)).abs() > rounding
}

/// From the first of some points to the one that is furthest from it.
fn spread<P: Points + ?Sized>(points: &P) -> DVec2 {
    let ways = (1..points.count()).map(|index| points.point(index) - points.point(0));
    ways.fold(DVec2::ZERO, |best, way| if way.length_squared() > best.length_squared() { way } else { best })
}

/// How far points reach in a direction, and from where to where along a tangent those do that reach as far.
fn span<P: Points + ?Sized>(points: &P, direction: DVec2, tangent: DVec2) -> (f64, [f64; 2]) {
    let height = -lowest(points, -direction);
    let low_enough = height - points.extent() * GRAZING;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for index in 0..points.count() {
        let point = points.point(index);
        if point.dot(direction) >= low_enough {
            let along = point.dot(tangent);
            (low, high) = (if along < low { along } else { low }, if along > high { along } else { high });
        }
    }
    (height, [low, high])
}

/// How deep two shapes may overlap and still count as only touching: by the rounding of what they were made from.
pub(crate) fn graze(a: &Hull<'_>, b: &Hull<'_>) -> f64 {
    let places = f64::from(a.center.abs().max_element()) + f64::from(b.center.abs().max_element());
    // A position is off by half a unit in its last place, which is an eighth of this factor.
    (a.extent() + b.extent() + places * 0.125) * GRAZING
}

/// The outline of all `b - a`, counter-clockwise: the sides of both in the order of their directions.
///
/// Source: de Berg et al., *Computational Geometry* (2008), section 13.3.
fn difference<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B) -> Outline {
    let lowest = |count: usize, point: &dyn Fn(usize) -> DVec2| {
        let lower = |p: DVec2, q: DVec2| p.y < q.y || (p.y == q.y && p.x < q.x);
        (1..count).fold(0, |best, index| if lower(point(index), point(best)) { index } else { best })
    };
    let (n, m) = (a.count(), b.count());
    let (first_a, first_b) = (lowest(n, &|index| -a.point(index)), lowest(m, &|index| b.point(index)));
    let (mut i, mut j) = (0, 0);
    let mut outline = Outline::new();
    while i < n || j < m {
        let (of_a, of_b) = ((first_a + i) % n, (first_b + j) % m);
        let corner = b.point(of_b) - a.point(of_a);
        if outline.last() != Some(&corner) {
            outline.push(corner);
        }
        let (along_a, along_b) = (-a.edge(of_a).1, b.edge(of_b).1);
        let turn = if i == n {
            -1.0
        } else if j == m {
            1.0
        } else {
            turn(along_a, along_b)
        };
        // Where a shape overflows and there is no telling, both go on, so that this ends.
        i += usize::from(turn >= 0.0 || turn.is_nan());
        j += usize::from(turn <= 0.0 || turn.is_nan());
    }
    outline
}

/// Positive if the first direction comes before the second, counter-clockwise from the x axis; 0 if they are the same.
/// What has no length comes first.
fn turn(a: DVec2, b: DVec2) -> f64 {
    let lower_half = |v: DVec2| v.y < 0.0 || (v.y == 0.0 && v.x < 0.0);
    match (lower_half(a), lower_half(b)) {
        _ if a == DVec2::ZERO => 1.0,
        _ if b == DVec2::ZERO => -1.0,
        (false, true) => 1.0,
        (true, false) => -1.0,
        _ => a.perp_dot(b),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::shape::family::Family;
    use crate::shape::{Capsule, Circle, Rect};

    fn corners(points: &[[f64; 2]]) -> Outline {
        points.iter().copied().map(DVec2::from).collect()
    }

    /// Outlines, counter-clockwise, from their lowest corner, and of those as low from the first on the left.
    fn outlines() -> [Outline; 6] {
        [
            corners(&[[2.0, 1.0]]),
            corners(&[[-1.0, 0.0], [3.0, 0.0]]),
            corners(&[[0.0, -1.0], [0.0, 2.0]]),
            corners(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]),
            corners(&[[0.0, -2.0], [1.5, 1.0], [-2.0, 2.0]]),
            corners(&[[0.0, -3.0], [2.0, -2.0], [3.0, 1.0], [1.0, 3.0], [-1.0, 2.0], [-1.5, -1.0]]),
        ]
    }

    /// The same outline, begun at another corner.
    fn begun_at(outline: &Outline, index: usize) -> Outline {
        let mut turned = outline.clone();
        turned.rotate_left(index);
        turned
    }

    /// The corners of the hull of some points, from the lowest: the next is the one that has all others on its left.
    fn hull(points: &[DVec2]) -> Outline {
        let lower = |p: &&DVec2, q: &&DVec2| (p.y, p.x).partial_cmp(&(q.y, q.x)).unwrap();
        let mut hull = Outline::from_elem(*points.iter().min_by(lower).unwrap(), 1);
        loop {
            let last = hull[hull.len() - 1];
            let next = points.iter().copied().filter(|point| *point != last).reduce(|best, point| {
                let side = (best - last).perp_dot(point - last);
                let is_further = last.distance_squared(point) > last.distance_squared(best);
                if side < 0.0 || (side == 0.0 && is_further) { point } else { best }
            });
            match next {
                Some(next) if next != hull[0] => hull.push(next),
                _ => return hull,
            }
        }
    }

    #[test]
    fn the_outline_of_a_difference_is_that_of_all_differences_wherever_the_two_begin() {
        for a in outlines() {
            for b in outlines() {
                let all: Outline = a.iter().flat_map(|a| b.iter().map(|b| *b - *a)).collect();
                let expected = hull(&all);
                for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
                    let found = difference(&begun_at(&a, i)[..], &begun_at(&b, j)[..]);
                    assert_eq!(found, expected, "{b:?} - {a:?}");
                }
            }
        }
    }

    /// Without the corners at which an outline goes straight on or stays.
    fn without_straight_corners(outline: &Outline) -> Outline {
        let count = outline.len();
        let goes_on = |index: usize| {
            let [before, here, after] = [index + count - 1, index, index + 1].map(|index| outline[index % count]);
            let (to, from) = (here - before, after - here);
            from == DVec2::ZERO || (to.perp_dot(from) == 0.0 && to.dot(from) > 0.0)
        };
        (0..count).filter(|index| !goes_on(*index)).map(|index| outline[index]).collect()
    }

    #[test]
    fn straight_and_repeated_corners_leave_a_difference_as_it_is() {
        let odd = [
            corners(&[[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.5, 1.0], [-1.0, 1.0]]),
            corners(&[[0.0, -2.0], [1.0, -1.0], [2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-2.0, 0.0], [-1.0, -1.0]]),
            corners(&[[-1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [3.0, 0.0], [3.0, 0.0]]),
            corners(&[[0.0, -2.0], [1.5, 1.0], [1.5, 1.0], [-2.0, 2.0], [-2.0, 2.0], [0.0, -2.0]]),
        ];
        let diagonals = [corners(&[[-1.0, -1.0], [1.0, 1.0]]), corners(&[[1.0, -1.0], [-1.0, 1.0]])];
        let others = || outlines().into_iter().chain(diagonals.clone()).chain(odd.clone());
        for [a, b] in odd.iter().flat_map(|a| others().flat_map(|b| [[a.clone(), b.clone()], [b, a.clone()]])) {
            let all: Outline = a.iter().flat_map(|a| b.iter().map(|b| *b - *a)).collect();
            assert_eq!(without_straight_corners(&difference(&a[..], &b[..])), hull(&all), "{b:?} - {a:?}");
        }
    }

    /// Places on a grid.
    fn places(half: i32, step: f64) -> impl Iterator<Item = DVec2> {
        (-half..=half).flat_map(move |x| (-half..=half).map(move |y| DVec2::new(x.into(), y.into()) * step))
    }

    /// A side of an outline: its start, its direction, its length and its outward normal.
    struct Border(DVec2, DVec2, f64, DVec2);

    impl Border {
        fn all_of(outline: &Outline) -> impl Iterator<Item = Self> {
            let edges = (0..outline.len()).map(|index| outline[..].edge(index)).filter(|edge| edge.1 != DVec2::ZERO);
            edges.map(|(start, edge)| Self(start, edge.normalize(), edge.length(), -edge.perp().normalize()))
        }

        fn is_before(&self, point: DVec2, radius: f64) -> bool {
            (point - self.0).dot(self.3) > radius + 1e-9
        }

        /// Whether a point of the swollen side is clear of the discs at its ends.
        fn holds(&self, point: DVec2, radius: f64) -> bool {
            let along = (point - self.0).dot(self.1);
            ((point - self.0).dot(self.3) - radius).abs() < 1e-9 && along > 1e-3 && along < self.2 - 1e-3
        }
    }

    #[test]
    fn sides_tell_of_every_path_that_enters_through_one_or_stays_before_one() {
        let (radius, length) = (0.625, 1.5);
        let ways = [[9.0, 2.0], [-3.0, 7.5], [0.5, -4.0], [-6.0, 0.0], [0.0, 0.25]].map(DVec2::from);
        for [a, b] in outlines().into_iter().flat_map(|a| outlines().map(|b| [a.clone(), b])) {
            let outline = difference(&a[..], &b[..]);
            for ray in places(5, 1.75).flat_map(|origin| ways.map(|direction| Ray { origin, direction, length })) {
                let which = || format!("{b:?} - {a:?}, {ray:?}");
                let mut sides = Border::all_of(&outline);
                match (face(&a[..], &b[..], &ray, radius), ray.enter_round(&outline[..], radius)) {
                    (Entry::Never, touch) => assert!(touch.is_none(), "{}", which()),
                    (Entry::Face(told), touch) => {
                        let touch = touch.unwrap();
                        assert!((told.fraction - touch.distance).abs() < 1e-12, "{}", which());
                        assert!(told.normal.distance(touch.normal) < 1e-12, "{}", which());
                    }
                    (Entry::Unclear, Some(touch)) => {
                        let through = sides.any(|side| side.holds(ray.at(touch.distance), radius));
                        assert!(!through || touch.distance == 0.0, "{}", which());
                    }
                    (Entry::Unclear, None) => {
                        let ends = [ray.origin, ray.at(length)];
                        let stays = sides.any(|side| ends.iter().all(|end| side.is_before(*end, radius)));
                        assert!(!stays, "{}", which());
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_leads_beside_what_lies_all_on_one_side_of_it() {
        let radius = 0.625;
        for [a, b] in outlines().into_iter().flat_map(|a| outlines().map(|b| [a.clone(), b])) {
            let outline = difference(&a[..], &b[..]);
            for origin in places(5, 1.75) {
                for direction in [[9.0, 2.0], [-3.0, 7.5], [0.5, -4.0]].map(DVec2::from) {
                    let ray = Ray { origin, direction, length: 1.0 };
                    let off = |corner: &DVec2| (*corner - origin).dot(direction.perp().normalize());
                    let expected = outline.iter().all(|corner| off(corner) > radius)
                        || outline.iter().all(|corner| off(corner) < -radius);
                    assert_eq!(is_beside(&a[..], &b[..], &ray, radius), expected, "{b:?} - {a:?}, {ray:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_beyond_a_reach_is_further_away_and_told_wherever_a_side_faces_it() {
        let (plate, wall) =
            (Rect::new(3.0, 1.0).at(Vec2::new(1.0, -2.0)), Rect::new(0.5, 2.0).at(Vec2::new(-0.25, 1.0)));
        let (ball, pill) = (Circle::new(0.75).at(Vec2::new(-2.0, 0.5)), Capsule::new(Vec2::ZERO, Vec2::X * 2.0, 0.25));
        for [a, b] in [
            [plate.hull(), wall.hull()],
            [ball.hull(), plate.hull()],
            [wall.hull(), pill.hull()],
            [ball.hull(), pill.hull()],
        ] {
            for (moved, part) in places(8, 0.75).flat_map(|moved| [0.25, 0.99, 1.01, 1.75].map(|part| (moved, part))) {
                let apart = separation_after(&a, &b, moved);
                let told = is_beyond(&a, &b, moved, apart.gap * part);
                assert!(!told || part < 1.0 || apart.gap < 0.0, "{a:?} {b:?} {moved}");
                let faces = apart.gap > 0.0 && (apart.normal.x == 0.0 || apart.normal.y == 0.0);
                assert!(!faces || told == (part < 1.0), "{a:?} {b:?} {moved} {apart:?} {part}");
            }
        }
    }
}
