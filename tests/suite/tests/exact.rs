//! Every pair of shapes against an oracle with proved bounds, in random cases with many near ties.
//!
//! A unit is the unit in the last place of an `f32` as large as the scale of the case: the distance of the two centres
//! plus both sizes. Environment variables set the number of cases and the seed; `docs/testing.md` describes them.

use std::fmt;

use glam::{Affine2, DAffine2, DVec2, Vec2, vec2};
use hitgraph::{Aabb, Attachment, Contact, Node, Scene, Shape, Transform};
use support::cases;
use support::dice::Dice;
use support::naive::ensure;
use support::oracle::{Gap, OracleHull, gap, touches_exactly};
use support::{BUILT_IN, KINDS, Kind, Numbers};

/// The number of cases, unless the environment sets another.
const CASES: u64 = 100_000;

/// Units from touching within which either answer is correct, for user shapes, whose support points are `f32`.
const USER_SHAPE_UNITS: f64 = 4.0;

/// Units from touching within which either answer is correct, for ellipses. (The specified bound is 4.)
const ELLIPSE_UNITS: f64 = 1.0;

/// Units by which the shapes may still overlap after a move by slightly more than the depth, as the normal is `f32`.
const SEPARATION_UNITS: f64 = 4.0;

/// The error bound of a depth or distance: a relative part and a part in units.
const MEASURE_TOLERANCE: [f64; 2] = [0.01, 16.0];

/// Units of the scale and of its coordinates by which a returned point may lie off the surface.
const POINT_UNITS: f64 = 2.0;

/// The part of the scale by which a point may lie off the surface if two faces touch: the sine of their angle.
const FACE_TILT: f64 = 1e-4;

/// The position of the second shape relative to the first.
#[derive(Debug, Clone, Copy)]
enum Arrangement {
    Random,
    Concentric,
    /// The same shape at the same position.
    Coincident,
    /// Touching, then separated by this part of the scale. A negative part makes the shapes overlap.
    NearTouch(f64),
}

/// The distribution of sizes and scales.
#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// About one unit; half of the values are multiples of a quarter.
    Similar,
    /// From 1e-4 to 1e4.
    Any,
    /// Up to 10,000 times as long as wide.
    Thin,
    /// Some sizes and scales are zero.
    Degenerate,
}

/// A collider under a chain of nodes. The first node holds only the position.
#[derive(Clone)]
struct ChainedShape {
    kind: &'static str,
    attachment: Attachment,
    chain: Vec<Transform>,
}

impl fmt::Debug for ChainedShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} under {:?}", self.kind, self.attachment.collider(), self.chain)
    }
}

impl ChainedShape {
    /// Returns the world form of the only piece of a composite.
    fn only_piece(&self, at: &Affine2) -> Option<Shape> {
        let mut found = Vec::new();
        let several =
            self.attachment.collider().pieces(&Aabb::EVERYTHING, &mut |_, piece| found.push(piece.transformed(at)));
        assert!(!several || found.len() == 1, "{self:?} has {} pieces, not one", found.len());
        found.pop()
    }
}

fn length(dice: &mut Dice, sizes: Sizes) -> f32 {
    match sizes {
        Sizes::Degenerate if dice.once_in(2) => 0.0,
        Sizes::Thin => 10_f32.powf(dice.within(-4.0..0.0)),
        _ if dice.once_in(2) => (1 + dice.below(16)) as f32 * 0.25,
        _ => dice.within(0.01..4.0),
    }
}

fn numbers(dice: &mut Dice, sizes: Sizes) -> Numbers {
    let factor = match sizes {
        Sizes::Any => 10_f32.powf(dice.within(-4.0..4.0)),
        _ => 1.0,
    };
    let stretch = match sizes {
        Sizes::Thin => vec2(1.0, 10_f32.powf(dice.within(-4.0..0.0))),
        _ => Vec2::ONE,
    };
    let whole = dice.once_in(2);
    let coincident = matches!(sizes, Sizes::Degenerate) && dice.once_in(3);
    let mut point = || {
        let point = if whole { dice.quarters(16) } else { dice.vector(-4.0..4.0) };
        point * stretch * factor
    };
    let first = point();
    let points = [(); 5].map(|()| if coincident { first } else { point() });
    Numbers { sizes: [(); 2].map(|()| length(dice, sizes) * factor), radius: length(dice, sizes) * factor, points }
}

fn scale(dice: &mut Dice, sizes: Sizes) -> f32 {
    let sign = if dice.once_in(3) { -1.0 } else { 1.0 };
    let magnitude = match sizes {
        Sizes::Degenerate if dice.once_in(3) => 0.0,
        Sizes::Thin if dice.once_in(2) => 10_f32.powf(dice.within(-2.0..2.0)),
        _ if dice.once_in(3) => 1.0,
        _ => dice.within(0.2..4.0),
    };
    sign * magnitude
}

