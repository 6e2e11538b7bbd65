//! The engine as its users see it: a position, options, a search to start and
//! to stop. Answers come as events; no text is read or written here.

pub mod bench;
pub mod options;
pub mod suite;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::endgame::folder::FolderError;
use crate::endgame::{Extent, Tables};
use crate::game::{Position, Rules};
use crate::search::eval::Weights;
use crate::search::table::{Memory, NoMemory};
use crate::search::{self, Extras, Info, Job, Limits, Progress, Report, RootMove, Skill, Stopper};
use crate::sys::machine::processors;

/// How the engine searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Threads of a search, 1 to 512; no more are started than run at once.
    pub threads: usize,
    /// Lines to find, 1 to 16.
    pub multipv: usize,
    /// Time lost between the engine and the clock, for each sowing.
    pub overhead: Duration,
    /// How strong to play.
    pub skill: Skill,
    /// The evaluation.
    pub weights: Weights,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            skill: Skill::FULL,
            weights: Weights::DEFAULT,
        }
    }
}

/// What a search in the background tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An iteration is finished, or one line of it.
    Info(Info),
    /// A long search turns to another move of the root.
    RootMove(RootMove),
    /// The search has ended; nothing follows.
    Finished(Report),
}

/// A search that runs in the background.
#[derive(Debug)]
pub struct Running {
    stopper: Stopper,
    thread: JoinHandle<()>,
}

impl Running {
    /// What stops the search, or tells it that its pondering hit.
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }

    /// Whether the last event has been sent.
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until the search has ended, which it does not by this.
    pub fn wait(self) {
        if self.thread.join().is_err() {
            log::error!("a search ended by a fault");
        }
    }
}

/// A Kalah engine.
#[derive(Clone, Debug)]
pub struct Engine {
    rules: Rules,
    position: Position,
    settings: Settings,
    memory: Arc<Memory>,
    /// For the pits and the rule of the position.
    tables: Option<Arc<Tables>>,
    /// Whether small tables are built where none are found.
    builds_tables: bool,
    /// Where larger tables may lie than those that are built.
    table_path: Option<PathBuf>,
    /// Feeds the slips of a weaker skill; another for each search.
    seed: u64,
}

impl Engine {
    /// The memory that an engine starts with, in MiB.
    pub const DEFAULT_HASH: usize = 64;

    /// An engine at the start position of (6,4), with [`Engine::DEFAULT_HASH`]
    /// MiB of memory.
    ///
    /// # Errors
    /// [`NoMemory`] if there is not that much.
    pub fn new() -> Result<Self, NoMemory> {
        Self::with_hash(Self::DEFAULT_HASH)
    }

    /// An engine with `mebibytes` MiB of memory.
    ///
    /// # Errors
    /// [`NoMemory`] if there is not that much.
    pub fn with_hash(mebibytes: usize) -> Result<Self, NoMemory> {
        let mut engine = Self::without_tables(mebibytes)?;
        engine.builds_tables = true;
        engine.tables = engine.small_tables();
        Ok(engine)
    }

    /// An engine with `mebibytes` MiB of memory and no endgame tables but those
    /// of a table path: made at once.
    ///
    /// # Errors
    /// [`NoMemory`] if there is not that much.
    pub fn without_tables(mebibytes: usize) -> Result<Self, NoMemory> {
        let rules = Rules::default();
        Ok(Self {
            rules,
            position: Position::start(rules),
            settings: Settings::default(),
            memory: Arc::new(Memory::new(mebibytes)?),
            tables: None,
            builds_tables: false,
            table_path: None,
            seed: 0,
        })
    }

