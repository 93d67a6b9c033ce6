//! Every public type and method has an example in its documentation.
//!
//! A method has one if its own documentation contains code, if the example of its type calls it by name, or if its
//! documentation states that it does the same as another method that has one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use support::source_files::{source_files, source_folder};
use syn::{Item, LitStr, UseTree, Visibility};

/// Items that have no example, and the reason.
const WITHOUT_EXAMPLE: [(&str, &str); 1] = [("Collider::support", "the example of the trait implements it")];

/// Returns the tokens of every source file of the library.
fn sources() -> Vec<TokenStream> {
    source_files().iter().map(|path| fs::read_to_string(path).unwrap().parse().unwrap()).collect()
}

/// Returns the names that `src/lib.rs` exports, except crates.
fn exports() -> BTreeSet<String> {
    fn names(tree: &UseTree, found: &mut BTreeSet<String>) {
        match tree {
            UseTree::Path(path) => names(&path.tree, found),
            UseTree::Name(name) => drop(found.insert(name.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, found)),
            _ => panic!("the library renames nothing that it exports"),
        }
    }
    let library = syn::parse_file(&fs::read_to_string(source_folder().join("lib.rs")).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    for item in &library.items {
        if let Item::Use(item) = item
            && !matches!(item.vis, Visibility::Inherited)
        {
            names(&item.tree, &mut found);
        }
    }
    found.remove("glam");
    found
}

/// Returns the code of the examples in a documentation, without comments.
fn code(documentation: &str) -> String {
    let blocks = documentation.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(str::lines).filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns `true` if some code calls a function or method by its name.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let after = &code[at + name.len()..];
        code[..at].ends_with(['.', ':']) && !after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}

/// Returns the methods that the documentation of a method of a type names as its equals, as in "the same as
/// [`x`](Self::x)" or "as [`Scene::x`]", each with its type.
fn equals<'a>(of: &'a str, documentation: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let links = documentation.split("as [`").skip(1).filter_map(|rest| rest.split_once('`'));
    links.map(move |(path, _)| path.rsplit_once("::").filter(|(other, _)| *other != "Self").unwrap_or((of, path)))
}

