//! hitgraph's playground: move shapes and see how they touch. One program for the desktop and the browser.

mod app;
mod arguments;
mod camera;
mod draw;
mod host;
mod input;
mod theme;
mod ui;
mod view;
mod views;

use arguments::Arguments;
use macroquad::Window;
use macroquad::miniquad::conf::Conf;

#[cfg(target_arch = "wasm32")]
fn main() {
    open(Arguments::default());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) if arguments.help => {
            print!("{}", arguments::HELP);
            ExitCode::SUCCESS
        }
        Ok(arguments) => {
            open(arguments);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}; see --help");
            ExitCode::from(2)
        }
    }
}

fn open(arguments: Arguments) {
    let [width, height] = arguments.size.map(|side| side as i32);
    let conf = Conf {
        window_title: "hitgraph playground".to_owned(),
        window_width: width,
        window_height: height,
        high_dpi: true,
        sample_count: 4,
        ..Conf::default()
    };
    Window::from_config(conf, app::run(arguments));
}
