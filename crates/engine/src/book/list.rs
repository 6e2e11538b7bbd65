//! Lists of openings: text files with one position per line in four columns: the position, the
//! moves that lead to it from the start, its mover's margin and how the margin was proved.
//!
//! The second column begins with `#`, so that programs that only read positions treat the rest
//! as a comment. The last line of a list written by `kalah openings make` is its checksum. A
//! list without one may come from anyone: the engine plays by its margins but does not report
//! them as proved.

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use kalah_game::{Gain, Interval, Position, Variant};
use kalah_text::names::shortened;

/// The last column of a line begins with this if the margin is exact.
pub const EXACT: &str = "exact";

/// The start of the last line of a generated list, followed by the XXH3 of the lines before it.
const CHECKSUM: &str = "# checksum ";

/// The first line of a list. It states the capture rule, which the positions leave out.
fn header(variant: Variant) -> String {
    format!("# position\tmoves\tmargin, {}\tproof", variant.capture())
}

/// The lines of a list and whether a checksum vouches for them.
#[derive(Debug)]
pub struct OpeningList<'a> {
    /// In the order of the file.
    pub lines: Vec<ListedOpening<'a>>,
    /// Whether the list ends with its checksum, which matches.
    pub has_checksum: bool,
}

/// A line of a list.
#[derive(Debug)]
pub struct ListedOpening<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The position, stores included.
    pub position: Position,
    /// The letters of the moves that lead to it.
    pub moves: &'a str,
    /// The proved margin, from the mover's point of view.
    pub margin: Gain,
    /// Whether `margin` is exact, and not only a bound.
    pub is_exact: bool,
}

/// Error for a text that is not a list of openings for the wanted capture rule, or that was edited
/// or damaged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct OpeningListError(String);

impl<'a> OpeningList<'a> {
    /// Parses a list for the capture rule of `variant`; its boards may be of any width.
    ///
    /// # Errors
    /// [`OpeningListError`] about the first faulty line.
    pub fn parse(text: &'a str, variant: Variant) -> Result<Self, OpeningListError> {
        let mut all: Vec<&str> = text.lines().collect();
        let header = header(variant);
        if all.first() != Some(&header.as_str()) {
            return Err(OpeningListError(format!("expected a first line '{header}'")));
        }
        let expected = all.pop_if(|line| line.starts_with(CHECKSUM));
        if let Some(line) = expected {
            let expected = checksum(&all);
            let got = &line[CHECKSUM.len()..];
            if got != expected {
                let got = shortened(got);
                return Err(OpeningListError(format!(
                    "expected checksum {expected}, got {got}: edited or damaged"
                )));
            }
        }
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(all).filter(|(_, line)| !line.starts_with('#')) {
            let opening = ListedOpening::parse(number, line, variant)
                .map_err(|fault| OpeningListError(format!("line {number}: expected {fault}")))?;
            lines.push(opening);
        }
        Ok(Self { lines, has_checksum: expected.is_some() })
    }

    /// A line of a list, with its line break. `moves` are letters, `margin` is from the mover's
    /// point of view, and `proof` begins with `exact` if it is proved.
    pub fn line(position: &Position, moves: &str, margin: Gain, proof: &str) -> String {
        let position = position.without_rule();
        format!("{position}\t# {moves}\t{margin}\t{proof}\n")
    }

    /// The text of a list with these lines, which end with a line break.
    pub fn text(variant: Variant, lines: &[String]) -> String {
        let text = format!("{}\n{}", header(variant), lines.concat());
        let checksum = checksum(&text.lines().collect::<Vec<_>>());
        format!("{text}{CHECKSUM}{checksum}\n")
    }
}

/// The XXH3 of the lines in hexadecimal, independent of the line breaks in the file.
fn checksum(lines: &[&str]) -> String {
    format!("{:016x}", xxh3_64((lines.join("\n") + "\n").as_bytes()))
}

impl<'a> ListedOpening<'a> {
    /// Parses a line; the error states what was expected.
    fn parse(number: usize, line: &'a str, variant: Variant) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[position, moves, margin, proof] = columns.as_slice() else {
            return Err("a position, moves, a margin and its proof, separated by tabs".to_owned());
        };
        let position = Position::parse(position, variant.capture())
            .map_err(|error| format!("a position: {error}"))?;
        let moves = moves.trim_start_matches(['#', ' ']);
        let margin = Gain(margin.parse().map_err(|_| "a margin")?);
        if !position.has_margin(margin) {
            let Interval { lower, upper } = position.margins();
            let step = variant.gain_step().0;
            let expected = format!("a margin from {lower} to {upper} in steps of {step}");
            return Err(format!("{expected}, got {margin}"));
        }
        Ok(Self { number, position, moves, margin, is_exact: proof.starts_with(EXACT) })
    }
}
