//! What the tables of a document need from its games in addition to their results. Games
//! are added to sums one by one, so that they need not be kept in memory.

use std::collections::BTreeMap;

use crate::schedule::{Fixture, PlacedGames, Schedule};
use kalah_record::{Game, Player};

/// Sums over the games of a schedule.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameTotals {
    /// The first and the last date.
    dates: Option<[String; 2]>,
    /// The players by index, as recorded in their first game.
    players: BTreeMap<usize, Player>,
}

impl GameTotals {
    pub(crate) fn new(schedule: &Schedule, games: &PlacedGames) -> Self {
        let mut totals = Self::default();
        for (fixture, game) in schedule.played(games) {
            totals.add(fixture, game);
        }
        totals
    }

    pub(crate) fn add(&mut self, fixture: &Fixture, game: &Game) {
        if let Some(date) = &game.date {
            let [first, last] = self.dates.get_or_insert_with(|| [date.clone(), date.clone()]);
            if date < first {
                first.clone_from(date);
            } else if date > last {
                last.clone_from(date);
            }
        }
        for (&index, player) in fixture.players.iter().zip(&game.players) {
            self.players.entry(index).or_insert_with(|| player.clone());
        }
    }

    /// The only date, or the first and the last one; empty if none is known.
    pub(super) fn dates(&self) -> String {
        match &self.dates {
            Some([first, last]) if first != last => format!("{first} to {last}"),
            Some([date, _]) => date.clone(),
            None => String::new(),
        }
    }

    /// A player as recorded in its first game.
    pub(super) fn player(&self, index: usize) -> Player {
        self.players.get(&index).cloned().unwrap_or_default()
    }
}
