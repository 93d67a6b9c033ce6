use core::mem::take;

use glam::Vec2;
use smallvec::SmallVec;

use super::MoveOptions;
use super::slopes::{Slopes, Surface};
use crate::scene::{ColliderId, NodeCollider};

/// The result of a move.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/moved.svg"))]
///
/// ```
/// use hitgraph::{Circle, MoveOptions, Moved, Node, Rect, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(20.0, 2.0));
/// let (wall, _) = scene.add_with(Node::new("wall").with_position(vec2(4.0, 2.0)), Rect::new(2.0, 4.0));
/// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 0.51)), Circle::new(0.5));
/// let moved: Moved = scene.move_and_slide(hero, vec2(9.0, -0.1), &MoveOptions::default())?;
/// assert!(moved.floor.is_some() && moved.ceiling.is_none() && !moved.stuck);
/// assert_eq!(moved.wall.map(|hit| hit.side.node), Some(wall));
/// assert!((moved.travel.x - 2.5).abs() < 0.02 && moved.remainder.x > 6.0);
/// assert!(moved.hits().iter().any(|hit| hit.side.node == wall));
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moved {
    /// The travel of the node in world space since its last move that was not [`stuck`](Self::stuck): all that it was
    /// carried, pushed out, slid, stepped and snapped. If another mover on the same platform moved before it, the node
    /// may have been carried in that call, which counts here too, and so do the [pushes](crate::Scene::push) of a
    /// platform that carried it. A push aside does not count: see [`Pushed::travel_of`](crate::Pushed::travel_of).
    pub travel: Vec2,
    /// The rest of the displacement, in world space: the requested displacement minus what the mover slid, stepped and
    /// snapped. Being pushed out or carried does not count. After a step up, it contains minus the height of the step. A
    /// move ends at its twelfth surface or step; what is behind that remains too, without a hit.
    pub remainder: Vec2,
    /// The part of the travel by which the platform under the mover carried it. Divided by the duration of a frame, it
    /// is the velocity of the platform, which a jump from the platform inherits.
    pub carried: Vec2,
    /// The part of the travel by which the mover was pushed out of what it began inside, and restored its skin.
    pub pushed: Vec2,
    /// The floor on which the mover stands at the end: within twice the skin width, and no steeper than
    /// [`max_slope`](crate::MoveOptions::max_slope). On a steeper surface, as
    /// [`snap_to_floor`](crate::MoveOptions::snap_to_floor) describes it, the normal is that of the ledge above. It is
    /// `None` also if the displacement led upwards and hit no floor. A
    /// [`move_and_collide`](crate::Scene::move_and_collide) reports only a floor that it hit. Of a
    /// [`stuck`](Self::stuck) mover it may be a floor that the mover is inside of.
    pub floor: Option<MoveHit>,
    /// The first wall of [`hits`](Self::hits), also one that the mover was carried into or began inside of. The corner of
    /// a stair on which the mover comes down as it snaps to the floor is none.
    pub wall: Option<MoveHit>,
    /// The first ceiling of [`hits`](Self::hits), also one that the mover was carried into or began inside of.
    pub ceiling: Option<MoveHit>,
    /// `true` if the mover was inside a collider and no short way out was found. It is where it was before the call
    /// then, even if a platform would have carried it, and [`hits`](Self::hits) contains what it is inside of.
    pub stuck: bool,
    pub(super) hits: SmallVec<[MoveHit; 3]>,
    pub(super) passed: SmallVec<[MoveHit; 3]>,
}

impl Moved {
    /// Returns every hit with a collider that blocked the move, in order: while a platform carried the mover, what the
    /// mover then [began inside](MoveHit::began_inside), and along its own displacement. A collider may occur several
    /// times. A floor that the mover stands on without moving against it is in [`floor`](Self::floor) only.
    ///
    /// If earlier calls or pushes have carried the mover since its last move, what blocked it then comes first, each piece
    /// once, without what has been removed since.
    #[must_use]
    pub fn hits(&self) -> &[MoveHit] {
        &self.hits
    }

    /// Returns the touches that did not block the mover, in the order of their fractions: with sensors, with one-way
    /// colliders that the mover passed, and with colliders that the function of the call let through. A one-way collider
    /// that the mover passes and also meets from its front is in [`hits`](Self::hits) too. Each piece of a collider occurs
    /// once, at the first touch. No speed is too high: a coin counts wherever the path leads over it. If earlier calls
    /// have carried the mover since its last move, the straight line of that belongs to the path. Colliders that move with
    /// its platform count only after the platform has carried the mover.
    ///
    /// A collider that the mover is inside of occurs in every call. A sensor occurs if its layers and those of the
    /// mover agree, and [`MoveOptions::filter`] accepts it, unless it is disabled, below the mover, on a rider of it,
    /// of the same owner, or of an ignored pair. Only the solid colliders of the mover touch: if all of them are
    /// sensors, the list is empty.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, MoveOptions, Node, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (runner, _) = scene.add_with(Node::new("runner"), Circle::new(0.5));
    /// for x in [3.0, 8.0] {
    ///     let coin = Attachment::new(Circle::new(0.2)).sensor();
    ///     scene.add_with(Node::new("coin").with_position(vec2(x, 0.0)), coin);
    /// }
    /// let moved = scene.move_and_slide(runner, vec2(100.0, 0.0), &MoveOptions::default())?;
    /// assert_eq!(moved.passed().len(), 2);
    /// for coin in moved.passed() {
    ///     scene.remove(coin.side.node);
    /// }
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// [`MoveOptions::filter`]: crate::MoveOptions::filter
    #[must_use]
    #[doc(alias("trigger", "pickup"))]
    pub fn passed(&self) -> &[MoveHit] {
        &self.passed
    }