/// Returns the identity and up to three random transforms with rotation, scale, mirroring and skew. In one of 16 cases,
/// 24 rotations follow.
fn chain(dice: &mut Dice, sizes: Sizes) -> Vec<Transform> {
    let mut chain = vec![Transform::IDENTITY];
    for _ in 0..dice.below(4) {
        let uniform = dice.once_in(3);
        let x = scale(dice, sizes);
        chain.push(Transform {
            position: Vec2::ZERO,
            rotation: if dice.once_in(3) { dice.around(4) as f32 } else { dice.within(-4.0..4.0) },
            scale: vec2(x, if uniform { x } else { scale(dice, sizes) }),
            skew: if dice.once_in(4) { dice.within(-1.2..1.2) } else { 0.0 },
        });
    }
    // Rounding after many rotations turns a circle into an ellipse.
    let rotations = if dice.once_in(16) { 24 } else { 0 };
    chain.extend((0..rotations).map(|_| Transform::from_rotation(dice.within(-4.0..4.0))));
    chain
}

/// Returns the position of the first shape, at most about 1e7 from the origin.
fn base(dice: &mut Dice) -> Vec2 {
    if dice.once_in(2) {
        return Vec2::ZERO;
    }
    let reach = 10_f32.powf(dice.within(3.0..7.0));
    dice.vector(-1.0..1.0) * reach
}

fn arrangement(dice: &mut Dice) -> Arrangement {
    let part = f64::from(10_f32.powf(dice.within(-6.0..-3.0)));
    match dice.below(12) {
        0 | 1 => Arrangement::Random,
        2 => Arrangement::Concentric,
        3 => Arrangement::Coincident,
        4 | 5 => Arrangement::NearTouch(0.0),
        6..=8 => Arrangement::NearTouch(part),
        _ => Arrangement::NearTouch(-part),
    }
}

/// Two colliders that a scene is built from.
struct Case {
    colliders: [ChainedShape; 2],
    arrangement: Arrangement,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n  {:?}\n  {:?}", self.arrangement, self.colliders[0], self.colliders[1])
    }
}

