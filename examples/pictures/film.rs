//! Animations of an SVG film. Only key frames are stored: the frames between them are within a tolerance of linear
//! interpolation.

use svg::node::element::{Animate, AnimateTransform};

use crate::support::short;

/// The number of frames and the length of a film.
#[derive(Debug, Clone, Copy)]
pub struct Film {
    pub frames: usize,
    pub seconds: f32,
}

impl Film {
    /// Returns an animation of an attribute. `values` has the numbers of each frame, `write` writes those of one frame.
    pub fn numbers(
        &self,
        attribute: &str,
        values: &[Vec<f32>],
        tolerance: f32,
        write: impl Fn(&[f32]) -> String,
    ) -> Option<Animate> {
        let (times, values) = self.keys(values, tolerance, write)?;
        Some(self.timed(Animate::new().set("attributeName", attribute)).set("keyTimes", times).set("values", values))
    }

    /// Returns an animation of one function of `transform`, such as `translate`.
    pub fn transform(&self, function: &str, values: &[Vec<f32>], tolerance: f32) -> Option<AnimateTransform> {
        // Three digits are more than the tolerance of every function needs.
        let (times, values) = self.keys(values, tolerance, |numbers| numbers_text(numbers, 3))?;
        let animate = AnimateTransform::new().set("attributeName", "transform").set("type", function);
        let animate = animate.set("dur", format!("{}s", self.seconds)).set("repeatCount", "indefinite");
        Some(animate.set("keyTimes", times).set("values", values))
    }

    /// Returns an animation of an attribute that changes in steps; `None` if it never changes.
    pub fn steps(&self, attribute: &str, values: &[&str]) -> Option<Animate> {
        let is_new = |frame: &usize| *frame == 0 || values[*frame] != values[*frame - 1];
        let changes: Vec<usize> = (0..values.len()).filter(is_new).collect();
        let times: Vec<String> = changes.iter().map(|frame| self.part(*frame)).collect();
        let values: Vec<&str> = changes.iter().map(|frame| values[*frame]).collect();
        let animate = self.timed(Animate::new().set("attributeName", attribute)).set("calcMode", "discrete");
        (changes.len() > 1).then(|| animate.set("keyTimes", times.join(";")).set("values", values.join(";")))
    }

    fn timed(&self, animate: Animate) -> Animate {
        animate.set("dur", format!("{}s", self.seconds)).set("repeatCount", "indefinite")
    }

    /// Returns the time of a frame as a fraction of the film.
    fn part(&self, frame: usize) -> String {
        let part = short(frame as f64 / (self.frames - 1).max(1) as f64, 4);
        part.strip_prefix('0').filter(|rest| !rest.is_empty()).map_or(part.clone(), str::to_owned)
    }

    /// Returns the times and values of the key frames; `None` if nothing changes.
    fn keys(&self, values: &[Vec<f32>], tolerance: f32, write: impl Fn(&[f32]) -> String) -> Option<(String, String)> {
        let keys = keys(values, tolerance);
        if keys.len() == 2 && write(&values[0]) == write(&values[keys[1]]) {
            return None;
        }
        let times: Vec<String> = keys.iter().map(|key| self.part(*key)).collect();
        let values: Vec<String> = keys.iter().map(|key| write(&values[*key])).collect();
        Some((times.join(";"), values.join(";")))
    }
}

/// Writes numbers, separated by spaces.
pub fn numbers_text(numbers: &[f32], digits: usize) -> String {
    let texts: Vec<String> = numbers.iter().map(|number| short(f64::from(*number), digits)).collect();
    texts.join(" ")
}

/// Returns key frames, chosen greedily: linear interpolation between them reproduces all other frames within the
/// tolerance.
fn keys(values: &[Vec<f32>], tolerance: f32) -> Vec<usize> {
    let straight = |from: usize, to: usize| {
        (from + 1..to).all(|frame| {
            let part = (frame - from) as f32 / (to - from) as f32;
            let ends = values[from].iter().zip(&values[to]);
            ends.zip(&values[frame]).all(|((a, b), value)| (a + (b - a) * part - value).abs() <= tolerance)
        })
    };
    let (mut keys, last) = (vec![0], values.len() - 1);
    while let Some(from) = keys.last().copied().filter(|from| *from < last) {
        let next = (from + 2..=last).take_while(|to| straight(from, *to)).last();
        keys.push(next.unwrap_or(from + 1));
    }
    keys
}
