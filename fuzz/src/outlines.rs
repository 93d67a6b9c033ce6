use glam::{Affine2, Vec2};
use hitgraph::{Attachment, Circle, Compound, Node, Polygon, Polyline, QueryFilter, Scene};

use super::bits::Bits;

/// The largest number of points in an outline.
const MAX_POINTS: usize = 48;

/// Passes points to every constructor that takes an outline. It must return an error or a shape that answers queries.
pub fn outlines(data: &[u8]) {
    let mut bits = Bits(data);
    let (transform, probe, radius) = (bits.transform(), bits.point(), bits.number());
    let mut points: Vec<Vec2> = Vec::new();
    while !bits.is_empty() && points.len() < MAX_POINTS {
        points.push(bits.point());
    }
    let mut attachments: Vec<Attachment> = Vec::new();
    if let Ok(compound) = Compound::from_outline(&points) {
        assert!(compound.pieces().len() <= points.len(), "{} pieces", compound.pieces().len());
        attachments.push(compound.into());
    }
    attachments.extend(Polyline::new(&points).map(Attachment::from));
    attachments.extend(Polyline::closed(&points).map(|line| line.one_sided().into()));
    attachments.extend(Polygon::convex(&points).map(Attachment::from));
    attachments.extend(Polygon::convex_hull(&points).map(Attachment::from));
    let mut scene = Scene::new();
    for attachment in attachments {
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
