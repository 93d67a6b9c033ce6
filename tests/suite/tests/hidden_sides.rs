//! Moves over the seams between pieces, whose hidden sides must not stop a mover.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Compound, MoveOptions, Moved, Polyline, Rect, Scene, Segment, Tile, Tiles};
use support::moves::{add_at, hexagon, options, position, unit_at};
use support::{at, polygon};

/// The number of starts of a walk, a fraction of a step apart.
const PHASES: u16 = 200;

/// The part of a step before which a walk starts.
fn phases() -> impl Iterator<Item = f32> {
    (0..PHASES).map(|phase| (f32::from(phase) + 0.31) / f32::from(PHASES))
}

fn hero() -> Attachment {
    Rect::new(0.6, 0.9).into()
}

fn triangle() -> Attachment {
    polygon(&[vec2(-0.3, -0.4), vec2(0.3, -0.4), vec2(0.0, 0.5)]).into()
}

/// Moves a mover in equal steps. Returns where it ends, and what its moves report.
fn walk(
    scene: &mut Scene,
    start: Vec2,
    mover: Attachment,
    step: Vec2,
    frames: u32,
    options: &MoveOptions,
) -> (Vec2, Vec<Moved>) {
    let node = add_at(scene, at(start.x, start.y), mover);
    let moves = (0..frames).map(|_| scene.move_and_slide(node, step, options).unwrap()).collect();
    (position(scene, node), moves)
}

/// Adds a floor that rises by 0.5 per unit from (0, 0) to (8, 4).
fn add_ramp(scene: &mut Scene, kind: &str) {
    let columns = || {
        (-4..8_i16).map(f32::from).map(|left| {
            let [low, high] = [left, left + 1.0].map(|x| x.max(0.0) * 0.5);
            polygon(&[vec2(left, -1.0), vec2(left + 1.0, -1.0), vec2(left + 1.0, high), vec2(left, low)])
        })
    };
    match kind {
        "tiles" => {
            let tile = |column: u32, row: u32| match (column.checked_sub(4), row.checked_sub(1)) {
                (_, None) => Tile::FULL,
                (Some(column), Some(row)) if row < column / 2 => Tile::FULL,
                (Some(column), Some(row)) if row == column / 2 && column % 2 == 0 => Tile::slope(0.0, 0.5),
                (Some(column), Some(row)) if row == column / 2 => Tile::slope(0.5, 1.0),
                _ => Tile::EMPTY,
            };
            add_at(scene, at(-4.0, -1.0), Tiles::from_tiles(12, 6, Vec2::ONE, tile).unwrap());
        }
        "columns" => columns().for_each(|column| _ = add_at(scene, at(0.0, 0.0), column)),
        "compound" => _ = add_at(scene, at(0.0, 0.0), Compound::new(columns()).unwrap()),
        _ => {
            let line = Polyline::new(&[vec2(-4.0, 0.0), Vec2::ZERO, vec2(8.0, 4.0)]).unwrap();
            add_at(scene, at(0.0, 0.0), line);
        }
    }
}

#[test]
fn a_box_walks_up_a_ramp_of_tiles_or_columns_as_up_a_line() {
    let options = MoveOptions { snap_to_floor: 0.3, ..options() };
    for step in [vec2(0.1, -0.0083), vec2(0.0667, -0.0083), vec2(0.0333, -0.0083), vec2(0.05, -0.05)] {
        for phase in phases() {
            let [line, pieces @ ..] = ["line", "tiles", "columns", "compound"].map(|kind| {
                let mut scene = Scene::new();
                add_ramp(&mut scene, kind);
                let start = vec2(-0.6 - step.x * phase, 0.46);
                let (end, moves) = walk(&mut scene, start, hero(), step, (5.0 / step.x) as u32, &options);
                let walls = moves.iter().filter(|moved| moved.wall.is_some()).count();
                assert_eq!(walls, 0, "{kind} by {step} from {start}");
                end
            });
            assert!(line.x > 3.0, "{step} {phase}: {line}");
            assert!(pieces.iter().all(|end| end.distance(line) < 0.02), "{step} {phase}: {pieces:?} and {line}");
        }
    }
}

#[test]
fn a_box_slides_along_a_diagonal_of_slope_tiles_without_a_stop() {
    for step in [vec2(0.1, 0.0), vec2(0.1, 0.05), vec2(0.1, -0.03), vec2(0.02, -0.08)] {
        for phase in phases() {
            let mut scene = Scene::new();
            let tile = |column: u32, row: u32| match row {
                row if row < column => Tile::FULL,
                row if row == column => Tile::slope(0.0, 1.0),
                _ => Tile::EMPTY,
            };
            add_at(&mut scene, at(-8.0, -8.0), Tiles::from_tiles(16, 16, Vec2::ONE, tile).unwrap());
            let start = vec2(-0.5 - 0.37 * phase, 0.45 - 0.37 * phase);
            let (_, moves) = walk(&mut scene, start, hero(), step, 80, &MoveOptions::top_down());
            // The first moves lead to the diagonal.
            let along = step.dot(vec2(0.5, 0.5).normalize()).abs();
            for (frame, moved) in moves.iter().enumerate().skip(15) {
                let travel = moved.travel.length();
                assert!((travel - along).abs() < 0.02, "{step} from {start}, {frame}: {}", moved.travel);
            }
        }
    }
}

