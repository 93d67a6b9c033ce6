//! The command line.

#[cfg(not(target_arch = "wasm32"))]
use std::ffi::OsString;
use std::path::PathBuf;

#[cfg(not(target_arch = "wasm32"))]
use crate::views::ALL;

#[cfg(not(target_arch = "wasm32"))]
pub const HELP: &str = "\
Move shapes and see how they touch.

hitgraph-playground [OPTIONS] [FILE]

  FILE             an SVG drawing or a Tiled map to open
  --view NAME      the first view
  --state TEXT     a link, as printed by the key P: 'pair?...'
  --size WxH       the size of the window
  --paused         start paused
  --shot FILE      draw some frames, save a picture (PNG), exit
  --frames COUNT   the number of frames before --shot (default 10)
  --help           print this help
";

/// The parsed command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub view: Option<String>,
    pub state: Option<String>,
    pub size: [u32; 2],
    pub paused: bool,
    pub shot: Option<PathBuf>,
    pub frames: u32,
    pub file: Option<PathBuf>,
    pub help: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        let size = [1240, 820];
        Self { view: None, state: None, size, paused: false, shot: None, frames: 10, file: None, help: false }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Arguments {
    /// Parses the arguments, without the program's name.
    pub fn parse(words: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;

        let mut parsed = Self::default();
        let mut parser = lexopt::Parser::from_args(words);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("view") => parsed.view = Some(parser.value()?.parse_with(view)?),
                Long("state") => parsed.state = Some(parser.value()?.parse_with(link)?),
                Long("size") => parsed.size = parser.value()?.parse_with(size)?,
                Long("paused") => parsed.paused = true,
                Long("shot") => parsed.shot = Some(parser.value()?.into()),
                Long("frames") => parsed.frames = parser.value()?.parse()?,
                Long("help") | Short('h') => parsed.help = true,
                Value(file) if parsed.file.is_none() => parsed.file = Some(file.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(parsed)
    }
}

/// Checks the name of a view.
#[cfg(not(target_arch = "wasm32"))]
fn view(text: &str) -> Result<String, String> {
    find(text).map(|_| text.to_owned())
}

/// Checks a link, `view?state`.
#[cfg(not(target_arch = "wasm32"))]
fn link(text: &str) -> Result<String, String> {
    let (name, state) = text.split_once('?').unwrap_or((text, ""));
    (find(name)?.make)().set_state(state).map(|()| text.to_owned())
}

#[cfg(not(target_arch = "wasm32"))]
fn find(name: &str) -> Result<&'static crate::view::Entry, String> {
    let names = || ALL.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    ALL.iter().find(|entry| entry.name == name).ok_or_else(|| format!("the views are {}", names()))
}

/// Parses a window size, `WIDTHxHEIGHT`.
#[cfg(not(target_arch = "wasm32"))]
fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    sides
        .filter(|sides| sides.iter().all(|side| (1..=16384).contains(side)))
        .ok_or_else(|| "a size must be WIDTHxHEIGHT, both from 1 to 16384".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_parsed() {
        let words = "--view scene --state pair?a=rect/-/-/- --size 640x480 --paused --shot a.png --frames 3 b.svg";
        let parsed = Arguments::parse(words.split(' ')).unwrap();
        let expected = Arguments {
            view: Some("scene".to_owned()),
            state: Some("pair?a=rect/-/-/-".to_owned()),
            size: [640, 480],
            paused: true,
            shot: Some("a.png".into()),
            frames: 3,
            file: Some("b.svg".into()),
            help: false,
        };
        assert_eq!(parsed, expected);
        assert_eq!(Arguments::parse(Vec::<String>::new()).unwrap(), Arguments::default());
    }

    #[test]
    fn an_invalid_argument_is_named_in_the_error() {
        for (words, expected) in [
            ("--size 0x5", "16384"),
            ("--size 5", "WIDTHxHEIGHT"),
            ("--frames many", "many"),
            ("--view nowhere", "the views are mirror, pair"),
            ("--state nowhere?a=1", "the views are mirror, pair"),
            ("--state pair?a=blob/-/-/-", "no shape"),
            ("--shot", "--shot"),
            ("--blue", "--blue"),
            ("a b", "b"),
        ] {
            let message = Arguments::parse(words.split(' ')).unwrap_err().to_string();
            assert!(message.contains(expected), "{words}: {message}");
        }
    }
}
