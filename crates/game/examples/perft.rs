//! Counts the sequences of moves from a position, for each first move:
//! `cargo run --release -p kalah-game --example perft -- 8 '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'`.

use std::error::Error;

use kalah_game::perft::{Counting, divide};
use kalah_game::{Depth, Position, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = match arguments.next() {
        Some(depth) => Depth(depth.parse()?),
        None => Depth(6),
    };
    let position = match arguments.next() {
        Some(text) => text.parse()?,
        None => Position::start(Rules::default()),
    };
    let mut total = 0;
    for (pit, leaves) in divide(&position, depth, Counting::Bulk) {
        println!("{} {leaves}", pit.letter(position.side()));
        total += leaves;
    }
    println!("{position}: {total} leaves, {depth} sowings deep");
    Ok(())
}
