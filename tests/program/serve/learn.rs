//! Lessons and puzzles, answered over HTTP.

use std::fs;
use std::path::Path;

use kalah_sys::journal::with_checksum;
use serde_json::{Value, json};

use super::Server;

/// The reply to an answer after some right moves.
fn answer(server: &Server, path: &str, moves: &str, answer: &str) -> Value {
    server.post(path, &json!({"moves": moves, "answer": answer}))
}

/// The letters in `The solution is D, then C. Sow it to see why.`
fn solution(server: &Server, path: &str) -> String {
    let reply = answer(server, path, "", "solution");
    assert_eq!(reply["verdict"], "solution");
    let sentence = reply["sentence"].as_str().unwrap();
    let letters = sentence.strip_prefix("The solution is ").unwrap().split('.').next().unwrap();
    let letters: String = letters.split(", then ").collect();
    let steps = reply["solution"].as_array().unwrap().iter();
    let sown: String = steps.map(|step| step["pit"].as_str().unwrap()).collect();
    assert_eq!(sown, letters);
    letters
}

#[test]
fn each_lesson_is_solved_by_its_solution_and_other_moves_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let lessons = server.get("/api/lessons")["lessons"].take();
    let lessons = lessons.as_array().unwrap();
    assert_eq!(lessons.len(), 8);
    for (number, lesson) in (1..).zip(lessons) {
        let path = format!("/api/lessons/{number}");
        let task = server.get(&path);
        assert_eq!((&task["number"], &task["title"]), (&json!(number), &lesson["title"]));
        let moves = solution(&server, &path);
        let mut position = task["position"].clone();
        let mut legal = task["legal"].clone();
        for (index, letter) in moves.char_indices() {
            let before = &moves[..index];
            for other in
                legal.as_array().unwrap().iter().filter(|other| **other != letter.to_string())
            {
                let reply = answer(&server, &path, before, other.as_str().unwrap());
                if reply["verdict"] == "more" {
                    // The same moves in a different order.
                    continue;
                }
                assert_eq!((&reply["verdict"], &reply["position"]), (&json!("wrong"), &position));
                assert_eq!((&reply["move"], &reply["legal"]), (&Value::Null, &legal));
                assert_eq!(&reply["tried"]["pit"], other);
                assert!(reply["sentence"].as_str().unwrap().starts_with("Not quite. "), "{reply}");
            }
            let reply = answer(&server, &path, before, &letter.to_string());
            let is_last = index + 1 == moves.len();
            assert_eq!(reply["verdict"], if is_last { "right" } else { "more" }, "{reply}");
            assert_eq!(reply["move"]["after"], reply["position"]);
            assert_eq!(reply["sentence"].as_str().unwrap().starts_with("Right. "), is_last);
            assert_eq!(reply["legal"].as_array().unwrap().is_empty(), is_last);
            position = reply["position"].clone();
            legal = reply["legal"].clone();
        }
        let hint = answer(&server, &path, "", "hint");
        assert!(hint["sentence"].as_str().unwrap().starts_with("Hint: "), "{hint}");
        assert_eq!(hint["streak"], Value::Null);
    }
    // A restarted server, and any other program with this folder, knows what was solved.
    let other = Server::of_games(folder.path()).get("/api/lessons")["lessons"].take();
    assert!(other.as_array().unwrap().iter().all(|lesson| lesson["solved"] == true), "{other}");
    assert!(lessons.iter().all(|lesson| lesson["solved"] == false));
}

