//! The log of events, newest first.

use std::collections::VecDeque;

use hitgraph::{CollisionEvent, NodeId, Scene};

/// The number of lines that are kept.
const MAX_LINES: usize = 60;

/// An event of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub started: bool,
    pub text: String,
    /// The time of the scene in seconds.
    pub time: f32,
}

/// The newest events, and the counts of all of them.
#[derive(Debug, Default)]
pub struct Log {
    pub lines: VecDeque<Line>,
    pub started: usize,
    pub stopped: usize,
}

impl Log {
    /// Adds the events of an update.
    pub fn add(&mut self, scene: &Scene, events: &[CollisionEvent], time: f32) {
        for event in events {
            let pair = event.pair();
            let text = format!("{} – {}", name(scene, pair.a.node), name(scene, pair.b.node));
            let started = event.started();
            self.lines.push_front(Line { started, text, time });
            *if started { &mut self.started } else { &mut self.stopped } += 1;
        }
        self.lines.truncate(MAX_LINES);
    }

    /// Returns the number of touching pairs: starts minus stops.
    pub fn touching(&self) -> usize {
        self.started - self.stopped
    }
}

/// Returns the name of a node, with the side (left or right) for a limb.
pub fn name(scene: &Scene, node: NodeId) -> String {
    let Some(own) = scene.get(node) else { return "removed node".to_owned() };
    let side = scene
        .ancestors(node)
        .filter_map(|ancestor| scene.get(ancestor))
        .find_map(|ancestor| ancestor.name.strip_suffix(" side"));
    side.map_or_else(|| own.name.to_string(), |side| format!("{side} {}", own.name))
}
