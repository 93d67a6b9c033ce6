//! Drawing of colliders, contacts, the index and queries.

mod drawing;
mod options;
mod query;
mod seams;
mod shape;

pub use options::{DebugOptions, DebugPalette};
pub use query::DebugQuery;
pub use shape::{DebugGeometry, DebugKind, DebugShape, DebugState};