fn random_shape(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> ChainedShape {
    let (kind, make) = dice.one_of(kinds);
    ChainedShape { kind, attachment: make(&numbers(dice, sizes)), chain: chain(dice, sizes) }
}

impl Case {
    fn new(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> Self {
        let [mut a, mut b] = [(); 2].map(|()| random_shape(dice, kinds, sizes));
        let (arrangement, base) = (arrangement(dice), base(dice));
        if matches!(arrangement, Arrangement::Coincident) {
            b = a.clone();
        }
        (a.chain[0].position, b.chain[0].position) = (base, base);
        if matches!(arrangement, Arrangement::Random) {
            b.chain[0].position += dice.vector(-6.0..6.0);
        }
        if let Arrangement::NearTouch(part) = arrangement {
            // A random offset first, so that the shapes separate in many different directions.
            b.chain[0].position += dice.vector(-4.0..4.0);
            let case = Self { colliders: [a.clone(), b.clone()], arrangement };
            let [hull_a, hull_b] = case.results().hulls;
            let gap = gap(&hull_a, &hull_b);
            let offset = gap.normal * (part * gap.scale - gap.least);
            b.chain[0].position = (b.chain[0].position.as_dvec2() + offset).as_vec2();
        }
        Self { colliders: [a, b], arrangement }
    }

    /// Builds the scene and runs every pair query in both orders.
    fn results(&self) -> PairResults {
        let mut scene = Scene::new();
        let mut add = |collider: &ChainedShape| {
            let mut node = scene.root();
            for transform in &collider.chain {
                node = scene.add_child(node, Node::new(collider.kind).with_transform(*transform)).unwrap();
            }
            (node, scene.attach(node, collider.attachment.clone()).unwrap())
        };
        let [(node_a, a), (node_b, b)] = [add(&self.colliders[0]), add(&self.colliders[1])];
        let world = scene.world();
        let shapes = [a, b].map(|id| world.shape(id).cloned());
        let transforms = [node_a, node_b].map(|node| world.transform(node).unwrap());
        let pieces =
            [0, 1].map(|index| shapes[index].clone().or_else(|| self.colliders[index].only_piece(&transforms[index])));
        let hulls = [0, 1].map(|index| match &pieces[index] {
            Some(shape) => OracleHull::of(shape, transforms[index].translation),
            None => OracleHull::user(&self.colliders[index].attachment, &transforms[index]),
        });
        let overlaps = [world.overlaps(a).len() == 1, world.overlaps(b).len() == 1];
        let contacts = [world.contact(a, b), world.contact(b, a)];
        let distances = [world.distance(a, b).unwrap(), world.distance(b, a).unwrap()];
        let closest = [world.closest_points(a, b).unwrap(), world.closest_points(b, a).unwrap()];
        PairResults { shapes, hulls, overlaps, contacts, distances, closest }
    }
}

/// The results of all pair queries, each in both orders, and the two shapes.
#[derive(Clone)]
struct PairResults {
    shapes: [Option<Shape>; 2],
    hulls: [OracleHull; 2],
    overlaps: [bool; 2],
    contacts: [Option<Contact>; 2],
    distances: [f32; 2],
    closest: [[Vec2; 2]; 2],
}

impl PairResults {
    /// Returns the distance from touching within which either answer is correct.
    fn tolerance(&self, gap: &Gap) -> f64 {
        let [a, b] = &self.hulls;
        if a.is_user() || b.is_user() {
            USER_SHAPE_UNITS * gap.unit()
        } else if a.is_round() && b.is_round() {
            1e-14 * gap.scale
        } else {
            ELLIPSE_UNITS * gap.unit()
        }
    }

    /// Compares overlaps, contacts and distances with the oracle, and with each other.
    fn check(&self) -> Result<(), String> {
        let [a, b] = &self.hulls;
        let gap = gap(a, b);
        let results =
            || format!("{gap:?}, in units {}: {:?} {:?}", gap.least / gap.unit(), self.contacts, self.distances);
        let overlaps = self.overlaps[0];
        match gap.overlaps(self.tolerance(&gap)) {
            Some(expected) => ensure(overlaps == expected, || format!("overlaps is {overlaps}, {}", results()))?,
            // An exact touch must count as an overlap. A gap below the rounding error of `f64` may count as one too.
            None => {
                let missed = !overlaps && touches_exactly(a, b) == Some(true);
                ensure(!missed, || format!("an exact touch is not an overlap, {}", results()))?;
            }
        }
        let agrees = |overlap: bool| overlap == overlaps;
        ensure(self.overlaps.into_iter().all(agrees), || format!("the order changes the overlap, {}", results()))?;
        ensure(self.contacts.iter().all(|contact| agrees(contact.is_some())), || {
            format!("contact and overlap disagree, {}", results())
        })?;
        ensure(self.distances.iter().all(|distance| agrees(*distance == 0.0)), || {
            format!("distance and overlap disagree, {}", results())
        })?;
        let [[on_a, on_b], swapped] = self.closest;
        ensure(swapped == [on_b, on_a], || {
            format!("the order changes the closest points {:?}, {}", self.closest, results())
        })?;
        ensure(on_a.is_finite() && on_b.is_finite(), || format!("a closest point is not finite: {:?}", self.closest))?;
        let [part, units] = MEASURE_TOLERANCE;
        let is_between = |found: f32, least: f64, most: f64| {
            let (found, slack) = (f64::from(found), units * gap.unit());
            found >= least * (1.0 - part) - slack && found <= most * (1.0 + part) + slack
        };
        for distance in self.distances {
            let right = is_between(distance, gap.least.max(0.0), gap.most.max(0.0));
            ensure(right, || format!("wrong distance, {}", results()))?;
        }
        for (contact, sign) in self.contacts.iter().flatten().zip([1.0, -1.0]) {
            let right = is_between(contact.depth, (-gap.most).max(0.0), (-gap.least).max(0.0));
            ensure(right && contact.depth.is_sign_positive(), || format!("wrong depth, {}", results()))?;
            let normal = contact.normal.as_dvec2();
            ensure((normal.length() - 1.0).abs() < 1e-6, || format!("the normal is no unit vector, {}", results()))?;
            ensure(contact.points().iter().all(|point| point.is_finite()), || {
                format!("a contact point is not finite, {}", results())
            })?;
            let depth = f64::from(contact.depth);
            let after = support::oracle::gap(a, &b.moved(normal * (sign * depth * 1.001)));
            let slack = (SEPARATION_UNITS * gap.unit()).max(self.tolerance(&gap));
            ensure(after.most >= 0.000_9 * depth - slack, || {
                format!("moving by the depth leaves {after:?}, {}", results())
            })?;
        }
        self.check_bare_shapes()
    }

    /// Checks that contact points and closest points lie on the surfaces of both shapes.
    fn check_points(&self) -> Result<(), String> {
        let [a, b] = &self.hulls;
        let gap = gap(a, b);
        let faces = self.contacts[0].is_some_and(|contact| contact.points().len() == 2);
        let tilt = if faces { FACE_TILT * gap.scale } else { 0.0 };
        let lies_on = |shape: &OracleHull, point: Vec2, by: DVec2| {
            let unit = gap.unit() + f64::from(point.abs().max_element() * f32::EPSILON);
            support::oracle::gap(shape, &OracleHull::point(point).moved(by)).least <= POINT_UNITS * unit + tilt
        };
        // A closest point lies in its own shape, a contact point half the depth inside both.
        let contact = self.contacts[0]
            .map(|contact| ([contact.points()[0]; 2], contact.normal.as_dvec2() * (f64::from(contact.depth) * 0.5)));
        let mut points = contact.into_iter().chain([(self.closest[0], DVec2::ZERO)]);
        let right = points.all(|(points, half)| lies_on(a, points[0], half) && lies_on(b, points[1], -half));
        ensure(right, || format!("a point is off the surface, {gap:?}, {:?} {:?}", self.closest, self.contacts))
    }

    /// Compares the results with those of the two shapes without a scene, in both orders.
    fn check_bare_shapes(&self) -> Result<(), String> {
        if let [Some(a), Some(b)] = &self.shapes {
            let same = [a.overlaps(b), b.overlaps(a)] == self.overlaps && a.contact(b) == self.contacts[0];
            ensure(same, || format!("the bare shapes give {} and {:?}", a.overlaps(b), a.contact(b)))?;
        }
        Ok(())
    }
}

/// Checks `percent` of all cases.
fn check_cases(percent: u64, kinds: &[Kind], sizes: Sizes, check: impl Fn(&PairResults) -> Result<(), String>) {
    cases::check_cases(CASES, percent, |dice| Case::new(dice, kinds, sizes), |case| check(&case.results()));
}

#[test]
fn pairs_of_similar_size_match_the_oracle() {
    check_cases(30, BUILT_IN, Sizes::Similar, PairResults::check);
}

#[test]
fn pairs_of_very_different_sizes_match_the_oracle() {
    check_cases(20, BUILT_IN, Sizes::Any, PairResults::check);
}

#[test]
fn thin_pairs_match_the_oracle() {
    check_cases(20, BUILT_IN, Sizes::Thin, PairResults::check);
}

#[test]
fn degenerate_pairs_match_the_oracle() {
    check_cases(20, BUILT_IN, Sizes::Degenerate, PairResults::check);
}

#[test]
fn pairs_with_user_shapes_and_composites_match_the_oracle() {
    check_cases(10, &KINDS, Sizes::Similar, PairResults::check);
}

#[test]
fn contact_and_closest_points_match_the_oracle() {
    for sizes in [Sizes::Similar, Sizes::Any, Sizes::Thin, Sizes::Degenerate] {
        check_cases(5, BUILT_IN, sizes, PairResults::check_points);
    }
}

#[test]
fn a_world_transform_is_exact_to_four_units_per_ancestor() {
    // The unit is that of the product of absolute values, because cancellation makes the product itself smaller.
    let mut dice = Dice(cases::setting("EXACT_SEED", 1));
    for _ in 0..cases::setting("EXACT_CASES", CASES) / 100 {
        let sizes = dice.one_of(&[Sizes::Similar, Sizes::Thin, Sizes::Degenerate]);
        let mut scene = Scene::new();
        let mut node = scene.root();
        let (mut exact, mut absolute) = (DAffine2::IDENTITY, DAffine2::IDENTITY);
        let depth = 1 + dice.below(40);
        for _ in 0..depth {
            let position = dice.vector(-9.0..9.0);
            let transform = Transform {
                position,
                rotation: dice.within(-7.0..7.0),
                scale: vec2(scale(&mut dice, sizes), scale(&mut dice, sizes)),
                skew: if dice.once_in(3) { dice.within(-1.5..1.5) } else { 0.0 },
            };
            node = scene.add_child(node, Node::new("link").with_transform(transform)).unwrap();
            let (rotation, skew) = (f64::from(transform.rotation), f64::from(transform.skew));
            let scale = transform.scale.as_dvec2();
            let axes = [DVec2::from_angle(rotation) * scale.x, DVec2::from_angle(rotation + skew).perp() * scale.y];
            exact *= DAffine2::from_cols(axes[0], axes[1], position.as_dvec2());
            let longest = [scale.x, scale.y].map(|factor| DVec2::splat(factor.abs()));
            absolute *= DAffine2::from_cols(longest[0], longest[1], position.abs().as_dvec2());
        }
        let found = scene.world().transform(node).unwrap();
        let columns = |affine: DAffine2| [affine.matrix2.x_axis, affine.matrix2.y_axis, affine.translation];
        let found = [found.matrix2.x_axis, found.matrix2.y_axis, found.translation].map(|column| column.as_dvec2());
        for ((found, exact), absolute) in found.into_iter().zip(columns(exact)).zip(columns(absolute)) {
            let bound = absolute * (4.0 * f64::from(f32::EPSILON) * depth as f64);
            assert!(
                (found - exact).abs().cmple(bound).all(),
                "at depth {depth}: {found}, expected {exact} within {bound}"
            );
        }
    }
}
