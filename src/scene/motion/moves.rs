//! The public moves, and `depenetrate`.

use core::mem::take;

use glam::{DVec2, Vec2};

use super::call::Call;
use super::move_steps::{Course, Respond};
use super::moved::{MoveHit, MoveResponse, Moved};
use super::mover::Mover;
use super::options::MoveOptions;
use crate::scene::{NodeId, QueryFilter, Scene, SceneError, World};

impl Scene {
    /// Moves a node in the world and slides it along the colliders that block it, as platformers and top-down games
    /// need. A mover with an area passes through nothing, however long the displacement is.
    ///
    /// The enabled solid colliders of the node itself move, without turning. A node without one, such as a disabled node,
    /// passes through everything and reports nothing. Descendants come along but block nothing. The solid colliders of all
    /// other nodes block the move, if the layers of both and the filter agree, except for those of the same
    /// [owner](crate::Node::owns_subtree) and of movers that stand on the node. The node may have any parent:
    /// `displacement` and the result are in world space, and the node's local position is set accordingly.
    ///
    /// The move has three parts, each of which may be zero:
    /// 1. If the node under the mover has moved, turned or been scaled since the mover's last move, it carries the mover
    ///    along, as far as there is room. A motion of a common ancestor has moved both already and does not count. If
    ///    that node is itself a mover on something that has moved, it is carried first, and so on. Other movers that may
    ///    be in the way are carried first too, if platforms will carry them by the same displacement, or if an ancestor
    ///    or an earlier call has moved this one already. Their next moves report it.
    /// 2. If the mover is inside a collider then, it is pushed out, as by [`depenetrate`](Self::depenetrate).
    /// 3. The mover moves by the displacement. One that is not finite counts as zero.
    ///
    /// At the end of a move the scene stores what the mover stands on, and on which side it is of every collider within
    /// half of its size (at least within 32 skins). If such a collider moves into the mover, or the mover or its parent
    /// turns or grows into the collider, the next move leads back to that side, however thin the collider is. Writing a
    /// position that differs by more than rounding discards this memory.
    ///
    /// The mover ends a [skin](MoveOptions::skin_width) away from the colliders that blocked it, so they do not
    /// *touch*: no event fires, and there is no contact. [`Moved::hits`] reports them, and [`Moved::floor`] the one on
    /// which the mover stands. Events report only colliders that do not block, above all sensors.
    ///
    /// ```
    /// use hitgraph::{Circle, MoveOptions, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (floor, _) = scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(20.0, 2.0));
    /// let (player, _) = scene.add_with(Node::new("player").with_position(vec2(0.0, 1.0)), Circle::new(0.5));
    ///
    /// let moved = scene.move_and_slide(player, vec2(3.0, -2.0), &MoveOptions::default())?;
    /// assert_eq!(moved.floor.unwrap().side.node, floor);
    /// assert!((scene[player].transform.position - vec2(3.0, 0.5)).length() < 0.02);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the scene, [`SceneError::NotInvertible`] if the world
    /// transform of its parent has no inverse or that of either is not finite, and [`SceneError::NotFinite`] if the move
    /// leads beyond the range of `f32`. Nothing changes then, but after [`SceneError::NotFinite`] the movers that carry the
    /// node, and other movers near it, may have followed their own platforms.
    #[doc(alias("character controller", "kinematic", "collide and slide"))]
    pub fn move_and_slide(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
    ) -> Result<Moved, SceneError> {
        let mut moved = Moved::default();
        self.move_and_slide_into(node, displacement, options, &mut moved)?;
        Ok(moved)
    }

    /// Does the same as [`move_and_slide`](Self::move_and_slide) into a result, which it clears first. It allocates
    /// nothing once the memory of the result and of the scene is large enough.
    ///
    /// ```
    /// # use hitgraph::{Circle, MoveOptions, Moved, Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    /// let (options, mut moved) = (MoveOptions::default(), Moved::default());
    /// for _ in 0..60 {
    ///     scene.move_and_slide_into(hero, vec2(0.1, 0.0), &options, &mut moved)?;
    /// }
    /// assert!((moved.travel.x - 0.1).abs() < 1e-6);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide). The result is empty then.
    pub fn move_and_slide_into(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        self.move_by(node, Course::Slide(displacement), options, None, moved)
    }

