//! The replacement of `map` in the browser, where the map loader would exceed the size limit of the page.

use super::opener::File;
use super::sheet::Sheet;

pub const KINDS: &str = "an SVG drawing (Tiled maps open in the program for the desktop)";
pub const SAMPLE: Option<File> = None;

pub fn read<'a>(_name: &str, _bytes: &'a [u8], _companion: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Sheet, String> {
    Err("only the playground on the desktop opens Tiled maps".to_owned())
}
