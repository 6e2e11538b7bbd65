//! The configuration of a match: players in words, rules, the schedule and the ids of its games.

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

use kalah_arena::config::{MatchConfig, PlayerConfig, ScoreRule, TournamentFormat};
use kalah_arena::schedule::{Schedule, Shard};
use kalah_arena::stats::Sprt;
use kalah_game::{Capture, Position, Rules};
use kalah_record::opening::Opening;
use kalah_record::{Game, opening};
use serde_json::json;

use super::{Folder, config, play, short};

fn player(words: &str, common: &str) -> serde_json::Value {
    let player = PlayerConfig::parse(words, common).unwrap_or_else(|error| panic!("{error}"));
    serde_json::to_value(player).expect("strings and numbers")
}

#[test]
fn words_make_players_and_their_own_words_override_the_common_ones() {
    let own = player("kalah name='two words' option.Hash=8 nodes=5", "depth=3 nodes=1000");
    let expected = json!({"name": "two words", "kind": "kalah", "options": {"Hash": "8"},
        "allowance": {"depth": 3, "nodes": 5}});
    assert_eq!(own, expected);
    let program = player("cmd=/x/engine.sh arg=a arg=1 dir=y proto=ugi tc=40/10+0.1", "arg=b");
    let process = json!({"command": "/x/engine.sh", "arguments": ["a", "1"], "directory": "y",
        "protocol": "ugi"});
    assert_eq!(program["kind"]["process"], process);
    assert_eq!(program["name"], "engine");
    assert_eq!(
        program["allowance"]["clock"],
        json!({"base": 10000, "increment": 100, "moves": 40})
    );
    assert_eq!(player("cmd=x", "arg=b")["kind"]["process"]["arguments"], json!(["b"]));
    // Without a limit, a search would never end; the other players do not search.
    assert_eq!(player("kalah", "")["allowance"], json!({"movetime": 100}));
    for words in ["random", "greedy"] {
        let expected = json!({"name": words, "kind": words, "allowance": {}});
        assert_eq!(player(words, "nodes=9"), expected);
    }
}

/// Files of every version have these names in this order, from which ids are computed.
#[test]
fn limits_keep_the_names_and_the_order_of_files() {
    let player = PlayerConfig::parse("kalah depth=3 nodes=5 movetime=250 tc=40/1.5+0.1", "");
    let written = serde_json::to_string(&player.expect("a player")).expect("numbers");
    let expected = r#"{"name":"kalah","kind":"kalah","allowance":{"nodes":5,"depth":3,"movetime":250,"clock":{"base":1500,"increment":100,"moves":40}}}"#;
    assert_eq!(written, expected);
}

#[test]
fn wrong_words_are_quoted() {
    for (words, got) in [
        ("", "in ''"),
        ("kalah cmd=x", "in 'kalah cmd=x'"),
        ("stockfish", "got 'stockfish'"),
        ("kalah ndoes=3", "got 'ndoes=3'"),
        ("kalah option.=3", "got 'option.=3'"),
        ("kalah nodes=0", "got '0'"),
        ("kalah depth=501", "got '501'"),
        ("kalah tc=-1", "got '-1'"),
        ("kalah tc=0/1", "got '0/1'"),
        ("kalah proto=xboard", "got 'xboard'"),
        ("kalah arg=x", "no 'arg=x' with 'kalah'"),
        ("kalah dir=x", "no 'dir=x' with 'kalah'"),
        ("kalah proto=ugi", "no 'proto=ugi' with 'kalah'"),
        ("kalah 'option.random seed=5'", "no 'option.random seed=5' with 'kalah'"),
        ("kalah random", "one kind of player in 'kalah random', got several"),
        ("kalah nodes=5 nodes=7", "one nodes in 'kalah nodes=5 nodes=7', got several"),
        ("random nodes=5", "no 'nodes=5' with 'random'"),
        ("greedy option.Hash=1", "no 'option.Hash=1' with 'greedy'"),
        ("kalah name='x", "a closing quote in kalah name='x"),
    ] {
        let error = PlayerConfig::parse(words, "").expect_err(words).to_string();
        assert!(error.ends_with(got), "{words}: {error}");
    }
}

