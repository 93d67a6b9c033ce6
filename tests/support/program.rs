//! A scene's life as data: every public operation as a [`Step`] that can be applied, shrunk, and shown as Rust. Knows
//! no test framework, for the fuzz targets use it too.

use std::fmt::{self, Display, Formatter};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Collider, CollisionLayers, Compound, Ellipse, Polygon, Polyline, Rect, Rounded,
    Segment, Shape, Tiles, Transform,
};

/// A superellipse, `|x|⁴ + |y|⁴ = r⁴`: a shape the crate has never heard of.
#[derive(Debug, Clone)]
pub struct Squircle(pub f32);

impl Collider for Squircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        let bent = vec2(direction.x.abs().cbrt(), direction.y.abs().cbrt()) * direction.signum();
        bent * (self.0 / (bent.x.powi(4) + bent.y.powi(4)).sqrt().sqrt())
    }
}

/// A collider, by what it is made from. Sizes are finite and not negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Circle(f32),
    Point(Vec2),
    Segment([Vec2; 2]),
    Capsule([Vec2; 2], f32),
    Rect([f32; 2]),
    Polygon([Vec2; 5]),
    Ellipse([f32; 2]),
    Rounded([Vec2; 4], f32),
    Own(f32),
    /// Open, and one-sided if so.
    Line([Vec2; 5], bool),
    /// A circle and a rectangle beside it.
    Union(f32, [f32; 2]),
    /// Three by three tiles, by their bits.
    Tiles(u16, [f32; 2]),
}

impl Form {
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
            Self::Own(radius) => Squircle(radius).into(),
            Self::Line(points, false) => Polyline::new(&points).unwrap().into(),
            Self::Line(points, true) => Polyline::new(&points).unwrap().one_sided().into(),
            Self::Union(radius, [width, height]) => {
                let ball = Circle::new(radius).at(vec2(-1.0, 0.0));
                Compound::new([Shape::from(ball), Rect::new(width, height).into()]).unwrap().into()
            }
            Self::Tiles(bits, [width, height]) => {
                Tiles::new(3, 3, vec2(width, height), |column, row| bits >> (row * 3 + column) & 1 == 1).into()
            }
        }
    }
}

/// One call. Nodes and colliders are meant by number, modulo how many were ever made, removed ones included: stale ids
/// are part of the game. Number 0 is the root, and the collider that never was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Add {
        above: usize,
        transform: Transform,
    },
    Remove(usize),
    SetParent {
        node: usize,
        above: usize,
    },
    SetParentInPlace {
        node: usize,
        above: usize,
    },
    Attach {
        node: usize,
        form: Form,
        sensor: bool,
    },
    Detach(usize),
    MoveCollider {
        collider: usize,
        node: usize,
    },
    Place {
        node: usize,
        transform: Transform,
    },
    Mirror(usize),
    Scale {
        node: usize,
        by: Vec2,
    },
    PutX {
        node: usize,
        x: f32,
    },
    EnableNode {
        node: usize,
        on: bool,
    },
    EnableCollider {
        collider: usize,
        on: bool,
    },
    Sensor {
        collider: usize,
        on: bool,
    },
    OneWay {
        collider: usize,
        up: Option<Vec2>,
    },
    Layers {
        collider: usize,
        layers: CollisionLayers,
    },
    Shape {
        collider: usize,
        form: Form,
    },
    Clear,
    Save,
    Restore,
    Update,
    /// All questions, along a way and with a shape.
    Ask {
        from: Vec2,
        to: Vec2,
        brush: Form,
    },
    Slide {
        node: usize,
        motion: Vec2,
    },
    Collide {
        node: usize,
        motion: Vec2,
    },
    PushOut(usize),
}

/// Steps, which are shown as the Rust program that they are.
#[derive(Clone, PartialEq)]
pub struct Program(pub Vec<Step>);

/// How many there are while a program is read.
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
            count.nodes += usize::from(matches!(step, Step::Add { .. }));
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

