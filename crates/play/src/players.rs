//! Who plays in a record: names, and a tag for the seats, which only this program writes.

use kalah_game::Side;
use kalah_record::{Game, Player};

use crate::seat::Seat;

/// The tag that says who plays South and North.
const SEATS: &str = "Seats";

/// Sets the players of `record`; `seats` and `names` are South's and North's.
pub fn set(record: &mut Game, seats: [Seat; 2], names: &[String; 2]) {
    record.players = Side::BOTH.map(|side| {
        let seat = seats[side.index()];
        let limit = if seat.is_person() { None } else { Some(seat.to_string()) };
        Player { limit, ..Player::named(&names[side.index()]) }
    });
    let [south, north] = seats;
    record.tags.insert(SEATS.to_owned(), tag(south, north));
}

fn tag(south: Seat, north: Seat) -> String {
    format!("{south}, {north}")
}

/// The name of a person in the records of this program.
const PERSON: &str = "human";
const ENGINE: &str = "kalah";

/// The default names of South and North.
pub fn default_names(seats: [Seat; 2]) -> [String; 2] {
    seats.map(|seat| if seat.is_person() { PERSON } else { ENGINE }.to_owned())
}

/// The names of South and North as shown to the person who played: a sole person is "you".
pub fn shown_names(record: &Game) -> [String; 2] {
    let people = record.players.iter().filter(|player| player.name == PERSON).count();
    record.players.clone().map(|player| match player.name.as_str() {
        PERSON if people == 1 => "you".to_owned(),
        _ => player.in_full(),
    })
}

/// The record with the names of [`shown_names`].
#[must_use]
pub fn with_shown_names(mut record: Game) -> Game {
    let names = shown_names(&record);
    for (player, name) in record.players.iter_mut().zip(names) {
        player.name = name;
    }
    record
}

/// The side of the person, if exactly one of the players of South and North is one.
pub fn only_person(seats: [Seat; 2]) -> Option<Side> {
    let [south, north] = seats.map(|seat| seat.is_person());
    match (south, north) {
        (true, false) => Some(Side::South),
        (false, true) => Some(Side::North),
        _ => None,
    }
}

/// Who plays South and North, if this program saved the record.
pub fn seats(record: &Game) -> Option<[Seat; 2]> {
    let (south, north) = record.tags.get(SEATS)?.split_once(", ")?;
    Some([south.parse().ok()?, north.parse().ok()?])
}
