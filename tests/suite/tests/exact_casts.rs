//! Shape casts and ray casts against an oracle with proved bounds, in random cases with many near ties.
//!
//! A hit is proved without a second search: at its fraction the two shapes touch, and before it the hit normal
//! separates them. A unit is the unit in the last place of an `f32` as large as the scale of the case: the distance of
//! the two centres plus both sizes plus the length of the displacement. Environment variables set the number of cases
//! and the seed; `docs/testing.md` describes them.

use glam::{DVec2, Vec2, vec2};
use hitgraph::{Aabb, Circle, RayHit, Scene, Segment, Shape, ShapeCastHit, Transform};
use support::cases;
use support::dice::Dice;
use support::oracle::{OracleHull, are_flat, first_touch, gap, least_gap, separation_along, touches_exactly};
use support::{BUILT_IN, KINDS, Kind, Numbers, TestCollider, anything, scene_of_two};

/// Units by which a hit may differ from the first touch.
const HIT_UNITS: f64 = 4.0;

/// Units by which a hit may differ from the first touch if one is a user shape, whose support points are `f32`.
const USER_SHAPE_UNITS: f64 = 8.0;

/// Further units of depth up to which a graze may be reported as no hit.
const GRAZE_UNITS: f64 = 8.0;

/// Units of depth up to which a cast that starts overlapping may count as touching. Their scale excludes the
/// displacement.
const TOUCH_UNITS: f64 = 1.5;

/// The distribution of sizes, scales and positions.
#[derive(Debug, Clone, Copy)]
enum Sizes {
    /// About one unit; half of the values are multiples of a quarter.
    Similar,
    /// From 1e-3 to 1e3.
    Any,
    /// Up to 10,000 times as long as wide.
    Thin,
    /// Multiples of a quarter, also for positions and displacements, so that exact touches of edges and corners are
    /// frequent.
    Quarters,
}

/// The displacement of a cast, and its start.
#[derive(Debug, Clone, Copy)]
enum Aim {
    Anywhere,
    /// Past the target at a distance of this part of the scale. A negative part gives an overlap.
    Past(f64),
    /// From a start at a distance of this part of the scale. A negative part gives an overlap.
    From(f64),
    /// Up to the first touch, plus this part of the displacement.
    To(f64),
}

/// A cast of a shape, or of a point for a ray, against a target.
#[derive(Debug)]
struct Cast {
    caster: TestCollider,
    target: TestCollider,
    displacement: Vec2,
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
        Sizes::Quarters => dice.quarters(12),
        _ => dice.vector(-4.0..4.0),
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

fn random_body(dice: &mut Dice, kinds: &[Kind], sizes: Sizes) -> TestCollider {
    let (kind, make) = dice.one_of(kinds);
    TestCollider { kind, attachment: make(&numbers(dice, sizes)), transform: transform(dice, sizes) }
}

fn aim(dice: &mut Dice) -> Aim {
    let part = f64::from(10_f32.powf(dice.within(-6.0..-1.0)));
    let part = dice.one_of(&[part, -part, part, -part, 0.0]);
    dice.one_of(&[Aim::Anywhere, Aim::Past(part), Aim::Past(part), Aim::From(part), Aim::To(part)])
}

/// The only kind of caster for a ray: a point at the origin of its node.
const RAY_ORIGIN: [Kind; 1] = [("point", |_| Circle::point(Vec2::ZERO).into())];

impl Cast {
    fn new(dice: &mut Dice, kinds: [&[Kind]; 2], sizes: Sizes) -> Self {
        let [caster, mut target] = kinds.map(|kinds| random_body(dice, kinds, sizes));
        if dice.once_in(8) {
            target = caster.clone();
        }
        let mut cast = Self { caster, target, displacement: Vec2::ZERO };
        if matches!(sizes, Sizes::Quarters) {
            let [a, b] = cast.hulls();
            let mut corner = |shape: &OracleHull| shape.side(DVec2::from_angle(f64::from(dice.within(-4.0..4.0))))[0];
            let to_corner = ((corner(&b) - corner(&a)) * 4.0).round() * 0.25;
            let anywhere = point(dice, sizes) * 4.0;
            cast.displacement = dice.one_of(&[anywhere, Vec2::X * 8.0, Vec2::Y * -8.0, to_corner.as_vec2()]);
            let behind = (cast.displacement * dice.one_of(&[0.0, 0.5, 1.0])).round();
            cast.caster.transform.position -= behind;
            return cast;
        }
        let size = f64::from(cast.caster.size() + cast.target.size()).max(1e-3);
        let direction = DVec2::from_angle(f64::from(dice.within(-4.0..4.0)));
        let distance =
            f64::from(if dice.once_in(4) { 10_f32.powf(dice.within(0.0..3.0)) } else { dice.within(0.5..4.0) });
        let base = if dice.once_in(2) { Vec2::ZERO } else { point(dice, sizes) * 10_f32.powf(dice.within(0.0..6.0)) };
        cast.target.transform.position = base;
        cast.caster.transform.position = (base.as_dvec2() - direction * size * distance).as_vec2();
        let angle = if dice.once_in(2) { dice.within(-0.5..0.5) } else { dice.within(-4.0..4.0) };
        let mut displacement = DVec2::from_angle(f64::from(angle)).rotate(direction) * size * distance * 2.0;
        let aim = aim(dice);
        let [a, b] = cast.hulls();
        let gap = gap(&a, &b);
        let mut shift = DVec2::ZERO;
        match aim {
            Aim::Anywhere => {}
            Aim::Past(part) => {
                let side = displacement.perp().normalize() * dice.one_of(&[1.0, -1.0]);
                shift = side * (part * gap.scale - separation_along(&a, &b, side));
            }
            Aim::From(part) => {
                shift = gap.normal * (part * gap.scale - gap.least);
                displacement =
                    dice.one_of(&[displacement, gap.normal.perp() * size, gap.normal * -size, gap.normal * size]);
            }
            Aim::To(part) => displacement *= first_touch(&a, &b, displacement).unwrap_or(1.0) + part,
        }
        cast.target.transform.position = (base.as_dvec2() + shift).as_vec2();
        cast.displacement = displacement.as_vec2();
        cast
    }

