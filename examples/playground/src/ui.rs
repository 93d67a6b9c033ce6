//! The few widgets that there are, one below the other in a panel: called once a frame, they draw themselves and say
//! what was done to them. Large enough for fingers.

use std::hash::{DefaultHasher, Hash, Hasher};

use macroquad::prelude::*;

use crate::input::Pointer;
use crate::theme::{self, FONT_SIZE, SMALL};

const MARGIN: f32 = 16.0;
const ROW: f32 = 30.0;

/// The panel, and what of it is being held.
#[derive(Debug, Default)]
pub struct Ui {
    pointer: Pointer,
    panel: Rect,
    /// Where the next widget goes, from the top of the screen.
    y: f32,
    scroll: f32,
    /// How high everything was in the last frame.
    height: f32,
    active: Option<u64>,
    /// Widgets may share a label if they are under different headings.
    scope: u64,
}

impl Ui {
    /// Begins the panel, on a ground of this colour.
    pub fn begin(&mut self, panel: Rect, color: Color, pointer: Pointer) {
        self.panel = panel;
        self.pointer = pointer;
        self.scope = 0;
        if !pointer.down && !pointer.released {
            self.active = None;
        }
        let over = panel.contains(pointer.position);
        if over {
            self.scroll -= pointer.wheel * 40.0;
            if pointer.down && self.active.is_none() {
                self.scroll -= pointer.moved.y;
            }
        }
        self.scroll = self.scroll.clamp(0.0, (self.height - panel.h).max(0.0));
        draw_rectangle(panel.x, panel.y, panel.w, panel.h, color);
        draw_rectangle_lines(panel.x - 1.0, panel.y - 1.0, panel.w + 2.0, panel.h + 2.0, 2.0, theme::EDGE);
        self.y = panel.y + MARGIN * 0.5 - self.scroll;
    }

    /// Ends it, with a mark of how far it is scrolled.
    pub fn end(&mut self) {
        self.height = self.y + self.scroll + MARGIN - self.panel.y;
        if self.height > self.panel.h {
            let part = self.panel.h / self.height;
            let top = self.panel.y + self.scroll * part;
            draw_rectangle(self.panel.right() - 4.0, top, 3.0, self.panel.h * part, theme::EDGE);
        }
    }

    /// Words above a group of widgets.
    pub fn heading(&mut self, words: &str) {
        self.scope = id(0, words);
        self.y += 10.0;
        let row = self.row(24.0);
        if self.shows(row) {
            words_in(words, row.x, row, FONT_SIZE, theme::TEXT);
            draw_line(row.x, row.bottom(), row.right(), row.bottom(), 1.0, theme::EDGE);
        }
        self.y += 6.0;
    }

    /// Words, on as many lines as they need.
    pub fn text(&mut self, words: &str) {
        for line in wrap(words, SMALL, self.panel.w - 2.0 * MARGIN) {
            let row = self.row(19.0);
            if self.shows(row) {
                words_in(&line, row.x, row, SMALL, theme::MUTED);
            }
        }
    }

    /// A number with its name.
    pub fn value(&mut self, name: &str, value: &str, color: Color) {
        self.entry((name, theme::MUTED), (value, color));
    }

    /// Words on the left and on the right, each in a colour.
    pub fn entry(&mut self, left: (&str, Color), right: (&str, Color)) {
        let row = self.row(21.0);
        if self.shows(row) {
            words_in(left.0, row.x, row, SMALL, left.1);
            words_in(right.0, row.right() - theme::text_width(right.0, SMALL), row, SMALL, right.1);
        }
    }

    /// Whether it was pressed.
    pub fn button(&mut self, label: &str) -> bool {
        self.buttons(&[label]).is_some()
    }

    /// Buttons side by side; which was pressed.
    pub fn buttons(&mut self, labels: &[&str]) -> Option<usize> {
        self.cells(labels, labels.len().max(1), None)
    }

