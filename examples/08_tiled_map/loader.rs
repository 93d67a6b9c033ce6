//! Loads a Tiled map as a scene, with a node for every layer, every object and every tile with its own shapes.
//!
//! - Units are pixels and y points down, as in Tiled. Positive angles are clockwise in both, so no value is converted.
//! - A tile layer has one collider for all its full tiles. A tile is full unless its property `solid` is false or it
//!   has its own shapes from Tiled's collision editor, which are flipped with the tile.
//! - A tile that is placed as an object has its own shapes too, flipped and stretched with it, in a child node `shapes`.
//!   Without shapes of its own, its collider is its box.
//! - Hidden layers and objects become disabled nodes. Texts and image layers have no colliders.

mod precheck;

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Compound, Ellipse, Node, NodeId, Polyline, Rect, Scene, ShapeError, Tiles, Transform,
};
use tiled::{FiniteTileLayer, LayerType, Map, Object, ObjectData, ObjectShape, Orientation, PropertyValue, TileLayer};

/// An error in a map, with its place.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {reason}", file.display())]
pub struct MapError {
    file: PathBuf,
    /// Empty, or a comma and the names from the layer down to the element.
    place: String,
    reason: String,
}

/// An error before the file name is added.
struct Fault {
    place: String,
    reason: String,
}

/// Reads a map with its tilesets and templates.
///
/// # Errors
/// Returns [`MapError`] if one of the files cannot be read or is invalid.
pub fn load(file: &Path) -> Result<Scene, MapError> {
    load_with(file, |path| std::fs::read(path))
}

/// Reads a map from files that `read` provides, for hosts that store files in another way.
///
/// # Errors
/// As [`load`].
pub fn load_with(file: &Path, read: impl Fn(&Path) -> io::Result<Vec<u8>>) -> Result<Scene, MapError> {
    let error = |file: &Path, Fault { place, reason }| MapError { file: file.to_owned(), place, reason };
    let first = Cell::new(None);
    let checked = |path: &Path| -> io::Result<_> {
        let bytes = read(path)?;
        let text = str::from_utf8(&bytes).map_err(io::Error::other)?;
        precheck::check(text).map_err(|fault| {
            first.set(Some(error(path, fault)));
            io::Error::other("see `first`")
        })?;
        Ok(Cursor::new(bytes))
    };
    let map = tiled::Loader::with_reader(checked).load_tmx_map(file);
    match (map, first.take()) {
        (_, Some(error)) => Err(error),
        (Ok(map), None) => scene(&map).map_err(|fault| error(file, fault)),
        (Err(reason), None) => Err(error(file, whole(reason))),
    }
}

fn scene(map: &Map) -> Result<Scene, Fault> {
    if map.orientation != Orientation::Orthogonal {
        return Err(whole(format!("the map is {}; only orthogonal ones can be read", map.orientation)));
    }
    if map.tile_width == 0 || map.tile_height == 0 {
        return Err(whole("its tiles have no size"));
    }
    let mut scene = Scene::new();
    // Breadth-first, so that nested groups need no recursion.
    let mut pending: VecDeque<_> = map.layers().map(|layer| (scene.root(), layer)).collect();
    while let Some((parent, layer)) = pending.pop_front() {
        let node = Node::new(layer.name.clone()).with_position(vec2(layer.offset_x, layer.offset_y));
        let node = add(&mut scene, parent, node.with_enabled(layer.visible).with_user_data(layer.id().into()))?;
        match layer.layer_type() {
            LayerType::Group(group) => pending.extend(group.layers().map(|layer| (node, layer))),
            LayerType::Objects(layer) => {
                layer.objects().try_for_each(|object| map_object(&mut scene, node, &object))?;
            }
            LayerType::Tiles(TileLayer::Finite(layer)) => tiles(&mut scene, node, map, &layer)?,
            LayerType::Tiles(TileLayer::Infinite(_)) => unreachable!("the precheck refuses them"),
            LayerType::Image(_) => {}
        }
    }
    Ok(scene)
}

fn tiles(scene: &mut Scene, node: NodeId, map: &Map, layer: &FiniteTileLayer<'_>) -> Result<(), Fault> {
    let (columns, rows) = (layer.width(), layer.height());
    let cell = vec2(map.tile_width as f32, map.tile_height as f32);
    let mut full = vec![false; (columns * rows) as usize];
    for (index, full) in full.iter_mut().enumerate() {
        let (column, row) = (index as u32 % columns, index as u32 / columns);
        let Some(tile) = layer.get_tile(column as i32, row as i32) else { continue };
        let place = format!("column {column}, row {row}");
        let Some(kind) = tile.get_tile() else {
            let reason = format!("{place}: tileset \"{}\" has no tile {}", tile.get_tileset().name, tile.id());
            return Err(fault(scene, node, reason));
        };
        let shapes = kind.collision.as_ref().map_or(&[][..], |layer| layer.object_data());
        if shapes.is_empty() {
            *full = kind.properties.get("solid") != Some(&PropertyValue::BoolValue(false));
            continue;
        }
        // A tile of any size is aligned to the lower left corner of its cell.
        let size = vec2(tile.get_tileset().tile_width as f32, tile.get_tileset().tile_height as f32);
        let corner = vec2(column as f32, row as f32 + 1.0) * cell - vec2(0.0, size.y);
        let local = Affine2::from_translation(corner) * flip([tile.flip_h, tile.flip_v, tile.flip_d], size);
        let node = add(scene, node, Node::new(place).with_transform(Transform::from_affine(local)))?;
        shapes.iter().try_for_each(|data| object(scene, node, data))?;
    }
    let full = Tiles::new(columns, rows, cell, |column, row| full[(row * columns + column) as usize]);
    attach(scene, node, full);
    Ok(())
}

