//! Tile maps: edits, merged tiles, the numbers of tiles, slopes and extreme sizes.

use std::f32::consts::TAU;

use allocation_counter::measure;
use glam::{Vec2, vec2};
use hitgraph::{Circle, Collider, DebugOptions, Node, Scene, ShapeError, Tile, Tiles, Transform};
use proptest::prelude::*;
use support::composites::{pieces_of, tiles};
use support::dice::Dice;
use support::{add, anything, at, cases};

#[test]
fn no_ray_passes_between_adjacent_tiles() {
    for size in [0.1_f32, 0.3, 1.7, 16.0] {
        let mut scene = Scene::new();
        // The columns differ in height, so that tiles of different columns do not merge.
        add(&mut scene, at(0.1, -0.7), Tiles::new(60, 60, Vec2::splat(size), |column, row| row < 20 + column % 2));
        for column in 1..60_u16 {
            let x = 0.1 + f32::from(column) * size;
            for x in [x, x.next_down(), x.next_up()] {
                assert!(scene.world().cast_ray(vec2(x, 1e3), -Vec2::Y, 2e3, &anything()).is_some(), "{size}: {x}");
            }
        }
    }
}

fn drawn(scene: &mut Scene) -> Vec<[[i32; 2]; 2]> {
    let mut lines = Vec::new();
    let grid = |point: Vec2| (point * 1024.0).as_ivec2().to_array();
    scene.world().debug_draw(&DebugOptions::default(), |shape| shape.lines(|a, b| lines.push([grid(a), grid(b)])));
    lines.sort_unstable();
    lines
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn edited_tiles_equal_tiles_built_from_the_same_cells(
        tiles in tiles(), edits in prop::collection::vec((0..7_u32, 0..40_u32, 0..4_usize), 0..60)
    ) {
        let mut tiles = tiles;
        let kinds = [Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 1.0), Tile::part(vec2(0.0, 0.5), vec2(1.0, 1.0))];
        for (column, row, kind) in edits {
            let exists = tiles.number_of(column, row).is_some();
            prop_assert_eq!(tiles.set(column, row, kinds[kind]), exists);
            prop_assert_eq!(tiles.tile(column, row), exists.then_some(kinds[kind]));
        }
        let cell = |column, row| tiles.tile(column, row).unwrap();
        let fresh = Tiles::from_tiles(tiles.columns(), tiles.rows(), tiles.size(), cell).unwrap();
        prop_assert_eq!(pieces_of(&tiles), pieces_of(&fresh));
        prop_assert_eq!(tiles.piece_count(), fresh.piece_count());
        let scenes = [tiles, fresh].map(|tiles| {
            let mut scene = Scene::new();
            add(&mut scene, Transform::IDENTITY, tiles);
            drawn(&mut scene)
        });
        prop_assert_eq!(&scenes[0], &scenes[1]);
    }

    #[test]
    fn full_tiles_contain_their_centres_and_empty_tiles_do_not(
        columns in 1..12_u32, cells in prop::collection::vec(any::<bool>(), 1..100),
        size in (0.25..4.0_f32, 0.25..4.0_f32)
    ) {
        let rows = (cells.len() as u32).div_ceil(columns);
        let full = |column: u32, row: u32| cells.get((row * columns + column) as usize) == Some(&true);
        let mut scene = Scene::new();
        let tiles = Tiles::new(columns, rows, size.into(), full);
        add(&mut scene, Transform::IDENTITY, tiles.clone());
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            let middle = (vec2(column as f32, row as f32) + 0.5) * Vec2::from(size);
            prop_assert_eq!(tiles.place_of(middle), Some((column, row)));
            prop_assert_eq!(scene.world().at_point(middle, &anything()).len() == 1, full(column, row));
        }
    }
}

#[test]
fn maps_are_equal_if_their_tiles_are_whatever_edits_led_to_them() {
    let of = |tiles: [Tile; 2]| Tiles::from_tiles(2, 1, Vec2::ONE, |column, _| tiles[column as usize]).unwrap();
    let (slope, full) = (Tile::slope(0.0, 1.0), Tile::FULL);
    let mut edited = of([full, full]);
    assert_ne!(edited, of([slope, full]));
    edited.set(0, 0, slope);
    assert_eq!(edited, of([slope, full]));
    assert_ne!(Tiles::new(2, 1, Vec2::ONE, |_, _| true), Tiles::new(1, 2, Vec2::ONE, |_, _| true));
    assert_ne!(Tiles::new(1, 1, Vec2::ONE, |_, _| true), Tiles::new(1, 1, vec2(1.0, 2.0), |_, _| true));
}

