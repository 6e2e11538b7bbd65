//! The progress of a proof, as text and as JSON. Reading it neither changes the folder nor needs
//! its lock, so workers may continue in the meantime.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use serde::{Serialize, Serializer};

use crate::pieces::{Pieces, PiecesError};
use crate::questions::Question;
use kalah_engine::solve::ledger::{LedgerEntry, PieceCost, Proved, RootText};
use kalah_game::{Gain, Interval, Position};
use kalah_tables::{Cell, Style, Table};
use kalah_text::format::{self, counted, short};

/// The progress of a proof. As JSON, it gives the number of open questions.
#[derive(Debug, Serialize)]
pub struct ProofStatus {
    /// The position that the proof is about.
    #[serde(flatten, serialize_with = "serialize_root")]
    pub root: Position,
    /// The proved bounds of its margin.
    #[serde(flatten)]
    pub margin: Interval<Gain>,
    /// The margin that the goal asks for; none if it is the exact margin.
    pub at_least: Option<i32>,
    /// Whether the margin that the goal asks for is reached, if that is decided.
    pub reached: Option<bool>,
    /// The margin that the open questions are about; none if the goal is reached.
    pub asked: Option<Gain>,
    /// The proved bounds of the margin of each of its moves; empty before the root is split.
    pub moves: Vec<MarginBounds>,
    /// The number of questions answered.
    pub answered: u64,
    /// The number of questions that took too long and were split.
    pub split: u64,
    /// Open questions: first those that workers hold, then in the order of work.
    #[serde(serialize_with = "serialize_count")]
    pub open: Vec<OpenQuestion>,
    /// The number of open questions being answered by a worker.
    pub at_work: usize,
    /// The cost of the questions answered and split, summed over workers.
    #[serde(flatten)]
    pub spent: PieceCost,
    /// The median number of nodes that the open questions are expected to take; 0 if there are
    /// none.
    pub median_nodes: f64,
}

fn serialize_root<S: Serializer>(root: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    RootText::new(root).serialize(serializer)
}

fn serialize_count<S: Serializer>(open: &[OpenQuestion], serializer: S) -> Result<S::Ok, S::Error> {
    open.len().serialize(serializer)
}

/// An unanswered question, and the worker that holds it.
#[derive(Debug)]
pub struct OpenQuestion {
    /// The position and the bound asked about.
    pub question: Question,
    /// The worker that holds its lease, if one does.
    pub worker: Option<String>,
    /// The median number of nodes that it is expected to take.
    pub expected: f64,
}