#[test]
fn rules_for_scores_are_read_and_written() {
    for (words, expected) in [
        ("moves=3 score=12", "moves=3 score=12"),
        ("score=0.5 moves=6 twosided=true after=20", "moves=6 score=0.5 after=20 twosided"),
        ("moves=1 score=0 twosided", "moves=1 score=0 twosided"),
        ("moves=1 score=1000000", "moves=1 score=1000000"),
    ] {
        let rule: ScoreRule = words.parse().expect(words);
        assert_eq!(rule.to_string(), expected);
        assert_eq!(expected.parse::<ScoreRule>().expect(expected), rule);
    }
    let rule: ScoreRule = "score=0.5 moves=6 after=20 twosided".parse().expect("a rule");
    let stored = r#"{"moves":6,"score":50,"after":20,"twosided":true}"#;
    assert_eq!(serde_json::to_string(&rule).expect("numbers"), stored);
    for (words, got) in [
        ("", "got ''"),
        ("moves=3", "got 'moves=3'"),
        ("score=3", "got 'score=3'"),
        ("moves=0 score=1", "got 'moves=0'"),
        ("moves=3 score=-1", "got 'score=-1'"),
        ("moves=3 score=1000001", "got 'score=1000001'"),
        ("moves=3 score=NaN", "got 'score=NaN'"),
        ("moves=3 score=1 after=x", "got 'after=x'"),
        ("moves=3 score=1 twosided=no", "got 'twosided=no'"),
        ("moves=3 score=1 move=2", "got 'move=2'"),
    ] {
        let error = words.parse::<ScoreRule>().expect_err(words).to_string();
        assert!(error.ends_with(got), "{words}: {error}");
    }
}

#[test]
fn impossible_tests_and_parts_are_refused() {
    for words in [
        "elo0",
        "elo0=x",
        "elo2=3",
        "model=bayes",
        "elo0=5 elo1=5",
        "elo0=6 elo1=5",
        "elo1=NaN",
        "elo1=2001",
        "elo0=-2001",
        "alpha=0",
        "beta=0",
        "alpha=-1",
        "alpha=2",
        "alpha=0.6 beta=0.4",
    ] {
        assert!(words.parse::<Sprt>().is_err(), "{words}");
    }
    for words in ["", "elo0=-2000 elo1=2000", "alpha=0.6 beta=0.39 model=normalised"] {
        assert!(words.parse::<Sprt>().is_ok(), "{words}");
    }
    let default: Sprt = "".parse().expect("a test");
    assert_eq!((default.elo0, default.elo1), (0.0, 5.0));
    for wrong in ["0/2", "3/2", "1", "a/b", "1/0", "/", "1/2/3"] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }
}

