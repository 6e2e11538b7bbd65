//! Puzzles from saved games.

use kalah_coach::history::PuzzleHistory;
use kalah_game::{Capture, Position, Side};
use kalah_play::players;
use kalah_play::puzzles::UnsearchedGames;
use kalah_play::saved::SavedGames;
use kalah_record::{Ending, Game, Move, Reason};

use super::support::seat;

/// South's A loses six seeds; D is the only best move.
const ENDING: &str = "<4,5,5,2,0,1,1,1,0,2,1> S";

/// A game in which South has made that mistake.
fn mistake(south: &str, north: &str) -> Game {
    let position = Position::parse(ENDING, Capture::Standard).unwrap();
    let mut game = Game::new(position, Default::default());
    game.play(Move::new(position.parse_pit("A").unwrap())).unwrap();
    let seats = [seat(south), seat(north)];
    players::set(&mut game, seats, &players::default_names(seats));
    game
}

#[test]
fn each_finished_game_is_searched_once_for_the_mistakes_of_people() {
    let folder = kalah_testing::folder();
    let save = |mut game: Game, is_over: bool| {
        if is_over {
            game.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
        }
        SavedGames::new(Some(folder.path().to_owned())).save(&game).unwrap();
    };
    save(mistake("human", "club"), true);
    save(mistake("club", "human"), true);
    save(mistake("human", "club"), false);
    std::fs::write(folder.path().join("damaged.kgn"), "?").unwrap();
    let saved = SavedGames::new(Some(folder.path().to_owned()));
    let mut history = PuzzleHistory::load(Some(folder.path()));
    let new = UnsearchedGames::new(&saved, &history);
    assert_eq!((new.games.len(), new.damaged.len()), (2, 1));
    new.search(&mut history).unwrap();
    let [puzzle] = history.own() else { panic!("{:?}", history.own()) };
    assert!(puzzle.to_string().starts_with(ENDING));
    assert!(UnsearchedGames::new(&saved, &history).games.is_empty());
}

#[test]
fn the_only_person_in_a_game_is_called_you() {
    let names = |south, north| {
        let record = players::with_shown_names(mistake(south, north));
        record.players.map(|player| player.name)
    };
    assert_eq!(names("human", "club")[0], "you");
    assert_eq!(names("human", "human"), ["human", "human"]);
}
