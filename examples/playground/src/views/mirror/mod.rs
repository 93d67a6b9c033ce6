//! Liar's Mirror: a duel of one minute in which a second engine, which decomposes transforms, tests the same frames.
//! Whenever its answer is wrong, the duel is held and the error is shown.

mod body;
mod brain;
mod card;
mod cast;
mod control;
mod duel;
mod fighter;
mod lie;
mod link;
mod moment;
mod opponent;
mod outline;
mod paint;
mod panel;
mod player;
mod referee;
mod stage;

use glam::{Vec2, vec2};
use hitgraph::Aabb;
use macroquad::prelude::{KeyCode, Rect};

use super::drawing::opener::Opener;
use super::pair::{decomposed, kind, operand};
use crate::camera::Camera;
use crate::draw::Brush;
use crate::input::{Input, Pointer};
use crate::ui::Ui;
use crate::view::{Drag, Request, Stage, View};
use body::TICK;
use control::Control;
use duel::{Duel, HOLD, KNIGHT};
use fighter::Fighter;
use lie::Lie;
use player::Player;
use referee::{Count, DECOMPOSING, HITGRAPH};

/// The size of the visible region, in world units.
const SEEN: Vec2 = vec2(10.2, 9.2);
/// The height of its centre. The counters cover the top, and the card covers the bottom.
const MIDDLE: f32 = 2.35;
/// The factor of the zoom on a wrong answer.
const ZOOM: f32 = 2.1;
/// The time after which the next duel without a player starts, in seconds.
const PAUSE: f32 = 6.0;

/// The seed of the first duel, in which the decomposing engine is soon and clearly wrong in both ways.
const FIRST_SEED: u32 = 111;

/// The source of the control of the knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hand {
    /// He fights by himself until the player presses something.
    Nobody,
    Player,
    /// The inputs of a link. When they end, the player continues.
    Link,
}

pub struct MirrorView {
    duel: Duel,
    hand: Hand,
    player: Player,
    /// The inputs of the duel so far, or all inputs of a link.
    inputs: Vec<Control>,
    /// The inputs as text, renewed at intervals, because the address changes with it.
    written: String,
    /// The elapsed time that is not yet simulated, in seconds.
    accumulator: f32,
    /// The time since the end of the duel, in seconds.
    over: f32,
    /// 0 if the whole duel is shown, 1 if the place of the last wrong answer is.
    zoom: f32,
    /// The centre of the picture, which follows the fighters.
    center: f32,
    /// The index of the wrong answer on the card; the last one if it is `None`.
    selected: Option<usize>,
    /// A drawing that replaces the troll.
    opponent: Option<Fighter>,
    left_out: usize,
    opener: Opener,
    card: Ui,
    card_area: Rect,
    pointer: Pointer,
    request: Option<Request>,
}

impl Default for MirrorView {
    fn default() -> Self {
        Self {
            duel: Duel::new(FIRST_SEED),
            hand: Hand::Nobody,
            player: Player::default(),
            inputs: Vec::new(),
            written: String::new(),
            accumulator: 0.0,
            over: 0.0,
            zoom: 0.0,
            center: 0.0,
            selected: None,
            opponent: None,
            left_out: 0,
            opener: Opener::default(),
            card: Ui::default(),
            card_area: Rect::default(),
            pointer: Pointer::default(),
            request: None,
        }
    }
}

impl MirrorView {
    /// Starts a duel.
    fn start(&mut self, seed: u32, hand: Hand) {
        self.duel = match &self.opponent {
            Some(opponent) => Duel::against(opponent.clone(), seed),
            None => Duel::new(seed),
        };
        self.hand = hand;
        self.inputs.clear();
        self.written.clear();
        (self.accumulator, self.over, self.zoom) = (0.0, 0.0, 0.0);
        self.selected = None;
    }

    /// Advances the duel by a tick.
    fn tick(&mut self, control: Control) {
        let input = match self.hand {
            Hand::Nobody => None,
            Hand::Link if self.duel.input_index() < self.inputs.len() => Some(self.inputs[self.duel.input_index()]),
            Hand::Link | Hand::Player => {
                self.hand = Hand::Player;
                if self.inputs.len() <= self.duel.input_index() && !self.duel.is_over() {
                    self.inputs.push(control);
                    self.write_inputs();
                }
                self.inputs.get(self.duel.input_index()).copied()
            }
        };
        let known = self.duel.lies.len();
        self.duel.step(input);
        if self.duel.lies.len() > known {
            self.selected = None;
        }
        self.zoom += (if self.duel.hold > 0 { 1.0 } else { 0.0 } - self.zoom) * 0.22;
        let middle = self.duel.bodies.iter().map(|body| body.center().x).sum::<f32>() * 0.5;
        self.center += (middle - self.center) * 0.06;
    }

    /// Renews the text of the inputs every two seconds and at the end.
    fn write_inputs(&mut self) {
        if self.inputs.len() % 40 == 1 || self.inputs.len() >= link::MOST_INPUTS {
            self.written = control::write(&self.inputs);
        }
    }

    /// Returns the wrong answer on the card.
    fn shown(&self) -> Option<&Lie> {
        self.selected.map_or(self.duel.lies.last(), |index| self.duel.lies.get(index))
    }

