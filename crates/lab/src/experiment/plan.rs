//! What a comparison runs: the sets of searches in the records, or one that the caller chooses.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980, could not be found, so its board, its evaluation, its order
//! of moves and its treatment of extra turns are unknown; each claim that is cited from it is
//! tested under many conditions.

use std::collections::{BTreeMap, HashMap};

use crate::algorithms::{Method, MethodError};

use super::bandits::{self, BanditPlan};
use super::claim::{Claim, Comparison, RECORDS, SearchSet};
use super::condition::{Condition, Trees, TreesPerShape};
use super::ensemble::Ensemble;
use super::figure::{Experiment, MeasuredBy};
use super::judge::{Case, Evidence, Unit, Verdict, judge};
use super::matches::MatchPlan;
use super::measure::{ComparisonPlan, Measurement, Measurements, distinct, grow};
use super::visits::{VisitCensus, census, examples};
use kalah_sys::parallel::map;

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
    /// The cases of the claims that no searches test.
    own: Vec<(&'static Claim, Vec<Case>)>,
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
        // Only binary trees can be as deep as Pearl's.
        let is_wide = comparison == Comparison::Pearl && widths.is_some();
        let usual = if is_wide { Some(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10][..]) } else { None };
        let depths = depths.or(usual);
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

    /// The claims of the comparison that no searches test.
    fn claims(&self) -> impl Iterator<Item = &'static Claim> {
        let run = if self.is_chosen { None } else { Some(self.comparison) };
        RECORDS.claims.iter().filter(move |claim| claim.run.is_some() && claim.run == run)
    }

    /// The experiments of their own that the claims need, with the names of their figures.
    fn experiments(&self) -> BTreeMap<&'static str, Experiment> {
        let needed = self.claims().filter_map(|claim| match claim.measure.measured_by {
            MeasuredBy::Experiment(cases) => Some((claim.measure.name, cases)),
            _ => None,
        });
        needed.collect()
    }

    /// The rivals of the matches that the claims need.
    fn rivals(&self) -> Vec<[Method; 2]> {
        let claims =
            self.claims().filter(|claim| matches!(claim.measure.measured_by, MeasuredBy::Points));
        distinct(claims.flat_map(Claim::rivals))
    }

    /// Whether the claims need bandits.
    fn needs_bandits(&self) -> bool {
        self.claims().any(|claim| matches!(claim.measure.measured_by, MeasuredBy::Regret(_)))
    }

    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let searches: usize = self.parts.iter().map(|part| part.plan.pieces()).sum();
        let games = self.rivals().len() * MatchPlan::standard(self.seed).pairs;
        let runs = if self.needs_bandits() { BanditPlan::STANDARD_PIECES } else { 0 };
        searches + self.experiments().len() + games + runs
    }

    /// The cases of the claims that no searches test.
    fn own_cases(
        &self,
        threads: usize,
        done: &(dyn Fn() + Sync),
    ) -> Vec<(&'static Claim, Vec<Case>)> {
        let needed: Vec<_> = self.experiments().into_iter().collect();
        let tested = map(&needed, threads, done, |(name, cases)| (*name, cases(self.seed)));
        let experiments: HashMap<_, _> = tested.into_iter().collect();
        let matches = MatchPlan::standard(self.seed).cases(&self.rivals(), threads, done);
        let curves = if self.needs_bandits() {
            BanditPlan::standard(self.seed).run(threads, done)
        } else {
            Vec::new()
        };
        let cases_of = |claim: &Claim| match claim.measure.measured_by {
            MeasuredBy::Points => claim.rivals().map(|rivals| matches[&rivals].clone()).collect(),
            MeasuredBy::Regret(figure) => bandits::cases(&curves, &claim.pairs, figure),
            _ => experiments[claim.measure.name].clone(),
        };
        self.claims().map(|claim| (claim, cases_of(claim))).collect()
    }

    /// Runs everything; `done` is called once for each of [`Plan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Results {
        let mut results = Results {
            comparison: self.comparison,
            parts: Vec::new(),
            seed: self.seed,
            visits: Vec::new(),
            own: self.own_cases(threads, done),
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
                let is_wide = claim.measure.unit != Unit::Percent || high - low > WIDTH;
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
        for PartResults { set, measurements } in &mut self.parts {
            let size = |own: &Measurement| {
                // Figures compare orders and depths, so that all of these grow together.
                let grows = wanted
                    .iter()
                    .any(|(name, like)| *name == set.name && own.condition.is_like(like));
                if grows { times * own.condition.groups(own.depth) } else { 0 }
            };
            grow(&mut measurements.0, size, 0, threads, &|| ());
        }
    }

    /// The cases of each claim that this comparison tests.
    fn cases(&self) -> Vec<(&'static Claim, Vec<Case>)> {
        let cases = RECORDS.claims.iter().map(|claim| (claim, self.cases_of(claim)));
        cases.filter(|(_, cases)| !cases.is_empty()).collect()
    }

    fn cases_of(&self, claim: &Claim) -> Vec<Case> {
        match claim.measure.measured_by {
            MeasuredBy::Search(_) | MeasuredBy::Pair(_) | MeasuredBy::Pairs(_) => {
                let parts = self.parts.iter().filter(|part| claim.sets.contains(&part.set.name));
                parts.flat_map(|part| claim.cases(&part.measurements)).collect()
            }
            MeasuredBy::Visits => self.followed(claim),
            MeasuredBy::Experiment(_) | MeasuredBy::Points | MeasuredBy::Regret(_) => {
                let own = self.own.iter().filter(|(own, _)| own.id == claim.id);
                own.flat_map(|(_, cases)| cases.clone()).collect()
            }
        }
    }

    fn followed(&self, claim: &Claim) -> Vec<Case> {
        let figure = claim.measure.name;
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
