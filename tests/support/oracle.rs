//! The definition of the separation, in `f64` and slowly: over all directions `u`, the most that `B` is beyond `A`. Positive it is the distance,
//! negative the depth. It shares no code with the crate and takes the world shapes as exact.

use std::f64::consts::TAU;

use glam::{Affine2, DMat2, DVec2, Vec2};
use hitgraph::Shape;

use super::Body;

/// A polygon swollen by the image of the unit disc.
#[derive(Debug, Clone)]
pub struct Swollen {
    center: DVec2,
    core: Vec<DVec2>,
    matrix: DMat2,
}

impl Swollen {
    pub fn of(body: &Body) -> Self {
        let shape = body.shape().expect("the oracle knows built-in shapes only");
        let at = body.transform.position;
        // Seen from the node's origin, coordinates are the offsets that the shape keeps, bit by bit.
        let near = shape.transformed(&Affine2::from_translation(-at));
        let points = |points: &mut dyn Iterator<Item = Vec2>| points.map(|p| p.as_dvec2()).collect::<Vec<_>>();
        let disc = |radius: f32| DMat2::from_diagonal(DVec2::splat(f64::from(radius)));
        let (center, core, matrix) = match (&shape, &near) {
            (Shape::Circle(circle), _) => (circle.center(), vec![DVec2::ZERO], disc(circle.radius())),
            (Shape::Ellipse(ellipse), _) => (ellipse.center(), vec![DVec2::ZERO], ellipse.matrix().as_dmat2()),
            (Shape::Rect(rect), _) => {
                let [x, y] = rect.half_axes().map(|axis| axis.as_dvec2());
                (rect.center(), vec![x + y, y - x, -x - y, x - y], DMat2::ZERO)
            }
            (_, Shape::Segment(near)) => (at, points(&mut near.ends().into_iter()), DMat2::ZERO),
            (_, Shape::Capsule(near)) => (at, points(&mut near.axis().ends().into_iter()), disc(near.radius())),
            (_, Shape::Polygon(near)) => (at, points(&mut near.points()), DMat2::ZERO),
            (_, Shape::Rounded(near)) => (at, points(&mut near.core().points()), near.matrix().as_dmat2()),
            other => unreachable!("{other:?}"),
        };
        Self { center: center.as_dvec2(), core, matrix }
    }

    /// How far it reaches along a unit vector.
    fn height(&self, along: DVec2) -> f64 {
        let core = self.core.iter().map(|point| point.dot(along)).fold(f64::NEG_INFINITY, f64::max);
        core + (self.matrix.transpose() * along).length()
    }

    /// How far it reaches from its centre.
    pub fn extent(&self) -> f64 {
        let core = self.core.iter().map(|point| point.length()).fold(0.0, f64::max);
        core + self.matrix.x_axis.length() + self.matrix.y_axis.length()
    }

    /// Directions in which the separation may be extreme, as angles: closer together where the shape is bent more.
    fn angles(&self, found: &mut Vec<f64>) {
        let mut push = |direction: DVec2| {
            if direction != DVec2::ZERO {
                found.extend([direction.to_angle().rem_euclid(TAU), (-direction).to_angle().rem_euclid(TAU)]);
            }
        };
        for (index, from) in self.core.iter().enumerate() {
            push((self.core[(index + 1) % self.core.len()] - *from).perp());
        }
        if self.matrix.determinant() != 0.0 {
            let normals = self.matrix.inverse().transpose();
            (0..90).for_each(|step| push(normals * DVec2::from_angle(TAU * f64::from(step) / 180.0)));
        }
    }
}

/// The signed gap of two shapes, and the scale that its error is relative to.
pub fn gap(a: &Swollen, b: &Swollen) -> (f64, f64) {
    let offset = b.center - a.center;
    let beyond = |angle: f64| {
        let along = DVec2::from_angle(angle);
        offset.dot(along) - a.height(along) - b.height(-along)
    };
    let mut angles: Vec<f64> = (0..180).map(|step| TAU * f64::from(step) / 180.0).collect();
    a.angles(&mut angles);
    b.angles(&mut angles);
    angles.sort_by(f64::total_cmp);
    // The same angle twice, but for rounding, would look like a peak.
    angles.dedup_by(|a, b| *a - *b < 1e-9);
    let values: Vec<f64> = angles.iter().map(|angle| beyond(*angle)).collect();
    let count = angles.len();
    let mut best = f64::NEG_INFINITY;
    for (index, value) in values.iter().enumerate() {
        let (before, after) = ((index + count - 1) % count, (index + 1) % count);
        best = best.max(*value);
        if values[before] <= *value && values[after] <= *value {
            let low = if before > index { angles[before] - TAU } else { angles[before] };
            let high = if after < index { angles[after] + TAU } else { angles[after] };
            best = best.max(peak(&beyond, low, angles[index]));
            best = best.max(peak(&beyond, angles[index], high));
        }
    }
    (best, offset.length() + a.extent() + b.extent())
}

/// The largest value between two angles, by ternary search.
fn peak(value: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if value(low + third) < value(high - third) { low += third } else { high -= third }
    }
    value((low + high) * 0.5)
}
