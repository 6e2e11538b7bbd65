//! JSON output of commands.

use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

use super::failure::Failure;
use kalah_text::foreign::Foreign;

/// The output of `--json` in place of the text: one object for all results of a command.
#[derive(Serialize)]
struct Document<'a, S, R> {
    /// The version of the program.
    kalah: &'static str,
    command: &'a str,
    #[serde(flatten)]
    summary: S,
    results: R,
}

/// Writes the results of `command` as one JSON document. The fields of `summary` describe
/// all of them.
pub(super) fn write_document(
    command: &str,
    summary: impl Serialize,
    results: impl Serialize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write_json(&Document { kalah: env!("CARGO_PKG_VERSION"), command, summary, results }, out)
}

/// Writes a result as a line of JSON or as its text, which ends its own lines.
pub(super) fn write_result(
    result: &(impl Serialize + Display),
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json { write_json(result, out) } else { Ok(write!(out, "{result}")?) }
}

/// Writes a result as a line of JSON.
pub(super) fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let line = serde_json::to_string(row)?;
    // JSON permits control characters, such as DEL, that a terminal would obey.
    Ok(writeln!(out, "{}", Foreign(&line))?)
}
