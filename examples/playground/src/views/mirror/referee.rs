//! The referee measures every pair of a weapon and a body in f64 and counts the wrong answers of both engines by the
//! same rule.

use std::collections::BTreeSet;

use glam::Vec2;
use hitgraph::DebugShape;

use super::fighter::{Fighter, Limb};
use super::lie::{Lie, Verdict};
use super::operand::Operand;
use super::outline::{Outline, clearly_apart, gap};
use super::stage::Stage;

/// A gap or depth below this is too close to call, and counts for neither engine. The knight is 3.3 high.
pub const TOO_CLOSE: f64 = 0.04;
/// An attack ends after so many ticks without a wrong answer; it counts as one wrong answer.
const PAUSE: u32 = 45;
/// The longest time in ticks for which a growing error is awaited.
const AWAITED: u32 = 12;

/// The engines under test.
pub const HITGRAPH: usize = 0;
pub const DECOMPOSING: usize = 1;

/// The counts of an engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub phantom: u32,
    pub missed: u32,
}

impl Count {
    pub fn total(self) -> u32 {
        self.phantom + self.missed
    }
}

pub struct Referee {
    limbs: Vec<(usize, Limb)>,
    /// The pairs of a weapon and a body of different fighters, the smaller index first.
    pairs: Vec<[usize; 2]>,
    stages: [Stage; 2],
    pub counts: [Count; 2],
    /// The number of measured pairs that were not too close to call.
    pub tests: u32,
    /// For each limb, `true` if it touched a limb of the other fighter in the last tick.
    pub touching: Vec<bool>,
    /// The last tick with a wrong answer, by engine and by the fighter who attacks.
    last_wrong: [[Option<u32>; 2]; 2],
    /// The wrong answer of the decomposing engine that is not yet shown.
    growing: Option<Growing>,
}

/// The result of one tick.
#[derive(Debug, Default)]
pub struct Ruling {
    /// The fighters that were hit, by their outlines.
    pub hit: [bool; 2],
    /// A wrong answer of the decomposing engine, once per attack, at its largest error, and the limbs at that moment,
    /// which is this tick or the one before.
    pub lie: Option<(Lie, Vec<Operand>)>,
}

/// A wrong answer whose error may still grow.
struct Growing {
    lie: Lie,
    operands: Vec<Operand>,
    /// The first tick with a wrong answer.
    since: u32,
}

impl Referee {
    pub fn new(fighters: &[Fighter; 2]) -> Self {
        let of = |side: usize| fighters[side].limbs.iter().map(move |limb| (side, limb.clone()));
        let limbs: Vec<(usize, Limb)> = of(0).chain(of(1)).collect();
        let stage = || Stage::new(limbs.iter().map(|(side, limb)| (*side, limb)));
        let split = fighters[0].limbs.len();
        let meets = |a: &Limb, b: &Limb| (a.role.hits() && b.role.is_hit()) || (b.role.hits() && a.role.is_hit());
        let pairs = (0..split).flat_map(|a| (split..limbs.len()).map(move |b| [a, b]));
        let pairs = pairs.filter(|[a, b]| meets(&limbs[*a].1, &limbs[*b].1)).collect();
        let stages = [stage(), stage()];
        let counts = [Count::default(); 2];
        let touching = vec![false; limbs.len()];
        Self { limbs, pairs, stages, counts, tests: 0, touching, last_wrong: [[None; 2]; 2], growing: None }
    }

