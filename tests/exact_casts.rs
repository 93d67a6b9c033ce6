//! Shapes and rays cast at shapes, against an oracle that proves what it says, in cases that are made to be hard.
//!
//! A hit needs no second search to be proved: where it is told, the two touch, and along the normal that is told they are
//! apart until then. Measures are units in the last place of the case: those of an `f32` as large as the distance of the
//! two centres, both sizes and the way. How many cases there are and where they begin can be set: see `docs/testing.md`.

mod support;

use std::env;

use glam::{DVec2, Vec2, vec2};
use hitgraph::{Aabb, Circle, RayHit, Scene, Segment, Shape, ShapeCastHit, Transform};
use support::dice::Dice;
use support::oracle::{Swollen, apart, are_flat, first_touch, gap, least_gap, touches_exactly};
use support::{BUILT_IN, Body, KINDS, Kind, Numbers, anything, two};

/// How far a hit may be from where the shapes touch, in units.
const ROUND: f64 = 4.0;

/// The same of a shape that is known by `f32` points alone.
const OWN: f64 = 8.0;

/// How deep two shapes are in each other that certainly do more than brush, in units more than that.
const BRUSH: f64 = 8.0;

/// How deep two shapes may be in each other that certainly only brush, in units of the shapes alone.
const TOUCH: f64 = 1.5;

/// What shapes are made of and where they are.
#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// Of about one size, in quarters and broken numbers.
    Alike,
    /// From 1e-3 to 1e3.
    Any,
    /// Up to 10,000 times as long as wide.
    Thin,
    /// In quarters, where positions and motions are too: sides lie flush, corners meet corners, and what passes along a
    /// side touches it.
    Quarters,
}

/// Where a motion leads.
#[derive(Debug, Clone, Copy)]
enum Aim {
    Anywhere,
    /// Past the other, clear of touching by this part of the scale; into it if that is negative.
    Past(f64),
    /// From where the two touch, apart by this part of the scale.
    From(f64),
    /// As far as to touching, and this part further.
    To(f64),
}

/// A shape or a point on its way to another.
#[derive(Debug)]
struct Cast {
    brush: Body,
    target: Body,
    motion: Vec2,
}

fn length(dice: &mut Dice, sizes: Sizes) -> f32 {
    match sizes {
        Sizes::Quarters => dice.below(13) as f32 * 0.25,
        Sizes::Thin => 10_f32.powf(dice.within(-4.0..0.5)),
        _ if dice.once_in(2) => (1 + dice.below(16)) as f32 * 0.25,
        _ => dice.within(0.01..4.0),
    }
}

fn point(dice: &mut Dice, sizes: Sizes) -> Vec2 {
    match sizes {
        Sizes::Quarters => vec2(dice.around(12) as f32, dice.around(12) as f32) * 0.25,
        _ => vec2(dice.within(-4.0..4.0), dice.within(-4.0..4.0)),
    }
}

fn numbers(dice: &mut Dice, sizes: Sizes) -> Numbers {
    let (factor, stretch) = match sizes {
        Sizes::Any => (10_f32.powf(dice.within(-3.0..3.0)), Vec2::ONE),
        Sizes::Thin => (1.0, vec2(1.0, 10_f32.powf(dice.within(-4.0..0.0)))),
        _ => (1.0, Vec2::ONE),
    };
    let points = [(); 5].map(|()| point(dice, sizes) * stretch * factor);
    Numbers { sizes: [(); 2].map(|()| length(dice, sizes) * factor), radius: length(dice, sizes) * factor, points }
}

fn transform(dice: &mut Dice, sizes: Sizes) -> Transform {
    if matches!(sizes, Sizes::Quarters) {
        let scale = dice.one_of(&[Vec2::ONE, Vec2::ONE, -Vec2::ONE, vec2(-1.0, 1.0), vec2(2.0, 1.0)]);
        return Transform { position: point(dice, sizes), scale, ..Transform::IDENTITY };
    }
    let x = if dice.once_in(3) { 1.0 } else { dice.within(0.2..4.0) };
    let y = if dice.once_in(2) { x } else { dice.within(-4.0..4.0) };
    Transform {
        position: Vec2::ZERO,
        rotation: dice.within(-4.0..4.0),
        scale: vec2(x, y),
        skew: if dice.once_in(4) { dice.within(-1.2..1.2) } else { 0.0 },
    }
}

