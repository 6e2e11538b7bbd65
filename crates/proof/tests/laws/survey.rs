//! Surveys of openings: their positions and their margins.

use kalah_engine::book::OpeningList;
use kalah_engine::solve::{SolveProgress, Solver, SolverSettings};
use kalah_game::{Position, Rules};
use kalah_proof::survey::{SurveyLists, positions};

#[test]
fn a_survey_has_each_position_once_with_its_first_moves_and_its_margin() {
    let start = Position::start(Rules::new(3, 2, Default::default()).unwrap());
    let surveyed = positions(&start, 3);
    let mut solver = Solver::new(&start, SolverSettings::default()).unwrap();
    let own = Solver::new(&start, SolverSettings::default()).unwrap();
    let mut lists = SurveyLists::new(start, own);
    let mut fair = 0;
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
        lists.add(one, count).unwrap();
        let line = lists.all.last().unwrap();
        if let Some((_, nodes)) = line.trim_end().split_once("\texact, ")
            && let Some(nodes) = nodes.strip_suffix(" positions")
        {
            visited_for_proofs += nodes.parse::<u64>().unwrap();
        }
        assert_eq!(visited_for_proofs, visited, "{reached}");
        let moves: String = start.letters(&one.moves).collect();
        let begin = format!("{}\t# {moves}\t{exact}\texact, ", reached.without_rule());
        assert!(line.starts_with(&begin), "{line}");
        fair += usize::from(exact.0 == 0);
        assert!(exact.0 != 0 || lists.fair.last() == Some(line));
    }
    assert_eq!(lists.fair.len(), fair);
    let text = OpeningList::text(start.variant(), &lists.all);
    let list = OpeningList::parse(&text, start.variant()).unwrap();
    assert!(list.has_checksum && list.lines.iter().all(|line| line.is_exact));
    assert_eq!(list.lines.len(), surveyed.len());
}
