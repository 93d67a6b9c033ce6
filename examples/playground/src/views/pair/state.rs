//! Writes and reads the pair as the text of a link, for example
//! `a=circle/at-1.2,-0.15/scale1.5,0.75/turn30&b=rect/-/-/skew20&show=boxes`.
//!
//! An operand is a kind and three nodes, outermost first, separated by `/`. A node is `-` for the identity, or a list
//! of the parts that differ from it, separated by `;`: `at`, `turn` and `skew` in degrees, `scale`. The kind `hull` is
//! followed by the corners of a convex polygon: `hull:0,0;1,0;0,1`.

use std::fmt::Write as _;

use glam::Vec2;

use super::kind::{Hull, Kind};
use super::operand::{NODES, Operand, Pose};
use super::show::Show;

/// The state of the pair view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    pub operands: [Operand; 2],
    pub show: Show,
}

impl Default for State {
    fn default() -> Self {
        Self { operands: Operand::start(), show: Show::default() }
    }
}

impl State {
    /// Writes the state as text.
    pub fn write(&self) -> String {
        let [a, b] = self.operands.map(|operand| write_operand(&operand));
        let mut text = format!("a={a}&b={b}");
        if self.show != Show::default() {
            let _ = write!(text, "&show={}", self.show.names().join(","));
        }
        text
    }

    /// Reads a state. Missing parts have their initial values.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut state = Self::default();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("{part:?} has no value"))?;
            let read = match name {
                "a" => read_operand(value).map(|operand| state.operands[0] = operand),
                "b" => read_operand(value).map(|operand| state.operands[1] = operand),
                "show" => Show::from_names(value).map(|show| state.show = show),
                _ => return Err(format!("unknown name {name:?}; the names are a, b and show")),
            };
            read.map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(state)
    }
}

