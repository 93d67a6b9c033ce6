//! Rollback: two machines run the same game, and each receives the other player's input six frames late.
//!
//! A machine does not wait. It guesses that the other player keeps the last known input, and takes a snapshot of every
//! frame. If an input arrives that was guessed wrongly, it goes back to the snapshot of that frame and repeats the frames
//! since. In the end the checksums of both machines are equal in every frame.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, MoveOptions, Node, NodeId, Rect, Scene, SceneError};
use support::Picture;

const FRAMES: usize = 240;
/// The number of frames after which an input arrives at the other machine.
const DELAY: usize = 6;
const SPEED: f32 = 0.12;
const GREY: [f32; 4] = [0.55, 0.57, 0.59, 1.0];
const RED: [f32; 4] = [0.91, 0.12, 0.16, 1.0];

/// Everything that a frame changes.
struct Game {
    scene: Scene,
    players: [NodeId; 2],
    coins: u32,
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Self { scene: self.scene.clone(), players: self.players, coins: self.coins }
    }

    // A derived `Clone` would allocate a new scene for every snapshot. No field can be forgotten here.
    fn clone_from(&mut self, source: &Self) {
        let Self { scene, players, coins } = self;
        scene.clone_from(&source.scene);
        (*players, *coins) = (source.players, source.coins);
    }
}

impl Game {
    fn new() -> Self {
        let mut scene = Scene::new();
        for (x, y, width, height) in
            [(0.0, 4.0, 14.0, 0.4), (0.0, -4.0, 14.0, 0.4), (-7.0, 0.0, 0.4, 8.4), (7.0, 0.0, 0.4, 8.4)]
        {
            scene.add_with(Node::new("wall").with_position(vec2(x, y)), Rect::new(width, height));
        }
        scene.add_with(Node::new("pillar").with_rotation(0.5), Rect::new(1.6, 1.6));
        let players = [-4.0, 4.0].map(|x| {
            let player = Node::new("player").with_position(vec2(x, 0.0));
            scene.add_with(player, Circle::new(0.5)).0
        });
        let mut game = Self { scene, players, coins: 0 };
        (0..3).for_each(|_| game.add_coin());
        game
    }

    /// Adds a coin at a place that depends on the game alone: the machines must agree on it.
    fn add_coin(&mut self) {
        self.coins += 1;
        let at = vec2((self.coins * 5 % 13) as f32 - 6.0, (self.coins * 3 % 7) as f32 - 3.0);
        self.scene.add_with(Node::new("coin").with_position(at), Attachment::new(Circle::new(0.25)).sensor());
    }

    /// Runs one frame with the inputs of both players.
    fn advance(&mut self, inputs: [Vec2; 2]) -> Result<(), SceneError> {
        for (player, input) in self.players.into_iter().zip(inputs) {
            let moved = self.scene.move_and_slide(player, input * SPEED, &MoveOptions::top_down())?;
            for coin in moved.passed() {
                if self.scene.remove(coin.side.node) {
                    self.add_coin();
                }
            }
        }
        self.scene.update();
        Ok(())
    }
}

/// The machine of one player.
struct Machine {
    player: usize,
    game: Game,
    /// The game before each of the last frames, by frame modulo their number. The memory is used again.
    snapshots: Vec<Game>,
    /// By frame: the inputs that the machine used.
    inputs: Vec<[Vec2; 2]>,
    /// By frame: the checksum before it.
    checksums: Vec<u64>,
    repeated: usize,
}

impl Machine {
    fn new(player: usize) -> Self {
        let game = Game::new();
        let (snapshots, checksums) = (vec![game.clone(); DELAY + 1], vec![0; FRAMES]);
        Self { player, game, snapshots, inputs: Vec::new(), checksums, repeated: 0 }
    }

    /// Runs the next frame. `own` is the input of this player, and `other` that of the other one `DELAY` frames ago.
    fn run(&mut self, own: Vec2, other: Option<Vec2>) -> Result<(), SceneError> {
        let (now, them) = (self.inputs.len(), 1 - self.player);
        if let Some(other) = other
            && self.inputs[now - DELAY][them] != other
        {
            // The guess was wrong, for that frame and for those since.
            self.inputs[now - DELAY..].iter_mut().for_each(|inputs| inputs[them] = other);
            self.restore(now - DELAY);
            for frame in now - DELAY..now {
                self.advance(frame)?;
                self.repeated += 1;
            }
        }
        let mut inputs = self.inputs.last().copied().unwrap_or_default();
        inputs[self.player] = own;
        self.inputs.push(inputs);
        self.advance(now)
    }

    fn advance(&mut self, frame: usize) -> Result<(), SceneError> {
        let index = frame % self.snapshots.len();
        self.snapshots[index].clone_from(&self.game);
        self.checksums[frame] = self.game.scene.checksum();
        self.game.advance(self.inputs[frame])
    }

    fn restore(&mut self, frame: usize) {
        self.game.clone_from(&self.snapshots[frame % self.snapshots.len()]);
    }

    fn position(&self, player: usize) -> Vec2 {
        self.game.scene[self.game.players[player]].transform.position
    }
}

/// The input of a player in a frame: a direction that changes from time to time.
fn input(player: usize, frame: usize) -> Vec2 {
    let choice = (frame / (17 + 6 * player) * 7 + player * 3) % 8;
    [Vec2::X, Vec2::Y, vec2(-0.7, 0.7), -Vec2::X, vec2(0.7, -0.7), -Vec2::Y, Vec2::ZERO, vec2(-0.7, -0.7)][choice]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut machines = [Machine::new(0), Machine::new(1)];
    // On the first machine: where the other player was shown, and where that player really was.
    let (mut shown, mut real) = (vec![machines[0].position(1)], vec![machines[1].position(1)]);
    // In the last frames no player moves, so that the paths end at the same point.
    for frame in 0..FRAMES {
        let sent = |player: usize, frame: usize| if frame + DELAY < FRAMES { input(player, frame) } else { Vec2::ZERO };
        for machine in &mut machines {
            let other = frame.checked_sub(DELAY).map(|frame| sent(1 - machine.player, frame));
            machine.run(sent(machine.player, frame), other)?;
        }
        shown.push(machines[0].position(1));
        real.push(machines[1].position(1));
    }
    let [first, second] = &machines;
    // The inputs of the last frames have not arrived yet.
    let agreed = FRAMES - DELAY;
    assert_eq!(first.checksums[..agreed], second.checksums[..agreed]);
    assert!(first.repeated > 0 && shown != real, "some guesses were wrong");
    let farthest = shown.iter().zip(&real).map(|(shown, real)| shown.distance(*real)).fold(0.0, f32::max);
    let lines = [
        format!("the machines repeated {} and {} frames", first.repeated, second.repeated),
        format!("a wrong guess showed the other player up to {farthest:.2} from the real place"),
        format!("the machines agree on {agreed} frames and {} coins", first.game.coins),
    ];
    let mut picture = Picture::new(0.03);
    picture.draw(machines[0].game.scene.world(), &DebugOptions::default());
    let path = |points: &[Vec2]| points.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
    picture.stroke(&path(&real), GREY, false);
    picture.stroke(&path(&shown), RED, false);
    picture.text(vec2(0.0, 4.5), 0.4, "the path of the other player: shown (red) and real (grey)");
    support::report(&lines, picture, "12_rollback.svg")?;
    Ok(())
}
