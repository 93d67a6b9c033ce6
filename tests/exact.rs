//! Every pair of shapes against an oracle that proves what it says, in cases that are made to be hard.
//!
//! Measures are units in the last place of the case: those of an `f32` as large as the distance of the two centres and
//! both sizes. How many cases there are and where they begin can be set: see `docs/testing.md`.

mod support;

use std::env;
use std::fmt;

use glam::{Affine2, DAffine2, DVec2, Vec2, vec2};
use hitgraph::{Aabb, Attachment, Contact, Node, Scene, Shape, Transform};
use support::dice::Dice;
use support::oracle::{Gap, Swollen, gap, touches_exactly};
use support::{BUILT_IN, KINDS, Kind, Numbers};

/// Below so many units from touching either answer will do, for shapes known by `f32` points alone.
const OWN: f64 = 4.0;

/// The same for squashed discs. (Asked for are four.)
const SQUASHED: f64 = 1.0;

/// How far short of parting two shapes a move by a little more than the depth may fall: its normal is an `f32` too.
const PARTED: f64 = 4.0;

/// Of a depth or a distance: as a part of it, and in units.
const MEASURE: [f64; 2] = [0.01, 16.0];

/// How far a place that is told may lie from the surface, in units of the scale and of its own coordinates.
const PLACE: f64 = 2.0;

/// The same where faces meet, as a part of the scale: they may do so at an angle with this sine.
const FACES: f64 = 1e-4;

/// How the second shape lies to the first.
#[derive(Debug, Clone, Copy)]
enum Meeting {
    AsItFalls,
    Concentric,
    /// The same shape at the same place.
    Coincident,
    /// Brought to touching, and then apart by this part of the scale.
    Nearly(f64),
}

/// What shapes are made of and where they are.
#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// Of about one size, in whole and broken numbers.
    Alike,
    /// From 1e-4 to 1e4.
    Any,
    /// Up to 10,000 times as long as wide.
    Thin,
    /// Some of the sizes and scales are zero.
    Degenerate,
}

/// A shape under a chain of nodes, the first of which only places it.
#[derive(Clone)]
struct Hung {
    kind: &'static str,
    attachment: Attachment,
    chain: Vec<Transform>,
}

impl fmt::Debug for Hung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} under {:?}", self.kind, self.attachment.shape(), self.chain)
    }
}