fn body(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> Body {
    let (kind, make) = dice.one_of(kinds);
    Body { kind, attachment: make(&numbers(dice, sizes)), transform: transform(dice, sizes) }
}

fn aim(dice: &mut Dice) -> Aim {
    let part = f64::from(10_f32.powf(dice.within(-6.0..-1.0)));
    let part = dice.one_of(&[part, -part, part, -part, 0.0]);
    dice.one_of(&[Aim::Anywhere, Aim::Past(part), Aim::Past(part), Aim::From(part), Aim::To(part)])
}

/// Where a ray begins.
const POINT: [Kind; 1] = [("point", |_| Circle::point(Vec2::ZERO).into())];

impl Cast {
    fn new(dice: &mut Dice, kinds: [&[Kind]; 2], sizes: Sizes) -> Self {
        let [brush, mut target] = kinds.map(|kinds| body(dice, kinds, sizes));
        if dice.once_in(8) {
            target = brush.clone();
        }
        let mut cast = Self { brush, target, motion: Vec2::ZERO };
        if matches!(sizes, Sizes::Quarters) {
            let [a, b] = cast.swollen();
            let mut corner = |shape: &Swollen| shape.side(DVec2::from_angle(f64::from(dice.within(-4.0..4.0))))[0];
            let to_corner = ((corner(&b) - corner(&a)) * 4.0).round() * 0.25;
            let anywhere = point(dice, sizes) * 4.0;
            cast.motion = dice.one_of(&[anywhere, Vec2::X * 8.0, Vec2::Y * -8.0, to_corner.as_vec2()]);
            let behind = (cast.motion * dice.one_of(&[0.0, 0.5, 1.0])).round();
            cast.brush.transform.position -= behind;
            return cast;
        }
        let size = f64::from(cast.brush.size() + cast.target.size()).max(1e-3);
        let away = DVec2::from_angle(f64::from(dice.within(-4.0..4.0)));
        let far = f64::from(if dice.once_in(4) { 10_f32.powf(dice.within(0.0..3.0)) } else { dice.within(0.5..4.0) });
        let base = if dice.once_in(2) { Vec2::ZERO } else { point(dice, sizes) * 10_f32.powf(dice.within(0.0..6.0)) };
        cast.target.transform.position = base;
        cast.brush.transform.position = (base.as_dvec2() - away * size * far).as_vec2();
        let turn = if dice.once_in(2) { dice.within(-0.5..0.5) } else { dice.within(-4.0..4.0) };
        let mut motion = DVec2::from_angle(f64::from(turn)).rotate(away) * size * far * 2.0;
        let aim = aim(dice);
        let [a, b] = cast.swollen();
        let found = gap(&a, &b);
        let mut shift = DVec2::ZERO;
        match aim {
            Aim::Anywhere => {}
            Aim::Past(part) => {
                let side = motion.perp().normalize() * dice.one_of(&[1.0, -1.0]);
                shift = side * (part * found.scale - apart(&a, &b, side));
            }
            Aim::From(part) => {
                shift = found.normal * (part * found.scale - found.least);
                motion = dice.one_of(&[motion, found.normal.perp() * size, found.normal * -size, found.normal * size]);
            }
            Aim::To(part) => motion *= first_touch(&a, &b, motion).unwrap_or(1.0) + part,
        }
        cast.target.transform.position = (base.as_dvec2() + shift).as_vec2();
        cast.motion = motion.as_vec2();
        cast
    }

    fn scene(&self) -> (Scene, [hitgraph::NodeId; 2], [hitgraph::ColliderId; 2]) {
        two(&self.brush, &self.target, Transform::IDENTITY)
    }

    fn swollen(&self) -> [Swollen; 2] {
        let (mut scene, nodes, ids) = self.scene();
        let world = scene.world();
        let bodies = [&self.brush, &self.target];
        [0, 1].map(|index| {
            let at = world.transform(nodes[index]).unwrap();
            let shape = bodies[index].attachment.shape();
            let mut pieces: Vec<Shape> = Vec::new();
            shape.pieces(&Aabb::EVERYTHING, &mut |_, piece| pieces.push(piece.transformed(&at)));
            match world.shape(ids[index]).or(pieces.first()) {
                Some(shape) => Swollen::of(shape, at.translation),
                None => Swollen::own(&bodies[index].attachment, &at),
            }
        })
    }

    fn hit(&self) -> Option<ShapeCastHit> {
        let (mut scene, [brush, _], _) = self.scene();
        let world = scene.world();
        let at = world.transform(brush).unwrap();
        let filter = anything().exclude_subtree(brush);
        world.cast_shape(self.brush.attachment.shape(), &at, self.motion, &filter)
    }

    /// The rounding that a hit may be off by, and how deep what brushes may be.
    fn doubts(&self, [a, b]: &[Swollen; 2]) -> [f64; 2] {
        let scale = gap(a, b).scale + self.motion.as_dvec2().length();
        let places = [&self.brush, &self.target].map(|body| body.transform.position.abs().max_element());
        let doubt = f64::from(f32::EPSILON) * scale * if a.is_own() || b.is_own() { OWN } else { ROUND };
        [doubt, doubt + f64::from(f32::EPSILON) * (scale * BRUSH + f64::from(places[0] + places[1]))]
    }

    fn examine(&self) -> Result<(), String> {
        let swollen = self.swollen();
        let [doubt, brush] = self.doubts(&swollen);
        let [a, b] = swollen;
        let motion = self.motion.as_dvec2();
        let before = gap(&a, &b);
        let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{what}, {before:?}")) };
        let Some(hit) = self.hit() else {
            if motion == DVec2::ZERO {
                return Ok(());
            }
            let (_, least) = least_gap(&a, &b, motion);
            return ensure(least >= -brush, "a hit is missed");
        };
        let (fraction, normal) = (f64::from(hit.fraction), hit.normal.as_dvec2());
        let (met, point) = (a.moved(motion * fraction), hit.point.as_dvec2());
        ensure((0.0..=1.0).contains(&fraction) && (normal.length() - 1.0).abs() < 1e-6, "no fraction or no unit")?;
        ensure((f64::from(hit.distance) - fraction * motion.length()).abs() <= doubt, "a wrong distance")?;
        let beyond = apart(&met, &b, -normal);
        if before.most < -brush {
            ensure(fraction == 0.0, "begun inside, it is hit later")?;
        }
        if fraction == 0.0 && before.most < -TOUCH * before.unit() {
            return ensure(beyond >= before.least * 1.01 - doubt, "a way out that is not the shortest");
        }
        ensure(normal.dot(motion) < 0.0, "the normal does not face the brush")?;
        ensure(gap(&met, &b).most <= doubt, "apart at the hit")?;
        ensure(beyond >= -doubt, "an earlier touch, or a wrong normal")?;
        let dot = Swollen::of(&Circle::new(0.0).into(), Vec2::ZERO).moved(point);
        let place = doubt + f64::from(f32::EPSILON) * point.abs().max_element();
        ensure(gap(&dot, &b).most <= place, "the point is not on what is hit")?;
        ensure(gap(&dot, &met).most <= place, "the point is not on the brush")
    }
}

/// Casts in quarters: whatever touches does so to the last bit, and what does not is clear of it by far more than this.
const CLEAR: f64 = 1e-9;

impl Cast {
    /// When the first touch is that goes on to be more than one, if there is one; `None` where either answer will do.
    fn expected(&self, [a, b]: &[Swollen; 2]) -> Option<Option<f64>> {
        let motion = self.motion.as_dvec2();
        if motion == DVec2::ZERO {
            return Some(None);
        }
        let across = motion.perp().normalize();
        let beside = apart(a, b, across).max(apart(a, b, -across));
        let before = gap(a, b);
        if before.most < -CLEAR {
            return Some(Some(0.0));
        }
        let begins = before.least < CLEAR;
        if are_flat(a, b) && (begins || beside.abs() < CLEAR) {
            return None;
        }
        if beside > -CLEAR {
            return Some(None);
        }
        if begins {
            let goes_in = gap(&a.moved(motion * 1e-3), b).most < -CLEAR;
            return Some(goes_in.then_some(0.0));
        }
        let touch = first_touch(a, b, motion * 2.0).map(|half| half * 2.0);
        match touch {
            Some(part) if (part - 1.0).abs() < CLEAR => None,
            touch => Some(touch.filter(|part| *part < 1.0)),
        }
    }

    fn examine_in_quarters(&self) -> Result<(), String> {
        self.examine()?;
        let swollen = self.swollen();
        let [a, b] = &swollen;
        if !a.is_round() || !b.is_round() {
            return Ok(());
        }
        let Some(expected) = self.expected(&swollen) else { return Ok(()) };
        let hit = self.hit();
        let found = hit.map(|hit| f64::from(hit.fraction));
        let ensure =
            |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{what}, {hit:?} for {expected:?}")) };
        match (found, expected) {
            (Some(found), Some(expected)) => ensure((found - expected).abs() <= 1e-7, "the wrong moment")?,
            (found, expected) => ensure(found == expected, "hit or not")?,
        }
        let Some(hit) = hit else { return Ok(()) };
        let (normal, tangent) = (hit.normal.as_dvec2(), hit.normal.as_dvec2().perp());
        let met = a.moved(self.motion.as_dvec2() * f64::from(hit.fraction));
        let span = |side: [DVec2; 2]| {
            let [from, to] = side.map(|end| end.dot(tangent));
            [from.min(to), from.max(to)]
        };
        let ([low, high], [from, to]) = (span(b.side(normal)), span(met.side(-normal)));
        let middle = (low.max(from) + high.min(to)) * 0.5;
        let middle = middle.clamp(low, high);
        let off = [
            b.side(normal)[0].dot(normal) - hit.point.as_dvec2().dot(normal),
            middle - hit.point.as_dvec2().dot(tangent),
        ];
        ensure(off.iter().all(|off| off.abs() <= 1e-3), &format!("not the middle of what they share, off by {off:?}"))
    }

    /// The brush is a point: the same for a ray, for which touching is enough.
    fn examine_ray(&self) -> Result<(), String> {
        let [a, b] = self.swollen();
        let (origin, way) = (self.brush.transform.position, self.motion.as_dvec2());
        let (mut scene, [brush, _], _) = self.scene();
        let filter = anything().exclude_subtree(brush);
        let length = self.motion.length();
        let hit = scene.world().cast_ray(origin, self.motion, length, &filter);
        let before = gap(&a, &b);
        let scale = before.scale + way.length();
        let doubt = f64::from(f32::EPSILON) * scale * if b.is_own() { OWN } else { ROUND };
        let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{what}, {before:?} {hit:?}")) };
        let Some(hit) = hit else {
            return ensure(way == DVec2::ZERO || least_gap(&a, &b, way).1 >= -doubt, "a hit is missed");
        };
        let (distance, normal, direction) = (f64::from(hit.distance), hit.normal.as_dvec2(), way.normalize());
        let met = a.moved(direction * distance);
        ensure((0.0..=f64::from(length)).contains(&distance), "out of reach")?;
        ensure((normal.length() - 1.0).abs() < 1e-6, "no unit normal")?;
        let grain = f64::from(f32::EPSILON) * f64::from(hit.point.abs().max_element());
        let place = Swollen::of(&Circle::new(0.0).into(), Vec2::ZERO).moved(hit.point.as_dvec2());
        ensure(gap(&place, &met).least <= doubt + grain, "the point is not on the ray")?;
        ensure(gap(&met, &b).most <= doubt, "apart at the hit")?;
        if distance == 0.0 {
            return ensure(normal.distance(-direction) < 1e-6, "from inside, not against the ray");
        }
        ensure(before.most >= -doubt, "begun inside, it is hit later")?;
        // At the very end of its reach a ray may find the end of a line and not the line itself.
        let at_its_end = distance >= f64::from(length) * (1.0 - 1e-7);
        ensure(at_its_end || apart(&met, &b, -normal) >= -doubt, "an earlier touch, or a wrong normal")?;
        ensure(normal.dot(direction) < 1e-6, "the normal does not face the ray")
    }

    /// A ray of any length in whole numbers.
    fn examine_ray_in_quarters(&self) -> Result<(), String> {
        self.examine_ray()?;
        if self.motion == Vec2::ZERO {
            return Ok(());
        }
        let origin = self.brush.transform.position;
        let line = Segment::new(origin, origin + self.motion * 1024.0);
        let [_, b] = self.swollen();
        let Some(expected) = touches_exactly(&Swollen::of(&line.into(), Vec2::ZERO), &b) else { return Ok(()) };
        let hit = self.ray_hit();
        if hit.is_some() == expected { Ok(()) } else { Err(format!("touches is {expected}, but {hit:?}")) }
    }
}

impl Cast {
    /// The same, larger by a power of two, which rounds nothing.
    fn scaled(&self, factor: f32) -> Self {
        let scaled = |body: &Body| {
            let Transform { position, scale, .. } = body.transform;
            let transform = Transform { position: position * factor, scale: scale * factor, ..body.transform };
            Body { transform, ..body.clone() }
        };
        Self { brush: scaled(&self.brush), target: scaled(&self.target), motion: self.motion * factor }
    }

    fn ray_hit(&self) -> Option<RayHit> {
        let (mut scene, [brush, _], _) = self.scene();
        let filter = anything().exclude_subtree(brush);
        scene.world().cast_ray(self.brush.transform.position, self.motion, f32::INFINITY, &filter)
    }

    /// Of any size, the same answers to the last bit.
    fn examine_sizes(&self) -> Result<(), String> {
        let ensure = |holds: bool, what: String| if holds { Ok(()) } else { Err(what) };
        let (plain, plain_ray) = (self.hit(), self.ray_hit());
        for factor in [-32, 48].map(|power| 2_f32.powi(power)) {
            let scaled = self.scaled(factor);
            let hit = scaled.hit().map(|hit| (hit.fraction, hit.normal, hit.point / factor));
            let same = hit == plain.map(|hit| (hit.fraction, hit.normal, hit.point));
            ensure(same, format!("{hit:?} by {factor}, but {plain:?}"))?;
            let hit = scaled.ray_hit().map(|hit| (hit.distance / factor, hit.normal, hit.point / factor));
            let same = hit == plain_ray.map(|hit| (hit.distance, hit.normal, hit.point));
            ensure(same, format!("{hit:?} of a ray by {factor}, but {plain_ray:?}"))?;
        }
        Ok(())
    }
}

/// A number that the one who runs the tests may set.
fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// A share of all the cases, in percent.
fn examine<T: std::fmt::Debug>(share: u64, case: impl Fn(&mut Dice) -> T, test: impl Fn(&T) -> Result<(), String>) {
    let (cases, seed) = (setting("EXACT_CASES", 40_000) * share / 100, setting("EXACT_SEED", 1));
    let mut wrong = Vec::new();
    for number in 0..cases {
        let case = case(&mut Dice((seed << 40 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        if let Err(why) = test(&case) {
            wrong.push(format!("case {number} of seed {seed}: {why}\n  {case:?}"));
        }
    }
    let count = wrong.len();
    wrong.truncate(setting("EXACT_SHOW", 4) as usize);
    assert!(wrong.is_empty(), "{count} wrong of {cases}:\n{}", wrong.join("\n"));
}

#[test]
fn no_cast_at_a_shape_of_its_size_is_wrong() {
    examine(30, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Alike), Cast::examine);
}

#[test]
fn no_cast_of_dust_at_mountains_is_wrong() {
    examine(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Any), Cast::examine);
}

#[test]
fn no_cast_of_what_is_thin_is_wrong() {
    examine(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Thin), Cast::examine);
}

#[test]
fn no_cast_with_a_shape_of_ones_own_or_of_pieces_is_wrong() {
    examine(5, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Alike), Cast::examine);
    examine(5, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Any), Cast::examine);
}

#[test]
fn no_cast_in_quarters_is_wrong() {
    examine(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Quarters), Cast::examine_in_quarters);
}

#[test]
fn casts_are_the_same_whatever_the_size_of_the_world() {
    examine(10, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Alike), Cast::examine_sizes);
    examine(10, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Quarters), Cast::examine_sizes);
}

#[test]
fn no_ray_is_wrong() {
    let rays = |sizes: Sizes| move |dice: &mut Dice| Cast::new(dice, [&POINT, BUILT_IN], sizes);
    examine(20, rays(Sizes::Alike), Cast::examine_ray);
    examine(20, rays(Sizes::Any), Cast::examine_ray);
    examine(20, rays(Sizes::Thin), Cast::examine_ray);
    examine(20, rays(Sizes::Quarters), Cast::examine_ray_in_quarters);
    examine(10, |dice| Cast::new(dice, [&POINT, &KINDS], Sizes::Alike), Cast::examine_ray);
    examine(10, |dice| Cast::new(dice, [&POINT, &KINDS], Sizes::Any), Cast::examine_ray);
}
