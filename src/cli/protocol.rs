//! `kalah` without a command: the protocol on stdin and stdout.

use std::io::{self, BufReader, Write};

use super::Failure;
use crate::engine::Engine;
use crate::protocol::stdio;

pub(super) fn run(out: &mut dyn Write) -> Result<(), Failure> {
    let engine = Engine::new()?;
    Ok(stdio::run(BufReader::new(io::stdin()), out, engine)?)
}
