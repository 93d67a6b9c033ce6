//! The events, the newest first.

use std::collections::VecDeque;

use hitgraph::{CollisionEvent, NodeId, Scene};

/// How many are kept.
const MOST: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub started: bool,
    pub text: String,
    /// When, in seconds of the scene.
    pub time: f32,
}

#[derive(Debug, Default)]
pub struct Log {
    pub lines: VecDeque<Line>,
    pub started: usize,
    pub stopped: usize,
}

impl Log {
    pub fn add(&mut self, scene: &Scene, events: &[CollisionEvent], time: f32) {
        for event in events {
            let pair = event.pair();
            let text = format!("{} – {}", name(scene, pair.a.node), name(scene, pair.b.node));
            let started = event.started();
            self.lines.push_front(Line { started, text, time });
            *if started { &mut self.started } else { &mut self.stopped } += 1;
        }
        self.lines.truncate(MOST);
    }

    /// How many touch now: every start has one stop.
    pub fn touching(&self) -> usize {
        self.started - self.stopped
    }
}

/// Limbs come with the side they are on.
pub fn name(scene: &Scene, node: NodeId) -> String {
    let Some(own) = scene.get(node) else { return "something gone".to_owned() };
    let side =
        scene.ancestors(node).filter_map(|above| scene.get(above)).find_map(|above| above.name.strip_suffix(" side"));
    side.map_or_else(|| own.name.to_string(), |side| format!("{side} {}", own.name))
}