    /// Returns a cast in quarters that brings a corner of the caster to a corner of the target, almost along a line to
    /// another corner of the target.
    fn along_a_side(dice: &mut Dice, kinds: [&[Kind]; 2]) -> Self {
        let mut cast = Self::new(dice, kinds, Sizes::Quarters);
        let [a, b] = cast.hulls();
        let mut corner = |shape: &OracleHull| shape.side(DVec2::from_angle(f64::from(dice.within(-4.0..4.0))))[0];
        let [from, to, far] = [&a, &b, &b].map(&mut corner);
        let in_quarters = |vector: DVec2| ((vector * 4.0).round() * 0.25).as_vec2();
        let beside = dice.quarters(2);
        let start = in_quarters((far - to) * f64::from(dice.below(16) as u32) * 0.25) + beside;
        cast.caster.transform.position += in_quarters(to - from) + start;
        cast.displacement = -start * dice.one_of(&[1.0, 2.0, 8.0]);
        cast
    }

    fn scene(&self) -> (Scene, [hitgraph::NodeId; 2], [hitgraph::ColliderId; 2]) {
        scene_of_two(&self.caster, &self.target, Transform::IDENTITY)
    }

    /// Returns the oracle's shapes in world space.
    fn hulls(&self) -> [OracleHull; 2] {
        let (mut scene, nodes, ids) = self.scene();
        let world = scene.world();
        let bodies = [&self.caster, &self.target];
        [0, 1].map(|index| {
            let at = world.transform(nodes[index]).unwrap();
            let shape = bodies[index].attachment.collider();
            let mut pieces: Vec<Shape> = Vec::new();
            shape.pieces(&Aabb::EVERYTHING, &mut |_, piece| pieces.push(piece.transformed(&at)));
            match world.shape(ids[index]).or(pieces.first()) {
                Some(shape) => OracleHull::of(shape, at.translation),
                None => OracleHull::user(&bodies[index].attachment, &at),
            }
        })
    }

    fn hit(&self) -> Option<ShapeCastHit> {
        let (mut scene, [caster, _], _) = self.scene();
        let world = scene.world();
        let at = world.transform(caster).unwrap();
        let filter = anything().exclude_subtree(caster);
        world.cast_shape(self.caster.attachment.collider(), &at, self.displacement, &filter)
    }

    /// Returns the tolerance of a hit, and the depth up to which an overlap may count as a graze.
    fn tolerances(&self, [a, b]: &[OracleHull; 2]) -> [f64; 2] {
        let scale = gap(a, b).scale + self.displacement.as_dvec2().length();
        let tolerance =
            f64::from(f32::EPSILON) * scale * if a.is_user() || b.is_user() { USER_SHAPE_UNITS } else { HIT_UNITS };
        [tolerance, tolerance + f64::from(f32::EPSILON) * scale * GRAZE_UNITS]
    }