#[test]
fn adjacent_equal_boxes_merge_into_one_piece() {
    assert_eq!(Tiles::new(100, 1, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(100, 100, Vec2::ONE, |_, _| true).piece_count(), 1);
    assert_eq!(Tiles::new(10, 10, Vec2::ONE, |column, row| row < 3 || column == 0).piece_count(), 2);
    assert_eq!(Tiles::new(9, 9, Vec2::ONE, |column, row| (column + row) % 2 == 0).piece_count(), 41);
    let of = |tile: Tile| Tiles::from_tiles(4, 4, Vec2::ONE, |_, _| tile).unwrap().piece_count();
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(1.0, 0.5))), 4, "low halves merge along their row");
    assert_eq!(of(Tile::part(vec2(0.0, 0.0), vec2(0.5, 1.0))), 4, "left halves merge along their column");
    assert_eq!(of(Tile::slope(0.0, 1.0)), 16, "slopes do not merge");
    assert_eq!(of(Tile::FULL.one_way(Vec2::Y)), 1);
}

#[test]
fn slopes_flipped_slopes_and_partial_tiles_have_the_documented_shape() {
    let row = [
        Tile::slope(0.0, 1.0),
        Tile::slope(1.0, 0.0).flipped(),
        Tile::part(vec2(0.5, 1.0), vec2(0.25, -3.0)),
        Tile::EMPTY,
    ];
    let tiles = Tiles::from_tiles(4, 1, vec2(2.0, 4.0), |column, _| row[column as usize]).unwrap();
    let mut scene = Scene::new();
    add(&mut scene, at(10.0, 0.0), tiles);
    let mut solid = |x: f32, y: f32| scene.world().at_point(vec2(10.0 + x, y), &anything()).len() == 1;
    assert!(solid(1.5, 2.9) && !solid(1.5, 3.1), "a ramp");
    assert!(solid(2.5, 1.1) && !solid(2.5, 0.9), "a flipped ramp hangs from the top");
    assert!(
        solid(4.6, 4.0) && solid(5.0, 0.0) && !solid(4.4, 2.0) && !solid(5.1, 2.0),
        "a part, with its corners given in any order"
    );
    assert!(!solid(7.0, 2.0), "an empty tile");
}

#[test]
fn one_way_of_returns_the_direction_of_a_one_way_tile() {
    let plank = Tile::part(vec2(0.0, 0.75), Vec2::ONE).one_way(Vec2::Y);
    let tiles = Tiles::from_tiles(5, 2, Vec2::ONE, |column, _| if column < 3 { plank } else { Tile::FULL }).unwrap();
    let numbers: Vec<u32> = pieces_of(&tiles).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [0, 3, 5], "each merged piece has the number of its first tile");
    assert_eq!(
        numbers.iter().map(|number| tiles.one_way_of(*number)).collect::<Vec<_>>(),
        [Some(Vec2::Y), None, Some(Vec2::Y)]
    );
    assert_eq!(tiles.one_way_of(99), None);
    assert_eq!(Tile::FULL.one_way(Vec2::ZERO).one_way_direction(), None);
    assert_eq!(Tile::FULL.one_way(Vec2::NAN), Tile::FULL);
}

#[test]
fn an_empty_tile_is_the_empty_tile_however_it_is_made() {
    let saved = r#"{"solid": false, "across": [0, 0.5], "low": [0, 0], "high": [1, 1], "one_way": [0, 1]}"#;
    let read: Tile = serde_json::from_str(saved).unwrap();
    for tile in [Tile::EMPTY.one_way(Vec2::Y), Tile::EMPTY.flipped(), read] {
        assert_eq!(tile, Tile::EMPTY);
    }
    let plank = Tile::part(vec2(0.0, 0.75), Vec2::ONE).one_way(Vec2::Y);
    assert_eq!(plank.flipped(), Tile::part(Vec2::ZERO, vec2(1.0, 0.25)).one_way(Vec2::Y), "the direction stays");
}

