//! A level with movers and parts, and the loop that runs it.

use std::f32::consts::TAU;

use glam::{DVec2, Vec2, vec2};
use hitgraph::{
    Attachment, ColliderId, MoveHit, MoveOptions, MoveResponse, Moved, Node, NodeId, Scene, Transform, World,
};

use super::oracle::{self, Memory};
use super::reports;
use super::{GHOST, Part, Pusher, Verdict, shows};
use crate::dice::Dice;

/// A level.
#[derive(Clone)]
pub struct Level {
    pub scene: Scene,
    pub dice: Dice,
    pub frame: u64,
    pub movers: Vec<LevelMover>,
    pub parts: Vec<Part>,
    pub pushers: Vec<Pusher>,
    /// A closed outline of solid, still walls that no mover ever leaves; empty if there is none.
    pub room: Vec<DVec2>,
    /// Solid, still lines across the whole level that no mover ever crosses.
    pub fences: Vec<[DVec2; 2]>,
    /// `true` if nothing but the movers moves, so that none is ever stuck.
    pub is_still: bool,
    /// A hash of all positions and results.
    pub hash: u64,
}

/// A node that the level moves in every frame.
#[derive(Debug, Clone)]
pub struct LevelMover {
    pub node: NodeId,
    pub collider: ColliderId,
    pub options: MoveOptions,
    /// `true` to move with `move_and_collide`.
    pub is_bullet: bool,
    /// `true` to let the mover through colliders with the user data [`GHOST`].
    pub passes_ghosts: bool,
    pub input: Input,
    /// A point of the mover in its middle, relative to the position of its node, in world space.
    pub middle: Vec2,
    /// Half of the smaller side of the box around the mover.
    pub half_size: f32,
    pub memory: Memory,
    displacement: Vec2,
    change_at: u64,
}

/// The displacements of a mover.
#[derive(Debug, Clone, Copy)]
pub enum Input {
    /// One displacement for ever.
    Constant(Vec2),
    /// Any direction, with a length of up to `speed`, changed after at most `hold` frames.
    Wander { speed: f32, hold: u64 },
    /// Any walk of up to `speed` with a constant fall, changed after at most `hold` frames; now and then a jump.
    Walk { speed: f32, fall: f32, hold: u64 },
}

impl Level {
    pub fn new(dice: &mut Dice) -> Self {
        Self {
            scene: Scene::new(),
            dice: Dice(dice.seed()),
            frame: 0,
            movers: Vec::new(),
            parts: Vec::new(),
            pushers: Vec::new(),
            room: Vec::new(),
            fences: Vec::new(),
            is_still: false,
            hash: 0xcbf2_9ce4_8422_2325,
        }
    }

    /// Adds a node with a collider.
    pub fn add(&mut self, transform: Transform, shape: impl Into<Attachment>) -> NodeId {
        self.scene.add_with(Node::new("").with_transform(transform), shape).0
    }

    /// Adds a mover under a parent with a transform.
    pub fn add_mover(&mut self, parent: Transform, at: Vec2, shape: impl Into<Attachment>) -> &mut LevelMover {
        let parent = self.scene.add(Node::new("parent").with_transform(parent));
        let node = self.scene.add_child(parent, Node::new("mover")).unwrap();
        let collider = self.scene.attach(node, shape).unwrap();
        self.put(node, at);
        let world = self.scene.world();
        let bounds = world.bounds(collider).unwrap();
        let half_size = 0.5 * bounds.size().min_element();
        let middle = world.project_point(collider, bounds.center()).unwrap().point - world.position(node).unwrap();
        self.movers.push(LevelMover {
            node,
            collider,
            options: MoveOptions::default(),
            is_bullet: false,
            passes_ghosts: false,
            input: Input::Constant(Vec2::ZERO),
            middle,
            half_size,
            memory: Memory::default(),
            displacement: Vec2::ZERO,
            change_at: 0,
        });
        self.movers.last_mut().unwrap()
    }

    /// Writes the position of a node in world space.
    pub fn put(&mut self, node: NodeId, at: Vec2) {
        self.scene.set_world_position(node, at).unwrap();
    }

    /// Returns `true` if a mover is outside everything by a distance.
    pub fn is_free(&mut self, mover: NodeId, distance: f32) -> bool {
        let world = self.scene.world();
        let own = world.colliders(mover)[0];
        let others = world.descendants(world.root()).filter(|node| *node != mover);
        let mut colliders = others.flat_map(|node| world.colliders(node));
        colliders.all(|other| world.distance(own, *other).is_none_or(|gap| gap > distance))
    }

    /// Removes the mover that was added last.
    pub fn remove_last_mover(&mut self) {
        if let Some(mover) = self.movers.pop() {
            self.scene.remove(self.scene.parent(mover.node).unwrap());
        }
    }

    /// Moves all parts, then all movers in any order, and then lets all pushers push. Checks each move and each push.
    ///
    /// # Errors
    /// If a move violates a claim.
    pub fn frame(&mut self) -> Verdict {
        if self.frame == 0 {
            self.show();
        }
        self.advance_parts();
        for (index, displacement) in self.choose_moves() {
            self.move_one(index, displacement)?;
        }
        self.push_all()?;
        if self.dice.once_in(3) {
            self.scene.update();
        }
        self.frame += 1;
        Ok(())
    }

