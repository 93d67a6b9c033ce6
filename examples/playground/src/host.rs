//! What is around the window: the page in the browser, the terminal on the desktop.
//!
//! In the browser the page gives four functions to the wasm module, in `env` beside those of miniquad's `gl.js`. All
//! texts are UTF-8.
//!
//! - `hitgraph_state_length() -> length`: of a state that is waiting to be shown, in bytes: what is in the address
//!   after `#` when the page opens, and again when the user changes it; 0 if there is none. Asked every frame.
//! - `hitgraph_take_state(into)`: writes that state to the given address of the wasm memory; none is waiting now.
//! - `hitgraph_publish_state(from, length)`: what is shown has changed; the page puts it into the address. This is not
//!   a state that waits.
//! - `hitgraph_publish_status(from, length)`: what is shown in words, whenever that has changed: lines of `name=value`.
//!   Always there are `view` and `message` (empty if there is none); see the views for the others. Positions are
//!   `x,y` in points of the page from the top left of the canvas.
//!
//! Files that are dropped come through miniquad on both.

use macroquad::prelude::get_dropped_files;

/// A file that was dropped on the window.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The host, with what it was told last.
#[derive(Debug, Default)]
pub struct Host {
    /// From the command line; the page has its own.
    start: Option<String>,
    state: String,
    status: String,
}

impl Host {
    /// `start` is the state to begin with, if it is known already.
    pub fn new(start: Option<String>) -> Self {
        Self { start, ..Self::default() }
    }

    /// A state that is to be shown, once.
    pub fn take_state(&mut self) -> Option<String> {
        self.start.take().or_else(page::take_state)
    }

    /// Tells what is shown, if that has changed.
    pub fn publish_state(&mut self, state: String) {
        if state != self.state {
            page::publish_state(&state);
            self.state = state;
        }
    }

    /// What was told last.
    pub fn state(&self) -> &str {
        &self.state
    }

    /// Tells in words what is shown, if that has changed.
    pub fn publish_status(&mut self, status: &[(&str, String)]) {
        let lines: Vec<String> =
            status.iter().map(|(name, value)| format!("{name}={}", value.replace(['\n', '\r'], " "))).collect();
        let status = lines.join("\n");
        if status != self.status {
            page::publish_status(&status);
            self.status = status;
        }
    }

    /// What was dropped on the window since the last frame. A file that cannot be read has no bytes.
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
    // SAFETY: the page's functions take numbers and give numbers. What they write or read is bounded by the length that
    // goes with the address, and the memory is ours for the time of the call.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        safe fn hitgraph_state_length() -> usize;
        safe fn hitgraph_take_state(into: *mut u8);
        safe fn hitgraph_publish_state(from: *const u8, length: usize);
        safe fn hitgraph_publish_status(from: *const u8, length: usize);
    }

    pub fn take_state() -> Option<String> {
        // An address can be long, but not that long.
        let length = Some(hitgraph_state_length()).filter(|length| (1..1 << 20).contains(length))?;
        let mut bytes = vec![0; length];
        hitgraph_take_state(bytes.as_mut_ptr());
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn publish_state(state: &str) {
        hitgraph_publish_state(state.as_ptr(), state.len());
    }

    pub fn publish_status(status: &str) {
        hitgraph_publish_status(status.as_ptr(), status.len());
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod page {
    pub fn take_state() -> Option<String> {
        None
    }

    pub fn publish_state(_: &str) {}

    pub fn publish_status(_: &str) {}
}
