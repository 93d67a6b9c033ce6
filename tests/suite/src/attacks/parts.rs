//! Parts of a level that move by themselves: lifts, crushers, turning bars, doors.

use std::f32::consts::TAU;

use glam::Vec2;
use hitgraph::{NodeId, Scene, Transform};

/// A node that moves in every frame, before the movers do.
#[derive(Debug, Clone)]
pub struct Part {
    pub node: NodeId,
    /// The local transform at the start.
    pub start: Transform,
    pub motion: Motion,
    /// The half length of a thin plate along its local x axis. The oracle checks on which side of it each mover is.
    pub plate: Option<f32>,
}

/// The motion of a part, as a function of the frame.
#[derive(Debug, Clone)]
pub enum Motion {
    /// Forward by `by` during half of the period, and back during the other half.
    Shuttle { by: Vec2, period: u64 },
    /// Forward by `by` during a period of frames, then rest.
    Advance { by: Vec2, period: u64 },
    /// A turn by some radians per frame.
    Turn(f32),
    /// A tilt to both sides by at most `angle`.
    Tilt { angle: f32, period: u64 },
    /// A jump to the next position after every `every` frames.
    Jump { to: Vec<Vec2>, every: u64 },
    /// Growth to a multiple of the scale and back.
    Grow { factor: f32, period: u64 },
    /// Disabled during half of the period.
    Blink { period: u64 },
}

impl Part {
    pub fn new(scene: &Scene, node: NodeId, motion: Motion) -> Self {
        Self { node, start: scene[node].transform, motion, plate: None }
    }

    /// Returns this part as a thin plate with a half length.
    #[must_use]
    pub fn plate(self, half_length: f32) -> Self {
        Self { plate: Some(half_length), ..self }
    }

    /// Moves the part to where it is in a frame.
    pub fn advance(&self, scene: &mut Scene, frame: u64) {
        let Self { start, .. } = *self;
        let node = &mut scene[self.node];
        match self.motion {
            Motion::Shuttle { by, period } => node.transform.position = start.position + by * triangle(frame, period),
            Motion::Advance { by, period } => {
                node.transform.position = start.position + by * (frame as f32 / period as f32).min(1.0);
            }
            Motion::Turn(rate) => node.transform.rotation = start.rotation + rate * (frame % 100_000) as f32,
            Motion::Tilt { angle, period } => {
                let phase = (frame % period) as f32 / period as f32;
                node.transform.rotation = start.rotation + angle * (phase * TAU).sin();
            }
            Motion::Jump { ref to, every } => {
                let stop = (frame / every) as usize % (to.len() + 1);
                node.transform.position = if stop == 0 { start.position } else { to[stop - 1] };
            }
            Motion::Grow { factor, period } => {
                node.transform.scale = start.scale * (1.0 + (factor - 1.0) * triangle(frame, period));
            }
            Motion::Blink { period } => node.enabled = frame % period < period / 2,
        }
    }
}

/// Returns a wave that rises from 0 to 1 in half a period and falls again in the other half.
fn triangle(frame: u64, period: u64) -> f32 {
    let phase = (frame % period) as f32 / period as f32;
    1.0 - (1.0 - 2.0 * phase).abs()
}
