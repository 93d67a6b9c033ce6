//! Moving nodes so that they do not pass through anything.
//!
//! A move is a handful of casts. [`Mover`] makes them, against what [`Solids`](solids::Solids) knows; [`Slide`] goes
//! along what is in the way; [`push_out`] leads out of what the mover began in; [`platform`] carries.
//!
//! What makes seams smooth is the skin: a mover keeps that distance from all that it meets, but what stops it is found
//! with its own shape. So a box that slides over a row of others passes their corners at the height of the skin, and
//! never meets their sides.

mod moved;
mod mover;
mod options;
mod planes;
mod platform;
mod push_out;
mod slide;
mod solids;

use glam::{DMat2, DVec2, Vec2};

use super::{NodeId, QueryFilter, Scene, SceneError, World};
pub use moved::{MoveHit, Moved};
use mover::Mover;
pub use options::MoveOptions;
pub(super) use platform::Ride;
use slide::Slide;

impl Scene {
    /// Moves a node in the world and slides it along what is in the way: the mover of platformers and of games seen
    /// from above. However fast it is, it passes through nothing.
    ///
    /// What moves are the solid colliders of the node itself, which keep their turn; those below it come along but are
    /// not stopped. What stands in the way are the solid colliders of all other nodes that are not below it, as far as
    /// the layers of both and the filter agree. The node may have any parent: `motion` and the answer are in world
    /// space, and the local position is what brings it there.
    ///
    /// A mover that begins inside something is pushed out first, as by [`depenetrate`](Self::depenetrate). One that
    /// stood on a node is carried first if that has moved since. With a motion of zero, or one that is not finite,
    /// these are all that happens.
    ///
    /// It ends a [skin](MoveOptions::skin_width) away from what it leans on, so the two do not *touch*: there is no
    /// event and no contact of them. What it met is in [`Moved::hits`], and what it stands on in [`Moved::floor`]. Only
    /// what does not stand in the way, sensors above all, is met by events.
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
    /// [`SceneError::NodeNotFound`] if the node is not in the scene, [`SceneError::NotInvertible`] if its parent
    /// flattens everything, so that no local position would do, or if one of the two is set aside. Nothing has changed
    /// then.
    #[doc(alias("character controller", "kinematic", "collide and slide"))]
    pub fn move_and_slide(&mut self, node: NodeId, motion: Vec2, options: &MoveOptions) -> Result<Moved, SceneError> {
        self.move_by(node, motion, options, |slide, motion| slide.slide(motion))
    }

    /// The same, but stops at the first thing in the way, which is the only one in `hits`. `floor`, `wall` or `ceiling`
    /// is that too. For bullets, balls that bounce, and sliding of your own.
    ///
    /// # Errors
    /// As [`move_and_slide`](Self::move_and_slide).
    pub fn move_and_collide(&mut self, node: NodeId, motion: Vec2, options: &MoveOptions) -> Result<Moved, SceneError> {
        self.move_by(node, motion, options, |slide, motion| slide.collide(motion))
    }

    /// Pushes a node out of everything that it is inside of and that stands in its way: the shortest way that is found,
    /// in world space; zero if it is inside of nothing. What holds in one direction only is left alone.
    ///
    /// It ends touching what it was in, with a contact of depth 0 or about that, so an event may tell of it. Where
    /// nothing is to touch, [`move_and_slide`](Self::move_and_slide) with a motion of zero pushes out as well, and then
    /// keeps its skin; but only what was in the way of a motion is among [`Moved::hits`].
    ///
    /// # Errors
    /// As [`move_and_slide`](Self::move_and_slide), and [`SceneError::NoWayOut`] if there is none that is shorter than
    /// the mover's own size and twice its depth, and leads through nothing else. Nothing has changed then.
    #[doc(alias("unstuck", "resolve penetration", "push out"))]
    pub fn depenetrate(&mut self, node: NodeId, filter: &QueryFilter) -> Result<Vec2, SceneError> {
        let inverse = self.inverse_above(node)?;
        let way = {
            let mut mover = Mover::new(World::new(self), node, filter, 0.0);
            mover.gather(DVec2::ZERO, 0.0);
            mover.push_out().ok_or(SceneError::NoWayOut(node))?
        };
        self.shift(node, inverse * way);
        Ok(way.as_vec2())
    }

    fn move_by(
        &mut self,
        node: NodeId,
        motion: Vec2,
        options: &MoveOptions,
        go: impl FnOnce(&mut Slide<'_, '_>, DVec2),
    ) -> Result<Moved, SceneError> {
        let inverse = self.inverse_above(node)?;
        let motion = if motion.is_finite() { motion.as_dvec2() } else { DVec2::ZERO };
        let (way, moved) = self.way_of(node, motion, options, go);
        self.shift(node, inverse * way);
        self.remember_ride(node, &moved, options);
        Ok(moved)
    }

    /// Where a move leads, in the world.
    fn way_of(
        &self,
        node: NodeId,
        motion: DVec2,
        options: &MoveOptions,
        go: impl FnOnce(&mut Slide<'_, '_>, DVec2),
    ) -> (DVec2, Moved) {
        let mut mover = Mover::new(World::new(self), node, &options.filter, options.skin_width);
        if options.ride_platforms {
            self.carry(&mut mover, node, options);
        }
        let mut slide = Slide::new(&mut mover, options);
        let mut done = DVec2::ZERO;
        if slide.begin(motion) {
            let begun = slide.mover.moved;
            go(&mut slide, motion);
            done = slide.mover.moved - begun;
        }
        let mut moved = slide.moved;
        (moved.travel, moved.remainder) = (mover.moved.as_vec2(), (motion - done).as_vec2());
        (mover.moved, moved)
    }

    /// Moves along with what the node stood on, as far as there is room.
    fn carry(&self, mover: &mut Mover<'_>, node: NodeId, options: &MoveOptions) {
        let Some(ride) = self.rides.get(node) else { return };
        let Some(now) = World::new(self).transform(ride.platform) else { return };
        let motion = ride.carry(&now);
        if motion != DVec2::ZERO && motion.is_finite() {
            mover.solids.ignored = Some(ride.platform);
            Slide::new(mover, options).slide(motion);
            mover.solids.ignored = None;
        }
    }

    /// Remembers what a node stands on, unless that carries it anyway.
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

    /// What takes a way in the world to one in the frame in which a node has its position.
    fn inverse_above(&mut self, node: NodeId) -> Result<DMat2, SceneError> {
        if !self.contains(node) {
            return Err(SceneError::NodeNotFound(node));
        }
        self.refresh();
        let world = World::new(self);
        world.transform(node).ok_or(SceneError::NotInvertible(node))?;
        let Some(parent) = self.parent(node) else { return Ok(DMat2::IDENTITY) };
        let above = world.transform(parent).map(|above| above.matrix2.as_dmat2());
        above
            .filter(|above| above.determinant() != 0.0)
            .map(|above| above.inverse())
            .filter(|inverse| inverse.is_finite())
            .ok_or(SceneError::NotInvertible(parent))
    }

    /// Moves a node within its parent.
    fn shift(&mut self, node: NodeId, by: DVec2) {
        if by != DVec2::ZERO
            && let Some(node) = self.get_mut(node)
        {
            node.transform.position = (node.transform.position.as_dvec2() + by).as_vec2();
        }
    }
}
