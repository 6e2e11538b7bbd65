//! Tests of saved games.

use kalah_game::{Pit, Position, Rules, Side};
use kalah_record::{Move, Reason};

use super::*;
use crate::players;

fn record() -> Game {
    let mut record = Game::new(Position::start(Rules::default()), Default::default());
    record.play(Move::new(Pit::new(0))).unwrap();
    let seats = ["casual", "human"].map(|text| text.parse().unwrap());
    players::set(&mut record, seats, &["kalah", "you"].map(str::to_owned));
    record
}

#[test]
fn the_last_unfinished_game_is_resumed_and_finished_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = SavedGames::new(Some(folder.path().to_owned()));
    assert!(matches!(games.clone().resume(Resume::Last), Err(SavedGameError::NothingToResume(_))));
    let mut record = record();
    let mut first = games.clone();
    first.save(&record).unwrap();
    record.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
    let mut second = games.clone();
    second.save(&record).unwrap();
    assert_ne!(first.file(), second.file());
    assert_eq!(games.resume(Resume::Last).unwrap().record.steps().len(), 1);
    assert_eq!(games.file(), first.file());
    fs::write(folder.path().join("damaged.kgn"), "?").unwrap();
    let (listed, damaged) = games.list();
    assert_eq!((listed.len(), damaged.len()), (2, 1));
    let number = 1 + listed.iter().position(|(_, game)| game.ending().is_some()).unwrap();
    assert!(games.resume(Resume::Numbered(number)).unwrap().record.ending().is_some());
    assert_eq!(games.file(), second.file());
    let error = games.resume(Resume::Numbered(3)).unwrap_err().to_string();
    assert!(error.ends_with(": no game 3: there are 2"), "{error}");
}

#[test]
fn a_file_whose_last_line_was_cut_off_is_reported_and_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.kgn");
    let game = json::to_line(&record());
    let torn = format!("{game}\n{}", &game[..game.len() / 2]);
    fs::write(&path, &torn).unwrap();
    let mut games = SavedGames::new(Some(folder.path().to_owned()));
    let (listed, damaged) = games.list();
    assert_eq!(listed.len(), 1);
    assert!(matches!(&damaged[..], [SavedGameError::Torn(torn)] if *torn == path));
    assert!(load(path.to_str().unwrap()).unwrap().is_torn);
    let mut longer = games.resume(Resume::Last).unwrap().record;
    longer.play(Move::new(Pit::new(1))).unwrap();
    games.save(&longer).unwrap();
    assert_ne!(games.file(), Some(path.as_path()));
    let seen = Some(ContentHash::new(&torn));
    let refused = games.save_as("1.kgn", &longer, seen).unwrap_err();
    assert!(matches!(refused, SavedGameError::SeveralGames));
    assert_eq!(fs::read_to_string(&path).unwrap(), torn);
}

#[test]
fn an_unreadable_folder_does_not_count_as_empty() {
    let place = tempfile::NamedTempFile::new().unwrap();
    let mut games = SavedGames::new(Some(place.path().to_owned()));
    let (listed, damaged) = games.list();
    assert!(listed.is_empty() && matches!(damaged[..], [SavedGameError::Access(_)]));
    assert!(!games.are_new());
    for error in [
        games.find(1).unwrap_err(),
        games.named("1.kgn").unwrap_err(),
        games.resume(Resume::Last).unwrap_err(),
    ] {
        assert!(matches!(error, SavedGameError::Access(_)), "{error}");
    }
}

#[test]
fn games_of_a_match_can_be_loaded_by_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let game = kalah_record::json::to_line(&record());
    fs::write(&path, format!("{{\"match\":{{}}}}\n{game}\n{game}\n")).unwrap();
    let loaded = load(&format!("{}#2", path.display())).unwrap();
    assert_eq!((loaded.number, loaded.count, loaded.record), (2, 2, record()));
}

#[test]
fn the_second_of_two_writers_gets_a_conflict_and_neither_loses_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = SavedGames::new(Some(folder.path().to_owned()));
    let mut record = record();
    one.save(&record).unwrap();
    let mut other = SavedGames::new(Some(folder.path().to_owned()));
    other.resume(Resume::Last).unwrap();
    let mut longer = record.clone();
    longer.play(Move::new(Pit::new(1))).unwrap();
    other.save(&longer).unwrap();
    record.play(Move::new(Pit::new(2))).unwrap();
    let refused = one.save(&record).unwrap_err();
    assert!(
        matches!(&refused, SavedGameError::Conflict(path) if Some(path.as_path()) == other.file())
    );
    one.begin_game();
    one.save(&record).unwrap();
    let kept = [one.file(), other.file()].map(|file| load(file.unwrap().to_str().unwrap()));
    assert_eq!(kept.map(|game| game.unwrap().record), [record, longer.clone()]);
    // Repeating a save, or saving after the file was removed, is not a conflict.
    other.save(&longer).unwrap();
    fs::remove_file(other.file().unwrap()).unwrap();
    other.save(&longer).unwrap();
}