    /// Compares a shape cast with the oracle.
    fn check(&self) -> Result<(), String> {
        let hulls = self.hulls();
        let [tolerance, graze] = self.tolerances(&hulls);
        let [a, b] = hulls;
        let displacement = self.displacement.as_dvec2();
        let before = gap(&a, &b);
        let ensure = |holds: bool, message: &str| if holds { Ok(()) } else { Err(format!("{message}, {before:?}")) };
        let Some(hit) = self.hit() else {
            if displacement == DVec2::ZERO {
                return Ok(());
            }
            let (_, least) = least_gap(&a, &b, displacement);
            return ensure(least >= -graze, "a hit is missed");
        };
        let (fraction, normal) = (f64::from(hit.fraction), hit.normal.as_dvec2());
        let (at_hit, point) = (a.moved(displacement * fraction), hit.point.as_dvec2());
        ensure(
            (0.0..=1.0).contains(&fraction) && (normal.length() - 1.0).abs() < 1e-6,
            "the fraction is out of range or the normal is no unit vector",
        )?;
        ensure((f64::from(hit.distance) - fraction * displacement.length()).abs() <= tolerance, "wrong distance")?;
        let separation = separation_along(&at_hit, &b, -normal);
        if before.most < -graze {
            ensure(fraction == 0.0, "a cast that starts inside must hit at the start")?;
        }
        if fraction == 0.0 && before.most < -TOUCH_UNITS * before.unit() {
            return ensure(separation >= before.least * 1.01 - tolerance, "the normal is not the shortest way out");
        }
        ensure(normal.dot(displacement) < 0.0, "the normal does not face the caster")?;
        ensure(gap(&at_hit, &b).most <= tolerance, "the shapes are separate at the hit")?;
        ensure(separation >= -tolerance, "the normal does not separate the shapes at the hit")?;
        let hit_point = OracleHull::of(&Circle::new(0.0).into(), Vec2::ZERO).moved(point);
        let point_tolerance = tolerance + f64::from(f32::EPSILON) * point.abs().max_element();
        ensure(gap(&hit_point, &b).most <= point_tolerance, "the point is not on the target")?;
        ensure(gap(&hit_point, &at_hit).most <= point_tolerance, "the point is not on the caster")
    }
}

/// For casts in quarters: touching shapes touch exactly, and all others are separated by far more than this.
const TOUCH_TOLERANCE: f64 = 1e-9;

impl Cast {
    /// Returns the fraction of the first touch that becomes an overlap, or `Some(None)` if there is no such touch.
    /// Returns `None` if either answer is correct.
    fn expected(&self, [a, b]: &[OracleHull; 2]) -> Option<Option<f64>> {
        let displacement = self.displacement.as_dvec2();
        if displacement == DVec2::ZERO {
            return Some(None);
        }
        let sideways = displacement.perp().normalize();
        let side_gap = separation_along(a, b, sideways).max(separation_along(a, b, -sideways));
        let before = gap(a, b);
        if before.most < -TOUCH_TOLERANCE {
            return Some(Some(0.0));
        }
        let starts_touching = before.least < TOUCH_TOLERANCE;
        if are_flat(a, b) && (starts_touching || side_gap.abs() < TOUCH_TOLERANCE) {
            return None;
        }
        if side_gap > -TOUCH_TOLERANCE {
            return Some(None);
        }
        if starts_touching {
            let approaches = gap(&a.moved(displacement * 1e-3), b).most < -TOUCH_TOLERANCE;
            return Some(approaches.then_some(0.0));
        }
        let touch = first_touch(a, b, displacement * 2.0).map(|half| half * 2.0);
        match touch {
            Some(part) if (part - 1.0).abs() < TOUCH_TOLERANCE => None,
            touch => Some(touch.filter(|part| *part < 1.0)),
        }
    }

