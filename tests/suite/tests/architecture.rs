//! Rules of the source tree that no compiler checks: the direction of imports, the size of files, the place of
//! tolerances and of hidden state.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use support::source_files::{source_files, source_folder};
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemUse, Lit, Macro, Meta, UseTree, Visibility};

/// The folders of `src/` from the bottom up. A file imports from its own folder and from the folders named with it.
const LAYERS: [(&str, &[&str]); 7] = [
    ("math", &[]),
    ("index", &["math"]),
    ("geometry", &["math"]),
    ("shape", &["math", "geometry"]),
    ("composite", &["math", "index", "geometry", "shape"]),
    ("collider", &["math", "index", "geometry", "shape", "composite"]),
    ("scene", &["math", "index", "geometry", "shape", "composite", "collider"]),
];

/// No file has more lines of code than this, comments and unit tests not counted.
const MAX_LINES: usize = 400;

/// A float literal below this, in a file other than this one, is a tolerance in the wrong place.
const SMALLEST_LITERAL: f64 = 1e-2;
const TOLERANCES: &str = "math/tolerance.rs";

/// The path of a module below the crate, such as `["geometry", "gjk"]`.
type Module = Vec<String>;

/// Every source file of the library, parsed, without its unit tests.
struct Sources {
    files: BTreeMap<Module, Source>,
}

struct Source {
    /// The path below `src/`.
    path: PathBuf,
    text: String,
    syntax: File,
    /// The names that the module re-exports, with the paths that they stand for.
    exports: BTreeMap<String, Vec<String>>,
}

impl Sources {
    fn read() -> Self {
        let files = source_files().into_iter().filter(|path| !path.ends_with("tests.rs"));
        let sources = files.map(|path| Source::parse(&path));
        let files: BTreeMap<Module, Source> = sources.map(|source| (module_of(&source.path), source)).collect();
        assert!(files.len() > 60, "found only {} files", files.len());
        Self { files }
    }

    /// The module whose file defines what a path names, as seen from a module; `None` for other crates and for locals.
    fn resolve(&self, from: &Module, path: &[String]) -> Option<Module> {
        let (mut module, mut rest) = match path.first()?.as_str() {
            "crate" => (Module::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|segment| *segment == "super").count();
                (from[..from.len().checked_sub(ups)?].to_vec(), &path[ups..])
            }
            first => {
                let child: Module = from.iter().cloned().chain([first.to_owned()]).collect();
                (from.clone(), self.files.contains_key(&child).then_some(path)?)
            }
        };
        while let Some((name, after)) = rest.split_first() {
            let child: Module = module.iter().cloned().chain([name.clone()]).collect();
            if self.files.contains_key(&child) {
                (module, rest) = (child, after);
                continue;
            }
            // A re-export does not define the name: follow it to the file that does.
            if let Some(target) = self.files.get(&module)?.exports.get(name) {
                return self.resolve(&module, target);
            }
            break;
        }
        Some(module)
    }

    /// The modules that each module imports from.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let imports_of = |module: &Module, source: &Source| {
            let mut found = Imports::default();
            found.visit_file(&source.syntax);
            let targets = found.paths.iter().filter_map(|path| self.resolve(module, path));
            targets.filter(|target| target != module && !target.is_empty()).collect()
        };
        let files = self.files.iter().filter(|(module, _)| !module.is_empty());
        files.map(|(module, source)| (module, imports_of(module, source))).collect()
    }
}

impl Source {
    fn parse(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        syntax.items.retain(|item| !is_test(attributes(item)));
        let mut exports = BTreeMap::new();
        for item in &syntax.items {
            if let Item::Use(ItemUse { vis, tree, .. }) = item
                && !matches!(vis, Visibility::Inherited)
            {
                exports.extend(paths(tree));
            }
        }
        Self { path: path.strip_prefix(source_folder()).unwrap().to_owned(), text, syntax, exports }
    }

    /// The lines that are neither blank, nor comments, nor part of the unit tests, which stand last.
    fn code(&self) -> usize {
        let lines = self.text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
        lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    }
}

fn module_of(path: &Path) -> Module {
    let mut module: Module = path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |list: &syn::MetaList| list.path.is_ident("cfg") && list.tokens.to_string() == "test";
    attributes.iter().any(|attribute| matches!(&attribute.meta, Meta::List(list) if is_test(list)))
}

