//! The oracle for the gap of two convex shapes. The gap is the maximum over all directions `u` of the separation of the
//! shapes along `u`: the distance if positive, minus the penetration depth if negative. The oracle takes the `f32`
//! world shapes as exact and returns an interval that is proved to contain the gap. It shares no code with the crate.

use glam::{Affine2, DMat2, DVec2, Vec2};
use hitgraph::{Attachment, Shape};

use super::exact::IntegerHull;

/// A shape in world space: the Minkowski sum of a polygon, a circle and an affine image of the unit disc, or a user
/// shape with a support function.
#[derive(Clone)]
pub struct OracleHull {
    center: DVec2,
    /// A translation, kept separate from the centre so that a short one is not lost to rounding far from the origin.
    moved: DVec2,
    core: Vec<DVec2>,
    /// The radius of the circle.
    radius: f64,
    /// The affine map of the unit disc; zero for no disc.
    matrix: DMat2,
    /// A user shape and the matrix of its node, instead of the fields above.
    user: Option<(Attachment, DMat2)>,
    exact: Option<IntegerHull>,
}

impl OracleHull {
    /// Returns the hull of a built-in shape in world space whose centre is `at`.
    pub fn of(shape: &Shape, at: Vec2) -> Self {
        // Relative to the centre, the coordinates are exactly the offsets that the shape stores.
        let near = shape.transformed(&Affine2::from_translation(-at));
        let points = |points: &mut dyn Iterator<Item = Vec2>| points.map(|p| p.as_dvec2()).collect::<Vec<_>>();
        let (center, core, radius, matrix) = match (shape, &near) {
            (Shape::Circle(circle), _) => (circle.center(), vec![DVec2::ZERO], circle.radius(), DMat2::ZERO),
            (Shape::Ellipse(ellipse), _) => (ellipse.center(), vec![DVec2::ZERO], 0.0, ellipse.matrix().as_dmat2()),
            (Shape::Rect(rect), _) => {
                let [x, y] = rect.half_axes().map(|axis| axis.as_dvec2());
                (rect.center(), vec![x + y, y - x, -x - y, x - y], 0.0, DMat2::ZERO)
            }
            (_, Shape::Segment(near)) => (at, points(&mut near.ends().into_iter()), 0.0, DMat2::ZERO),
            (_, Shape::Capsule(near)) => (at, points(&mut near.axis().ends().into_iter()), near.radius(), DMat2::ZERO),
            (_, Shape::Polygon(near)) => (at, points(&mut near.points()), 0.0, DMat2::ZERO),
            (_, Shape::Rounded(near)) => (at, points(&mut near.core().points()), 0.0, near.matrix().as_dmat2()),
            other => unreachable!("{other:?}"),
        };
        let exact = IntegerHull::new(shape, &near, at);
        let (center, radius) = (center.as_dvec2(), f64::from(radius));
        Self { center, moved: DVec2::ZERO, core, radius, matrix, user: None, exact }
    }

    /// Returns the hull of a user shape with a transform.
    pub fn user(shape: &Attachment, at: &Affine2) -> Self {
        let (center, matrix) = (at.translation.as_dvec2(), at.matrix2.as_dmat2());
        let user = Some((shape.clone(), matrix));
        let (moved, core) = (DVec2::ZERO, vec![DVec2::ZERO]);
        Self { center, moved, core, radius: 0.0, matrix: DMat2::ZERO, user, exact: None }
    }

    pub fn point(at: Vec2) -> Self {
        let (center, core) = (at.as_dvec2(), vec![DVec2::ZERO]);
        Self { center, moved: DVec2::ZERO, core, radius: 0.0, matrix: DMat2::ZERO, user: None, exact: None }
    }

    pub fn moved(&self, by: DVec2) -> Self {
        Self { moved: self.moved + by, exact: None, ..self.clone() }
    }

    /// Returns the hull after a rotation about a point and then a displacement.
    pub fn turned(&self, angle: f64, pivot: DVec2, displacement: DVec2) -> Self {
        let arm = (self.center - pivot) + self.moved;
        let (sin, half) = (angle.sin(), (angle * 0.5).sin());
        let moved = self.moved + displacement + arm.perp() * sin - arm * (2.0 * half * half);
        let turn = DMat2::from_angle(angle);
        let core = self.core.iter().map(|point| turn * *point).collect();
        let user = self.user.as_ref().map(|(shape, matrix)| (shape.clone(), turn * *matrix));
        Self { moved, core, matrix: turn * self.matrix, user, exact: None, ..*self }
    }

    /// Returns an upper bound of the distance of the hull's points from a point.
    pub fn reach_from(&self, point: DVec2) -> f64 {
        (self.center - point + self.moved).length() + self.extent()
    }

