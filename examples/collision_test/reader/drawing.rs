//! Conversion of an SVG document to a scene.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use glam::{Affine2, DAffine2, DVec2, Vec2};
use hitgraph::{Circle, NodeId, Scene, Shape, Transform};
use roxmltree::{Document, Node};

use super::context::{Context, Paint};
use super::element::{Element, Styles};
use super::kinds::Kinds;
use super::lines::Lines;
use super::naming::{self, is_layer, is_locked};
use super::options::Options;
use super::path::Fill;
use super::remark::{Fault, Reason, Remark, Verdict};
use super::shape::shape;
use super::transform::transform;
use super::units::{Along, Units};
use super::viewport;

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
/// The maximum number of points of all paths.
const MOST_POINTS: usize = 1_000_000;
/// The maximum number of times that a rule of a style sheet is compared with an element.
const MOST_MATCHES: usize = 10_000_000;

/// Properties that change the picture and have no effect on colliders.
const IGNORED: [&str; 3] = ["clip-path", "mask", "filter"];

/// A drawing as a scene, with a node for every group, `<use>` and shape element. The `user_data` of a node is its line
/// in the file.
pub struct Drawing {
    pub scene: Scene,
    pub units: Units,
    /// In document order.
    pub remarks: Vec<Remark>,
    pub hidden: usize,
    /// The number of elements that the options leave out, each with its content.
    pub left_out: usize,
    /// The kinds of elements that are not supported.
    pub unsupported: Kinds,
    /// The properties that have no effect on colliders.
    pub ignored: Kinds,
    /// The names in the options that no element has.
    pub unknown_names: Vec<String>,
}

impl Drawing {
    pub fn read(document: &Document<'_>) -> Result<Self, Fault> {
        Self::read_with(document, &Options::default())
    }

    pub fn read_with(document: &Document<'_>, options: &Options) -> Result<Self, Fault> {
        let root = document.root_element();
        let fault = |reason: String| Fault { line: document.text_pos_at(root.range().start).row as usize, reason };
        match (root.tag_name().name(), root.tag_name().namespace()) {
            ("svg", Some(SVG)) => {}
            ("svg", _) => return Err(fault(format!("the <svg> element lacks xmlns=\"{SVG}\""))),
            (other, _) => return Err(fault(format!("not an SVG drawing: the outermost element is <{other}>"))),
        }
        let styles = Styles::of_document(root);
        let styled = styles.style(root);
        let units = Units::of_document(&styled).map_err(|reason| fault(reason.to_string()))?.within(&styled);
        let mut ids = HashMap::new();
        for element in root.descendants() {
            if let Some(id) = element.attribute("id") {
                ids.entry(id).or_insert(element);
            }
        }
        let drawing = Self {
            scene: Scene::new(),
            units,
            remarks: Vec::new(),
            hidden: 0,
            left_out: 0,
            unsupported: Kinds::default(),
            ignored: Kinds::default(),
            unknown_names: Vec::new(),
        };
        let extent = units.page().map(|(_, size)| size.max_element()).filter(|extent| *extent > 0.0);
        let context = Context {
            parent: drawing.scene.root(),
            path: String::new(),
            units,
            to_page: DAffine2::IDENTITY,
            paint: Paint::INITIAL.within(&styled),
            included: options.layers.is_empty(),
            depth: 0,
        };
        let mut reader = Reader {
            drawing,
            options,
            tolerance: options.tolerance.unwrap_or_else(|| extent.map_or(0.1, |extent| extent / 1e4)),
            lines: Lines::of(document),
            styles,
            matches: 0,
            points_left: Cell::new(MOST_POINTS),
            ids,
            names: HashMap::new(),
            found: BTreeSet::new(),
            used: Vec::new(),
        };
        reader.report_style_rules(root);
        if !reader.is_hidden(&styled) {
            reader.report_ignored(&styled);
            reader.children(root, &context)?;
        }
        reader.finish();
        Ok(reader.drawing)
    }
}

struct Reader<'a, 'input> {
    drawing: Drawing,
    options: &'a Options,
    /// The distance of a curve from its lines on the page.
    tolerance: f64,
    lines: Lines<'a>,
    styles: Styles<'a>,
    /// The number of times that a rule was compared with an element.
    matches: usize,
    points_left: Cell<usize>,
    ids: HashMap<&'a str, Node<'a, 'input>>,
    /// The line of each name.
    names: HashMap<String, usize>,
    /// The names in the options that an element has.
    found: BTreeSet<&'a str>,
    /// The targets of the `<use>` elements that are being followed.
    used: Vec<Node<'a, 'input>>,
}