#[test]
fn tiles_of_invalid_or_excessive_size_are_refused() {
    let error =
        |columns, rows, size| Tiles::try_new(columns, rows, size, |_, _| true).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error(2, 2, vec2(-1.0, 1.0)), "the width of a tile must not be negative, but is -1");
    assert_eq!(error(2, 2, vec2(1.0, f32::NAN)), "the height of a tile must be finite, but is NaN");
    assert_eq!(error(8, 2, vec2(1e38, 1.0)), "the width of the map must be finite, but is inf");
    assert_eq!(error(1 << 14, 1 << 14, Vec2::ONE), "the number of tiles must be at most 67108864, but is 268435456");
    let mut called = false;
    let largest = Tiles::try_new(u32::MAX, u32::MAX, Vec2::ONE, |_, _| std::mem::replace(&mut called, true));
    assert!(largest.is_err() && !called, "the size is refused before the function is called");
    assert!(std::panic::catch_unwind(|| Tiles::new(1, 1, -Vec2::ONE, |_, _| true)).is_err());
}

#[test]
fn a_point_on_a_border_is_in_the_tile_with_the_larger_coordinates_and_one_before_it_in_the_other() {
    for size in [0.1, 0.3, 0.7, 1.0, 1.1, 16.1_f32] {
        let tiles = Tiles::new(1_000, 1, Vec2::splat(size), |_, _| true);
        let column = |x: f32| tiles.place_of(vec2(x, 0.0)).map(|(column, _)| column);
        for right in 1..1_000 {
            let border = right as f32 * size;
            assert_eq!((column(border.next_down()), column(border)), (Some(right - 1), Some(right)), "{size}");
        }
        assert_eq!((column(0.0), column(1_000.0 * size), column(-1e-9)), (Some(0), None, None));
    }
}

#[test]
fn tiles_without_columns_or_rows_take_no_time_however_long_the_other_side_is() {
    // A loop over the rows or columns would take minutes.
    for (columns, rows) in [(0, u32::MAX), (u32::MAX, 0)] {
        for size in [Vec2::ZERO, Vec2::ONE] {
            let new = || Tiles::try_new(columns, rows, size, |_, _| unreachable!("the map has no tile"));
            assert!(measure(|| drop(new())).bytes_total < 1_000);
            let mut tiles = new().unwrap();
            assert_eq!((tiles.columns(), tiles.rows(), tiles.piece_count()), (columns, rows, 0));
            assert!(!tiles.set(0, 0, Tile::FULL) && tiles.tile(0, 0).is_none() && tiles.number_of(0, 0).is_none());
            assert!(tiles.place_of(Vec2::ZERO).is_none() && tiles.place_of_hit(Vec2::ZERO).is_none());
        }
    }
}

#[test]
fn tiles_of_zero_size_become_segments_and_points() {
    let mut scene = Scene::new();
    add(&mut scene, at(0.0, 0.0), Tiles::new(4, 4, vec2(1.0, 0.0), |column, _| column < 2));
    add(&mut scene, at(0.0, 9.0), Tiles::new(1, 1, Vec2::ZERO, |_, _| true));
    add(
        &mut scene,
        Transform::from_scale(vec2(0.0, 1.0)).with_position(vec2(20.0, 0.0)),
        Tiles::new(8, 8, Vec2::ONE, |c, r| c != r),
    );
    let mut count = |x: f32, y: f32| scene.world().at_point(vec2(x, y), &anything()).len();
    assert_eq!([count(1.5, 0.0), count(2.5, 0.0), count(1.5, 0.1), count(0.0, 9.0)], [1, 0, 0, 1]);
    assert_eq!(
        [count(20.0, 4.5), count(20.1, 4.5), count(20.0, 8.5)],
        [1, 0, 0],
        "a node scaled to zero in x flattens its tiles"
    );
}

