//! An engine to take home: nodes with behaviours, an order for updates and drawing, render layers and a camera.
//!
//! The tree, the places and who touches whom are the scene's. The engine calls everyone in turn and knows no game.

use std::collections::BTreeMap;

use glam::{Affine2, Vec2};
use hitgraph::{CollisionEvent, Node, NodeId, Scene, Side};

/// What a node does.
pub trait Behaviour<Game> {
    /// Called once a step, parents before their children.
    fn update(&mut self, _me: NodeId, _engine: &mut Engine<Game>) {}
    /// Called when it begins to touch a collider of another node.
    fn touched(&mut self, _me: NodeId, _other: Side, _engine: &mut Engine<Game>) {}
}

/// A render layer, an outline in the node's own frame and a colour; in your engine, a sprite.
pub struct Look(pub u8, pub Vec<Vec2>, pub &'static str);

pub struct Engine<Game> {
    pub scene: Scene,
    /// The node from which we look. What is below it stays where it is on the screen.
    pub camera: NodeId,
    pub game: Game,
    pub looks: BTreeMap<NodeId, Look>,
    /// What has one. As with looks, `scene.remove` takes it away with its node.
    pub behaviours: BTreeMap<NodeId, Box<dyn Behaviour<Game>>>,
}

impl<Game> Engine<Game> {
    pub fn new(game: Game) -> Self {
        let mut scene = Scene::new();
        let camera = scene.add(Node::new("camera"));
        Self { scene, camera, game, looks: BTreeMap::new(), behaviours: BTreeMap::new() }
    }

    /// Everyone acts, then all are told whom they touch.
    pub fn step(&mut self) {
        // A list of its own, because behaviours add and remove nodes.
        let order: Vec<NodeId> = self.scene.descendants(self.scene.root()).collect();
        for node in order {
            self.call(node, |behaviour, engine| behaviour.update(node, engine));
        }
        for event in self.scene.update() {
            let CollisionEvent::Started(pair) = event else { continue };
            for (me, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                // An earlier call may have removed it.
                if self.scene.contains(other.node) {
                    self.call(me.node, |behaviour, engine| behaviour.touched(me.node, other, engine));
                }
            }
        }
        self.behaviours.retain(|node, _| self.scene.contains(*node));
        self.looks.retain(|node, _| self.scene.contains(*node));
    }

    /// Runs a behaviour, unless its node is gone. It is taken out meanwhile, so that it can have all of the engine.
    fn call(&mut self, node: NodeId, what: impl FnOnce(&mut dyn Behaviour<Game>, &mut Self)) {
        if self.scene.contains(node)
            && let Some(mut behaviour) = self.behaviours.remove(&node)
        {
            what(&mut *behaviour, self);
            self.behaviours.insert(node, behaviour);
        }
    }

    /// Calls `paint` with each look and the matrix from its frame to the screen, whose origin is its middle: layer by
    /// layer, each in the order of the tree. Returns the matrix for the world.
    pub fn draw(&mut self, mut paint: impl FnMut(&Look, Affine2)) -> Affine2 {
        let world = self.scene.world();
        let view = world.transform(self.camera).map_or(Affine2::IDENTITY, |camera| camera.inverse());
        let nodes = world.descendants(world.root()).filter(|node| world.is_enabled(*node));
        let placed = |node| Some((self.looks.get(&node)?, view * world.transform(node)?));
        let mut looks: Vec<_> = nodes.filter_map(placed).collect();
        // Equals stay as they are.
        looks.sort_by_key(|(look, _)| look.0);
        looks.into_iter().for_each(|(look, to_screen)| paint(look, to_screen));
        view
    }
}
