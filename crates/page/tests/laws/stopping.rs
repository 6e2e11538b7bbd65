//! Long work ends when its client leaves.

use kalah_page::Answer;
use kalah_page::RequestMethod::{Get, Post};

use crate::small_host::SmallHost;

/// Too many seeds to solve, and not in the book.
const LONG: &str = "<6,0,0,9,9,9,9,9,9,9,9,9,9,9,9> S";

#[test]
fn the_flag_of_a_request_stops_the_judge() {
    for (path, body) in [
        ("/api/hint", serde_json::json!({ "position": LONG })),
        ("/api/judge", serde_json::json!({ "position": LONG, "pit": "A" })),
    ] {
        let mut host = SmallHost::new();
        host.ask(Post, path, &body.to_string()).unwrap();
        assert!(!host.judge.stopper.is_stopped());
        host.stop.raise();
        host.ask(Post, path, &body.to_string()).unwrap();
        assert!(host.judge.stopper.is_stopped(), "{path}");
    }
}

#[test]
fn a_reply_that_was_stopped_is_not_saved() {
    let mut host = SmallHost::new();
    let new = serde_json::json!({ "position": LONG, "south": "5s", "north": "human" }).to_string();
    let Ok(Answer::Json(text)) = host.ask(Post, "/api/new", &new) else { panic!("a game") };
    let new: serde_json::Value = serde_json::from_str(&text).unwrap();
    host.stop.raise();
    let body = serde_json::json!({ "name": "1.kgn", "record": new["saved"], "intent": "reply" });
    assert_eq!(host.ask(Post, "/api/play", &body.to_string()).unwrap_err().status(), 503);
    assert!(host.judge.stopper.is_stopped() && host.saved.is_empty());
}

#[test]
fn the_flag_of_a_request_stops_its_proof() {
    let mut host = SmallHost::new();
    let moves = 6;
    // The first event of the proof itself, after one event for each move.
    host.stop_at = Some(moves);
    let query = LONG.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20");
    host.ask(Get, &format!("/api/solve?position={query}"), "").unwrap();
    let (name, done) = host.events.last().unwrap();
    assert_eq!(*name, "done");
    let done: serde_json::Value = serde_json::from_str(done).unwrap();
    assert_eq!((&done["proved"], &done["reason"]), (&false.into(), &"time".into()));
}
