//! Output that several commands share: progress bars and lines of JSON.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::failure::Failure;

/// A progress bar on stderr with `length` steps; hidden unless stderr is a terminal.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    // Templates are constants, so an invalid one fails in the first test.
    let style = ProgressStyle::with_template(template).expect("a valid template");
    ProgressBar::new(length).with_style(style)
}

/// Writes a result as a line of JSON.
pub(super) fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let line = serde_json::to_string(row)?;
    Ok(writeln!(out, "{line}")?)
}
