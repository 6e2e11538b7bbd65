//! Commands of the program, run as processes.

mod games;
mod limits;
mod openings;
mod options;
mod solve;
