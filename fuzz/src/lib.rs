//! What the fuzz targets do with their bytes. `tests/fuzz_regressions.rs` includes this file and runs what once was
//! found.

mod bits;
mod casts;
#[path = "../../tests/support/naive.rs"]
mod naive;
mod outlines;
mod pairs;
#[path = "../../tests/support/program.rs"]
mod program;
mod scene;

pub use casts::casts;
pub use outlines::outlines;
pub use pairs::pairs;
pub use scene::scene;
