//! A game of the engine against itself, a hundredth of a second a move.
//!
//! ```text
//! cargo run --release --example self_play
//! ```

use std::error::Error;
use std::time::Duration;

use kalah::{Engine, Limits, Position, Rules, Side};

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new()?;
    let mut position = Position::start(Rules::default());
    loop {
        engine.set_position(position);
        let Some(pit) = engine.best_move(Limits::time(Duration::from_millis(10))) else { break };
        let played = position.play(pit)?;
        println!("{} {position}", pit.letter(played.side));
    }
    println!("South's margin is {}", position.margin(Side::South));
    Ok(())
}
