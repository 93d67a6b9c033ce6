//! The reader of SVG drawings. It uses no file system, so a web page can include it as a module.

mod context;
pub mod document;
pub mod drawing;
mod element;
pub mod kinds;
mod lines;
mod naming;
pub mod options;
mod path;
mod region;
pub mod remark;
mod shape;
pub mod touching;
mod transform;
pub mod units;
mod viewport;