    fn count(&self, engine: usize) -> Count {
        self.duel.referee.counts[engine]
    }

    /// Opens the wrong answer on the card in the pair view.
    fn send(&mut self) {
        self.request = self.shown().map(|lie| Request::Share(moment::link(lie)));
    }

    /// Copies the wrong answer on the card as a test.
    fn copy_test(&mut self) {
        self.request = self.shown().map(|lie| Request::Copy(moment::rust_test(lie, self.duel.seed)));
    }

    /// Starts, restarts or hands over the duel when the player presses something.
    fn take_over(&mut self, pressed: bool, input: &Input) {
        let seed = self.duel.seed;
        // Presses of the last moment of a duel do not start the next one.
        let can_restart = self.duel.is_over() && self.over > 1.0;
        match self.hand {
            _ if input.pressed(KeyCode::R) => self.start(seed, Hand::Player),
            Hand::Nobody if pressed => self.start(seed, Hand::Player),
            Hand::Link if pressed && !self.duel.is_over() => {
                self.inputs.truncate(self.duel.input_index());
                self.hand = Hand::Player;
            }
            _ if can_restart && (pressed || input.pressed(KeyCode::Space)) => {
                self.start(seed.wrapping_add(1), Hand::Player);
            }
            _ => {}
        }
    }
}

impl View for MirrorView {
    fn home(&self) -> Aabb {
        let all = (vec2(self.center, MIDDLE), SEEN);
        let (center, size) = match self.duel.lies.last() {
            Some(lie) => (all.0.lerp(lie.at, self.zoom), SEEN / (1.0 + (ZOOM - 1.0) * self.zoom)),
            None => all,
        };
        Aabb::new(center - size * 0.5, center + size * 0.5)
    }

    fn has_grid(&self) -> bool {
        false
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        self.pointer = stage.input.pointer;
        let mut input = stage.input.clone();
        if self.card_area.contains(self.pointer.position) {
            input.pointer = self.pointer.absent();
        } else {
            self.pointer = self.pointer.absent();
        }
        let knight = &self.duel.bodies[KNIGHT];
        let (control, pressed) = self.player.read(&input, stage.camera, knight, stage.seconds);
        self.take_over(pressed, &input);
        self.accumulator = (self.accumulator + stage.seconds).min(0.2);
        while self.accumulator >= TICK {
            self.accumulator -= TICK;
            self.tick(control);
        }
        if self.duel.is_over() {
            self.over += stage.seconds;
            if self.hand == Hand::Nobody && self.over > PAUSE {
                self.start(self.duel.seed.wrapping_add(1), Hand::Nobody);
            }
        }
        // The duel has its own camera.
        Drag::Item
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        self.paint(brush);
        self.paint_card(brush.camera.area);
    }

    fn panel(&mut self, ui: &mut Ui) {
        self.widgets(ui);
    }

    fn state(&self) -> String {
        link::write(self.duel.seed, if self.opponent.is_none() { &self.written } else { "" })
    }

    fn set_state(&mut self, state: &str) -> Result<(), String> {
        let (seed, inputs) = link::read(state)?;
        self.opponent = None;
        let hand = if inputs.is_empty() { Hand::Nobody } else { Hand::Link };
        self.start(seed.unwrap_or(FIRST_SEED), hand);
        self.written = control::write(&inputs);
        self.inputs = inputs;
        Ok(())
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let Some(mut sheet) = self.opener.open(name, bytes)? else { return Ok(()) };
        let (opponent, left_out) = opponent::from_scene(name, &mut sheet.scene)?;
        (self.opponent, self.left_out) = (Some(opponent), left_out);
        self.start(self.duel.seed, Hand::Nobody);
        Ok(())
    }

    fn take_request(&mut self) -> Option<Request> {
        self.request.take()
    }

    /// `hitgraph` and `decomposing` count wrong answers; `send` and `copy` are buttons on the screen; `knight` is the
    /// knight's place in the world.
    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        let hand = match self.hand {
            Hand::Nobody => "nobody",
            Hand::Player => "player",
            Hand::Link => "link",
        };
        let [send, copy] = card::buttons(self.card_area).map(|button| button.center());
        let place = |at: Vec2| format!("{:.1},{:.1}", at.x, at.y);
        vec![
            ("seed", self.duel.seed.to_string()),
            ("hand", hand.to_owned()),
            ("tick", self.duel.tick.to_string()),
            ("hitgraph", self.count(HITGRAPH).total().to_string()),
            ("decomposing", self.count(DECOMPOSING).total().to_string()),
            ("tests", self.duel.referee.tests.to_string()),
            ("held", (self.duel.hold > 0).to_string()),
            ("lie", self.shown().map_or_else(String::new, |lie| format!("{}, {}", lie.verdict, lie.title()))),
            ("opponent", self.duel.fighters[0].name.to_string()),
            ("knight", format!("{:.2}", self.duel.bodies[KNIGHT].x)),
            ("send", if self.shown().is_some() { place(send) } else { String::new() }),
            ("copy", if self.shown().is_some() { place(copy) } else { String::new() }),
        ]
    }
}

#[cfg(test)]
mod tests;
