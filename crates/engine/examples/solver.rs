//! The margin of a start position under perfect play, and a line of perfect play.
//!
//! ```text
//! cargo run --release --example solver -- 4 4
//! ```

use std::error::Error;

use kalah_engine::solve::{Solver, SolverSettings};
use kalah_game::{Capture, Position, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse());
    let pits = numbers.next().unwrap_or(Ok(4))?;
    let seeds = numbers.next().unwrap_or(Ok(4))?;
    let start = Position::start(Rules::new(pits, seeds, Capture::Standard)?);

    let mut solver = Solver::new(&start, SolverSettings::default())?;
    let solution = solver.solve(&start, &mut |progress| {
        eprintln!("{} positions searched", progress.nodes);
        true
    })?;
    println!("the first player's margin is {}", solution.margin);

    println!("{}", String::from_iter(start.letters(&solution.pv)));
    Ok(())
}
