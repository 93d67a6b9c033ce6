//! The cost of building the library and its dependencies from scratch: CPU seconds of `cargo build --release`. Linux
//! only.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::race::median;
use crate::report::{Report, Row};

pub fn run(rounds: usize, report: &mut Report) -> Result<(), String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = std::env::temp_dir().join(format!("hitgraph-peers-{}", std::process::id()));
    let hosts = [
        ("ours", format!("hitgraph = {{ path = {root:?} }}")),
        ("parry", format!("parry2d = \"={}\"", crate::document::version("parry2d"))),
    ];
    let mut times = [Vec::new(), Vec::new()];
    let mut crates = [0; 2];
    for _ in 0..rounds {
        for (at, (name, dependency)) in hosts.iter().enumerate() {
            let host = folder.join(name);
            let seconds = cold(&host, dependency).map_err(|error| format!("cold build of {name}: {error}"))?;
            times[at].push(seconds);
            crates[at] = count(&host)?;
        }
    }
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    let ratios = times[0].iter().zip(&times[1]).map(|(ours, peer)| peer / ours).collect();
    let [ours, peer] = times;
    report.push(Row {
        work: "cold release build".to_owned(),
        ours: "hitgraph",
        ours_seconds: median(ours),
        peer: "parry2d",
        peer_seconds: median(peer),
        ratio: median(ratios),
    });
    report.figure("crates to build, ours", crates[0] as f64, "");
    report.figure("crates to build, parry2d", crates[1] as f64, "");
    Ok(())
}

/// Returns the CPU seconds of a build that starts from the downloaded sources.
fn cold(host: &Path, dependency: &str) -> Result<f64, String> {
    let text = |error: std::io::Error| error.to_string();
    if host.exists() {
        std::fs::remove_dir_all(host.join("target")).map_err(text)?;
    }
    std::fs::create_dir_all(host.join("src")).map_err(text)?;
    let manifest = format!(
        "[package]\nname = \"host\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n\n[workspace]\n"
    );
    std::fs::write(host.join("Cargo.toml"), manifest).map_err(text)?;
    std::fs::write(host.join("src/lib.rs"), "").map_err(text)?;
    cargo(host, &["fetch"])?;
    let before = children()?;
    cargo(host, &["build", "--release", "--offline"])?;
    Ok(children()? - before)
}

fn cargo(host: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(args)
        .current_dir(host)
        .env("CARGO_TARGET_DIR", host.join("target"))
        .env_remove("RUSTFLAGS")
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Returns the number of crates that the host depends on.
fn count(host: &Path) -> Result<usize, String> {
    let tree = cargo(host, &["tree", "--prefix", "none", "--edges", "normal,build", "--format", "{p}"])?;
    let mut crates: Vec<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    crates.sort_unstable();
    crates.dedup();
    Ok(crates.iter().filter(|line| !line.is_empty()).count() - 1)
}

/// Returns the CPU seconds of all finished child processes and their children.
fn children() -> Result<f64, String> {
    /// Linux reports these times in hundredths of a second, independent of the kernel's own tick.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // The process name before it may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<_> = fields.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    match (ticks(13), ticks(14)) {
        (Some(user), Some(system)) => Ok((user + system) / TICKS),
        _ => Err("/proc/self/stat is not as expected".to_owned()),
    }
}