#[test]
fn impossible_answers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    for (path, body, status, error) in [
        ("/api/lessons/9", r#"{"answer":"A"}"#, 404, "no lesson 9: there are 8"),
        ("/api/lessons/0", r#"{"answer":"A"}"#, 404, "no lesson 0: there are 8"),
        ("/api/puzzles/99999", r#"{"answer":"A"}"#, 404, "no puzzle 99999: there are "),
        (
            "/api/lessons/3",
            r#"{"answer":"G"}"#,
            422,
            "answer: expected a pit's letter, A to F, hint or solution, got 'G'",
        ),
        ("/api/lessons/3", r#"{"answer":"E"}"#, 422, "pit E is empty"),
        (
            "/api/lessons/3",
            r#"{"moves":"B","answer":"A"}"#,
            422,
            "moves: expected right moves that do not solve the exercise, got 'B'",
        ),
        ("/api/lessons/8", r#"{"moves":"C","answer":"D"}"#, 422, "moves: "),
        ("/api/lessons/8", r#"{"moves":"ä","answer":"D"}"#, 422, "moves: "),
        ("/api/lessons/8", r#"{"answer":"D","side":"S"}"#, 422, "unknown field"),
        ("/api/lessons/8", r#"{"moves":"D"}"#, 422, "missing field"),
    ] {
        let message = server.refused("POST", path, body, status);
        assert!(message.contains(error), "{path} {body}: {message}");
    }
    assert!(!folder.path().join("puzzles.jsonl").exists() || answers(folder.path()).is_empty());
}

/// The lines of the history after its header.
fn answers(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("puzzles.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_first_answer_to_a_puzzle_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let list = server.get("/api/puzzles");
    assert_eq!(list["summary"], "You have not solved any puzzles yet.");
    assert_eq!(list["saved"], true);
    let puzzles = list["puzzles"].as_array().unwrap();
    let numbers: Vec<u64> = puzzles.iter().map(|one| one["number"].as_u64().unwrap()).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u64));
    assert!(puzzles.iter().all(|one| one["right"].is_null() && one["motif"].is_string()));
    assert_eq!(list["next"], numbers[0]);
    let [first, second, third] = [0, 1, 2].map(|place| format!("/api/puzzles/{}", numbers[place]));
    assert_eq!(server.get(&first)["title"], "");
    // A hint does not count, and neither does an answer after it.
    let hint = answer(&server, &first, "", "hint");
    assert!(hint["sentence"].as_str().unwrap().starts_with("Hint: "));
    let letters = solution(&server, &first);
    let solved = answer(&server, &first, "", &letters);
    assert_eq!((&solved["verdict"], &solved["streak"]), (&json!("right"), &Value::Null));
    assert_eq!(solved["difficulty"], "easy");
    assert!(answers(folder.path()).is_empty());
    // Asking for the solution counts as a wrong answer.
    let shown = answer(&server, &second, "", "solution");
    assert_eq!(shown["streak"], "Your streak stays at 0.");
    let letters = solution(&server, &second);
    assert_eq!(answer(&server, &second, "", &letters)["streak"], Value::Null);
    let task = server.get(&third);
    let replies = task["legal"].as_array().unwrap().iter();
    let mut replies = replies.map(|pit| answer(&server, &third, "", pit.as_str().unwrap()));
    let reply = replies.next().unwrap();
    let is_right = reply["verdict"] == "right";
    let streak = if is_right { "Your streak is 1." } else { "Your streak stays at 0." };
    assert_eq!(reply["streak"], streak);
    assert!(replies.all(|reply| reply["streak"].is_null()));
    let right = answers(folder.path());
    let right = right.iter().map(|entry| entry["answer"]["right"].clone());
    assert_eq!(right.collect::<Vec<_>>(), [json!(false), json!(is_right)]);
    let list = server.get("/api/puzzles");
    // The first one has no counted answer.
    assert_eq!(list["next"], numbers[0]);
    let list = list["puzzles"].clone();
    let place = list.as_array().unwrap().iter().find(|one| one["number"] == numbers[1]).unwrap();
    assert_eq!((&place["right"], place["motif"].is_string()), (&json!(false), true));
}

#[test]
fn two_programs_keep_one_history() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [(); 2].map(|()| Server::of_games(folder.path()));
    let list = one.get("/api/puzzles")["puzzles"].take();
    for (place, server) in [(0, &one), (1, &other), (2, &one)] {
        let path = format!("/api/puzzles/{}", list[place]["number"]);
        // The solution comes from a third server, where asking for it does not count.
        let folder = tempfile::tempdir().unwrap();
        let letters = solution(&Server::of_games(folder.path()), &path);
        let reply = answer(server, &path, "", &letters);
        assert_eq!(reply["streak"], format!("Your streak is {}.", place + 1));
    }
    assert_eq!(answers(folder.path()).len(), 3);
    let summary = "So far, you have solved 3 of 3 puzzles at the first attempt. Your streak is 3, \
                   and your longest is 3.";
    assert_eq!(other.get("/api/puzzles")["summary"], summary);
    let mut kalah = crate::kalah();
    let output = kalah.args(["puzzles", "--games"]).arg(folder.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(summary));
}

#[test]
fn puzzles_of_the_players_own_games_follow_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let puzzle = include_str!("../../../crates/coach/src/puzzles.tsv").lines().last().unwrap();
    let count = Server::of_games(folder.path()).get("/api/puzzles/1")["count"].as_u64().unwrap();
    let file = folder.path().join("puzzles.jsonl");
    let history = fs::read_to_string(&file).unwrap();
    let own = json!({"game": {"file": "a.kgn", "puzzles": [puzzle]}}).to_string();
    fs::write(&file, history + &with_checksum(&own) + "\n").unwrap();
    let server = Server::of_games(folder.path());
    let task = server.get(&format!("/api/puzzles/{}", count + 1));
    assert_eq!(task["position"]["text"], puzzle.split('\t').next().unwrap());
    assert_eq!(task["count"], count + 1);
    let numbers = server.get("/api/puzzles")["puzzles"].take();
    let numbers = numbers.as_array().unwrap().iter().map(|one| one["number"].as_u64().unwrap());
    assert_eq!(numbers.max(), Some(count + 1));
}

#[test]
fn answers_are_judged_where_nothing_is_saved() {
    let server = Server::start(&["--no-save"]);
    let list = server.get("/api/puzzles");
    assert_eq!(list["saved"], false);
    let path = "/api/puzzles/1";
    assert_eq!(answer(&server, path, "", "solution")["streak"], "Your streak stays at 0.");
}