fn statement(step: &Step, count: Count) -> String {
    let edit = |node: usize, what: String| {
        format!("if let Some(node) = scene.get_mut({}) {{ node.{what}; }}", count.node(node))
    };
    let set = |collider: usize, what: String| {
        format!("if let Some(collider) = scene.attachment_mut({}) {{ collider.{what}; }}", count.collider(collider))
    };
    match *step {
        Step::Add { above, transform } => {
            let (own, above) = (count.nodes, count.node(above));
            let node = format!("Node::new(\"n{own}\").with_transform({})", Rust(transform));
            format!("let n{own} = scene.add_child({above}, {node}).unwrap_or_default();")
        }
        Step::Remove(node) => format!("scene.remove({});", count.node(node)),
        Step::SetParent { node, above } => {
            format!("let _ = scene.set_parent({}, {});", count.node(node), count.node(above))
        }
        Step::SetParentInPlace { node, above } => {
            format!("let _ = scene.set_parent_in_place({}, {});", count.node(node), count.node(above))
        }
        Step::Attach { node, form, sensor } => {
            let (own, node, sensor) = (count.colliders, count.node(node), if sensor { ".sensor()" } else { "" });
            let attachment = format!("Attachment::new({}){sensor}", Rust(form));
            format!("let c{own} = scene.attach({node}, {attachment}).unwrap_or_default();")
        }
        Step::Detach(collider) => format!("scene.detach({});", count.collider(collider)),
        Step::MoveCollider { collider, node } => {
            format!("let _ = scene.move_collider({}, {});", count.collider(collider), count.node(node))
        }
        Step::Place { node, transform } => edit(node, format!("transform = {}", Rust(transform))),
        Step::Mirror(node) => edit(node, "transform.scale.x *= -1.0".into()),
        Step::Scale { node, by } => edit(node, format!("transform.scale = {}", Rust(by))),
        Step::PutX { node, x } => edit(node, format!("transform.position.x = {}", Rust(x))),
        Step::EnableNode { node, on } => edit(node, format!("enabled = {on}")),
        Step::EnableCollider { collider, on } => set(collider, format!("enabled = {on}")),
        Step::Sensor { collider, on } => set(collider, format!("sensor = {on}")),
        Step::OneWay { collider, up: None } => set(collider, "one_way = None".into()),
        Step::OneWay { collider, up: Some(up) } => set(collider, format!("one_way = Some({})", Rust(up))),
        Step::Layers { collider, layers: CollisionLayers { memberships, filters } } => {
            set(collider, format!("layers = CollisionLayers::new({memberships}, {filters})"))
        }
        Step::Shape { collider, form } => set(collider, format!("set_shape({})", Rust(form))),
        Step::Clear => "scene.clear();".into(),
        Step::Save => "saved = scene.clone();".into(),
        Step::Restore => "scene = saved.clone();".into(),
        Step::Update => "scene.update();".into(),
        Step::Ask { from, to, brush } => {
            let (from, to, brush) = (Rust(from), Rust(to), Rust(brush));
            format!("let _ = (scene.world(), {from}, {to}, {brush}); // All questions, from here to there.")
        }
        Step::Slide { node, motion } => moving("move_and_slide", &count.node(node), motion),
        Step::Collide { node, motion } => moving("move_and_collide", &count.node(node), motion),
        Step::PushOut(node) => {
            format!("let _ = scene.depenetrate({}, &QueryFilter::default());", count.node(node))
        }
    }
}

fn moving(call: &str, node: &str, motion: Vec2) -> String {
    format!("let _ = scene.{call}({node}, {}, &MoveOptions::default());", Rust(motion))
}

/// A value that is shown as the expression it is in Rust.
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

impl Display for Rust<Form> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Form::Circle(radius) => write!(f, "Circle::new({})", Rust(radius)),
            Form::Point(at) => write!(f, "Circle::point({})", Rust(at)),
            Form::Segment([a, b]) => write!(f, "Segment::new({}, {})", Rust(a), Rust(b)),
            Form::Capsule([a, b], radius) => write!(f, "Capsule::new({}, {}, {})", Rust(a), Rust(b), Rust(radius)),
            Form::Rect([width, height]) => write!(f, "Rect::new({}, {})", Rust(width), Rust(height)),
            Form::Polygon(points) => write!(f, "Polygon::convex_hull({}).unwrap()", Rust(&points[..])),
            Form::Ellipse([x, y]) => write!(f, "Ellipse::new({}, {})", Rust(x), Rust(y)),
            Form::Rounded(points, radius) => {
                let core = format!("Polygon::convex_hull({}).unwrap()", Rust(&points[..]));
                write!(f, "Rounded::new({core}, {})", Rust(radius))
            }
            Form::Own(radius) => write!(f, "Squircle({})", Rust(radius)),
            Form::Line(points, one_sided) => {
                let side = if one_sided { ".one_sided()" } else { "" };
                write!(f, "Polyline::new({}).unwrap(){side}", Rust(&points[..]))
            }
            Form::Union(radius, [width, height]) => {
                let ball = format!("Shape::from(Circle::new({}).at(vec2(-1.0, 0.0)))", Rust(radius));
                write!(f, "Compound::new([{ball}, Rect::new({}, {}).into()]).unwrap()", Rust(width), Rust(height))
            }
            Form::Tiles(bits, [width, height]) => {
                let full = format!("|column, row| {bits} >> (row * 3 + column) & 1 == 1");
                write!(f, "Tiles::new(3, 3, vec2({}, {}), {full})", Rust(width), Rust(height))
            }
        }
    }
}
