//! `kalah solve --grid`: the margins of many starts, next to the published ones.

use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::{failure::Failure, solving::Console};
use kalah_engine::book::known::{self, KnownStart};
use kalah_engine::solve::Solver;
use kalah_game::score::{Gain, Interval};
use kalah_game::{Capture, MAX_PITS, Position, Rules};
use kalah_report::{Axis, Cell, Chart, Marks, Square, Style, Table};
use kalah_sys::files;

/// The largest start of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GridSize {
    pits: u32,
    seeds: u32,
}

impl FromStr for GridSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('x').and_then(|(pits, seeds)| {
            Some(Self { pits: pits.parse().ok()?, seeds: seeds.parse().ok()? })
        });
        numbers
            .filter(|size| {
                (1..=MAX_PITS as u32).contains(&size.pits) && (1..=99).contains(&size.seeds)
            })
            .ok_or_else(|| {
                format!("expected PITSxSEEDS such as 6x4, up to {MAX_PITS}x99, got '{text}'")
            })
    }
}

/// A start, with the bounds of its margin that were proved within the time limit.
struct Start {
    rules: Rules,
    proved: Interval<Gain>,
    nodes: u64,
    seconds: f64,
    known: Option<KnownStart>,
}

impl Start {
    fn square(&self) -> Square {
        if !self.proved.is_exact() {
            return Square { text: String::new(), note: "not solved".into(), shade: 0.0 };
        }
        let margin = self.proved.lower;
        let note = match self.known {
            Some(known) if known.margin == margin => "as known",
            Some(_) => "differs",
            None => "",
        };
        let shade = f64::from(margin.0) / 12.0;
        Square { text: margin.to_string(), note: note.into(), shade }
    }
}

/// All starts up to a size, with their margins.
pub(super) struct Grid {
    size: GridSize,
    capture: Capture,
    limit: Duration,
    starts: Vec<Start>,
}

impl Grid {
    /// Solves every start up to `size`, and stops the search of each one `limit` after it
    /// began to build its tables. Building itself is never cut short.
    pub(super) fn solve(
        size: GridSize,
        capture: Capture,
        limit: Duration,
        solver: impl Fn(&Position) -> Result<Solver, Failure>,
        console: &Console,
    ) -> Result<Self, Failure> {
        let mut starts = Vec::new();
        for (pits, seeds) in (1..=size.pits).flat_map(|p| (1..=size.seeds).map(move |s| (p, s))) {
            let rules = Rules::new(pits, seeds, capture).map_err(Failure::usage)?;
            let position = Position::start(rules);
            let started = Instant::now();
            let mut solver = solver(&position)?;
            let deadline = started + limit;
            let proved = console.watch(|watch| solver.margin_before(deadline, &position, watch))?;
            let (nodes, seconds) = (solver.nodes(), started.elapsed().as_secs_f64());
            starts.push(Start { rules, proved, nodes, seconds, known: known::start(rules) });
        }
        Ok(Self { size, capture, limit, starts })
    }

    /// Writes the table to `out` and the chart to the file `svg`.
    pub(super) fn show(
        &self,
        json: bool,
        svg: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let caption = format!("Margins of the first player, capture rule {}", self.capture);
        let headings = ["pits", "seeds", "margin", "known", "source", "nodes", "seconds"];
        let mut table = Table::new(&caption, &headings);
        for start in &self.starts {
            let margin = match start.proved {
                proved if proved.is_exact() => Cell::Signed(f64::from(proved.lower.0), 0),
                proved => Cell::Text(proved.to_string()),
            };
            table.push(vec![
                Cell::Count(start.rules.pits() as u64),
                Cell::Count(start.rules.seeds().into()),
                margin,
                start.known.map_or(Cell::Empty, |known| Cell::Signed(known.margin.0.into(), 0)),
                start.known.map_or(Cell::Empty, |known| Cell::Text(known.source.to_owned())),
                Cell::Count(start.nodes),
                Cell::Number(start.seconds, 2),
            ]);
        }
        let style = if json { Style::JsonLines } else { Style::Aligned };
        write!(out, "{}", table.to_text(style))?;
        let open = self.starts.iter().filter(|start| !start.proved.is_exact());
        let open: Vec<String> = open.map(|start| start.rules.to_string()).collect();
        if !json && !open.is_empty() {
            writeln!(out, "not solved within {} s: {}", self.limit.as_secs_f64(), open.join(", "))?;
        }
        if let Some(file) = svg {
            files::replace(file, [self.to_svg()])?;
        }
        // Checked last, so that a contradiction appears after the whole table.
        for Start { rules, proved, known, .. } in &self.starts {
            let possible = proved.lower..=proved.upper;
            if let Some(known) = known.filter(|known| !possible.contains(&known.margin)) {
                let margin = known.margin;
                let error = format!("{rules}: expected the known margin {margin}, got {proved}");
                return Err(Failure::work(error));
            }
        }
        Ok(())
    }

    fn to_svg(&self) -> String {
        Chart {
            // A longer title would not fit above a narrow grid.
            title: format!("Margins, {}", self.capture),
            x: Axis::whole("seeds per pit"),
            y: Axis::whole("pits per row"),
            marks: Marks::Squares {
                rows: (1..=self.size.pits).map(|pits| pits.to_string()).collect(),
                columns: (1..=self.size.seeds).map(|seeds| seeds.to_string()).collect(),
                squares: self.starts.iter().map(Start::square).collect(),
            },
            ..Chart::default()
        }
        .to_svg()
    }
}
