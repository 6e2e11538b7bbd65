//! Whole games: the client against the server of these tests.

use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use kalah_engine::Engine;
use kalah_game::{Capture, Position};
use kalah_kgp::client::{Address, Client, ClientEvent, ClientPlan};
use kalah_kgp::games::{GameResult, PlayedGame};
use kalah_kgp::setup::{ClientProgress, ClientSetup};

use super::server::{Manners, Peer, Played, boards, listen};

const MS: Duration = Duration::from_millis(1);

/// The plan of a fast client for `games` games.
pub(crate) fn plan(address: Address, games: u64) -> ClientPlan {
    let time = Some(8 * MS);
    let setup = ClientSetup { time, overhead: MS, games: Some(games), ..ClientSetup::default() };
    ClientPlan { address, setup, retries: 3 }
}

pub(crate) fn tcp(port: u16) -> Address {
    Address::Tcp("127.0.0.1".to_owned(), port)
}

/// Runs a client on a new thread; returns its result, its progress and its games.
pub(crate) fn run(
    plan: ClientPlan,
) -> thread::JoinHandle<(Result<(), String>, ClientProgress, Vec<PlayedGame>)> {
    thread::spawn(move || {
        let engine = Engine::without_tables(4).unwrap();
        let mut client = Client::new(plan, engine).unwrap();
        let mut games = Vec::new();
        let done = client.run(&mut |event| {
            if let ClientEvent::GameOver(game) = event {
                games.push(game);
            }
            Ok(())
        });
        (done.map_err(|error| error.to_string()), client.progress(), games)
    })
}

/// Plays `games` games on all boards with a server that has these manners.
fn play(games: u64, manners: Manners) -> Played {
    let (listener, port) = listen();
    let client = run(plan(tcp(port), games));
    let (mut peer, _) = Peer::accept(&listener, manners);
    let mut played = Played::default();
    for (number, rules) in (0..games).zip(boards().into_iter().cycle()) {
        let stayed = peer.play(rules, number, &mut played);
        assert!(stayed.is_some(), "the client leaves in game {number}, {played:?}, {manners:?}");
    }
    assert_eq!(peer.lost_states, 0, "{manners:?}");
    // The client may not see the end of the last game: the connection ends it.
    drop((peer, listener));
    let (done, progress, ended) = client.join().unwrap();
    assert_eq!(done, Ok(()));
    assert_eq!(progress.games, games);
    assert_eq!(progress.answers, played.states);
    assert_eq!(ended.iter().map(|game| game.moves).sum::<u64>(), played.states);
    // The client does not see the games that the server's move ends.
    for (result, all) in [
        (GameResult::Won, played.won),
        (GameResult::Drawn, played.drawn),
        (GameResult::Lost, played.lost),
    ] {
        let seen = ended.iter().filter(|game| game.result == result).count();
        assert!(seen as u64 <= all, "{result:?}: {seen} of {all}");
    }
    played
}

#[test]
fn games_on_all_boards_are_played_without_a_lost_state() {
    assert!(play(7, Manners::default()).states > 10);
}

#[test]
fn misbehaving_servers_are_answered() {
    let all = Manners {
        splits: true,
        floods: true,
        refuses: 2,
        pings: true,
        resends: true,
        sets: true,
        never_stops: true,
    };
    for manners in [
        Manners { refuses: 1, ..Manners::default() },
        Manners { never_stops: true, pings: true, ..Manners::default() },
        all,
    ] {
        let played = play(2, manners);
        assert!(played.states > 10, "{manners:?}");
    }
}

#[test]
#[ignore = "long: .ci/long"]
fn a_thousand_games_are_played_without_a_lost_state() {
    let kinds = [
        Manners::default(),
        Manners { refuses: 5, pings: true, ..Manners::default() },
        Manners { splits: true, floods: true, sets: true, ..Manners::default() },
        Manners { resends: true, never_stops: true, ..Manners::default() },
    ];
    let mut all = Played::default();
    for manners in kinds {
        let played = play(250, manners);
        println!("{played:?} {manners:?}");
        all.states += played.states;
        all.won += played.won;
    }
    println!("{} states, {} games won of 1000", all.states, all.won);
}

