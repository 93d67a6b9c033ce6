//! The documents: every link has a target, every named source file and test program exists, every page is in the book,
//! and every example of the guide is a test and ends.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Returns the paths of all files with an ending, relative to the root of the repository, sorted.
fn files(ending: &str) -> Vec<PathBuf> {
    let (mut files, mut pending) = (Vec::new(), vec![root().to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
                pending.push(path);
            } else if name.ends_with(ending) {
                files.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    files.sort();
    assert!(files.len() > 15, "only {} files end with {ending}", files.len());
    files
}

/// Returns the paths of all Markdown files.
fn pages() -> Vec<PathBuf> {
    files(".md")
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

/// Returns the Rust files that a page names outside its Rust code: in prose, links and commands.
fn named_sources(text: &str) -> Vec<PathBuf> {
    // Rust code is between a line that begins with "```rust" and the next fence.
    let outside = text.split("\n```rust").enumerate().map(|(index, part)| match (index, part.split_once("\n```")) {
        (0, _) | (_, None) => part,
        (_, Some((_code, rest))) => rest,
    });
    let words =
        outside.flat_map(|part| part.split(|letter: char| !letter.is_alphanumeric() && !"_-/.:".contains(letter)));
    let paths = words.map(|word| word.trim_end_matches(['.', ':'])).filter(|word| !word.contains("://"));
    paths.filter(|word| word.ends_with(".rs")).map(|word| word.trim_start_matches("../").into()).collect()
}

/// Returns the test programs that a page names in a command or as "the test `name`".
fn named_tests(text: &str) -> Vec<String> {
    let text = text.replace('\n', " ");
    let names = ["--test ", "--test=", "test `", "test (`"].map(|before| {
        let rests = text.split(before).skip(1);
        rests.filter_map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next())
    });
    names.into_iter().flatten().map(str::to_owned).collect()
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
fn every_named_source_file_and_test_program_exists() {
    let sources = files(".rs");
    let (mut seen, mut missing) = (0, Vec::new());
    for page in pages() {
        let text = read(&page);
        let tests = named_tests(&text).into_iter().map(|name| PathBuf::from(format!("tests/{name}.rs")));
        for named in named_sources(&text).into_iter().chain(tests) {
            seen += 1;
            if !sources.iter().any(|source| source.ends_with(&named)) {
                missing.push(format!("{}: no {}", page.display(), named.display()));
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
    assert!(seen > 60, "only {seen} names were found");
}

#[test]
fn named_sources_and_tests_are_found() {
    let page =
        "`b/c.rs`, [d](../../e/d.rs#x), <https://docs.rs>.\n```rust\n// no.rs\n```\n```sh\nrun -f f.rs --test g\n```";
    assert_eq!(named_sources(page), ["b/c.rs", "e/d.rs", "f.rs"].map(PathBuf::from));
    assert_eq!(named_tests("The test\n`a_b` runs. A test (`c`)\ncargo test --test d --test=e"), ["d", "e", "a_b", "c"]);
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

/// Returns the checks that `.ci/run` runs by default.
fn checks() -> Vec<String> {
    let script = read(".ci/run");
    let list = script.split("\nall=(\n").nth(1).and_then(|rest| rest.split(')').next());
    list.expect("`.ci/run` has a list of its checks").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_workflows_run_every_check_of_the_script_and_no_other() {
    let workflows = ["checks", "fuzz"].map(|name| read(format!(".github/workflows/{name}.yml"))).concat();
    let runs = workflows.lines().filter_map(|line| line.trim().strip_prefix("- run: .ci/run "));
    let run: BTreeSet<&str> = runs.flat_map(str::split_whitespace).collect();
    let mut checks = checks();
    checks.push("fuzz".into());
    assert_eq!(run, checks.iter().map(String::as_str).collect());
    let script = read(".ci/run");
    let missing: Vec<_> = checks.iter().filter(|name| !script.contains(&format!("\n{name}() {{"))).collect();
    assert!(missing.is_empty(), "no function {missing:?}");
}

#[test]
fn no_example_of_the_guide_loops_without_a_limit() {
    for page in pages().into_iter().filter(|page| page.starts_with("docs/guide")) {
        let text = read(&page);
        let endless = text.lines().position(|line| line.trim_end().ends_with("loop {"));
        assert_eq!(endless.map(|index| index + 1), None, "the line in {}", page.display());
    }
}

#[test]
fn no_common_task_takes_more_than_four_lines() {
    let page = read("docs/guide/common_tasks.md");
    let is_part = |line: &&str| !line.trim().is_empty() && line.trim() != "};";
    let tasks = page.split("// The task\n").skip(1).map(|task| task.lines().take_while(is_part).count());
    let lengths: Vec<usize> = tasks.collect();
    let sections = prose(&page).filter(|line| line.starts_with("## ")).count();
    assert_eq!((lengths.len(), sections), (22, 22));
    assert!(lengths.iter().all(|lines| (1..=4).contains(lines)), "{lengths:?}");
}
