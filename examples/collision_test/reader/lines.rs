//! The lines of a file.

use roxmltree::{Document, Node};

/// The offsets of the lines of a file. `text_pos_at` would count the lines again for every element.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn of(document: &'a Document<'_>) -> Self {
        let text = document.input_text();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Returns line and column, counted from 1.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        (line, self.text[self.starts[line - 1]..offset].chars().count() + 1)
    }

    pub fn of_element(&self, element: Node<'_, '_>) -> usize {
        self.starts.partition_point(|start| *start <= element.range().start)
    }
}
