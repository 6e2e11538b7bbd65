//! The schedule of a match: its games in order, a function of its configuration.
//!
//! Games come in pairs from one opening, the second with the sides swapped. A
//! round plays one pair of each pairing from the same opening. A game's id is
//! a hash of all that its course depends on, so that the games of a file can be
//! matched with the schedule on any machine.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::MatchError;
use super::config::{Format, MatchConfig, PlayerConfig};
use super::opening::{Opening, OpeningText};
use crate::game::Side;
use crate::record::Game;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    /// Its place in the list, from 0.
    pub(crate) index: usize,
    /// The hash of all that its course depends on, 20 hexadecimal digits.
    pub(crate) id: String,
    /// South and North, as indices of players.
    pub(crate) players: [usize; 2],
    /// The index of the opening.
    pub(crate) opening: usize,
    /// Seeds random players.
    pub(crate) seed: u64,
}

impl Fixture {
    /// The pair the game belongs to, from 0; its other game is next to it.
    pub(crate) fn pair(&self) -> usize {
        self.index / 2
    }

    /// The first player of the pairing: South in the first game of a pair.
    pub(crate) fn first(&self) -> usize {
        self.players[self.index % 2]
    }

    /// The second player of the pairing.
    pub(crate) fn second(&self) -> usize {
        self.players[1 - self.index % 2]
    }

    /// What pages and commands call its game: the round of the record, which is the
    /// game's place in the schedule or in its file, from 1.
    pub(crate) fn number(&self, game: &Game) -> u32 {
        game.round.unwrap_or(self.index as u32 + 1)
    }
}

/// The games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub(crate) config: MatchConfig,
    pub(crate) fixtures: Vec<Fixture>,
}

impl Schedule {
    /// The schedule of a configuration.
    ///
    /// # Errors
    /// [`MatchError::Config`] if such a match is impossible.
    pub fn new(config: MatchConfig) -> Result<Self, MatchError> {
        let count = config.players.len();
        if count < 2 {
            return Err(MatchError::config(format!("expected at least two players, got {count}")));
        }
        for (index, PlayerConfig { name, .. }) in config.players.iter().enumerate() {
            if config.players[..index].iter().any(|other| other.name == *name) {
                return Err(MatchError::config(format!(
                    "expected different names, got '{name}' twice: give one name="
                )));
            }
        }
        if let Some(sprt) = config.sprt {
            sprt.checked().map_err(MatchError::Config)?;
            if count != 2 {
                return Err(MatchError::config(format!(
                    "expected two players for a test (SPRT), got {count}"
                )));
            }
        }
        if config.openings.is_empty() {
            return Err(MatchError::config("expected at least one opening, got none"));
        }
        let fixtures = fixtures(&config);
        Ok(Self { config, fixtures })
    }

    /// A schedule that the games of any record could come from, and their places in it.
    /// Players are told apart by their names; two games are a pair if they have the same
    /// opening and the sides swapped. The round of each game becomes its place among
    /// `games`.
    pub(crate) fn of_games(games: Vec<Game>) -> (Self, BTreeMap<usize, Game>) {
        let mut names: Vec<String> = Vec::new();
        let mut openings: Vec<Opening> = Vec::new();
        let mut known: HashMap<Opening, usize> = HashMap::new();
        // By the first and the second player, the opening and the missing game of the pair.
        let mut incomplete: HashMap<([usize; 2], usize, usize), Vec<usize>> = HashMap::new();
        let mut pairs = 0;
        let mut fixtures = BTreeMap::new();
        for (place, mut game) in (1..).zip(games) {
            game.round = Some(place);
            let players = different_names(&game).map(|name| {
                names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            });
            let opening = Opening::of(&game);
            let opening = *known.entry(opening).or_insert_with_key(|opening| {
                openings.push(opening.clone());
                openings.len() - 1
            });
            let place = usize::from(players[0] > players[1]);
            let first = [players[place], players[1 - place]];
            let lacking = incomplete.get_mut(&(first, opening, place)).and_then(Vec::pop);
            let pair = lacking.unwrap_or_else(|| {
                incomplete.entry((first, opening, 1 - place)).or_default().push(pairs);
                pairs += 1;
                pairs - 1
            });
            let index = 2 * pair + place;
            let id = game.id.clone().unwrap_or_default();
            fixtures.insert(index, (Fixture { index, id, players, opening, seed: 0 }, game));
        }
        let config = MatchConfig {
            event: event(fixtures.values().map(|(_, game)| game)),
            players: names.into_iter().map(PlayerConfig::named).collect(),
            rounds: pairs as u32,
            openings,
            ..MatchConfig::default()
        };
        let (fixtures, games): (Vec<_>, Vec<_>) = fixtures.into_values().unzip();
        let games = fixtures.iter().map(|fixture| fixture.index).zip(games).collect();
        (Self { config, fixtures }, games)
    }