    /// Returns `true` if the hull is the sum of a polygon and a circle.
    pub fn is_round(&self) -> bool {
        self.matrix == DMat2::ZERO && !self.is_user()
    }

    /// Returns `true` for a user shape.
    pub fn is_user(&self) -> bool {
        self.user.is_some()
    }

    /// Returns the support point in a direction, relative to the centre, without the circle.
    fn furthest(&self, along: DVec2) -> DVec2 {
        if let Some((shape, matrix)) = &self.user {
            let local = (matrix.transpose() * along).normalize_or_zero();
            return *matrix * shape.collider().support(local.as_vec2()).as_dvec2();
        }
        let further = |best: DVec2, point: &DVec2| if point.dot(along) > best.dot(along) { *point } else { best };
        let core = self.core[1..].iter().fold(self.core[0], further);
        core + self.matrix * (self.matrix.transpose() * along).normalize_or_zero()
    }

    /// Returns the ends of the side that faces `normal`, in world space, or the same corner twice. Sides up to 1e-5
    /// radians from perpendicular to `normal` count.
    pub fn side(&self, normal: DVec2) -> [DVec2; 2] {
        let swell = normal * self.radius;
        [-1e-5, 1e-5].map(|lean| self.center + self.moved + self.furthest(normal + normal.perp() * lean) + swell)
    }

    /// Returns the size of the hull: an upper bound of the distance of its points from its centre, or for a user shape
    /// an estimate of it.
    pub fn extent(&self) -> f64 {
        if self.is_user() {
            return [DVec2::X, DVec2::Y].map(|axis| self.furthest(axis).length()).iter().sum();
        }
        let core = self.core.iter().map(|point| point.length()).fold(0.0, f64::max);
        core + self.radius + self.matrix.x_axis.length() + self.matrix.y_axis.length()
    }
}

/// An interval that contains the gap of two shapes.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// The lower bound of the gap.
    pub least: f64,
    /// The upper bound of the gap.
    pub most: f64,
    /// A unit vector, from the first shape to the second, along which the separation is at least `least`.
    pub normal: DVec2,
    /// The scale of the numbers: the sum of the distance of the centres and both extents.
    pub scale: f64,
}

impl Gap {
    /// Returns the unit of the error bounds: `f32::EPSILON` times the scale.
    pub fn unit(&self) -> f64 {
        f64::from(f32::EPSILON) * self.scale
    }

    /// Returns whether the shapes share a point, or `None` if the gap may be within `doubt` of zero.
    pub fn overlaps(&self, doubt: f64) -> Option<bool> {
        if self.least > doubt {
            Some(false)
        } else if self.most < -doubt {
            Some(true)
        } else {
            None
        }
    }
}

/// The rounding error of [`gap`] relative to the scale: a few dozen operations in `f64`.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The width at which the search ends, relative to the gap and to the scale; it ends at the sum of both.
const TARGET_WIDTH: [f64; 2] = [1e-3, 2.0 * ROUNDING];

/// Returns an interval that contains the signed gap of two shapes.
///
/// The function keeps a ring of directions with the support points of the Minkowski difference `K = A - B`. The polygon
/// of these points lies in `K`, so its distance from the origin is an upper bound of the gap. Each direction gives a
/// lower bound. The function adds directions where the polygon is nearest to the origin, until both bounds agree.
pub fn gap(a: &OracleHull, b: &OracleHull) -> Gap {
    let offset = (b.center - a.center) + (b.moved - a.moved);
    let radius = a.radius + b.radius;
    let scale = offset.length() + a.extent() + b.extent();
    let vertex = |along: DVec2| (along, a.furthest(along) - b.furthest(-along) - offset);
    let corners = [DVec2::ONE, DVec2::new(-1.0, 1.0), DVec2::NEG_ONE, DVec2::new(1.0, -1.0)];
    let mut ring: Vec<(DVec2, DVec2)> = corners.iter().map(|along| vertex(along.normalize())).collect();
    for round in 0.. {
        let depth = |(along, point): &(DVec2, DVec2)| point.dot(*along);
        let best = ring.iter().min_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap();
        let (normal, least) = (best.0, -depth(best));
        let (index, nearest, inside) = nearest(&ring);
        let most = if inside { -nearest.length() } else { nearest.length() };
        let [of_gap, of_scale] = TARGET_WIDTH;
        let width = (least - radius).abs().max((most - radius).abs()) * of_gap + of_scale * scale;
        let (from, to) = (ring[index], ring[(index + 1) % ring.len()]);
        let outward = if inside { -(to.1 - from.1).perp() } else { -nearest };
        let mut is_new = false;
        if most - least > width && round < 400 {
            for along in [outward, from.0 + to.0] {
                is_new |= along.try_normalize().is_some_and(|along| insert(&mut ring, along, &vertex));
            }
        }
        if !is_new {
            let doubt = ROUNDING * scale;
            return Gap { least: least - radius - doubt, most: most - radius + doubt, normal, scale };
        }
    }
    unreachable!("round 400 adds no direction")
}

