//! Matches played by the players of this process.

use std::collections::HashSet;

use kalah_arena::config::MatchConfig;
use kalah_arena::runner::Ended;
use kalah_arena::schedule::Schedule;
use kalah_arena::standing::Standing;
use kalah_game::{Capture, Position, Side};
use kalah_record::opening::Opening;
use kalah_record::{Game, Outcome, Reason};

use super::{Folder, config, play, play_part};

fn at(positions: &[&str]) -> Vec<Opening> {
    let opening = |text: &&str| Opening {
        name: String::new(),
        start: Position::parse(text, Capture::Standard).expect("a position"),
        moves: Vec::new(),
    };
    positions.iter().map(opening).collect()
}

fn letters(game: &Game) -> String {
    game.steps().iter().map(|step| step.played.letter()).collect()
}

#[test]
fn greedy_banks_the_most_seeds_then_prefers_to_move_again_then_the_nearest_pit() {
    // Of two moves that bank one seed, the one that moves again and the one nearest the store; a
    // capture of six; a move that ends the game and wins the seeds left in its own row.
    let positions = [
        "<3,0,0,0,2,2,5,5,5> S",
        "<3,0,0,0,2,1,5,5,5> S",
        "<3,0,0,1,0,1,5,5,5> S",
        "<3,0,0,1,1,3,0,0,1> S",
    ];
    let mut config = config(&["greedy", "random"], 4);
    config.openings = at(&positions);
    config.adjudication.move_limit = Some(1);
    let games = play(config);
    let first: String = (0..8).step_by(2).map(|index| letters(&games[&index])).collect();
    assert_eq!(first, "BCAC");
    for player in games.values().flat_map(|game| &game.players) {
        let version = format!("{} {}", player.name, env!("CARGO_PKG_VERSION"));
        assert_eq!(player.version, Some(version));
    }
}

