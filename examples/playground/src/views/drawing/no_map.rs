//! In the browser: the loader of maps would take the page beyond its size.

use super::opener::File;
use super::sheet::Sheet;

pub const KINDS: &str = "an SVG drawing";
pub const SAMPLE: Option<File> = None;

pub fn read<'a>(_name: &str, _bytes: &'a [u8], _beside: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Sheet, String> {
    Err("maps of Tiled are opened by the playground on the desktop".to_owned())
}