/// The names that a `use` brings into scope, each with its whole path.
fn paths(tree: &UseTree) -> Vec<(String, Vec<String>)> {
    match tree {
        UseTree::Path(path) => {
            let first = path.ident.to_string();
            let prefixed = |(name, rest): (String, Vec<String>)| {
                let path = if rest == ["self"] { vec![first.clone()] } else { [vec![first.clone()], rest].concat() };
                (if name == "self" { first.clone() } else { name }, path)
            };
            paths(&path.tree).into_iter().map(prefixed).collect()
        }
        UseTree::Name(name) => vec![(name.ident.to_string(), vec![name.ident.to_string()])],
        UseTree::Rename(rename) => vec![(rename.rename.to_string(), vec![rename.ident.to_string()])],
        UseTree::Glob(_) => panic!("the library has no glob imports outside unit tests"),
        UseTree::Group(group) => group.items.iter().flat_map(paths).collect(),
    }
}

/// The paths that a file names, in `use` declarations, in code and in macros. Re-exports do not count.
#[derive(Default)]
struct Imports {
    paths: Vec<Vec<String>>,
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            self.paths.extend(paths(&item.tree).into_iter().map(|(_, path)| path));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if ["crate", "super", "self"].contains(&&*segments[0]) && segments.len() > 1 {
            self.paths.push(segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.in_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}

impl Imports {
    /// Finds `crate::a::b` in the tokens of a macro.
    fn in_tokens(&mut self, tokens: TokenStream) {
        let mut path: Option<Vec<String>> = None;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if ident == "crate" => path = Some(vec!["crate".to_owned()]),
                TokenTree::Ident(ident) => path = path.map(|path| [path, vec![ident.to_string()]].concat()),
                TokenTree::Punct(punct) if punct.as_char() == ':' => {}
                TokenTree::Group(group) => {
                    self.in_tokens(group.stream());
                    self.paths.extend(path.take());
                }
                _ => self.paths.extend(path.take()),
            }
        }
        self.paths.extend(path);
    }
}

/// A cycle in a graph, if there is one: the first that a depth-first search finds.
fn cycle<'a>(edges: &'a BTreeMap<&'a Module, BTreeSet<Module>>) -> Option<Vec<&'a Module>> {
    fn search<'a>(
        module: &'a Module,
        edges: &'a BTreeMap<&'a Module, BTreeSet<Module>>,
        path: &mut Vec<&'a Module>,
        done: &mut BTreeSet<&'a Module>,
    ) -> Option<Vec<&'a Module>> {
        if let Some(start) = path.iter().position(|other| *other == module) {
            return Some(path[start..].to_vec());
        }
        if !done.insert(module) {
            return None;
        }
        path.push(module);
        let found = edges.get(module).into_iter().flatten().find_map(|next| search(next, edges, path, done));
        path.pop();
        found
    }
    let (mut path, mut done) = (Vec::new(), BTreeSet::new());
    edges.keys().find_map(|module| search(module, edges, &mut path, &mut done))
}

#[test]
fn imports_point_down_the_layers() {
    let sources = Sources::read();
    let mut count = 0;
    for (module, targets) in sources.imports() {
        let (_, below) = LAYERS.iter().find(|(name, _)| *name == module[0]).expect("every folder is a layer");
        for target in targets {
            count += 1;
            let allowed = target[0] == module[0] || below.contains(&&*target[0]);
            assert!(allowed, "{} imports {}", module.join("::"), target.join("::"));
        }
    }
    assert!(count > 200, "found only {count} imports");
}

#[test]
fn no_two_files_import_each_other_even_indirectly() {
    let sources = Sources::read();
    let imports = sources.imports();
    let found = cycle(&imports).map(|cycle| cycle.iter().map(|module| module.join("::")).collect::<Vec<_>>());
    assert_eq!(found, None, "an import cycle");
}