/// Inserts a direction between its neighbours. Returns `false` if the ring contains it already.
fn insert(ring: &mut Vec<(DVec2, DVec2)>, along: DVec2, vertex: &impl Fn(DVec2) -> (DVec2, DVec2)) -> bool {
    let count = ring.len();
    let between = |index: &usize| {
        let (from, to) = (ring[*index].0, ring[(*index + 1) % count].0);
        from.perp_dot(along) > 0.0 && along.perp_dot(to) > 0.0
    };
    let Some(index) = (0..count).find(between) else { return false };
    ring.insert(index + 1, vertex(along));
    true
}

/// Returns the index of the polygon's edge that is nearest to the origin, the nearest point on it, and whether the
/// origin lies inside.
fn nearest(ring: &[(DVec2, DVec2)]) -> (usize, DVec2, bool) {
    let mut best = (0, DVec2::INFINITY);
    let mut inside = false;
    for index in 0..ring.len() {
        let (from, to) = (ring[index].1, ring[(index + 1) % ring.len()].1);
        let edge = to - from;
        let along = if edge == DVec2::ZERO { 0.0 } else { (-from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0) };
        let point = from + edge * along;
        if point.length_squared() < best.1.length_squared() {
            best = (index, point);
        }
        if (from.y > 0.0) != (to.y > 0.0) && (from.perp_dot(to) > 0.0) == (to.y > from.y) {
            inside = !inside;
        }
    }
    (best.0, best.1, inside)
}

/// Returns the separation of two shapes along a unit vector, which is a lower bound of the gap.
pub fn separation_along(a: &OracleHull, b: &OracleHull, along: DVec2) -> f64 {
    let offset = (b.center - a.center) + (b.moved - a.moved);
    (offset - (a.furthest(along) - b.furthest(-along))).dot(along) - (a.radius + b.radius)
}

/// Returns `true` if the shapes never penetrate, wherever they are moved: both are points or lie on parallel lines.
pub fn are_flat(a: &OracleHull, b: &OracleHull) -> bool {
    let lines = |shape: &OracleHull| shape.core.iter().map(|point| *point - shape.core[0]).collect::<Vec<_>>();
    let lines = [lines(a), lines(b)].concat();
    let parallel = lines.iter().all(|p| lines.iter().all(|q| p.perp_dot(*q) == 0.0));
    parallel && a.is_round() && b.is_round() && a.radius + b.radius == 0.0
}

/// Returns a lower bound of the fraction of the first shape's displacement at which the two first touch: 0 if they
/// overlap at the start, `None` if they stay apart. Uses conservative advancement.
pub fn first_touch(a: &OracleHull, b: &OracleHull, displacement: DVec2) -> Option<f64> {
    let mut fraction = 0.0;
    for _ in 0..200 {
        let gap = gap(&a.moved(displacement * fraction), b);
        let approach = gap.normal.dot(displacement);
        if gap.least <= 0.0 {
            break;
        }
        fraction += gap.least / approach;
        if approach <= 0.0 || fraction > 1.0 {
            return None;
        }
    }
    Some(fraction)
}

/// Returns the fraction of the first shape's displacement at which the gap is least, and an upper bound of that gap.
/// The gap of two convex shapes is a convex function of the fraction, so bisection finds the minimum.
pub fn least_gap(a: &OracleHull, b: &OracleHull, displacement: DVec2) -> (f64, f64) {
    let at = |fraction: f64| gap(&a.moved(displacement * fraction), b);
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = (0.0, f64::INFINITY);
    for round in 0..64 {
        let fraction = match round {
            0 => 0.0,
            1 => 1.0,
            _ => (low + high) * 0.5,
        };
        let gap = at(fraction);
        if gap.most < best.1 {
            best = (fraction, gap.most);
        }
        let approach = gap.normal.dot(displacement);
        (low, high) = if approach > 0.0 { (fraction, high) } else { (low, fraction) };
        if low == 1.0 || high == 0.0 || approach == 0.0 {
            break;
        }
    }
    best
}

/// Returns whether two shapes share a point, without rounding, or `None` unless both are sums of a polygon and a
/// circle.
pub fn touches_exactly(a: &OracleHull, b: &OracleHull) -> Option<bool> {
    Some(a.exact.as_ref()?.touches(b.exact.as_ref()?))
}
