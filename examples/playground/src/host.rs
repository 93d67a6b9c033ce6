//! The host of the program: the page in the browser, the terminal on the desktop.
//!
//! In the browser the page provides four functions to the wasm module, in `env` next to those of miniquad's `gl.js`.
//! All texts are UTF-8. A link is `view?state`, the text after `#` in the address.
//!
//! - `hitgraph_link_length() -> length`: returns the length in bytes of a pending link, or 0. A link is pending when
//!   the page opens and when the user edits the address. Called every frame.
//! - `hitgraph_take_link(into)`: writes the pending link to an address in wasm memory. No link is pending afterwards.
//! - `hitgraph_publish_link(from, length)`: the view or its state has changed; the page writes the link into the
//!   address. This does not make a link pending.
//! - `hitgraph_publish_status(from, length)`: the status has changed: lines of `name=value`. `view` and `message`
//!   (empty if there is none) are always present, and so are `center` and `handle` (buttons), `sheet` and `scroll`; each view documents its own names. Positions are `x,y` in points of
//!   the page from the top left of the canvas.
//!
//! - `hitgraph_copy(from, length)`: copies a text to the clipboard; a text that starts with `#` is a link, of which the
//!   page copies the whole address.
//!
//! Dropped files arrive through miniquad on both hosts.

use macroquad::prelude::get_dropped_files;

/// A file that was dropped on the window.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The host, with the link and status that were published last.
#[derive(Debug, Default)]
pub struct Host {
    /// The link from the command line. In the browser the page provides it.
    start: Option<String>,
    link: String,
    status: String,
}

impl Host {
    /// Creates the host with an optional link to open first.
    pub fn new(start: Option<String>) -> Self {
        Self { start, ..Self::default() }
    }

    /// Takes the pending link, if any.
    pub fn take_link(&mut self) -> Option<String> {
        self.start.take().or_else(page::take_link)
    }

    /// Publishes the link if it has changed.
    pub fn publish_link(&mut self, link: String) {
        if link != self.link {
            page::publish_link(&link);
            self.link = link;
        }
    }

    /// Returns the link that was published last.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// Copies a text to the clipboard.
    pub fn copy(text: &str) {
        page::copy(text);
    }

    /// Publishes the status if it has changed.
    pub fn publish_status(&mut self, status: &[(&str, String)]) {
        let lines: Vec<String> =
            status.iter().map(|(name, value)| format!("{name}={}", value.replace(['\n', '\r'], " "))).collect();
        let status = lines.join("\n");
        if status != self.status {
            page::publish_status(&status);
            self.status = status;
        }
    }

    /// Returns the files that were dropped since the last frame. An unreadable file has no bytes.
    pub fn take_files() -> Vec<File> {
        let named = |path: Option<std::path::PathBuf>| {
            path.as_deref()
                .and_then(std::path::Path::file_name)
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let dropped = get_dropped_files().into_iter();
        dropped.map(|file| File { name: named(file.path), bytes: file.bytes.unwrap_or_default() }).collect()
    }
}

#[cfg(target_arch = "wasm32")]
mod page {
    // SAFETY: the page's functions take and return numbers. They read or write only `length` bytes from the address,
    // and this module owns that memory during the call.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        safe fn hitgraph_link_length() -> usize;
        safe fn hitgraph_take_link(into: *mut u8);
        safe fn hitgraph_publish_link(from: *const u8, length: usize);
        safe fn hitgraph_publish_status(from: *const u8, length: usize);
        safe fn hitgraph_copy(from: *const u8, length: usize);
    }

    pub fn take_link() -> Option<String> {
        // Longer links are ignored.
        let length = Some(hitgraph_link_length()).filter(|length| (1..1 << 20).contains(length))?;
        let mut bytes = vec![0; length];
        hitgraph_take_link(bytes.as_mut_ptr());
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn publish_link(link: &str) {
        hitgraph_publish_link(link.as_ptr(), link.len());
    }

    pub fn publish_status(status: &str) {
        hitgraph_publish_status(status.as_ptr(), status.len());
    }

    pub fn copy(text: &str) {
        hitgraph_copy(text.as_ptr(), text.len());
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod page {
    pub fn take_link() -> Option<String> {
        None
    }

    pub fn publish_link(_: &str) {}

    pub fn publish_status(_: &str) {}

    pub fn copy(text: &str) {
        macroquad::miniquad::window::clipboard_set(text);
    }
}