fn write_operand(operand: &Operand) -> String {
    let mut text = operand.kind.name().to_owned();
    if let Kind::Hull(hull) = operand.kind {
        let corners: Vec<String> = hull.points().iter().map(|at| format!("{},{}", at.x, at.y)).collect();
        let _ = write!(text, ":{}", corners.join(";"));
    }
    for pose in &operand.chain {
        let identity = Pose::IDENTITY;
        let pair = |vector: Vec2| format!("{},{}", vector.x, vector.y);
        let parts = [
            (pose.position != identity.position).then(|| format!("at{}", pair(pose.position))),
            (pose.turn != identity.turn).then(|| format!("turn{}", pose.turn)),
            (pose.scale != identity.scale).then(|| format!("scale{}", pair(pose.scale))),
            (pose.skew != identity.skew).then(|| format!("skew{}", pose.skew)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let _ = write!(text, "/{}", if parts.is_empty() { "-".to_owned() } else { parts.join(";") });
    }
    text
}

fn read_operand(text: &str) -> Result<Operand, String> {
    let parts: Vec<&str> = text.split('/').collect();
    let [kind, nodes @ ..] = &parts[..] else { return Err("the shape is missing".to_owned()) };
    let unknown = || format!("there is no shape {kind:?}; the shapes are {}", Kind::ALL.map(Kind::name).join(", "));
    let kind = match kind.strip_prefix("hull:") {
        Some(corners) => Kind::Hull(read_hull(corners)?),
        None => Kind::from_name(kind).ok_or_else(unknown)?,
    };
    let nodes: &[&str; 3] =
        nodes.try_into().map_err(|_| format!("expected 3 nodes, each after a /, but found {}", nodes.len()))?;
    let mut chain = [Pose::IDENTITY; 3];
    for (index, node) in nodes.iter().enumerate() {
        chain[index] = read_pose(node).map_err(|error| format!("{}: {error}", NODES[index]))?;
    }
    Ok(Operand { kind, chain })
}

fn read_hull(text: &str) -> Result<Hull, String> {
    let corners: Vec<Vec2> = text.split(';').map(read_pair).collect::<Result<_, _>>()?;
    if !(3..=Hull::MAX).contains(&corners.len()) {
        return Err(format!("a hull has 3 to {} corners, not {}", Hull::MAX, corners.len()));
    }
    let hull = Hull::new(&corners);
    // The corners must span a polygon.
    Kind::Hull(hull).attachment().map(|_| hull).map_err(|error| error.to_string())
}

fn read_pose(text: &str) -> Result<Pose, String> {
    let mut pose = Pose::IDENTITY;
    for part in text.split(';').filter(|_| text != "-") {
        if let Some(value) = part.strip_prefix("at") {
            pose.position = read_pair(value)?;
        } else if let Some(value) = part.strip_prefix("turn") {
            pose.turn = read_number(value)?;
        } else if let Some(value) = part.strip_prefix("scale") {
            pose.scale = read_pair(value)?;
        } else if let Some(value) = part.strip_prefix("skew") {
            pose.skew = read_number(value)?;
        } else {
            return Err(format!("{part:?} must start with at, turn, scale or skew, or be -"));
        }
    }
    Ok(pose)
}

fn read_pair(text: &str) -> Result<Vec2, String> {
    let (x, y) = text.split_once(',').ok_or_else(|| format!("{text:?} is not two numbers separated by a comma"))?;
    Ok(Vec2::new(read_number(x)?, read_number(y)?))
}

fn read_number(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| format!("{text:?} is not a finite number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_a_written_state_returns_the_same_state() {
        let numbers = [0.0, -1.0, 0.1, 1.0 / 3.0, 1e-7, -12345.678, 3e38, f32::MIN_POSITIVE];
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            let number = |step: usize| numbers[(index + step) % numbers.len()];
            let pose = |step: usize| Pose {
                position: Vec2::new(number(step), number(step + 1)),
                turn: number(step + 2),
                scale: Vec2::new(number(step + 3), number(step + 4)),
                skew: number(step + 5),
            };
            let operands = [
                Operand { kind, chain: [pose(0), Pose::IDENTITY, pose(1)] },
                Operand { kind: Kind::Custom, chain: [pose(2), pose(3), pose(4)] },
            ];
            let show = Show { boxes: index % 2 == 0, decomposed: index % 3 != 0, ..Show::default() };
            let state = State { operands, show };
            let text = state.write();
            assert_eq!(State::read(&text), Ok(state), "{text}");
            assert!(text.is_ascii() && !text.contains([' ', '#', '?', '%', '"']), "{text}");
        }
        let start = State::default();
        assert_eq!(State::read(&start.write()), Ok(start));
        assert_eq!(State::read(""), Ok(start));
        let hull = Kind::Hull(Hull::new(&[Vec2::ZERO, Vec2::X, Vec2::new(0.25, 1.5)]));
        let hull = State { operands: start.operands.map(|operand| Operand { kind: hull, ..operand }), ..start };
        assert_eq!(State::read(&hull.write()), Ok(hull));
        let none = State { show: Show::NONE, ..start };
        assert_eq!(State::read(&none.write()), Ok(none));
    }

    #[test]
    fn an_invalid_state_gives_a_specific_error() {
        for (text, expected) in [
            ("a", "\"a\" has no value"),
            ("c=circle/-/-/-", "unknown name \"c\""),
            ("a=blob/-/-/-", "no shape \"blob\"; the shapes are circle, rect"),
            ("a=", "no shape \"\""),
            ("b=circle/-/-", "b: expected 3 nodes, each after a /, but found 2"),
            ("b=circle/-/-/-/-", "but found 4"),
            ("a=circle/-/up3/-", "a: parent: \"up3\" must start with"),
            ("a=circle/-/-/", "shape: \"\" must start with"),
            ("a=circle/at1/-/-", "grandparent: \"1\" is not two numbers"),
            ("a=circle/at1,x/-/-", "\"x\" is not a finite number"),
            ("a=circle/turnNaN/-/-", "\"NaN\" is not a finite number"),
            ("a=circle/scale1,inf/-/-", "\"inf\" is not a finite number"),
            ("a=circle/scale1,1e99/-/-", "\"1e99\" is not a finite number"),
            ("a=hull:0,0;1,0/-/-/-", "a hull has 3 to 16 corners, not 2"),
            ("a=hull:0,0;1,x;0,1/-/-/-", "\"x\" is not a finite number"),
            ("show=everything", "show: unknown name \"everything\""),
        ] {
            let error = State::read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn reading_a_mutated_state_never_panics_and_accepted_states_round_trip() {
        let start = State::default().write();
        for (cut, _) in start.char_indices() {
            for with in ["", "é", "=", "&", "/", ",", ";;", "9e9e9", "\0"] {
                let text = format!("{}{with}{}", &start[..cut], &start[cut..]);
                if let Ok(state) = State::read(&text) {
                    assert_eq!(State::read(&state.write()), Ok(state));
                }
                let _ = State::read(&format!("{}{with}", &start[..cut]));
            }
        }
    }
}