#[test]
fn a_triangle_slides_down_a_wall_of_flush_boxes_as_down_one_box() {
    for step in [vec2(0.1, -0.1), vec2(0.1, -0.3), vec2(0.02, -0.2), vec2(0.2, -0.03)] {
        for phase in phases() {
            let [one, boxes] = [1_u8, 2].map(|count| {
                let mut scene = Scene::new();
                let height = 20.0 / f32::from(count);
                for index in 0..count {
                    add_at(&mut scene, at(0.5, (f32::from(index) + 0.5) * height - 10.0), Rect::new(1.0, height));
                }
                let start = vec2(-0.31, 3.0 - step.y * phase);
                let frames = (5.0 / -step.y) as u32;
                let (end, moves) = walk(&mut scene, start, triangle(), step, frames, &options());
                assert!(moves.iter().all(|moved| moved.floor.is_none()), "{count} boxes, {step} from {start}");
                end
            });
            assert!(one.distance(boxes) < 0.02, "{step} {phase}: one box {one}, two {boxes}");
        }
    }
}

#[test]
fn a_mover_that_stands_on_one_corner_slides_over_flush_boxes_without_a_wall() {
    let movers = [
        ("segment", Attachment::from(Segment::new(vec2(0.0, -0.4), vec2(0.0, 0.4)))),
        ("wedge", polygon(&[vec2(0.3, -0.4), vec2(0.3, 0.4), vec2(-0.3, 0.0)]).into()),
        ("sloping base", polygon(&[vec2(0.3, -0.4), vec2(0.3, 0.5), vec2(-0.3, 0.4), vec2(-0.3, -0.3)]).into()),
    ];
    for (name, mover) in movers {
        for step in [vec2(0.01, -0.0083), vec2(0.0333, -0.0083), vec2(0.1, -0.03), vec2(0.1, -0.1), vec2(0.05, -0.1)] {
            for phase in phases() {
                let mut scene = Scene::new();
                add_at(&mut scene, at(-5.0, -0.5), Rect::new(10.0, 1.0));
                add_at(&mut scene, at(5.0, -0.5), Rect::new(10.0, 1.0));
                let start = vec2(-0.5 - step.x * phase, 0.412);
                let frames = (1.0 / step.x) as u32;
                let (end, moves) = walk(&mut scene, start, mover.clone(), step, frames, &options());
                assert!(moves.iter().all(|moved| moved.wall.is_none()), "{name} {step} from {start}");
                assert!((end.x - start.x - step.x * frames as f32).abs() < 1e-3, "{name} {step}: {start} to {end}");
            }
        }
    }
}

#[test]
fn a_box_slides_over_seams_lower_than_its_skin() {
    // Along the floor, and down a wall.
    let steps = [
        [vec2(0.1, -0.0083), vec2(0.05, -0.0083), vec2(0.4, -0.02)],
        [vec2(0.02, -0.4), vec2(0.1, -0.3), vec2(0.02, -0.2)],
    ];
    for difference in [0.001, 0.002, 0.005, 0.009] {
        for (is_wall, step) in
            [false, true].into_iter().zip(steps).flat_map(|(wall, steps)| steps.map(|step| (wall, step)))
        {
            for phase in phases() {
                let mut scene = Scene::new();
                let [first, second] = if is_wall {
                    [vec2(0.5, 5.0), vec2(0.5 - difference, -5.0)]
                } else {
                    [vec2(-5.0, -0.5), vec2(5.0, -0.5 + difference)]
                };
                let size = if is_wall { [1.0, 10.0] } else { [10.0, 1.0] };
                for center in [first, second] {
                    add_at(&mut scene, at(center.x, center.y), Rect::new(size[0], size[1]));
                }
                let start = if is_wall { vec2(-0.31, 2.0 - step.y * phase) } else { vec2(-2.0 - step.x * phase, 0.46) };
                let ahead = if is_wall { -step.y } else { step.x };
                let (end, moves) = walk(&mut scene, start, hero(), step, (4.0 / ahead) as u32, &options());
                let stops = |moved: &&Moved| if is_wall { moved.floor.is_some() } else { moved.wall.is_some() };
                let context = format!("{difference} by {step} from {start} to {end}");
                assert_eq!(moves.iter().filter(stops).count(), 0, "{context}");
                let advance = if is_wall { start.y - end.y } else { end.x - start.x };
                assert!(advance > 3.4, "{context}");
            }
        }
    }
}