    /// Compares a shape cast with the exact first touch.
    fn check_in_quarters(&self) -> Result<(), String> {
        self.check()?;
        let hulls = self.hulls();
        let [a, b] = &hulls;
        let Some(expected) = self.expected(&hulls) else { return Ok(()) };
        let hit = self.hit();
        let found = hit.map(|hit| f64::from(hit.fraction));
        let ensure = |holds: bool, message: &str| {
            if holds { Ok(()) } else { Err(format!("{message}, {hit:?} for {expected:?}")) }
        };
        match (found, expected) {
            (Some(found), Some(expected)) => ensure((found - expected).abs() <= 1e-7, "wrong fraction")?,
            (found, expected) => ensure(found == expected, "a hit is missed or wrongly reported")?,
        }
        // The sides of a shape whose disc is an ellipse are found to within rounding only.
        let Some(hit) = hit.filter(|_| a.is_round() && b.is_round()) else { return Ok(()) };
        let (normal, tangent) = (hit.normal.as_dvec2(), hit.normal.as_dvec2().perp());
        let at_hit = a.moved(self.displacement.as_dvec2() * f64::from(hit.fraction));
        let span = |side: [DVec2; 2]| {
            let [from, to] = side.map(|end| end.dot(tangent));
            [from.min(to), from.max(to)]
        };
        let ([low, high], [from, to]) = (span(b.side(normal)), span(at_hit.side(-normal)));
        let middle = (low.max(from) + high.min(to)) * 0.5;
        let middle = middle.clamp(low, high);
        let offset = [
            b.side(normal)[0].dot(normal) - hit.point.as_dvec2().dot(normal),
            middle - hit.point.as_dvec2().dot(tangent),
        ];
        ensure(
            offset.iter().all(|error| error.abs() <= 1e-3),
            &format!("the point is not the middle of the shared part: {offset:?}"),
        )
    }

    /// Compares a ray cast from the caster, a point, with the oracle. Touching is a hit for a ray.
    fn check_ray(&self) -> Result<(), String> {
        let [a, b] = self.hulls();
        let (origin, displacement) = (self.caster.transform.position, self.displacement.as_dvec2());
        let (mut scene, [caster, _], _) = self.scene();
        let filter = anything().exclude_subtree(caster);
        let length = self.displacement.length();
        let hit = scene.world().cast_ray(origin, self.displacement, length, &filter);
        let before = gap(&a, &b);
        let scale = before.scale + displacement.length();
        let tolerance = f64::from(f32::EPSILON) * scale * if b.is_user() { USER_SHAPE_UNITS } else { HIT_UNITS };
        let ensure =
            |holds: bool, message: &str| if holds { Ok(()) } else { Err(format!("{message}, {before:?} {hit:?}")) };
        let Some(hit) = hit else {
            let is_clear = displacement == DVec2::ZERO || least_gap(&a, &b, displacement).1 >= -tolerance;
            return ensure(is_clear, "a hit is missed");
        };
        let (distance, normal, direction) = (f64::from(hit.distance), hit.normal.as_dvec2(), displacement.normalize());
        let at_hit = a.moved(direction * distance);
        ensure((0.0..=f64::from(length)).contains(&distance), "the distance is out of range")?;
        ensure((normal.length() - 1.0).abs() < 1e-6, "the normal is no unit vector")?;
        let grain = f64::from(f32::EPSILON) * f64::from(hit.point.abs().max_element());
        let hit_point = OracleHull::of(&Circle::new(0.0).into(), Vec2::ZERO).moved(hit.point.as_dvec2());
        ensure(gap(&hit_point, &at_hit).least <= tolerance + grain, "the point is not on the ray")?;
        ensure(gap(&at_hit, &b).most <= tolerance, "the shapes are separate at the hit")?;
        if distance == 0.0 {
            return ensure(normal.distance(-direction) < 1e-6, "from inside, the normal must oppose the ray");
        }
        ensure(before.most >= -tolerance, "a cast that starts inside must hit at the start")?;
        // At its maximal distance, a ray may hit the end of a segment instead of the segment itself.
        let at_its_end = distance >= f64::from(length) * (1.0 - 1e-7);
        ensure(
            at_its_end || separation_along(&at_hit, &b, -normal) >= -tolerance,
            "the normal does not separate the shapes at the hit",
        )?;
        ensure(normal.dot(direction) < 1e-6, "the normal does not face the ray")
    }

    /// Compares a ray cast with an exact overlap test of a long segment.
    fn check_ray_in_quarters(&self) -> Result<(), String> {
        self.check_ray()?;
        if self.displacement == Vec2::ZERO {
            return Ok(());
        }
        let origin = self.caster.transform.position;
        let segment = Segment::new(origin, origin + self.displacement * 1024.0);
        let [_, b] = self.hulls();
        let Some(expected) = touches_exactly(&OracleHull::of(&segment.into(), Vec2::ZERO), &b) else { return Ok(()) };
        let hit = self.ray_hit();
        if hit.is_some() == expected {
            Ok(())
        } else {
            Err(format!("the exact test gives {expected}, but the ray {hit:?}"))
        }
    }
}

impl Cast {
    /// Returns the same cast scaled by `factor`, which is exact for a power of two.
    fn scaled(&self, factor: f32) -> Self {
        let scaled = |body: &TestCollider| {
            let Transform { position, scale, .. } = body.transform;
            let transform = Transform { position: position * factor, scale: scale * factor, ..body.transform };
            TestCollider { transform, ..body.clone() }
        };
        Self { caster: scaled(&self.caster), target: scaled(&self.target), displacement: self.displacement * factor }
    }

