//! What is written beside the code: every link leads somewhere, every page is in the book, every example is a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Every page of the repository, as its path from there.
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
    assert!(pages.len() > 15, "these are all the pages");
    pages
}

/// The lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

/// What a page links to: in Markdown, or as the source of a picture.
fn links(text: &str) -> Vec<String> {
    // A link may go over a line's end, but its destination does not.
    let text: String = prose(text).flat_map(|line| [line, "\n"]).collect();
    // What stands in backticks is no link.
    let text: String = text.split('`').step_by(2).collect();
    let after = |begin: &str, end: &[char]| -> Vec<String> {
        text.split(begin).skip(1).filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
    };
    [after("](", &[')', ' ']), after("src=\"", &['"']), after("href=\"", &['"'])].concat()
}

/// The anchors that the headings of a page get on a forge.
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

/// A path without `..` in it; `None` if it leads out of the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => normal.pop().then_some(())?,
            Component::Normal(part) => normal.push(part),
            _ => {}
        }
    }
    Some(normal)
}

/// What is wrong with a link on a page.
fn fault(page: &Path, link: &str) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let Some(target) = normal(&page.parent().unwrap().join(file)) else { return Some("leads out") };
    let target = if file.is_empty() { page.to_owned() } else { target };
    if !root().join(&target).exists() {
        return Some("leads nowhere");
    }
    (!anchor.is_empty() && !anchors(&read(target)).contains(anchor)).then_some("leads to no heading")
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = 0;
    let mut faults = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            seen += 1;
            faults.extend(fault(&page, &link).map(|why| format!("{}: {link} {why}", page.display())));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(seen > 50, "the links were found");
}

#[test]
fn the_search_for_links_finds_them() {
    let page = "# A `b_c`, d-e!\n[x](a.md#b) `[no](no)` <img src=\"c.svg\">\n```\n[no](no)\n# no\n```\n## a b_c d-e";
    assert_eq!(links(page), ["a.md#b", "c.svg"]);
    assert_eq!(anchors(page), BTreeSet::from(["a-b_c-d-e", "a-b_c-d-e-1"].map(str::to_owned)));
    let page = Path::new("docs/conventions.md");
    assert_eq!(fault(page, "nowhere.md"), Some("leads nowhere"));
    assert_eq!(fault(page, "#nowhere"), Some("leads to no heading"));
    assert_eq!(fault(page, "../../Cargo.toml"), Some("leads out"));
    assert_eq!(fault(page, "../README.md#moving"), None);
}

#[test]
fn every_picture_is_on_a_page() {
    let shown: BTreeSet<PathBuf> = pages()
        .iter()
        .flat_map(|page| links(&read(page)).into_iter().filter_map(|link| normal(&page.parent()?.join(link))))
        .collect();
    let files = fs::read_dir(root().join("docs/images")).unwrap();
    let pictures: Vec<PathBuf> = files.map(|file| Path::new("docs/images").join(file.unwrap().file_name())).collect();
    assert!(pictures.len() > 15, "these are all the pictures");
    let unseen: Vec<_> = pictures.iter().filter(|picture| !shown.contains(*picture)).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

#[test]
fn every_page_is_in_the_book() {
    let summary: BTreeSet<PathBuf> =
        links(&read("docs/SUMMARY.md")).iter().filter_map(|link| normal(&Path::new("docs").join(link))).collect();
    let documents = pages().into_iter().filter(|page| page.starts_with("docs") && !page.ends_with("SUMMARY.md"));
    assert_eq!(documents.chain([PathBuf::from("README.md")]).collect::<BTreeSet<_>>(), summary);
}

#[test]
fn every_example_of_the_guide_is_a_test() {
    let front_door = read("src/lib.rs");
    for page in pages().into_iter().filter(|page| page.starts_with("docs/guide")) {
        let runs = read(&page).lines().any(|line| line == "```rust");
        let tested = front_door.contains(&format!("\"{}\"", page.display()));
        assert_eq!(runs, tested, "{}", page.display());
    }
}