    /// Returns the velocity that is left after the move: without its parts down into the floor, up into a ceiling that was
    /// hit, and into the walls that were hit, horizontally into a slope too steep for a floor. `options` are those of the
    /// move. In an acute corner of two walls, a part may remain.
    ///
    /// Call it after each move of a character whose velocity the game keeps. Otherwise gravity adds up while the character
    /// stands, and it hangs at ceilings and walls until its velocity has turned around.
    ///
    /// ```
    /// use hitgraph::{Circle, MoveOptions, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(20.0, 2.0));
    /// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 3.0)), Circle::new(0.5));
    /// let (options, seconds) = (MoveOptions::default(), 1.0 / 60.0);
    /// let mut velocity = vec2(2.0, 0.0);
    /// for _ in 0..60 {
    ///     velocity.y -= 30.0 * seconds;
    ///     let moved = scene.move_and_slide(hero, velocity * seconds, &options)?;
    ///     velocity = moved.clip_velocity(velocity, &options);
    /// }
    /// assert_eq!(velocity, vec2(2.0, 0.0), "he has landed");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    #[doc(alias("clip vector", "slide velocity"))]
    pub fn clip_velocity(&self, velocity: Vec2, options: &MoveOptions) -> Vec2 {
        let slopes = Slopes::new(options);
        // A floor in the list may have been left since.
        let walls = self.hits.iter().filter_map(|hit| {
            let normal = hit.normal.as_dvec2();
            match slopes.surface(normal) {
                Surface::Floor => None,
                Surface::Wall => Some(slopes.upright(normal).unwrap_or(normal)),
                Surface::Ceiling => Some(-slopes.up),
            }
        });
        let floor = self.floor.map(|_| slopes.up);
        floor
            .into_iter()
            .chain(walls)
            .fold(velocity.as_dvec2(), |left, out| left - out * left.dot(out).min(0.0))
            .as_vec2()
    }

    /// Removes the result of an earlier move and keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.hits.clear();
        self.passed.clear();
        let (hits, passed) = (take(&mut self.hits), take(&mut self.passed));
        *self = Self { hits, passed, ..Self::default() };
    }
}

/// The response of a mover to a hit: the result of the function that
/// [`move_and_slide_with`](crate::Scene::move_and_slide_with) calls.
///
/// ```
/// use hitgraph::{MoveHit, MoveResponse, World};
///
/// /// A ghost passes doors.
/// fn respond(world: World<'_>, hit: &MoveHit) -> MoveResponse {
///     match world.node(hit.side.node) {
///         Some(node) if node.name == "door" => MoveResponse::Pass,
///         _ => MoveResponse::Block,
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MoveResponse {
    /// The collider blocks the mover.
    Block,
    /// The mover passes through the piece of the collider for the rest of the call.
    Pass,
}

/// A touch of a mover with a collider, which blocked it or which it passed.
///
/// ```
/// use hitgraph::{Attachment, Circle, MoveHit, MoveOptions, Node, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let (hero, body) = scene.add_with(Node::new("hero"), Circle::new(0.5));
/// let goal = Attachment::new(Circle::new(0.5)).sensor();
/// let (goal, _) = scene.add_with(Node::new("goal").with_position(vec2(5.0, 0.0)), goal);
/// let moved = scene.move_and_slide(hero, vec2(8.0, 0.0), &MoveOptions::default())?;
/// let hit: &MoveHit = &moved.passed()[0];
/// assert_eq!((hit.side.node, hit.own, hit.normal), (goal, body, vec2(-1.0, 0.0)));
/// // It reached the goal after half of the step.
/// assert!((hit.fraction - 0.5).abs() < 1e-6 && !hit.began_inside);
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MoveHit {
    /// The collider that was hit.
    pub side: NodeCollider,
    /// The collider of the mover itself.
    pub own: ColliderId,
    /// The point of the hit in world space, on the surface of the collider.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub point: Vec2,
    /// The outward normal of the collider, facing the mover: a unit vector in world space. It is that of the surface
    /// itself, also for a slope that blocks like an upright wall. For a mover that began inside, it leads to the side
    /// on which the mover was at the end of its last move; without memory, along the shortest way out.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub normal: Vec2,
    /// The fraction of the mover's own displacement, from 0 to 1, at which it stopped before the collider, or first
    /// touched what it passed. It is 0 while a platform carries the mover and for what the mover began inside, and 1
    /// for the [`floor`](Moved::floor) at the end of a slide.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub fraction: f32,
    /// The depth by which the mover began inside the collider, in world units, measured along [`normal`](Self::normal);
    /// 0, up to rounding, if it began outside. It exceeds the shortest way out if the mover was on another side before.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub depth: f32,
    /// `true` if the mover began inside the collider. If that blocked the mover, it was pushed out.
    pub began_inside: bool,
    /// The number of the collider's piece that was hit; 0 for a shape of one piece.
    pub piece: u32,
}