#[test]
fn single_tiles_of_a_million_can_be_edited() {
    let mut scene = Scene::new();
    let level =
        add(&mut scene, at(-500.0, -500.0), Tiles::new(1000, 1000, Vec2::ONE, |column, row| (column + row) % 3 != 0));
    let ball = add(&mut scene, at(0.5, 0.5), Circle::new(0.4));
    let solid = |scene: &mut Scene, column: u32, row: u32| {
        let middle = vec2(column as f32 - 499.5, row as f32 - 499.5);
        scene.world().at_point(middle, &anything()).any(|side| side.collider == level)
    };
    let mut touching = scene.update().len() == 1;
    assert_eq!(touching, (500 + 500) % 3 != 0);
    for step in 0..2000_u32 {
        let (column, row) = if step % 10 == 0 { (500, 500) } else { (step * 7919 % 1000, step * 104_729 % 1000) };
        let attachment = scene.attachment_mut(level).unwrap();
        let tiles = attachment.collider_mut::<Tiles>().unwrap();
        let filled = tiles.tile(column, row) == Some(Tile::EMPTY);
        tiles.set(column, row, if filled { Tile::FULL } else { Tile::EMPTY });
        assert_eq!(solid(&mut scene, column, row), filled);
        if (column, row) == (500, 500) {
            let events = scene.update();
            assert_eq!(events.len(), 1, "changing the tile under the circle fires one event");
            touching = !touching;
            assert_eq!(scene.world().overlaps(ball).len() == 1, touching);
        }
    }
}

#[test]
fn two_tile_maps_report_contact_piece_and_distance() {
    let mut scene = Scene::new();
    let checker = |odd: u32| Tiles::new(200, 200, Vec2::ONE, move |column, row| (column + row) % 2 == odd);
    let (low, high) = (add(&mut scene, at(0.0, 0.0), checker(0)), add(&mut scene, at(199.5, 199.75), checker(0)));
    assert_eq!(scene.update().len(), 1);
    let contact = scene.world().contact(low, high).unwrap();
    assert_eq!(contact.pieces, [199 * 200 + 199, 0]);
    assert_eq!((contact.depth, contact.normal), (0.25, Vec2::Y));
    let apart = scene.node_of(high).unwrap();
    scene[apart].transform.position = vec2(203.0, 204.0);
    assert_eq!(scene.world().distance(low, high), Some(5.0));
}

#[test]
fn a_point_projects_inside_a_tile_far_longer_than_thick_if_the_tile_contains_it() {
    // The end of a tile in the second row is nearer to the point than the rounding error of the tile's length, so both
    // answers are within the tolerance.
    let tiles = Tiles::new(2, 2, vec2(1e34, 1e-31), |_, row| row == 1);
    let mut scene = Scene::new();
    let id = add(&mut scene, at(1e19, 0.0), tiles);
    let world = scene.world();
    let found = world.project_point(id, Vec2::ZERO).unwrap();
    assert_eq!(world.at_point(Vec2::ZERO, &anything()).count(), usize::from(found.inside));
    assert_eq!(found.distance, 0.0);
    let beside = vec2(-1e30, 0.0);
    assert!(!world.project_point(id, beside).unwrap().inside);
    assert_eq!(world.at_point(beside, &anything()).count(), 0);
}

#[test]
fn a_map_with_more_columns_or_rows_than_numbers_is_an_error() {
    let most = 1_u32 << 24;
    for (columns, rows) in [(most + 1, 1), (1, most + 1)] {
        let found = Tiles::try_new(columns, rows, Vec2::ONE, |_, _| false).unwrap_err();
        let expected = ShapeError::TooMany {
            what: "the number of columns or rows",
            value: u64::from(most) + 1,
            most: most.into(),
        };
        assert_eq!(found, expected);
    }
}

#[test]
fn a_tile_whose_sides_coincide_is_the_segment_between_its_furthest_corners() {
    let heights = [0.0, 0.2, 0.5, 0.6, 0.9];
    for [low, low_right, high, high_right] in cases_of_four(heights) {
        if low > high || low_right > high_right {
            continue;
        }
        let tile = |_, _| Tile::trapezoid([0.5, 0.5], [low, low_right], [high, high_right]);
        let map = Tiles::from_tiles(1, 1, vec2(10.0, 10.0), tile).unwrap();
        let mut scene = Scene::new();
        add(&mut scene, Transform::IDENTITY, map);
        let [bottom, top] = [low.min(low_right), high.max(high_right)];
        for height in heights {
            let found = scene.world().at_point(vec2(5.0, height * 10.0), &anything()).len() > 0;
            let expected = (bottom..=top).contains(&height);
            assert_eq!(found, expected, "{height}, {low} {low_right} {high} {high_right}");
        }
    }
}