#[test]
fn random_players_depend_on_the_seed_and_their_side_alone() {
    let of_seed = |seed| {
        let mut config = config(&["random name=a", "random name=b"], 140);
        config.openings.truncate(1);
        config.seed = seed;
        play(config)
    };
    let games = of_seed(1);
    let all = |games: &kalah_arena::schedule::PlacedGames| {
        games.values().map(letters).collect::<Vec<_>>()
    };
    assert_eq!(all(&games), all(&of_seed(1)));
    assert_ne!(all(&games), all(&of_seed(2)));
    // Each has a seed of its own, so that no two of these games from one opening are equal.
    assert_eq!(all(&games).into_iter().collect::<HashSet<_>>().len(), 280);
    // With the same random numbers, the players of a game would often begin alike.
    let begin_alike = games.values().filter(|game| {
        let first = |side: Side| {
            let own = game.steps().iter().filter(|step| step.played.side == side);
            own.filter(|step| !step.r#move.book).map(|step| step.played.pit).next()
        };
        first(Side::South) == first(Side::North)
    });
    assert!(begin_alike.count() < 93);
}

#[test]
fn certain_results_end_games_early_and_do_not_change_who_wins() {
    let players = ["kalah name=a nodes=60 option.Hash=1 option.TableSeeds=0", "greedy name=b"];
    let ends = |change: fn(&mut kalah_arena::config::Adjudication)| {
        let mut config = config(&players, 6);
        change(&mut config.adjudication);
        let games = play(config);
        games
            .into_values()
            .map(|game| {
                let ending = game.ending().expect("an ending");
                (ending.outcome, ending.reason, letters(&game))
            })
            .collect::<Vec<_>>()
    };
    let version = format!("kalah {}", env!("CARGO_PKG_VERSION"));
    for (index, game) in play(config(&players, 1)) {
        let versions = game.players.map(|player| player.version);
        assert_eq!(versions[index], Some(version.clone()), "the engine plays South, then North");
    }
    let whole = ends(|_| ());
    assert!(whole.iter().all(|(_, reason, _)| *reason == Reason::Normal));
    let majority = ends(|rules| rules.majority = true);
    assert!(majority.iter().filter(|(_, reason, _)| *reason == Reason::Majority).count() > 6);
    for ((outcome, _, moves), (early, _, fewer)) in whole.iter().zip(&majority) {
        assert_eq!(outcome, early);
        assert!(moves.starts_with(fewer.as_str()));
    }
    let limit = ends(|rules| rules.move_limit = Some(12));
    for (outcome, reason, moves) in limit {
        assert_eq!((outcome, reason, moves.len()), (Outcome::Draw, Reason::MoveLimit, 12));
    }
}

#[test]
fn a_test_that_has_decided_ends_the_match_for_good() {
    let folder = Folder::new();
    let mut config =
        config(&["kalah name=a nodes=300 option.Hash=1 option.TableSeeds=0", "random"], 400);
    config.sprt = Some("elo0=0 elo1=300".parse().expect("a test"));
    let schedule = Schedule::new(config).expect("a match");
    assert_eq!(folder.play("x.jsonl", &schedule, "1/1", 1), Ended::Decided);
    let games = folder.games("x.jsonl", &schedule);
    assert!(games.len() < 100, "{}", games.len());
    let test = |games| {
        let standing = Standing::from_games(&schedule, games);
        serde_json::to_value(kalah_arena::summary::Summary::new(&schedule, &standing))
            .expect("numbers")["sprt"]
            .clone()
    };
    assert_eq!(test(&games)["verdict"], "accept_h1");
    // It was decided by its last pair and not a game earlier.
    let pairs = test(&games)["pairs"].as_u64().expect("a number") as usize;
    let fewer = games.clone().into_iter().filter(|(index, _)| *index != 2 * pairs - 1).collect();
    assert_eq!(test(&fewer)["verdict"], "open");
    assert_eq!(games.len(), 2 * pairs, "several workers might have finished more");
    assert_eq!(folder.play("x.jsonl", &schedule, "1/1", 2), Ended::Decided);
    assert_eq!(folder.games("x.jsonl", &schedule).len(), games.len());
}

#[test]
fn parts_in_one_folder_end_when_all_of_them_have_decided_the_test() {
    let folder = Folder::new();
    let players = ["kalah name=a nodes=300 option.Hash=1 option.TableSeeds=0", "random"];
    let sprt = Some("elo0=0 elo1=300".parse().expect("a test"));
    let long = MatchConfig { sprt, ..config(&players, 8000) };
    let mut config = MatchConfig { sprt, ..config(&players, 400) };
    let schedule = Schedule::new(config.clone()).expect("a match");
    // Another match in the folder, and a file that is none.
    config.seed = 9;
    let other = Schedule::new(config).expect("a match");
    folder.play("other.jsonl", &other, "1/1", 2);
    std::fs::write(folder.path("notes.jsonl"), "notes").expect("a file");
    std::fs::create_dir(folder.path("alone")).expect("a folder");
    // Alone, a part has only every second pair, which decides nothing.
    assert_eq!(folder.play("alone/1.jsonl", &schedule, "1/2", 2), Ended::Finished);
    assert_eq!(folder.games("alone/1.jsonl", &schedule).len(), 400);
    // Each of two parts that are played at the same time sees the other's file grow. They are long,
    // because one may begin late.
    let schedule = Schedule::new(long).expect("a match");
    let path = folder.path("");
    let play = |part: &str| {
        let name = format!("{part}.jsonl");
        play_part(&path, &name, &schedule, (&format!("{part}/2"), 1), &mut |_| ())
            .expect("no failure")
    };
    let ended = std::thread::scope(|scope| {
        let other = scope.spawn(|| play("2"));
        [play("1"), other.join().expect("no panic")]
    });
    assert_eq!(ended, [Ended::Decided; 2]);
    let played = ["1.jsonl", "2.jsonl"].map(|name| folder.games(name, &schedule).len());
    assert!(played.iter().all(|&games| games < 8000), "{played:?}");
    // A part that is resumed is still decided.
    assert_eq!(play("2"), Ended::Decided);
    assert_eq!(folder.games("2.jsonl", &schedule).len(), played[1]);
}
