//! The claims of the literature as records, and the sets of searches that test them.
//!
//! `claims.txt` holds both. A record names the words and the source of a claim, the figure that is
//! measured, the algorithms and their baselines, the sets of searches, the conditions among them,
//! and the rule that decides. A claim that existing sets can test is a record and no code.

use std::fmt::Display;
use std::iter;
use std::ops::RangeInclusive;
use std::str::FromStr;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::condition::{Condition, Evaluation, KalahTrees, Trees, TreesPerShape};
use super::ensemble::Ensemble;
use super::figure::{Measure, MeasuredBy};
use super::judge::{Case, Figure, Rule};
use super::measure::{Measurement, Measurements};
use super::measured::Measured;
use super::pair::Pair;
use crate::algorithms::{ExtraTurns, Method};
use kalah_game::{Capture, Rules};
use kalah_text::named_enum;

named_enum! {
    /// A comparison that the program runs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Comparison: "comparison" {
        /// SCOUT and alpha-beta on Kalah.
        Noe = "noe",
        /// The same under more conditions, one move deeper.
        NoeFull = "noe-full",
        /// Pearl's ratio on random trees.
        Pearl = "pearl",
        /// Reinefeld's gain on wide random trees.
        Reinefeld = "reinefeld",
        /// Minimal trees and other orders.
        Minimal = "minimal",
        /// Matches between algorithms.
        Games = "games",
        /// The regret of bandit strategies.
        Bandits = "bandits",
    }
}

named_enum! {
    /// How the cases of a claim are summarised.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scope: "scope" {
        /// A source reports on conditions that are unknown, so the cases are only counted.
        Count = "count",
        /// The claim is about more than half of the cases.
        Most = "most",
        /// The claim is that something exists.
        Some = "some",
    }
}

/// A statement of the literature or a question of this project, and how it is tested.
#[derive(Debug)]
pub struct Claim {
    /// Its name in files for programs.
    pub id: &'static str,
    /// A few words for a terminal.
    pub short: &'static str,
    /// The words of the source, or the question.
    pub words: &'static str,
    /// The source with its edition and its slide; empty for a question of this project.
    pub source: &'static str,
    /// What the figure of a case counts, in words.
    pub figure: &'static str,
    /// What the figure of a case is.
    pub measure: Measure,
    /// The algorithms that are compared; each pair has cases of its own.
    pub pairs: Vec<Pair>,
    /// The names of the sets of searches that test it.
    pub sets: Vec<&'static str>,
    /// The comparison that tests it, if no set of searches does.
    pub run: Option<Comparison>,
    /// The depths among those of the sets.
    pub depths: RangeInclusive<u16>,
    /// The pits or, on synthetic trees, the widths among those of the sets.
    pub widths: RangeInclusive<u16>,
    /// The orders among those of the sets; empty for all.
    pub orders: Vec<&'static str>,
    /// The treatments of extra turns among those of the sets; empty for all.
    pub turns: Vec<ExtraTurns>,
    /// The figures for which it is true.
    pub rule: Rule,
    /// How its cases are summarised.
    pub scope: Scope,
    /// The label of its baseline in the answer to the main question; empty if it is not part of it.
    pub headline: &'static str,
}

impl Claim {
    /// Its words, in quotation marks if they are a source's.
    pub fn quotation(&self) -> String {
        if self.source.is_empty() { self.words.to_owned() } else { format!("“{}”", self.words) }
    }

    /// Each algorithm with its baseline, for a match.
    pub(super) fn rivals(&self) -> impl Iterator<Item = [Method; 2]> {
        self.pairs.iter().filter_map(|pair| Some([pair.own.method, pair.baseline?.method]))
    }

