//! Training of the evaluation's networks: positions labelled with the gains of their moves,
//! and weights fitted to them.
//!
//! [`positions`] samples positions from games and solves ([`labeller`]) or searches their moves;
//! [`training`] holds some of them out; [`fit`] fits a network to the others. The engine reads only
//! the result, a file of weights, and does not know this crate. The module `spsa`, a feature, tunes
//! the parameters of the search by games.
//!
//! The program of this package is a tool for developers. It is not part of `kalah`, because players
//! never need it: `cargo run --release -p kalah-tune -- --help`.
//!
//! ```
//! use kalah_engine::evaluation::network::inputs::Inputs;
//! use kalah_game::{Position, Rules};
//! use kalah_tune::fit::{LabelledBoard, TrainableNetwork};
//!
//! // By a search, South wins from the start by 10 seeds.
//! let inputs = Inputs::new(6);
//! let start = Position::start(Rules::default());
//! let mut boards = [LabelledBoard::new(inputs, start.board(), 10)];
//!
//! let mut network = TrainableNetwork::random(inputs, &boards, 1, 1);
//! let before = network.error(&boards);
//! network.fit(&mut boards, 100, 1, |_, _| ());
//! assert!(network.error(&boards) < before / 10.0);
//! ```

pub mod labeller;

pub mod positions;

pub mod training;

pub mod fit;

#[cfg(feature = "spsa")]
pub mod spsa;