/// Returns the matrix that flips a tile within its box: first over its diagonal, then horizontally, then vertically.
fn flip([horizontally, vertically, diagonally]: [bool; 3], size: Vec2) -> Affine2 {
    let sign = |flipped: bool| if flipped { -1.0 } else { 1.0 };
    let diagonal = if diagonally { Mat2::from_cols(Vec2::Y, Vec2::X) } else { Mat2::IDENTITY };
    let matrix = Mat2::from_diagonal(vec2(sign(horizontally), sign(vertically))) * diagonal;
    Affine2::from_mat2_translation(matrix, size / 2.0) * Affine2::from_translation(-size / 2.0)
}

/// Adds an object of the map. A tile with its own shapes has these instead of its box.
fn map_object(scene: &mut Scene, parent: NodeId, data: &Object<'_>) -> Result<(), Fault> {
    let Some(tile) = data.get_tile() else { return object(scene, parent, data) };
    let kind = tile.get_tile();
    let shapes = kind.as_ref().and_then(|kind| kind.collision.as_ref()).map_or(&[][..], |layer| layer.object_data());
    let ObjectShape::Rect { width, height } = data.shape else { return object(scene, parent, data) };
    if shapes.is_empty() {
        return object(scene, parent, data);
    }
    let node = object_node(scene, parent, data)?;
    let image = kind.as_ref().and_then(|kind| kind.image.as_ref());
    let tileset = tile.get_tileset();
    let [columns, rows] = match image {
        Some(image) => [image.width as f32, image.height as f32],
        None => [tileset.tile_width as f32, tileset.tile_height as f32],
    };
    let stretch = Affine2::from_scale(vec2(width / columns, height / rows));
    let flipped = flip([tile.flip_h, tile.flip_v, tile.flip_d], vec2(columns, rows));
    let local = Affine2::from_translation(vec2(0.0, -height)) * stretch * flipped;
    let node = add(scene, node, Node::new("shapes").with_transform(Transform::from_affine(local)))?;
    shapes.iter().try_for_each(|data| object(scene, node, data))
}

fn object(scene: &mut Scene, parent: NodeId, data: &ObjectData) -> Result<(), Fault> {
    let node = object_node(scene, parent, data)?;
    if let Some(attachment) = collider(data).map_err(|reason| fault(scene, node, reason))? {
        attach(scene, node, attachment);
    }
    Ok(())
}

/// Adds the node of an object. Its origin is the point that Tiled rotates the object about: the upper left corner, or
/// the lower left corner of a tile.
fn object_node(scene: &mut Scene, parent: NodeId, data: &ObjectData) -> Result<NodeId, Fault> {
    let name = if data.name.is_empty() { format!("object {}", data.id()) } else { data.name.clone() };
    let node = Node::new(name).with_position(vec2(data.x, data.y)).with_rotation(data.rotation.to_radians());
    add(scene, parent, node.with_enabled(data.visible).with_user_data(data.id().into()))
}

/// Returns the collider of an object in its own frame.
fn collider(data: &ObjectData) -> Result<Option<Attachment>, ShapeError> {
    let half = |width: f32, height: f32| vec2(width, height) / 2.0;
    let middle = |half: Vec2| if data.tile_data().is_some() { half * vec2(1.0, -1.0) } else { half };
    let points = |points: &[(f32, f32)]| -> Vec<Vec2> { points.iter().copied().map(Vec2::from).collect() };
    Ok(Some(match &data.shape {
        ObjectShape::Rect { width, height } => Rect::try_new(*width, *height)?.at(middle(half(*width, *height))).into(),
        ObjectShape::Ellipse { width, height } => {
            let half = half(*width, *height);
            Ellipse::try_new(half.x, half.y)?.at(middle(half)).into()
        }
        ObjectShape::Capsule { width, height } => {
            let half = half(*width, *height);
            let radius = half.min_element();
            Capsule::try_new(radius - half, half - radius, radius)?.at(middle(half)).into()
        }
        ObjectShape::Polygon { points: outline } => Compound::from_outline(&points(outline))?.into(),
        ObjectShape::Polyline { points: line } => Polyline::new(&points(line))?.into(),
        // A marker: queries find it, but movers pass through it.
        ObjectShape::Point(..) => Attachment::new(Circle::new(0.0)).sensor(),
        ObjectShape::Text { .. } => return Ok(None),
    }))
}

/// Adds a node. The scene would quarantine a node with a non-finite transform; here it is an error of the map.
fn add(scene: &mut Scene, parent: NodeId, node: Node) -> Result<NodeId, Fault> {
    let finite = node.transform.to_affine().is_finite();
    let node = scene.add_child(parent, node).expect("the parent was added before");
    if finite { Ok(node) } else { Err(fault(scene, node, "its position or rotation is not finite")) }
}

fn attach(scene: &mut Scene, node: NodeId, collider: impl Into<Attachment>) {
    scene.attach(node, collider).expect("the node was just added");
}

fn whole(reason: impl Display) -> Fault {
    Fault { place: String::new(), reason: reason.to_string() }
}

fn fault(scene: &Scene, node: NodeId, reason: impl Display) -> Fault {
    Fault { place: format!(", {}", scene.path(node).unwrap_or_default()), reason: reason.to_string() }
}
