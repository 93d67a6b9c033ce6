//! A wrong answer as a link to the pair view, and as a test in Rust.

use glam::Vec2;
use hitgraph::Transform;

use super::decomposed::decomposed;
use super::kind::Kind;
use super::lie::{Lie, Verdict};
use super::operand::{Operand, Pose};
use crate::views::pair::show::Show;
use crate::views::pair::state::State;

/// Returns the link that shows the two limbs in the pair view.
pub fn link(lie: &Lie) -> String {
    let show = Show { nodes: false, ..Show::default() };
    format!("pair?{}", State { operands: lie.operands, show }.write())
}

/// Returns lines of Rust with two tests: one passes, and the other fails as it should, because it tests the shapes of an
/// engine that decomposes transforms.
pub fn rust_test(lie: &Lie, seed: u32) -> String {
    let [a, b] = lie.names.each_ref().map(|name| identifier(name));
    let hits = lie.verdict == Verdict::Missed;
    let name = format!("{a}_{}_{b}", if hits { "touches" } else { "misses" });
    let title = format!("Liar's Mirror, seed {seed}, tick {}: {}.", lie.tick, lie.title());
    let claim = if hits {
        format!("the outlines overlap by {:.3}", -lie.gap)
    } else {
        format!("the outlines are {:.3} apart", lie.gap)
    };
    let exact = lie.operands.map(|operand| entry(&shape(operand.kind), &operand.chain.map(|pose| exact_node(&pose))));
    let split = lie.operands.map(|operand| split_entry(&operand));
    let not = if hits { "" } else { "!" };
    format!(
        "// {title} Here {claim}.

use hitgraph::{{Attachment, Node, Scene, Transform, glam::Vec2}};

/// A shape below three nodes, outermost first.
type Limb = (Attachment, [Transform; 3]);

fn touching(limbs: [Limb; 2]) -> bool {{
    let mut scene = Scene::new();
    let [a, b] = limbs.map(|(shape, chain)| {{
        let parent = chain.into_iter().fold(scene.root(), |parent, transform| {{
            scene.add_child(parent, Node::new(\"limb\").with_transform(transform)).unwrap()
        }});
        scene.attach(parent, shape).unwrap()
    }});
    scene.world().contact(a, b).is_some()
}}

/// Returns a transform from position, rotation and skew in degrees, and scale.
fn node(position: [f32; 2], rotation: f32, scale: [f32; 2], skew: f32) -> Transform {{
    let [position, scale] = [position, scale].map(Vec2::from);
    Transform {{ position, rotation: rotation.to_radians(), scale, skew: skew.to_radians() }}
}}

#[test]
fn {name}() {{
    let {a} = {};
    let {b} = {};
    assert!({not}touching([{a}, {b}]), \"{claim}\");
}}

/// The same limbs in an engine that decomposes their transforms into position, rotation and scale.
#[test]
#[should_panic(expected = \"{claim}\")]
fn {name}_fails_if_transforms_are_decomposed() {{
    let {a} = {};
    let {b} = {};
    assert!({not}touching([{a}, {b}]), \"{claim}\");
}}
",
        exact[0], exact[1], split[0], split[1],
    )
}

fn entry(shape: &str, nodes: &[String; 3]) -> String {
    format!("(\n        {shape},\n        [\n            {},\n        ],\n    )", nodes.join(",\n            "))
}

fn exact_node(pose: &Pose) -> String {
    if *pose == Pose::IDENTITY {
        return "Transform::IDENTITY".to_owned();
    }
    let Pose { position, turn, scale, skew } = pose;
    format!("node({}, {turn:?}, {}, {skew:?})", pair(*position), pair(*scale))
}

/// Returns the shape and transform that a decomposing engine tests.
fn split_entry(operand: &Operand) -> String {
    let scale = Transform::from_affine(operand.world(2)).scale;
    let larger = scale.abs().max_element();
    let shape = match operand.kind {
        Kind::Circle => format!("hitgraph::Circle::new({larger:?}).into()"),
        Kind::Capsule => capsule(Kind::CAPSULE_HALF * scale.x.abs(), Kind::CAPSULE_RADIUS * larger),
        kind => shape(kind),
    };
    let placed = decomposed(operand).map_or(Transform::IDENTITY, |(_, at)| Transform::from_affine(at));
    let Transform { position, rotation, scale, .. } = placed;
    let node = format!("node({}, {:?}, {}, 0.0)", pair(position), rotation.to_degrees(), pair(scale));
    entry(&shape, &[node, "Transform::IDENTITY".to_owned(), "Transform::IDENTITY".to_owned()])
}

fn shape(kind: Kind) -> String {
    match kind {
        Kind::Circle => "hitgraph::Circle::new(1.0).into()".to_owned(),
        Kind::Capsule => capsule(Kind::CAPSULE_HALF, Kind::CAPSULE_RADIUS),
        Kind::Hull(hull) => {
            let corners: Vec<String> =
                hull.points().iter().map(|at| format!("Vec2::new({:?}, {:?})", at.x, at.y)).collect();
            format!("hitgraph::Polygon::convex_hull(&[{}]).unwrap().into()", corners.join(", "))
        }
        // The other kinds are not limbs.
        _ => "hitgraph::Rect::new(2.0, 1.2).into()".to_owned(),
    }
}

fn capsule(half: f32, radius: f32) -> String {
    format!("hitgraph::Capsule::new(Vec2::new({:?}, 0.0), Vec2::new({half:?}, 0.0), {radius:?}).into()", -half)
}

fn pair(vector: Vec2) -> String {
    format!("[{:?}, {:?}]", vector.x, vector.y)
}

/// Returns a name as an identifier of Rust.
fn identifier(name: &str) -> String {
    let letters: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' })
        .collect();
    // A prefix, because a name may start with a digit or be a keyword.
    format!("the_{letters}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::mirror::duel::Duel;

    /// Returns the first clear error of a kind in the duel of seed 1.
    fn first(verdict: Verdict) -> Lie {
        let mut duel = Duel::new(1);
        loop {
            duel.step(None);
            assert!(!duel.is_over());
            if let Some(lie) = duel.lies.last().filter(|lie| lie.verdict == verdict && lie.gap.abs() > 0.2) {
                return lie.clone();
            }
        }
    }

    #[test]
    fn the_copied_lines_are_the_tests_in_the_folder_tests() {
        for (verdict, lines) in [
            (Verdict::Phantom, include_str!("../../../tests/copied/phantom_hit.rs")),
            (Verdict::Missed, include_str!("../../../tests/copied/missed_hit.rs")),
        ] {
            let fresh = rust_test(&first(verdict), 1);
            assert_eq!(fresh, lines, "if this is intended, write it to the file:\n{fresh}");
        }
    }

    #[test]
    fn the_link_shows_the_same_disagreement_in_the_pair_view() {
        for verdict in [Verdict::Phantom, Verdict::Missed] {
            let lie = first(verdict);
            let link = link(&lie);
            let state = State::read(link.strip_prefix("pair?").unwrap()).unwrap();
            assert_eq!(state.operands, lie.operands);
            assert!(state.show.decomposed);
        }
    }

    #[test]
    fn the_name_of_a_limb_is_an_identifier() {
        assert_eq!(["left eye", "1. Ärm", "fn"].map(identifier), ["the_left_eye", "the_1___rm", "the_fn"]);
    }
}