impl Hung {
    /// In the world, what a shape of many pieces has only one of.
    fn only_piece(&self, at: &Affine2) -> Option<Shape> {
        let mut found = Vec::new();
        let several =
            self.attachment.shape().pieces(&Aabb::EVERYTHING, &mut |_, piece| found.push(piece.transformed(at)));
        assert!(!several || found.len() == 1, "{self:?} has {} pieces", found.len());
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
    let all_one = matches!(sizes, Sizes::Degenerate) && dice.once_in(3);
    let mut point = || {
        let point = if whole {
            vec2(dice.around(16) as f32, dice.around(16) as f32) * 0.25
        } else {
            vec2(dice.within(-4.0..4.0), dice.within(-4.0..4.0))
        };
        point * stretch * factor
    };
    let first = point();
    let points = [(); 5].map(|()| if all_one { first } else { point() });
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

/// Up to three nodes, turned, mirrored, stretched, flattened and skewed, or none; and sometimes many more.
fn chain(dice: &mut Dice, sizes: Sizes) -> Vec<Transform> {
    let mut chain = vec![Transform::IDENTITY];
    for _ in 0..dice.below(4) {
        let even = dice.once_in(3);
        let x = scale(dice, sizes);
        chain.push(Transform {
            position: Vec2::ZERO,
            rotation: if dice.once_in(3) { dice.around(4) as f32 } else { dice.within(-4.0..4.0) },
            scale: vec2(x, if even { x } else { scale(dice, sizes) }),
            skew: if dice.once_in(4) { dice.within(-1.2..1.2) } else { 0.0 },
        });
    }
    // Many turns, after which what was round is no more than nearly so.
    let turns = if dice.once_in(16) { 24 } else { 0 };
    chain.extend((0..turns).map(|_| Transform::from_rotation(dice.within(-4.0..4.0))));
    chain
}

/// Where the first shape is: up to 1e7 from the origin.
fn base(dice: &mut Dice) -> Vec2 {
    if dice.once_in(2) {
        return Vec2::ZERO;
    }
    let far = 10_f32.powf(dice.within(3.0..7.0));
    vec2(dice.within(-1.0..1.0), dice.within(-1.0..1.0)) * far
}

fn meeting(dice: &mut Dice) -> Meeting {
    let part = f64::from(10_f32.powf(dice.within(-6.0..-3.0)));
    match dice.below(12) {
        0 | 1 => Meeting::AsItFalls,
        2 => Meeting::Concentric,
        3 => Meeting::Coincident,
        4 | 5 => Meeting::Nearly(0.0),
        6..=8 => Meeting::Nearly(part),
        _ => Meeting::Nearly(-part),
    }
}

/// Two shapes in one scene.
struct Case {
    hung: [Hung; 2],
    meeting: Meeting,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n  {:?}\n  {:?}", self.meeting, self.hung[0], self.hung[1])
    }
}

fn hang(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> Hung {
    let (kind, make) = dice.one_of(kinds);
    Hung { kind, attachment: make(&numbers(dice, sizes)), chain: chain(dice, sizes) }
}

impl Case {
    fn new(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> Self {
        let [mut a, mut b] = [(); 2].map(|()| hang(dice, kinds, sizes));
        let (meeting, base) = (meeting(dice), base(dice));
        if matches!(meeting, Meeting::Coincident) {
            b = a.clone();
        }
        (a.chain[0].position, b.chain[0].position) = (base, base);
        if matches!(meeting, Meeting::AsItFalls) {
            b.chain[0].position += vec2(dice.within(-6.0..6.0), dice.within(-6.0..6.0));
        }
        if let Meeting::Nearly(part) = meeting {
            // From some side, so that the direction in which they part is not always that of the deepest point.
            b.chain[0].position += vec2(dice.within(-4.0..4.0), dice.within(-4.0..4.0));
            let case = Self { hung: [a.clone(), b.clone()], meeting };
            let [swollen_a, swollen_b] = case.scene().swollen;
            let found = gap(&swollen_a, &swollen_b);
            let away = found.normal * (part * found.scale - found.least);
            b.chain[0].position = (b.chain[0].position.as_dvec2() + away).as_vec2();
        }
        Self { hung: [a, b], meeting }
    }

    fn scene(&self) -> Met {
        let mut scene = Scene::new();
        let mut hang = |hung: &Hung| {
            let mut node = scene.root();
            for transform in &hung.chain {
                node = scene.add_child(node, Node::new(hung.kind).with_transform(*transform)).unwrap();
            }
            (node, scene.attach(node, hung.attachment.clone()).unwrap())
        };
        let [(node_a, a), (node_b, b)] = [hang(&self.hung[0]), hang(&self.hung[1])];
        let world = scene.world();
        let shapes = [a, b].map(|id| world.shape(id).cloned());
        let places = [node_a, node_b].map(|node| world.transform(node).unwrap());
        let pieces = [0, 1].map(|index| shapes[index].clone().or_else(|| self.hung[index].only_piece(&places[index])));
        let swollen = [0, 1].map(|index| match &pieces[index] {
            Some(shape) => Swollen::of(shape, places[index].translation),
            None => Swollen::own(&self.hung[index].attachment, &places[index]),
        });
        let overlaps = [world.overlaps(a).len() == 1, world.overlaps(b).len() == 1];
        let contacts = [world.contact(a, b), world.contact(b, a)];
        let distances = [world.distance(a, b).unwrap(), world.distance(b, a).unwrap()];
        let closest = [world.closest_points(a, b).unwrap(), world.closest_points(b, a).unwrap()];
        Met { shapes, swollen, overlaps, contacts, distances, closest }
    }
}

/// What a scene says about two shapes, asked in both orders.
#[derive(Clone)]
struct Met {
    shapes: [Option<Shape>; 2],
    swollen: [Swollen; 2],
    overlaps: [bool; 2],
    contacts: [Option<Contact>; 2],
    distances: [f32; 2],
    closest: [[Vec2; 2]; 2],
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Met {
    /// How near to touching nothing is asked.
    fn doubt(&self, gap: &Gap) -> f64 {
        let [a, b] = &self.swollen;
        if a.is_own() || b.is_own() {
            OWN * gap.unit()
        } else if a.is_round() && b.is_round() {
            1e-14 * gap.scale
        } else {
            SQUASHED * gap.unit()
        }
    }

    fn examine(&self) -> Result<(), String> {
        let [a, b] = &self.swollen;
        let gap = gap(a, b);
        let answers =
            || format!("{gap:?}, in units {}: {:?} {:?}", gap.least / gap.unit(), self.contacts, self.distances);
        let overlaps = self.overlaps[0];
        match gap.overlaps(self.doubt(&gap)) {
            Some(expected) => ensure(overlaps == expected, || format!("overlaps is {overlaps}, {}", answers()))?,
            // Touching is touching to the last bit. (What is apart by less than the rounding of `f64` may touch as
            // well.)
            None => {
                let missed = !overlaps && touches_exactly(a, b) == Some(true);
                ensure(!missed, || format!("a touch is missed, {}", answers()))?;
            }
        }
        let is_one = |is: bool| is == overlaps;
        ensure(self.overlaps.into_iter().all(is_one), || format!("the order matters, {}", answers()))?;
        ensure(self.contacts.iter().all(|contact| is_one(contact.is_some())), || format!("no contact, {}", answers()))?;
        ensure(self.distances.iter().all(|distance| is_one(*distance == 0.0)), || format!("apart, {}", answers()))?;
        let [[on_a, on_b], mirrored] = self.closest;
        ensure(mirrored == [on_b, on_a], || format!("closest points {:?}, {}", self.closest, answers()))?;
        ensure(on_a.is_finite() && on_b.is_finite(), || format!("{:?}", self.closest))?;
        let [part, units] = MEASURE;
        let measures = |found: f32, least: f64, most: f64| {
            let (found, slack) = (f64::from(found), units * gap.unit());
            found >= least * (1.0 - part) - slack && found <= most * (1.0 + part) + slack
        };
        for distance in self.distances {
            let right = measures(distance, gap.least.max(0.0), gap.most.max(0.0));
            ensure(right, || format!("a wrong distance, {}", answers()))?;
        }
        for (contact, sign) in self.contacts.iter().flatten().zip([1.0, -1.0]) {
            let right = measures(contact.depth, (-gap.most).max(0.0), (-gap.least).max(0.0));
            ensure(right && contact.depth.is_sign_positive(), || format!("a wrong depth, {}", answers()))?;
            let normal = contact.normal.as_dvec2();
            ensure((normal.length() - 1.0).abs() < 1e-6, || format!("no unit normal, {}", answers()))?;
            ensure(contact.points().iter().all(|point| point.is_finite()), || format!("no place, {}", answers()))?;
            let depth = f64::from(contact.depth);
            let after = support::oracle::gap(a, &b.moved(normal * (sign * depth * 1.001)));
            let slack = (PARTED * gap.unit()).max(self.doubt(&gap));
            ensure(after.most >= 0.000_9 * depth - slack, || format!("not parted but {after:?}, {}", answers()))?;
        }
        self.without_a_scene()
    }

    /// The places told are where they should be.
    fn examine_places(&self) -> Result<(), String> {
        let [a, b] = &self.swollen;
        let gap = gap(a, b);
        let faces = self.contacts[0].is_some_and(|contact| contact.points().len() == 2);
        let tilt = if faces { FACES * gap.scale } else { 0.0 };
        let lies_on = |shape: &Swollen, point: Vec2, by: DVec2| {
            let unit = gap.unit() + f64::from(point.abs().max_element() * f32::EPSILON);
            support::oracle::gap(shape, &Swollen::point(point).moved(by)).least <= PLACE * unit + tilt
        };
        // Both on their own surfaces; of a contact that is half the depth to either side.
        let (places, half) = match self.contacts[0] {
            Some(contact) => ([contact.points()[0]; 2], contact.normal.as_dvec2() * (f64::from(contact.depth) * 0.5)),
            None => (self.closest[0], DVec2::ZERO),
        };
        let right = lies_on(a, places[0], half) && lies_on(b, places[1], -half);
        ensure(right, || format!("a wrong place, {gap:?}, {:?} {:?}", self.closest, self.contacts))
    }

    /// The bare shapes give the same answers, in either order.
    fn without_a_scene(&self) -> Result<(), String> {
        if let [Some(a), Some(b)] = &self.shapes {
            let same = [a.overlaps(b), b.overlaps(a)] == self.overlaps && a.contact(b) == self.contacts[0];
            ensure(same, || format!("without a scene {} and {:?}", a.overlaps(b), a.contact(b)))?;
        }
        Ok(())
    }
}

/// A number that the one who runs the tests may set.
fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// A share of all the cases, in percent.
fn examine(share: u64, kinds: &[Kind], sizes: Sizes, ask: impl Fn(&Met) -> Result<(), String>) {
    let (cases, seed) = (setting("EXACT_CASES", 100_000) * share / 100, setting("EXACT_SEED", 1));
    let mut wrong = Vec::new();
    for number in 0..cases {
        let mut dice = Dice((seed << 40 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let case = Case::new(&mut dice, kinds, sizes);
        if let Err(why) = ask(&case.scene()) {
            wrong.push(format!("case {number} of seed {seed}: {why}\n  {case:?}"));
        }
    }
    let count = wrong.len();
    wrong.truncate(setting("EXACT_SHOW", 4) as usize);
    assert!(wrong.is_empty(), "{count} wrong of {cases}:\n{}", wrong.join("\n"));
}

#[test]
fn no_pair_of_one_size_is_decided_wrongly() {
    examine(30, BUILT_IN, Sizes::Alike, Met::examine);
}

#[test]
fn no_pair_of_dust_and_mountains_is_decided_wrongly() {
    examine(20, BUILT_IN, Sizes::Any, Met::examine);
}

#[test]
fn no_thin_pair_is_decided_wrongly() {
    examine(20, BUILT_IN, Sizes::Thin, Met::examine);
}

#[test]
fn no_degenerate_pair_is_decided_wrongly() {
    examine(20, BUILT_IN, Sizes::Degenerate, Met::examine);
}

#[test]
fn no_pair_with_a_shape_of_ones_own_or_of_pieces_is_decided_wrongly() {
    examine(10, &KINDS, Sizes::Alike, Met::examine);
}

#[test]
fn no_place_is_told_wrongly() {
    for sizes in [Sizes::Alike, Sizes::Any, Sizes::Thin, Sizes::Degenerate] {
        examine(5, BUILT_IN, sizes, Met::examine_places);
    }
}

#[test]
fn a_world_transform_is_exact_to_four_units_for_each_node_above() {
    // Units of what the product would be if all its terms had one sign: a sum may be smaller than its terms.
    let mut dice = Dice(setting("EXACT_SEED", 1));
    for _ in 0..setting("EXACT_CASES", 100_000) / 100 {
        let sizes = dice.one_of(&[Sizes::Alike, Sizes::Thin, Sizes::Degenerate]);
        let mut scene = Scene::new();
        let mut node = scene.root();
        let (mut exact, mut most) = (DAffine2::IDENTITY, DAffine2::IDENTITY);
        let depth = 1 + dice.below(40);
        for _ in 0..depth {
            let position = vec2(dice.within(-9.0..9.0), dice.within(-9.0..9.0));
            let transform = Transform {
                position,
                rotation: dice.within(-7.0..7.0),
                scale: vec2(scale(&mut dice, sizes), scale(&mut dice, sizes)),
                skew: if dice.once_in(3) { dice.within(-1.5..1.5) } else { 0.0 },
            };
            node = scene.add_child(node, Node::new("link").with_transform(transform)).unwrap();
            let (turn, lean) = (f64::from(transform.rotation), f64::from(transform.skew));
            let stretch = transform.scale.as_dvec2();
            let axes = [DVec2::from_angle(turn) * stretch.x, DVec2::from_angle(turn + lean).perp() * stretch.y];
            exact *= DAffine2::from_cols(axes[0], axes[1], position.as_dvec2());
            let long = [stretch.x, stretch.y].map(|factor| DVec2::splat(factor.abs()));
            most *= DAffine2::from_cols(long[0], long[1], position.abs().as_dvec2());
        }
        let found = scene.world().transform(node).unwrap();
        let columns = |affine: DAffine2| [affine.matrix2.x_axis, affine.matrix2.y_axis, affine.translation];
        let found = [found.matrix2.x_axis, found.matrix2.y_axis, found.translation].map(|column| column.as_dvec2());
        for ((found, exact), most) in found.into_iter().zip(columns(exact)).zip(columns(most)) {
            let bound = most * (4.0 * f64::from(f32::EPSILON) * depth as f64);
            assert!((found - exact).abs().cmple(bound).all(), "{depth} deep: {found}, not {exact}, within {bound}");
        }
    }
}
