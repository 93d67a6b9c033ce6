//! Records the output of `debug_draw` over many frames as one animated SVG.
//!
//! A shape that is drawn in consecutive frames is one path with an animation. Only key frames are stored: the frames
//! between them are within a tolerance of linear interpolation.

use std::path::PathBuf;

use glam::Vec2;
use hitgraph::{Aabb, ColliderId, DebugGeometry, DebugKind, DebugShape, DebugState};
use svg::Document;
use svg::node::element::{Animate, Circle, Group, Path as Stroke, Rectangle, Style, Text};

use crate::support::{PathData, pictures, short, write};

/// The maximum interpolation error in pixels of the picture. Two of them are about one pixel of the page.
const TOLERANCE: f32 = 0.8;

/// The style sheet. Paper and ink follow the reader's colour scheme.
const STYLE: &str = "\
svg{color:#3b424c}.paper{fill:#fbfcfd}text{font:600 24px ui-monospace,Menlo,Consolas,monospace}\
@media(prefers-color-scheme:dark){svg{color:#c4ccd6}.paper{fill:#12171d}}";

pub struct Film {
    window: Aabb,
    /// Pixels per unit.
    scale: f32,
    seconds: f32,
    frames: usize,
    tracks: Vec<Track>,
    /// Flashes and text.
    extras: Group,
}

/// One drawn shape, as long as its outline has the same commands.
struct Track {
    kind: DebugKind,
    collider: Option<ColliderId>,
    commands: String,
    filled: bool,
    /// Path and colour by frame; `None` where the shape is not drawn.
    frames: Vec<Option<(PathData, String)>>,
}

impl Film {
    /// Creates a film of a region of the world, with y up.
    pub fn new(window: Aabb, scale: f32, seconds: f32, frames: usize) -> Self {
        Self { window, scale, seconds, frames, tracks: Vec::new(), extras: Group::new() }
    }

    fn place(&self, point: Vec2) -> Vec2 {
        Vec2::new(point.x - self.window.min.x, self.window.max.y - point.y) * self.scale
    }

    /// Records one shape of a frame.
    pub fn take(&mut self, frame: usize, shape: &DebugShape<'_>) {
        let data = PathData::trace(shape, |point| self.place(point));
        // A collider stays one track when its state changes.
        let kind = match shape.kind {
            DebugKind::Collider(_) => DebugKind::Collider(DebugState::Solid),
            other => other,
        };
        let goes_on = |track: &Track| {
            let same = (track.kind, track.collider) == (kind, shape.collider) && track.commands == data.commands;
            same && track.frames[frame].is_none()
        };
        let index = self.tracks.iter().position(goes_on).unwrap_or_else(|| {
            let filled = matches!(shape.geometry, DebugGeometry::Shape(_)) && kind != DebugKind::Query;
            let (commands, frames) = (data.commands.clone(), vec![None; self.frames]);
            self.tracks.push(Track { kind, collider: shape.collider, commands, filled, frames });
            self.tracks.len() - 1
        });
        let [r, g, b, _] = shape.rgba8();
        self.tracks[index].frames[frame] = Some((data, format!("#{r:02x}{g:02x}{b:02x}")));
    }

    /// Adds a ring that grows and fades.
    pub fn flash(&mut self, frame: usize, at: Vec2, color: &str) {
        let at = self.place(at);
        let (from, to) = (self.part(frame), self.part(frame + self.frames / 12));
        let times = format!("0;{from};{from};{to};1");
        let ring = Circle::new().set("cx", short(at.x.into(), 1)).set("cy", short(at.y.into(), 1)).set("r", 0);
        let ring = ring.set("stroke", color).set("opacity", 0);
        let ring = ring.add(self.animate("r").set("keyTimes", times.as_str()).set("values", "8;8;8;70;70"));
        self.extend(ring.add(self.animate("opacity").set("keyTimes", times).set("values", "0;0;1;0;0")));
    }

    /// Adds text that is visible for some frames.
    pub fn words(&mut self, frame: usize, at: Vec2, words: &str, color: &str) {
        let at = self.place(at);
        let text = Text::new(words)
            .set("x", short(at.x.into(), 1))
            .set("y", short(at.y.into(), 1))
            .set("fill", color)
            .set("opacity", 0);
        let times = [0, 1, 12, 15].map(|twelfth| self.part(frame + self.frames * twelfth / 60));
        let times = format!("0;{};1", times.join(";"));
        self.extend(text.add(self.animate("opacity").set("keyTimes", times).set("values", "0;0;1;1;0;0")));
    }

