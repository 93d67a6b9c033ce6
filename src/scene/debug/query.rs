use glam::{Affine2, Vec2};

use crate::collider::{Collider, WorldCollider};
use crate::math::Aabb;
use crate::scene::{ColliderId, DebugGeometry, DebugKind, DebugOptions, DebugShape, Nearest, RayHit, ShapeCastHit};
use crate::shape::Segment;

/// A query to a [`World`](crate::World) with its result, for drawing beside [`debug_draw`](crate::World::debug_draw).
///
/// The crate records no queries, so a host builds this from the arguments and the result of its own call. Geometry that
/// is not finite is not drawn.
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
/// let query = DebugQuery::Ray { origin, direction, max_distance, hit };
/// query.draw(&DebugOptions::default(), |shape| shape.lines(|a, b| lines.push((a, b, shape.color))));
/// assert_eq!(lines[0].1, vec2(4.0, 0.0), "a line to the point that the ray hits");
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DebugQuery<'a> {
    /// A [`cast_ray`](crate::World::cast_ray), drawn as a line up to the hit, with the normal there. A ray of infinite
    /// length that hits nothing is as long as its direction.
    Ray {
        /// The start.
        origin: Vec2,
        /// The direction.
        direction: Vec2,
        /// The largest distance, in world units.
        max_distance: f32,
        /// The result.
        hit: Option<RayHit>,
    },
    /// A [`cast_shape`](crate::World::cast_shape) without a turn, drawn as the shape at the start and at the end, the line
    /// between them, and the hit.
    ShapeCast {
        /// The shape.
        shape: &'a dyn Collider,
        /// The world transform at the start.
        at: Affine2,
        /// The displacement.
        displacement: Vec2,
        /// The result.
        hit: Option<ShapeCastHit>,
    },
    /// A [`nearest`](crate::World::nearest), drawn as a line from the point to the result.
    Nearest {
        /// The point.
        point: Vec2,
        /// The result.
        near: Option<Nearest>,
    },
    /// An [`overlaps_shape`](crate::World::overlaps_shape), drawn as the shape.
    Shape {
        /// The shape.
        shape: &'a dyn Collider,
        /// The world transform.
        at: Affine2,
    },
    /// An [`in_aabb`](crate::World::in_aabb), drawn as the region.
    Region(Aabb),
}

impl DebugQuery<'_> {
    /// Calls `draw` with one thing after another, all of [`DebugKind::Query`]: first the query, then the result. Of the
    /// options it reads only the palette.
    pub fn draw(&self, options: &DebugOptions, mut draw: impl FnMut(DebugShape<'_>)) {
        let (kind, color) = (DebugKind::Query, options.palette.query);
        let mut emit = |collider: Option<ColliderId>, geometry: DebugGeometry<'_>| {
            draw(DebugShape { kind, color, collider, geometry, piece_of: None });
        };
        match *self {
            Self::Ray { origin, direction, max_distance, hit } => {
                // In f64, because the square of a short or long direction is 0 or infinite in f32.
                let direction = direction.as_dvec2();
                let length = direction.length() as f32;
                let reach = if max_distance.is_finite() { max_distance } else { length };
                if let Some(direction) = direction.try_normalize() {
                    let end = hit.map_or(origin + direction.as_vec2() * reach.max(0.0), |hit| hit.point);
                    draw_line(origin, end, &mut emit);
                }
                if let Some(hit) = hit {
                    let size = 0.2 * if hit.distance > 0.0 { hit.distance } else { reach.min(length) };
                    draw_hit(hit.side.collider, hit.point, hit.normal * size, &mut emit);
                }
            }
            Self::ShapeCast { shape, at, displacement, hit } => {
                let travel = displacement * hit.map_or(1.0, |hit| hit.fraction);
                draw_shape(shape, &at, &mut emit);
                draw_shape(shape, &Affine2 { translation: at.translation + travel, ..at }, &mut emit);
                draw_line(at.translation, at.translation + travel, &mut emit);
                if let Some(hit) = hit {
                    let size = 0.5 * shape.bounds(&at).size().max_element();
                    draw_hit(hit.side.collider, hit.point, hit.normal * size, &mut emit);
                }
            }
            Self::Nearest { point, near: Some(near) } => {
                draw_line(point, near.point, &mut |_, geometry| emit(Some(near.side.collider), geometry));
            }
            Self::Shape { shape, at } => draw_shape(shape, &at, &mut emit),
            Self::Region(region) if region.is_finite() => emit(None, DebugGeometry::Aabb(region)),
            Self::Nearest { near: None, .. } | Self::Region(_) => {}
        }
    }
}

type Emit<'a> = &'a mut dyn FnMut(Option<ColliderId>, DebugGeometry<'_>);

fn draw_line(from: Vec2, to: Vec2, emit: Emit<'_>) {
    if from.is_finite() && to.is_finite() {
        emit(None, DebugGeometry::Shape(&Segment::new(from, to).into()));
    }
}

/// Draws a mark where something was hit, and the normal there.
fn draw_hit(collider: ColliderId, at: Vec2, normal: Vec2, emit: Emit<'_>) {
    if (at + normal).is_finite() {
        let size = (normal.as_dvec2().length() * 0.15) as f32;
        emit(Some(collider), DebugGeometry::Point { at, size });
        emit(Some(collider), DebugGeometry::Arrow { from: at, to: at + normal });
    }
}

/// Draws a shape that is in no scene, piece by piece.
fn draw_shape(collider: &dyn Collider, at: &Affine2, emit: Emit<'_>) {
    WorldCollider::with(collider, at, |collider| {
        if collider.bounds().is_finite() {
            collider.each_piece(Aabb::EVERYTHING, &mut |_, piece| emit(None, DebugGeometry::of_piece(piece)));
        }
    });
}