/// Returns the line of a documentation that an attribute contains.
fn doc_line(attribute: TokenStream) -> Option<String> {
    let mut tokens = attribute.into_iter();
    let is_doc = tokens.next()?.to_string() == "doc" && tokens.next()?.to_string() == "=";
    let text: LitStr = is_doc.then(|| syn::parse2(tokens.collect()).ok())??;
    Some(text.value() + "\n")
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Skips the rest of an item and returns the tokens between its braces, if it has braces before a semicolon.
fn skip_to_braces(tokens: &mut impl Iterator<Item = TokenTree>) -> TokenStream {
    match tokens.find(|token| is_braces(token) || token.to_string() == ";") {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    }
}

/// Returns the name of the type after `impl` and its generic parameters.
fn self_type(head: &[String]) -> Option<&str> {
    let mut depth = 0;
    head.iter().map(String::as_str).find(|token| {
        depth += i32::from(*token == "<") - i32::from(*token == ">");
        depth == 0 && *token != ">"
    })
}

/// The public types and traits with their documentation, and their public methods with theirs.
#[derive(Default)]
struct Api {
    types: BTreeMap<String, String>,
    methods: BTreeMap<(String, String), String>,
}

/// The item whose braces contain some tokens.
#[derive(Clone, Copy)]
enum Within<'a> {
    Module,
    /// The inherent methods of a type.
    Impl(&'a str),
    Trait(&'a str),
}

impl Api {
    fn read() -> Self {
        let (mut api, exports) = (Self::default(), exports());
        for tokens in sources() {
            api.scan(tokens, Within::Module);
        }
        api.types.retain(|name, _| exports.contains(name));
        api.methods.retain(|(of, _), _| exports.contains(of));
        let missing: Vec<_> = exports.iter().filter(|name| !api.types.contains_key(*name)).collect();
        assert!(missing.is_empty(), "no definition of {missing:?} was found");
        api
    }

    /// Adds the public items among some tokens, in macros too, because macros declare some of them.
    fn scan(&mut self, tokens: TokenStream, within: Within<'_>) {
        let mut tokens = tokens.into_iter().peekable();
        let (mut text, mut is_public, mut is_hidden) = (String::new(), false, false);
        while let Some(token) = tokens.next() {
            let word = match &token {
                TokenTree::Ident(ident) => ident.to_string(),
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if let Some(TokenTree::Group(attribute)) =
                        tokens.next_if(|next| matches!(next, TokenTree::Group(_)))
                    {
                        let attribute = attribute.stream();
                        is_hidden |= ["doc (hidden)", "cfg (test)"].contains(&&*attribute.to_string());
                        text.extend(doc_line(attribute));
                    }
                    continue;
                }
                TokenTree::Group(group) => {
                    self.scan(group.stream(), within);
                    String::new()
                }
                _ => String::new(),
            };
            let mut name = || tokens.peek().map(ToString::to_string).unwrap_or_default();
            match &*word {
                "pub" => {
                    let is_restricted = |next: &TokenTree| matches!(next, TokenTree::Group(_));
                    is_public = tokens.next_if(is_restricted).is_none();
                    continue;
                }
                "const" | "unsafe" => continue,
                "fn" => {
                    let of = match within {
                        Within::Impl(name) if is_public => Some(name),
                        Within::Trait(name) => Some(name),
                        _ => None,
                    };
                    if let Some(of) = of.filter(|_| !is_hidden) {
                        self.methods.insert((of.to_owned(), name()), text.clone());
                    }
                    skip_to_braces(&mut tokens);
                }
                "struct" | "enum" | "trait" => {
                    let name = name();
                    if is_public && !is_hidden {
                        self.types.insert(name.clone(), text.clone());
                    }
                    let body = skip_to_braces(&mut tokens);
                    if word == "trait" {
                        self.scan(body, Within::Trait(&name));
                    }
                }
                "impl" => {
                    let mut head = Vec::new();
                    while let Some(next) = tokens.next_if(|next| !is_braces(next)) {
                        head.push(next.to_string());
                    }
                    let of = self_type(&head).filter(|_| !head.contains(&"for".to_owned()));
                    if let (Some(of), false) = (of, is_hidden) {
                        self.scan(skip_to_braces(&mut tokens), Within::Impl(of));
                    } else {
                        skip_to_braces(&mut tokens);
                    }
                }
                "mod" => {
                    let body = skip_to_braces(&mut tokens);
                    if !is_hidden {
                        self.scan(body, Within::Module);
                    }
                }
                _ => {}
            }
            (text, is_public, is_hidden) = (String::new(), false, false);
        }
    }

    /// Returns `true` if a method has an example.
    fn has_example(&self, of: &str, name: &str) -> bool {
        let Some(text) = self.methods.get(&(of.to_owned(), name.to_owned())) else { return false };
        text.contains("```")
            || calls(&code(&self.types[of]), name)
            || equals(of, text).any(|other| other != (of, name) && self.has_example(other.0, other.1))
    }
}

#[test]
fn examples_calls_and_equals_are_found() {
    let text = "Returns x.\n\n```\n// not.this(1)\nshape.radius();\nlet map = Tiles::new(1);\n```\nSee y.";
    let code = code(text);
    assert!(calls(&code, "radius") && calls(&code, "new"));
    assert!(!calls(&code, "this") && !calls(&code, "radi") && !calls(&code, "map"));
    let equal = "Does the same as [`overlaps`](Self::overlaps), and is as [`Scene::path`].";
    assert_eq!(equals("World", equal).collect::<Vec<_>>(), [("World", "overlaps"), ("Scene", "path")]);

    let mut api = Api::default();
    let source =
        "/// A.\npub struct A; impl<T> A<T> { /// B.\n pub const fn b(&self) {} fn c() {} pub(crate) fn d() {} }
        impl X for A { fn e() {} } m! { /// F.\n pub enum F {} impl F { #[doc(hidden)] pub fn g() {} } }
        pub trait T { /// H.\n #[must_use] fn h(&self) { self.i() } } #[cfg(test)] mod tests { pub struct J; }";
    api.scan(source.parse().unwrap(), Within::Module);
    let types: Vec<&str> = api.types.keys().map(String::as_str).collect();
    let methods: Vec<_> = api.methods.iter().map(|((of, name), text)| (&**of, &**name, text.trim())).collect();
    assert_eq!(types, ["A", "F", "T"]);
    assert_eq!(methods, [("A", "b", "B."), ("T", "h", "H.")]);
}

#[test]
fn every_public_item_has_an_example_or_a_reason_for_having_none() {
    let api = Api::read();
    let types = api.types.iter().filter(|(_, text)| !text.contains("```")).map(|(name, _)| name.clone());
    let methods = api.methods.keys().filter(|(of, name)| !api.has_example(of, name));
    let without: BTreeSet<String> = types.chain(methods.map(|(of, name)| format!("{of}::{name}"))).collect();
    let explained: BTreeSet<String> = WITHOUT_EXAMPLE.iter().map(|(item, _)| (*item).to_owned()).collect();
    let unexplained: Vec<&String> = without.difference(&explained).collect();
    assert!(api.types.len() > 40 && api.methods.len() > 250, "{} methods were found", api.methods.len());
    assert!(unexplained.is_empty(), "{} items have no example: {unexplained:#?}", unexplained.len());
    let needless: Vec<&String> = explained.difference(&without).collect();
    assert!(needless.is_empty(), "these items have an example: {needless:?}");
}