impl<'a, 'input> Reader<'a, 'input> {
    fn children(&mut self, element: Node<'a, 'input>, context: &Context) -> Result<(), Fault> {
        element.children().filter(Node::is_element).try_for_each(|child| self.element(child, context))
    }

    fn element(&mut self, node: Node<'a, 'input>, above: &Context) -> Result<(), Fault> {
        let tag = node.tag_name().name();
        if node.tag_name().namespace() != Some(SVG) || NEVER_DRAWN.contains(&tag) {
            return Ok(());
        }
        let element = self.style(node)?;
        if self.is_hidden(&element) || self.is_left_out(node) {
            return Ok(());
        }
        let mut context = self.enter(&element, above)?;
        context.included |= self.is_named(node, &self.options.layers);
        self.report_ignored(&element);
        match tag {
            "g" | "a" => self.group(&element, &context),
            "switch" => self.switch(&element, &context),
            "svg" => self.viewport(&element, None, &context),
            "use" => self.instance(&element, &context),
            _ => self.shape(&element, &context),
        }
    }

    fn style(&mut self, node: Node<'a, 'input>) -> Result<Element<'a, 'input>, Fault> {
        self.matches += self.styles.rule_count();
        if self.matches > MOST_MATCHES {
            let reason = "its style sheets have too many rules for this many elements".to_owned();
            return Err(Fault { line: self.lines.of_element(node), reason });
        }
        Ok(self.styles.style(node))
    }

    /// Returns the context within an element.
    fn enter(&self, element: &Element<'a, 'input>, above: &Context) -> Result<Context, Fault> {
        if above.depth == DEEPEST {
            let reason = format!("more than {DEEPEST} elements within each other");
            return Err(Fault { line: self.lines.of_element(element.node), reason });
        }
        Ok(above.within(element))
    }

    fn group(&mut self, element: &Element<'a, 'input>, context: &Context) -> Result<(), Fault> {
        let name = self.name(element.node, context);
        match transform(element, context.units) {
            Ok(transform) => {
                let parent = self.add(element.node, name, transform, context)?;
                self.children(element.node, &context.below(parent, transform))?;
            }
            Err(reason) => self.leave_out(element.node, name, reason),
        }
        Ok(())
    }

    /// Adds the first child that requires neither an extension nor another language than English.
    fn switch(&mut self, element: &Element<'a, 'input>, context: &Context) -> Result<(), Fault> {
        let name = self.name(element.node, context);
        let is_shown = |child: &Node<'_, '_>| {
            let languages = child.attribute("systemLanguage").unwrap_or("en");
            child.is_element()
                && child.attribute("requiredExtensions").is_none_or(str::is_empty)
                && languages.split(',').any(|language| language.trim().starts_with("en"))
        };
        match (transform(element, context.units), element.node.children().find(is_shown)) {
            (Ok(transform), Some(child)) => {
                let parent = self.add(element.node, name, transform, context)?;
                self.element(child, &context.below(parent, transform))?;
            }
            (Ok(_), None) => {}
            (Err(reason), _) => self.leave_out(element.node, name, reason),
        }
        Ok(())
    }

    /// Adds a nested `<svg>`, or the `<svg>` or `<symbol>` that a `<use>` element of this size refers to.
    fn viewport(
        &mut self,
        element: &Element<'a, 'input>,
        size: Option<[Option<f64>; 2]>,
        context: &Context,
    ) -> Result<(), Fault> {
        let name = self.name(element.node, context);
        let own = viewport::size(element, context.units);
        let size = own.map(|own| size.map_or(own, |size| [size[0].or(own[0]), size[1].or(own[1])]));
        let content = size.and_then(|size| viewport::content(element, size, context.units));
        match content.and_then(|(content, units)| Ok((transform(element, context.units)? * content, units))) {
            Ok((transform, units)) => {
                let parent = self.add(element.node, name, transform, context)?;
                self.children(element.node, &Context { units, ..context.below(parent, transform) })?;
            }
            Err(reason) => self.leave_out(element.node, name, reason),
        }
        Ok(())
    }

