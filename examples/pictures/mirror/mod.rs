//! The duel of the playground. Parts of it, such as links, are unused here.
#![allow(dead_code)]

#[path = "../../playground/src/views/mirror/body.rs"]
mod body;
#[path = "../../playground/src/views/mirror/brain.rs"]
mod brain;
#[path = "../../playground/src/views/mirror/cast.rs"]
mod cast;
#[path = "../../playground/src/views/mirror/control.rs"]
mod control;
#[path = "../../playground/src/views/pair/decomposed.rs"]
pub mod decomposed;
#[path = "../../playground/src/views/mirror/duel.rs"]
pub mod duel;
#[path = "../../playground/src/views/mirror/fighter.rs"]
pub mod fighter;
#[path = "../../playground/src/views/pair/kind.rs"]
pub mod kind;
#[path = "../../playground/src/views/mirror/lie.rs"]
pub mod lie;
#[path = "../../playground/src/views/pair/operand.rs"]
pub mod operand;
#[path = "../../playground/src/views/mirror/outline.rs"]
mod outline;
#[path = "../../playground/src/views/mirror/referee.rs"]
pub mod referee;
#[path = "../../playground/src/views/mirror/stage.rs"]
mod stage;