    /// Does the same as [`move_and_slide`](Self::move_and_slide), but a function decides which hits block the mover. It
    /// gets each hit before it counts, and the world in which the mover has not moved yet. It is called once for each
    /// piece of a collider. Pieces that it lets through are in [`Moved::passed`].
    ///
    /// The function is also called for floors, ledges and ceilings that the mover only tests.
    ///
    /// ```
    /// use hitgraph::{Circle, MoveOptions, MoveResponse, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (ghost, _) = scene.add_with(Node::new("ghost"), Circle::new(0.5));
    /// for (name, x) in [("door", 3.0), ("wall", 6.0)] {
    ///     scene.add_with(Node::new(name).with_position(vec2(x, 0.0)), Rect::new(1.0, 4.0));
    /// }
    /// let moved = scene.move_and_slide_with(ghost, vec2(10.0, 0.0), &MoveOptions::default(), |world, hit| {
    ///     let is_door = world.node(hit.side.node).is_some_and(|node| node.name == "door");
    ///     if is_door { MoveResponse::Pass } else { MoveResponse::Block }
    /// })?;
    /// assert!((moved.travel.x - 5.0).abs() < 0.02);
    /// assert_eq!((moved.passed().len(), moved.hits().len()), (1, 1));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide).
    #[doc(alias("filter", "one-way", "pass through"))]
    pub fn move_and_slide_with(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
        mut respond: impl FnMut(World<'_>, &MoveHit) -> MoveResponse,
    ) -> Result<Moved, SceneError> {
        let mut moved = Moved::default();
        self.move_by(node, Course::Slide(displacement), options, Some(&mut respond), &mut moved)?;
        Ok(moved)
    }

    /// Moves a node in the world up to the first collider that blocks it. That collider is the last of [`Moved::hits`],
    /// and it is the `floor`, `wall` or `ceiling`, unless the mover's platform carried the mover into another wall or
    /// ceiling before. A mover that begins inside colliders is pushed out and ends there; then these colliders are the
    /// hits. Use it for bullets, for balls that bounce, and for your own kind of sliding. It neither slides, steps nor
    /// snaps; otherwise it is like [`move_and_slide`](Self::move_and_slide).
    ///
    /// A mover that stands on a floor and does not move against it hits nothing. Then `floor` is `None`, and no
    /// platform carries the mover in its next move: to stay on a platform, displace the mover into it. If nothing
    /// blocks the displacement, [`Moved::remainder`] is zero up to rounding, and all hits are from the carry by the
    /// mover's platform.
    ///
    /// ```
    /// # use hitgraph::{Circle, MoveOptions, Node, Rect, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// scene.add_with(Node::new("wall").with_position(vec2(5.0, 0.0)), Rect::new(2.0, 8.0));
    /// let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(0.5));
    /// let mut velocity = vec2(20.0, 5.0);
    /// let moved = scene.move_and_collide(ball, velocity * 0.5, &MoveOptions::top_down())?;
    /// for hit in moved.hits() {
    ///     // It bounces.
    ///     velocity -= 2.0 * velocity.dot(hit.normal) * hit.normal;
    /// }
    /// assert_eq!(velocity, vec2(-20.0, 5.0));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide).
    pub fn move_and_collide(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
    ) -> Result<Moved, SceneError> {
        let mut moved = Moved::default();
        self.move_and_collide_into(node, displacement, options, &mut moved)?;
        Ok(moved)
    }

    /// Does the same as [`move_and_collide`](Self::move_and_collide) into a result, which it clears first. It allocates
    /// nothing once the memory of the result and of the scene is large enough.
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide). The result is empty then.
    pub fn move_and_collide_into(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        self.move_by(node, Course::Collide(displacement), options, None, moved)
    }

