//! Games between players whose moves, values and times are written down in the test.

use super::*;
use crate::config::{Adjudication, PlayerConfig};
use kalah_game::{Capture, Pit};
use kalah_record::MoveEvaluation;
use kalah_record::opening::Opening;

/// Plays the first legal move with the next value and time of its lists, the last of which repeats.
#[derive(Default)]
struct Scripted {
    /// The values of its moves in hundredths of a seed.
    values: Vec<Option<i32>>,
    /// The times of its moves in milliseconds.
    times: Vec<u64>,
    /// The pit that is played in every move, legal or not.
    pit: Option<Pit>,
    claim: Option<Outcome>,
    /// The number of times that it is not ready in time.
    late_starts: u32,
    /// How long it has to wait for a processor in each of its answers.
    starved: Duration,
    asked: Vec<MoveLimits>,
    seed: Option<u64>,
}

impl Contestant for Scripted {
    fn version(&self) -> Option<String> {
        Some("scripted".to_owned())
    }

    fn begin(&mut self, _: &Position, seed: u64) -> Result<(), PlayerError> {
        self.seed = Some(seed);
        if self.late_starts > 0 {
            self.late_starts -= 1;
            return Err(PlayerError::hang(Duration::from_secs(60)));
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError> {
        let number = self.asked.len();
        self.asked.push(*limits);
        let first = game.position().moves().iter().next().expect("a legal move");
        let value = self.values.get(number).or(self.values.last()).copied().flatten();
        let time = self.times.get(number).or(self.times.last()).copied().unwrap_or_default();
        Ok(Move {
            evaluation: value.map(|value| MoveEvaluation { margin: Value(value), proved: false }),
            time: Some(Duration::from_millis(time)),
            ..Move::new(self.pit.unwrap_or(first))
        })
    }

    fn starved(&self) -> Duration {
        self.starved
    }

    fn result(&mut self, _: &Game) -> Result<Option<Outcome>, PlayerError> {
        Ok(self.claim)
    }
}

fn valued(values: &[Option<i32>]) -> Scripted {
    Scripted { values: values.to_vec(), ..Scripted::default() }
}

fn timed(times: &[u64]) -> Scripted {
    Scripted { times: times.to_vec(), ..Scripted::default() }
}

/// The first game of a match of `a` and `b`, each limited by `limits`, from `position`.
fn game(
    position: &str,
    limits: &str,
    adjudication: Adjudication,
    south: &mut Scripted,
    north: &mut Scripted,
) -> Game {
    interrupted_game(position, limits, adjudication, [south, north], &|| Duration::ZERO)
}

/// The same while the process is suspended as `suspended` says.
fn interrupted_game(
    position: &str,
    limits: &str,
    adjudication: Adjudication,
    [south, north]: [&mut Scripted; 2],
    suspended: &dyn Fn() -> Duration,
) -> Game {
    let start = Position::parse(position, Capture::Standard).expect("a position");
    let player = |name: &str| {
        PlayerConfig::parse(&format!("kalah name={name} {limits}"), "").expect("a player")
    };
    let config = MatchConfig {
        players: vec![player("a"), player("b")],
        rounds: 1,
        openings: vec![Opening { name: "here".to_owned(), start, moves: Vec::new() }],
        adjudication,
        ..MatchConfig::default()
    };
    let schedule = Schedule::new(config).expect("a match");
    // The seeds in play and North's store are South's margin, so that its sign can be seen.
    let table = |position: &Position| Some(Gain(position.in_play() as i32 - 100));
    let game = play(&schedule, &schedule.fixtures[0], &table, suspended, [south, north]);
    game.expect("no system error").expect("no interrupt")
}

#[test]
fn a_timed_game_during_a_suspension_is_replayed_a_limited_number_of_times() {
    let rules = || Adjudication { move_limit: Some(1), ..Adjudication::default() };
    // The process is suspended in each of the first games, which read the time twice.
    let play_first = |first: Scripted, limits: &str, suspensions: u64| {
        let reads = std::cell::Cell::new(0);
        let suspended = || {
            reads.set(reads.get() + 1);
            Duration::from_secs(4 * (reads.get() / 2_u64).min(suspensions))
        };
        let players = [&mut { first }, &mut Scripted::default()];
        interrupted_game(START, limits, rules(), players, &suspended).warnings
    };
    let play = |limits, suspensions| play_first(Scripted::default(), limits, suspensions);
    let warning = "the machine was suspended or overloaded for 4.0 s; the game was replayed";
    assert_eq!(play("movetime=1", 0), [""; 0]);
    assert_eq!(play("movetime=1", 2), [warning; 2]);
    assert_eq!(play("movetime=1", 100), [warning; 20]);
    // Such a game does not depend on time, unless a player fails.
    assert_eq!(play("depth=1", 2), [""; 0]);
    let failing = Scripted { pit: Some(Pit::new(15)), ..Scripted::default() };
    assert_eq!(play_first(failing, "depth=1", 2), [warning; 2]);
}

#[test]
fn no_player_is_charged_for_a_late_start_on_an_overloaded_machine() {
    let rules = || Adjudication { move_limit: Some(1), ..Adjudication::default() };
    // The clock of the process stands still whenever a game begins on the busy machine.
    let play = |delay: u64| {
        let read = std::cell::Cell::new(0);
        let suspended = || {
            read.set(read.get() + delay);
            Duration::from_secs(read.get())
        };
        let mut south = Scripted { late_starts: 1, ..Scripted::default() };
        let game =
            interrupted_game(START, "depth=1", rules(), [&mut south, &mut timed(&[0])], &suspended);
        game.ending().expect("an ending").reason
    };
    assert_eq!(play(0), Reason::Hang);
    assert_ne!(play(9), Reason::Hang);
}

#[test]
fn no_player_loses_on_time_while_other_processes_keep_it_from_running() {
    let play = |south: Scripted, starved: [u64; 2]| {
        let rules = Adjudication { move_limit: Some(1), ..Adjudication::default() };
        let [starved_south, starved_north] = starved.map(Duration::from_secs);
        let mut south = Scripted { starved: starved_south, ..south };
        let mut north = Scripted { starved: starved_north, ..Scripted::default() };
        let played = game(START, "movetime=1", rules, &mut south, &mut north);
        (played.ending().expect("an ending").reason, played.warnings)
    };
    let warning = "the machine was suspended or overloaded for 60.0 s; the game was replayed";
    let late = || timed(&[90_000, 0]);
    assert_eq!(play(late(), [60, 0]), (Reason::MoveLimit, vec![warning.to_owned()]));
    let hung = || Scripted { late_starts: 1, ..Scripted::default() };
    assert_eq!(play(hung(), [60, 0]), (Reason::MoveLimit, vec![warning.to_owned()]));
    // Its opponent's wait is no excuse.
    assert_eq!(play(hung(), [0, 60]), (Reason::Hang, vec![]));
    assert_eq!(play(late(), [0, 60]), (Reason::Time, vec![]));
    // Nothing else depends on it.
    let illegal = Scripted { pit: Some(Pit::new(15)), ..Scripted::default() };
    assert_eq!(play(illegal, [60, 60]), (Reason::IllegalMove, vec![]));
    assert_eq!(play(Scripted::default(), [60, 60]), (Reason::MoveLimit, vec![]));
}

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/// The reason and the outcome for South, and the number of moves, under these rules.
fn ended(position: &str, adjudication: Adjudication) -> (Reason, Outcome, usize) {
    let game =
        game(position, "depth=1", adjudication, &mut Scripted::default(), &mut Scripted::default());
    let ending = game.ending().expect("an ending");
    (ending.reason, ending.outcome, game.steps().len())
}

#[test]
fn more_than_half_of_the_seeds_are_a_majority_and_exactly_half_are_not() {
    let rules = || Adjudication { majority: true, move_limit: Some(0), ..Adjudication::default() };
    for (position, reason, outcome) in [
        ("<2,8,0,2,2,2,2> S", Reason::MoveLimit, Outcome::Draw),
        ("<2,0,8,2,2,2,2> S", Reason::MoveLimit, Outcome::Draw),
        ("<2,9,0,2,1,2,2> S", Reason::Majority, Outcome::Won(Side::South)),
        ("<2,0,9,2,1,2,2> S", Reason::Majority, Outcome::Won(Side::North)),
        // Of an odd number, half a seed more suffices.
        ("<2,8,0,2,1,2,2> N", Reason::Majority, Outcome::Won(Side::South)),
        ("<2,7,0,2,2,2,2> N", Reason::MoveLimit, Outcome::Draw),
    ] {
        assert_eq!(ended(position, rules()), (reason, outcome, 0), "{position}");
    }
    let (reason, ..) = ended("<2,9,0,2,1,2,2> S", Adjudication::default());
    assert_eq!(reason, Reason::Normal, "not without the rule");
}

#[test]
fn the_most_certain_ending_comes_first_and_each_limit_is_reached_exactly() {
    let position = "<2,9,0,2,1,2,2> S";
    let rules = |majority, seeds, moves| Adjudication {
        majority,
        table_seeds: Some(seeds),
        move_limit: Some(moves),
        ..Adjudication::default()
    };
    let south = Outcome::Won(Side::South);
    let north = Outcome::Won(Side::North);
    // Seven seeds are in play, for which the table gives a loss by 93.
    assert_eq!(ended(position, rules(true, 7, 0)), (Reason::Table, north, 0));
    assert_eq!(ended(position, rules(true, 6, 0)), (Reason::Majority, south, 0));
    assert_eq!(ended(position, rules(false, 6, 0)), (Reason::MoveLimit, Outcome::Draw, 0));
    assert_eq!(ended(START, rules(false, 0, 9)), (Reason::MoveLimit, Outcome::Draw, 9));
    // A position that is over is not adjudicated, however certain its result was before.
    let last_move = Adjudication { move_limit: Some(1), ..Adjudication::default() };
    let over = ended("<1,4,0,1,3> S", last_move);
    assert_eq!(over, (Reason::Normal, Outcome::Won(Side::South), 1));
}

/// The steps of each side in a game of these values that ended by score, and its outcome.
fn scored(
    rules: Adjudication,
    south: &[Option<i32>],
    north: &[Option<i32>],
) -> Option<(Outcome, Game)> {
    let game = game(START, "depth=1", rules, &mut valued(south), &mut valued(north));
    let ending = game.ending().expect("an ending").clone();
    if ending.reason == Reason::Score { Some((ending.outcome, game)) } else { None }
}

fn own_steps(game: &Game, side: Side) -> usize {
    game.steps().iter().filter(|step| step.played.side == side).count()
}

#[test]
fn a_player_loses_whose_own_last_values_reach_the_score() {
    let resigned = |rule: &str, south: &[Option<i32>], north: &[Option<i32>]| {
        let resign = Some(rule.parse().expect("a rule"));
        scored(Adjudication { resign, ..Adjudication::default() }, south, north)
    };
    let lost = Some(-1200);
    // The number of the loser's own moves; extra turns separate them from the other player's.
    for (rule, values, expected) in [
        ("moves=3 score=12", &[lost][..], Some(3)),
        ("moves=3 score=12", &[Some(-1199)], None),
        ("moves=3 score=12", &[Some(1200)], None),
        // A move that disagrees, or has no value, starts the count over.
        ("moves=2 score=12", &[lost, Some(0), lost], Some(4)),
        ("moves=2 score=12", &[lost, None, lost], Some(4)),
        ("moves=2 score=12", &[None, lost], Some(3)),
        ("moves=1000 score=12", &[lost], None),
    ] {
        for loser in Side::BOTH {
            let ended = match loser {
                Side::South => resigned(rule, values, &[None]),
                Side::North => resigned(rule, &[None], values),
            };
            let own = ended.as_ref().map(|(_, game)| own_steps(game, loser));
            assert_eq!(own, expected, "{rule} {values:?} {loser}");
            if let Some((outcome, game)) = ended {
                assert_eq!(outcome, Outcome::Won(loser.other()));
                assert_eq!(game.steps().last().map(|step| step.played.side), Some(loser));
            }
        }
    }
    let (_, late) = resigned("moves=1 score=12 after=7", &[lost], &[None]).expect("a result");
    assert_eq!(late.steps().len(), 7);
    let twosided = "moves=1 score=12 twosided";
    let (outcome, both) = resigned(twosided, &[lost], &[Some(1200)]).expect("a result");
    assert_eq!((outcome, both.steps().len()), (Outcome::Won(Side::North), 2));
    assert!(resigned(twosided, &[lost], &[Some(1199)]).is_none());
    assert!(resigned(twosided, &[lost], &[None]).is_none());
}

#[test]
fn a_draw_needs_the_values_of_both_players_within_the_score_on_either_side_of_zero() {
    let drawn = |rule: &str, south: i32, north: i32| {
        let draw = Some(rule.parse().expect("a rule"));
        let rules = Adjudication { draw, ..Adjudication::default() };
        scored(rules, &[Some(south)], &[Some(north)])
    };
    for (south, north) in [(50, -50), (-50, 50), (0, 0)] {
        let (outcome, game) = drawn("moves=2 score=0.5", south, north).expect("a result");
        assert_eq!(outcome, Outcome::Draw);
        assert_eq!(Side::BOTH.map(|side| own_steps(&game, side)).into_iter().min(), Some(2));
        let (_, late) = drawn("moves=2 score=0.5 after=8", south, north).expect("a result");
        assert_eq!(late.steps().len(), 8);
    }
    for (south, north) in [(51, 0), (-51, 0), (0, 51), (0, -51)] {
        assert!(drawn("moves=2 score=0.5", south, north).is_none(), "{south} {north}");
    }
}

/// The detail of South's loss on time.
fn lost_on_time(limits: &str, times: &[u64]) -> Option<String> {
    let rules = Adjudication { move_limit: Some(8), ..Adjudication::default() };
    let game = game(START, limits, rules, &mut timed(times), &mut Scripted::default());
    let ending = game.ending().expect("an ending");
    if ending.reason != Reason::Time {
        return None;
    }
    assert_eq!(ending.outcome, Outcome::Won(Side::North));
    ending.detail.clone()
}

#[test]
fn a_move_is_late_beyond_its_limit_and_the_margin() {
    // The margin is 10 ms.
    assert_eq!(lost_on_time("movetime=100", &[110]), None);
    assert_eq!(lost_on_time("movetime=100", &[0, 111]).unwrap(), "used 111.0 ms of 100.0 ms");
    assert_eq!(lost_on_time("tc=0.1", &[110, 10, 10]), None);
    assert_eq!(lost_on_time("tc=0.1", &[60, 51]).unwrap(), "used 51.0 ms of 40.0 ms");
    assert_eq!(lost_on_time("tc=0.1+0.02", &[60, 70, 30]), None);
    // The shorter of both limits counts.
    assert!(lost_on_time("tc=1 movetime=20", &[31]).is_some());
    assert!(lost_on_time("tc=0.02 movetime=100", &[31]).is_some());
}

#[test]
fn a_player_learns_both_clocks_and_has_hung_a_second_after_its_margin() {
    let asked = |limits: &str| {
        let mut south = timed(&[30]);
        let rules = Adjudication { move_limit: Some(4), ..Adjudication::default() };
        let game = game(START, limits, rules, &mut south, &mut timed(&[50]));
        assert_eq!(game.steps()[2].r#move.time, Some(Duration::from_millis(30)));
        south.asked[1]
    };
    let millis = Duration::from_millis;
    let clocks = |limits: MoveLimits| {
        let own = limits.search.clock.map(|clock| clock.remaining);
        (own, limits.opponent_clock.map(|clock| clock.remaining), limits.timeout)
    };
    let on_clock = (Some(millis(970)), Some(millis(950)), millis(970 + 10 + 1000));
    assert_eq!(clocks(asked("tc=1")), on_clock);
    let shorter = asked("tc=1 movetime=100");
    assert_eq!(clocks(shorter).2, millis(100 + 10 + 1000));
    assert_eq!(clocks(asked("nodes=7")), (None, None, millis(60_000)));
    assert_eq!(asked("nodes=7").search.nodes, Some(7));
}

#[test]
fn an_illegal_move_and_a_wrong_claim_are_recorded() {
    let mut wrong = Scripted { pit: Some(Pit::new(0)), ..Scripted::default() };
    let game_with = |south: &mut Scripted| {
        game(START, "depth=1", Adjudication::default(), south, &mut Scripted::default())
    };
    let lost = game_with(&mut wrong);
    let ending = lost.ending().expect("an ending");
    assert_eq!((ending.reason, ending.outcome), (Reason::IllegalMove, Outcome::Won(Side::North)));
    assert!(ending.detail.is_some() && lost.warnings.is_empty());

    let true_outcome = game_with(&mut Scripted::default()).ending().expect("an ending").outcome;
    for claim in [Outcome::Draw, Outcome::Won(Side::South), Outcome::Won(Side::North)] {
        let mut claimant = Scripted { claim: Some(claim), ..Scripted::default() };
        let played = game_with(&mut claimant);
        assert_eq!(played.warnings.len(), usize::from(claim != true_outcome), "{claim}");
        assert_eq!(played.ending().expect("an ending").outcome, true_outcome);
    }
}

#[test]
fn a_game_is_recorded_with_its_place_and_its_players() {
    let mut south = Scripted::default();
    let mut north = Scripted::default();
    let game =
        game(START, "depth=1 option.Hash=3", Adjudication::default(), &mut south, &mut north);
    assert_eq!((game.number, game.event.as_deref()), (Some(1), None));
    assert_eq!(game.opening.as_deref(), Some("here"));
    assert!(game.id.as_ref().is_some_and(|id| id.len() == 20) && game.date.is_some());
    for (player, name) in game.players.iter().zip(["a", "b"]) {
        assert_eq!((player.name.as_str(), player.limit.as_deref()), (name, Some("depth=1")));
        assert_eq!(player.version.as_deref(), Some("scripted"));
        assert_eq!(player.options["Hash"], "3");
    }
    assert_ne!(south.seed, north.seed, "with the same random numbers, their errors would be alike");
}
