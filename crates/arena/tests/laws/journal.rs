//! The files of matches: parts, resumed matches, and matches that are followed while they run.

use std::path::Path;
use std::{fs, io};

use kalah_arena::MatchError;
use kalah_arena::file::{self, MatchFile, MatchRun};
use kalah_arena::follower::MatchFollower;
use kalah_arena::html::findings;
use kalah_arena::runner::Ended;
use kalah_arena::schedule::{PlacedGames, Schedule};
use kalah_arena::standing::Standing;
use kalah_arena::summary::sentences;
use kalah_game::Side;
use kalah_record::{Ending, Game, Reason};

use super::{Folder, config, placed, play, short};

fn courses(games: &PlacedGames) -> Vec<(usize, String)> {
    let letters = |game: &Game| game.steps().iter().map(|step| step.played.letter()).collect();
    games.iter().map(|(&index, game)| (index, letters(game))).collect()
}

fn run(command: &str) -> MatchRun {
    MatchRun { version: "kalah 1".to_owned(), command: command.to_owned(), machine: "m".to_owned() }
}

#[test]
fn parts_played_anywhere_merge_to_the_whole_match() {
    let folder = Folder::new();
    let players = ["kalah name=a nodes=40 option.Hash=1 option.TableSeeds=0", "random name=b"];
    let schedule = Schedule::new(config(&players, 6)).expect("a match");
    assert_eq!(folder.play("whole.jsonl", &schedule, "1/1", 1), Ended::Finished);
    let whole = folder.games("whole.jsonl", &schedule);
    assert_eq!(whole.len(), 12);
    let mut merged = PlacedGames::new();
    for part in ["1/2", "2/2"] {
        let name = part.replace('/', "-");
        assert_eq!(folder.play(&name, &schedule, part, 3), Ended::Finished);
        let path = folder.path(&name);
        let games = file::read(&path).expect("a match").games;
        assert_eq!(games.len(), 6);
        file::place(games.clone(), &schedule, &path, &mut merged).expect("games of the match");
        // A part given twice counts once.
        file::place(games, &schedule, &path, &mut merged).expect("the same games");
    }
    assert_eq!(courses(&merged), courses(&whole));

    let path = folder.path("merged.jsonl");
    let runs = [run("one"), run("two")];
    assert!(runs[0].is_alike(&runs[1]));
    assert!(!runs[0].is_alike(&MatchRun { machine: "n".to_owned(), ..run("one") }));
    assert!(!runs[0].is_alike(&MatchRun { version: "kalah 2".to_owned(), ..run("one") }));
    MatchFile::write(&path, &schedule.config, &runs, &merged).expect("a new file");
    let contents = file::read(&path).expect("a match");
    assert_eq!((contents.runs, &contents.config), (runs.to_vec(), &schedule.config));
    assert_eq!(courses(&placed(&schedule, &path, contents.games)), courses(&whole));
    let again = MatchFile::write(&path, &schedule.config, &[], &merged);
    let refusal = again.expect_err("a file that exists").to_string();
    assert!(refusal.ends_with("already exists: choose another file"), "{refusal}");
}

