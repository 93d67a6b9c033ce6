//! Tiled maps, by the loader of the example `08_tiled_map`.

#[path = "../../../../08_tiled_map/loader.rs"]
// The functions of the loader that read from disk are unused here.
#[allow(dead_code)]
mod loader;

use std::cell::RefCell;
use std::io;
use std::path::Path;

use super::opener::File;
use super::sheet::Sheet;

/// The kinds of files that can be opened, for the panel.
pub const KINDS: &str = "an SVG drawing or a Tiled map (.tmx, with its .tsx)";
pub const SAMPLE: Option<File> = Some(("cave.tmx", include_bytes!("../../../../maps/cave.tmx")));
/// The tileset of the sample.
const TILESET: File = ("cave.tsx", include_bytes!("../../../../maps/cave.tsx"));

/// Reads a map. `companion` returns the tilesets and templates by their file names without folders.
pub fn read<'a>(name: &str, bytes: &'a [u8], companion: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Sheet, String> {
    let missing = RefCell::new(None);
    let content = |path: &Path| {
        if path == Path::new(name) {
            return Ok(bytes.to_vec());
        }
        // Accepts the path separators of all systems.
        let path = path.to_string_lossy();
        let wanted = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let found = companion(wanted).or_else(|| (wanted == TILESET.0).then_some(TILESET.1));
        found.map(<[u8]>::to_vec).ok_or_else(|| {
            missing.replace(Some(wanted.to_owned()));
            io::Error::from(io::ErrorKind::NotFound)
        })
    };
    let scene = loader::load_with(Path::new(name), content);
    match (scene, missing.into_inner()) {
        (Ok(scene), _) => Ok(Sheet::new(name, scene, None, Vec::new())),
        (Err(_), Some(wanted)) => Err(format!("the map needs {wanted}: drop that file onto the window too")),
        // The caller adds the name of the file.
        (Err(error), None) => {
            let text = error.to_string();
            let rest = text.strip_prefix(name).map(|rest| rest.trim_start_matches([',', ':', ' ']));
            Err(rest.unwrap_or(&text).to_owned())
        }
    }
}
