//! Programs: sequences of public calls on a scene as data, so that tests can generate, shrink, run and display them as
//! Rust. This module uses no test framework, because the fuzz targets use it too.

use std::fmt::{self, Display, Formatter};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Collider, CollisionLayers, Compound, Ellipse, Polygon, Polyline, Rect, Rounded,
    Segment, Shape, Tiles, Transform,
};

use crate::kinds::{Numbers, ShapeKind};

/// A user shape: the superellipse `|x|⁴ + |y|⁴ = r⁴`.
#[derive(Debug, Clone)]
pub struct Squircle(pub f32);

impl Collider for Squircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        let bent = vec2(direction.x.abs().cbrt(), direction.y.abs().cbrt()) * direction.signum();
        bent * (self.0 / (bent.x.powi(4) + bent.y.powi(4)).sqrt().sqrt())
    }
}

/// The arguments of a shape's constructor. Sizes are finite and not negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShapeSpec {
    Circle(f32),
    Point(Vec2),
    Segment([Vec2; 2]),
    Capsule([Vec2; 2], f32),
    Rect([f32; 2]),
    Polygon([Vec2; 5]),
    Ellipse([f32; 2]),
    Rounded([Vec2; 4], f32),
    User(f32),
    /// An open polyline; one-sided if the flag is set.
    Polyline([Vec2; 5], bool),
    /// A circle at (-1, 0) and a rectangle at the origin.
    Compound(f32, [f32; 2]),
    /// A map of 3 x 3 tiles: one bit per tile, and the size of a tile.
    Tiles(u16, [f32; 2]),
}

impl ShapeSpec {
    /// Returns the spec of a kind. `bits` decides whether a polyline is one-sided and which tiles are full.
    pub fn new(kind: ShapeKind, numbers: &Numbers, bits: u16) -> Self {
        let Numbers { sizes, radius, points } = *numbers;
        let [a, b, c, d, _] = points;
        match kind {
            ShapeKind::Circle => Self::Circle(radius),
            ShapeKind::Point => Self::Point(a),
            ShapeKind::Segment => Self::Segment([a, b]),
            ShapeKind::Capsule => Self::Capsule([a, b], radius),
            ShapeKind::Rect => Self::Rect(sizes),
            ShapeKind::Polygon => Self::Polygon(points),
            ShapeKind::Ellipse => Self::Ellipse(sizes),
            ShapeKind::Rounded => Self::Rounded([a, b, c, d], radius),
            ShapeKind::User => Self::User(radius),
            ShapeKind::Polyline => Self::Polyline(points, bits % 2 == 1),
            ShapeKind::Compound => Self::Compound(radius, sizes),
            ShapeKind::Tiles => Self::Tiles(bits, sizes),
        }
    }

    pub fn attachment(&self) -> Attachment {
        match *self {
            Self::Circle(radius) => Circle::new(radius).into(),
            Self::Point(at) => Circle::point(at).into(),
            Self::Segment([a, b]) => Segment::new(a, b).into(),
            Self::Capsule([a, b], radius) => Capsule::new(a, b, radius).into(),
            Self::Rect([width, height]) => Rect::new(width, height).into(),
            Self::Polygon(points) => Polygon::convex_hull(&points).unwrap().into(),
            Self::Ellipse([x, y]) => Ellipse::new(x, y).into(),
            Self::Rounded(points, radius) => Rounded::new(Polygon::convex_hull(&points).unwrap(), radius).into(),
            Self::User(radius) => Squircle(radius).into(),
            Self::Polyline(points, false) => Polyline::new(&points).unwrap().into(),
            Self::Polyline(points, true) => Polyline::new(&points).unwrap().one_sided().into(),
            Self::Compound(radius, [width, height]) => {
                let ball = Circle::new(radius).at(vec2(-1.0, 0.0));
                Compound::new([Shape::from(ball), Rect::new(width, height).into()]).unwrap().into()
            }
            Self::Tiles(bits, [width, height]) => {
                Tiles::new(3, 3, vec2(width, height), |column, row| bits >> (row * 3 + column) & 1 == 1).into()
            }
        }
    }
}

