use hitgraph::glam::{Vec2, vec2};
use hitgraph::{MoveOptions, NodeId, Scene, SceneError};
use std::time::Instant;

/// What the player wants in a frame.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// From -1, left, to 1, right.
    pub walk: f32,
    pub jump: bool,
    /// Where the mouse is.
    pub aim: Vec2,
    /// How many seconds the frame takes.
    pub seconds: f32,
}

/// For how many frames to walk which way, whether to jump at first, and where to aim: over the floor, up through the
/// ledge, on to the wall and along it, and at the bat behind.
const SCRIPT: [(u32, f32, bool, Vec2); 4] = [
    (75, 1.0, false, vec2(600.0, 100.0)),
    (50, 1.0, true, vec2(600.0, 100.0)),
    (45, 1.0, true, vec2(600.0, 100.0)),
    (26, -0.5, false, vec2(420.0, 150.0)),
];

/// What the player wants, which is what the keys say or, with `--shot FILE`, what a script says that ends in a picture;
/// and how she moves.
#[derive(Debug)]
pub struct Player {
    script: Option<(String, std::vec::IntoIter<Wish>)>,
    last_frame: Instant,
    velocity: Vec2,
    on_floor: bool,
}

impl Player {
    /// # Errors
    /// If the command line says something else, or names a file that cannot be written.
    pub fn from_command_line() -> Result<Self, String> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let script = match &arguments[..] {
            [] => None,
            [flag, file] if flag == "--shot" => {
                std::fs::File::create(file).map_err(|error| format!("{file}: {error}"))?;
                Some((file.clone(), script().into_iter()))
            }
            _ => return Err("usage: [--shot FILE]; a script plays then, and FILE becomes a picture of its end".into()),
        };
        Ok(Self { script, last_frame: Instant::now(), velocity: Vec2::ZERO, on_floor: false })
    }

    /// What is wanted in the next frame: what the keys and the mouse say here, unless the script plays.
    pub fn wish(&mut self, left: bool, right: bool, jump: bool, aim: impl Into<[f32; 2]>) -> Wish {
        let now = Instant::now();
        let seconds = (now - self.last_frame).as_secs_f32().min(0.05);
        self.last_frame = now;
        let walk = f32::from(right) - f32::from(left);
        let wish = Wish { walk, jump, aim: Vec2::from(aim.into()), seconds };
        self.script.as_mut().and_then(|(_, script)| script.next()).unwrap_or(wish)
    }

    /// A frame of hers: she walks, jumps or falls, and looks where she aims.
    ///
    /// # Errors
    /// If she is no longer in the scene.
    pub fn step(&mut self, scene: &mut Scene, knight: NodeId, arm: NodeId, wish: Wish) -> Result<(), SceneError> {
        // y is down, so up and jumping are negative, and falling is not.
        let options = MoveOptions { up: -Vec2::Y, snap_to_floor: 4.0, ..MoveOptions::default() };
        let fall = if wish.jump && self.on_floor { -560.0 } else { self.velocity.y + 1200.0 * wish.seconds };
        self.velocity = vec2(200.0 * wish.walk, fall);
        let moved = scene.move_and_slide(knight, self.velocity * wish.seconds, &options)?;
        self.on_floor = moved.floor.is_some();
        if self.on_floor || moved.ceiling.is_some() {
            self.velocity.y = 0.0;
        }
        // Mirrored, with all that hangs on her; the arm turns in her own frame.
        scene[knight].transform.scale.x = if wish.aim.x < scene[knight].transform.position.x { -1.0 } else { 1.0 };
        let aim = scene.world().to_local(knight, wish.aim).unwrap_or_default() - scene[arm].transform.position;
        scene[arm].transform.rotation = aim.to_angle();
        Ok(())
    }

    /// The file for the picture, once the script is over.
    #[must_use]
    pub fn shot(&self) -> Option<&str> {
        self.script.as_ref().filter(|(_, rest)| rest.len() == 0).map(|(file, _)| file.as_str())
    }
}

fn script() -> Vec<Wish> {
    let seconds = 1.0 / 60.0;
    let part =
        |(frames, walk, jump, aim)| (0..frames).map(move |frame| Wish { walk, jump: jump && frame == 0, aim, seconds });
    SCRIPT.into_iter().flat_map(part).collect()
}
