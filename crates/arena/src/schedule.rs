//! The schedule of a match: its games in order, determined by its configuration alone.
//!
//! Games come in pairs from one opening, the second with the sides swapped. A
//! round plays one pair of each pairing from the same opening. A game's id is
//! a hash of everything that its course depends on, so that the games of a file can be
//! matched with the schedule on any machine.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::config::{MatchConfig, PlayerConfig, TournamentFormat};
use crate::{ConfigError, MatchError};
use kalah_game::Side;
use kalah_record::Game;
use kalah_record::opening::{Opening, OpeningText};

/// The finished games of a match, by their place in its schedule.
pub type PlacedGames = BTreeMap<usize, Game>;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub index: usize,
    /// A hash of everything that the game's course depends on, 20 hexadecimal digits.
    pub(crate) id: String,
    /// South and North, as indices of players.
    pub(crate) players: [usize; 2],
    /// The index of the opening.
    pub(crate) opening: usize,
    /// Seed for random players.
    pub(crate) seed: u64,
}

impl Fixture {
    /// The index of the game's pair; the two games of a pair are adjacent.
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

    /// The number of the game on pages and in commands: that of its record, which is the game's
    /// place in the schedule or in its file, from 1.
    pub(crate) fn number(&self, game: &Game) -> u32 {
        game.number.unwrap_or(self.index as u32 + 1)
    }
}

/// The games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The configuration from which the games follow.
    pub config: MatchConfig,
    /// The games, in the order in which they are started and counted.
    pub fixtures: Vec<Fixture>,
    /// The places of the games, by their ids.
    places: HashMap<String, usize>,
}

impl Schedule {
    /// The schedule of a configuration.
    ///
    /// # Errors
    /// [`ConfigError`] if the players, the SPRT or the openings cannot form a match.
    pub fn new(config: MatchConfig) -> Result<Self, ConfigError> {
        let got = config.players.len();
        if got < 2 {
            return Err(ConfigError(format!("expected at least two players, got {got}")));
        }
        for (index, PlayerConfig { name, .. }) in config.players.iter().enumerate() {
            if config.players[..index].iter().any(|other| other.name == *name) {
                return Err(ConfigError(format!(
                    "expected distinct names, got '{name}' twice: rename one player with name="
                )));
            }
        }
        if let Some(sprt) = config.sprt {
            sprt.checked()?;
            if got != 2 {
                return Err(ConfigError(format!("expected two players for an SPRT, got {got}")));
            }
        }
        if config.openings.is_empty() {
            return Err(ConfigError("expected at least one opening, got none".to_owned()));
        }
        if config.openings.iter().any(|opening| opening.start.is_over()) {
            let expected = "expected openings with moves left to play, got a finished game";
            return Err(ConfigError(expected.to_owned()));
        }
        let fixtures = fixtures(&config);
        let places = fixtures.iter().map(|fixture| (fixture.id.clone(), fixture.index)).collect();
        Ok(Self { config, fixtures, places })
    }

    /// The place of a game from the file at `path`.
    ///
    /// # Errors
    /// [`MatchError::Foreign`] for a game of a different match.
    pub(crate) fn place_of(&self, game: &Game, path: &Path) -> Result<usize, MatchError> {
        let id = game.id.as_deref().unwrap_or_default();
        let place = self.places.get(id).copied();
        place.ok_or_else(|| MatchError::Foreign { path: path.to_owned(), id: id.to_owned() })
    }

    /// A schedule for the games of an arbitrary record, and the places of the games in it.
    /// Players are identified by their names; two games form a pair if they have the same
    /// opening and swapped sides. The number of each game becomes its place in `games`.
    pub fn from_games(games: Vec<Game>) -> (Self, BTreeMap<usize, Game>) {
        let mut names: Vec<String> = Vec::new();
        let mut openings: Vec<Opening> = Vec::new();
        let mut known: HashMap<Opening, usize> = HashMap::new();
        // Pairs that lack a game, by first and second player, opening, and the missing game's
        // place in the pair.
        let mut incomplete: HashMap<([usize; 2], usize, usize), Vec<usize>> = HashMap::new();
        let mut pairs = 0;
        let mut fixtures = BTreeMap::new();
        for (place, mut game) in (1..).zip(games) {
            game.number = Some(place);
            let players = different_names(&game).map(|name| {
                names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            });
            let opening = *known.entry(Opening::from_game(&game)).or_insert_with_key(|opening| {
                openings.push(opening.clone());
                openings.len() - 1
            });
            // In the first game of a pair, South is the player who occurs first in the record.
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
            // These games are not played again, so their seed has no meaning.
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
        (Self { config, fixtures, places: HashMap::new() }, games)
    }

    /// The games that have been played, in order.
    pub(crate) fn played<'a>(
        &'a self,
        games: &'a BTreeMap<usize, Game>,
    ) -> impl Iterator<Item = (&'a Fixture, &'a Game)> {
        self.fixtures.iter().filter_map(|fixture| Some((fixture, games.get(&fixture.index)?)))
    }

    /// The configurations of the players of a game, South first.
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

/// The names of a game's players, South first; equal names are distinguished by their side.
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
fn pairings(format: TournamentFormat, players: usize) -> Vec<(usize, usize)> {
    let firsts = match format {
        TournamentFormat::RoundRobin => players,
        TournamentFormat::Gauntlet => 1,
    };
    (0..firsts).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
}

fn fixtures(config: &MatchConfig) -> Vec<Fixture> {
    let pairings = pairings(config.format, config.players.len());
    let mut fixtures = Vec::new();
    for round in 0..config.rounds as usize {
        let opening = round % config.openings.len();
        // Converted to text once for all games of a round, whose ids are hashes of it.
        let text = OpeningText::from(config.openings[opening].clone());
        for &(first, second) in &pairings {
            for players in [[first, second], [second, first]] {
                let digest = digest(config, players, round, &text);
                // The id has 80 bits: among a million games, the probability that two ids are equal
                // is less than 10⁻¹². The seed comes from different bytes.
                let id = digest[..10].iter().map(|byte| format!("{byte:02x}")).collect();
                let seed = digest[24..].iter().fold(0, |seed, &byte| seed << 8 | u64::from(byte));
                fixtures.push(Fixture { index: fixtures.len(), id, players, opening, seed });
            }
        }
    }
    fixtures
}

/// The hash of everything that a game's course depends on. Settings that only determine the
/// number of games are left out, so that the games of a match keep their ids when it is
/// extended.
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
        // The round distinguishes games that share an opening, and their random players.
        (round, config.seed),
        (&config.adjudication, config.timing),
    ));
    let content = content.unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    Sha256::digest(content).into()
}

/// A part of a schedule: every `of`-th pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The part that is played, from 1 to `of`.
    pub(crate) part: usize,
    pub(crate) of: usize,
}

impl Shard {
    /// Whether the part is the whole match.
    pub(crate) fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Whether a game belongs to the part. A pair is never split.
    pub fn has(self, fixture: &Fixture) -> bool {
        fixture.pair() % self.of == self.part - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = ConfigError;

    /// Parses `i/n` with i from 1 to n.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers
            .filter(|shard| (1..=shard.of).contains(&shard.part))
            .ok_or_else(|| ConfigError(format!("expected i/n with i from 1 to n, got '{text}'")))
    }
}
