//! The definition of the separation: over all directions `u`, the most that `B` is beyond `A`. Positive it is the
//! distance, negative the depth. It takes the world shapes as exact and answers with an interval that holds the true
//! value, so that what it says is a proof. It shares no code with the crate.

use glam::{Affine2, DMat2, DVec2, Vec2};
use hitgraph::{Attachment, Shape};

use super::exact::Exact;

/// A shape at its place in the world: a polygon swollen by a disc and by the image of a disc, or one that only its own
/// support function knows.
#[derive(Clone)]
pub struct Swollen {
    center: DVec2,
    /// How far it was moved from there: added last, so that a short way is not lost far from the origin.
    moved: DVec2,
    core: Vec<DVec2>,
    /// Of a round disc.
    radius: f64,
    /// What takes the unit disc to a squashed one; zero for none.
    matrix: DMat2,
    own: Option<(Attachment, DMat2)>,
    exact: Option<Exact>,
}

impl Swollen {
    /// A built-in shape whose centre is `at`.
    pub fn of(shape: &Shape, at: Vec2) -> Self {
        // Seen from there, coordinates are the offsets that the shape keeps, bit by bit.
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
        let exact = Exact::new(shape, &near, at);
        let (center, radius) = (center.as_dvec2(), f64::from(radius));
        Self { center, moved: DVec2::ZERO, core, radius, matrix, own: None, exact }
    }

    /// A shape of one's own.
    pub fn own(shape: &Attachment, at: &Affine2) -> Self {
        let (center, matrix) = (at.translation.as_dvec2(), at.matrix2.as_dmat2());
        let own = Some((shape.clone(), matrix));
        let (moved, core) = (DVec2::ZERO, vec![DVec2::ZERO]);
        Self { center, moved, core, radius: 0.0, matrix: DMat2::ZERO, own, exact: None }
    }

    pub fn point(at: Vec2) -> Self {
        let (center, core) = (at.as_dvec2(), vec![DVec2::ZERO]);
        Self { center, moved: DVec2::ZERO, core, radius: 0.0, matrix: DMat2::ZERO, own: None, exact: None }
    }

    pub fn moved(&self, by: DVec2) -> Self {
        Self { moved: self.moved + by, exact: None, ..self.clone() }
    }

    /// Whether it is nothing but a polygon and a round disc.
    pub fn is_round(&self) -> bool {
        self.matrix == DMat2::ZERO && !self.is_own()
    }

    /// Whether only its support function is known.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The point furthest along a direction, relative to the centre, without the round disc.
    fn furthest(&self, along: DVec2) -> DVec2 {
        if let Some((shape, matrix)) = &self.own {
            let local = (matrix.transpose() * along).normalize_or_zero();
            return *matrix * shape.shape().support(local.as_vec2()).as_dvec2();
        }
        let further = |best: DVec2, point: &DVec2| if point.dot(along) > best.dot(along) { *point } else { best };
        let core = self.core[1..].iter().fold(self.core[0], further);
        core + self.matrix * (self.matrix.transpose() * along).normalize_or_zero()
    }

    /// In the world, the ends of the side that faces a direction, or of what is next to it: nothing that a side leans by is
    /// as little as this.
    pub fn side(&self, normal: DVec2) -> [DVec2; 2] {
        let swell = normal * self.radius;
        [-1e-5, 1e-5].map(|lean| self.center + self.moved + self.furthest(normal + normal.perp() * lean) + swell)
    }

    /// How far it reaches from its centre.
    pub fn extent(&self) -> f64 {
        if self.is_own() {
            return [DVec2::X, DVec2::Y].map(|axis| self.furthest(axis).length()).iter().sum();
        }
        let core = self.core.iter().map(|point| point.length()).fold(0.0, f64::max);
        core + self.radius + self.matrix.x_axis.length() + self.matrix.y_axis.length()
    }
}

/// What is known of the gap of two shapes.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// It is no less than this.
    pub least: f64,
    /// And no more than this.
    pub most: f64,
    /// The direction, from the first to the second, in which it is at least `least`.
    pub normal: DVec2,
    /// The size of the numbers: the distance of the centres and both sizes.
    pub scale: f64,
}

impl Gap {
    /// A unit in the last place of an `f32` of this scale.
    pub fn unit(&self) -> f64 {
        f64::from(f32::EPSILON) * self.scale
    }

