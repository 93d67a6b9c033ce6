//! One file for each workload.

mod moving;
#[cfg(feature = "parallel")]
pub mod threads;
pub mod upkeep;
pub mod w1;
pub mod w10;
pub mod w11;
pub mod w2;
pub mod w3;
pub mod w4;
pub mod w5;
pub mod w6;
pub mod w7;
pub mod w8;
pub mod w9;

/// Returns an error if a system's count differs from the reference.
pub fn agree(work: &str, expected: usize, found: &[(&str, usize)]) -> Result<(), String> {
    if found.iter().all(|(_, found)| *found == expected) {
        return Ok(());
    }
    let found: Vec<_> = found.iter().map(|(name, found)| format!("{name} {found}")).collect();
    Err(format!("{work}: unequal counts: reference {expected}, {}", found.join(", ")))
}

/// Returns an error if two systems fired different numbers of events.
pub fn same_events(work: &str, ours: usize, peer: usize) -> Result<(), String> {
    if ours == peer { Ok(()) } else { Err(format!("{work}: unequal counts of events: ours {ours}, peer {peer}")) }
}