    /// Its source in words.
    pub fn origin(&self) -> &'static str {
        if self.source.is_empty() { "a question of this project" } else { self.source }
    }

    /// Whether the claim is about searches at this depth under this condition.
    pub(super) fn covers(&self, condition: &Condition, depth: u16) -> bool {
        let turns = condition.kalah().map(|kalah| kalah.extra_turns);
        self.depths.contains(&depth)
            && self.widths.contains(&condition.width())
            && (self.orders.is_empty() || self.orders.contains(&condition.order()))
            && (self.turns.is_empty() || turns.is_none_or(|turns| self.turns.contains(&turns)))
    }

    /// The cases of the claim among the searches of a set; none if it is not measured by searches.
    pub(crate) fn cases(&self, all: &Measurements) -> Vec<Case> {
        let mut cases = Vec::new();
        for pair in &self.pairs {
            let searches = all.0.iter().filter(|own| {
                let order = own.condition.order();
                own.method == pair.own.method
                    && pair.own.order.unwrap_or(order) == order
                    && self.covers(&own.condition, own.depth)
            });
            let own = searches.map(|own| Measured { own, pair, all });
            match self.measure.measured_by {
                MeasuredBy::Search(figure) | MeasuredBy::Pair(figure) => {
                    cases.extend(
                        own.filter_map(|own| Some(self.case(own.own, pair, figure(&own)?))),
                    );
                }
                MeasuredBy::Pairs(cases_of) => cases.extend(cases_of(&own.collect::<Vec<_>>())),
                _ => {}
            }
        }
        cases
    }

    fn case(&self, own: &Measurement, pair: &Pair, figure: Figure) -> Case {
        let mut words = format!("{}, d {}", own.condition.words(), own.depth);
        // A case names its algorithms only if the claim is about several.
        if self.pairs.len() > 1 {
            words += &format!(", {}", pair.words());
        }
        Case { condition: words, figure, sampled: Some(own.condition.clone()) }
    }
}

/// Searches by the same algorithms under several conditions and at several depths.
#[derive(Clone, Debug)]
pub struct SearchSet {
    /// Its name in claims; several sets may share one.
    pub name: &'static str,
    /// The heading of its table.
    pub heading: &'static str,
    /// The comparisons of which it is a part.
    pub runs: Vec<Comparison>,
    /// The trees, one entry for each condition.
    pub trees: Vec<Trees>,
    /// The depths in moves.
    pub depths: Vec<u16>,
    /// The algorithms; the first is the reference for the values of the others.
    pub methods: Vec<Method>,
    /// The number of timed rounds.
    pub rounds: usize,
    /// Whether visits are followed node by node, instead of counting the effort.
    pub follows: bool,
}

/// What the findings of a comparison begin with.
#[derive(Debug)]
pub struct Heading {
    /// The comparisons that it describes.
    runs: Vec<Comparison>,
    /// In a few words.
    pub title: &'static str,
    /// What is compared.
    pub summary: &'static str,
}

/// All records.
#[derive(Debug)]
pub struct Records {
    /// One for each comparison.
    headings: Vec<Heading>,
    /// The claims, in the order of the file.
    pub claims: Vec<Claim>,
    /// The sets of searches, in the order of the file.
    pub sets: Vec<SearchSet>,
}

/// The records of `claims.txt`, which is part of the program and is read by a test as well.
pub static RECORDS: Lazy<Records> =
    Lazy::new(|| match Records::parse(include_str!("claims.txt")) {
        Ok(records) => records,
        Err(error) => panic!("{error}"),
    });

/// Error for a record that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("claims.txt, line {line}: {words}")]
pub struct RecordError {
    line: usize,
    words: String,
}

/// A record as text: a heading such as `[set widths]`, and lines such as `depths = 1-5`.
struct Block {
    line: usize,
    kind: &'static str,
    name: &'static str,
    fields: Vec<(&'static str, &'static str)>,
}

impl Block {
    fn error(&self, words: impl Display) -> RecordError {
        RecordError { line: self.line, words: format!("[{} {}]: {words}", self.kind, self.name) }
    }

