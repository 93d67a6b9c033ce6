//! A pair as a text for an address: `a=circle/at-1.2,-0.15/scale1.5,0.75/turn30&b=rect/-/-/skew20&show=boxes`.
//!
//! A body is its kind and three nodes, the outermost first. A node is what differs from no transform at all, with `;`
//! between: `at`, `turn` and `skew` in degrees, `scale`; or `-`.

use std::fmt::Write as _;

use glam::Vec2;

use super::body::{Body, NODES, Pose};
use super::kind::Kind;
use super::show::Show;

/// All that an address holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    pub bodies: [Body; 2],
    pub show: Show,
}

impl Default for State {
    fn default() -> Self {
        Self { bodies: Body::start(), show: Show::default() }
    }
}

impl State {
    pub fn write(&self) -> String {
        let [a, b] = self.bodies.map(|body| write_body(&body));
        let mut text = format!("a={a}&b={b}");
        if self.show != Show::default() {
            let _ = write!(text, "&show={}", self.show.names().join(","));
        }
        text
    }

    /// What is not told is as at the start.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut state = Self::default();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("{part:?} has no value"))?;
            let read = match name {
                "a" => read_body(value).map(|body| state.bodies[0] = body),
                "b" => read_body(value).map(|body| state.bodies[1] = body),
                "show" => Show::from_names(value).map(|show| state.show = show),
                _ => return Err(format!("a pair has no {name:?}; it has a, b and show")),
            };
            read.map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(state)
    }
}

fn write_body(body: &Body) -> String {
    let mut text = body.kind.name().to_owned();
    for pose in &body.chain {
        let same = Pose::IDENTITY;
        let pair = |vector: Vec2| format!("{},{}", vector.x, vector.y);
        let parts = [
            (pose.position != same.position).then(|| format!("at{}", pair(pose.position))),
            (pose.turn != same.turn).then(|| format!("turn{}", pose.turn)),
            (pose.scale != same.scale).then(|| format!("scale{}", pair(pose.scale))),
            (pose.skew != same.skew).then(|| format!("skew{}", pose.skew)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let _ = write!(text, "/{}", if parts.is_empty() { "-".to_owned() } else { parts.join(";") });
    }
    text
}

fn read_body(text: &str) -> Result<Body, String> {
    let parts: Vec<&str> = text.split('/').collect();
    let [kind, nodes @ ..] = &parts[..] else { return Err("a shape is missing".to_owned()) };
    let unknown = || format!("there is no shape {kind:?}; there are {}", Kind::ALL.map(Kind::name).join(", "));
    let kind = Kind::from_name(kind).ok_or_else(unknown)?;
    let nodes: &[&str; 3] =
        nodes.try_into().map_err(|_| format!("a body has 3 nodes, with / before each; here are {}", nodes.len()))?;
    let mut chain = [Pose::IDENTITY; 3];
    for (index, node) in nodes.iter().enumerate() {
        chain[index] = read_pose(node).map_err(|error| format!("{}: {error}", NODES[index]))?;
    }
    Ok(Body { kind, chain })
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
            return Err(format!("{part:?} is none of at, turn, scale, skew and -"));
        }
    }
    Ok(pose)
}

fn read_pair(text: &str) -> Result<Vec2, String> {
    let (x, y) = text.split_once(',').ok_or_else(|| format!("{text:?} is not two numbers with a comma"))?;
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
    fn there_and_back() {
        let numbers = [0.0, -1.0, 0.1, 1.0 / 3.0, 1e-7, -12345.678, 3e38, f32::MIN_POSITIVE];
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            let number = |step: usize| numbers[(index + step) % numbers.len()];
            let pose = |step: usize| Pose {
                position: Vec2::new(number(step), number(step + 1)),
                turn: number(step + 2),
                scale: Vec2::new(number(step + 3), number(step + 4)),
                skew: number(step + 5),
            };
            let bodies = [
                Body { kind, chain: [pose(0), Pose::IDENTITY, pose(1)] },
                Body { kind: Kind::Own, chain: [pose(2), pose(3), pose(4)] },
            ];
            let show = Show { boxes: index % 2 == 0, decomposed: index % 3 == 0, ..Show::default() };
            let state = State { bodies, show };
            let text = state.write();
            assert_eq!(State::read(&text), Ok(state), "{text}");
            assert!(text.is_ascii() && !text.contains([' ', '#', '?', '%', '"']), "{text}");
        }
        let start = State::default();
        assert_eq!(State::read(&start.write()), Ok(start));
        assert_eq!(State::read(""), Ok(start));
        let none = State { show: Show::NONE, ..start };
        assert_eq!(State::read(&none.write()), Ok(none));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("a", "\"a\" has no value"),
            ("c=circle/-/-/-", "no \"c\""),
            ("a=blob/-/-/-", "no shape \"blob\"; there are circle, rect"),
            ("a=", "no shape \"\""),
            ("b=circle/-/-", "b: a body has 3 nodes, with / before each; here are 2"),
            ("b=circle/-/-/-/-", "here are 4"),
            ("a=circle/-/up3/-", "a: parent: \"up3\" is none of"),
            ("a=circle/-/-/", "shape: \"\" is none of"),
            ("a=circle/at1/-/-", "grandparent: \"1\" is not two numbers"),
            ("a=circle/at1,x/-/-", "\"x\" is not a finite number"),
            ("a=circle/turnNaN/-/-", "\"NaN\" is not a finite number"),
            ("a=circle/scale1,inf/-/-", "\"inf\" is not a finite number"),
            ("a=circle/scale1,1e99/-/-", "\"1e99\" is not a finite number"),
            ("show=everything", "show: \"everything\" is none of"),
        ] {
            let error = State::read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn nonsense_is_refused_and_nothing_else() {
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