#[test]
fn games_of_other_matches_and_contradictions_are_refused() {
    let folder = Folder::new();
    let schedule = Schedule::new(short(2)).expect("a match");
    let games = play(short(2));
    let refused = |change: fn(&mut Game)| {
        let mut changed = games[&1].clone();
        change(&mut changed);
        let mut placed = games.clone();
        file::place(vec![changed], &schedule, &folder.path("x"), &mut placed).err()
    };
    assert!(refused(|_| ()).is_none());
    assert!(refused(|game| game.date = None).is_none());
    let id = Some("0123".to_owned());
    assert_ne!(games[&1].id, id);
    let foreign = refused(|game| game.id = Some("0123".to_owned()));
    assert!(matches!(foreign, Some(MatchError::Foreign { .. })), "{foreign:?}");
    let changes: [fn(&mut Game); 3] = [
        |game| {
            game.take_ending();
            game.finish(Ending::lost_by(Side::South, Reason::MoveLimit, None)).expect("an ending");
        },
        |game| {
            let ending = game.take_ending().expect("an ending");
            game.finish(Ending { reason: Reason::Score, ..ending }).expect("an ending");
        },
        |game| {
            let ending = game.take_ending().expect("an ending");
            game.truncate(1);
            game.finish(ending).expect("an ending");
        },
    ];
    for change in changes {
        let error = refused(change);
        let error = error.expect("a contradiction").to_string();
        assert!(error.contains("occurs twice with different moves or results"), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_continued_is_refused_for_its_reason() {
    let folder = Folder::new();
    let path = folder.path("x.jsonl");
    let schedule = Schedule::new(short(1)).expect("a match");
    folder.play("x.jsonl", &schedule, "1/1", 1);
    let create = |path: &Path| MatchFile::create(path, &schedule.config, None);
    assert!(matches!(create(&path), Err(MatchError::Exists(_))));
    let foreign = folder.path("foreign.txt");
    for text in ["Mancala", "Mancala\n", "{\"game\":1}\n"] {
        fs::write(&foreign, text).expect("a file");
        let refused = create(&foreign).expect_err("it exists").to_string();
        assert!(refused.contains("is not the file of a match"), "{text}: {refused}");
        assert!(MatchFile::resume(&foreign).is_err(), "{text}");
        assert_eq!(fs::read_to_string(&foreign).expect("a file"), text);
    }
    let open = MatchFile::resume(&path).expect("a match");
    let refusal = || MatchFile::resume(&path).expect_err("no match to resume").to_string();
    assert!(refusal().ends_with("x.jsonl is in use by another match"), "{}", refusal());
    drop(open);
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, text.replace("\"moves\"", "\"mowes\"")).expect("a damaged file");
    assert!(refusal().contains("x.jsonl: line 1 is damaged: "), "{}", refusal());
    fs::remove_file(&path).expect("a file");
    fs::create_dir(&path).expect("a folder");
    assert!(refusal().starts_with("cannot write "), "{}", refusal());
}

#[test]
#[cfg(unix)]
fn the_games_of_a_removed_file_are_rescued_with_the_latest_configuration() {
    let folder = Folder::new();
    let path = folder.path("x.jsonl");
    let games = play(short(2));
    let longer = short(2);
    let mut file = MatchFile::create(&path, &short(1), None).expect("a new file");
    file.append_config(&longer, None).expect("a line");
    file.append_game(&games[&0]).expect("a line");
    fs::remove_file(&path).expect("a file");
    let refused = file.append_game(&games[&3]).expect_err("no place for it").to_string();
    let (_, rescued) = refused.rsplit_once(" are in ").expect("the name of the new file");
    let rescued = Path::new(rescued);
    let text = fs::read_to_string(rescued).expect("a file");
    assert_eq!(text.lines().count(), 2 + 2, "the configurations and the games");
    let schedule = Schedule::new(longer).expect("a match");
    let kept = placed(&schedule, rescued, file::read(rescued).expect("a match").games);
    assert_eq!(kept.keys().collect::<Vec<_>>(), [&0, &3]);
}

#[test]
fn a_resumed_match_replays_what_a_crash_has_torn_and_nothing_else() {
    let folder = Folder::new();
    let path = folder.path("x.jsonl");
    let schedule = Schedule::new(config(&["random name=a", "greedy name=b"], 4)).expect("a match");
    folder.play("x.jsonl", &schedule, "1/1", 1);
    let whole = folder.games("x.jsonl", &schedule);
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, &text[..text.len() - 30]).expect("a torn file");
    assert_eq!(folder.games("x.jsonl", &schedule).len(), 7);
    assert_eq!(folder.play("x.jsonl", &schedule, "1/1", 2), Ended::Finished);
    let resumed = fs::read_to_string(&path).expect("a file");
    let kept = text[..text.len() - 30].rfind('\n').expect("lines");
    assert_eq!(resumed[..kept], text[..kept]);
    assert_eq!(courses(&folder.games("x.jsonl", &schedule)), courses(&whole));
    assert_eq!(file::read(&path).expect("a match").games.len(), 8);
    // Without anything left to play, the file stays as it is.
    folder.play("x.jsonl", &schedule, "1/1", 2);
    assert_eq!(fs::read_to_string(&path).expect("a file"), resumed);
    // Its last configuration counts.
    let mut tested = schedule.config.clone();
    tested.sprt = Some("elo0=0 elo1=5".parse().expect("a test"));
    folder.play("x.jsonl", &Schedule::new(tested.clone()).expect("a match"), "1/1", 2);
    let resumed = file::read(&path).expect("a match");
    assert_eq!((resumed.config, resumed.games.len(), resumed.runs.len()), (tested, 8, 1));

    assert!(file::is_match(&path).expect("a file"));
    for other in ["", "{\"game\":1}\n", "{\"match\""] {
        fs::write(&path, other).expect("a file");
        assert!(!file::is_match(&path).expect("a file"), "{other}");
    }
    fs::remove_file(&path).expect("a file");
    assert!(!file::is_match(&path).expect("no file"));
    assert!(MatchFile::resume(&path).expect("no file").is_none());
}

/// The sentences of a match whose finished games are those of `games`, counted from the start.
fn full_count(schedule: &Schedule, games: &PlacedGames) -> Vec<String> {
    sentences(schedule, &Standing::from_games(schedule, games))
}

/// The tables of a follower are those of the whole document, without the games themselves.
fn check_tables(follower: &MatchFollower, schedule: &Schedule, known: &PlacedGames) {
    let standing = Standing::from_games(schedule, known);
    let runs = [run("one"), run("two")];
    let mut sections = findings(schedule, &standing, known, Some(&runs)).sections;
    let overview = follower.overview();
    sections.retain(|section| overview.iter().any(|shown| shown.heading == section.heading));
    assert!(overview == sections && overview.len() > 3);
    for step in known[&0].steps() {
        let played: Vec<_> =
            known.values().filter_map(|game| game.played_from(&step.after)).collect();
        assert_eq!(follower.played_from(&step.after).collect::<Vec<_>>(), played);
    }
}

/// Two parts of a match may both have played a game, at different times, and a run that is
/// continued is the same.
fn check_repeats(
    file: &mut MatchFile,
    follower: &mut MatchFollower,
    game: &Game,
    schedule: &Schedule,
) {
    for command in ["one", "two", "two"] {
        file.append_config(&schedule.config, Some(&run(command))).expect("a line");
    }
    assert!(follower.update(), "there is a second run");
    let mut again = game.clone();
    again.date = None;
    file.append_game(&again).expect("a line");
    assert!(!follower.update() && follower.fault().is_none());
}

#[test]
fn a_follower_counts_each_new_game_like_a_full_count() {
    let folder = Folder::new();
    let path = folder.path("x.jsonl");
    let mut config = config(&["greedy name=a", "random name=b"], 30);
    let untested = Schedule::new(config.clone()).expect("a match");
    assert_eq!(folder.play("all.jsonl", &untested, "1/1", 2), Ended::Finished);
    // A test is not part of the ids.
    config.sprt = Some("elo0=0 elo1=300 model=logistic".parse().expect("a test"));
    let schedule = Schedule::new(config).expect("a match");
    let games = folder.games("all.jsonl", &schedule);

    let one = run("one");
    let mut file = MatchFile::create(&path, &schedule.config, Some(&one)).expect("a new file");
    let mut follower = MatchFollower::open(&path).expect("a match");
    let mut known = PlacedGames::new();
    let mut decided = 0;
    // The third game comes last but nine: until then, the test takes one pair.
    let late = 2;
    let order = (0..12).filter(|&index| index != late).chain([late]).chain(12..60);
    for index in order {
        file.append_game(&games[&index]).expect("a line");
        known.insert(index, games[&index].clone());
        assert!(follower.update());
        assert!(!follower.update(), "nothing is new");
        let counted = follower.sentences();
        assert_eq!(counted, full_count(&schedule, &known), "game {index}");
        let is_known = |pair: &usize| (2 * pair..2 * pair + 2).all(|i| known.contains_key(&i));
        let pairs = (0..30).take_while(is_known).count();
        let test = counted.iter().find(|line| line.starts_with("SPRT ")).expect("a test");
        if test.contains(" is open ") {
            let word = if pairs == 1 { "pair" } else { "pairs" };
            assert!(test.contains(&format!(" after {pairs} {word}: ")), "{pairs}: {test}");
        } else {
            decided += 1;
        }
        assert_eq!(follower.titles().len(), known.len());
    }
    assert!((10..50).contains(&decided), "{decided}");
    check_repeats(&mut file, &mut follower, &games[&late], &schedule);
    check_tables(&follower, &schedule, &known);
    assert_eq!((follower.fault(), follower.generation(), follower.scheduled()), (None, 0, 60));
    assert_eq!(follower.title(), "a against b");
    assert!(follower.game("60").expect("a line").is_some());
    for missing in ["0", "61", "x"] {
        assert!(follower.game(missing).expect("a line").is_none(), "{missing}");
    }
    check_changed_files(follower, file, &path, &schedule, &known);
}

/// A longer match has more games and the same beginning; another file is another match.
fn check_changed_files(
    mut follower: MatchFollower,
    mut file: MatchFile,
    path: &Path,
    schedule: &Schedule,
    known: &PlacedGames,
) {
    let mut longer = schedule.config.clone();
    longer.sprt = None;
    file.append_config(&longer, None).expect("a line");
    assert!(follower.update());
    assert_eq!(follower.generation(), 0);
    let plain = Schedule::new(longer).expect("a match");
    assert_eq!(follower.sentences(), full_count(&plain, known));
    drop(file);
    let other = Folder::new();
    for (name, rounds) in [("short", 1), ("long", 70)] {
        other.play(name, &Schedule::new(short(rounds)).expect("a match"), "1/1", 1);
    }
    // A game that another part of the match has played with another end.
    let contradicted = other.path("contradicted");
    fs::copy(other.path("short"), &contradicted).expect("a file");
    let (mut merged, contents) =
        MatchFile::resume(&contradicted).expect("a match").expect("its lines");
    let mut game = contents.games[0].clone();
    game.take_ending();
    game.finish(Ending::lost_by(Side::South, Reason::Time, None)).expect("an ending");
    merged.append_game(&game).expect("a line");
    drop(merged);
    let copy = |name: &str| fs::copy(other.path(name), path).map(drop);
    type Replace<'a> = &'a dyn Fn() -> io::Result<()>;
    let replacements: [(Replace<'_>, Option<usize>); 6] = [
        (&|| copy("short"), Some(2)),
        (&|| copy("contradicted"), None),
        (&|| copy("short"), Some(2)),
        (&|| fs::rename(other.path("long"), path), Some(140)),
        (&|| fs::write(path, "nonsense\n"), None),
        (&|| copy("short"), Some(2)),
    ];
    for (replace, expected) in replacements {
        let before = (follower.generation(), follower.titles().len());
        replace().expect("a file");
        assert!(follower.update());
        let games = follower.titles().len();
        match expected {
            None => {
                assert!(follower.fault().is_some());
                assert_eq!((follower.generation(), games), before, "what was read is kept");
            }
            Some(expected) => {
                assert_eq!((follower.fault(), games), (None, expected));
                assert_eq!((follower.generation(), follower.scheduled()), (before.0 + 1, games));
            }
        }
    }
}
