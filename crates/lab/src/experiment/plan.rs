//! What a comparison runs: the sets of searches in the records, or one that the caller chooses.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980, could not be found, so its board, its evaluation, its order
//! of moves and its treatment of extra turns are unknown; each claim that is cited from it is
//! tested under many conditions.

use crate::algorithms::{Method, MethodError};

use super::claim::{Claim, Comparison, Measure, RECORDS, SearchSet};
use super::condition::{Condition, Trees, TreesPerShape};
use super::ensemble::Ensemble;
use super::judge::{Case, Evidence, Unit, Verdict, judge};
use super::measure::{ComparisonPlan, Measurement, Measurements, grow};
use super::pair::Pair;
use super::probe::{Probe, Probed, probe_all};
use super::visits::{VisitCensus, census, examples};

/// Positions of the standard ensemble.
pub const POSITIONS: usize = 300;
/// Games of the standard ensemble.
pub const GAMES: usize = 40;

/// How often a sample is looked at: it doubles while a claim is open and its interval is wide.
const LOOKS: usize = 3;
/// A sample does not grow once the interval of a figure in percent is narrower than this.
pub const WIDTH: f64 = 4.0;

/// The methods with these names, separated by commas.
///
/// # Errors
/// If a name is unknown.
pub fn methods(names: &str) -> Result<Vec<Method>, MethodError> {
    names.split(',').map(str::parse).collect()
}

/// A part of a comparison: searches under one name.
#[derive(Clone, Debug)]
struct Part {
    /// Its record, which names it.
    set: &'static SearchSet,
    /// The searches, which the caller may have changed.
    plan: ComparisonPlan,
}

/// The parts of a comparison.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The comparison.
    pub comparison: Comparison,
    parts: Vec<Part>,
    seed: u64,
    /// Whether the caller chose the conditions, so that samples have the size that was asked for.
    is_chosen: bool,
}

/// The measurements of a part.
#[derive(Clone, Debug)]
pub struct PartResults {
    /// Its record, or the first of those with one name.
    pub set: &'static SearchSet,
    /// The searches.
    pub measurements: Measurements,
}

/// What a comparison measured.
#[derive(Clone, Debug)]
pub struct Results {
    /// The comparison.
    pub comparison: Comparison,
    /// The parts, in the order of the plan; those with one name are one.
    pub parts: Vec<PartResults>,
    /// The seed of everything.
    pub seed: u64,
    visits: Vec<VisitCensus>,
    probed: Vec<Probed>,
    looks: usize,
}

impl Plan {
    /// The sets of searches of a comparison. `count` is the initial number of positions or trees of
    /// each sample, if the caller chooses it.
    pub fn of(comparison: Comparison, seed: u64, count: Option<usize>) -> Self {
        let sets = RECORDS.sets.iter().filter(|set| set.runs.contains(&comparison));
        let parts = sets.map(|set| Part { set, plan: searches(set, seed, count) });
        Self { comparison, parts: parts.collect(), seed, is_chosen: false }
    }

    /// The searches of the first set of a comparison, replaced by `plan`.
    pub fn chosen(comparison: Comparison, seed: u64, plan: ComparisonPlan) -> Self {
        let mut own = Self::of(comparison, seed, None);
        own.parts.truncate(1);
        for part in &mut own.parts {
            part.plan = plan.clone();
        }
        Self { is_chosen: true, ..own }
    }

    /// The first searches of a comparison on uniform trees, on those of the given shapes.
    pub fn shaped(
        comparison: Comparison,
        seed: u64,
        widths: Option<&[u16]>,
        depths: Option<&[u16]>,
        trees: Option<usize>,
    ) -> Self {
        let mut own = Self::of(comparison, seed, None);
        // One set of the widths and depths that were given, or all sets with as many trees.
        if widths.is_some() || depths.is_some() {
            own.parts.truncate(1);
        }
        own.is_chosen = true;
        for Part { plan, .. } in &mut own.parts {
            if let Some(depths) = depths {
                plan.depths = depths.to_vec();
            }
            if let Some(widths) = widths
                && let [first, ..] = plan.conditions.as_slice()
            {
                plan.conditions = widths.iter().map(|&width| first.of_width(width)).collect();
            }
            for condition in &mut plan.conditions {
                if let (Some(trees), Trees::Uniform { count, .. }) = (trees, &mut condition.trees) {
                    *count = TreesPerShape::Fixed(trees);
                }
            }
        }
        own
    }

    /// The same with this many timed rounds of each search that is timed, if it is given.
    #[must_use]
    pub fn with_rounds(mut self, rounds: Option<usize>) -> Self {
        for part in &mut self.parts {
            if part.plan.timed_runs > 0 {
                part.plan.timed_runs = rounds.unwrap_or(part.plan.timed_runs);
            }
        }
        self
    }

    /// The experiments of their own that the claims of the comparison need.
    fn probes(&self) -> Vec<(&'static Probe, &'static [Pair])> {
        if self.is_chosen {
            return Vec::new();
        }
        let claims = RECORDS.claims.iter().filter(|claim| claim.run == Some(self.comparison));
        let mut probes: Vec<(&Probe, &[Pair])> = Vec::new();
        for claim in claims {
            let Measure::Probe(probe) = claim.measure else { continue };
            if !probes.iter().any(|(own, pairs)| own.name == probe.name && *pairs == claim.pairs) {
                probes.push((probe, &claim.pairs));
            }
        }
        probes
    }

    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let searches: usize = self.parts.iter().map(|part| part.plan.pieces()).sum();
        self.probes().len() + searches
    }

    /// Runs everything; `done` is called once for each of [`Plan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Results {
        let mut results = Results {
            comparison: self.comparison,
            parts: Vec::new(),
            seed: self.seed,
            visits: Vec::new(),
            probed: probe_all(&self.probes(), self.seed, threads, done),
            looks: if self.is_chosen || self.parts.is_empty() { 1 } else { LOOKS },
        };
        for part in &self.parts {
            if part.set.follows {
                results.follow(&part.plan, threads, done);
            } else {
                results.add(part.set, part.plan.run(threads, done));
            }
        }
        for look in 1..results.looks {
            results.grow(1 << look, threads);
        }
        results
    }
}

