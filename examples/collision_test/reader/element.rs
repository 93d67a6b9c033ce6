//! Elements with the properties that style sheets give them.

use roxmltree::Node;
use simplecss::{AttributeOperator, DeclarationTokenizer, PseudoClass, StyleSheet};

/// The rules of all `<style>` elements of a document.
pub struct Styles<'a> {
    sheet: StyleSheet<'a>,
}

/// An element and the declarations that apply to it.
pub struct Element<'a, 'input> {
    pub node: Node<'a, 'input>,
    /// Name and value. The last declaration of a name wins.
    declarations: Vec<(&'a str, &'a str)>,
}

impl<'a> Styles<'a> {
    /// Parses the `<style>` elements of the document with this root.
    pub fn of_document(root: Node<'a, '_>) -> Self {
        let mut sheet = StyleSheet::new();
        for style in root.descendants().filter(|node| is_style(*node)) {
            style.children().filter_map(|child| child.text()).for_each(|text| sheet.parse_more(text));
        }
        Self { sheet }
    }

    pub fn rule_count(&self) -> usize {
        self.sheet.rules.len()
    }

    /// Returns the element with its declarations in the order of the cascade: the rules by specificity, the `style`
    /// attribute, and then those of both that are important.
    pub fn style<'input>(&self, node: Node<'a, 'input>) -> Element<'a, 'input> {
        let rules = self.sheet.rules.iter().filter(|rule| rule.selector.matches(&Selected(node)));
        let inline = DeclarationTokenizer::from(node.attribute("style").unwrap_or_default());
        let cascade: Vec<_> = rules.flat_map(|rule| rule.declarations.iter().copied()).chain(inline).collect();
        let of = |important: bool| cascade.iter().filter(move |declaration| declaration.important == important);
        let declarations = of(false).chain(of(true)).map(|declaration| (declaration.name, declaration.value)).collect();
        Element { node, declarations }
    }
}

impl<'a> Element<'a, '_> {
    /// Returns the value that style sheets or the `style` attribute declare.
    pub fn declared(&self, name: &str) -> Option<&'a str> {
        self.declarations.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value.trim())
    }

    /// Returns the declared value, or else the attribute of that name.
    pub fn property(&self, name: &str) -> Option<&'a str> {
        self.declared(name).or_else(|| self.node.attribute(name).map(str::trim))
    }
}

fn is_style(node: Node<'_, '_>) -> bool {
    let of_css = matches!(node.attribute("type"), None | Some("" | "text/css"));
    node.is_element() && node.tag_name().name() == "style" && of_css
}

/// An element as a style sheet selects it.
struct Selected<'a, 'input>(Node<'a, 'input>);

impl simplecss::Element for Selected<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Selected)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Selected)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, local_name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(local_name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.0.prev_sibling_element().is_none()
    }
}
