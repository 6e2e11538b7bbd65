//! The lab's algorithms as a [`Searcher`] for the engine, with its options and under the same
//! limits as any other search.
//!
//! The algorithm searches the lab's tree, whose leaves are valued by the difference of
//! the stores. If depth is its only limit, it visits exactly the leaves that a comparison
//! counts; otherwise it deepens until it is stopped or has searched the whole tree.
//! It uses neither the engine's transposition table nor its threads, skill or endgame
//! tables.

use std::cell::Cell;
use std::sync::Arc;

use kalah_engine::search::{Control, Info, Limits, SearchEvent, SearchResult, Stopper, TimeFactor};
use kalah_engine::{
    Engine, EngineOption, OptionKind, RefusedValue, Restriction, SearchQuery, Searcher,
};
use kalah_game::{Depth, Gain, PitSet, Position, Row, Rules, Value, Variant, with_row};

use crate::{
    Algorithm, ChildOrder, ExtraTurns, KalahTree, Method, MethodError, MethodResult, Observer,
    ProbCutModel, SearchCounts, TreeEvent,
};

/// The lab's algorithms, of which none is selected at first, so that the engine's own search
/// runs.
#[derive(Clone, Debug, Default)]
pub struct LabSearcher {
    /// The selected algorithm without the suffixes.
    algorithm: Option<Method>,
    /// Suffixes added to its name, as in a [`Method`].
    suffixes: String,
    order: ChildOrder,
    extra_turns: ExtraTurns,
    /// ProbCut's model and the variant to which it was fitted.
    model: Option<(Variant, Arc<ProbCutModel>)>,
}

impl LabSearcher {
    /// Selects an algorithm for the searches of `engine`, or with `None` the engine's own. Does
    /// nothing to an engine without a `LabSearcher`.
    pub fn select(engine: &mut Engine, algorithm: Option<Method>) {
        if let Some((searcher, position)) = engine.searcher_mut::<Self>() {
            searcher.algorithm = algorithm;
            searcher.suffixes.clear();
            searcher.fit_model(position);
        }
    }

    /// The selected algorithm with its suffixes; none if the engine's own search runs.
    pub fn selected(&self) -> Option<Method> {
        self.with_suffixes().expect("suffixes are checked when they are set")
    }

    fn with_suffixes(&self) -> Result<Option<Method>, MethodError> {
        self.algorithm.map(|method| format!("{method}{}", self.suffixes).parse()).transpose()
    }

    /// Fits ProbCut's model to the board of `position` if ProbCut is selected.
    fn fit_model(&mut self, position: &Position) {
        let is_probcut = match self.algorithm {
            Some(method) => method.algorithm == Algorithm::ProbCut,
            None => false,
        };
        let variant = position.variant();
        let fits = matches!(&self.model, Some((fitted, _)) if *fitted == variant);
        if is_probcut && !fits {
            self.model = Some((variant, Arc::new(fitted(position))));
        }
    }
}

/// ProbCut's model for the board of `position`, fitted to positions that are reached from
/// the start by random turns.
fn fitted(position: &Position) -> ProbCutModel {
    let seeds = position.total() / (2 * position.pits() as u32);
    let variant = position.variant();
    let rules = Rules::new(variant.pits() as u32, seeds.max(1), variant.capture());
    // The default seed of `kalah compare`, so that both visit the same leaves.
    match rules {
        Ok(rules) => ProbCutModel::for_kalah(rules, 1),
        Err(_) => ProbCutModel::default(),
    }
}

impl Searcher for LabSearcher {
    fn options(&self) -> &'static [EngineOption] {
        &OPTIONS
    }

    fn prepare(&mut self, position: &Position) {
        self.fit_model(position);
    }

    fn is_selected(&self) -> bool {
        self.algorithm.is_some()
    }

    fn search(
        &self,
        query: SearchQuery<'_>,
        stopper: &Stopper,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult {
        let method = self.selected().expect("an algorithm is selected");
        let SearchQuery { position, limits, overhead, .. } = query;
        let control = Control::new(limits, position.in_play(), overhead, stopper.clone());
        let moves = limits.allowed(position.moves());
        let info = if moves.is_empty() {
            None
        } else {
            Some(with_row!(position, R => self.run::<R>(query, method, moves, &control, report)))
        };
        control.hold_bestmove();
        SearchResult { best: info.as_ref().map(|info| info.pv[0]), ponder: None, info }
    }

    fn boxed_clone(&self) -> Box<dyn Searcher> {
        Box::new(self.clone())
    }
}

/// Number of nodes after which a method that stores them ends its search, so that they take
/// less than 1 GiB.
const MAX_STORED: u64 = 8_000_000;