#[test]
fn impossible_matches_are_refused() {
    let refused = |change: fn(&mut MatchConfig)| {
        let mut config = short(1);
        change(&mut config);
        Schedule::new(config).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refused(|_| ()), "");
    assert!(refused(|config| config.players.truncate(1)).ends_with("two players, got 1"));
    assert!(refused(|config| config.players[1] = config.players[0].clone()).contains("'a' twice"));
    assert!(refused(|config| config.openings.clear()).contains("opening"));
    let over = |config: &mut MatchConfig| {
        let over = Position::parse("<2,3,3,0,0,0,0> S", Capture::Standard);
        config.openings[0] =
            Opening { moves: Vec::new(), start: over.unwrap(), name: String::new() };
    };
    assert!(refused(over).ends_with("moves left to play, got a finished game"));
    let third = |config: &mut MatchConfig| {
        config.players.push(PlayerConfig::parse("greedy", "").expect("a player"));
    };
    let mut three = short(1);
    third(&mut three);
    assert!(Schedule::new(three).is_ok());
    let tested = refused(|config| {
        config.sprt = Some("".parse().expect("a test"));
        config.players.push(PlayerConfig::parse("greedy", "").expect("a player"));
    });
    assert!(tested.ends_with("two players for an SPRT, got 3"), "{tested}");
    // A file may have been edited by hand.
    let edited = refused(|config| {
        let test =
            json!({"elo0": 5.0, "elo1": 0.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"});
        config.sprt = Some(serde_json::from_value(test).expect("a test"));
    });
    assert!(edited.contains("elo0 < elo1"), "{edited}");
}

#[test]
fn every_pair_has_one_opening_and_swapped_sides() {
    let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    for (format, pairings) in
        [(TournamentFormat::RoundRobin, &all[..]), (TournamentFormat::Gauntlet, &all[..3])]
    {
        let players = ["random name=p0", "random name=p1", "random name=p2", "random name=p3"];
        let mut config = config(&players, 3);
        config.format = format;
        config.openings.truncate(2);
        config.adjudication.move_limit = Some(0);
        let openings = config.openings.clone();
        let games: Vec<_> = play(config).into_values().collect();
        assert_eq!(games.len(), 2 * 3 * pairings.len());
        for (pair, games) in games.chunks(2).enumerate() {
            let names = pairings[pair % pairings.len()].map(|player| format!("p{player}"));
            let [one, two] = games else { panic!("a pair") };
            assert_eq!(one.players.each_ref().map(|player| player.name.clone()), names);
            assert_eq!([&two.players[1], &two.players[0]], one.players.each_ref());
            // The third round reuses the first opening.
            let opening = &openings[pair / pairings.len() % 2];
            for game in [one, two] {
                assert_eq!(kalah_record::opening::Opening::from_game(game), *opening);
            }
            assert_eq!(
                (one.number, two.number),
                (Some(2 * pair as u32 + 1), Some(2 * pair as u32 + 2))
            );
        }
    }
}

#[test]
fn ids_differ_and_everything_that_changes_a_game_changes_them() {
    let ids = |config: MatchConfig| -> Vec<String> {
        play(config).into_values().map(|game| game.id.expect("an id")).collect()
    };
    let mut config = config(&["random name=p0", "random name=p1", "random name=p2"], 5);
    config.adjudication.move_limit = Some(0);
    config.openings.truncate(1);
    let distinct: HashSet<_> = ids(config).into_iter().collect();
    assert_eq!(distinct.len(), 5 * 3 * 2);

    // The id that version 1.0 gave, with its time to start: with another, no match could be
    // continued.
    let mut old = short(1);
    old.timing.start = Duration::from_secs(10);
    assert_eq!(ids(old).remove(0), "f487a35c5d09bbd8e180");
    let first = ids(short(1)).remove(0);
    let first_of = |change: fn(&mut MatchConfig)| {
        let mut config = short(2);
        change(&mut config);
        ids(config).remove(0)
    };
    let same: [fn(&mut MatchConfig); 4] = [
        |_| (),
        |config| config.event = "other".to_owned(),
        |config| config.sprt = Some("".parse().expect("a test")),
        |config| config.players.push(PlayerConfig::parse("greedy", "").expect("a player")),
    ];
    // A test allows two players only.
    for change in &same[..3] {
        assert_eq!(first_of(*change), first);
    }
    let changes: [fn(&mut MatchConfig); 5] = [
        |config| config.seed += 1,
        |config| config.timing.margin *= 2,
        |config| config.adjudication.majority = true,
        |config| config.openings.swap(0, 1),
        |config| config.players[1] = PlayerConfig::parse("greedy name=b", "").expect("a player"),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert_ne!(first_of(change), first, "change {index}");
    }
    assert_eq!(first_of(same[3]), first);
}

#[test]
fn a_part_has_whole_pairs_and_every_pair_is_in_one_part() {
    let schedule = Schedule::new(short(7)).expect("a match");
    let parts: Vec<Shard> =
        ["1/3", "2/3", "3/3"].map(|text| text.parse().expect("a part")).to_vec();
    for fixture in &schedule.fixtures {
        let owners = parts.iter().map(|part| part.has(fixture));
        let expected = (0..3).map(|part| fixture.index / 2 % 3 == part);
        assert_eq!(owners.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

#[test]
fn a_match_grows_only_by_openings_that_are_known() {
    let longer = short(9);
    let mut grown = short(5);
    grown.seed = 1;
    grown.set_rounds(9).expect("random openings");
    assert_eq!((grown.rounds, &grown.openings), (9, &longer.openings));
    // With another seed, the openings of the file cannot have come from it.
    let mut listed = short(5);
    listed.seed = 2;
    let before = listed.clone();
    let refusal = listed.set_rounds(6).expect_err("five openings").to_string();
    assert!(refusal.starts_with("the file holds only the openings of its 5 pairs"), "{refusal}");
    listed.set_rounds(5).expect("as before");
    assert_eq!(listed, before);
    listed.set_rounds(4).expect("fewer pairs");
    assert_eq!((listed.rounds, listed.openings.len()), (4, 4));
    // Openings that are reused suffice for any number of pairs.
    let mut reused = short(5);
    reused.seed = 2;
    reused.openings.truncate(2);
    reused.set_rounds(50).expect("reused openings");
    assert_eq!((reused.rounds, reused.openings.len()), (50, 2));
}

#[test]
fn games_in_any_order_form_their_pairs() {
    let games: Vec<_> = play(short(5)).into_values().collect();
    let mut shuffled = games.clone();
    shuffled.reverse();
    let missing = shuffled.pop().expect("a game");
    let (schedule, placed) = Schedule::from_games(shuffled);
    assert_eq!((schedule.config.rounds, schedule.config.openings.len()), (5, 5));
    assert_eq!((placed.len(), schedule.fixtures.len()), (9, 9));
    for pair in 0..5 {
        // The last record has lost the other game of its pair.
        let own: Vec<_> = (2 * pair..2 * pair + 2).filter_map(|index| placed.get(&index)).collect();
        assert_eq!(own.len(), if pair == 4 { 1 } else { 2 });
        for (index, game) in (2 * pair..).zip(&own) {
            assert_eq!(game.moves().len(), own[0].moves().len(), "game {index}");
            assert_eq!(game.position(), own[0].position());
            assert_ne!(game.id, missing.id);
        }
        if let [one, two] = own[..] {
            // In the first game of a pair, South is who occurs first in the record.
            assert_eq!((one.players[0].name.as_str(), two.players[1].name.as_str()), ("b", "b"));
        }
    }
    // A player of both sides is two players.
    let mut alone = games[0].clone();
    alone.players[1] = alone.players[0].clone();
    let (schedule, _) = Schedule::from_games(vec![alone]);
    let names: Vec<_> = schedule.config.players.iter().map(player_name).collect();
    assert_eq!(names, ["a (South)", "a (North)"]);
}

fn player_name(player: &PlayerConfig) -> String {
    let value = serde_json::to_value(player).expect("strings");
    value["name"].as_str().expect("a name").to_owned()
}

#[test]
fn the_openings_of_a_match_keep_their_rules() {
    let rules = Rules::new(3, 2, Capture::EmptyCapture).expect("rules");
    let mut config = short(1);
    config.openings = opening::random(Position::start(rules), 2, 1, 1);
    let text = serde_json::to_string(&config).expect("strings");
    let read: MatchConfig = serde_json::from_str(&text).expect("a match");
    assert_eq!(read, config);
    assert_eq!(read.openings[0].start.capture(), Capture::EmptyCapture);
}

#[test]
fn players_are_equal_if_they_differ_by_their_names_alone() {
    let words =
        ["kalah name=a nodes=9", "kalah name=b nodes=9", "kalah name=c nodes=8", "greedy name=d"];
    assert_eq!(config(&words, 1).equal_players(), [["a", "b"]]);
}

#[test]
fn copies_of_a_program_are_equal_players_with_equal_settings() {
    let folder = Folder::new();
    let player = |name: &str, contents: &str, settings: &str| {
        let path = folder.path(name);
        fs::write(&path, contents).expect("a file");
        format!("cmd={} name={name} {settings}", path.display())
    };
    let words = [
        player("new", "one", "nodes=9"),
        player("old", "one", "nodes=9"),
        player("other", "two", "nodes=9"),
        player("slow", "one", "nodes=8"),
        player("script", "#!/bin/sh", "nodes=9"),
        player("same_script", "#!/bin/sh", "nodes=9"),
        // A bare name is looked up in PATH, whatever is in this folder.
        "cmd=Cargo.toml name=bare nodes=9".to_owned(),
        "cmd=./Cargo.toml name=here nodes=9".to_owned(),
        "cmd=src/../Cargo.toml name=there nodes=9".to_owned(),
    ];
    let config = config(&words.each_ref().map(String::as_str), 1);
    assert_eq!(config.equal_players(), [["new", "old"], ["here", "there"]]);
    assert!(config.has_programs() && !short(1).has_programs());
}

#[test]
fn the_event_of_a_record_is_that_of_all_its_games() {
    let game = |event: Option<&str>| {
        let mut game = Game::new(Position::start(Rules::default()), Default::default());
        game.event = event.map(str::to_owned);
        game
    };
    for (events, expected) in [
        (&[Some("a"), Some("a")][..], "a"),
        (&[Some("a"), Some("b")], ""),
        (&[Some("a"), None], ""),
        (&[None, Some("a")], ""),
        (&[None], ""),
    ] {
        let games = events.iter().map(|event| game(*event)).collect();
        assert_eq!(Schedule::from_games(games).0.config.event, expected, "{events:?}");
    }
}

#[test]
fn a_match_warns_of_reused_openings_and_of_equal_players() {
    assert_eq!(config(&["kalah name=a", "greedy name=b"], 3).warnings(), [""; 0]);
    let mut repeated = config(&["kalah name=a", "kalah name=b"], 3);
    repeated.openings[1] = repeated.openings[2].clone();
    let warnings = repeated.warnings();
    let [openings, players] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(openings.starts_with("2 openings for 3 pairs: "), "{openings}");
    assert!(players.starts_with("a and b are the same player "), "{players}");
    repeated.openings.truncate(1);
    repeated.rounds = 1;
    assert_eq!(repeated.warnings().len(), 1);
}

#[test]
fn the_tables_of_a_match_are_those_of_its_only_board_and_rule() {
    let rules = [(3, Capture::EmptyCapture), (4, Capture::EmptyCapture), (3, Capture::Standard)];
    let openings = rules.map(|(pits, capture)| {
        opening::random(Position::start(Rules::new(pits, 2, capture).unwrap()), 2, 1, 1).remove(0)
    });
    let mut config = short(1);
    config.openings = vec![openings[0].clone(); 2];
    assert!(config.tables().unwrap().is_none());
    config.adjudication.table_seeds = Some(3);
    let tables = config.tables().unwrap().expect("tables");
    assert_eq!((tables.variant(), tables.seeds()), (openings[0].start.variant(), 3));
    for other in &openings[1..] {
        config.openings[1] = other.clone();
        let Err(error) = config.tables() else { panic!("several boards") };
        let error = error.to_string();
        assert!(error.starts_with("--adjudicate-table: expected one board"), "{error}");
    }
    config.adjudication.table_seeds = None;
    assert!(config.tables().unwrap().is_none());
}