    fn extend(&mut self, node: impl svg::Node) {
        self.extras = std::mem::replace(&mut self.extras, Group::new()).add(node);
    }

    fn animate(&self, attribute: &str) -> Animate {
        let seconds = format!("{}s", self.seconds);
        Animate::new().set("attributeName", attribute).set("dur", seconds).set("repeatCount", "indefinite")
    }

    /// Returns the time of a frame as a fraction of the film.
    fn part(&self, frame: usize) -> String {
        short(frame.min(self.frames) as f64 / self.frames as f64, 4)
    }

    fn path(&self, track: &Track) -> Stroke {
        // A shape that is not drawn keeps its last outline.
        let mut last = track.frames.iter().flatten().next().expect("the first frame of a track is drawn");
        let (mut places, mut colors, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        for frame in &track.frames {
            last = frame.as_ref().unwrap_or(last);
            places.push(&last.0);
            colors.push(last.1.as_str());
            seen.push(if frame.is_some() { "visible" } else { "hidden" });
        }
        places.push(places[0]);
        let mut path = Stroke::new().set("d", places[0].text(0));
        if !track.filled {
            path = path.set("fill", "none");
        }
        if places.iter().any(|place| place.points != places[0].points) {
            let keys = keys(&places);
            let times: Vec<String> = keys.iter().map(|key| self.part(*key)).collect();
            let values: Vec<String> = keys.iter().map(|key| places[*key].text(0)).collect();
            let animate = self.animate("d").set("keyTimes", times.join(";"));
            path = path.add(animate.set("values", values.join(";")));
        }
        self.steps(self.steps(path, "color", &colors), "visibility", &seen)
    }

    /// Adds an attribute that changes in steps, if it changes.
    fn steps(&self, path: Stroke, attribute: &str, values: &[&str]) -> Stroke {
        let is_new = |frame: &usize| *frame == 0 || values[*frame] != values[*frame - 1];
        let changes: Vec<usize> = (0..values.len()).filter(is_new).collect();
        if changes.len() == 1 {
            return if values[0] == "visible" { path } else { path.set(attribute, values[0]) };
        }
        let times: Vec<String> = changes.iter().map(|frame| self.part(*frame)).collect();
        let values: Vec<&str> = changes.iter().map(|frame| values[*frame]).collect();
        let animate = self.animate(attribute).set("calcMode", "discrete").set("keyTimes", times.join(";"));
        path.set(attribute, values[0]).add(animate.set("values", values.join(";")))
    }

    pub fn save(self, name: &str) -> std::io::Result<PathBuf> {
        let size = self.window.size() * self.scale;
        let group = Group::new().set("fill", "currentColor").set("fill-opacity", 0.13).set("stroke", "currentColor");
        let mut group = group.set("stroke-width", 4).set("stroke-linecap", "round").set("stroke-linejoin", "round");
        for track in &self.tracks {
            group = group.add(self.path(track));
        }
        let extras = self.extras.set("fill", "none").set("stroke-width", 4);
        let paper = Rectangle::new()
            .set("class", "paper")
            .set("width", size.x.round())
            .set("height", size.y.round())
            .set("rx", 16);
        let document = Document::new().set("viewBox", format!("0 0 {} {}", size.x.round(), size.y.round()));
        let document = document.add(Style::new(STYLE)).add(paper).add(group).add(extras);
        write(&pictures(name), &document)
    }
}

/// Returns key frames, chosen greedily: linear interpolation between them reproduces all other frames within the
/// tolerance.
fn keys(places: &[&PathData]) -> Vec<usize> {
    let straight = |from: usize, to: usize| {
        (from + 1..to).all(|frame| {
            let part = (frame - from) as f32 / (to - from) as f32;
            let ends = places[from].points.iter().zip(&places[to].points);
            ends.zip(&places[frame].points).all(|((a, b), point)| a.lerp(*b, part).distance(*point) <= TOLERANCE)
        })
    };
    let (mut keys, last) = (vec![0], places.len() - 1);
    while let Some(from) = keys.last().copied().filter(|from| *from < last) {
        let next = (from + 2..=last).take_while(|to| straight(from, *to)).last();
        keys.push(next.unwrap_or(from + 1));
    }
    keys
}