    /// Whether the shapes share a point, if they are clear of touching by more than `doubt`.
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

/// Rounding of all that is below, as a part of the scale: some dozen operations in `f64`.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How narrow the interval becomes: relative to the gap, and to the scale.
const NARROW: [f64; 2] = [1e-3, 2.0 * ROUNDING];

/// The signed gap of two shapes.
///
/// Of the difference `K = A - B` some points on the border are known, each the furthest in its direction. Their polygon
/// lies in `K`, so the origin is as deep in `K` as in the polygon, or deeper; and it is outside of `K` by as much as by
/// one of the directions, or more. New directions are put in where the polygon is nearest to the origin, until the two
/// agree.
pub fn gap(a: &Swollen, b: &Swollen) -> Gap {
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
        let [of_gap, of_scale] = NARROW;
        let narrow = (least - radius).abs().max((most - radius).abs()) * of_gap + of_scale * scale;
        let (from, to) = (ring[index], ring[(index + 1) % ring.len()]);
        let outward = if inside { -(to.1 - from.1).perp() } else { -nearest };
        let mut is_new = false;
        if most - least > narrow && round < 400 {
            for along in [outward, from.0 + to.0] {
                is_new |= along.try_normalize().is_some_and(|along| insert(&mut ring, along, &vertex));
            }
        }
        if !is_new {
            let doubt = ROUNDING * scale;
            return Gap { least: least - radius - doubt, most: most - radius + doubt, normal, scale };
        }
    }
    unreachable!("some round is the last")
}

/// Puts a direction between its neighbours, unless it is there already.
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

/// The edge of a polygon that is nearest to the origin, the nearest point on it, and whether the origin lies inside.
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

/// How far the second shape is beyond the first along a unit vector. The gap is no less.
pub fn apart(a: &Swollen, b: &Swollen, along: DVec2) -> f64 {
    let offset = (b.center - a.center) + (b.moved - a.moved);
    (offset - (a.furthest(along) - b.furthest(-along))).dot(along) - (a.radius + b.radius)
}

/// Whether no two copies of the shapes can be deeper in each other than touching: both are points, or on parallel lines.
pub fn are_flat(a: &Swollen, b: &Swollen) -> bool {
    let lines = |shape: &Swollen| shape.core.iter().map(|point| *point - shape.core[0]).collect::<Vec<_>>();
    let lines = [lines(a), lines(b)].concat();
    let parallel = lines.iter().all(|p| lines.iter().all(|q| p.perp_dot(*q) == 0.0));
    parallel && a.is_round() && b.is_round() && a.radius + b.radius == 0.0
}

/// The part of a motion of the first shape until the two touch, never later than that. `None` if they stay apart. Where it
/// overlaps already, it is 0.
pub fn first_touch(a: &Swollen, b: &Swollen, motion: DVec2) -> Option<f64> {
    let mut part = 0.0;
    for _ in 0..200 {
        let gap = gap(&a.moved(motion * part), b);
        let approach = gap.normal.dot(motion);
        if gap.least <= 0.0 {
            break;
        }
        part += gap.least / approach;
        if approach <= 0.0 || part > 1.0 {
            return None;
        }
    }
    Some(part)
}

/// The part of a motion of the first shape at which the gap is least, and no less than what it is there. (While one of them
/// moves straight on, the gap of two convex shapes falls first and rises then.)
pub fn least_gap(a: &Swollen, b: &Swollen, motion: DVec2) -> (f64, f64) {
    let at = |part: f64| gap(&a.moved(motion * part), b);
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = (0.0, f64::INFINITY);
    for round in 0..64 {
        let part = match round {
            0 => 0.0,
            1 => 1.0,
            _ => (low + high) * 0.5,
        };
        let gap = at(part);
        if gap.most < best.1 {
            best = (part, gap.most);
        }
        let approach = gap.normal.dot(motion);
        (low, high) = if approach > 0.0 { (part, high) } else { (low, part) };
        if low == 1.0 || high == 0.0 || approach == 0.0 {
            break;
        }
    }
    best
}

/// Whether two shapes share a point, without any rounding; `None` unless both are polygons swollen by round discs.
pub fn touches_exactly(a: &Swollen, b: &Swollen) -> Option<bool> {
    Some(a.exact.as_ref()?.touches(b.exact.as_ref()?))
}
