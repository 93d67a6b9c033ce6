//! Conversion of an SVG document to a scene.

use std::collections::{BTreeMap, HashMap};

use glam::{Affine2, Vec2};
use hitgraph::{NodeId, Scene, Transform};
use roxmltree::{Document, Node};

use super::remark::{Fault, Reason, Remark, Verdict};
use super::shape::{shape, transform};
use super::units::{Along, Units, property};

const SVG: &str = "http://www.w3.org/2000/svg";
pub const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Elements that SVG never draws directly.
const NEVER_DRAWN: [&str; 23] = [
    "animate",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "color-profile",
    "cursor",
    "defs",
    "desc",
    "filter",
    "font",
    "hatch",
    "linearGradient",
    "marker",
    "mask",
    "meshgradient",
    "metadata",
    "pattern",
    "radialGradient",
    "script",
    "set",
    "style",
    "symbol",
    "title",
];

/// The maximum nesting depth. Browsers limit it too.
pub const DEEPEST: usize = 256;
/// The maximum number of nodes. A few nested `<use>` elements could create billions.
const MOST_NODES: usize = 200_000;

/// A drawing as a scene, with a node for every `<g>`, `<use>` and shape element. The `user_data` of a node is its line
/// in the file.
pub struct Drawing {
    pub scene: Scene,
    pub units: Units,
    /// In document order.
    pub remarks: Vec<Remark>,
    pub hidden: usize,
    /// The number of elements of each unsupported kind.
    pub unsupported: BTreeMap<String, usize>,
}

impl Drawing {
    pub fn read(document: &Document<'_>) -> Result<Self, Fault> {
        let root = document.root_element();
        let fault = |reason: String| Fault { line: document.text_pos_at(root.range().start).row as usize, reason };
        match (root.tag_name().name(), root.tag_name().namespace()) {
            ("svg", Some(SVG)) => {}
            ("svg", _) => return Err(fault(format!("the <svg> element lacks xmlns=\"{SVG}\""))),
            (other, _) => return Err(fault(format!("not an SVG drawing: the outermost element is <{other}>"))),
        }
        let units = Units::of_document(root).map_err(|reason| fault(reason.to_string()))?.within(root);
        let mut ids = HashMap::new();
        for element in root.descendants() {
            if let Some(id) = element.attribute("id") {
                ids.entry(id).or_insert(element);
            }
        }
        let drawing = Self { scene: Scene::new(), units, remarks: Vec::new(), hidden: 0, unsupported: BTreeMap::new() };
        let mut reader = Reader { drawing, lines: Lines::of(document), ids, names: HashMap::new(), used: Vec::new() };
        let parent = reader.drawing.scene.root();
        let above = Above { parent, path: String::new(), units, visible: true, depth: 0 };
        if !reader.is_hidden(root) {
            let visible = is_visible(root, true);
            reader.children(root, &Above { visible, ..above })?;
        }
        reader.report_misplaced();
        Ok(reader.drawing)
    }
}

/// The context that an element inherits from its ancestors.
struct Above {
    parent: NodeId,
    /// The names of the `<use>` elements that lead to the element, each followed by a slash.
    path: String,
    units: Units,
    visible: bool,
    depth: usize,
}

struct Reader<'a, 'input> {
    drawing: Drawing,
    lines: Lines<'a>,
    ids: HashMap<&'a str, Node<'a, 'input>>,
    /// The line of each name.
    names: HashMap<String, usize>,
    /// The targets of the `<use>` elements that are being followed.
    used: Vec<Node<'a, 'input>>,
}

impl<'a, 'input> Reader<'a, 'input> {
    fn children(&mut self, element: Node<'a, 'input>, above: &Above) -> Result<(), Fault> {
        element.children().filter(Node::is_element).try_for_each(|child| self.element(child, above))
    }

    fn element(&mut self, element: Node<'a, 'input>, above: &Above) -> Result<(), Fault> {
        let tag = element.tag_name().name();
        if element.tag_name().namespace() != Some(SVG) || NEVER_DRAWN.contains(&tag) || self.is_hidden(element) {
            return Ok(());
        }
        if above.depth == DEEPEST {
            let reason = format!("more than {DEEPEST} elements within each other");
            return Err(Fault { line: self.lines.of_element(element), reason });
        }
        let above = &Above {
            path: above.path.clone(),
            units: above.units.within(element),
            visible: is_visible(element, above.visible),
            depth: above.depth + 1,
            ..*above
        };
        match tag {
            "g" | "a" | "switch" => self.group(element, above),
            "use" => self.instance(element, above),
            _ => self.shape(element, above),
        }
    }

    fn group(&mut self, element: Node<'a, 'input>, above: &Above) -> Result<(), Fault> {
        let name = self.name(element, above);
        match transform(element) {
            Ok(transform) => {
                let parent = self.add(element, name, transform, above)?;
                self.children(element, &Above { parent, path: above.path.clone(), ..*above })?;
            }
            Err(reason) => self.leave_out(element, name, reason),
        }
        Ok(())
    }

    fn shape(&mut self, element: Node<'a, 'input>, above: &Above) -> Result<(), Fault> {
        let Some(shape) = shape(element, above.units) else {
            self.unsupported(element.tag_name().name());
            return Ok(());
        };
        if !above.visible {
            self.drawing.hidden += 1;
            return Ok(());
        }
        let name = self.name(element, above);
        match transform(element).and_then(|transform| Ok((transform, shape?))) {
            Ok((transform, shape)) => {
                let node = self.add(element, name, transform, above)?;
                self.drawing.scene.attach(node, shape).expect("the node was just added");
            }
            Err(reason) => self.leave_out(element, name, reason),
        }
        Ok(())
    }