#[test]
fn the_search_for_cycles_finds_one() {
    let module = |name: &str| vec![name.to_owned()];
    let names = ["a", "b", "c"].map(module);
    let mut edges: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    edges.insert(&names[0], [names[1].clone()].into());
    edges.insert(&names[1], [names[2].clone()].into());
    assert_eq!(cycle(&edges), None);
    edges.insert(&names[2], [names[1].clone()].into());
    assert_eq!(cycle(&edges), Some(vec![&names[1], &names[2]]));
}

#[test]
fn the_search_for_imports_sees_uses_paths_and_macros() {
    let code = "use crate::{math::{Aabb, tolerance::BOUNDS as B}, shape};
        pub use crate::scene::Scene;
        fn f(a: super::x::Y) { g!(crate::index::Index, 1); crate::collider::h(); }";
    let mut found = Imports::default();
    found.visit_file(&syn::parse_file(code).unwrap());
    let found: Vec<String> = found.paths.iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::math::Aabb",
        "crate::math::tolerance::BOUNDS",
        "crate::shape",
        "super::x::Y",
        "crate::index::Index",
        "crate::collider::h",
    ];
    assert_eq!(found, expected, "all but the re-export");
}

#[test]
fn no_file_has_over_400_lines_of_code() {
    for source in Sources::read().files.values() {
        let lines = source.code();
        assert!(lines <= MAX_LINES, "{} has {lines} lines of code", source.path.display());
    }
}

/// The float literals of a file, in code and in macros.
#[derive(Default)]
struct Floats(Vec<f64>);

impl<'ast> Visit<'ast> for Floats {
    fn visit_lit(&mut self, lit: &'ast Lit) {
        if let Lit::Float(float) = lit {
            self.0.push(float.base10_parse().unwrap());
        }
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        let mut pending = vec![item.tokens.clone()];
        while let Some(tokens) = pending.pop() {
            for token in tokens {
                match token {
                    TokenTree::Group(group) => pending.push(group.stream()),
                    TokenTree::Literal(literal) => {
                        self.visit_lit(&Lit::new(literal));
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn every_tolerance_is_in_one_file() {
    let sources = Sources::read();
    for source in sources.files.values().filter(|source| source.path != Path::new(TOLERANCES)) {
        let mut floats = Floats::default();
        floats.visit_file(&source.syntax);
        let stray = floats.0.into_iter().find(|float| *float > 0.0 && *float < SMALLEST_LITERAL);
        assert_eq!(stray, None, "a tolerance in {}", source.path.display());
        let epsilon = source.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        let mut code = epsilon.filter(|line| !line.trim().starts_with("//"));
        let epsilon = code.find(|line| line.contains("EPSILON"));
        assert_eq!(epsilon, None, "a tolerance in {}", source.path.display());
    }
}

/// Scratch memory of a thread and of a scene, and the one value that a shared reference computes and keeps.
const HIDDEN_STATE: [&str; 3] = ["composite/world_forms.rs", "math/pool.rs", "scene/tree/children.rs"];

/// Flags that live as long as one call: of a visitor, and of a move.
const FLAGS_OF_A_CALL: [&str; 3] =
    ["collider/support_shape.rs", "scene/motion/mover.rs", "scene/motion/surroundings.rs"];

#[test]
fn only_three_files_keep_state_behind_a_shared_reference_and_three_have_flags_there() {
    let sources = Sources::read();
    let hides = |source: &&Source| {
        let mut words = source.text.split(|c: char| !c.is_alphanumeric());
        let hidden = ["OnceLock", "OnceCell", "LazyLock", "LazyCell", "RefCell", "Mutex", "RwLock", "Cell"];
        words.any(|word| hidden.contains(&word) || word.starts_with("Atomic"))
    };
    let found: Vec<&Path> = sources.files.values().filter(hides).map(|source| source.path.as_path()).collect();
    let mut expected: Vec<&Path> = HIDDEN_STATE.iter().chain(&FLAGS_OF_A_CALL).map(Path::new).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn nothing_is_exported_by_a_glob() {
    // `Source::parse` rejects every glob import outside unit tests.
    Sources::read();
}

#[test]
fn the_library_depends_on_three_crates() {
    let manifest = fs::read_to_string(source_folder().join("../Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let names = section.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split([' ', '.']).next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert_eq!(names, ["glam", "libm", "rayon", "serde", "slotmap", "smallvec"], "libm, rayon and serde are optional");
}
