//! A drawing as an opponent: its groups are limbs, its labels are names.

use glam::{Affine2, Vec2};
use hitgraph::{Aabb, ColliderId, DebugGeometry, DebugOptions, NodeId, Scene, Shape, Transform};

use super::fighter::{Drive, Fighter, Form, Joint, Limb, Role};
use super::kind::Hull;
use super::operand::Pose;

/// The height of an opponent, in world units.
const HEIGHT: f32 = 3.8;
/// The greatest number of shapes. Others are left out.
pub const MOST_SHAPES: usize = 40;
const TINTS: [u32; 4] = [0xb494ff, 0x8461d6, 0x9d7bea, 0xcbb4ff];

/// Makes a fighter of a scene whose y axis points down, and returns it with the number of shapes that were left out.
pub fn from_scene(name: &str, scene: &mut Scene) -> Result<(Fighter, usize), String> {
    let world = scene.world();
    let mut colliders: Vec<ColliderId> =
        world.descendants(world.root()).flat_map(|node| world.colliders(node)).copied().collect();
    let page = colliders.iter().filter_map(|id| world.bounds(*id)).fold(Aabb::EMPTY, Aabb::union);
    let height = page.size().y;
    if !page.is_finite() || height <= 0.0 {
        return Err("it has no shape that could fight".to_owned());
    }
    // The feet are at the origin, and y points up.
    let (scale, feet) = (HEIGHT / height.max(page.size().x * 0.8), Vec2::new(page.center().x, page.max.y));
    let to_fighter = Affine2::from_scale(Vec2::new(scale, -scale)) * Affine2::from_translation(-feet);

    let mut left_out = colliders.len().saturating_sub(MOST_SHAPES);
    colliders.truncate(MOST_SHAPES);
    let outlines = outlines(scene, &colliders);
    let world = scene.world();
    let top = top(world.scene());
    let mut fighter = Fighter { name: name.to_owned().into(), joints: Vec::new(), limbs: Vec::new() };
    let mut groups: Vec<NodeId> = Vec::new();
    for collider in colliders {
        let Some(node) = world.node_of(collider) else { continue };
        let group = world.ancestors(node).take_while(|above| *above != top).last().unwrap_or(node);
        let joint = groups.iter().position(|known| *known == group).unwrap_or_else(|| {
            groups.push(group);
            let pivot = world.transform(group).map_or(Vec2::ZERO, |at| to_fighter.transform_point2(at.translation));
            let bounds = outlines.iter().filter(|(id, _)| {
                world
                    .node_of(*id)
                    .is_some_and(|node| node == group || world.ancestors(node).any(|above| above == group))
            });
            let bounds = bounds.flat_map(|(_, points)| points).fold(Aabb::EMPTY, |all, point| {
                let point = to_fighter.transform_point2(*point);
                all.union(Aabb::new(point, point))
            });
            // A limb hangs from the nearest point of itself to the middle of the figure.
            let at =
                if bounds.is_finite() { Vec2::new(0.0, HEIGHT * 0.5).clamp(bounds.min, bounds.max) } else { pivot };
            let drive = if groups.len().is_multiple_of(2) { Drive::Stride(0.6) } else { Drive::Nod };
            fighter.joints.push(Joint { at, drive });
            groups.len() - 1
        });
        let circle = match world.attachment(collider).and_then(|shape| shape.collider_as::<Shape>()) {
            Some(Shape::Circle(circle)) => Some(*circle),
            _ => None,
        };
        let points = outlines.iter().find(|(id, _)| *id == collider).map(|(_, points)| &points[..]);
        let pivot = Affine2::from_translation(-fighter.joints[joint].at) * to_fighter;
        let shape = match (circle, world.transform(node), points) {
            (Some(circle), Some(at), _) => {
                let unit =
                    Affine2::from_translation(circle.center()) * Affine2::from_scale(Vec2::splat(circle.radius()));
                Some((Form::Circle, pose(pivot * at * unit)))
            }
            (_, _, Some(points)) => hull(points, pivot).map(|hull| (Form::Hull(hull), Pose::IDENTITY)),
            _ => None,
        };
        match shape {
            Some((form, pose)) if form.kind().attachment().is_ok() => {
                let label = world.node(group).map_or("", |node| &node.name);
                let label = if label.is_empty() { "limb" } else { label };
                let tint = TINTS[joint % TINTS.len()];
                let name = label.to_owned().into();
                fighter.limbs.push(Limb { name, joint, form, pose, tint, role: Role::Limb });
            }
            _ => left_out += 1,
        }
    }
    if fighter.limbs.is_empty() { Err("it has no shape that could fight".to_owned()) } else { Ok((fighter, left_out)) }
}

