//! Drawing what was asked.

use glam::{Affine2, Vec2};

use super::{ColliderId, DebugGeometry, DebugKind, DebugOptions, DebugShape, Nearest, RayHit, ShapeCastHit};
use crate::collider::{Collider, Placed, Sealed};
use crate::math::Aabb;
use crate::shape::{Segment, Shape};

/// A question to a [`World`](super::World) with its answer, for drawing beside
/// [`debug_draw`](super::World::debug_draw).
///
/// Nothing is recorded: you say what you asked. What is not finite is not drawn.
///
/// ```
/// use hitgraph::{Circle, DebugOptions, DebugQuery, Node, QueryFilter, Scene};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// scene.add_with(Node::new("troll").with_position(vec2(5.0, 0.0)), Circle::new(1.0));
/// let (origin, direction, max_distance) = (Vec2::ZERO, Vec2::X, 20.0);
/// let hit = scene.world().cast_ray(origin, direction, max_distance, &QueryFilter::default());
///
/// let mut lines = Vec::new();
/// let asked = DebugQuery::Ray { origin, direction, max_distance, hit };
/// asked.draw(&DebugOptions::default(), |shape| shape.lines(|a, b| lines.push((a, b, shape.color))));
/// assert_eq!(lines[0].1, vec2(4.0, 0.0), "a line to where the ray hits");
/// ```
#[derive(Debug, Clone, Copy)]
pub enum DebugQuery<'a> {
    /// Of [`cast_ray`](super::World::cast_ray): a line as far as it came, and the normal there. A ray without end that
    /// hits nothing is as long as its direction.
    Ray {
        /// Where it starts.
        origin: Vec2,
        /// Where it goes.
        direction: Vec2,
        /// How far.
        max_distance: f32,
        /// What it hits.
        hit: Option<RayHit>,
    },
    /// Of [`cast_shape`](super::World::cast_shape): the shape where it starts and where it stops, the way between, and
    /// where it touches.
    ShapeCast {
        /// What is moved.
        shape: &'a dyn Collider,
        /// From where.
        at: Affine2,
        /// How far.
        motion: Vec2,
        /// What it touches.
        hit: Option<ShapeCastHit>,
    },
    /// Of [`nearest`](super::World::nearest): a line from the point to what is found.
    Nearest {
        /// What was asked about.
        point: Vec2,
        /// What is nearest to it.
        near: Option<Nearest>,
    },
    /// Of [`overlaps_shape`](super::World::overlaps_shape): the shape.
    Shape {
        /// The shape.
        shape: &'a dyn Collider,
        /// Where it is.
        at: Affine2,
    },
    /// Of [`in_aabb`](super::World::in_aabb): the region.
    Region(Aabb),
}

impl DebugQuery<'_> {
    /// Calls `draw` with one thing after another, all of them of [`DebugKind::Query`]: the question first. Of the
    /// options only the palette counts.
    pub fn draw(&self, options: &DebugOptions, mut draw: impl FnMut(DebugShape<'_>)) {
        let (kind, color) = (DebugKind::Query, options.palette[DebugKind::Query.color()]);
        let mut emit = |collider: Option<ColliderId>, geometry: DebugGeometry<'_>| {
            draw(DebugShape { kind, color, collider, geometry });
        };
        match *self {
            Self::Ray { origin, direction, max_distance, hit } => {
                let reach = if max_distance.is_finite() { max_distance } else { direction.length() };
                if let Some(way) = direction.try_normalize() {
                    let end = hit.map_or(origin + way * reach.max(0.0), |hit| hit.point);
                    line(origin, end, &mut emit);
                }
                if let Some(hit) = hit {
                    let size = 0.2 * if hit.distance > 0.0 { hit.distance } else { reach };
                    answer(hit.side.collider, hit.point, hit.normal * size, &mut emit);
                }
            }
            Self::ShapeCast { shape, at, motion, hit } => {
                let way = motion * hit.map_or(1.0, |hit| hit.fraction);
                outline(shape, &at, &mut emit);
                outline(shape, &Affine2 { translation: at.translation + way, ..at }, &mut emit);
                line(at.translation, at.translation + way, &mut emit);
                if let Some(hit) = hit {
                    let size = 0.5 * shape.bounds(&at).size().max_element();
                    answer(hit.side.collider, hit.point, hit.normal * size, &mut emit);
                }
            }
            Self::Nearest { point, near } => {
                if let Some(near) = near {
                    line(point, near.point, &mut |_, geometry| emit(Some(near.side.collider), geometry));
                }
            }
            Self::Shape { shape, at } => outline(shape, &at, &mut emit),
            Self::Region(region) if region.is_finite() => emit(None, DebugGeometry::Aabb(region)),
            Self::Region(_) => {}
        }
    }
}

type Emit<'a> = &'a mut dyn FnMut(Option<ColliderId>, DebugGeometry<'_>);

fn line(from: Vec2, to: Vec2, emit: Emit<'_>) {
    if from.is_finite() && to.is_finite() {
        emit(None, DebugGeometry::Shape(&Segment::new(from, to).into()));
    }
}

/// A mark where something was hit, and its normal.
fn answer(collider: ColliderId, at: Vec2, normal: Vec2, emit: Emit<'_>) {
    emit(Some(collider), DebugGeometry::Point { at, size: normal.length() * 0.15 });
    emit(Some(collider), DebugGeometry::Arrow { from: at, to: at + normal });
}

/// A shape that is in no scene, piece by piece.
fn outline(collider: &dyn Collider, at: &Affine2, emit: Emit<'_>) {
    let flat = collider.flat(Sealed).map(|local| local.transformed(at));
    let bounds = flat.as_ref().map_or_else(|| collider.bounds(at), Shape::bounds);
    if bounds.is_finite() {
        Placed { collider, at, shape: flat.as_ref() }.each_piece(Aabb::EVERYTHING, &mut |_, piece| {
            emit(None, piece.shape.map_or(DebugGeometry::Convex(piece.convex()), DebugGeometry::Shape));
        });
    }
}