    /// One of several; whether it was changed. As many beside each other as `columns`.
    pub fn choice(&mut self, labels: &[&str], columns: usize, chosen: &mut usize) -> bool {
        let pressed = self.cells(labels, columns.max(1), Some(*chosen));
        let changed = pressed.is_some_and(|index| index != *chosen);
        *chosen = pressed.unwrap_or(*chosen);
        changed
    }

    fn cells(&mut self, labels: &[&str], columns: usize, chosen: Option<usize>) -> Option<usize> {
        const GAP: f32 = 4.0;
        let mut pressed = None;
        for (line, labels) in labels.chunks(columns).enumerate() {
            let row = self.row(ROW);
            let width = (row.w + GAP) / columns as f32 - GAP;
            for (column, label) in labels.iter().enumerate() {
                let index = line * columns + column;
                let cell = Rect::new(row.x + (width + GAP) * column as f32, row.y, width, row.h - GAP);
                if self.cell(cell, label, chosen == Some(index)) {
                    pressed = Some(index);
                }
            }
        }
        self.y += 4.0;
        pressed
    }

    /// A button wherever one likes; whether it was pressed.
    pub fn cell(&mut self, cell: Rect, label: &str, chosen: bool) -> bool {
        if !self.shows(cell) {
            return false;
        }
        let id = id(self.scope, label);
        let over = cell.contains(self.pointer.position);
        let clicked = self.hold(id, over) && self.pointer.released && over;
        let color = match (chosen, over || self.active == Some(id)) {
            (true, _) => theme::ACCENT,
            (false, true) => theme::FIELD_HOVER,
            (false, false) => theme::FIELD,
        };
        rounded(cell, color);
        let width = theme::text_width(label, SMALL);
        let color = if chosen { WHITE } else { theme::TEXT };
        words_in(label, cell.x + (cell.w - width) * 0.5, cell, SMALL, color);
        clicked
    }

    /// A box to tick; whether it was changed.
    pub fn checkbox(&mut self, label: &str, on: &mut bool) -> bool {
        self.checkboxes(1, [(label, on)])
    }

