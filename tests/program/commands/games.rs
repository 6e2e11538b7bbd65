//! Commands that read and write records of games.

use std::fs;

use crate::folder::Folder;

#[test]
fn a_match_converts_to_kgn_and_back_without_loss() {
    let folder = Folder::new();
    let engine = "'kalah nodes=200 option.TableSeeds=0'";
    folder.shown(&format!("match -o m.jsonl -e {engine} -e greedy --pairs 3"));
    folder.shown("convert m.jsonl -o m.kgn");
    let back = folder.shown("convert m.kgn");
    let original = folder.read("m.jsonl");
    let without_checksum = |line: &str| line.rsplit_once(",\"check\"").unwrap().0.to_owned() + "}";
    let games: Vec<_> = original.lines().skip(1).map(without_checksum).collect();
    assert_eq!(back.lines().collect::<Vec<_>>(), games);
}

#[test]
fn the_numbers_of_saved_games_have_no_gaps_and_json_has_the_names_of_the_list() {
    let folder = Folder::new();
    let tags = "[South \"human\"]\n[North \"kalah\"]\n[NorthLimit \"casual\"]\n";
    let before = std::time::SystemTime::now();
    for (age, name, moves) in [(9, "long", "1. CF b"), (8, "short", "1. C"), (7, "late", "1. C F")]
    {
        folder.write(&format!("{name}.kgn"), format!("{tags}{moves} *\n"));
        let file = fs::File::options().append(true).open(folder.path(format!("{name}.kgn")));
        file.unwrap().set_modified(before - std::time::Duration::from_secs(60 * age)).unwrap();
    }
    let listed = folder.shown("games --games . --plain");
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].starts_with("1. you against kalah"), "{listed}");
    assert!(lines[0].ends_with("2 moves.") && lines[1].starts_with("2. "), "{listed}");
    assert!(lines[1].ends_with("3 moves.") && lines[2].starts_with("Not listed: "), "{listed}");
    let shown = folder.shown("games 3 --games . --plain");
    assert!(shown.contains("unfinished, 1 move"), "{shown}");
    assert_eq!(folder.shown("games --games . --plain --all").lines().count(), 3);
    let json = folder.shown("games --games . --json");
    assert!(json.contains("\"name\":\"you\"") && !json.contains("human"), "{json}");
}

#[test]
fn games_are_analysed_without_a_person() {
    let folder = Folder::new();
    folder.write("g.kgn", "[South \"Ann\"]\n1. CF 2. f *\n\n[South \"Bob\"]\n1. A 2. a *\n");
    let shown = folder.shown("analyse g.kgn --game 2");
    assert!(shown.starts_with("Bob (South) - North, unfinished, 2 moves\n"), "{shown}");
    assert!(shown.contains("South lost ") && shown.contains("seeds in 1 move"), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.shown("analyse g.kgn --json")).unwrap();
    assert_eq!(json["command"], "analyse");
    let games = json["results"].as_array().unwrap();
    let names: Vec<_> = games.iter().map(|game| &game["south"]["name"]).collect();
    assert_eq!(names, ["Ann", "Bob"]);
    for game in games {
        let moves = game["moves"].as_array().unwrap();
        assert!(moves.iter().all(|one| one["value"].is_i64()), "{game}");
        assert!(game["tags"]["Annotator"].as_str().unwrap().starts_with("kalah "), "{game}");
    }
    let moves = folder.shown("analyse 'CF a'");
    assert!(moves.contains("South lost ") && moves.contains("in 2 moves"), "{moves}");
    folder.shown("analyse CFa --report page");
    assert!(folder.read("page/index.html").contains("CFa"));
    for (line, message) in [
        ("analyse none.kgn", "cannot read none.kgn: "),
        ("analyse CC", "expected a file or moves, got 'CC': column 2: pit C is empty"),
        ("analyse g.kgn --game 3", "--game: no game 3: there are 2"),
    ] {
        let ran = folder.run(line);
        assert!(ran.code != Some(0) && ran.errors.contains(message), "{line}: {ran:?}");
    }
}

