//! The tree: nodes, their parents and children, and their world transforms.

mod children;
mod collider_list;
mod hierarchy;
mod list_pool;
mod node;
mod placement;
mod refresh_pass;
mod status;
mod transforms;
mod walks;

pub(super) use hierarchy::Hierarchy;
pub use node::Node;
pub(super) use refresh_pass::NodeChange;
pub(super) use status::NodeStatus;
pub(super) use transforms::Transforms;
