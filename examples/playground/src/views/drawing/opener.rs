//! What kind of file it is, and the files that a map needs beside it.

use std::collections::HashMap;

use super::sheet::Sheet;
use super::svg::document::{decode, parse};
use super::{map, svg};

/// Its name and its content.
pub type File = (&'static str, &'static [u8]);

pub const DRAWING: File = ("collision_test.svg", include_bytes!("../../../../drawings/collision_test.svg"));

/// The samples that this build can open, by their names on a button and in an address.
pub fn samples() -> Vec<(&'static str, File)> {
    [("drawing", DRAWING)].into_iter().chain(map::SAMPLE.map(|file| ("map", file))).collect()
}

/// Remembers tilesets and templates, and a map that waits for them.
#[derive(Default)]
pub struct Opener {
    beside: HashMap<String, Vec<u8>>,
    waiting: Option<(String, Vec<u8>)>,
}

impl Opener {
    /// Opens a file. There is nothing to show of one that only a map needs, unless a map has been waiting for it.
    pub fn open(&mut self, name: &str, bytes: &[u8]) -> Result<Option<Sheet>, String> {
        if bytes.is_empty() {
            return Err("it is empty or cannot be read".to_owned());
        }
        let text = decode(bytes.to_vec()).map_err(|fault| fault.to_string())?;
        let document = parse(&text).map_err(|fault| fault.to_string())?;
        match document.root_element().tag_name().name() {
            "svg" => {
                self.waiting = None;
                svg::read(name, &document).map(Some)
            }
            "map" => self.map(name, bytes).map(Some),
            "tileset" | "template" => {
                self.beside.insert(name.to_owned(), bytes.to_vec());
                match self.waiting.take() {
                    Some((map, bytes)) => self.map(&map, &bytes).map(Some).map_err(|error| format!("{map}: {error}")),
                    None => Ok(None),
                }
            }
            other => Err(format!("neither an SVG drawing nor a Tiled map: its outermost element is <{other}>")),
        }
    }

    fn map(&mut self, name: &str, bytes: &[u8]) -> Result<Sheet, String> {
        let sheet = map::read(name, bytes, |wanted| self.beside.get(wanted).map(Vec::as_slice));
        self.waiting = sheet.is_err().then(|| (name.to_owned(), bytes.to_vec()));
        sheet
    }
}