#[test]
fn a_slow_box_walks_over_seams_lower_than_its_skin_without_losing_a_step() {
    for (difference, step) in [0.002, 0.006, 0.0095]
        .into_iter()
        .flat_map(|seam| [0.001, 0.002, 0.005, 0.008, 0.01, 0.03].map(|step| (seam, vec2(step, -0.01))))
    {
        for phase in phases().step_by(7) {
            for angle in [0.0, 1.0, 3.9] {
                let mut scene = Scene::new();
                let root = scene.root();
                scene[root].transform.rotation = angle;
                add_at(&mut scene, at(-5.0, -0.5), Rect::new(10.0, 1.0));
                add_at(&mut scene, at(5.0, -0.5 + difference), Rect::new(10.0, 1.0));
                let turned = |vector: Vec2| unit_at(angle).rotate(vector);
                let options = MoveOptions { up: turned(Vec2::Y), ..options() };
                let start = vec2(-0.31 - step.x * (3.0 + phase), 0.46);
                let frames = (0.05 / step.x) as u32 + 8;
                let (end, moves) = walk(&mut scene, start, hero(), turned(step), frames, &options);
                let context = format!("{difference} by {step} from {start} to {end}, {angle}");
                assert!(moves.iter().all(|moved| moved.wall.is_none() && moved.floor.is_some()), "{context}");
                let expected = start.x + step.x * frames as f32;
                assert!((end.x - expected).abs() < 1e-5 && end.y > 0.4549 + difference, "{context}");
            }
        }
    }
}

#[test]
fn a_polygon_walks_up_a_slope_of_pieces_shorter_than_its_skin() {
    for (degrees, length) in [2.0_f32, 10.0, 20.0, 40.0]
        .into_iter()
        .flat_map(|angle| [0.002, 0.007, 0.01, 0.015, 0.03].map(|it| (angle, it)))
    {
        let slope = degrees.to_radians().tan();
        let points: Vec<_> =
            (0..=(3.0 / length) as u16).map(|i| vec2(1.0, slope) * (length * f32::from(i) - 1.5)).collect();
        for mover in [hero(), triangle(), hexagon(0.4).into()] {
            for line in [true, false] {
                let mut scene = Scene::new();
                if line {
                    add_at(&mut scene, at(0.0, 0.0), Polyline::new(&points).unwrap());
                } else {
                    points
                        .windows(2)
                        .for_each(|ends| _ = add_at(&mut scene, at(0.0, 0.0), Segment::new(ends[0], ends[1])));
                }
                let node = add_at(&mut scene, at(-0.7, 0.9), mover.clone());
                while scene.move_and_slide(node, vec2(0.0, -0.02), &options()).unwrap().floor.is_none() {}
                let start = position(&scene, node);
                for _ in 0..20 {
                    let moved = scene.move_and_slide(node, vec2(0.05, -0.0083), &options()).unwrap();
                    assert!(moved.wall.is_none(), "{degrees} {length} {line}: {moved:?}");
                }
                // A walk along a slope advances by the part of the displacement along it.
                let expected = vec2(1.0, slope) / (1.0 + slope * slope);
                let travel = position(&scene, node) - start;
                assert!(
                    travel.abs_diff_eq(expected, 0.011),
                    "{degrees} {length} {line}: {travel} instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn a_box_before_a_ledge_of_a_few_skins_comes_to_rest() {
    let ledge = |points: &[Vec2]| Attachment::new(Polyline::new(points).unwrap());
    let step = [vec2(4.0, -1.8), vec2(6.0, -1.8), vec2(6.0, -1.6), vec2(8.0, -1.6)];
    let riser = [vec2(3.0, -0.2), vec2(4.0, 0.473), vec2(4.0, 0.487), vec2(5.0, 0.487)];
    let steeper = [vec2(1.0, -2.5), vec2(2.0, -1.75), vec2(2.0, -1.739), vec2(3.0, -1.739)];
    for (points, skin_width, start, displacement) in [
        (&step, 0.1, vec2(5.6, -1.3), vec2(0.09, -0.02)),
        (&riser, 0.01, vec2(3.2, 0.6), vec2(0.03, -0.01)),
        (&steeper, 0.01, vec2(1.69, -1.35), vec2(0.15, -0.03)),
    ] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, 0.0), ledge(points));
        let options = MoveOptions { skin_width, ..options() };
        let (end, _) = walk(&mut scene, start, triangle(), displacement, 300, &options);
        let node = *scene.children(scene.root()).last().unwrap();
        for frame in 0..30 {
            scene.move_and_slide(node, displacement, &options).unwrap();
            assert_eq!(position(&scene, node), end, "{start}, frame {frame}");
        }
    }
}
