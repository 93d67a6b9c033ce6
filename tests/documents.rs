//! The documents: every link has a target, every page is in the book, and every example of the guide is a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Returns the paths of all Markdown files, relative to the root of the repository, sorted.
fn pages() -> Vec<PathBuf> {
    let (mut pages, mut pending) = (Vec::new(), vec![root().to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
                pending.push(path);
            } else if name.ends_with(".md") {
                pages.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    pages.sort();
    assert!(pages.len() > 15, "only {} pages were found", pages.len());
    pages
}

/// Returns the lines outside fenced code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

/// Returns the destinations of all links of a page: of Markdown links, and of `src` and `href` attributes.
fn links(text: &str) -> Vec<String> {
    // The text of a link may contain a line break; its destination may not.
    let text: String = prose(text).flat_map(|line| [line, "\n"]).collect();
    // Text in backticks contains no links.
    let text: String = text.split('`').step_by(2).collect();
    let between = |begin: &str, end: &[char]| -> Vec<String> {
        text.split(begin).skip(1).filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
    };
    [between("](", &[')', ' ']), between("src=\"", &['"']), between("href=\"", &['"'])].concat()
}

/// Returns the anchors that GitHub derives from the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(text) {
        let Some(heading) = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()) else { continue };
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let anchor = anchor.to_lowercase();
        let free = (1..).map(|count| format!("{anchor}-{count}")).find(|name| !anchors.contains(name));
        anchors.insert(if anchors.contains(&anchor) { free.unwrap() } else { anchor });
    }
    anchors
}

/// Resolves `..` in a relative path. Returns `None` if the path leaves the repository.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => normalized.pop().then_some(())?,
            Component::Normal(part) => normalized.push(part),
            _ => {}
        }
    }
    Some(normalized)
}

/// Returns the error of a link on a page, or `None` if the link is external or has a target.
fn link_error(page: &Path, link: &str) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let Some(target) = normalized(&page.parent().unwrap().join(file)) else { return Some("leaves the repository") };
    let target = if file.is_empty() { page.to_owned() } else { target };
    if !root().join(&target).exists() {
        return Some("names no file");
    }
    (!anchor.is_empty() && !anchors(&read(target)).contains(anchor)).then_some("names no heading")
}

#[test]
fn every_link_and_anchor_has_a_target() {
    let mut seen = 0;
    let mut errors = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            seen += 1;
            errors.extend(link_error(&page, &link).map(|why| format!("{}: {link} {why}", page.display())));
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
    assert!(seen > 50, "only {seen} links were found");
}

#[test]
fn links_anchors_and_link_errors_are_found() {
    let page = "# A `b_c`, d-e!\n[x](a.md#b) `[no](no)` <img src=\"c.svg\">\n```\n[no](no)\n# no\n```\n## a b_c d-e";
    assert_eq!(links(page), ["a.md#b", "c.svg"]);
    assert_eq!(anchors(page), BTreeSet::from(["a-b_c-d-e", "a-b_c-d-e-1"].map(str::to_owned)));
    let page = Path::new("docs/conventions.md");
    assert_eq!(link_error(page, "nowhere.md"), Some("names no file"));
    assert_eq!(link_error(page, "#nowhere"), Some("names no heading"));
    assert_eq!(link_error(page, "../../Cargo.toml"), Some("leaves the repository"));
    assert_eq!(link_error(page, "../README.md#moving"), None);
}

#[test]
fn every_picture_is_shown_on_a_page() {
    let shown: BTreeSet<PathBuf> = pages()
        .iter()
        .flat_map(|page| links(&read(page)).into_iter().filter_map(|link| normalized(&page.parent()?.join(link))))
        .collect();
    let files = fs::read_dir(root().join("docs/images")).unwrap();
    let pictures: Vec<PathBuf> = files.map(|file| Path::new("docs/images").join(file.unwrap().file_name())).collect();
    assert!(pictures.len() > 15, "only {} pictures were found", pictures.len());
    let unused: Vec<_> = pictures.iter().filter(|picture| !shown.contains(*picture)).collect();
    assert!(unused.is_empty(), "no page shows {unused:?}");
}

#[test]
fn every_page_is_in_the_book() {
    let summary: BTreeSet<PathBuf> =
        links(&read("docs/SUMMARY.md")).iter().filter_map(|link| normalized(&Path::new("docs").join(link))).collect();
    let documents = pages().into_iter().filter(|page| page.starts_with("docs") && !page.ends_with("SUMMARY.md"));
    assert_eq!(documents.chain([PathBuf::from("README.md")]).collect::<BTreeSet<_>>(), summary);
}

#[test]
fn every_guide_page_with_rust_code_is_a_doctest() {
    let library = read("src/lib.rs");
    for page in pages().into_iter().filter(|page| page.starts_with("docs/guide")) {
        let runs = read(&page).lines().any(|line| line == "```rust");
        let tested = library.contains(&format!("\"{}\"", page.display()));
        assert_eq!(runs, tested, "{}", page.display());
    }
}