    /// Does the same as [`move_and_collide`](Self::move_and_collide), but a function decides which hits block the
    /// mover, as in [`move_and_slide_with`](Self::move_and_slide_with).
    ///
    /// ```
    /// use hitgraph::{Circle, MoveOptions, MoveResponse, Node, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let friend = scene.add_with(Node::new("friend").with_position(vec2(2.0, 0.0)), Circle::new(0.5)).0;
    /// let enemy = scene.add_with(Node::new("enemy").with_position(vec2(9.0, 0.0)), Circle::new(0.5)).0;
    /// let (bullet, _) = scene.add_with(Node::new("bullet"), Circle::new(0.1));
    /// let moved = scene.move_and_collide_with(bullet, vec2(20.0, 0.0), &MoveOptions::top_down(), |_, hit| {
    ///     if hit.side.node == friend { MoveResponse::Pass } else { MoveResponse::Block }
    /// })?;
    /// assert_eq!(moved.hits()[0].side.node, enemy);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide).
    pub fn move_and_collide_with(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
        mut respond: impl FnMut(World<'_>, &MoveHit) -> MoveResponse,
    ) -> Result<Moved, SceneError> {
        let mut moved = Moved::default();
        self.move_by(node, Course::Collide(displacement), options, Some(&mut respond), &mut moved)?;
        Ok(moved)
    }

    /// Pushes a node out of all colliders that it is inside of and that block it, along the shortest path that is
    /// found. It leaves each collider on the side on which it was at the end of its last move, if it was near and its
    /// position has not been written since. Returns the travel in world space, which is zero if the node is inside
    /// nothing. One-way colliders count only if the node was in front of them then.
    ///
    /// The node ends touching the collider that it was in, with a contact of a depth of about 0, so an event may fire.
    /// [`move_and_slide`](Self::move_and_slide) with a displacement of zero also pushes out; it keeps its skin, and
    /// [`Moved::hits`] reports the colliders. If the node is pushed, its next move has no memory of sides, as after
    /// writing the position.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// scene.add_with(Node::new("wall"), Rect::new(2.0, 8.0));
    /// // A monster appears inside a wall.
    /// let (monster, _) = scene.add_with(Node::new("monster").with_position(vec2(0.9, 0.0)), Circle::new(0.5));
    /// let travel = scene.depenetrate(monster, &QueryFilter::default())?;
    /// assert!((travel - vec2(0.6, 0.0)).length() < 1e-4);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide), and [`SceneError::NoWayOut`] if no path is shorter than the
    /// mover's size plus twice its depth and leads through nothing else. Nothing changes then.
    #[doc(alias("unstuck", "resolve penetration", "push out"))]
    pub fn depenetrate(&mut self, node: NodeId, filter: &QueryFilter) -> Result<Vec2, SceneError> {
        let inverse = self.begin_move(node)?;
        let mut mover = Mover::new(World::new(self), node, filter, 0.0);
        mover.gather(DVec2::ZERO, 0.0);
        let travel = mover.push_out().ok_or(SceneError::NoWayOut(node))?;
        drop(mover);
        self.shift(node, inverse, travel)?;
        Ok(travel.as_vec2())
    }

    /// Moves a node, after everything that carries it. Its result contains what it has travelled with its platform since
    /// its last move.
    fn move_by(
        &mut self,
        node: NodeId,
        course: Course,
        options: &MoveOptions,
        respond: Option<&mut Respond<'_>>,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        let inverse = self.begin_move(node).inspect_err(|_| moved.clear())?;
        // The call borrows everything for as long as the function that records.
        let respond = respond.map(|respond| respond as &mut Respond<'_>);
        let (record, mut already_carried) = (&mut Self::add_early_move, take(&mut self.scratch.motion.already_carried));
        let call = Call { node, course, options, respond, pusher: None, already_carried: &mut already_carried, record };
        let result = self.move_after_others(call, inverse, None, moved);
        self.scratch.motion.already_carried = already_carried;
        result?;
        let Self { movers, colliders, .. } = self;
        if let Some(memory) = movers.get_mut(node).filter(|_| !moved.stuck) {
            memory.early.report(options, moved, colliders);
        }
        Ok(())
    }

    /// Adds a travel of a mover with its platform, and what blocked it, to the early move that its next move reports.
    pub(super) fn add_early_move(&mut self, mover: NodeId, travel: Vec2, hits: &[MoveHit]) {
        let Self { movers, colliders, .. } = self;
        if let Some(memory) = movers.get_mut(mover) {
            memory.early.add_travel(travel, memory.ride.map(|ride| ride.platform));
            memory.early.add_hits(hits, colliders);
        }
    }
}