/// One call. Nodes and colliders are numbered in order of creation, modulo their count. Removed ones keep their
/// numbers, so that calls receive stale ids too. Node 0 is the root; collider 0 is an id that never existed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Add {
        parent: usize,
        transform: Transform,
    },
    Remove(usize),
    SetParent {
        node: usize,
        parent: usize,
    },
    SetParentInPlace {
        node: usize,
        parent: usize,
    },
    MoveChild {
        node: usize,
        index: usize,
    },
    CopySubtree {
        node: usize,
        parent: usize,
    },
    /// Copies a subtree of the saved scene.
    Graft {
        node: usize,
        parent: usize,
    },
    Attach {
        node: usize,
        spec: ShapeSpec,
        sensor: bool,
    },
    Detach(usize),
    MoveCollider {
        collider: usize,
        node: usize,
    },
    SetTransform {
        node: usize,
        transform: Transform,
    },
    Mirror(usize),
    SetScale {
        node: usize,
        by: Vec2,
    },
    SetX {
        node: usize,
        x: f32,
    },
    SetNodeEnabled {
        node: usize,
        on: bool,
    },
    SetOwnsSubtree {
        node: usize,
        on: bool,
    },
    IgnorePair([usize; 2]),
    StopIgnoringPair([usize; 2]),
    SetColliderEnabled {
        collider: usize,
        on: bool,
    },
    SetSensor {
        collider: usize,
        on: bool,
    },
    SetOneWay {
        collider: usize,
        up: Option<Vec2>,
    },
    SetLayers {
        collider: usize,
        layers: CollisionLayers,
    },
    SetCollider {
        collider: usize,
        spec: ShapeSpec,
    },
    Clear,
    Save,
    Restore,
    ShrinkToFit,
    Update,
    /// All queries, from one point to another and with a shape.
    Query {
        from: Vec2,
        to: Vec2,
        probe: ShapeSpec,
    },
    MoveAndSlide {
        node: usize,
        displacement: Vec2,
    },
    MoveAndCollide {
        node: usize,
        displacement: Vec2,
    },
    Push {
        node: usize,
        displacement: Vec2,
        rotation: f32,
    },
    Depenetrate(usize),
}

/// A sequence of steps. `Display` writes it as Rust code.
#[derive(Clone, PartialEq)]
pub struct Program(pub Vec<Step>);

/// The numbers of nodes and colliders created so far.
#[derive(Debug, Clone, Copy)]
struct Count {
    nodes: usize,
    colliders: usize,
}

impl Count {
    fn node(self, number: usize) -> String {
        format!("n{}", number % self.nodes)
    }

    fn collider(self, number: usize) -> String {
        format!("c{}", number % self.colliders)
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut count = Count { nodes: 1, colliders: 1 };
        writeln!(f, "let mut scene = Scene::new();")?;
        writeln!(f, "let mut saved = scene.clone();")?;
        writeln!(f, "let n0 = scene.root();")?;
        writeln!(f, "let c0 = ColliderId::default();")?;
        for step in &self.0 {
            writeln!(f, "{}", statement(step, count))?;
            let adds_node = matches!(step, Step::Add { .. } | Step::CopySubtree { .. } | Step::Graft { .. });
            count.nodes += usize::from(adds_node);
            count.colliders += usize::from(matches!(step, Step::Attach { .. }));
        }
        Ok(())
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the program\n\n{self}\n")
    }
}

