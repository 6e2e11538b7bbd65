//! The engine plays a game against itself at 10 ms per move.
//!
//! ```text
//! cargo run --release --example self_play
//! ```

use std::error::Error;
use std::time::Duration;

use kalah_engine::Engine;
use kalah_engine::search::Limits;
use kalah_game::{Position, Rules, Side};

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