impl ProofStatus {
    /// Reads the status of the proof in a folder.
    ///
    /// # Errors
    /// [`PiecesError::File`] if there is no ledger, or if it cannot be read or has no goal.
    pub fn read(folder: &Path) -> Result<Self, PiecesError> {
        let mut pieces = Pieces::read(folder)?;
        pieces.catch_up(&mut |_, _| ());
        let root = *pieces.root();
        let lead = root.lead(root.side());
        let mut moves = Vec::new();
        if pieces.ledger.tree().is_split(&root.without_stores()) {
            for (played, after) in root.children() {
                let gain = pieces.ledger.gain(&after);
                let margin = gain.from_child(after.lead(root.side()), played.turn);
                moves.push(MarginBounds { r#move: Some(played.letter()), margin });
            }
        }
        let mut status = Self {
            root,
            margin: pieces.margin(),
            at_least: pieces.goal().at_least,
            reached: pieces.reached(),
            asked: pieces.question().map(|question| question.at_least + lead),
            moves,
            answered: 0,
            split: 0,
            open: Vec::new(),
            at_work: 0,
            spent: PieceCost { nodes: 0, seconds: 0.0 },
            median_nodes: 0.0,
        };
        pieces.ledger.entries().iter().for_each(|entry| status.count(entry));
        let mut workers = HashMap::new();
        for lease in pieces.leases() {
            if let Some(key) = lease.key() {
                workers.insert(key, lease.worker);
            }
        }
        let sizes = pieces.sizes();
        for question in pieces.open_questions() {
            let expected = pieces.expected_nodes(&question, &sizes);
            let worker = workers.remove(&question.key());
            status.open.push(OpenQuestion { question, worker, expected });
        }
        status.at_work = status.open.iter().filter(|open| open.worker.is_some()).count();
        let mut nodes: Vec<f64> = status.open.iter().map(|open| open.expected).collect();
        nodes.sort_by(f64::total_cmp);
        status.median_nodes = nodes.get(nodes.len() / 2).copied().unwrap_or(0.0);
        status.open.sort_by_key(|open| open.worker.is_none());
        Ok(status)
    }

    fn count(&mut self, entry: &LedgerEntry) {
        let (finished, cost) = match entry {
            LedgerEntry::Proved(Proved { answer: Some(answer), .. }) => {
                (&mut self.answered, answer.cost)
            }
            LedgerEntry::Split(split) => (&mut self.split, split.cost),
            _ => return,
        };
        *finished += 1;
        self.spent.nodes += cost.nodes;
        self.spent.seconds += cost.seconds;
    }
}

impl Pieces {
    /// What is proved about the goal, in one or two lines of text.
    pub fn goal_margin(&self) -> String {
        goal_margin(self.margin(), self.goal().at_least, self.reached())
    }
}

fn goal_margin(margin: Interval<Gain>, at_least: Option<i32>, reached: Option<bool>) -> String {
    let margin = format!("margin    {margin}\n");
    match (at_least, reached) {
        (Some(at_least), Some(true)) => format!("{margin}at least  {at_least:+}: yes\n"),
        (Some(at_least), Some(false)) => format!("{margin}at least  {at_least:+}: no\n"),
        _ => margin,
    }
}

/// Bounds of the margin of a move, or of the position where no move is given.
#[derive(Debug, Serialize)]
pub struct MarginBounds {
    /// The letter of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#move: Option<char>,
    /// The bounds.
    #[serde(flatten)]
    pub margin: Interval<Gain>,
}

impl fmt::Display for MarginBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.r#move {
            Some(letter) => write!(f, "move {letter}    {}", self.margin),
            None => write!(f, "margin    {}", self.margin),
        }
    }
}

/// The number of open questions that are listed in addition to those being answered.
const LISTED: usize = 8;

/// The status as text.
impl fmt::Display for ProofStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProofStatus { root, answered, split, .. } = self;
        let PieceCost { nodes, seconds } = self.spent;
        writeln!(out, "position  {}", RootText::new(root))?;
        write!(out, "{}", goal_margin(self.margin, self.at_least, self.reached))?;
        for bounds in &self.moves {
            writeln!(out, "{bounds}")?;
        }
        writeln!(out, "pieces    {answered} answered, {split} split, {} open", self.open.len())?;
        // Nothing may have been done yet: avoid dividing by zero.
        let rate = nodes as f64 / seconds.max(1e-9);
        let done = short(nodes as f64);
        let took = format::duration(seconds);
        writeln!(out, "done      {done} nodes in {took} of work, {}/s", short(rate))?;
        let Some(asked) = self.asked else { return Ok(()) };
        let median = short(self.median_nodes);
        let workers = counted(self.at_work as u64, "worker");
        writeln!(out, "next      {median} nodes for the median open question, {workers} at work")?;
        let caption = format!("Open questions, for a margin of at least {asked}");
        let mut table = Table::new(&caption, &["in play", "at least", "nodes", "moves", "worker"]);
        for OpenQuestion { question, worker, expected } in
            // The questions that workers hold come first, and all of them are shown.
            self.open.iter().take(self.at_work + LISTED)
        {
            table.push(vec![
                Cell::Count(question.position.in_play().into()),
                Cell::Signed(question.at_least.0.into(), 0),
                Cell::Text(short(*expected)),
                Cell::Text(question.letters()),
                worker.clone().map_or(Cell::Empty, Cell::Text),
            ]);
        }
        write!(out, "\n{}", table.to_text(Style::Aligned))
    }
}
