//! An immediate-mode user interface: each call draws a widget below the last one and returns its interaction. The
//! widgets are large enough for fingers.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use macroquad::prelude::*;

use crate::input::Pointer;
use crate::theme::{self, FONT_SIZE, SMALL};

const MARGIN: f32 = 16.0;
const ROW: f32 = 30.0;

/// The movement after which a finger scrolls or slides instead of pressing, in points.
const SLOP: f32 = 8.0;

/// A panel of widgets, with its scroll position and the widget that is pressed.
#[derive(Debug, Default)]
pub struct Ui {
    pointer: Pointer,
    panel: Rect,
    /// The top of the next widget, in points from the top of the screen.
    y: f32,
    scroll: f32,
    /// The height of all widgets in the last frame.
    height: f32,
    /// The id of the widget that is pressed.
    active: Option<u64>,
    /// The movement of the finger since it went down.
    dragged: Vec2,
    /// `true` while a finger scrolls: it presses no widget.
    scrolls: bool,
    /// The id of the last heading. Widgets below different headings may share a label.
    scope: u64,
}

impl Ui {
    /// Starts a frame of the panel and draws its background.
    pub fn begin(&mut self, panel: Rect, color: Color, pointer: Pointer) {
        self.panel = panel;
        self.pointer = pointer;
        self.scope = 0;
        if !pointer.down && !pointer.released {
            self.active = None;
        }
        self.follow_finger();
        if panel.contains(pointer.position) {
            self.scroll -= pointer.wheel * 40.0;
            if pointer.down && (self.active.is_none() || self.scrolls) {
                self.scroll -= pointer.moved.y;
            }
        }
        self.scroll = self.scroll.clamp(0.0, (self.height - panel.h).max(0.0));
        draw_rectangle(panel.x, panel.y, panel.w, panel.h, color);
        draw_rectangle_lines(panel.x - 1.0, panel.y - 1.0, panel.w + 2.0, panel.h + 2.0, 2.0, theme::EDGE);
        self.y = panel.y + MARGIN * 0.5 - self.scroll;
    }

    /// Returns the scroll position in points.
    pub fn scroll(&self) -> f32 {
        self.scroll
    }

    /// Starts a frame of widgets with given rectangles, over the world.
    pub fn overlay(&mut self, area: Rect, pointer: Pointer) {
        (self.panel, self.pointer, self.scope) = (area, pointer, 0);
        if !pointer.down && !pointer.released {
            self.active = None;
        }
    }

    /// Decides whether a finger scrolls: it does if it first moves up or down.
    fn follow_finger(&mut self) {
        let pointer = self.pointer;
        if pointer.pressed || !(pointer.down || pointer.released) {
            (self.dragged, self.scrolls) = (Vec2::ZERO, false);
            return;
        }
        let was_small = self.dragged.abs().max_element() <= SLOP;
        self.dragged += pointer.moved;
        let vertical = self.dragged.y.abs() > self.dragged.x.abs();
        if pointer.touch && was_small && vertical && self.dragged.y.abs() > SLOP {
            (self.scrolls, self.active) = (true, None);
        }
    }

    /// Ends the frame and draws the scroll bar.
    pub fn end(&mut self) {
        self.height = self.y + self.scroll + MARGIN - self.panel.y;
        if self.height > self.panel.h {
            let fraction = self.panel.h / self.height;
            let top = self.panel.y + self.scroll * fraction;
            draw_rectangle(self.panel.right() - 4.0, top, 3.0, self.panel.h * fraction, theme::EDGE);
        }
    }

    /// Draws a heading above a group of widgets.
    pub fn heading(&mut self, words: &str) {
        self.scope = id(0, words);
        self.y += 10.0;
        let row = self.row(24.0);
        if self.is_visible(row) {
            text_in_row(words, row.x, row, FONT_SIZE, theme::TEXT);
            draw_line(row.x, row.bottom(), row.right(), row.bottom(), 1.0, theme::EDGE);
        }
        self.y += 6.0;
    }

    /// Draws a text, wrapped to the width of the panel.
    pub fn text(&mut self, words: &str) {
        for line in wrap(words, SMALL, self.panel.w - 2.0 * MARGIN) {
            let row = self.row(19.0);
            if self.is_visible(row) {
                text_in_row(&line, row.x, row, SMALL, theme::MUTED);
            }
        }
    }