    /// The game whose start position is meant where none is named.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Chooses another game and sets up its start position.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.set_position(Position::start(rules));
    }

    /// Where the next search starts.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets where the next search starts. On a board of another width or rule
    /// this reads the endgame tables of the table path, or builds small ones in
    /// some hundredths of a second.
    pub fn set_position(&mut self, position: Position) {
        let fits = |tables: &Arc<Tables>| tables.variant() == position.variant();
        self.position = position;
        if !self.tables.as_ref().is_some_and(fits) {
            self.tables = self.tables_on_disk().or_else(|| self.small_tables());
        }
    }

    /// Uses the endgame tables in `folder`, for this board and for those set
    /// later, where there are any; `None` for small ones built in memory.
    ///
    /// # Errors
    /// [`FolderError`] if the folder has none for the board of now, or none that
    /// are whole; the engine then keeps those that it has.
    pub fn set_table_path(&mut self, folder: Option<&Path>) -> Result<(), FolderError> {
        let position = &self.position;
        self.tables = match folder {
            Some(folder) => Some(Arc::new(Tables::open(folder, position.variant())?)),
            None => self.small_tables(),
        };
        self.table_path = folder.map(Path::to_owned);
        Ok(())
    }

    fn tables_on_disk(&self) -> Option<Arc<Tables>> {
        let folder = self.table_path.as_deref()?;
        let tables = Tables::open(folder, self.position.variant());
        tables.inspect_err(|error| log::warn!("{error}")).ok().map(Arc::new)
    }

    /// Tables for the board of now, small enough to be built in some hundredths
    /// of a second; none if there is no memory or they are not wanted.
    fn small_tables(&self) -> Option<Arc<Tables>> {
        if !self.builds_tables {
            return None;
        }
        let extent = Extent::small(self.position.variant());
        let tables = Tables::build_with(extent, 1, &|_| ());
        tables.inspect_err(|error| log::warn!("no endgame tables: {error}")).ok().map(Arc::new)
    }

    /// The most seeds in play that the endgame tables in use hold.
    pub fn table_seeds(&self) -> Option<u32> {
        self.tables.as_ref().map(|tables| tables.seeds())
    }

    /// How the next search is done.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes how the next search is done.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Seeds the slips of a weaker skill, for games that can be repeated.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The size of the memory in MiB.
    pub fn hash(&self) -> usize {
        self.memory.mebibytes()
    }

    /// Gives the engine a memory of another size; what it knew is lost.
    ///
    /// # Errors
    /// [`NoMemory`] if there is not that much; the old memory is then kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        self.memory = Arc::new(Memory::new(mebibytes)?);
        Ok(())
    }

    /// Forgets what was learnt from earlier positions.
    pub fn new_game(&mut self) {
        self.memory.clear();
    }

    /// Searches here and now; `report` is told of each finished iteration.
    pub fn search(
        &mut self,
        limits: Limits,
        stopper: &Stopper,
        report: &mut dyn FnMut(&Info),
    ) -> Report {
        self.run(limits, stopper, &mut |progress| {
            if let Progress::Line(info) = progress {
                report(&info);
            }
        })
    }

    fn run(
        &mut self,
        limits: Limits,
        stopper: &Stopper,
        report: &mut dyn FnMut(Progress),
    ) -> Report {
        self.seed = self.seed.wrapping_add(1);
        let job = Job {
            position: &self.position,
            limits,
            memory: &self.memory,
            threads: self.settings.threads.min(processors()),
            multipv: self.settings.multipv,
            overhead: self.settings.overhead,
            skill: self.settings.skill,
            weights: &self.settings.weights,
            tables: self.tables.as_deref().filter(|_| self.settings.skill.is_full()),
            extras: Extras::ALL,
            seed: self.seed,
        };
        search::search(&job, stopper, report)
    }

    /// Searches in the background; `tell` is called there with every event.
    ///
    /// Position, settings and memory are those of now: changing them later
    /// does not touch the running search.
    pub fn go(
        &mut self,
        limits: Limits,
        mut tell: impl FnMut(Event) + Send + 'static,
    ) -> std::io::Result<Running> {
        self.seed = self.seed.wrapping_add(1);
        let mut engine = self.clone();
        let stopper = Stopper::new();
        let its_stopper = stopper.clone();
        let thread =
            std::thread::Builder::new().name("search".to_owned()).stack_size(search::STACK);
        let thread = thread.spawn(move || {
            let report = engine.run(limits, &its_stopper, &mut |progress| {
                tell(match progress {
                    Progress::Line(info) => Event::Info(info),
                    Progress::RootMove(turned_to) => Event::RootMove(turned_to),
                });
            });
            tell(Event::Finished(report));
        })?;
        Ok(Running { stopper, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth::Depth;
    use crate::game::Capture;
    use std::sync::mpsc;

    #[test]
    fn a_finished_game_has_no_move() {
        let mut engine = Engine::with_hash(1).unwrap();
        engine.set_position(Position::parse("<1,4,4,0,0> S", Capture::Standard).unwrap());
        let report = engine.search(Limits::default(), &Stopper::new(), &mut |_| ());
        assert_eq!(report, Report::default());
    }

    #[test]
    fn a_search_in_the_background_ends_when_stopped_and_says_so_once() {
        let mut engine = Engine::with_hash(1).unwrap();
        let (sender, receiver) = mpsc::channel();
        let limits = Limits { infinite: true, ..Limits::default() };
        let running = engine.go(limits, move |event| sender.send(event).unwrap()).unwrap();
        assert!(matches!(receiver.recv(), Ok(Event::Info(_))));
        running.stopper().stop();
        let last = receiver.iter().last();
        assert!(matches!(last, Some(Event::Finished(Report { best: Some(_), .. }))));
        running.wait();
    }

    #[test]
    fn small_boards_are_proved_to_their_exact_value() {
        let mut engine = Engine::with_hash(1).unwrap();
        engine.set_position(Position::start(Rules::new(3, 3, Capture::Standard).unwrap()));
        let report = engine.search(Limits::depth(Depth(60)), &Stopper::new(), &mut |_| ());
        let info = report.info.unwrap();
        assert!(info.proved);
        assert_eq!(info.value.0, 200);
    }
}