    fn shape(&mut self, element: &Element<'a, 'input>, context: &Context) -> Result<(), Fault> {
        let line = self.lines.of_element(element.node);
        if is_shape(element.node) && !context.paint.draws() {
            self.drawing.hidden += 1;
            return Ok(());
        }
        if is_shape(element.node) && !context.included {
            self.drawing.left_out += 1;
            return Ok(());
        }
        let transform = transform(element, context.units);
        let stretch = context.below(context.parent, *transform.as_ref().unwrap_or(&DAffine2::IDENTITY)).stretch();
        let fill = Fill {
            tolerance: self.tolerance / stretch.max(f64::MIN_POSITIVE),
            even_odd: context.paint.even_odd,
            points_left: &self.points_left,
        };
        let Some(shape) = shape(element, context.units, &fill) else {
            self.drawing.unsupported.add(element.node.tag_name().name(), line);
            return Ok(());
        };
        if self.points_left.get() == 0 {
            return Err(Fault { line, reason: format!("more than {MOST_POINTS} points in all paths") });
        }
        let name = self.name(element.node, context);
        match transform.and_then(|transform| Ok((transform, shape?))) {
            Ok((transform, shape)) => {
                let node = self.add(element.node, name, transform, context)?;
                self.drawing.scene.attach(node, shape).expect("the node was just added");
            }
            Err(reason) => self.leave_out(element.node, name, reason),
        }
        Ok(())
    }

