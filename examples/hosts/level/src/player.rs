//! The player: reads the controls or plays a script, and moves the knight.

use hitgraph::glam::{Vec2, vec2};
use hitgraph::{MoveOptions, NodeId, Scene, SceneError};
use std::time::Instant;

/// The controls of one frame.
#[derive(Debug, Clone, Copy)]
pub struct Controls {
    /// The walking direction, from -1 (left) to 1 (right).
    pub walk: f32,
    pub jump: bool,
    /// The mouse position in the world.
    pub aim: Vec2,
    /// The length of the frame in seconds.
    pub seconds: f32,
}

/// The script. Each entry contains the number of frames, the walking direction, whether the first frame jumps, and the
/// aim. The knight walks over the floor, jumps up through the ledge, reaches the wall, and strikes the bat behind her.
const SCRIPT: [(u32, f32, bool, Vec2); 4] = [
    (75, 1.0, false, vec2(600.0, 100.0)),
    (50, 1.0, true, vec2(600.0, 100.0)),
    (45, 1.0, true, vec2(600.0, 100.0)),
    (26, -0.5, false, vec2(420.0, 150.0)),
];

/// The state of the knight's movement. With `--shot FILE` a script replaces the keys, and its last frame is saved.
#[derive(Debug)]
pub struct Player {
    script: Option<(String, std::vec::IntoIter<Controls>)>,
    last_frame: Instant,
    velocity: Vec2,
    on_floor: bool,
}

impl Player {
    /// Creates a player from the command line: no argument, or `--shot FILE`.
    ///
    /// # Errors
    /// If there are other arguments, or the file cannot be written.
    pub fn from_command_line() -> Result<Self, String> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let script = match &arguments[..] {
            [] => None,
            [flag, file] if flag == "--shot" => {
                std::fs::File::create(file).map_err(|error| format!("{file}: {error}"))?;
                Some((file.clone(), script().into_iter()))
            }
            _ => return Err("usage: [--shot FILE]: plays a script and saves its last frame to FILE".into()),
        };
        Ok(Self { script, last_frame: Instant::now(), velocity: Vec2::ZERO, on_floor: false })
    }

    /// Returns the controls of the next frame: those of the script while it plays, else the given keys and mouse.
    pub fn controls(&mut self, left: bool, right: bool, jump: bool, aim: impl Into<[f32; 2]>) -> Controls {
        let now = Instant::now();
        let seconds = (now - self.last_frame).as_secs_f32().min(0.05);
        self.last_frame = now;
        let walk = f32::from(right) - f32::from(left);
        let controls = Controls { walk, jump, aim: Vec2::from(aim.into()), seconds };
        self.script.as_mut().and_then(|(_, script)| script.next()).unwrap_or(controls)
    }

    /// Moves the knight by one frame: she walks, jumps or falls, and faces the aim.
    ///
    /// # Errors
    /// If the knight is no longer in the scene.
    pub fn step(
        &mut self,
        scene: &mut Scene,
        knight: NodeId,
        arm: NodeId,
        controls: Controls,
    ) -> Result<(), SceneError> {
        // y is down, so an upward velocity is negative.
        let options = MoveOptions { up: -Vec2::Y, snap_to_floor: 4.0, ..MoveOptions::default() };
        let fall = if controls.jump && self.on_floor { -560.0 } else { self.velocity.y + 1200.0 * controls.seconds };
        self.velocity = vec2(200.0 * controls.walk, fall);
        let moved = scene.move_and_slide(knight, self.velocity * controls.seconds, &options)?;
        self.on_floor = moved.floor.is_some();
        self.velocity = moved.clip_velocity(self.velocity, &options);
        // A negative scale mirrors the knight and all her descendants. The arm rotates in her local frame.
        scene[knight].transform.scale.x = if controls.aim.x < scene[knight].transform.position.x { -1.0 } else { 1.0 };
        let aim = scene.world().to_local(knight, controls.aim).unwrap_or_default() - scene[arm].transform.position;
        scene[arm].transform.rotation = aim.to_angle();
        Ok(())
    }

    /// Returns the picture file after the last frame of the script, else `None`.
    #[must_use]
    pub fn shot(&self) -> Option<&str> {
        self.script.as_ref().filter(|(_, rest)| rest.len() == 0).map(|(file, _)| file.as_str())
    }
}

fn script() -> Vec<Controls> {
    let seconds = 1.0 / 60.0;
    let part = |(frames, walk, jump, aim)| {
        (0..frames).map(move |frame| Controls { walk, jump: jump && frame == 0, aim, seconds })
    };
    SCRIPT.into_iter().flat_map(part).collect()
}