#[test]
fn a_game_is_replayed_in_sentences_and_listed() {
    let folder = Folder::new();
    let record = "[South \"Ann\"]\n[North \"Bob\"]\n1. CF {+0.50/12 0.012s; bold} b *\n";
    folder.write("g.kgn", record);
    let shown = folder.shown("replay g.kgn --plain");
    assert!(shown.starts_with("Ann (South) - Bob (North), unfinished, 3 moves"), "{shown}");
    // Both moves belong to the first turn.
    assert!(shown.contains("1. South sowed F") && shown.contains("2. North sowed b"), "{shown}");
    assert!(shown.contains("[expects +0.50, depth 12, 0.012 s, bold]"), "{shown}");
    let drawn = folder.shown("replay g.kgn --ascii");
    assert!(drawn.lines().count() > shown.lines().count() + 12, "{drawn}");
    let list = folder.shown("replay g.kgn --list");
    assert_eq!(list, "    1  Ann (South) - Bob (North), unfinished, 3 moves\n");
    // The marks are those of the pages: F loses South's lead.
    let valued = "1. C {+1.90} F {+1.50} d {-1.00} 2. A {-3.00} b {+3.50} *";
    folder.write("valued.kgn", valued);
    let marked = folder.shown("replay valued.kgn --plain");
    assert!(marked.contains(" [?, expects +1.50]"), "{marked}");
    // The list has the pages' numbers, too.
    assert!(marked.contains("\n  1. CF?      2. d\n  3. A"), "{marked}");
    let none = folder.run("replay g.kgn --game 2");
    assert_eq!(none.code, Some(2));
}

#[test]
fn replay_shows_the_comment_on_the_game_and_players_without_names() {
    let folder = Folder::new();
    folder.write("g.kgn", "{before} 1. A *");
    let shown = folder.shown("replay g.kgn --plain");
    assert!(shown.starts_with("South - North, unfinished, 1 move\n[before]\n\n1. "), "{shown}");
    let drawn = folder.shown("replay g.kgn --ascii");
    assert!(drawn.contains("[before]") && drawn.contains("* South to move"), "{drawn}");
}

#[test]
fn replay_shows_the_comments_and_the_swap_of_a_variation() {
    let folder = Folder::new();
    let game = "[PieRule \"yes\"]\n1. A 2. a (2. b {bold} 3. BF {at (last)}) (2. swap) *\n";
    folder.write("g.kgn", game);
    let shown = folder.shown("replay g.kgn --plain");
    assert!(shown.contains("\nVariation 1: 2. b [bold] 3. BF [at (last)]\n"), "{shown}");
    assert!(shown.contains("\nVariation 2: (swap)\n"), "{shown}");
}