#[test]
fn a_game_in_any_encoding_of_a_text_is_continued_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = kgn::write(&record());
    let wide = [
        &[0xff, 0xfe],
        text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
    ]
    .concat();
    for bytes in [format!("\u{feff}{text}").into_bytes(), wide] {
        let path = folder.path().join("1.kgn");
        fs::write(&path, bytes).unwrap();
        let mut games = SavedGames::new(Some(folder.path().to_owned()));
        let mut longer = games.resume(Resume::Last).unwrap().record;
        assert_eq!(longer, record());
        longer.play(Move::new(Pit::new(1))).unwrap();
        games.save(&longer).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), kgn::write(&longer));
    }
}

#[test]
fn a_named_file_is_replaced_only_by_a_writer_that_has_seen_it() {
    const NAME: &str = "1.kgn";
    let folder = tempfile::tempdir().unwrap();
    let games = || SavedGames::new(Some(folder.path().to_owned()));
    let save = |record: &Game, seen: Option<&str>| {
        let seen = seen.map(|seen| seen.parse().unwrap());
        let saved = games().save_as(NAME, record, seen)?.map(|file| file.version.to_string());
        Ok::<_, SavedGameError>(saved.unwrap())
    };
    let mut record = record();
    let first = save(&record, None).unwrap();
    assert_eq!(games().named(NAME).unwrap().1.version.to_string(), first);
    assert_eq!(save(&record, None).unwrap(), first);
    record.play(Move::new(Pit::new(1))).unwrap();
    assert!(matches!(save(&record, None), Err(SavedGameError::Conflict(_))));
    let second = save(&record, Some(&first)).unwrap();
    record.play(Move::new(Pit::new(2))).unwrap();
    assert!(matches!(save(&record, Some(&first)), Err(SavedGameError::Conflict(_))));
    record.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
    let last = save(&record, Some(&second)).unwrap();
    record.take_ending();
    assert!(matches!(save(&record, Some(&last)), Err(SavedGameError::Finished)));
    assert!(matches!(games().save_as("a.kgn", &record, None), Err(SavedGameError::NoSuchName(_))));
}

#[test]
fn files_left_by_killed_processes_are_removed_but_not_those_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["1.kgn.aB3xyz.tmp", "1.kgn.writes.tmp", "1.kgn.mine.tmp", "puzzles.tmp"] {
        fs::write(path(name), "").unwrap();
    }
    let written = fs::File::open(path("1.kgn.writes.tmp")).unwrap();
    written.lock().unwrap();
    SavedGames::new(Some(folder.path().to_owned())).save(&record()).unwrap();
    assert!(!path("1.kgn.aB3xyz.tmp").exists());
    for name in ["1.kgn.writes.tmp", "1.kgn.mine.tmp", "puzzles.tmp"] {
        assert!(path(name).exists(), "{name}");
    }
}

#[test]
fn a_copy_has_the_format_of_its_extension_and_a_long_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut games = SavedGames::new(None);
    for (name, start) in [("a.jsonl", "{\""), ("a.json", "{\""), ("a.kgn", "["), ("a", "[")] {
        games.save_copy(&path(name), &record()).unwrap();
        assert!(fs::read_to_string(path(name)).unwrap().starts_with(start), "{name}");
        assert_eq!(load(&path(name)).unwrap().record.steps().len(), 1);
    }
    fs::File::create(path("long.kgn")).unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(
        load(&path("long.kgn")).unwrap_err().to_string().ends_with("file too large (limit 64 MiB)")
    );
}

#[test]
fn a_file_written_by_others_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kgn");
    let path = path.to_str().unwrap();
    let mut games = SavedGames::new(Some(folder.path().to_owned()));
    games.save_copy(path, &record()).unwrap();
    games.save_copy(path, &record()).unwrap();
    let mut other = SavedGames::new(Some(folder.path().to_owned()));
    assert!(matches!(other.save_copy(path, &record()), Err(SavedGameError::Exists(_))));
    fs::write(path, "changed").unwrap();
    assert!(matches!(games.save_copy(path, &record()), Err(SavedGameError::Conflict(_))));
}