    /// Adds a `<use>` element with its target as its child.
    fn instance(&mut self, element: Node<'a, 'input>, above: &Above) -> Result<(), Fault> {
        let name = self.name(element, above);
        let target = self.target(element);
        let transform = offset(element, above.units).and_then(|offset| Ok(transform(element)? * offset));
        match target.and_then(|target| Ok((target, transform?))) {
            Ok((target, transform)) => {
                let path = format!("{name}/");
                let parent = self.add(element, name, transform, above)?;
                self.used.push(target);
                self.element(target, &Above { parent, path, ..*above })?;
                self.used.pop();
            }
            Err(reason) => self.leave_out(element, name, reason),
        }
        Ok(())
    }

    /// Returns the target of a `<use>` element.
    fn target(&self, element: Node<'a, 'input>) -> Result<Node<'a, 'input>, Reason> {
        let href = element.attribute("href").or(element.attribute((XLINK, "href"))).unwrap_or_default();
        let wrong = |reason| Reason::value("href", href, reason);
        let id = match href.strip_prefix('#') {
            Some(id) => id,
            None if href.is_empty() => return Err(Reason::Nothing("it refers to nothing")),
            None => return Err(Reason::Unsupported("use of another file")),
        };
        let target = self.ids.get(id).copied().ok_or_else(|| wrong("no element has this id"))?;
        match target.tag_name().name() {
            "svg" => Err(Reason::Unsupported("use of svg")),
            "symbol" => Err(Reason::Unsupported("use of symbol")),
            _ if self.used.contains(&target) || element.ancestors().any(|ancestor| ancestor == target) => {
                Err(wrong("it would contain itself"))
            }
            _ => Ok(target),
        }
    }

    fn add(
        &mut self,
        element: Node<'a, 'input>,
        name: String,
        transform: Affine2,
        above: &Above,
    ) -> Result<NodeId, Fault> {
        let line = self.lines.of_element(element);
        if self.drawing.scene.node_count() > MOST_NODES {
            return Err(Fault {
                line,
                reason: format!("more than {MOST_NODES} elements, those by <use> counted each time"),
            });
        }
        let node =
            hitgraph::Node::new(name).with_transform(Transform::from_affine(transform)).with_user_data(line as u64);
        Ok(self.drawing.scene.add_child(above.parent, node).expect("parents are added first"))
    }

    /// Returns the id of an element, or else its place in the file, after the names of the `<use>` elements that lead
    /// to it.
    fn name(&mut self, element: Node<'a, 'input>, above: &Above) -> String {
        let (line, column) = self.lines.place(element.range().start);
        let id = element.attribute("id").filter(|id| !id.is_empty());
        let by_place = format!("{}{}@{line}:{column}", above.path, id.unwrap_or(element.tag_name().name()));
        let Some(id) = id else { return by_place };
        let name = format!("{}{id}", above.path);
        match self.names.get(&name) {
            None => {
                self.names.insert(name.clone(), line);
                name
            }
            Some(first) => {
                let reason = format!("line {first} has this id too, so here it is {by_place}");
                self.drawing.remarks.push(Remark { verdict: Verdict::Renamed, name, line, reason });
                by_place
            }
        }
    }

    fn is_hidden(&mut self, element: Node<'_, '_>) -> bool {
        let hidden = property(element, "display") == Some("none");
        self.drawing.hidden += usize::from(hidden);
        hidden
    }

    fn unsupported(&mut self, kind: &str) {
        *self.drawing.unsupported.entry(kind.to_owned()).or_default() += 1;
    }

    fn leave_out(&mut self, element: Node<'a, 'input>, name: String, reason: Reason) {
        match reason {
            Reason::Unsupported(kind) => self.unsupported(kind),
            reason => {
                let line = self.lines.of_element(element);
                self.drawing.remarks.push(Remark::new(name, line, &reason));
            }
        }
    }

    /// Reports colliders that are not finite in world space. Finite transforms may overflow when they are multiplied.
    fn report_misplaced(&mut self) {
        let Drawing { scene, remarks, .. } = &mut self.drawing;
        let world = scene.world();
        for node in world.scene().descendants(world.scene().root()) {
            let Some(collider) = world.scene().colliders(node).first() else { continue };
            if world.bounds(*collider).is_none_or(|bounds| !bounds.is_finite()) {
                let (name, line) = (world.scene()[node].name.to_string(), world.scene()[node].user_data as usize);
                let reason = Reason::Value("its transforms lead too far away".to_owned());
                remarks.push(Remark::new(name, line, &reason));
            }
        }
        remarks.sort_by_key(|remark| remark.line);
    }
}

/// Returns `x` and `y` of a `<use>` element as a translation.
fn offset(element: Node<'_, '_>, units: Units) -> Result<Affine2, Reason> {
    let [x, y] = [("x", Along::X), ("y", Along::Y)].map(|(name, along)| units.length(element, name, along));
    Ok(Affine2::from_translation(Vec2::new(x?.unwrap_or(0.0) as f32, y?.unwrap_or(0.0) as f32)))
}

fn is_visible(element: Node<'_, '_>, inherited: bool) -> bool {
    match property(element, "visibility") {
        Some("visible") => true,
        Some("hidden" | "collapse") => false,
        _ => inherited,
    }
}

/// The offsets of the lines of a file. `text_pos_at` would count the lines again for every element.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(document: &'a Document<'_>) -> Self {
        let text = document.input_text();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Returns line and column, counted from 1.
    fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        (line, self.text[self.starts[line - 1]..offset].chars().count() + 1)
    }

    fn of_element(&self, element: Node<'_, '_>) -> usize {
        self.place(element.range().start).0
    }
}