    /// The text of a field; empty if the record does not have it.
    fn text(&self, key: &str) -> &'static str {
        let field = self.fields.iter().find(|(own, _)| *own == key);
        field.map(|(_, text)| *text).unwrap_or_default()
    }

    fn words(&self, key: &str) -> Vec<&'static str> {
        self.text(key).split_whitespace().collect()
    }

    fn parsed<T: FromStr<Err: Display>>(&self, key: &str) -> Result<T, RecordError> {
        self.text(key).parse().map_err(|error| self.error(format!("{key}: {error}")))
    }

    fn parsed_or<T: FromStr<Err: Display>>(&self, key: &str, none: T) -> Result<T, RecordError> {
        if self.text(key).is_empty() { Ok(none) } else { self.parsed(key) }
    }

    fn list<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Vec<T>, RecordError> {
        let words = self.words(key).into_iter();
        words
            .map(|word| word.parse().map_err(|error| self.error(format!("{key}: {error}"))))
            .collect()
    }

    /// Ranges such as `5` or `1-5`.
    fn ranges(&self, key: &str) -> Result<Vec<RangeInclusive<u16>>, RecordError> {
        let mut ranges = Vec::new();
        for text in self.words(key) {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) => ranges.push(first..=last),
                _ => return Err(self.error(format!("{key}: expected a range, got '{text}'"))),
            }
        }
        Ok(ranges)
    }

    /// A range; everything if there is no such field.
    fn range(&self, key: &str) -> Result<RangeInclusive<u16>, RecordError> {
        Ok(self.ranges(key)?.pop().unwrap_or(0..=u16::MAX))
    }

    fn only(&self, keys: &str) -> Result<(), RecordError> {
        match self.fields.iter().find(|(own, _)| keys.split(' ').all(|key| key != *own)) {
            Some((key, _)) => Err(self.error(format!("unknown field '{key}'"))),
            None => Ok(()),
        }
    }
}

const HEADING_FIELDS: &str = "run title summary";
const CLAIM_FIELDS: &str = "short words source figure measure pairs sets run depths widths orders \
                            turns rule scope headline";
const SET_FIELDS: &str = "heading run boards captures evaluation turns orders positions games start \
                          depths rounds methods follow widths leaves budget trees";

impl Records {
    /// The records of a text.
    ///
    /// # Errors
    /// If a record is malformed, or names a set or an algorithm that does not exist.
    pub fn parse(text: &'static str) -> Result<Self, RecordError> {
        let mut records = Self { headings: Vec::new(), claims: Vec::new(), sets: Vec::new() };
        let blocks = blocks(text)?;
        for block in &blocks {
            match block.kind {
                "claim" | "question" => records.claims.push(claim(block)?),
                "set" => records.sets.push(set(block)?),
                "comparison" => records.headings.push(heading(block)?),
                kind => return Err(block.error(format!("unknown kind '{kind}'"))),
            }
        }
        let claims = blocks.iter().filter(|block| matches!(block.kind, "claim" | "question"));
        for (block, claim) in claims.zip(&records.claims) {
            records.check(claim).map_err(|words| block.error(words))?;
        }
        Ok(records)
    }

    /// What the findings of a comparison begin with.
    pub(crate) fn heading(&self, comparison: Comparison) -> &Heading {
        let own = self.headings.iter().find(|heading| heading.runs.contains(&comparison));
        own.expect("every comparison has a heading")
    }

    /// Fails if `claim` names a set that does not exist, or an algorithm that none of its sets runs,
    /// or if its measure needs an algorithm or a baseline that it does not name.
    fn check(&self, claim: &Claim) -> Result<(), String> {
        if claim.sets.is_empty() == claim.run.is_none() {
            return Err("expected either sets or a run".to_owned());
        }
        let name = claim.measure.name;
        let is_run = matches!(
            claim.measure.measured_by,
            MeasuredBy::Experiment(_) | MeasuredBy::Points | MeasuredBy::Regret(_)
        );
        if is_run && claim.run.is_none() {
            return Err(format!("expected a run for '{name}'"));
        }
        if !is_run && claim.run.is_some() {
            return Err(format!("expected sets for '{name}'"));
        }
        if claim.pairs.is_empty() && claim.measure.needs_algorithm() {
            return Err(format!("expected algorithms for '{name}'"));
        }
        let mut methods: Vec<Method> = Vec::new();
        for name in &claim.sets {
            let own: Vec<_> = self.sets.iter().filter(|set| set.name == *name).collect();
            if own.is_empty() {
                return Err(format!("unknown set '{name}'"));
            }
            methods.extend(own.iter().flat_map(|set| &set.methods));
        }
        for Pair { own, baseline } in &claim.pairs {
            if baseline.is_none() && claim.measure.needs_baseline() {
                return Err(format!("expected a baseline of {} for '{name}'", own.method));
            }
            for side in iter::once(own).chain(baseline) {
                if claim.run.is_none() && !methods.contains(&side.method) {
                    return Err(format!("none of its sets runs {}", side.method));
                }
            }
        }
        Ok(())
    }
}

