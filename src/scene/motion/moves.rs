use glam::{DMat2, DVec2, Vec2};

use super::mover::Mover;
use super::ride::Ride;
use super::slide::Slide;
use crate::scene::{MoveOptions, Moved, NodeId, QueryFilter, Scene, SceneError, World};

impl Scene {
    /// Moves a node in the world and slides it along the colliders that block it, as platformers and top-down games
    /// need. It passes through nothing, however long the displacement is.
    ///
    /// The solid colliders of the node itself move, without turning. Descendants come along but block nothing. The
    /// solid colliders of all nodes other than the node and its descendants block the move, if the layers of both and
    /// the filter agree. The node may have any parent: `displacement` and the result are in world space, and the node's
    /// local position is set accordingly.
    ///
    /// A mover that begins inside a collider is pushed out first, as by [`depenetrate`](Self::depenetrate). A mover
    /// that stood on a platform is first carried by the platform's own move. If the displacement is zero or not finite,
    /// nothing else happens.
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
    /// transform of its parent has no inverse, or if one of the two is quarantined. Nothing changes then.
    #[doc(alias("character controller", "kinematic", "collide and slide"))]
    pub fn move_and_slide(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
    ) -> Result<Moved, SceneError> {
        self.move_with(node, displacement, options, |slide, displacement| slide.slide(displacement))
    }

    /// Moves a node in the world up to the first collider that blocks it. That collider is the only one in
    /// [`Moved::hits`], and it is the `floor`, `wall` or `ceiling`. Use it for bullets, for balls that bounce, and for
    /// your own kind of sliding. It neither slides, steps nor snaps; otherwise it is like
    /// [`move_and_slide`](Self::move_and_slide).
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide).
    pub fn move_and_collide(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
    ) -> Result<Moved, SceneError> {
        self.move_with(node, displacement, options, |slide, displacement| slide.collide(displacement))
    }

    /// Pushes a node out of all colliders that it is inside of and that block it, along the shortest path that is
    /// found. Returns the travel in world space, which is zero if the node is inside nothing. One-way colliders do not
    /// count.
    ///
    /// The node ends touching the collider that it was in, with a contact of a depth of about 0, so an event may fire.
    /// [`move_and_slide`](Self::move_and_slide) with a displacement of zero also pushes out, and then keeps its skin;
    /// but [`Moved::hits`] contains only colliders that blocked a displacement.
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide), and [`SceneError::NoWayOut`] if no path is shorter than the
    /// mover's size plus twice its depth and leads through nothing else. Nothing changes then.
    #[doc(alias("unstuck", "resolve penetration", "push out"))]
    pub fn depenetrate(&mut self, node: NodeId, filter: &QueryFilter) -> Result<Vec2, SceneError> {
        let inverse = self.inverse_of_parent(node)?;
        let travel = {
            let mut mover = Mover::new(World::new(self), node, filter, 0.0);
            mover.gather(DVec2::ZERO, 0.0);
            mover.push_out().ok_or(SceneError::NoWayOut(node))?
        };
        self.shift(node, inverse * travel);
        Ok(travel.as_vec2())
    }

    fn move_with(
        &mut self,
        node: NodeId,
        displacement: Vec2,
        options: &MoveOptions,
        go: impl FnOnce(&mut Slide<'_, '_>, DVec2),
    ) -> Result<Moved, SceneError> {
        let inverse = self.inverse_of_parent(node)?;
        let displacement = if displacement.is_finite() { displacement.as_dvec2() } else { DVec2::ZERO };
        let (travel, moved) = self.travel(node, displacement, options, go);
        self.shift(node, inverse * travel);
        self.remember_ride(node, &moved, options);
        Ok(moved)
    }

    /// Computes the travel of a move in world space and its result.
    fn travel(
        &self,
        node: NodeId,
        displacement: DVec2,
        options: &MoveOptions,
        go: impl FnOnce(&mut Slide<'_, '_>, DVec2),
    ) -> (DVec2, Moved) {
        let mut mover = Mover::new(World::new(self), node, &options.filter, options.skin_width);
        if options.ride_platforms {
            self.carry(&mut mover, node, options);
        }
        let mut slide = Slide::new(&mut mover, options);
        let mut own = DVec2::ZERO;
        if slide.begin(displacement) {
            let start = slide.mover.travel;
            go(&mut slide, displacement);
            own = slide.mover.travel - start;
        }
        let mut moved = slide.moved;
        (moved.travel, moved.remainder) = (mover.travel.as_vec2(), (displacement - own).as_vec2());
        (mover.travel, moved)
    }

    /// Moves the mover along with the platform on which it stood, as far as there is room.
    fn carry(&self, mover: &mut Mover<'_>, node: NodeId, options: &MoveOptions) {
        let Some(ride) = self.rides.get(node) else { return };
        let Some(now) = World::new(self).transform(ride.platform) else { return };
        let displacement = ride.displacement(&now);
        if displacement != DVec2::ZERO && displacement.is_finite() {
            mover.solids.ignored = Some(ride.platform);
            Slide::new(mover, options).slide(displacement);
            mover.solids.ignored = None;
        }
    }

    /// Stores the platform on which a node stands, unless the node is a descendant of it and moves with it anyway.
    fn remember_ride(&mut self, node: NodeId, moved: &Moved, options: &MoveOptions) {
        let world = World::new(self);
        let ride = moved.floor.filter(|_| options.ride_platforms).and_then(|floor| {
            let platform = floor.side.node;
            let apart = !self.hierarchy.is_within(node, platform);
            Some(Ride::new(platform, world.transform(platform)?, floor.point.as_dvec2())).filter(|_| apart)
        });
        match ride {
            Some(ride) => drop(self.rides.insert(node, ride)),
            None => drop(self.rides.remove(node)),
        }
    }

    /// Refreshes the scene and returns the map from displacements in the world to displacements in the frame of the
    /// node's parent.
    fn inverse_of_parent(&mut self, node: NodeId) -> Result<DMat2, SceneError> {
        self.hierarchy.require(node)?;
        let world = self.world();
        world.transform(node).ok_or(SceneError::NotInvertible(node))?;
        let Some(parent) = world.parent(node) else { return Ok(DMat2::IDENTITY) };
        world
            .transform(parent)
            .map(|parent| parent.matrix2.as_dmat2())
            .filter(|matrix| matrix.determinant() != 0.0)
            .map(|matrix| matrix.inverse())
            .filter(|inverse| inverse.is_finite())
            .ok_or(SceneError::NotInvertible(parent))
    }

    /// Changes a node's local position.
    fn shift(&mut self, node: NodeId, displacement: DVec2) {
        if displacement != DVec2::ZERO
            && let Some(node) = self.get_mut(node)
        {
            node.transform.position = (node.transform.position.as_dvec2() + displacement).as_vec2();
        }
    }
}
