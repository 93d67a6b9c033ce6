use glam::{Affine2, Vec2};
use hitgraph::{Attachment, Circle, Compound, Node, Polygon, Polyline, QueryFilter, Scene};

use super::bits::Bits;

/// The most points of an outline here.
const MOST: usize = 48;

/// Points as an outline of every kind: refused for a reason, or a shape that answers.
pub fn outlines(data: &[u8]) {
    let mut bits = Bits(data);
    let (transform, probe, radius) = (bits.transform(), bits.point(), bits.number());
    let mut points: Vec<Vec2> = Vec::new();
    while !bits.is_empty() && points.len() < MOST {
        points.push(bits.point());
    }
    let mut made: Vec<Attachment> = Vec::new();
    if let Ok(compound) = Compound::from_outline(&points) {
        assert!(compound.pieces().len() <= points.len(), "{} pieces", compound.pieces().len());
        made.push(compound.into());
    }
    made.extend(Polyline::new(&points).map(Attachment::from));
    made.extend(Polyline::closed(&points).map(|line| line.one_sided().into()));
    made.extend(Polygon::convex(&points).map(Attachment::from));
    made.extend(Polygon::convex_hull(&points).map(Attachment::from));
    let mut scene = Scene::new();
    for attachment in made {
        let node = scene.add(Node::new("n").with_transform(transform));
        scene.attach(node, attachment).unwrap();
    }
    scene.update();
    scene.validate().unwrap();
    let (world, all) = (scene.world(), QueryFilter::default());
    let _ = world.contacts();
    let _ = world.at_point(probe, &all).count();
    for hit in world.cast_ray_all(probe, -probe, f32::INFINITY, &all) {
        assert!(hit.distance >= 0.0 && (hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
    }
    if let Ok(ball) = Circle::try_new(radius) {
        let _ = world.overlaps_shape(&ball, &Affine2::from_translation(probe), &all).count();
        let _ = world.cast_shape_all(&ball, &Affine2::from_translation(probe), -probe, &all);
    }
}
