//! The duel: one minute of the opponent, on the left, against the mirrored knight, on the right.

use super::body::{Body, Intent};
use super::brain::Brain;
use super::cast;
use super::control::{Control, TICKS_PER_INPUT};
use super::fighter::Fighter;
use super::lie::Lie;
use super::operand::Operand;
use super::referee::Referee;

pub const OPPONENT: usize = 0;
pub const KNIGHT: usize = 1;
/// The ticks of a duel: a minute.
pub const TICKS: u32 = 3600;
/// The ticks for which the duel is held at a wrong answer: 0.4 s.
pub const HOLD: u32 = 24;
/// The ticks before a fighter can be hit again.
const SAFE: u32 = 40;
/// The least distance of the fighters, and the walls.
const CLOSEST: f32 = 2.7;
const WALL: f32 = 6.0;

pub struct Duel {
    pub seed: u32,
    pub fighters: [Fighter; 2],
    pub bodies: [Body; 2],
    brains: [Brain; 2],
    pub referee: Referee,
    /// The ticks of the duel, without those of holds.
    pub tick: u32,
    /// The remaining ticks of the hold.
    pub hold: u32,
    /// The hits by true outlines that each fighter has landed.
    pub hits: [u32; 2],
    last_hit: [Option<u32>; 2],
    /// The wrong answers of the decomposing engine, oldest first.
    pub lies: Vec<Lie>,
    operands: Vec<Operand>,
}

impl Duel {
    pub fn new(seed: u32) -> Self {
        Self::against(cast::troll(), seed)
    }

    pub fn against(opponent: Fighter, seed: u32) -> Self {
        let fighters = [opponent, cast::knight()];
        let referee = Referee::new(&fighters);
        let bodies = [Body::new(-2.4, 1.0), Body::new(2.4, -1.0)];
        let brains = [Brain::troll(seed), Brain::knight(seed)];
        let mut duel = Self {
            seed,
            fighters,
            bodies,
            brains,
            referee,
            tick: 0,
            hold: 0,
            hits: [0; 2],
            last_hit: [None; 2],
            lies: Vec::new(),
            operands: Vec::new(),
        };
        duel.pose();
        duel
    }

    /// Advances by one tick. Without a control the knight fights by himself.
    pub fn step(&mut self, control: Option<Control>) {
        if self.hold > 0 {
            self.hold -= 1;
            return;
        }
        if self.is_over() {
            return;
        }
        let [troll, knight] = &mut self.bodies;
        let [troll_brain, knight_brain] = &mut self.brains;
        let attack = troll_brain.decide(troll, knight);
        let defence = match control {
            Some(control) => Intent { walk: f32::from(control.walk), aim: control.aim() },
            None => knight_brain.decide(knight, troll),
        };
        troll.step(attack);
        knight.step(defence);
        // Both yield if they are too close, and the walls hold them.
        let overlap = (CLOSEST - (knight.x - troll.x)).max(0.0) * 0.5;
        troll.x = (troll.x - overlap).clamp(-WALL, WALL - CLOSEST);
        knight.x = (knight.x + overlap).clamp(troll.x + CLOSEST, WALL);
        self.pose();
        let ruling = self.referee.judge(self.tick, &self.operands);
        for side in [OPPONENT, KNIGHT] {
            if ruling.hit[side] && self.last_hit[side].is_none_or(|last| self.tick - last > SAFE) {
                self.last_hit[side] = Some(self.tick);
                self.bodies[side].hit();
                self.hits[1 - side] += 1;
            }
        }
        if let Some((lie, operands)) = ruling.lie {
            self.lies.push(lie);
            self.operands = operands;
            self.hold = HOLD;
        }
        self.tick += 1;
    }

    fn pose(&mut self) {
        let [a, b] = self.bodies.each_ref().map(Body::motion);
        self.operands = self.fighters[0].operands(&a).chain(self.fighters[1].operands(&b)).collect();
    }

    pub fn is_over(&self) -> bool {
        self.tick >= TICKS
    }

    /// Returns the limbs in world space, those of the opponent first.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Returns the index of the input of the next tick.
    pub fn input_index(&self) -> usize {
        (self.tick / TICKS_PER_INPUT) as usize
    }
}