#[test]
fn the_client_reconnects_and_sends_no_unasked_pong() {
    let (listener, port) = listen();
    let client = run(plan(tcp(port), 3));
    let rules = boards()[0];
    // First a goodbye during a search, then a broken connection, then a complete game.
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    peer.send("state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
    peer.send("goodbye");
    drop(peer);
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    peer.write(b"4 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>\r\n6 sta");
    drop(peer);
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    assert!(peer.is_silent(100 * MS));
    let mut played = Played::default();
    peer.play(rules, 0, &mut played).unwrap();
    drop((peer, listener));
    let (done, progress, _) = client.join().unwrap();
    assert_eq!((done, progress.games), (Ok(()), 3));
}

#[test]
fn a_server_that_reads_late_gets_all_answers() {
    let (listener, port) = listen();
    let client = run(ClientPlan { retries: 0, ..plan(tcp(port), 1) });
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    let mut stream = peer.another();
    stream.set_write_timeout(Some(300 * MS)).unwrap();
    let (mut pings, mut sent) = (0, 0);
    let line = format!("2 ping {}\r\n", "x".repeat(900));
    // Until the buffers of both sides are full.
    while let Ok(written) = stream.write(&line.as_bytes()[sent..]) {
        sent += written;
        if sent == line.len() {
            (pings, sent) = (pings + 1, 0);
        }
    }
    for pong in 0..pings {
        assert_eq!(peer.hear().unwrap().name, "pong", "{pong} of {pings}");
    }
    assert!(pings > 1000, "{pings} fill the buffers");
    drop((stream, peer, listener));
    assert!(client.join().unwrap().0.is_err());
}

/// The connection ends during the search of a state. The next session starts immediately with
/// a board on which the result of that search would be illegal.
#[test]
fn a_search_of_one_session_never_answers_a_state_of_another() {
    let (listener, port) = listen();
    let setup = ClientSetup { time: Some(200 * MS), overhead: MS, ..ClientSetup::default() };
    let client = run(ClientPlan { address: tcp(port), setup, retries: 0 });
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    peer.send("state <12,0,0,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9>");
    peer.hear_of(&["yield"]).unwrap();
    peer.send("state <12,1,0,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9>");
    drop(peer);
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    let position = Position::parse(
        "<12,0,0,0,0,0,0,0,0,0,0,0,0,5,3,1,1,1,1,1,1,1,1,1,1,1,1>",
        Capture::Standard,
    );
    peer.ask(&position.unwrap(), 1).unwrap();
    assert_eq!(peer.lost_states, 0);
    drop((peer, listener));
    assert!(client.join().unwrap().0.is_err());
}

#[test]
fn states_are_answered_over_a_web_socket() {
    let (listener, port) = listen();
    let url = format!("ws://127.0.0.1:{port}/socket");
    let client = run(plan(Address::WebSocket(url), 2));
    let mut socket = accept(&listener);
    // Sends a line; returns what the client says until a line that ends with `last`.
    let mut say = |line: &str, last: &str| {
        socket.send(tungstenite::Message::text(format!("{line}\r\n"))).unwrap();
        let mut said = Vec::new();
        loop {
            let line = socket.read().unwrap().into_text().unwrap().trim_end().to_owned();
            let is_last = line.ends_with(last);
            said.push(line);
            if is_last {
                return said;
            }
        }
    };
    assert_eq!(say("2 kgp 1 0 1", "mode freeplay").last().unwrap(), "7 mode freeplay");
    for id in [4, 6] {
        // The only move of South ends the game. The client repeats its answer until it is stopped,
        // and answers the ping then, or leaves if that was the last game.
        let said = say(&format!("{id} state <3,1,0,0,0,1,0,0,1>"), &format!("@{id} yield"));
        assert!(said.iter().any(|line| line.ends_with(&format!("@{id} move 3"))), "{said:?}");
        let last = if id == 4 { "@4 pong" } else { "goodbye" };
        say(&format!("{id}@{id} stop\r\n{id} ping"), last);
    }
    let (done, progress, _) = client.join().unwrap();
    assert_eq!((done, progress.answers), (Ok(()), 2));
}

fn accept(listener: &TcpListener) -> tungstenite::WebSocket<std::net::TcpStream> {
    tungstenite::accept(listener.accept().unwrap().0).unwrap()
}