    fn ray_hit(&self) -> Option<RayHit> {
        let (mut scene, [caster, _], _) = self.scene();
        let filter = anything().exclude_subtree(caster);
        scene.world().cast_ray(self.caster.transform.position, self.displacement, f32::INFINITY, &filter)
    }

    /// Checks that scaling by a power of two changes no bit of a fraction or normal and scales points and distances.
    fn check_power_of_two_scales(&self) -> Result<(), String> {
        let ensure = |holds: bool, message: String| if holds { Ok(()) } else { Err(message) };
        let (plain, plain_ray) = (self.hit(), self.ray_hit());
        for factor in [-32, 48].map(|power| 2_f32.powi(power)) {
            let scaled = self.scaled(factor);
            let hit = scaled.hit().map(|hit| (hit.fraction, hit.normal, hit.point / factor));
            let same = hit == plain.map(|hit| (hit.fraction, hit.normal, hit.point));
            ensure(same, format!("{hit:?} at scale {factor}, but {plain:?}"))?;
            let hit = scaled.ray_hit().map(|hit| (hit.distance / factor, hit.normal, hit.point / factor));
            let same = hit == plain_ray.map(|hit| (hit.distance, hit.normal, hit.point));
            ensure(same, format!("ray hit {hit:?} at scale {factor}, but {plain_ray:?}"))?;
        }
        Ok(())
    }
}

/// Checks `percent` of all cases.
fn check_cases<T: std::fmt::Debug>(
    percent: u64,
    case: impl Fn(&mut Dice) -> T,
    check: impl Fn(&T) -> Result<(), String>,
) {
    cases::check_cases(40_000, percent, case, check);
}

#[test]
fn casts_against_shapes_of_similar_size_match_the_oracle() {
    check_cases(30, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Similar), Cast::check);
}

#[test]
fn casts_against_shapes_of_very_different_size_match_the_oracle() {
    check_cases(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Any), Cast::check);
}

#[test]
fn casts_of_thin_shapes_match_the_oracle() {
    check_cases(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Thin), Cast::check);
}

#[test]
fn casts_with_user_shapes_and_composites_match_the_oracle() {
    check_cases(5, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Similar), Cast::check);
    check_cases(5, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Any), Cast::check);
}

#[test]
fn casts_with_coordinates_in_quarters_match_the_exact_first_touch() {
    check_cases(20, |dice| Cast::new(dice, [BUILT_IN; 2], Sizes::Quarters), Cast::check_in_quarters);
}

#[test]
fn casts_and_rays_through_a_corner_beside_a_nearly_parallel_side_match_the_exact_first_touch() {
    check_cases(40, |dice| Cast::along_a_side(dice, [&RAY_ORIGIN, BUILT_IN]), Cast::check_ray_in_quarters);
    check_cases(10, |dice| Cast::along_a_side(dice, [&RAY_ORIGIN, &KINDS]), Cast::check_ray);
    check_cases(20, |dice| Cast::along_a_side(dice, [BUILT_IN; 2]), Cast::check_in_quarters);
}

#[test]
fn scaling_a_case_by_a_power_of_two_scales_the_hit_exactly() {
    check_cases(10, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Similar), Cast::check_power_of_two_scales);
    check_cases(10, |dice| Cast::new(dice, [&KINDS; 2], Sizes::Quarters), Cast::check_power_of_two_scales);
}

#[test]
fn ray_casts_match_the_oracle() {
    let rays = |sizes: Sizes| move |dice: &mut Dice| Cast::new(dice, [&RAY_ORIGIN, BUILT_IN], sizes);
    check_cases(20, rays(Sizes::Similar), Cast::check_ray);
    check_cases(20, rays(Sizes::Any), Cast::check_ray);
    check_cases(20, rays(Sizes::Thin), Cast::check_ray);
    check_cases(20, rays(Sizes::Quarters), Cast::check_ray_in_quarters);
    check_cases(10, |dice| Cast::new(dice, [&RAY_ORIGIN, &KINDS], Sizes::Similar), Cast::check_ray);
    check_cases(10, |dice| Cast::new(dice, [&RAY_ORIGIN, &KINDS], Sizes::Any), Cast::check_ray);
}
