//! A small engine: nodes with behaviours, an order of updates and drawing, render layers and a camera.
//!
//! The scene owns the tree, the transforms and the touching pairs. The engine calls the behaviours in order. It is
//! independent of the game.

use std::collections::BTreeMap;

use glam::{Affine2, Vec2};
use hitgraph::{CollisionEvent, Node, NodeCollider, NodeId, Scene};

/// The behaviour of a node.
pub trait Behaviour<Game> {
    /// Runs once per step, parents before their children.
    fn update(&mut self, _me: NodeId, _engine: &mut Engine<Game>) {}
    /// Runs when the node starts touching a collider of another node.
    fn touched(&mut self, _me: NodeId, _other: NodeCollider, _engine: &mut Engine<Game>) {}
}

/// A render layer, an outline in the node's own frame and a colour; in your engine, a sprite.
pub struct Look(pub u8, pub Vec<Vec2>, pub &'static str);

pub struct Engine<Game> {
    pub scene: Scene,
    /// The camera's node. Its descendants stay in place on the screen.
    pub camera: NodeId,
    pub game: Game,
    pub looks: BTreeMap<NodeId, Look>,
    /// The behaviours by node. After `scene.remove`, the next step drops those of removed nodes, as it does with looks.
    pub behaviours: BTreeMap<NodeId, Box<dyn Behaviour<Game>>>,
}

impl<Game> Engine<Game> {
    pub fn new(game: Game) -> Self {
        let mut scene = Scene::new();
        let camera = scene.add(Node::new("camera"));
        Self { scene, camera, game, looks: BTreeMap::new(), behaviours: BTreeMap::new() }
    }

    /// Updates all behaviours, then calls `touched` for every pair that started touching.
    pub fn step(&mut self) {
        // A copy of the order, because behaviours add and remove nodes.
        let order: Vec<NodeId> = self.scene.descendants(self.scene.root()).collect();
        for node in order {
            self.call(node, |behaviour, engine| behaviour.update(node, engine));
        }
        for event in self.scene.update() {
            let CollisionEvent::Started(pair) = event else { continue };
            for (me, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                // An earlier call may have removed the other node.
                if self.scene.contains(other.node) {
                    self.call(me.node, |behaviour, engine| behaviour.touched(me.node, other, engine));
                }
            }
        }
        self.behaviours.retain(|node, _| self.scene.contains(*node));
        self.looks.retain(|node, _| self.scene.contains(*node));
    }

    /// Runs the behaviour of a node that exists. It leaves the map meanwhile, so that it can borrow the engine mutably.
    fn call(&mut self, node: NodeId, what: impl FnOnce(&mut dyn Behaviour<Game>, &mut Self)) {
        if self.scene.contains(node)
            && let Some(mut behaviour) = self.behaviours.remove(&node)
        {
            what(&mut *behaviour, self);
            self.behaviours.insert(node, behaviour);
        }
    }

    /// Calls `paint` with each look and the matrix from its frame to the screen, whose origin is its centre. Looks are
    /// sorted by render layer, then in tree order. Returns the matrix from the world to the screen.
    pub fn draw(&mut self, mut paint: impl FnMut(&Look, Affine2)) -> Affine2 {
        let world = self.scene.world();
        let view = world.transform(self.camera).map_or(Affine2::IDENTITY, |camera| camera.inverse());
        let nodes = world.descendants(world.root()).filter(|node| world.is_enabled(*node));
        let placed = |node| Some((self.looks.get(&node)?, view * world.transform(node)?));
        let mut looks: Vec<_> = nodes.filter_map(placed).collect();
        // A stable sort keeps the tree order within a layer.
        looks.sort_by_key(|(look, _)| look.0);
        looks.into_iter().for_each(|(look, to_screen)| paint(look, to_screen));
        view
    }
}
