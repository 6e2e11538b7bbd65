//! Matches between two `kalah` processes, run by a driver that only speaks UGI: it has no
//! rules, no board and no part of the library. It queries both engines about the game, and
//! their answers must agree.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// An engine process, from its manager's point of view.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(options: &[(&str, &str)]) -> Self {
        let mut child =
            crate::kalah().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut engine = Self { child, input, output };
        engine.send("ugi");
        engine.wait_for("ugiok");
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine.be_ready();
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    /// Reads up to the line that starts with `start`. An earlier error line is the fault of
    /// the driver or of the other engine.
    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine has exited");
            assert!(!line.contains("error"), "{line}");
            if line.starts_with(start) {
                return line.trim_end().to_owned();
            }
        }
    }

    fn be_ready(&mut self) {
        self.send("isready");
        self.wait_for("readyok");
    }

    /// Sets up a position. If the engine considers a move illegal, it reports an error.
    fn set_up(&mut self, moves: &[String]) {
        let moves = moves.join(" ");
        self.send(&format!("position startpos moves {moves}"));
    }

    fn query(&mut self, what: &str) -> String {
        self.send(&format!("query {what}"));
        let answer = self.wait_for("response ");
        answer.trim_start_matches("response ").to_owned()
    }

    fn go(&mut self, limits: &str) -> String {
        self.send(&format!("go {limits}"));
        let answer = self.wait_for("bestmove");
        let words: Vec<&str> = answer.split(' ').collect();
        assert_eq!(words.len(), 2, "{answer}");
        words[1].to_owned()
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// The limit of each side.
#[derive(Clone, Copy)]
enum Limit {
    Nodes(u64),
    /// The initial time and the increment per move.
    Clock(Duration, Duration),
}

/// A finished game.
struct Played {
    result: String,
    moves: usize,
    /// The shortest time left on a clock at any point.
    least_left: Duration,
}

/// Plays from an opening to the end of the game; the first engine is player 1.
fn play(engines: &mut [Engine; 2], opening: &str, limit: Limit) -> Played {
    let mut moves: Vec<String> = opening.split(' ').map(str::to_owned).collect();
    let mut left = match limit {
        Limit::Clock(time, _) => [time; 2],
        Limit::Nodes(_) => [Duration::MAX; 2],
    };
    let mut least_left = left[0];
    for engine in engines.iter_mut() {
        engine.send("uginewgame");
        engine.be_ready();
    }
    loop {
        let answers = engines.each_mut().map(|engine| {
            engine.set_up(&moves);
            ["gameover", "result", "p1turn"].map(|what| engine.query(what))
        });
        let [over, result, p1turn] = &answers[0];
        assert_eq!([over, result], [&answers[1][0], &answers[1][1]], "after {moves:?}");
        if over == "true" {
            assert_ne!(result, "none");
            return Played { result: result.clone(), moves: moves.len(), least_left };
        }
        assert_eq!((result.as_str(), p1turn), ("none", &answers[1][2]), "after {moves:?}");
        let mover = usize::from(p1turn != "true");
        engines[mover].be_ready();
        let limits = match limit {
            Limit::Nodes(nodes) => format!("nodes {nodes}"),
            Limit::Clock(_, increment) => {
                let [p1time, p2time, increment] =
                    [left[0], left[1], increment].map(|time| time.as_millis());
                format!("p1time {p1time} p2time {p2time} p1inc {increment} p2inc {increment}")
            }
        };
        let asked = Instant::now();
        moves.push(engines[mover].go(&limits));
        if let Limit::Clock(_, increment) = limit {
            // A loss on time may be the fault of a busy machine.
            let rest = left[mover].saturating_sub(asked.elapsed());
            least_left = least_left.min(rest);
            left[mover] = rest + increment;
        }
    }
}

/// Plays each opening twice, with the sides swapped.
fn play_match(openings: &[&str], limit: Limit) {
    let mut engines = [
        Engine::start(&[("hash", "16"), ("threads", "1"), ("ownbook", "false")]),
        Engine::start(&[("Hash", "1"), ("Threads", "2"), ("MultiPV", "2")]),
    ];
    let mut results = [0; 3];
    let mut moves = 0;
    let mut least_left = Duration::MAX;
    for opening in openings {
        for swapped in [false, true] {
            let played = play(&mut engines, opening, limit);
            let of_first = if swapped { ["p2win", "draw"] } else { ["p1win", "draw"] };
            let place = of_first.iter().position(|&result| result == played.result);
            results[place.unwrap_or(2)] += 1;
            moves += played.moves;
            least_left = least_left.min(played.least_left);
            engines.swap(0, 1);
        }
    }
    let [wins, draws, losses] = results;
    println!("{wins} won, {draws} drawn, {losses} lost; {moves} moves; least left {least_left:?}");
    engines.into_iter().for_each(Engine::quit);
}

fn openings() -> Vec<&'static str> {
    let text = include_str!("../../openings/6x4-standard-close.txt");
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn two_engines_play_a_few_games_without_a_fault() {
    play_match(&openings()[..3], Limit::Nodes(2000));
}

/// `cargo test --test program ugi_match -- --ignored --nocapture`
#[test]
#[ignore = "long: .ci/long"]
fn two_engines_play_200_games_on_clocks_without_a_fault() {
    let openings = openings();
    assert_eq!(openings.len(), 100);
    let ms = Duration::from_millis;
    play_match(&openings, Limit::Clock(ms(500), ms(10)));
}