impl LabSearcher {
    fn run<R: Row>(
        &self,
        query: SearchQuery<'_>,
        method: Method,
        moves: PitSet,
        control: &Control,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> Info {
        let SearchQuery { position, limits, seed, .. } = query;
        let samples = method.algorithm.samples();
        // Random games need a tree without a frontier: they end by themselves.
        let max_depth = if samples { u16::MAX } else { Depth::MAX.0 };
        let depth = limits.depth.map_or(max_depth, |Depth(depth)| depth);
        let tree = KalahTree::<R>::new(position, depth, self.extra_turns, self.order)
            .with_seed(seed)
            .starting_with(moves)
            .with_model(self.model.as_ref().map(|(_, model)| Arc::clone(model)));
        // A method deepens only if another limit may end it: with depth alone, it must visit
        // exactly the leaves that a comparison counts.
        let by_depth = Limits { moves: limits.moves, depth: limits.depth, ..Limits::default() };
        let only_depth = limits.depth.is_some() && limits == by_depth;
        let method = if only_depth { method } else { method.until_stopped() };
        let counts: Cell<SearchCounts> = Cell::default();
        let info = |result: &MethodResult<Gain>| {
            let depth = if samples { 1 } else { result.depth };
            Info {
                depth: Depth(depth),
                seldepth: depth,
                time: control.elapsed(),
                nodes: counts.get().nodes(),
                leaves: Some(counts.get().leaves),
                multipv: 1,
                margin: Value::from(result.value),
                pv: tree.sowings(result.best.unwrap_or(0)),
                ..Info::default()
            }
        };
        let mut meter = SearchMeter {
            control,
            counts: &counts,
            pending: 0,
            interval: control.check_interval(),
            max_nodes: if method.stores_nodes() { MAX_STORED } else { u64::MAX },
        };
        let observer: &mut dyn Observer<_> = &mut meter;
        let result = method.play(&tree, observer, seed, |result| {
            report(SearchEvent::Info(info(result)));
            if !control.has_time(TimeFactor::default()) {
                control.stop();
            }
        });
        info(&result)
    }
}

/// Counts nodes and leaves for the report and for the limits.
struct SearchMeter<'c> {
    control: &'c Control,
    counts: &'c Cell<SearchCounts>,
    /// Nodes not yet reported to the control.
    pending: u64,
    /// Number of nodes from one report to the next.
    interval: u64,
    max_nodes: u64,
}

impl<N> Observer<N> for SearchMeter<'_> {
    fn observe(&mut self, event: TreeEvent<N>) {
        let is_node = matches!(event, TreeEvent::Leaf(_) | TreeEvent::Interior(_));
        let mut counts = self.counts.get();
        counts.observe(event);
        self.counts.set(counts);
        self.pending += u64::from(is_node);
        if self.pending >= self.interval {
            self.control.count(self.pending, 0);
            self.pending = 0;
            if counts.nodes() >= self.max_nodes {
                self.control.stop();
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

/// The value of `Algorithm` that stands for the engine's own search.
const ENGINE: &str = "engine";

/// The options of a [`LabSearcher`]. Sessions with remote managers do not have them, because the
/// memory of some algorithms has no bound.
#[rustfmt::skip]
static OPTIONS: [EngineOption; 4] = [
    option("Algorithm", OptionKind::Combo { default: ENGINE, open: true, set: set_algorithm, choices: algorithms },
        "search algorithm: the engine's own, or one of the lab's"),
    option("Algorithm Suffixes", OptionKind::Text {
            set: |engine, text| change(engine, |searcher| searcher.suffixes = text.to_ascii_lowercase()) },
        "suffixes appended to the name of a lab algorithm, such as -printed or +tt+id"),
    option("Move Order", OptionKind::Combo { default: "far", open: false, set: set_order,
            choices: || ChildOrder::ALL.map(ChildOrder::name).to_vec() },
        "order in which a lab algorithm searches moves"),
    option("Extra Turns", OptionKind::Combo { default: "compound", open: false, set: set_extra_turns,
            choices: || ExtraTurns::ALL.map(ExtraTurns::name).to_vec() },
        "how extra turns count towards the depth of a lab algorithm"),
];

const fn option(name: &'static str, kind: OptionKind, doc: &'static str) -> EngineOption {
    EngineOption { name, kind, doc, restriction: Restriction::Withheld }
}

fn algorithms() -> Vec<&'static str> {
    // Only plain names: with their suffixes there were 76, too many for a GUI. A GUI that offers
    // nothing but these words can set `Algorithm Suffixes`.
    [&[ENGINE], &Algorithm::NAMED.map(|(name, ..)| name)[..]].concat()
}

fn set_algorithm(engine: &mut Engine, name: &str) -> Result<(), RefusedValue> {
    let algorithm = if name == ENGINE { None } else { Some(name.parse()?) };
    change(engine, |searcher| searcher.algorithm = algorithm)
}

fn set_order(engine: &mut Engine, name: &str) -> Result<(), RefusedValue> {
    let order = name.parse()?;
    change(engine, |searcher| searcher.order = order)
}

fn set_extra_turns(engine: &mut Engine, name: &str) -> Result<(), RefusedValue> {
    let extra_turns = name.parse()?;
    change(engine, |searcher| searcher.extra_turns = extra_turns)
}

/// Changes the searcher of an engine, unless the algorithm does not have the suffixes, or needs
/// alternating sides where an extra turn does not change sides.
fn change(engine: &mut Engine, set: impl FnOnce(&mut LabSearcher)) -> Result<(), RefusedValue> {
    let found = engine.searcher_mut::<LabSearcher>();
    let (searcher, position) = found.ok_or("this engine has no algorithms of the lab")?;
    // A copy, so that a refused value leaves the searcher as it was.
    let mut changed = searcher.clone();
    set(&mut changed);
    if let Some(method) = changed.with_suffixes()? {
        method.require_alternation(changed.extra_turns)?;
    }
    *searcher = changed;
    searcher.fit_model(position);
    Ok(())
}
