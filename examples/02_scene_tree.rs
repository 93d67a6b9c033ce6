//! The tree: children follow, two ways to change parents, mirroring, shear, and a transform that is not finite.
//!
//! Each panel shows the state before the change in grey and the state after it in blue.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{DebugOptions, Node, NodeId, Polygon, Rect, Scene, SceneError};
use support::Picture;
use support::palette::GREY;

/// Adds a flag, whose outline shows rotation and mirroring.
fn flag(scene: &mut Scene, parent: NodeId, node: Node) -> Result<NodeId, Box<dyn std::error::Error>> {
    let (node, _) = scene.add_child_with(parent, node, Rect::new(0.15, 1.4))?;
    scene.attach(node, Polygon::convex(&[vec2(0.0, 0.7), vec2(0.9, 0.4), vec2(0.0, 0.1)])?)?;
    Ok(node)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut picture = Picture::new(0.03);
    let mut panel = 0;
    let mut show = |title: &str, scene: &mut Scene, change: &dyn Fn(&mut Scene) -> Result<(), SceneError>| {
        picture.origin = vec2((panel % 3) as f32 * 5.0, -(panel / 3) as f32 * 4.2);
        panel += 1;
        picture.text(vec2(0.0, -2.0), 0.32, title);
        picture.draw(
            scene.world(),
            &DebugOptions { palette: hitgraph::DebugPalette::uniform(GREY), ..DebugOptions::default() },
        );
        change(scene)?;
        scene.update();
        picture.draw(scene.world(), &DebugOptions::default());
        Ok::<(), SceneError>(())
    };

    // The elbow bends; the hand follows.
    let mut scene = Scene::new();
    let root = scene.root();
    let arm = flag(&mut scene, root, Node::new("arm").with_position(vec2(-1.0, -0.5)))?;
    let elbow = scene.add_child(arm, Node::new("elbow").with_position(vec2(0.0, 0.9)))?;
    flag(&mut scene, elbow, Node::new("hand").with_position(vec2(0.0, 0.8)))?;
    show("children follow", &mut scene, &|scene| {
        scene[elbow].transform.rotation = -1.2;
        Ok(())
    })?;
    assert_eq!(scene.find("arm/elbow"), Some(elbow));
    let cycle = scene.set_parent(arm, elbow);
    assert!(matches!(cycle, Err(SceneError::Cycle { .. })), "a node cannot be its own grandchild");

    // The same change of parent twice: keeping the local transform, then keeping the world transform.
    for in_place in [false, true] {
        let mut scene = Scene::new();
        let turned = Node::new("turned").with_position(vec2(0.9, -0.3)).with_rotation(-0.8).with_scale(vec2(1.0, 0.7));
        let root = scene.root();
        let turned = flag(&mut scene, root, turned)?;
        let child = flag(&mut scene, root, Node::new("child").with_position(vec2(-1.2, 0.0)))?;
        let title = if in_place { "set_parent_in_place" } else { "set_parent" };
        show(title, &mut scene, &|scene| match in_place {
            true => scene.set_parent_in_place(child, turned),
            false => scene.set_parent(child, turned),
        })?;
    }

    // A negative scale mirrors the node; it does not rotate it by half a turn.
    let mut scene = Scene::new();
    let body = scene.add(Node::new("body"));
    flag(&mut scene, body, Node::new("flag").with_position(vec2(0.6, 0.0)).with_rotation(-0.3))?;
    show("scale (-1, 1)", &mut scene, &|scene| {
        scene[body].transform.scale = vec2(-1.0, 1.0);
        Ok(())
    })?;

    // A rotated child of a stretched parent is sheared: its right angles are lost.
    let mut scene = Scene::new();
    let stretched = scene.add(Node::new("stretched"));
    let sheared = flag(&mut scene, stretched, Node::new("flag").with_rotation(-0.8))?;
    show("parent stretched: shear", &mut scene, &|scene| {
        scene[stretched].transform.scale = vec2(2.5, 0.8);
        Ok(())
    })?;

    let skew = scene.world().skew(sheared).ok_or("the flag exists")?;

    // The node is quarantined, listed, and drawn at its last position. It returns when its transform is valid again.
    let mut scene = Scene::new();
    let root = scene.root();
    let lost = flag(&mut scene, root, Node::new("lost"))?;
    show("NaN: quarantined", &mut scene, &|scene| {
        scene[lost].transform.position.x = f32::NAN;
        Ok(())
    })?;
    assert_eq!(scene.quarantined(), [lost]);
    let quarantined = scene.quarantined().len();
    scene[lost].transform.position = Vec2::ZERO;
    scene.update();
    assert!(scene.quarantined().is_empty());

    support::report(
        &[
            "the arm cannot become a child of its own elbow".to_owned(),
            format!("a flag in a stretched node has a skew of {:.0} degrees", skew.to_degrees()),
            format!("{quarantined} node with NaN was quarantined until its transform was valid again"),
        ],
        picture,
        "02_scene_tree.svg",
    )?;
    Ok(())
}
