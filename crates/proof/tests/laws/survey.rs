//! Surveys of openings: their positions and their margins.

use kalah_engine::book::OpeningList;
use kalah_engine::solve::{SolveProgress, Solver, SolverSettings};
use kalah_game::{Position, Rules};
use kalah_proof::survey::{SolvedMargins, positions};

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
        let moves: String = start.letters(&one.moves).collect();
        lines.push(OpeningList::line(&reached, &moves, solved.margin, &solved.proof));
    }
    let text = OpeningList::text(start.variant(), &lines);
    let list = OpeningList::parse(&text, start.variant()).unwrap();
    assert!(list.has_checksum && list.lines.iter().all(|line| line.is_exact));
    assert_eq!(list.lines.len(), surveyed.len());
}