    /// Boxes to tick, several beside each other; whether one was changed.
    pub fn checkboxes<'a>(&mut self, columns: usize, boxes: impl IntoIterator<Item = (&'a str, &'a mut bool)>) -> bool {
        let mut changed = false;
        let mut row = Rect::default();
        for (index, (label, on)) in boxes.into_iter().enumerate() {
            let column = index % columns.max(1);
            if column == 0 {
                row = self.row(ROW - 2.0);
            }
            let width = row.w / columns.max(1) as f32;
            changed |= self.tick(Rect::new(row.x + width * column as f32, row.y, width, row.h), label, on);
        }
        changed
    }

    fn tick(&mut self, place: Rect, label: &str, on: &mut bool) -> bool {
        if !self.shows(place) {
            return false;
        }
        let over = place.contains(self.pointer.position);
        let clicked = self.hold(id(self.scope, label), over) && self.pointer.released && over;
        if clicked {
            *on = !*on;
        }
        let square = Rect::new(place.x, place.y + 5.0, 18.0, 18.0);
        let idle = if over { theme::FIELD_HOVER } else { theme::FIELD };
        rounded(square, if *on { theme::ACCENT } else { idle });
        if *on {
            let (x, y) = (square.x, square.y);
            draw_line(x + 4.0, y + 9.0, x + 8.0, y + 13.0, 2.0, WHITE);
            draw_line(x + 8.0, y + 13.5, x + 14.0, y + 5.0, 2.0, WHITE);
        }
        words_in(label, place.x + 28.0, place, SMALL, theme::TEXT);
        clicked
    }

    /// A number between two others; whether it was changed.
    pub fn slider(&mut self, label: &str, value: &mut f32, range: [f32; 2], unit: &str) -> bool {
        let row = self.row(ROW);
        if !self.shows(row) {
            return false;
        }
        let track = Rect::new(row.x + 76.0, row.y, (row.w - 76.0 - 58.0).max(20.0), row.h);
        let over = row.contains(self.pointer.position) && self.pointer.position.x > track.x - 8.0;
        let held = self.hold(id(self.scope, label), over && self.pointer.position.x < track.right() + 8.0);
        let before = *value;
        if held && self.pointer.down {
            let part = ((self.pointer.position.x - track.x) / track.w).clamp(0.0, 1.0);
            // To three digits of the range, so that a number can be hit and read.
            let step = 10_f32.powf(((range[1] - range[0]) / 300.0).log10().ceil());
            *value = ((range[0] + (range[1] - range[0]) * part) / step).round() * step;
        }
        words_in(label, row.x, row, SMALL, theme::MUTED);
        let part = ((*value - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0);
        let middle = row.y + row.h * 0.5;
        rounded(Rect::new(track.x, middle - 2.0, track.w, 4.0), theme::FIELD);
        let zero = ((0.0 - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0);
        let (from, to) = (track.x + track.w * part.min(zero), track.x + track.w * part.max(zero));
        draw_rectangle(from, middle - 2.0, to - from, 4.0, theme::faint(theme::ACCENT, 0.6));
        draw_circle(track.x + track.w * part, middle, if held || over { 8.0 } else { 7.0 }, theme::ACCENT);
        let shown = format!("{}{unit}", short(*value));
        let width = theme::text_width(&shown, SMALL);
        words_in(&shown, row.right() - width, row, SMALL, theme::TEXT);
        *value != before
    }

    pub fn space(&mut self, height: f32) {
        self.y += height;
    }

    /// Takes hold of a widget when it is pressed; whether it is the one that is held.
    fn hold(&mut self, id: u64, over: bool) -> bool {
        if self.pointer.pressed && over {
            self.active = Some(id);
        }
        self.active == Some(id)
    }

    /// The next place in the panel.
    fn row(&mut self, height: f32) -> Rect {
        let row = Rect::new(self.panel.x + MARGIN, self.y, self.panel.w - 2.0 * MARGIN, height);
        self.y += height;
        row
    }

    /// Whether something can be seen, and not only in part.
    fn shows(&self, row: Rect) -> bool {
        row.y >= self.panel.y - 4.0 && row.y < self.panel.bottom()
    }
}

/// Words in the middle of a row's height.
fn words_in(words: &str, x: f32, row: Rect, size: f32, color: Color) {
    theme::text(words, x, row.y + row.h * 0.5 + size * 0.36, size, color);
}

/// Cuts words into lines of at most this width, unless one word alone is wider.
pub fn wrap(words: &str, size: f32, width: f32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if theme::text_width(&longer, size) > width && !line.is_empty() {
            lines.push(std::mem::replace(&mut line, word.to_owned()));
        } else {
            line = longer;
        }
    }
    lines.push(line);
    lines
}

/// A rectangle with corners of three points.
pub fn rounded(rect: Rect, color: Color) {
    let radius = 4.0_f32.min(rect.h * 0.5).min(rect.w * 0.5);
    draw_rectangle(rect.x, rect.y + radius, rect.w, rect.h - 2.0 * radius, color);
    draw_rectangle(rect.x + radius, rect.y, rect.w - 2.0 * radius, radius, color);
    draw_rectangle(rect.x + radius, rect.bottom() - radius, rect.w - 2.0 * radius, radius, color);
    for x in [rect.x + radius, rect.right() - radius] {
        for y in [rect.y + radius, rect.bottom() - radius] {
            draw_circle(x, y, radius, color);
        }
    }
}

/// A number with as many digits as one cares for.
pub fn short(value: f32) -> String {
    let digits = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    // No minus before what is rounded to nothing.
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn id(scope: u64, label: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (scope, label).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.0001, 1.5, 0.1 + 0.2, -12.345, 123.456, 98765.4, f32::NAN, f32::INFINITY].map(short);
        assert_eq!(shown, ["0", "0", "1.5", "0.3", "-12.35", "123.5", "98765", "NaN", "inf"]);
    }
}
