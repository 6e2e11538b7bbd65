//! One game: asks the players for moves, charges their clocks, and ends the game by the
//! rules or by adjudication. The entry point is [`play`].
//!
//! Every game ends with a result, whatever the players do: a player that fails loses. Only
//! an interrupted match leaves a game without a result.

use std::time::Duration;

use crate::MatchError;
use crate::config::{GameLimits, MatchConfig, ScoreRule};
use crate::contestant::{Contestant, MoveLimits, PlayerError};
use crate::schedule::{Fixture, Schedule};
use kalah_engine::search::{Clock, Limits};
use kalah_game::score::{Gain, Value};
use kalah_game::{Position, Side};
use kalah_record::{Ending, Game, Move, Outcome, Reason, TimeControl};
use kalah_sys::clock::now;
use kalah_sys::random::mix_nth;

/// Hang guard: a player that is still silent this long after its time limit plus margin has
/// hung and is stopped. A late answer before that loses on time instead, which tells the
/// engine's author more.
const HANG_GRACE: Duration = Duration::from_secs(1);

/// South's margin at the end of the game, if an endgame table covers the position.
pub(crate) type TableMargin<'a> = &'a (dyn Fn(&Position) -> Option<Gain> + Sync);

/// The players of a game, South first.
pub(crate) type Players<'a> = [&'a mut dyn Contestant; 2];

/// The maximum number of replays of a game because of a busy machine. After these, it counts as it
/// is: a machine that is overloaded all the time must not keep a match from ending.
const MAX_REPLAYS: u32 = 20;

/// Plays a game to its end; none if the match was interrupted.
///
/// A suspension spoils everything that is measured in time: clocks, the deadlines of [`Timing`],
/// and the searches of players in this process, whose time passes while they do not run. Extending
/// every deadline would still leave moves that were searched too briefly, so the game is replayed.
/// The same applies if a program is late because other processes keep the processors busy.
///
/// `suspended` is the time in which this process has been suspended so far.
///
/// [`Timing`]: crate::config::Timing
///
/// # Errors
/// [`MatchError::Failed`] if the system refuses a thread or memory to an in-process player.
pub(crate) fn play(
    schedule: &Schedule,
    fixture: &Fixture,
    table: TableMargin<'_>,
    suspended: &dyn Fn() -> Duration,
    mut players: Players<'_>,
) -> Result<Option<Game>, MatchError> {
    let mut warnings = Vec::new();
    let mut replays = 0;
    loop {
        let before = suspended();
        let Some(mut game) = play_once(schedule, fixture, table, &mut players)? else {
            return Ok(None);
        };
        let lost = suspended().saturating_sub(before) + starved(&game, &players);
        // Other games do not depend on time, unless a player failed: it may have missed a deadline.
        let limits = schedule.players(fixture).map(|player| player.limits);
        let is_timed =
            limits.iter().any(|own| own.each_move.movetime.is_some() || own.control.is_some());
        let is_failure = matches!(game.ending(), Some(ending) if ending.reason.is_failure());
        // Programs report some incidents only once, so those of the spoilt game are kept.
        warnings.append(&mut game.warnings);
        if lost == Duration::ZERO || !(is_timed || is_failure) || replays == MAX_REPLAYS {
            game.warnings = warnings;
            return Ok(Some(game));
        }
        let seconds = lost.as_secs_f64();
        warnings.push(format!(
            "the machine was suspended or overloaded for {seconds:.1} s; the game was replayed"
        ));
        replays += 1;
    }
}

/// How long a player that lost because it was late had to wait for a processor.
fn starved(game: &Game, players: &Players<'_>) -> Duration {
    let late = game
        .ending()
        .filter(|ending| matches!(ending.reason, Reason::Time | Reason::Hang | Reason::NoStart));
    match late.and_then(Ending::failed) {
        Some(side) => players[side.index()].starved(),
        None => Duration::ZERO,
    }
}

