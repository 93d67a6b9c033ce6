//! The style sheet of all pictures that are files.

/// Ink and paper follow the reader's colour scheme. Words have a rim of paper, so that lines do not cross them. A picture
/// within a page has the ink of the page.
pub const SCHEME: &str = "\
.scheme{color:#3b424c}.scheme>.paper{fill:#fbfcfd}\
.scheme>g>text{stroke:#fbfcfd;stroke-width:.25em;paint-order:stroke}\
@media(prefers-color-scheme:dark){.scheme{color:#c4ccd6}.scheme>.paper{fill:#12171d}.scheme>g>text{stroke:#12171d}}";