/// Returns a step as a Rust statement.
fn statement(step: &Step, count: Count) -> String {
    let edit = |node: usize, edit: String| {
        format!("if let Some(node) = scene.get_mut({}) {{ node.{edit}; }}", count.node(node))
    };
    let set = |collider: usize, edit: String| {
        format!("if let Some(collider) = scene.attachment_mut({}) {{ collider.{edit}; }}", count.collider(collider))
    };
    match *step {
        Step::Add { parent, transform } => {
            let (own, parent) = (count.nodes, count.node(parent));
            let node = format!("Node::new(\"n{own}\").with_transform({})", Rust(transform));
            format!("let n{own} = scene.add_child({parent}, {node}).unwrap_or_default();")
        }
        Step::Remove(node) => format!("scene.remove({});", count.node(node)),
        Step::SetParent { node, parent } => {
            format!("let _ = scene.set_parent({}, {});", count.node(node), count.node(parent))
        }
        Step::SetParentInPlace { node, parent } => {
            format!("let _ = scene.set_parent_in_place({}, {});", count.node(node), count.node(parent))
        }
        Step::MoveChild { node, index } => format!("let _ = scene.move_child({}, {index});", count.node(node)),
        Step::CopySubtree { node, parent } => {
            copy_statement(&format!("copy_subtree({}, {})", count.node(node), count.node(parent)), count)
        }
        Step::Graft { node, parent } => {
            copy_statement(&format!("graft(&saved, {}, {})", count.node(node), count.node(parent)), count)
        }
        Step::Attach { node, spec, sensor } => {
            let (own, node, sensor) = (count.colliders, count.node(node), if sensor { ".sensor()" } else { "" });
            let attachment = format!("Attachment::new({}){sensor}", Rust(spec));
            format!("let c{own} = scene.attach({node}, {attachment}).unwrap_or_default();")
        }
        Step::Detach(collider) => format!("scene.detach({});", count.collider(collider)),
        Step::MoveCollider { collider, node } => {
            format!("let _ = scene.move_collider({}, {});", count.collider(collider), count.node(node))
        }
        Step::SetTransform { node, transform } => edit(node, format!("transform = {}", Rust(transform))),
        Step::Mirror(node) => edit(node, "transform.scale.x *= -1.0".into()),
        Step::SetScale { node, by } => edit(node, format!("transform.scale = {}", Rust(by))),
        Step::SetX { node, x } => edit(node, format!("transform.position.x = {}", Rust(x))),
        Step::SetNodeEnabled { node, on } => edit(node, format!("enabled = {on}")),
        Step::SetOwnsSubtree { node, on } => edit(node, format!("owns_subtree = {on}")),
        Step::SetColliderEnabled { collider, on } => set(collider, format!("enabled = {on}")),
        Step::IgnorePair([a, b]) => format!("let _ = scene.ignore_pair({}, {});", count.node(a), count.node(b)),
        Step::StopIgnoringPair([a, b]) => {
            format!("scene.stop_ignoring_pair({}, {});", count.node(a), count.node(b))
        }
        Step::SetSensor { collider, on } => set(collider, format!("sensor = {on}")),
        Step::SetOneWay { collider, up: None } => set(collider, "one_way = None".into()),
        Step::SetOneWay { collider, up: Some(up) } => set(collider, format!("one_way = Some({})", Rust(up))),
        Step::SetLayers { collider, layers: CollisionLayers { memberships, filters } } => {
            set(collider, format!("layers = CollisionLayers::new({memberships}, {filters})"))
        }
        Step::SetCollider { collider, spec } => set(collider, format!("set_collider({})", Rust(spec))),
        Step::Clear => "scene.clear();".into(),
        Step::Save => "saved = scene.clone();".into(),
        Step::Restore => "scene = saved.clone();".into(),
        Step::ShrinkToFit => "scene.shrink_to_fit();".into(),
        Step::Update => "scene.update();".into(),
        Step::Query { from, to, probe } => {
            let (from, to, probe) = (Rust(from), Rust(to), Rust(probe));
            format!("let _ = (scene.world(), {from}, {to}, {probe}); // All questions, from here to there.")
        }
        Step::MoveAndSlide { node, displacement } => move_statement("move_and_slide", &count.node(node), displacement),
        Step::MoveAndCollide { node, displacement } => {
            move_statement("move_and_collide", &count.node(node), displacement)
        }
        Step::Push { node, displacement, rotation } => {
            let motion = format!("Motion::new({}).with_rotation({})", Rust(displacement), Rust(rotation));
            format!("let _ = scene.push({}, {motion}, &MoveOptions::default());", count.node(node))
        }
        Step::Depenetrate(node) => {
            format!("let _ = scene.depenetrate({}, &QueryFilter::default());", count.node(node))
        }
    }
}

