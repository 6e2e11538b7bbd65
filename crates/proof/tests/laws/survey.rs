//! Surveys of openings: their positions, and their margins by proof and by search.

use kalah_engine::book::OpeningList;
use kalah_engine::solve::{SolveProgress, Solver, SolverSettings};
use kalah_game::{Depth, Gain, Interval, Position, Rules};
use kalah_proof::survey::{SolvedMargins, positions, searched_margin};

#[test]
fn a_survey_has_each_position_once_with_its_first_moves_and_its_margin() {
    let start = Position::start(Rules::new(3, 2, Default::default()).unwrap());
    let surveyed = positions(&start, 3);
    let mut solver = Solver::new(&start, SolverSettings::default()).unwrap();
    let mut margins = SolvedMargins::new(Solver::new(&start, SolverSettings::default()).unwrap());
    let mut lines = Vec::new();
    let mut visited = 0;
    let mut visited_for_proofs = 0;
    for (index, one) in surveyed.iter().enumerate() {
        let mut reached = start;
        one.moves.iter().for_each(|&pit| _ = reached.play(pit).unwrap());
        assert_eq!(reached, one.position);
        assert!((1..=3).contains(&one.moves.len()) && !reached.is_over());
        assert!(surveyed[..index].iter().all(|other| other.position != reached));
        let exact = solver.margin(&reached, None, &mut |_| true).unwrap();
        let count = &mut |progress: SolveProgress| {
            visited = progress.nodes;
            true
        };
        let solved = margins.margin(&reached, count).unwrap();
        assert_eq!(solved.margin, exact, "{reached}");
        if let Some(nodes) = solved.proof.strip_suffix(" positions") {
            visited_for_proofs += nodes.strip_prefix("exact, ").unwrap().parse::<u64>().unwrap();
        }
        assert_eq!(visited_for_proofs, visited, "{reached}");
        // A search to the end of the game finds the margin as well. What is proved about the
        // position before bounds it only on the side of the player who moved.
        if index % 4 == 0 {
            let before = &one.before;
            let at_most = solver.margin(before, None, &mut |_| true).unwrap();
            let proved = |position: &Position| {
                let all = Interval::within(Gain(position.in_play() as i32));
                let gain = Interval::exactly(at_most - before.lead(before.side()));
                if position == before { gain } else { all }
            };
            let searched = searched_margin(one, Depth(40), proved).unwrap();
            assert_eq!(searched.margin, exact, "{reached}: {}", searched.proof);
            let bound = if before.side() == reached.side() {
                format!("at most {at_most} proved")
            } else {
                format!("at least {} proved", -at_most)
            };
            let is_named = at_most.0.unsigned_abs() <= reached.in_play() / 2;
            assert_eq!(searched.proof.contains(&bound), is_named, "{reached}: {}", searched.proof);
            assert_eq!(searched.proof.matches(" proved").count(), usize::from(is_named));
        }
        let moves: String = start.letters(&one.moves).collect();
        lines.push(OpeningList::line(&reached, &moves, solved.margin, &solved.proof));
    }
    let text = OpeningList::text(start.variant(), &lines);
    let list = OpeningList::parse(&text, start.variant()).unwrap();
    assert!(list.has_checksum && list.lines.iter().all(|line| line.is_exact));
    assert_eq!(list.lines.len(), surveyed.len());
}

#[test]
fn a_searched_margin_respects_proved_bounds() {
    let start = Position::start(Rules::new(3, 2, Default::default()).unwrap());
    let one = &positions(&start, 1)[0];
    let lead = one.position.lead(one.position.side());
    let proved = searched_margin(one, Depth(1), |position| {
        let all = Interval::within(Gain(position.in_play() as i32));
        if *position == one.position { Interval::exactly(Gain(-2) - lead) } else { all }
    });
    let proved = proved.unwrap();
    assert_eq!((proved.margin, proved.proof.as_str()), (Gain(-2), "exact, proved before"));
}