    /// Draws a name on the left and its value on the right.
    pub fn value(&mut self, name: &str, value: &str, color: Color) {
        self.entry((name, theme::MUTED), (value, color));
    }

    /// Draws a text on the left and one on the right, each with its colour.
    pub fn entry(&mut self, left: (&str, Color), right: (&str, Color)) {
        let row = self.row(21.0);
        if self.is_visible(row) {
            text_in_row(left.0, row.x, row, SMALL, left.1);
            text_in_row(right.0, row.right() - theme::text_width(right.0, SMALL), row, SMALL, right.1);
        }
    }

    /// Draws a button. Returns `true` if it was clicked.
    pub fn button(&mut self, label: &str) -> bool {
        self.buttons(&[label]).is_some()
    }

    /// Draws buttons side by side. Returns the index of the clicked one.
    pub fn buttons(&mut self, labels: &[&str]) -> Option<usize> {
        self.cells(labels, labels.len().max(1), None)
    }

    /// Draws a choice of one option, in rows of `columns`. Returns `true` if it changed.
    pub fn choice(&mut self, labels: &[&str], columns: usize, selected: &mut usize) -> bool {
        let pressed = self.cells(labels, columns.max(1), Some(*selected));
        let changed = pressed.is_some_and(|index| index != *selected);
        *selected = pressed.unwrap_or(*selected);
        changed
    }

    fn cells(&mut self, labels: &[&str], columns: usize, selected: Option<usize>) -> Option<usize> {
        const GAP: f32 = 4.0;
        let mut pressed = None;
        for (line, labels) in labels.chunks(columns).enumerate() {
            let row = self.row(ROW);
            let width = (row.w + GAP) / columns as f32 - GAP;
            for (column, label) in labels.iter().enumerate() {
                let index = line * columns + column;
                let cell = Rect::new(row.x + (width + GAP) * column as f32, row.y, width, row.h - GAP);
                if self.cell(cell, label, selected == Some(index)) {
                    pressed = Some(index);
                }
            }
        }
        self.y += 4.0;
        pressed
    }

    /// Draws a button in a given rectangle. Returns `true` if it was clicked.
    pub fn cell(&mut self, cell: Rect, label: &str, selected: bool) -> bool {
        if !self.is_visible(cell) {
            return false;
        }
        let id = id(self.scope, label);
        let over = cell.contains(self.pointer.position);
        let clicked = self.activate(id, over) && self.pointer.released && over;
        let color = match (selected, over || self.active == Some(id)) {
            (true, _) => theme::ACCENT,
            (false, true) => theme::FIELD_HOVER,
            (false, false) => theme::FIELD,
        };
        rounded(cell, color);
        let width = theme::text_width(label, SMALL);
        let color = if selected { WHITE } else { theme::TEXT };
        text_in_row(label, cell.x + (cell.w - width) * 0.5, cell, SMALL, color);
        clicked
    }

    /// Draws a checkbox. Returns `true` if it changed.
    pub fn checkbox(&mut self, label: &str, on: &mut bool) -> bool {
        self.checkboxes(1, [(label, on)])
    }

    /// Draws checkboxes in rows of `columns`. Returns `true` if one changed.
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

    fn tick(&mut self, area: Rect, label: &str, on: &mut bool) -> bool {
        if !self.is_visible(area) {
            return false;
        }
        let over = area.contains(self.pointer.position);
        let clicked = self.activate(id(self.scope, label), over) && self.pointer.released && over;
        if clicked {
            *on = !*on;
        }
        let square = Rect::new(area.x, area.y + 5.0, 18.0, 18.0);
        let idle = if over { theme::FIELD_HOVER } else { theme::FIELD };
        rounded(square, if *on { theme::ACCENT } else { idle });
        if *on {
            let (x, y) = (square.x, square.y);
            draw_line(x + 4.0, y + 9.0, x + 8.0, y + 13.0, 2.0, WHITE);
            draw_line(x + 8.0, y + 13.5, x + 14.0, y + 5.0, 2.0, WHITE);
        }
        text_in_row(label, area.x + 28.0, area, SMALL, theme::TEXT);
        clicked
    }