fn blocks(text: &'static str) -> Result<Vec<Block>, RecordError> {
    let mut blocks: Vec<Block> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let heading = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        if let Some((kind, name)) = heading.and_then(|heading| heading.split_once(' ')) {
            blocks.push(Block { line, kind, name, fields: Vec::new() });
        } else if let (Some(field), Some(block)) = (text.split_once(" = "), blocks.last_mut()) {
            block.fields.push(field);
        } else {
            return Err(RecordError {
                line,
                words: format!("expected 'field = text', got '{text}'"),
            });
        }
    }
    Ok(blocks)
}

fn claim(block: &Block) -> Result<Claim, RecordError> {
    block.only(CLAIM_FIELDS)?;
    for key in ["short", "words", "figure"] {
        if block.text(key).is_empty() {
            return Err(block.error(format!("expected a field '{key}'")));
        }
    }
    if block.text("source").is_empty() != (block.kind == "question") {
        return Err(block.error("a claim has a source, and a question has none"));
    }
    let pairs = block.words("pairs").into_iter().map(Pair::parse).collect::<Result<_, _>>();
    Ok(Claim {
        id: block.name,
        short: block.text("short"),
        words: block.text("words"),
        source: block.text("source"),
        figure: block.text("figure"),
        measure: block.parsed("measure")?,
        pairs: pairs.map_err(|error| block.error(error))?,
        sets: block.words("sets"),
        run: if block.text("run").is_empty() { None } else { Some(block.parsed("run")?) },
        depths: block.range("depths")?,
        widths: block.range("widths")?,
        orders: block.words("orders"),
        turns: block.list("turns")?,
        rule: block.parsed("rule")?,
        scope: block.parsed_or("scope", Scope::Count)?,
        headline: block.text("headline"),
    })
}

fn heading(block: &Block) -> Result<Heading, RecordError> {
    block.only(HEADING_FIELDS)?;
    let title = block.text("title");
    Ok(Heading { runs: block.list("run")?, title, summary: block.text("summary") })
}

fn set(block: &Block) -> Result<SearchSet, RecordError> {
    block.only(SET_FIELDS)?;
    let trees = if block.text("boards").is_empty() { uniform(block)? } else { kalah(block)? };
    Ok(SearchSet {
        name: block.name,
        heading: block.text("heading"),
        runs: block.list("run")?,
        trees,
        depths: block.ranges("depths")?.into_iter().flatten().collect(),
        methods: block.list("methods")?,
        rounds: block.parsed_or("rounds", 0)?,
        follows: block.text("follow") == "yes",
    })
}

fn kalah(block: &Block) -> Result<Vec<Trees>, RecordError> {
    let capture: Capture = block.parsed_or("captures", Capture::Standard)?;
    let evaluation: Evaluation = block.parsed_or("evaluation", Evaluation::Stores)?;
    let ensemble = if !block.text("positions").is_empty() {
        Ensemble::Positions(block.parsed("positions")?)
    } else if !block.text("games").is_empty() {
        Ensemble::Games(block.parsed("games")?)
    } else {
        Ensemble::Start
    };
    let mut boards = Vec::new();
    for board in block.words("boards") {
        let Some(rules) = rules(board, capture) else {
            return Err(block.error(format!("boards: expected a board such as 6x4, got '{board}'")));
        };
        boards.push(rules);
    }
    let kalah = KalahTrees { evaluation, ensemble, ..KalahTrees::default() };
    Ok(kalah.varied(&boards, &block.list("turns")?, &block.list("orders")?))
}

/// The rules of a board such as `6x4`.
fn rules(board: &str, capture: Capture) -> Option<Rules> {
    let (pits, seeds) = board.split_once('x')?;
    Rules::new(pits.parse().ok()?, seeds.parse().ok()?, capture).ok()
}

fn uniform(block: &Block) -> Result<Vec<Trees>, RecordError> {
    let count = if block.text("trees").is_empty() {
        TreesPerShape::Within { leaves: block.parsed("budget")?, at_most: 200_000 }
    } else {
        TreesPerShape::Fixed(block.parsed("trees")?)
    };
    let mut trees = Vec::new();
    for width in block.list("widths")? {
        for leaves in block.list("leaves")? {
            trees.push(Trees::Uniform { width, leaves, count });
        }
    }
    Ok(trees)
}
