//! Draws the duel: the stage, the fighters, the second engine's shapes, the counters and the stamp.

use glam::{Vec2, vec2};
use macroquad::prelude::{Color, Rect, draw_rectangle};

use super::card::{ghost, mark};
use super::duel::{OPPONENT, TICKS};
use super::fighter::Role;
use super::lie::Verdict;
use super::{DECOMPOSING, HITGRAPH, HOLD, Hand, MirrorView};
use crate::draw::{Brush, Stroke, fill};
use crate::theme;
use crate::ui::{rounded, wrap};

const CLAIM: &str = "What you see is what collides.";
/// The words below the claim.
const LEGEND: &str = "hitgraph, a 2D collision library for Rust, tests the filled shapes. An engine that decomposes \
                      transforms tests the dashed ones.";
const GROUND: Color = theme::rgb(0x1c2129);
const MIRROR: Color = theme::rgb(0x171c24);

impl MirrorView {
    pub(super) fn paint(&mut self, brush: &Brush<'_>) {
        paint_stage(brush);
        let held = self.duel.hold > 0;
        let limbs = self.duel.lies.last().filter(|_| held).map(|lie| lie.limbs);
        let is_shown = |limb: usize| limbs.is_some_and(|limbs| limbs.contains(&limb));
        let touching = self.duel.referee.touching.clone();
        let paints: Vec<(u32, Role)> = (0..self.duel.operands().len())
            .map(|limb| self.duel.referee.limb(limb))
            .map(|limb| (limb.tint, limb.role))
            .collect();
        self.duel.referee.draw(HITGRAPH, |limb, shape| {
            let (tint, role) = paints[limb];
            let color = if touching[limb] && role.is_hit() { theme::TOUCHING } else { theme::rgb(tint) };
            // While an error is shown, the limbs without part in it are dim.
            let color = if limbs.is_some() && !is_shown(limb) { theme::mixed(color, MIRROR, 0.6) } else { color };
            let rim = theme::mixed(color, theme::BACKGROUND, 0.45);
            brush.shape(shape, Stroke::new(color).filled(1.0));
            brush.shape(shape, Stroke::new(if is_shown(limb) { theme::TEXT } else { rim }).width(2.0));
        });
        self.duel.referee.draw(DECOMPOSING, |limb, shape| {
            if paints[limb].1 != Role::Paint {
                brush.shape(shape, if is_shown(limb) { ghost(1.0).width(3.0) } else { ghost(0.42) });
            }
        });
        if held {
            self.paint_stamp(brush);
        }
        self.paint_counters(brush.camera.area);
    }

    /// Stamps the error on its place.
    fn paint_stamp(&self, brush: &Brush<'_>) {
        let Some(lie) = self.duel.lies.last() else { return };
        mark(brush, lie.at, theme::CONTACT);
        let area = brush.camera.area;
        let words = lie.verdict.to_string();
        let size = if area.w < 520.0 { theme::LARGE } else { theme::STAMP };
        let width = theme::text_width(&words, size);
        let reason = match lie.verdict {
            Verdict::Phantom => "Only the dashed shapes touch.",
            Verdict::Missed => "Only the filled shapes touch.",
        };
        let small = if area.w < 520.0 { theme::SMALL } else { theme::TITLE };
        let reason_width = theme::text_width(reason, small);
        // It falls onto the picture in the first frames.
        let early = (HOLD - self.duel.hold).min(4) as f32 / 4.0;
        let turn = -0.13_f32;
        let at = brush.camera.to_screen(lie.at) - vec2(0.0, size * 2.4 + (1.0 - early) * 24.0);
        let half = vec2(width.max(reason_width) * 0.5 + size * 0.4, size * 0.5 + small * 0.85);
        // The corners of the turned stamp reach further up and down.
        let reach = half + vec2(0.0, half.x * 0.14);
        let low = vec2(area.x, area.y + Header::new(area).height) + reach;
        let at = at.clamp(low, (vec2(area.right(), area.bottom()) - reach).max(low));
        let (along, across) = (Vec2::from_angle(turn), Vec2::from_angle(turn).perp());
        let corner = |x: f32, y: f32| at + along * half.x * x + across * half.y * y;
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let color = theme::stamp(lie.verdict == Verdict::Phantom);
        fill(corners.into_iter(), color);
        let line = |words: &str, width: f32, size: f32, down: f32| {
            theme::turned_text(words, at - along * width * 0.5 + across * down, size, turn, theme::BACKGROUND);
        };
        line(&words, width, size, half.y - small * 1.5);
        line(reason, reason_width, small, half.y - small * 0.5);
    }

