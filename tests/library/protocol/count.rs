use kalah::game::depth::Depth;
use kalah::game::perft::{self, Counting};
use kalah::game::{Position, Rules};
use kalah::protocol::count::perft;
use kalah::search::Stopper;

fn reported(position: &Position, depth: Depth, stopper: &Stopper) -> Vec<String> {
    let mut lines = Vec::new();
    perft(position, depth, stopper, &mut |line| lines.push(line));
    lines
}

#[test]
fn the_sum_is_that_of_perft() {
    let start = Position::start(Rules::default());
    for depth in [0, 1, 4, 8] {
        let lines = reported(&start, Depth(depth), &Stopper::new());
        let whole = perft::perft(&start, Depth(depth), Counting::EachMove);
        assert_eq!(lines.last(), Some(&format!("leaves: {whole}")));
        assert_eq!(lines.len(), if depth == 0 { 1 } else { 7 });
    }
}

#[test]
fn a_stopped_count_has_no_sum() {
    let stopper = Stopper::new();
    stopper.stop();
    let lines = reported(&Position::start(Rules::default()), Depth(500), &stopper);
    assert_eq!(lines, ["info string perft stopped"]);
}