fn searches(set: &SearchSet, seed: u64, count: Option<usize>) -> ComparisonPlan {
    let conditions = set.trees.iter().map(|trees| {
        let mut trees = trees.clone();
        if let (Some(count), Trees::Kalah(kalah)) = (count, &mut trees) {
            match &mut kalah.ensemble {
                Ensemble::Positions(own) | Ensemble::Games(own) => *own = count,
                Ensemble::Start | Ensemble::Given(_) => {}
            }
        }
        Condition { trees, seed }
    });
    ComparisonPlan {
        conditions: conditions.collect(),
        depths: set.depths.clone(),
        methods: set.methods.clone(),
        timed_runs: set.rounds,
    }
}

impl Results {
    fn add(&mut self, set: &'static SearchSet, measurements: Measurements) {
        match self.parts.iter_mut().find(|own| own.set.name == set.name) {
            Some(own) => own.measurements.0.extend(measurements.0),
            None => self.parts.push(PartResults { set, measurements }),
        }
    }

    fn follow(&mut self, plan: &ComparisonPlan, threads: usize, done: &(dyn Fn() + Sync)) {
        for condition in &plan.conditions {
            for &depth in &plan.depths {
                self.visits.push(census(condition, depth, threads, done));
            }
        }
    }

    /// Enlarges the samples on which a claim is open, to `times` their first size.
    fn grow(&mut self, times: usize, threads: usize) {
        let mut wanted: Vec<(&'static str, Condition)> = Vec::new();
        for (claim, cases) in self.judged() {
            for (case, verdict) in cases {
                let (low, high) = case.figure.bounds();
                let is_wide = claim.measure.unit() != Unit::Percent || high - low > WIDTH;
                // Groups that are added are not timed, and counts must not depend on times.
                if verdict == Verdict::Open
                    && is_wide
                    && !matches!(case.figure.evidence, Evidence::Times { .. })
                    && let Some(condition) = case.sampled.filter(Condition::can_grow)
                {
                    wanted.extend(claim.sets.iter().map(|set| (*set, condition.clone())));
                }
            }
        }
        for part in &mut self.parts {
            let is_same = |one: &Measurement, other: &Measurement| {
                one.depth == other.depth && one.condition == other.condition
            };
            for own in part.measurements.0.chunk_by_mut(is_same) {
                let Measurement { condition, depth, .. } = &own[0];
                // Figures compare orders and depths, so that all of these grow together.
                let grows = wanted
                    .iter()
                    .any(|(name, like)| *name == part.set.name && condition.is_like(like));
                if grows {
                    let size = times * condition.groups(*depth);
                    grow(own, size, threads);
                }
            }
        }
    }

    /// The cases of each claim that this comparison tests.
    fn cases(&self) -> Vec<(&'static Claim, Vec<Case>)> {
        let mut tested = Vec::new();
        for claim in &RECORDS.claims {
            let mut cases = Vec::new();
            match claim.measure {
                Measure::Search(figure) => {
                    let parts =
                        self.parts.iter().filter(|part| claim.sets.contains(&part.set.name));
                    cases.extend(parts.flat_map(|part| claim.cases(figure, &part.measurements)));
                }
                Measure::Visits(figure, _) => cases.extend(self.followed(claim, figure)),
                Measure::Probe(probe) if claim.run == Some(self.comparison) => {
                    let own = self
                        .probed
                        .iter()
                        .find(|(name, pairs, _)| *name == probe.name && *pairs == claim.pairs);
                    cases.extend(own.into_iter().flat_map(|(.., cases)| cases.clone()));
                }
                Measure::Probe(_) => {}
            }
            if !cases.is_empty() {
                tested.push((claim, cases));
            }
        }
        tested
    }

    fn followed(&self, claim: &Claim, figure: &str) -> Vec<Case> {
        let mut cases = Vec::new();
        for census in &self.visits {
            let covers = claim.covers(&census.condition, census.depth);
            let own = census.figures.iter().filter(|(own, _)| covers && *own == figure);
            cases.extend(own.map(|(_, figure)| Case {
                condition: format!("{}, d {}", census.condition.words(), census.depth),
                figure: *figure,
                sampled: None,
            }));
        }
        if !cases.is_empty() {
            let drawn = examples().into_iter().filter(|(own, ..)| *own == figure);
            cases.extend(drawn.map(|(_, name, figure)| Case {
                condition: format!("the tree {name}"),
                figure,
                sampled: None,
            }));
        }
        cases
    }

    /// The cases of each claim with their verdicts.
    pub(crate) fn judged(&self) -> Vec<(&'static Claim, Vec<(Case, Verdict)>)> {
        let tested = self.cases();
        let mut figures = Vec::new();
        for (claim, cases) in &tested {
            figures.extend(cases.iter().map(|case| (&claim.rule, case.figure)));
        }
        // All claims together, because Holm's limits depend on the number of figures in the run.
        let mut verdicts = judge(&figures, self.looks).into_iter();
        let judged = tested
            .into_iter()
            .map(|(claim, cases)| (claim, cases.into_iter().zip(&mut verdicts).collect()));
        judged.collect()
    }
}