    /// Draws the claim, both counters and the clock at the top.
    fn paint_counters(&self, area: Rect) {
        let (hitgraph, other) = (self.count(HITGRAPH).total(), self.count(DECOMPOSING).total());
        let Header { narrow, size, lines, height } = Header::new(area);
        draw_rectangle(area.x, area.y, area.w, height, theme::BACKGROUND);
        let (x, y) = (area.x + 14.0, area.y + 42.0);
        theme::text(CLAIM, x, area.y + 31.0, if narrow { theme::LARGE } else { theme::CLAIM }, theme::TEXT);
        for (index, line) in lines.iter().enumerate() {
            theme::text(line, x, y + 13.0 + (size + 4.0) * index as f32, size, theme::TEXT);
        }
        let y = y + (size + 4.0) * lines.len() as f32;
        let names = if narrow { ["hitgraph", "dashed engine"] } else { ["of hitgraph", "of the dashed engine"] };
        let colors = [theme::SENSOR, theme::CONTACT];
        let mut left = x;
        for ((name, count), color) in names.into_iter().zip([hitgraph, other]).zip(colors) {
            let number = count.to_string();
            theme::text(&number, left, y + 38.0, theme::STAMP, color);
            let beside = left + theme::text_width(&number, theme::STAMP) + 10.0;
            theme::text("wrong hits", beside, y + 20.0, theme::FONT_SIZE, color);
            theme::text(name, beside, y + 37.0, theme::FONT_SIZE, theme::TEXT);
            let width = ["wrong hits", name].map(|words| theme::text_width(words, theme::FONT_SIZE));
            left = beside + width[0].max(width[1]) + if narrow { 14.0 } else { 34.0 };
        }
        let seconds = (TICKS - self.duel.tick.min(TICKS)).div_ceil(60);
        let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
        let right = |words: &str, y: f32, size: f32, color: Color| {
            theme::text(words, area.right() - 14.0 - theme::text_width(words, size), y, size, color);
        };
        right(&clock, y + 20.0, theme::LARGE, theme::TEXT);
        if !narrow {
            let [troll, knight] = self.duel.hits;
            right(&format!("knight {knight} : {troll} {}", self.opponent_name()), y + 38.0, theme::SMALL, theme::MUTED);
        }
        self.paint_hint(area);
    }

    fn opponent_name(&self) -> &str {
        &self.duel.fighters[OPPONENT].name
    }

    /// Draws how to play, or the result, above the card.
    fn paint_hint(&self, area: Rect) {
        let words = if self.duel.is_over() {
            let [troll, knight] = self.duel.hits;
            let (wrong, tests) = (self.count(DECOMPOSING).total(), self.duel.referee.tests);
            format!(
                "Time! {knight} : {troll}. The decomposing engine was wrong {wrong} times, hitgraph {} times in {tests} \
                 tests. Space or a tap: again.",
                self.count(HITGRAPH).total()
            )
        } else if self.hand == Hand::Nobody && self.duel.hold == 0 {
            "Take over the knight: arrows, mouse or thumb.".to_owned()
        } else {
            return;
        };
        let beside = area.right() - self.card_area.right() - 20.0;
        let is_beside = self.card_area.h > 0.0 && beside > 200.0;
        let width = if is_beside { beside } else { area.w - 20.0 };
        let lines = wrap(&words, theme::FONT_SIZE, width - 28.0);
        let widest = lines.iter().map(|line| theme::text_width(line, theme::FONT_SIZE)).fold(0.0, f32::max);
        let height = 20.0 * lines.len() as f32 + 14.0;
        let bottom = if is_beside || self.card_area.h == 0.0 { area.bottom() } else { self.card_area.y };
        let place = Rect::new(area.right() - widest - 38.0, bottom - height - 10.0, widest + 28.0, height);
        rounded(place, theme::FIELD);
        for (index, line) in lines.iter().enumerate() {
            theme::text(line, place.x + 14.0, place.y + 21.0 + 20.0 * index as f32, theme::FONT_SIZE, theme::TEXT);
        }
    }
}

/// The layout of the claim, its explanation and the counters.
struct Header {
    narrow: bool,
    /// The size of the explanation, and its lines.
    size: f32,
    lines: Vec<String>,
    height: f32,
}

impl Header {
    fn new(area: Rect) -> Self {
        let narrow = area.w < 560.0;
        let size = if narrow { theme::SMALL } else { theme::FONT_SIZE };
        let lines = wrap(LEGEND, size, area.w - 28.0);
        let height = 98.0 + (size + 4.0) * lines.len() as f32;
        Self { narrow, size, lines, height }
    }
}

/// Draws the ground and, behind the fighters, a mirror.
fn paint_stage(brush: &Brush<'_>) {
    let place = |x: f32, y: f32| brush.camera.to_screen(vec2(x, y));
    let oval =
        |size: Vec2| (0..72).map(move |step| Vec2::from_angle(step as f32 / 72.0 * std::f32::consts::TAU) * size);
    for (size, color) in [(vec2(6.4, 3.5), theme::EDGE), (vec2(6.2, 3.3), MIRROR)] {
        fill(oval(size).map(|at| place(at.x, at.y + 2.4)), color);
    }
    let area = brush.camera.area;
    // Not `clamp`, which panics in a window that is lower than the bar.
    let ground = place(0.0, 0.0).y.max(area.y).min(area.bottom());
    draw_rectangle(area.x, ground, area.w, area.bottom() - ground, GROUND);
    brush.line(vec2(-40.0, 0.0), vec2(40.0, 0.0), Stroke::new(theme::EDGE).width(2.0));
}
