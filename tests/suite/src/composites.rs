//! Generators of outlines and of tile maps, and the pieces of a composite.

use std::f32::consts::TAU;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Collider, Shape, Tile, Tiles};
use proptest::prelude::*;

/// Generates stars: points around a centre at varying distances.
pub fn star() -> impl Strategy<Value = Vec<Vec2>> {
    (prop::collection::vec(0.1..1.0_f32, 3..40), 1.0..100.0_f32).prop_map(|(radii, size)| {
        let step = TAU / radii.len() as f32;
        radii.iter().enumerate().map(|(i, radius)| Vec2::from_angle(step * i as f32) * *radius * size).collect()
    })
}

/// Generates skylines with integer coordinates and collinear points.
fn skyline() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec(1..6_u8, 1..30).prop_map(|heights| {
        let mut outline = vec![vec2(heights.len() as f32, 0.0), vec2(0.0, 0.0)];
        for (x, height) in heights.iter().enumerate() {
            outline.extend([x, x + 1].map(|x| vec2(x as f32, f32::from(*height))));
        }
        outline
    })
}

/// Generates strips that wind around a centre.
fn spiral() -> impl Strategy<Value = Vec<Vec2>> {
    (8..80_usize, 0.05..0.7_f32).prop_map(|(count, width)| {
        let around = |i: usize, more: f32| Vec2::from_angle(0.4 * i as f32) * (3.0 + 0.4 * i as f32 / TAU + more);
        let outer = (0..count).map(|i| around(i, width));
        outer.chain((0..count).rev().map(|i| around(i, 0.0))).collect()
    })
}

/// Generates combs, some of whose teeth are very thin.
fn comb() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((1e-4..1.0_f32, 0.1..9.0_f32), 2..20).prop_map(|teeth| {
        let mut outline = Vec::new();
        for (i, (width, length)) in teeth.iter().enumerate() {
            outline.extend([
                vec2(i as f32, 0.0),
                vec2(i as f32 + width * 0.5, *length),
                vec2(i as f32 + width * 0.9, 0.0),
            ]);
        }
        outline.extend([vec2(teeth.len() as f32, -0.5), vec2(-0.5, -0.5)]);
        outline
    })
}

/// Generates simple outlines in either winding, with any first point and one repeated point.
pub fn outline() -> impl Strategy<Value = Vec<Vec2>> {
    let shape = prop_oneof![star().boxed(), skyline().boxed(), spiral().boxed(), comb().boxed()];
    (shape, any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(mut outline, reversed, first, repeated)| {
            if reversed {
                outline.reverse();
            }
            let (first, repeated) = (first.index(outline.len()), repeated.index(outline.len()));
            outline.rotate_left(first);
            outline.insert(repeated, outline[repeated]);
            outline
        },
    )
}

/// Generates maps of full, empty, sloped and partial tiles.
pub fn tiles() -> impl Strategy<Value = Tiles> {
    let tile = prop_oneof![
        3 => Just(Tile::EMPTY),
        4 => Just(Tile::FULL),
        1 => Just(Tile::slope(0.0, 1.0)),
        1 => Just(Tile::slope(0.75, 0.25).flipped()),
        1 => Just(Tile::part(vec2(0.0, 0.5), vec2(1.0, 1.0))),
        1 => Just(Tile::part(vec2(0.25, 0.0), vec2(0.5, 1.0))),
    ];
    (1..7_u32, prop::collection::vec(tile, 1..40), (0.1..2.0_f32, 0.1..2.0_f32)).prop_map(|(columns, cells, size)| {
        let rows = (cells.len() as u32).div_ceil(columns);
        let cell = |column, row| cells.get((row * columns + column) as usize).copied().unwrap_or_default();
        Tiles::from_tiles(columns, rows, size.into(), cell).unwrap()
    })
}

/// Returns the pieces in local space with their numbers, in ascending order.
pub fn pieces_of(collider: &dyn Collider) -> Vec<(u32, Shape)> {
    let mut pieces = Vec::new();
    assert!(collider.pieces(&Aabb::EVERYTHING, &mut |number, piece| pieces.push((number, piece.clone()))));
    pieces.sort_by_key(|(number, _)| *number);
    pieces
}