fn play_once(
    schedule: &Schedule,
    fixture: &Fixture,
    table: TableMargin<'_>,
    players: &mut Players<'_>,
) -> Result<Option<Game>, MatchError> {
    let opening = schedule.opening(fixture);
    let configs = schedule.players(fixture);
    let recorded = configs.map(|config| kalah_record::Player {
        limit: Some(config.limits.to_string()).filter(|limit| !limit.is_empty()),
        options: config.options.clone(),
        ..kalah_record::Player::named(&config.name)
    });
    let mut game = Game::new(opening.start, recorded);
    game.id = Some(fixture.id.clone());
    game.event = Some(schedule.config.event.clone()).filter(|event| !event.is_empty());
    game.date = Some(now());
    game.number = u32::try_from(fixture.index + 1).ok();
    game.opening = Some(opening.name.clone());
    for &pit in &opening.moves {
        let played = game.play(Move::book(pit));
        debug_assert!(played.is_ok(), "an opening's moves are legal");
    }
    let limits = configs.map(|config| config.limits);
    let clocks = limits.map(|limits| limits.control.map(TimeControl::clock));
    let mut in_play = InPlay { config: &schedule.config, table, limits, clocks, game };
    let ending = match in_play.play_to_the_end(fixture.seed, players) {
        Ok(ending) => ending,
        Err((_, PlayerError::Interrupted)) => return Ok(None),
        Err((_, PlayerError::Refused { what, source })) => {
            return Err(MatchError::cannot_start(what, &source));
        }
        Err((side, PlayerError::Lost { reason, detail })) => {
            Ending::lost_by(side, reason, Some(detail).filter(|detail| !detail.is_empty()))
        }
    };
    let mut game = in_play.game;
    let finished = game.finish(ending);
    debug_assert!(finished.is_ok(), "the ending follows from the game: {finished:?}");
    // The rules decide the result; a player that claims a different one gets a warning.
    compare_results(&mut game, players);
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        game.players[side.index()].version = player.version();
        let warnings = player.take_warnings();
        game.warnings.extend(warnings.into_iter().map(|warning| format!("{side}: {warning}")));
    }
    Ok(Some(game))
}

struct InPlay<'a> {
    config: &'a MatchConfig,
    table: TableMargin<'a>,
    limits: [GameLimits; 2],
    clocks: [Option<Clock>; 2],
    game: Game,
}

