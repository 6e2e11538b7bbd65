//! The library, room by room: rules, searches, tables, the laboratory, protocols and
//! records, without starting a program.

#[path = "../common/mod.rs"]
mod common;
mod endgame;
mod engine;
mod evaluation;
mod floors;
mod game;
#[cfg(feature = "kgp")]
mod kgp;
mod lab;
mod marks;
mod protocol;
mod record;
#[cfg(feature = "cli")]
mod report;
mod search;
mod solve;
mod sys;
mod view;
