//! The window: tabs, the panel, and the view that is chosen.

use macroquad::prelude::*;

use crate::arguments::Arguments;
use crate::camera::Camera;
use crate::draw::Brush;
use crate::host::{File, Host};
use crate::input::{Input, Pointer};
use crate::theme;
use crate::ui::{Ui, rounded, wrap};
use crate::view::{Hold, Stage, View};
use crate::views::ALL;

const BAR_HEIGHT: f32 = 46.0;
const PANEL_WIDTH: f32 = 324.0;
/// In a narrower window the panel is below the world, not beside it.
const NARROW: f32 = 720.0;
/// In a window that is narrower still the buttons are below the tabs.
const NARROWER: f32 = 470.0;
const BUTTONS_HEIGHT: f32 = 36.0;

/// A view that was opened once, and its camera.
struct Opened {
    view: Box<dyn View>,
    camera: Camera,
}

struct App {
    views: Vec<Option<Opened>>,
    chosen: usize,
    host: Host,
    input: Input,
    bar: Ui,
    panel: Ui,
    paused: bool,
    /// What the pointer is over, or was when it was pressed.
    over: Part,
    hold: Hold,
    message: Option<Message>,
}

/// What is wrong, for some seconds.
struct Message {
    text: String,
    left: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    World,
    Panel,
    Bar,
}

/// Runs until the window is closed, or the picture is taken.
pub async fn run(arguments: Arguments) {
    let mut font = theme::TextFont::load();
    let mut app = App::new(&arguments);
    let mut frames = 0;
    loop {
        let seconds = if arguments.shot.is_some() { 1.0 / 60.0 } else { get_frame_time().min(0.1) };
        font.prepare();
        app.frame(seconds);
        frames += 1;
        if let Some(path) = arguments.shot.as_deref().filter(|_| frames >= arguments.frames) {
            // The picture is of what was drawn, so it is taken before the next frame begins.
            save_picture(path);
            return;
        }
        next_frame().await;
    }
}

fn save_picture(path: &std::path::Path) {
    // Macroquad's way of saving does not tell what went wrong.
    match (std::fs::File::create(path), path.to_str()) {
        (Ok(_), Some(name)) if screen_width() >= 1.0 && screen_height() >= 1.0 => get_screen_data().export_png(name),
        (Ok(_), _) => eprintln!("{}: this name or this size makes no picture", path.display()),
        (Err(error), _) => eprintln!("{}: {error}", path.display()),
    }
}

impl App {
    fn new(arguments: &Arguments) -> Self {
        let mut app = Self {
            views: ALL.iter().map(|_| None).collect(),
            chosen: 0,
            host: Host::new(arguments.state.clone()),
            input: Input::default(),
            bar: Ui::default(),
            panel: Ui::default(),
            paused: arguments.paused,
            over: Part::World,
            hold: Hold::Nothing,
            message: None,
        };
        if let Some(name) = &arguments.view {
            app.show(name);
        }
        if let Some(path) = &arguments.file {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match std::fs::read(path) {
                Ok(bytes) => app.open(&File { name, bytes }),
                Err(error) => app.complain(format!("{}: {error}", path.display())),
            }
        }
        app
    }

    fn complain(&mut self, text: String) {
        eprintln!("{text}");
        self.message = Some(Message { text, left: 8.0 });
    }

    fn opened(&mut self) -> &mut Opened {
        self.views[self.chosen].get_or_insert_with(|| {
            let view = (ALL[self.chosen].make)();
            let camera = Camera::new(view.y_down());
            Opened { view, camera }
        })
    }

    /// Shows a state with the view that it names.
    fn show(&mut self, state: &str) {
        let (name, state) = state.split_once('?').unwrap_or((state, ""));
        match ALL.iter().position(|entry| entry.name == name) {
            Some(index) => {
                self.chosen = index;
                if let Err(error) = self.opened().view.set_state(state) {
                    self.complain(format!("This link cannot be shown: {error}."));
                }
            }
            None => {
                let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
                self.complain(format!("There is no view {name:?}; there are {}.", names.join(", ")));
            }
        }
    }

    /// Opens a file with the view that opens files.
    fn open(&mut self, file: &File) {
        let Some(index) = ALL.iter().position(|entry| entry.opens_files) else {
            return self.complain(format!("{}: nothing here opens files", file.name));
        };
        self.chosen = index;
        let opened = self.opened();
        match opened.view.open(&file.name, &file.bytes) {
            Ok(()) => {
                opened.camera.go_home();
                // A map may have asked for this one.
                self.message = None;
            }
            Err(error) => self.complain(format!("{}: {error}", file.name)),
        }
    }

    fn frame(&mut self, seconds: f32) {
        if let Some(state) = self.host.take_state() {
            self.show(&state);
        }
        for file in Host::take_files() {
            self.open(&file);
        }
        self.input.read();
        self.message = self.message.take().filter(|message| message.left > 0.0);
        if let Some(message) = &mut self.message {
            message.left -= seconds;
        }

        let (width, height) = (screen_width(), screen_height());
        if width < 1.0 || height < 1.0 {
            // A window without size has nothing to show; it is asked again in the next frame.
            return;
        }
        let layout = Layout::new(width, height);
        self.turn_to(&layout);
        self.world(&layout, if self.paused { 0.0 } else { seconds });
        self.widgets(&layout);
        if let Some(message) = &self.message {
            show_message(&message.text, layout.world);
        }
        self.publish();
    }