impl InPlay<'_> {
    /// Plays from the end of the opening to the end of the game. An error identifies the side that
    /// failed.
    fn play_to_the_end(
        &mut self,
        seed: u64,
        players: &mut Players<'_>,
    ) -> Result<Ending, (Side, PlayerError)> {
        // Both players get ready before the first move, while no clock is running. Each has a seed
        // of its own: with the same random numbers, their errors would be alike.
        for side in Side::BOTH {
            let seed = mix_nth(seed, side.index() as u64);
            let begun = players[side.index()].begin(self.game.start(), seed);
            begun.map_err(|failure| (side, failure))?;
        }
        loop {
            if let Some(ending) = self.ending() {
                return Ok(ending);
            }
            let side = self.game.position().side();
            self.play_move(side, players[side.index()]).map_err(|failure| (side, failure))?;
        }
    }

    fn play_move(&mut self, side: Side, player: &mut dyn Contestant) -> Result<(), PlayerError> {
        let mut chosen = player.choose(&self.game, &self.move_limits(side))?;
        let time = chosen.time.unwrap_or_default();
        // The clock comes first: a late move does not count, legal or not.
        self.charge(side, time)?;
        // Records store whole microseconds.
        chosen.time = Some(Duration::from_micros(time.as_micros() as u64));
        let played = self.game.play(chosen);
        played.map_err(|error| PlayerError::lost(Reason::IllegalMove, error.to_string()))?;
        Ok(())
    }

    /// The ending of a game that is over or must be adjudicated.
    ///
    /// The most certain ending comes first: an exact margin, then a certain winner, then the
    /// players' claims, then the move limit.
    fn ending(&self) -> Option<Ending> {
        let position = self.game.position();
        let adjudication = &self.config.adjudication;
        if let Some(ending) = Ending::played_out(position) {
            return Some(ending);
        }
        let by_table = adjudication.table_seeds.filter(|&seeds| position.in_play() <= seeds);
        if let Some(margin) = by_table.and_then(|_| (self.table)(position)) {
            return Some(Ending::by_margin(margin, Reason::Table));
        }
        if adjudication.majority
            && let Some(winner) = position.certain_winner()
        {
            return Some(Ending::lost_by(winner.other(), Reason::Majority, None));
        }
        if let Some(ending) = self.ending_by_score() {
            return Some(ending);
        }
        let limit = adjudication.move_limit?;
        if self.game.steps().len() < limit as usize {
            return None;
        }
        Some(drawn(Reason::MoveLimit))
    }

    /// The ending of a game whose players report decisive values. These are unchecked claims.
    fn ending_by_score(&self) -> Option<Ending> {
        let adjudication = &self.config.adjudication;
        let moves = self.game.steps().len();
        if let Some(rule) = adjudication.resign.filter(|rule| moves >= rule.after as usize) {
            let score = Value(rule.score);
            let loser = Side::BOTH.into_iter().find(|&side| {
                self.agrees(side, rule, |value| value <= -score)
                    && (!rule.twosided || self.agrees(side.other(), rule, |value| value >= score))
            });
            if let Some(loser) = loser {
                return Some(Ending::lost_by(loser, Reason::Score, None));
            }
        }
        let rule = adjudication.draw.filter(|rule| moves >= rule.after as usize)?;
        for side in Side::BOTH {
            if !self.agrees(side, rule, |value| value.0.abs() <= rule.score) {
                return None;
            }
        }
        Some(drawn(Reason::Score))
    }

    /// Whether the values of the last `rule.moves` moves of `side` all satisfy `holds`. A move
    /// without a value, for example one of the opening, satisfies nothing.
    fn agrees(&self, side: Side, rule: ScoreRule, holds: impl Fn(Value) -> bool) -> bool {
        let last = self.game.steps().iter().rev().filter(|step| step.played.side == side);
        let agreeing = last.take_while(|step| match step.r#move.evaluation {
            Some(evaluation) => holds(evaluation.margin),
            None => false,
        });
        agreeing.take(rule.moves as usize).count() == rule.moves as usize
    }

    fn move_limits(&self, side: Side) -> MoveLimits {
        let each_move = self.limits[side.index()].each_move;
        let clock = self.clocks[side.index()];
        let opponent_clock = self.clocks[side.other().index()];
        let timing = self.config.timing;
        // A player with a time per move and a clock has hung after the shorter of the two.
        let time = each_move.movetime.into_iter().chain(clock.map(|clock| clock.remaining)).min();
        let timeout = match time {
            Some(time) => time + timing.margin + HANG_GRACE,
            None => timing.patience,
        };
        MoveLimits { search: Limits { clock, ..each_move }, opponent_clock, timeout }
    }

    /// Charges a move to the side's clock; the error is the loss on time.
    fn charge(&mut self, side: Side, used: Duration) -> Result<(), PlayerError> {
        let limits = self.limits[side.index()];
        let margin = self.config.timing.margin;
        if let Some(limit) = limits.each_move.movetime.filter(|&limit| used > limit + margin) {
            return Err(late(used, limit));
        }
        if let (Some(clock), Some(control)) = (&mut self.clocks[side.index()], limits.control) {
            let remaining = clock.remaining;
            if !control.charge(clock, used, margin) {
                return Err(late(used, remaining));
            }
        }
        Ok(())
    }
}

fn drawn(reason: Reason) -> Ending {
    Ending { outcome: Outcome::Draw, reason, margin: None, detail: None }
}

fn late(used: Duration, limit: Duration) -> PlayerError {
    let used = used.as_secs_f64() * 1000.0;
    let limit = limit.as_secs_f64() * 1000.0;
    PlayerError::lost(Reason::Time, format!("used {used:.1} ms of {limit:.1} ms"))
}

/// Asks both players for the result of a game that ended by the rules, and records
/// disagreements as warnings.
fn compare_results(game: &mut Game, players: &mut Players<'_>) {
    let Some(ending) = game.ending().filter(|ending| ending.reason == Reason::Normal) else {
        return;
    };
    let outcome = ending.outcome;
    for side in Side::BOTH {
        let warning = match players[side.index()].result(game) {
            Ok(Some(view)) if view != outcome => {
                format!("{side}: claims the result {view}, expected {outcome}")
            }
            Err(PlayerError::Lost { reason, detail }) => {
                format!("{side}: reports no result: {reason}, {detail}")
            }
            _ => continue,
        };
        game.warnings.push(warning);
    }
}

#[cfg(test)]
mod tests;