    /// Draws a slider for a number in a range. Returns `true` if it changed.
    pub fn slider(&mut self, label: &str, value: &mut f32, range: [f32; 2], unit: &str) -> bool {
        let row = self.row(ROW);
        if !self.is_visible(row) {
            return false;
        }
        let track = Rect::new(row.x + 76.0, row.y, (row.w - 76.0 - 58.0).max(20.0), row.h);
        let over = row.contains(self.pointer.position) && self.pointer.position.x > track.x - 8.0;
        let held = self.activate(id(self.scope, label), over && self.pointer.position.x < track.right() + 8.0);
        let before = *value;
        // A finger slides only after it has moved sideways, because it may want to scroll.
        let slides = !self.pointer.touch || self.dragged.x.abs() > SLOP;
        if held && self.pointer.down && slides {
            let fraction = ((self.pointer.position.x - track.x) / track.w).clamp(0.0, 1.0);
            // Rounded to a power of ten near 1/300 of the range, so that round numbers can be selected.
            let step = 10_f32.powf(((range[1] - range[0]) / 300.0).log10().ceil());
            *value = ((range[0] + (range[1] - range[0]) * fraction) / step).round() * step;
        }
        text_in_row(label, row.x, row, SMALL, theme::MUTED);
        let fraction = ((*value - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0);
        let middle = row.y + row.h * 0.5;
        rounded(Rect::new(track.x, middle - 2.0, track.w, 4.0), theme::FIELD);
        let zero = ((0.0 - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0);
        let (from, to) = (track.x + track.w * fraction.min(zero), track.x + track.w * fraction.max(zero));
        draw_rectangle(from, middle - 2.0, to - from, 4.0, theme::faint(theme::KNOB, 0.6));
        draw_circle(track.x + track.w * fraction, middle, if held || over { 8.0 } else { 7.0 }, theme::KNOB);
        let shown = format!("{}{unit}", short(*value));
        let width = theme::text_width(&shown, SMALL);
        text_in_row(&shown, row.right() - width, row, SMALL, theme::TEXT);
        *value != before
    }

    /// Draws a graph of numbers, oldest first, with the largest one as a label.
    pub fn graph(&mut self, values: &VecDeque<f32>, unit: &str) {
        let area = self.row(64.0);
        if !self.is_visible(area) {
            return;
        }
        rounded(area, theme::FIELD);
        let most = values.iter().copied().fold(0.0_f32, f32::max);
        let width = area.w / values.len().max(60) as f32;
        for (index, value) in values.iter().enumerate() {
            let height = (value / most.max(1e-6)) * (area.h - 22.0);
            draw_rectangle(area.x + width * index as f32, area.bottom() - height, width, height, theme::CLOSEST);
        }
        theme::text(&format!("at most {most:.2} {unit}"), area.x + 8.0, area.y + 15.0, SMALL, theme::TEXT);
        self.y += 4.0;
    }

    /// Leaves a vertical space, in points.
    pub fn space(&mut self, height: f32) {
        self.y += height;
    }

    /// Activates a widget when it is pressed. Returns `true` if it is the active one.
    fn activate(&mut self, id: u64, over: bool) -> bool {
        if self.pointer.pressed && over {
            self.active = Some(id);
        }
        self.active == Some(id)
    }

    /// Returns the rectangle of the next row.
    fn row(&mut self, height: f32) -> Rect {
        let row = Rect::new(self.panel.x + MARGIN, self.y, self.panel.w - 2.0 * MARGIN, height);
        self.y += height;
        row
    }

    /// Returns `true` if the top of a row is within the panel.
    fn is_visible(&self, row: Rect) -> bool {
        row.y >= self.panel.y - 4.0 && row.y < self.panel.bottom()
    }
}

/// Draws a text, vertically centred in a row.
fn text_in_row(words: &str, x: f32, row: Rect, size: f32, color: Color) {
    theme::text(words, x, row.y + row.h * 0.5 + size * 0.36, size, color);
}

/// Wraps a text into lines of at most `width` points. A word that is wider has its own line.
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

/// Draws a rectangle whose corners are rounded with a radius of four points.
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

/// Formats a number with up to five significant digits and at most three decimals.
pub fn short(value: f32) -> String {
    let digits = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    // Avoids "-0" for small negative numbers.
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns the id of a widget from its heading and label.
fn id(scope: u64, label: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (scope, label).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn short_omits_trailing_zeros_and_needless_digits() {
        let shown = [0.0, -0.0001, 1.5, 0.1 + 0.2, -12.345, 123.456, 98765.4, f32::NAN, f32::INFINITY].map(short);
        assert_eq!(shown, ["0", "0", "1.5", "0.3", "-12.35", "123.5", "98765", "NaN", "inf"]);
    }
}