    /// What the pointer is over decides who is told of it; while it is down that does not change.
    fn turn_to(&mut self, layout: &Layout) {
        let pointer = self.input.pointer;
        if !pointer.down && !pointer.released || pointer.pressed {
            self.over = match pointer.position {
                at if layout.bar.contains(at) => Part::Bar,
                at if layout.panel.contains(at) => Part::Panel,
                _ => Part::World,
            };
        }
    }

    fn pointer_of(&self, part: Part) -> Pointer {
        let pointer = self.input.pointer;
        if self.over == part { pointer } else { pointer.elsewhere() }
    }

    fn world(&mut self, layout: &Layout, seconds: f32) {
        let pointer = self.pointer_of(Part::World);
        let input = self.input.with_pointer(pointer);
        let held = self.hold;
        let Opened { view, camera } = self.opened();
        camera.place(layout.world, view.home());
        if held == Hold::Nothing {
            camera.pan(pointer.pan);
            camera.zoom(pointer.position, pointer.zoom);
        }
        let hold = view.update(&Stage { input: &input, camera, seconds });
        if hold == Hold::Nothing && pointer.down {
            camera.pan(pointer.moved);
        }
        clear_background(theme::BACKGROUND);
        let brush = Brush { camera };
        brush.grid();
        view.draw(&brush);
        self.hold = hold;
    }

    fn widgets(&mut self, layout: &Layout) {
        let (mut panel, mut bar) = (std::mem::take(&mut self.panel), std::mem::take(&mut self.bar));
        panel.begin(layout.panel, theme::PANEL, self.pointer_of(Part::Panel));
        self.opened().view.panel(&mut panel);
        panel.end();
        bar.begin(layout.bar, theme::BAR, self.pointer_of(Part::Bar));
        self.tabs(&mut bar, layout.bar);
        (self.panel, self.bar) = (panel, bar);
    }

    fn tabs(&mut self, bar: &mut Ui, place: Rect) {
        let (y, height, mut x) = (place.y + 8.0, BAR_HEIGHT - 16.0, place.x + 12.0);
        let spacious = place.w > NARROW;
        if spacious {
            theme::text("hitgraph", x, y + height * 0.5 + 6.0, theme::TITLE, theme::TEXT);
            x += theme::text_width("hitgraph", theme::TITLE) + 24.0;
        }
        for (index, entry) in ALL.iter().enumerate() {
            let width = theme::text_width(entry.title, theme::SMALL) + if spacious { 28.0 } else { 20.0 };
            if bar.cell(Rect::new(x, y, width, height), entry.title, index == self.chosen) {
                self.chosen = index;
            }
            x += width + 4.0;
        }
        let (mut right, y) = (place.right() - 8.0, place.bottom() - 8.0 - height);
        let mut button = |bar: &mut Ui, label: &str| {
            let width = theme::text_width(label, theme::SMALL) + 20.0;
            right -= width + 4.0;
            bar.cell(Rect::new(right, y, width, height), label, false)
        };
        if button(bar, "Reset") {
            self.views[self.chosen] = None;
        }
        if button(bar, if self.paused { "Run" } else { "Pause" }) {
            self.paused = !self.paused;
        }
        if spacious && button(bar, "Center") {
            self.opened().camera.go_home();
        }
        // In the browser it is in the address.
        if cfg!(not(target_arch = "wasm32")) && spacious && button(bar, "Print link") {
            println!("{}", self.host.state());
        }
    }

    /// Tells the host what is shown.
    fn publish(&mut self) {
        let name = ALL[self.chosen].name;
        let message = self.message.as_ref().map_or_else(String::new, |message| message.text.clone());
        let Opened { view, camera } = self.opened();
        let mut status = vec![("view", name.to_owned()), ("message", message)];
        status.extend(view.status(camera));
        let state = view.state();
        self.host.publish_status(&status);
        // An address need not change with every step of a drag.
        if !self.input.pointer.down {
            let separator = if state.is_empty() { "" } else { "?" };
            self.host.publish_state(format!("{name}{separator}{state}"));
        }
        if self.input.struck(KeyCode::P) {
            println!("{}", self.host.state());
        }
    }
}

/// Where things are on the screen.
struct Layout {
    bar: Rect,
    panel: Rect,
    world: Rect,
}

impl Layout {
    fn new(width: f32, height: f32) -> Self {
        let bar = Rect::new(0.0, 0.0, width, BAR_HEIGHT + if width < NARROWER { BUTTONS_HEIGHT } else { 0.0 });
        let (below, left) = (height - bar.h, width - PANEL_WIDTH);
        let (panel, world) = if width < NARROW {
            let top = bar.h + below * 0.55;
            (Rect::new(0.0, top, width, height - top), Rect::new(0.0, bar.h, width, top - bar.h))
        } else {
            (Rect::new(left, bar.h, PANEL_WIDTH, below), Rect::new(0.0, bar.h, left, below))
        };
        Self { bar, panel, world }
    }
}

fn show_message(text: &str, area: Rect) {
    let lines = wrap(text, theme::FONT_SIZE, (area.w - 64.0).max(80.0));
    let width = lines.iter().map(|line| theme::text_width(line, theme::FONT_SIZE)).fold(0.0, f32::max) + 32.0;
    let height = 20.0 * lines.len() as f32 + 20.0;
    let place = Rect::new(area.x + (area.w - width) * 0.5, area.bottom() - height - 20.0, width, height);
    rounded(place, Color::new(0.42, 0.16, 0.18, 0.96));
    for (index, line) in lines.iter().enumerate() {
        theme::text(line, place.x + 16.0, place.y + 25.0 + 20.0 * index as f32, theme::FONT_SIZE, WHITE);
    }
}