    /// Adds a `<use>` element with its target as its child.
    fn instance(&mut self, element: &Element<'a, 'input>, context: &Context) -> Result<(), Fault> {
        let name = self.name(element.node, context);
        let target = self.target(element.node);
        let size = || -> Result<_, Reason> {
            let units = context.units;
            Ok([units.length(element, "width", Along::X)?, units.length(element, "height", Along::Y)?])
        };
        let place = offset(element, context.units)
            .and_then(|offset| Ok((transform(element, context.units)? * offset, size()?)));
        match target.and_then(|target| Ok((target, place?))) {
            Ok((target, (transform, size))) => {
                let path = format!("{name}/");
                let parent = self.add(element.node, name, transform, context)?;
                let below = Context { path, ..context.below(parent, transform) };
                self.used.push(target);
                if ["svg", "symbol"].contains(&target.tag_name().name()) {
                    let target = self.style(target)?;
                    let within = self.enter(&target, &below)?;
                    if !self.is_hidden(&target) {
                        self.viewport(&target, Some(size), &within)?;
                    }
                } else {
                    self.element(target, &below)?;
                }
                self.used.pop();
            }
            Err(reason) => self.leave_out(element.node, name, reason),
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
        if self.used.contains(&target) || element.ancestors().any(|ancestor| ancestor == target) {
            return Err(wrong("it would contain itself"));
        }
        Ok(target)
    }

    fn add(
        &mut self,
        element: Node<'a, 'input>,
        name: String,
        transform: DAffine2,
        context: &Context,
    ) -> Result<NodeId, Fault> {
        let line = self.lines.of_element(element);
        if self.drawing.scene.node_count() > MOST_NODES {
            return Err(Fault {
                line,
                reason: format!("more than {MOST_NODES} elements, those by <use> counted each time"),
            });
        }
        let transform = Affine2::from_mat2_translation(transform.matrix2.as_mat2(), transform.translation.as_vec2());
        let node = hitgraph::Node::new(name)
            .with_transform(Transform::from_affine(transform))
            .with_owns_subtree(self.options.between_layers && is_layer(element))
            .with_user_data(line as u64);
        Ok(self.drawing.scene.add_child(context.parent, node).expect("parents are added first"))
    }

    /// Returns the label or the id of an element, or else its place in the file, after the names of the `<use>` elements
    /// that lead to it.
    fn name(&mut self, element: Node<'a, 'input>, context: &Context) -> String {
        let (line, column) = self.lines.place(element.range().start);
        let (label, id) = (naming::label(element), naming::id(element));
        let shown = label.or(id.as_deref());
        let by_place = format!("{}{}@{line}:{column}", context.path, shown.unwrap_or(element.tag_name().name()));
        let Some(shown) = shown else { return by_place };
        // Several elements may have one label, so the id distinguishes them.
        let labelled = label.zip(id.as_deref()).map(|(label, id)| format!("{}{label}#{id}", context.path));
        let name = format!("{}{shown}", context.path);
        for name in [Some(name.clone()), labelled].into_iter().flatten() {
            if !self.names.contains_key(&name) {
                self.names.insert(name.clone(), line);
                return name;
            }
        }
        if label.is_none() {
            let reason = format!("line {} has this id too, so here it is {by_place}", self.names[&name]);
            self.drawing.remarks.push(Remark { verdict: Verdict::Renamed, name, line, reason });
        }
        by_place
    }

    fn is_hidden(&mut self, element: &Element<'_, '_>) -> bool {
        let transparent = element.property("opacity").is_some_and(|text| text.parse() == Ok(0.0));
        let hidden = transparent || element.property("display") == Some("none");
        self.drawing.hidden += usize::from(hidden);
        hidden
    }

    /// Returns `true` if the options leave the element out.
    fn is_left_out(&mut self, node: Node<'_, '_>) -> bool {
        let left_out = self.is_named(node, &self.options.ignored) || (self.options.skip_locked && is_locked(node));
        self.drawing.left_out += usize::from(left_out);
        left_out
    }

    /// Returns `true` if the label or the id of an element is one of these names.
    fn is_named(&mut self, node: Node<'_, '_>, names: &'a [String]) -> bool {
        let (label, id) = (naming::label(node), naming::id(node));
        let own = [label, id.as_deref(), node.attribute("id")];
        let mut named = false;
        for name in names.iter().filter(|name| own.contains(&Some(name.as_str()))) {
            self.found.insert(name);
            named = true;
        }
        named
    }

    /// Counts the properties of an element that change the picture only.
    fn report_ignored(&mut self, element: &Element<'_, '_>) {
        for name in IGNORED {
            if element.property(name).is_some_and(|value| value != "none") {
                self.drawing.ignored.add(name, self.lines.of_element(element.node));
            }
        }
    }

    /// Counts the at-rules of style sheets, which are not read.
    fn report_style_rules(&mut self, root: Node<'_, '_>) {
        for style in root.descendants().filter(|node| node.tag_name().name() == "style") {
            let text: String = style.children().filter_map(|child| child.text()).collect();
            for rule in ["@import", "@media"] {
                (0..text.matches(rule).count())
                    .for_each(|_| self.drawing.unsupported.add(rule, self.lines.of_element(style)));
            }
        }
    }

    fn leave_out(&mut self, element: Node<'a, 'input>, name: String, reason: Reason) {
        let line = self.lines.of_element(element);
        match reason {
            Reason::Unsupported(kind) => self.drawing.unsupported.add(kind, line),
            reason => self.drawing.remarks.push(Remark::new(name, line, &reason)),
        }
    }

    /// Reports colliders that are not finite in world space, because finite transforms may overflow when they are
    /// multiplied, and takes the collider from shapes that are as large as the page.
    fn finish(&mut self) {
        let Drawing { scene, remarks, units, .. } = &mut self.drawing;
        let mut backgrounds = Vec::new();
        let page = units.page().filter(|_| !self.options.keep_background);
        let world = scene.world();
        for node in world.descendants(world.root()) {
            let Some(collider) = world.colliders(node).first() else { continue };
            let (name, line) = (world.scene()[node].name.to_string(), world.scene()[node].user_data as usize);
            if world.bounds(*collider).is_none_or(|bounds| !bounds.is_finite()) {
                let reason = Reason::Value("its transforms lead too far away".to_owned());
                remarks.push(Remark::new(name, line, &reason));
            } else if page.is_some_and(|page| world.shape(*collider).is_some_and(|shape| covers(shape, page))) {
                let reason = "as large as the page, so it is not tested".to_owned();
                remarks.push(Remark { verdict: Verdict::Background, name, line, reason });
                backgrounds.push(*collider);
            }
        }
        for background in backgrounds {
            scene.detach(background);
        }
        remarks.sort_by_key(|remark| remark.line);
        let names = self.options.layers.iter().chain(&self.options.ignored);
        self.drawing.unknown_names = names.filter(|name| !self.found.contains(name.as_str())).cloned().collect();
    }
}

/// Returns `true` if a convex shape contains the corners of the page, up to half a percent of its size.
fn covers(shape: &Shape, (corner, size): (DVec2, DVec2)) -> bool {
    let corners = [(0.005, 0.005), (0.995, 0.005), (0.005, 0.995), (0.995, 0.995)];
    let is_inside = |share: (f64, f64)| shape.overlaps(&Circle::new(0.0).at(at(corner, size, share)).into());
    size.min_element() > 0.0 && corners.into_iter().all(is_inside)
}

fn at(corner: DVec2, size: DVec2, share: (f64, f64)) -> Vec2 {
    (corner + size * DVec2::from(share)).as_vec2()
}

fn is_shape(element: Node<'_, '_>) -> bool {
    let shapes = ["rect", "circle", "ellipse", "line", "polyline", "polygon", "path"];
    shapes.contains(&element.tag_name().name())
}

/// Returns `x` and `y` of a `<use>` element as a translation.
fn offset(element: &Element<'_, '_>, units: Units) -> Result<DAffine2, Reason> {
    let [x, y] = [("x", Along::X), ("y", Along::Y)].map(|(name, along)| units.length(element, name, along));
    Ok(DAffine2::from_translation(DVec2::new(x?.unwrap_or(0.0), y?.unwrap_or(0.0))))
}
