//! The clocks of a game between people and engines.
//!
//! The time that each player has left is computed from the times recorded with the moves, so that
//! undo, variations and resumed games need no other state. The host of the game measures the time
//! of the current move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use kalah_engine::search::Clock;
use kalah_record::{Game, TimeControl};
use kalah_text::names::shortened;

/// The time control of a game, and what happens when time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRules {
    /// The time of each player.
    pub control: TimeControl,
    /// Whether a player who runs out of time loses; otherwise play continues.
    pub flag: bool,
}

/// Tags in game files: the time control in seconds, as in PGN, and the flag.
const TIME_CONTROL: &str = "TimeControl";
const FLAG: &str = "Flag";
const FLAG_ON: &str = "yes";

impl ClockRules {
    /// The time that each player has left, indexed by the side that the player had at the
    /// start. A move without a recorded time counts as made in no time.
    pub fn clocks(&self, record: &Game) -> [Clock; 2] {
        let mut clocks = [self.control.clock(); 2];
        for (index, step) in record.steps().iter().enumerate() {
            let side = step.played.side;
            // Moves name sides, but clocks belong to players, who change sides at a swap.
            let swapped = record.swapped_after().is_some_and(|swapped| swapped <= index);
            let player = if swapped { side.other() } else { side };
            let used = step.r#move.time.unwrap_or_default();
            self.control.charge(&mut clocks[player.index()], used, Duration::ZERO);
        }
        clocks
    }

    /// Writes these rules into the tags of a game.
    pub fn write(&self, record: &mut Game) {
        Self::clear(record);
        let [base, increment] = self.seconds();
        record.tags.insert(TIME_CONTROL.to_owned(), format!("{base}+{increment}"));
        if self.flag {
            record.tags.insert(FLAG.to_owned(), FLAG_ON.to_owned());
        }
    }

    /// Removes the rules from the tags of a game.
    pub fn clear(record: &mut Game) {
        record.tags.remove(TIME_CONTROL);
        record.tags.remove(FLAG);
    }

    /// Reads the rules from the tags of a game.
    pub fn read(record: &Game) -> Option<Self> {
        let control = record.tags.get(TIME_CONTROL)?.parse().ok()?;
        let flag = record.tags.get(FLAG).is_some_and(|value| value == FLAG_ON);
        Some(Self { control, flag })
    }

    /// Base and increment in seconds.
    pub fn seconds(&self) -> [f64; 2] {
        [self.control.base, self.control.increment].map(|time| time.as_millis() as f64 / 1000.0)
    }
}

/// Minutes per player and seconds added per move: `5+3`.
impl fmt::Display for ClockRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [base, increment] = self.seconds();
        write!(f, "{}+{increment}", base / 60.0)
    }
}

/// Error for a text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected MINUTES[+SECONDS], as in 5+3 or 0.5, got '{}'", shortened(.0))]
pub struct ClockRulesError(String);

impl FromStr for ClockRules {
    type Err = ClockRulesError;

    fn from_str(text: &str) -> Result<Self, ClockRulesError> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let error = || ClockRulesError(text.to_owned());
        let minutes: f64 = minutes.parse().map_err(|_| error())?;
        let in_seconds = format!("{}+{increment}", 60.0 * minutes);
        let control = in_seconds.parse().map_err(|_| error())?;
        Ok(Self { control, flag: false })
    }
}

/// A time as clocks show it, rounded up to whole seconds: `4:58`, `1:00:00`.
pub fn shown(time: Duration) -> String {
    // Rounded up, so that a clock shows 0:00 only when no time is left.
    let seconds = time.as_millis().div_ceil(1000);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The time until [`shown`] changes as `time` runs down.
pub fn next_change(time: Duration) -> Duration {
    match time.subsec_nanos() {
        0 => Duration::from_secs(1),
        nanos => Duration::from_nanos(nanos.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Pit, Position, Rules};
    use kalah_record::{Move, kgn};

    const S: Duration = Duration::from_secs(1);

    fn rules(text: &str) -> ClockRules {
        text.parse().unwrap()
    }

    #[test]
    fn time_controls_are_parsed_and_written_and_other_text_is_refused() {
        for text in ["5+3", "0.5+0", "90+30.5"] {
            assert_eq!(rules(text).to_string(), text);
        }
        assert_eq!(rules("10"), rules("10+0"));
        for text in ["", "0", "0+5", "-5", "NaN", "5+", "5+-1", "5s", "1e9", "5+3+1", "3/5"] {
            assert!(text.parse::<ClockRules>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_move_is_charged_to_its_player_even_after_a_swap_and_from_a_file() {
        let rules = ClockRules { flag: true, ..rules("1+2") };
        let mut game = Game::new(Position::start(Rules::default()), Default::default());
        game.pie_rule = true;
        let play = |game: &mut Game, pit, seconds| {
            let time = Some(S * seconds);
            game.play(Move { time, ..Move::new(Pit::new(pit)) }).unwrap();
        };
        play(&mut game, 0, 10);
        assert!(game.swap());
        // North's pits now belong to the player who began.
        play(&mut game, 1, 30);
        play(&mut game, 2, 5);
        rules.write(&mut game);
        let again = &kgn::read(&kgn::write(&game)).unwrap()[0];
        assert_eq!(ClockRules::read(again), Some(rules));
        for game in [&game, again] {
            let left = rules.clocks(game).map(|clock| clock.remaining);
            assert_eq!(left, [S * (60 - 10 + 2 - 30 + 2), S * (60 - 5 + 2)]);
        }
        game.truncate(0);
        assert_eq!(rules.clocks(&game).map(|clock| clock.remaining), [S * 60; 2]);
    }

    #[test]
    fn a_clock_shows_the_current_second_and_zero_at_its_end() {
        assert_eq!(shown(S * 300), "5:00");
        assert_eq!(shown(S * 299 + S / 1000), "5:00");
        assert_eq!(shown(S * 3725), "1:02:05");
        assert_eq!(shown(Duration::ZERO), "0:00");
        assert_eq!(next_change(S * 3 + S / 4), S / 4);
    }
}