    /// Judges the limbs of both fighters at one tick.
    pub fn judge(&mut self, tick: u32, operands: &[Operand]) -> Ruling {
        self.stages[HITGRAPH].pose(operands);
        self.stages[DECOMPOSING].pose_decomposed(operands);
        let touching = self.stages.each_mut().map(Stage::touching);
        let outlines: Vec<Outline> = self
            .limbs
            .iter()
            .zip(operands)
            .map(|((_, limb), operand)| Outline::new(limb.form, &operand.chain))
            .collect();
        let mut worst: [[Option<Wrong>; 2]; 2] = Default::default();
        for pair in &self.pairs {
            let [a, b] = pair.map(|limb| &outlines[limb]);
            let touches = touching.iter().any(|touching| touching.contains(pair));
            if !touches && clearly_apart(a, b, TOO_CLOSE) {
                self.tests += 1;
                continue;
            }
            let gap = gap(a, b);
            if gap.abs() < TOO_CLOSE {
                continue;
            }
            self.tests += 1;
            let attacker = self.attacker(*pair);
            for (engine, touching) in touching.iter().enumerate() {
                let wrong = &mut worst[engine][attacker];
                if touching.contains(pair) != (gap < 0.0) && wrong.as_ref().is_none_or(|w| w.gap.abs() < gap.abs()) {
                    *wrong = Some(Wrong { pair: *pair, gap });
                }
            }
        }
        self.touching.fill(false);
        touching[HITGRAPH].iter().flatten().for_each(|limb| self.touching[*limb] = true);
        let mut ruling = Ruling { hit: self.hits(&touching[HITGRAPH]), lie: None };
        for (engine, by_attacker) in worst.into_iter().enumerate() {
            for (attacker, wrong) in by_attacker.into_iter().enumerate() {
                let Some(wrong) = wrong else { continue };
                let is_new = self.last_wrong[engine][attacker].is_none_or(|last| tick - last > PAUSE);
                self.last_wrong[engine][attacker] = Some(tick);
                let verdict = wrong.verdict();
                if is_new {
                    match verdict {
                        Verdict::Phantom => self.counts[engine].phantom += 1,
                        Verdict::Missed => self.counts[engine].missed += 1,
                    }
                }
                if engine == DECOMPOSING {
                    self.follow(&wrong, is_new, tick, operands);
                }
            }
        }
        // The error is shown when it no longer grows.
        let settled = |growing: &mut Growing| growing.lie.tick < tick || tick - growing.since >= AWAITED;
        if let Some(Growing { lie, operands, .. }) = self.growing.take_if(settled) {
            // The next tick poses the limbs again.
            self.stages[HITGRAPH].pose(&operands);
            self.stages[DECOMPOSING].pose_decomposed(&operands);
            ruling.lie = Some((lie, operands));
        }
        ruling
    }

    /// Calls `draw` with each shape that an engine tests and the index of its limb.
    pub fn draw(&mut self, engine: usize, draw: impl FnMut(usize, &DebugShape<'_>)) {
        self.stages[engine].draw(draw);
    }

    /// Returns the limb of an index.
    pub fn limb(&self, index: usize) -> &Limb {
        &self.limbs[index].1
    }

    /// Keeps the moment of the largest error of an attack.
    fn follow(&mut self, wrong: &Wrong, is_new: bool, tick: u32, operands: &[Operand]) {
        let grows = match &self.growing {
            Some(Growing { lie, .. }) => lie.limbs == wrong.pair && lie.gap.abs() < wrong.gap.abs(),
            None => is_new,
        };
        if grows {
            let since = self.growing.as_ref().map_or(tick, |growing| growing.since);
            let names = wrong.pair.map(|limb| self.limbs[limb].1.name.to_string());
            let pair = wrong.pair.map(|limb| operands[limb]);
            let (verdict, limbs, at) = (wrong.verdict(), wrong.pair, place(&pair));
            let lie = Lie { verdict, tick, limbs, names, operands: pair, gap: wrong.gap, at };
            self.growing = Some(Growing { lie, operands: operands.to_vec(), since });
        }
    }

    /// Returns the fighter whose weapon is in a pair.
    fn attacker(&self, [a, b]: [usize; 2]) -> usize {
        let knight_hits = self.limbs[b].1.role.hits() && self.limbs[a].1.role.is_hit();
        usize::from(knight_hits)
    }

    fn hits(&self, touching: &BTreeSet<[usize; 2]>) -> [bool; 2] {
        let mut hit = [false; 2];
        touching.iter().for_each(|pair| hit[1 - self.attacker(*pair)] = true);
        hit
    }
}

/// A pair for which an engine's answer is wrong.
struct Wrong {
    pair: [usize; 2],
    gap: f64,
}

impl Wrong {
    fn verdict(&self) -> Verdict {
        if self.gap > 0.0 { Verdict::Phantom } else { Verdict::Missed }
    }
}

/// Returns the place where two limbs are closest or overlap.
fn place(operands: &[Operand; 2]) -> Vec2 {
    let mut scene = hitgraph::Scene::new();
    let colliders = operands.each_ref().map(|operand| {
        let transform = hitgraph::Transform::from_affine(operand.world(2));
        let node = hitgraph::Node::new("limb").with_transform(transform);
        operand.kind.attachment().map(|shape| scene.add_with(node, shape).1).unwrap_or_default()
    });
    let world = scene.world();
    let [a, b] = colliders;
    let contact = world.contact(a, b).map(|contact| contact.points()[0]);
    let between = || world.closest_points(a, b).map(|[a, b]| (a + b) * 0.5);
    contact.or_else(between).unwrap_or(operands[0].world(2).translation)
}
