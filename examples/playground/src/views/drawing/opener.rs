//! Opens files: detects their format and collects the files that a map needs.

use std::collections::HashMap;

use super::sheet::Sheet;
use super::svg::reader::document::{decode, parse};
use super::{map, svg};

/// The name and the content of a file.
pub type File = (&'static str, &'static [u8]);

pub const DRAWING: File = ("collision_test.svg", include_bytes!("../../../../drawings/collision_test.svg"));

/// Returns the samples that this build can open, with their names on buttons and in links.
pub fn samples() -> Vec<(&'static str, File)> {
    [("drawing", DRAWING)].into_iter().chain(map::SAMPLE.map(|file| ("map", file))).collect()
}

/// Opens files. A map may be dropped before or after the tilesets and templates that it names.
#[derive(Default)]
pub struct Opener {
    /// The tilesets and templates that were opened, by name.
    companions: HashMap<String, Vec<u8>>,
    /// A map that could not be opened yet.
    pending: Option<(String, Vec<u8>)>,
}

impl Opener {
    /// Opens a file. A tileset or template is stored and gives `None`, or the pending map if there is one.
    pub fn open(&mut self, name: &str, bytes: &[u8]) -> Result<Option<Sheet>, String> {
        if bytes.is_empty() {
            return Err("the file is empty or cannot be read".to_owned());
        }
        let text = decode(bytes.to_vec()).map_err(|fault| fault.to_string())?;
        let document = parse(&text).map_err(|fault| fault.to_string())?;
        match document.root_element().tag_name().name() {
            "svg" => {
                self.pending = None;
                svg::read(name, &document).map(Some)
            }
            "map" => self.map(name, bytes).map(Some),
            "tileset" | "template" => {
                self.companions.insert(name.to_owned(), bytes.to_vec());
                match self.pending.take() {
                    Some((map, bytes)) => self.map(&map, &bytes).map(Some).map_err(|error| format!("{map}: {error}")),
                    None => Ok(None),
                }
            }
            other => Err(format!("neither an SVG drawing nor a Tiled map: the root element is <{other}>")),
        }
    }

    fn map(&mut self, name: &str, bytes: &[u8]) -> Result<Sheet, String> {
        let sheet = map::read(name, bytes, |wanted| self.companions.get(wanted).map(Vec::as_slice));
        self.pending = sheet.is_err().then(|| (name.to_owned(), bytes.to_vec()));
        sheet
    }
}