/// Returns the node whose children are the limbs: the root, or the only group in it, and so on.
fn top(scene: &Scene) -> NodeId {
    let mut top = scene.root();
    loop {
        let mut below = scene.children(top).iter().copied();
        match (below.next(), below.next()) {
            (Some(only), None) if !scene.children(only).is_empty() => top = only,
            _ => return top,
        }
    }
}

/// Returns the outlines of some colliders in world space.
fn outlines(scene: &mut Scene, colliders: &[ColliderId]) -> Vec<(ColliderId, Vec<Vec2>)> {
    let mut outlines: Vec<(ColliderId, Vec<Vec2>)> = Vec::new();
    scene.world().debug_draw(&DebugOptions::default(), |shape| {
        let solid = matches!(shape.geometry, DebugGeometry::Shape(_) | DebugGeometry::SupportShape(_));
        let Some(id) = shape.collider.filter(|id| solid && colliders.contains(id)) else { return };
        if outlines.last().is_none_or(|(last, _)| *last != id) {
            outlines.push((id, Vec::new()));
        }
        if let Some((_, points)) = outlines.last_mut() {
            shape.lines(|a, _| points.push(a));
        }
    });
    outlines
}

/// Returns the hull of an outline with few enough corners.
fn hull(points: &[Vec2], frame: Affine2) -> Option<Hull> {
    let points: Vec<Vec2> = points.iter().map(|point| frame.transform_point2(*point)).collect();
    let corners: Vec<Vec2> = hitgraph::Polygon::convex_hull(&points).ok()?.points().collect();
    let count = corners.len().min(Hull::MAX);
    let chosen: Vec<Vec2> = (0..count).map(|index| corners[index * corners.len() / count]).collect();
    Some(Hull::new(&chosen))
}

fn pose(at: Affine2) -> Pose {
    let Transform { position, rotation, scale, skew } = Transform::from_affine(at);
    Pose { position, turn: rotation.to_degrees(), scale, skew: skew.to_degrees() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::drawing::opener::Opener;

    fn fighter(content: &str) -> Result<(Fighter, usize), String> {
        let text = format!(r#"<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>"#);
        let mut sheet = Opener::default().open("a.svg", text.as_bytes()).unwrap().unwrap();
        from_scene("a.svg", &mut sheet.scene)
    }

    #[test]
    fn groups_are_limbs_with_the_names_of_the_groups() {
        let (fighter, left_out) = fighter(
            r#"<g id="figure"><g id="arm"><rect width="9" height="2"/><circle cx="9" r="2"/></g>
            <circle id="head" cx="3" cy="-9" r="3" transform="scale(1 2)"/></g>"#,
        )
        .unwrap();
        let names: Vec<&str> = fighter.limbs.iter().map(|limb| &*limb.name).collect();
        assert_eq!((names, left_out, fighter.joints.len()), (vec!["arm", "arm", "head"], 0, 2));
        assert!(matches!(fighter.limbs[0].form, Form::Hull(_)));
        assert_eq!(fighter.limbs[2].form, Form::Circle);
    }

    #[test]
    fn a_drawn_opponent_stands_on_the_ground_and_fights() {
        let (fighter, _) = fighter(r#"<rect id="box" x="50" y="700" width="100" height="200"/>"#).unwrap();
        let Form::Hull(hull) = fighter.limbs[0].form else { panic!("a rectangle is a hull") };
        let at = fighter.joints[0].at;
        let low = hull.points().iter().map(|point| point.y + at.y).fold(f32::INFINITY, f32::min);
        let high = hull.points().iter().map(|point| point.y + at.y).fold(f32::NEG_INFINITY, f32::max);
        assert!(low.abs() < 1e-3 && (high - HEIGHT).abs() < 1e-3, "{low} {high}");
        let mut duel = crate::views::mirror::duel::Duel::against(fighter, 3);
        (0..1200).for_each(|_| duel.step(None));
        assert!(duel.hits[1] > 0 && !duel.lies.is_empty());
    }

    #[test]
    fn a_drawing_without_shapes_is_refused_and_many_shapes_are_left_out() {
        assert!(fighter("<g/>").is_err());
        let many: String = (0..60).map(|x| format!(r#"<rect x="{x}" width="1" height="9"/>"#)).collect();
        assert_eq!(fighter(&many).unwrap().1, 60 - MOST_SHAPES);
    }
}
