//! The options of the reader.

/// The choice of what is read. Layers and elements are chosen by their name or id.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The layers or groups that are read; all if there are none.
    pub layers: Vec<String>,
    /// Elements that are left out, with their content.
    pub ignored: Vec<String>,
    /// `true` leaves out what is locked.
    pub skip_locked: bool,
    /// `true` lets shapes touch only shapes of other layers.
    pub between_layers: bool,
    /// `true` also tests shapes that are as large as the page.
    pub keep_background: bool,
    /// The distance of a curve of a path from the lines that replace it, in user units. By default a 10,000th of the
    /// page, or 0.1 without a page.
    pub tolerance: Option<f64>,
}
