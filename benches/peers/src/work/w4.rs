//! W4, nasty: sizes over three orders of magnitude, in clumps, all moving.

use super::moving::{BOX2D, BOX2D_CONTACTS, CONTACTS, PARRY, PARRY_CONTACTS, SENSORS, SOLIDS, UPDATE, faster, race};
use crate::Options;
use crate::data::Motion;
use crate::report::Report;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let race = race("W4 10k nasty", &Motion::nasty(10_000, 64), 8, options.rounds(24))?;
    report.row("W4 10k pairs", &race, faster(&race), PARRY);
    report.row("W4 10k pairs", &race, faster(&race), BOX2D);
    report.row("W4 10k contacts", &race, CONTACTS, PARRY_CONTACTS);
    report.row("W4 10k contacts", &race, CONTACTS, BOX2D_CONTACTS);
    report.row("W4 10k contacts", &race, CONTACTS, SOLIDS);
    report.row("W4 10k events", &race, UPDATE, SENSORS);
    Ok(())
}
