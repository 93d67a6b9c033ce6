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
pub const ACCENT: Color = rgb(0x4c8dff);
pub const TEXT: Color = rgb(0xd9dee7);
pub const MUTED: Color = rgb(0x8d97a8);

/// The first and the second shape of a pair.
pub const FIRST: Color = rgb(0x6ea8fe);
pub const SECOND: Color = rgb(0xf2b45c);
pub const CONTACT: Color = rgb(0xff6f6f);
pub const CLOSEST: Color = rgb(0x72d9a2);
pub const GHOST: Color = rgb(0xb494ff);
pub const BOUNDS: Color = rgb(0x55606f);
pub const SENSOR: Color = rgb(0x72d9a2);
pub const INDEX: Color = rgb(0x7a62b8);
pub const QUERY: Color = rgb(0xf2d45c);

pub const FONT_SIZE: f32 = 15.0;
pub const SMALL: f32 = 13.0;
pub const LARGE: f32 = 20.0;
pub const TITLE: f32 = 17.0;

/// Returns the colour with the given opacity.
pub const fn faint(color: Color, alpha: f32) -> Color {
    Color { a: alpha, ..color }
}

const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::new(r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0, 1.0)
}

/// The sizes of all texts.
const SIZES: [f32; 4] = [FONT_SIZE, SMALL, LARGE, TITLE];

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

/// Returns the width of a text in points.
pub fn text_width(words: &str, size: f32) -> f32 {
    measure_text(words, None, size as u16, 1.0).width
}