    /// The games that have been played, in order.
    pub(crate) fn played<'a>(
        &'a self,
        games: &'a BTreeMap<usize, Game>,
    ) -> impl Iterator<Item = (&'a Fixture, &'a Game)> {
        self.fixtures.iter().filter_map(|fixture| Some((fixture, games.get(&fixture.index)?)))
    }

    /// South's and North's configuration in a game.
    pub(crate) fn players(&self, fixture: &Fixture) -> [&PlayerConfig; 2] {
        fixture.players.map(|player| &self.config.players[player])
    }

    pub(crate) fn opening(&self, fixture: &Fixture) -> &Opening {
        &self.config.openings[fixture.opening]
    }

    pub(crate) fn name(&self, player: usize) -> &str {
        &self.config.players[player].name
    }
}

/// The names of a game's players, South first; the side distinguishes equal names.
fn different_names(game: &Game) -> [String; 2] {
    let [south, north] = game.players.each_ref().map(|player| player.name.clone());
    if south == north {
        return Side::BOTH.map(|side| format!("{south} ({side})"));
    }
    [south, north]
}

/// The event of all games; empty if they differ.
fn event<'a>(mut games: impl Iterator<Item = &'a Game>) -> String {
    let first = games.next().and_then(|game| game.event.as_ref());
    let common = first.filter(|&event| games.all(|game| game.event.as_ref() == Some(event)));
    common.cloned().unwrap_or_default()
}

/// The pairings in the order in which a round plays them.
fn pairings(format: Format, players: usize) -> Vec<(usize, usize)> {
    let firsts = match format {
        Format::RoundRobin => players,
        Format::Gauntlet => 1,
    };
    (0..firsts).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
}

fn fixtures(config: &MatchConfig) -> Vec<Fixture> {
    let pairings = pairings(config.format, config.players.len());
    let mut fixtures = Vec::new();
    for round in 0..config.rounds as usize {
        let opening = round % config.openings.len();
        // As it is hashed: made once, for all games of a round.
        let text = OpeningText::from(config.openings[opening].clone());
        for &(first, second) in &pairings {
            for players in [[first, second], [second, first]] {
                let digest = digest(config, players, round, &text);
                let id = digest[..10].iter().map(|byte| format!("{byte:02x}")).collect();
                let seed = digest[24..].iter().fold(0, |seed, &byte| seed << 8 | u64::from(byte));
                fixtures.push(Fixture { index: fixtures.len(), id, players, opening, seed });
            }
        }
    }
    fixtures
}

/// The hash of all that a game's course depends on. What only decides how many
/// games are played is left out, so that a match can be extended: its first games
/// keep their ids.
fn digest(
    config: &MatchConfig,
    players: [usize; 2],
    round: usize,
    opening: &OpeningText,
) -> [u8; 32] {
    let [south, north] = players.map(|player| &config.players[player]);
    let content = serde_json::to_string(&(
        "kalah match 1",
        (south, north),
        opening,
        (round, config.seed),
        (&config.adjudication, config.timing),
    ));
    let content = content.unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    Sha256::digest(content).into()
}

/// A part of a schedule: every `of`-th pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1 to `of`.
    pub(crate) part: usize,
    pub(crate) of: usize,
}

impl Shard {
    /// Whether a game belongs to the part; both games of a pair do, or neither.
    pub(crate) fn has(self, fixture: &Fixture) -> bool {
        fixture.pair() % self.of == self.part - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `i/n` with i from 1 to n.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers
            .filter(|shard| (1..=shard.of).contains(&shard.part))
            .ok_or_else(|| format!("expected i/n with i from 1 to n, got '{text}'"))
    }
}