/// Returns all lists of four of some numbers.
fn cases_of_four(numbers: [f32; 5]) -> impl Iterator<Item = [f32; 4]> {
    (0..625).map(move |case| [1, 5, 25, 125].map(|place| numbers[case / place % 5]))
}

#[test]
fn the_tile_of_a_hit_is_one_that_the_ray_has_hit() {
    let mut dice = Dice(7);
    for case in 0..300 {
        let size = dice.vector(0.5..20.0);
        let kinds =
            [Tile::EMPTY, Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 1.0), Tile::part(Vec2::ZERO, vec2(1.0, 0.5))];
        let cells: Vec<Tile> = (0..48).map(|_| dice.one_of(&kinds)).collect();
        let map = Tiles::from_tiles(8, 6, size, |column, row| cells[(row * 8 + column) as usize]).unwrap();
        let turn = if case % 2 == 0 { 0.0 } else { dice.within(-3.0..3.0) };
        let place = Transform::from_position(vec2(dice.within(-90.0..90.0), 3.0)).with_rotation(turn);
        let mut scene = Scene::new();
        let (node, collider) = scene.add_with(Node::new("map").with_transform(place), map);
        for _ in 0..20 {
            // Half of the rays are upright, and hit borders and corners.
            let target = (vec2(dice.unit(), dice.unit()) * vec2(16.0, 12.0)).floor() * 0.5 * size;
            let way = dice.one_of(&[Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y, Vec2::from_angle(dice.clone().unit() * TAU)]);
            let world = scene.world();
            let from = world.to_world(node, target - way * 300.0).unwrap();
            let to = world.to_world(node, target).unwrap();
            let Some(hit) = world.cast_ray(from, to - from, 900.0, &anything()) else { continue };
            let point = world.to_local(node, hit.point).unwrap();
            let tiles = scene.attachment_mut(collider).unwrap().collider_mut::<Tiles>().unwrap();
            let (column, row) = tiles.place_of_hit(point).unwrap();
            let number = tiles.number_of(column, row).unwrap();
            let tile = tiles.tile(column, row).unwrap();
            let only = Tiles::from_tiles(8, 6, size, |x, y| if (x, y) == (column, row) { tile } else { Tile::EMPTY });
            let mut alone = Scene::new();
            add(&mut alone, place, only.unwrap());
            let same = alone.world().cast_ray(from, to - from, 900.0, &anything());
            let gap = same.map_or(f32::INFINITY, |same| (same.distance - hit.distance).abs());
            let touches = alone.world().nearest(hit.point, 0.01, &anything()).is_some();
            assert!(gap < 0.01 || touches, "case {case}: {hit:?} is not on tile {number}");
        }
    }
    let map = Tiles::new(2, 2, Vec2::ONE, |_, _| true);
    let places = [vec2(-0.6, 0.5), Vec2::NAN, Vec2::INFINITY, vec2(-0.4, 0.5)].map(|point| map.place_of_hit(point));
    assert_eq!(places, [None, None, None, Some((0, 0))]);
}

#[test]
fn no_tile_touches_what_its_map_does_not_touch() {
    let mut dice = Dice(3);
    let mut apart = 0;
    for _ in 0..20_000 {
        let (columns, width) = (2 + dice.below(4) as u32, dice.within(0.1..1.0));
        let mut scene = Scene::new();
        let place = Transform::from_position(vec2(dice.within(-2.0..2.0), 1.0)).with_rotation(dice.within(-3.0..3.0));
        let map = Tiles::new(columns, 1, vec2(width, 1.0), |_, _| true);
        let (_, map) = scene.add_with(Node::new("map").with_transform(place), map);
        // A point on the lower border, up to rounding.
        let point = place.to_affine().transform_point2(vec2(dice.unit() * columns as f32 * width, 0.0));
        let (_, point) = scene.add_with(Node::new("point"), Circle::point(point));
        let world = scene.world();
        if world.contact(map, point).is_none() {
            apart += 1;
            assert!(world.touching_pieces(map, point).is_empty());
        }
    }
    assert!(apart > 5_000, "{apart}");
}