    /// Moves all parts to where they are in this frame.
    pub fn advance_parts(&mut self) {
        for part in &self.parts {
            part.advance(&mut self.scene, self.frame);
        }
    }

    /// Chooses the moves of this frame: every mover once, in any order, with its displacement.
    pub fn choose_moves(&mut self) -> Vec<(usize, Vec2)> {
        let mut order: Vec<usize> = (0..self.movers.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.dice.below(last as u64 + 1) as usize);
        }
        let with_displacement = |index| {
            self.change_input(index);
            (index, self.movers[index].displacement)
        };
        order.into_iter().map(with_displacement).collect()
    }

    /// Multiplies all lengths of the level by a factor. The claims of a frame, which contain lengths, do not hold then.
    pub fn scale_by(&mut self, factor: f32) {
        let roots = self.scene.children(self.scene.root()).to_vec();
        let scaled = self.scene.add(Node::new("scaled").with_scale(Vec2::splat(factor)));
        for node in roots {
            self.scene.set_parent(node, scaled).unwrap();
        }
        for LevelMover { options, .. } in &mut self.movers {
            for length in [&mut options.skin_width, &mut options.step_height, &mut options.snap_to_floor] {
                *length *= factor;
            }
        }
    }

    /// Moves one mover and checks the move.
    ///
    /// # Errors
    /// If the move violates a claim.
    pub fn move_one(&mut self, index: usize, displacement: Vec2) -> Result<Moved, String> {
        let before = oracle::Before::new(self, index);
        let moved = self.move_unchecked(index, displacement)?;
        if shows() {
            let parts: Vec<_> = self.parts.iter().map(|part| self.scene[part.node].transform).collect();
            eprintln!("frame {}: mover {index} from {} by {displacement}: {moved:?}", self.frame, before.position);
            eprintln!("  parts {parts:?}");
        }
        for bits in [moved.travel.x.to_bits(), moved.travel.y.to_bits(), moved.hits().len() as u32] {
            self.hash = (self.hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3);
        }
        oracle::check_move(self, index, &before, displacement, &moved).map_err(|claim| {
            let at = before.position;
            format!("mover {index} from {at} by {displacement}: {claim}\n  {moved:?}")
        })?;
        Ok(moved)
    }

    /// Moves one mover.
    ///
    /// # Errors
    /// If the scene refuses the move.
    pub fn move_unchecked(&mut self, index: usize, displacement: Vec2) -> Result<Moved, String> {
        let LevelMover { node, is_bullet, passes_ghosts, ref options, .. } = self.movers[index];
        let respond = |world: World<'_>, hit: &MoveHit| match world.attachment(hit.side.collider) {
            Some(attachment) if attachment.user_data == GHOST => MoveResponse::Pass,
            _ => MoveResponse::Block,
        };
        let moved = match (is_bullet, passes_ghosts) {
            (true, true) => self.scene.move_and_collide_with(node, displacement, options, respond),
            (true, false) => self.scene.move_and_collide(node, displacement, options),
            (false, true) => self.scene.move_and_slide_with(node, displacement, options, respond),
            (false, false) => self.scene.move_and_slide(node, displacement, options),
        };
        moved.map_err(|error| format!("mover {index}: {error}"))
    }

    /// Prints the whole level if the environment asks for it.
    pub fn show(&mut self) {
        if !shows() {
            return;
        }
        eprintln!("room {:?}", self.room);
        let world = self.scene.world();
        for node in world.descendants(world.root()) {
            let colliders = world.colliders(node).iter().filter_map(|id| world.attachment(*id));
            eprintln!("{node:?} at {:?}: {:?}", world.transform(node), colliders.collect::<Vec<_>>());
        }
        for mover in &self.movers {
            eprintln!("mover {:?}, {:?}, {:?}", mover.node, mover.input, mover.options);
        }
    }

    /// Pushes one mover out of what it is inside of, and checks the path.
    ///
    /// # Errors
    /// If the path violates a claim.
    pub fn depenetrate(&mut self, index: usize) -> Verdict {
        self.show();
        let before = oracle::Before::new(self, index);
        let LevelMover { node, ref options, .. } = self.movers[index];
        let result = self.scene.depenetrate(node, &options.filter);
        reports::check_push_out(self, index, &before, result.ok())
            .map_err(|claim| format!("from {}, pushed out by {result:?}: {claim}", before.position))
    }

    fn change_input(&mut self, index: usize) {
        let (frame, dice, mover) = (self.frame, &mut self.dice, &mut self.movers[index]);
        if frame < mover.change_at {
            return;
        }
        let (displacement, hold) = match mover.input {
            Input::Constant(displacement) => (displacement, u64::MAX),
            Input::Wander { speed, hold } => {
                // One in ten rests, and one in ten is ten times as fast.
                let speed = [0.0, 10.0, 1.0][dice.below(10).min(2) as usize] * speed;
                (Vec2::from_angle(dice.unit() * TAU) * dice.unit() * speed, hold)
            }
            Input::Walk { speed, fall, hold } => {
                let rise = if dice.once_in(4) { speed * dice.unit() } else { -fall };
                (vec2(dice.within(-speed..speed), rise), if rise > 0.0 { hold.min(30) } else { hold })
            }
        };
        mover.displacement = displacement;
        mover.change_at = frame.saturating_add(1 + if hold == u64::MAX { hold - 1 } else { dice.below(hold) });
    }
}
