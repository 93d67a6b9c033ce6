//! The functions of the fuzz targets. `tests/suite/tests/fuzz_regressions.rs` includes this file and runs them on the
//! inputs that once failed.

mod bits;
mod casts;
mod loading;
mod outlines;
mod pairs;
mod scene;

pub use casts::casts;
pub use loading::loading;
pub use outlines::outlines;
pub use pairs::pairs;
pub use scene::scene;
