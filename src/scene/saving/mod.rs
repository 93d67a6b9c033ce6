//! Saving and loading of scenes, with the feature `serde`.
//!
//! [`SavedScene`] is the document: plain data that serde writes and reads. [`save`] makes it from a scene, [`load`]
//! checks it and makes a scene from it. The document contains what cannot be computed again: nodes, colliders, ids, the
//! state as of the last update, and the memory of movers. World transforms, world forms and the index are derived.

mod document;
mod load;
mod save;

pub use document::{NoUserShape, SavedScene};
pub use save::SaveError;
