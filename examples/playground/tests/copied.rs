//! The lines that the game's command "copy as Rust test" gives. A test of the game compares the files with its output.

mod phantom_hit {
    include!("copied/phantom_hit.rs");
}

mod missed_hit {
    include!("copied/missed_hit.rs");
}
