//! Draws every picture of the README, the docs and rustdoc anew.

mod answers;
mod composed;
mod figure;
mod frames;
mod motion;
mod shapes;
#[path = "../support/mod.rs"]
mod support;

use figure::Drawn;

const FIGURES: [(&str, fn() -> Drawn); 23] = [
    ("aabb", answers::aabb),
    ("capsule", shapes::capsule),
    ("circle", shapes::circle),
    ("collider", shapes::support),
    ("compound", composed::compound),
    ("contact", answers::contact),
    ("debug_state", frames::debug_state),
    ("ellipse", shapes::ellipse),
    ("exact", frames::exact),
    ("move_options", motion::move_options),
    ("moved", motion::moved),
    ("one_way", motion::one_way),
    ("point_projection", answers::point_projection),
    ("polygon", shapes::polygon),
    ("polyline", composed::polyline),
    ("ray_hit", answers::ray_hit),
    ("rect", shapes::rect),
    ("rounded", shapes::rounded),
    ("segment", shapes::segment),
    ("shape_cast_hit", answers::shape_cast_hit),
    ("tile", composed::tile),
    ("tiles", composed::tiles),
    ("transform", frames::transform),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, draw) in FIGURES {
        println!("{}", draw()?.save(name)?.display());
    }
    Ok(())
}
