//! The tree: nodes, their parents and children, and their world transforms.

mod children;
mod collider_list;
mod hierarchy;
mod list_pool;
mod node;
mod status;
mod transforms;
mod walks;

pub(super) use hierarchy::Hierarchy;
pub use node::Node;
pub(super) use status::NodeStatus;
pub(super) use transforms::{NodeChange, Transforms};