fn move_statement(call: &str, node: &str, displacement: Vec2) -> String {
    format!("let _ = scene.{call}({node}, {}, &MoveOptions::default());", Rust(displacement))
}

fn copy_statement(call: &str, count: Count) -> String {
    format!("let n{} = scene.{call}.map_or_else(|_| NodeId::default(), |it| it.root());", count.nodes)
}

/// A value that `Display` writes as a Rust expression.
struct Rust<T>(T);

impl Display for Rust<f32> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            number if number.is_nan() => f.write_str("f32::NAN"),
            f32::INFINITY => f.write_str("f32::INFINITY"),
            f32::NEG_INFINITY => f.write_str("f32::NEG_INFINITY"),
            number => write!(f, "{number:?}"),
        }
    }
}

impl Display for Rust<Vec2> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "vec2({}, {})", Rust(self.0.x), Rust(self.0.y))
    }
}

impl Display for Rust<&[Vec2]> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let points: Vec<String> = self.0.iter().map(|point| Rust(*point).to_string()).collect();
        write!(f, "&[{}]", points.join(", "))
    }
}

impl Display for Rust<Transform> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Transform { position, rotation, scale, skew } = self.0;
        write!(f, "Transform {{ position: {}, rotation: {}", Rust(position), Rust(rotation))?;
        write!(f, ", scale: {}, skew: {} }}", Rust(scale), Rust(skew))
    }
}

impl Display for Rust<ShapeSpec> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ShapeSpec::Circle(radius) => write!(f, "Circle::new({})", Rust(radius)),
            ShapeSpec::Point(at) => write!(f, "Circle::point({})", Rust(at)),
            ShapeSpec::Segment([a, b]) => write!(f, "Segment::new({}, {})", Rust(a), Rust(b)),
            ShapeSpec::Capsule([a, b], radius) => write!(f, "Capsule::new({}, {}, {})", Rust(a), Rust(b), Rust(radius)),
            ShapeSpec::Rect([width, height]) => write!(f, "Rect::new({}, {})", Rust(width), Rust(height)),
            ShapeSpec::Polygon(points) => write!(f, "Polygon::convex_hull({}).unwrap()", Rust(&points[..])),
            ShapeSpec::Ellipse([x, y]) => write!(f, "Ellipse::new({}, {})", Rust(x), Rust(y)),
            ShapeSpec::Rounded(points, radius) => {
                let core = format!("Polygon::convex_hull({}).unwrap()", Rust(&points[..]));
                write!(f, "Rounded::new({core}, {})", Rust(radius))
            }
            ShapeSpec::User(radius) => write!(f, "Squircle({})", Rust(radius)),
            ShapeSpec::Polyline(points, one_sided) => {
                let side = if one_sided { ".one_sided()" } else { "" };
                write!(f, "Polyline::new({}).unwrap(){side}", Rust(&points[..]))
            }
            ShapeSpec::Compound(radius, [width, height]) => {
                let ball = format!("Shape::from(Circle::new({}).at(vec2(-1.0, 0.0)))", Rust(radius));
                write!(f, "Compound::new([{ball}, Rect::new({}, {}).into()]).unwrap()", Rust(width), Rust(height))
            }
            ShapeSpec::Tiles(bits, [width, height]) => {
                let full = format!("|column, row| {bits} >> (row * 3 + column) & 1 == 1");
                write!(f, "Tiles::new(3, 3, vec2({}, {}), {full})", Rust(width), Rust(height))
            }
        }
    }
}