#[test]
fn a_file_whose_last_line_was_cut_off_is_reported_by_every_reader() {
    let folder = Folder::new();
    folder.write("g.kgn", "1. C *\n");
    let line = folder.shown("convert g.kgn");
    let torn = format!("{line}{}", &line[..line.len() / 2]);
    fs::create_dir(folder.path("games")).unwrap();
    folder.write("games/1.kgn", &torn);
    let warning = "1.kgn: skipping the last line, which is incomplete";
    let loaded = "The last line of the file is incomplete";
    for (line, expected) in [
        ("games --games games", "1.kgn: the last line is incomplete, so its game is missing"),
        ("games --games games 1 --plain", warning),
        ("replay games/1.kgn", warning),
        ("convert games/1.kgn", warning),
        ("match -e random -e greedy -p 1 -o m.jsonl --openings games/1.kgn", warning),
        ("play --plain --south human --north human --games games --load games/1.kgn", loaded),
        ("play --plain --south human --north human --games games --resume", loaded),
    ] {
        let output = folder.run(line);
        assert_eq!(output.code, Some(0), "{line}: {}", output.errors);
        let all = output.shown + &output.errors;
        assert!(all.contains(expected), "{line}: {all}");
    }
    assert_eq!(folder.read("games/1.kgn"), torn);
    // No part of such a file may be mistaken for the whole.
    folder.write("cut", &line[..line.len() / 2]);
    let positions = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n<6,0,0,4,4,4,4,4,4,4,4,5,3,4,4>";
    folder.write("list", format!("# position\tmoves\n{positions}"));
    let list = "list: line 3: expected as many columns as on the line before, got fewer";
    for (line, expected) in [
        ("replay cut", "cut: line 1, column 1: expected a game, got an incomplete line"),
        ("match -e random -e greedy -p 1 -o n.jsonl --openings list", list),
        ("solve --file list", list),
    ] {
        let output = folder.run(line);
        let error = output.errors;
        assert!(output.code != Some(0) && error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn damaged_files_are_errors_with_their_line() {
    let folder = Folder::new();
    for (content, message) in [
        (&b"1. C\nx y"[..], "g.kgn: line 2, column 1: move 2"),
        (&b"{\"match\":{}}\n{\"south\":\n"[..], "g.kgn: line 2, column"),
        (
            &b"{\xc3\xa9}\n1. C \xff"[..],
            "g.kgn: line 2, column 6: expected UTF-8 text, got byte 0xff",
        ),
    ] {
        folder.write("g.kgn", content);
        for command in ["convert", "replay"] {
            let output = folder.run(&format!("{command} g.kgn"));
            assert_eq!(output.code, Some(1));
            assert!(output.errors.contains(message), "{}", output.errors);
        }
    }
    let missing = folder.run("convert nothing.kgn");
    assert!(missing.errors.contains("cannot read nothing.kgn"));
}

#[test]
fn every_reader_of_games_accepts_every_format_by_its_content() {
    let folder = Folder::new();
    for (name, content) in [
        ("position.x", "position startpos moves C F\n"),
        ("board.JSONL", "# a list\n<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S CF # usual\n"),
        ("moves.kgn", "CF\n"),
        ("game.txt", "1. CF *\n"),
        ("comment.txt", "; from a lesson\nCF *\n"),
        ("result.txt", "CF *\n"),
    ] {
        folder.write(name, content);
        folder.write("json.kgn", folder.shown(&format!("convert {name} --to json")));
        for file in [name, "json.kgn"] {
            for command in [
                "replay --plain",
                "play --no-save --plain --load",
                "play --no-save --plain --south human --opening",
            ] {
                let shown = folder.shown(&format!("{command} {file}"));
                assert!(shown.contains("North"), "{command} {file}: {shown}");
            }
            let game = "match -q -e random -e greedy -p 1";
            folder.shown(&format!("{game} -o m.jsonl --openings {file}"));
            // The file of the match is one of openings, too.
            folder.shown(&format!("{game} -o n.jsonl --openings m.jsonl"));
            let config = folder.read("n.jsonl");
            assert!(config.lines().next().unwrap().contains("\"moves\":\"CF\""), "{config}");
            fs::remove_file(folder.path("m.jsonl")).unwrap();
            fs::remove_file(folder.path("n.jsonl")).unwrap();
        }
    }
}

#[test]
fn a_file_without_a_game_is_an_error_in_every_command_and_a_folder_is_reported_as_one() {
    let folder = Folder::new();
    folder.write("void", "");
    for command in ["replay", "convert -o x.kgn", "match merge", "play --no-save --load"] {
        let output = folder.run(&format!("{command} void"));
        assert_eq!(output.code, Some(1), "{command}");
        let errors = output.errors;
        assert!(errors.starts_with("error: ") && errors.contains("void"), "{errors}");
        assert!(errors.ends_with(", got none\n"), "{command}: {errors}");
        let output = folder.run(&format!("{command} ."));
        let expected = "error: cannot read .: expected a file, got a folder\n";
        assert_eq!(output.errors, expected, "{command}");
    }
    assert!(!folder.path("x.kgn").exists());
}

#[test]
fn convert_overwrites_a_file_only_when_forced_and_never_the_file_of_a_match() {
    let folder = Folder::new();
    folder.write("g.kgn", "1. C *\n");
    folder.write("old.jsonl", "precious");
    folder.write("match.jsonl", "{\"match\":{}}\n");
    for (name, force) in [("old.jsonl", ""), ("match.jsonl", ""), ("match.jsonl", "--force")] {
        let before = folder.read(name);
        let output = folder.run(&format!("convert g.kgn -o {name} {force}"));
        assert_eq!((output.code, folder.read(name)), (Some(2), before));
        assert!(output.errors.contains(name), "{}", output.errors);
    }
    folder.shown("convert g.kgn -o old.jsonl --force");
    let written = folder.read("old.jsonl");
    assert!(written.starts_with("{\"south\""), "{written}");
    // The output may replace the input, which is read first.
    folder.shown("convert g.kgn -o g.kgn --force --to kgn");
    let written = folder.read("g.kgn");
    assert!(written.contains("\n1. C *"), "{written}");
}

#[test]
fn a_game_is_identified_by_its_place_in_the_file() {
    let folder = Folder::new();
    folder.write("g.kgn", "[Round \"5\"]\n1. C *\n");
    let shown = folder.shown("replay g.kgn --game 1 --plain");
    assert!(
        shown.starts_with("South - North, unfinished, 1 move, number 5 of its match\n"),
        "{shown}"
    );
    folder.write("g.kgn", "[Round \"1\"]\n1. C *\n");
    let shown = folder.shown("replay g.kgn --list");
    assert_eq!(shown, "    1  South - North, unfinished, 1 move\n");
    folder.write("g.kgn", "[Number \"1\"]\n[Opening \"first\"]\n1. C *\n");
    let shown = folder.shown("replay g.kgn --list");
    assert_eq!(shown, "    1  South - North, unfinished, 1 move, opening first\n");
}
