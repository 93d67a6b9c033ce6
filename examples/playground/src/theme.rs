//! Colours, sizes and the font.

use macroquad::prelude::*;

pub const BACKGROUND: Color = rgb(0x13161b);
pub const GRID: Color = rgb(0x1d2229);
pub const AXIS: Color = rgb(0x2b323c);
pub const PANEL: Color = rgb(0x1a1e25);
pub const BAR: Color = rgb(0x171b21);
pub const EDGE: Color = rgb(0x2a303a);
pub const FIELD: Color = rgb(0x262c36);
pub const FIELD_HOVER: Color = rgb(0x313946);
/// Selected widgets.
pub const ACCENT: Color = rgb(0x2f6fe0);
/// Marks on sliders, which carry no text.
pub const KNOB: Color = rgb(0x5a96ff);
pub const TEXT: Color = rgb(0xd9dee7);
pub const MUTED: Color = rgb(0x9aa4b5);

/// The first and the second shape of a pair. Moving shapes have the second colour.
pub const FIRST: Color = rgb(0x6ea8fe);
pub const SECOND: Color = rgb(0xb494ff);
/// Touching shapes.
pub const TOUCHING: Color = rgb(0xff9d4d);
/// Contacts, normals, and errors.
pub const CONTACT: Color = rgb(0xff7373);
pub const CLOSEST: Color = SENSOR;
/// Shapes of the decomposing engine, quarantined shapes and one-way ledges; all are dashed.
pub const GHOST: Color = rgb(0xdfe5ee);
pub const BOUNDS: Color = rgb(0x6b7687);
pub const SENSOR: Color = rgb(0x72d9a2);
/// The stamps of the duel.
pub const PHANTOM: Color = rgb(0xff7373);
pub const MISSED: Color = rgb(0xf2d45c);
pub const INDEX: Color = rgb(0x7a62b8);
pub const QUERY: Color = rgb(0xf2d45c);

pub const FONT_SIZE: f32 = 15.0;
pub const SMALL: f32 = 13.0;
pub const LARGE: f32 = 20.0;
pub const TITLE: f32 = 17.0;
pub const CLAIM: f32 = 27.0;
pub const STAMP: f32 = 34.0;

/// Returns the colour with the given opacity.
pub const fn faint(color: Color, alpha: f32) -> Color {
    Color { a: alpha, ..color }
}

/// Returns the colour between two others: `part` is 0 for the first and 1 for the second.
pub fn mixed(first: Color, second: Color, part: f32) -> Color {
    let mix = |a: f32, b: f32| a + (b - a) * part;
    Color::new(mix(first.r, second.r), mix(first.g, second.g), mix(first.b, second.b), mix(first.a, second.a))
}

pub const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::new(r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0, 1.0)
}

/// The sizes of all texts.
const SIZES: [f32; 6] = [FONT_SIZE, SMALL, LARGE, TITLE, CLAIM, STAMP];

/// The font of all texts, or macroquad's default font if it cannot be loaded.
pub struct TextFont {
    font: Option<Font>,
    dpi_scale: f32,
}

impl TextFont {
    pub fn load() -> Self {
        let font = load_ttf_font_from_bytes(include_bytes!("../assets/Inter-Medium-subset.otf")).ok();
        if let Some(mut font) = font.clone() {
            font.set_filter(FilterMode::Linear);
            set_default_font(font);
        }
        Self { font, dpi_scale: 0.0 }
    }

    /// Rasterises all letters for the current screen. Called before each frame: if the font texture grew during a
    /// frame, text drawn earlier in it would be lost.
    pub fn prepare(&mut self) {
        let Some(font) = self.font.as_ref().filter(|_| self.dpi_scale != screen_dpi_scale()) else { return };
        self.dpi_scale = screen_dpi_scale();
        let letters: Vec<char> = (' '..='~').chain("°·×−–…→←↑↓±≤≥µ✓²".chars()).collect();
        for size in SIZES {
            font.populate_font_cache(&letters, (size * self.dpi_scale).ceil() as u16);
        }
    }
}

/// Draws a text. `x`, `y` is the left end of its base line.
pub fn text(words: &str, x: f32, y: f32, size: f32, color: Color) {
    draw_text_ex(words, x.round(), y.round(), TextParams { font_size: size as u16, color, ..TextParams::default() });
}

/// Draws a text on a plate in the colour of the background, so that nothing crosses it.
pub fn plate(words: &str, x: f32, y: f32, size: f32, color: Color) {
    let width = text_width(words, size);
    draw_rectangle(x - 4.0, y - size * 0.95, width + 8.0, size * 1.3, faint(BACKGROUND, 0.9));
    text(words, x, y, size, color);
}

/// Returns the colour of a stamp: of a phantom hit or of a missed hit.
pub fn stamp(is_phantom: bool) -> Color {
    if is_phantom { PHANTOM } else { MISSED }
}

/// Draws a text rotated by an angle in radians, clockwise on the screen.
pub fn turned_text(words: &str, at: Vec2, size: f32, rotation: f32, color: Color) {
    let params = TextParams { font_size: size as u16, rotation, color, ..TextParams::default() };
    draw_text_ex(words, at.x, at.y, params);
}

/// Returns the width of a text in points.
pub fn text_width(words: &str, size: f32) -> f32 {
    measure_text(words, None, size as u16, 1.0).width
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast ratio of two colours. Source: W3C, *Web Content Accessibility Guidelines 2.2*.
    fn contrast(a: Color, b: Color) -> f32 {
        let linear = |part: f32| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        let luminance = |color: Color| 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_has_the_contrast_of_wcag_aa_on_every_ground() {
        let texts = [TEXT, MUTED, FIRST, SECOND, TOUCHING, CONTACT, SENSOR, GHOST, QUERY];
        for (number, text) in texts.into_iter().enumerate() {
            for ground in [BACKGROUND, PANEL, BAR] {
                assert!(contrast(text, ground) >= 4.5, "text {number}: {}", contrast(text, ground));
            }
        }
        assert!(contrast(WHITE, ACCENT) >= 4.5 && contrast(TEXT, FIELD) >= 4.5 && contrast(TEXT, FIELD_HOVER) >= 4.5);
        assert!(contrast(BACKGROUND, PHANTOM) >= 4.5 && contrast(BACKGROUND, MISSED) >= 4.5);
        assert!(contrast(KNOB, PANEL) >= 3.0 && contrast(BOUNDS, BACKGROUND) >= 3.0);
    }
}
