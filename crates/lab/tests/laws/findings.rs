//! What a comparison reports follows from what it has counted: every figure, every row and every
//! chart is computed a second time, from the counts that are exported.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use kalah_game::Rules;
use kalah_lab::experiment::claim::{Claim, Comparison, RECORDS};
use kalah_lab::experiment::condition::{Condition, KalahTrees};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::measure::ComparisonPlan;
use kalah_lab::experiment::pair::Pair;
use kalah_lab::experiment::plan::{Plan, Results, methods};
use kalah_lab::{ChildOrder, ExtraTurns, Method, findings};
use kalah_tables::statistics::median;
use kalah_tables::{Findings, Marks, Style, Table};
use serde::Deserialize;

use super::experiments::fields;

/// An exported search of one position, one game or one tree.
#[derive(Deserialize)]
struct Search {
    experiment: String,
    condition: String,
    depth: i32,
    algorithm: String,
    leaves: f64,
    interior: f64,
    ordering_evaluations: f64,
    re_searches: f64,
    value: f64,
    seconds: Vec<f64>,
}

type Sample<'a> = &'a [Search];

fn leaves(search: &Search) -> f64 {
    search.leaves
}

fn nodes(search: &Search) -> f64 {
    search.leaves + search.interior
}

fn sum(sample: Sample<'_>, count: fn(&Search) -> f64) -> f64 {
    sample.iter().map(count).sum()
}

fn mean(sample: Sample<'_>, count: fn(&Search) -> f64) -> f64 {
    sum(sample, count) / sample.len() as f64
}

fn saving(own: f64, other: f64) -> f64 {
    100.0 * (1.0 - own / other)
}

fn saved(own: Sample<'_>, other: Sample<'_>, count: fn(&Search) -> f64) -> f64 {
    saving(mean(own, count), mean(other, count))
}

/// The lower of the middle two numbers, as printed.
fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.retain(|number| number.is_finite());
    median(&mut numbers)
}

/// The searches by experiment, condition, depth and algorithm.
struct Searches(HashMap<(String, String, i32, String), Vec<Search>>);

impl Searches {
    fn new(results: &Results) -> Self {
        let mut lines = Vec::new();
        findings::raw(results, &mut lines).unwrap();
        let mut all: HashMap<_, Vec<Search>> = HashMap::new();
        for line in String::from_utf8(lines).unwrap().lines() {
            let search: Search = serde_json::from_str(line).unwrap();
            let experiment = search.experiment.clone();
            let condition = search.condition.clone();
            let key = (experiment, condition, search.depth, search.algorithm.clone());
            all.entry(key).or_default().push(search);
        }
        Self(all)
    }

    fn find(&self, place: &Place<'_>, method: Method) -> Option<Sample<'_>> {
        let Place { experiment, condition, depth } = place;
        let key = ((*experiment).to_owned(), condition.clone(), *depth, method.to_string());
        self.0.get(&key).map(Vec::as_slice)
    }

    /// The places at which an algorithm was measured in an experiment.
    fn places<'a>(&'a self, experiment: &'a str, method: Method) -> Vec<Place<'a>> {
        let keys = self
            .0
            .keys()
            .filter(|(own, .., algorithm)| own == experiment && *algorithm == method.to_string());
        let places = keys.map(|(_, condition, depth, _)| Place {
            experiment,
            condition: condition.clone(),
            depth: *depth,
        });
        places.collect()
    }
}

/// An experiment, a condition as it is printed, and a depth.
#[derive(Clone)]
struct Place<'a> {
    experiment: &'a str,
    condition: String,
    depth: i32,
}

const ORDERS: [&str; 4] = ["far", "near", "random", "static"];

impl Place<'_> {
    fn is_kalah(&self) -> bool {
        self.condition.starts_with('(')
    }

    fn width(&self) -> u16 {
        let number = self.condition.trim_start_matches(['(', 'b', ' ', '=']);
        number.split([',', ' ']).next().and_then(|text| text.parse().ok()).expect("a width")
    }

    /// The order of moves or, on uniform trees, the kind of leaves.
    fn order(&self) -> &str {
        let mut words = self.condition.split([' ', ',']);
        if self.is_kalah() {
            return words.find(|word| ORDERS.contains(word)).expect("an order");
        }
        words.nth(3).unwrap_or("continuous")
    }

    fn in_order(&self, order: Option<&str>) -> Self {
        let Some(order) = order else { return self.clone() };
        let own = format!(" {}", self.order());
        // Leaves are continuous unless the condition says otherwise.
        let plain = self.condition.replace(&own, "");
        let condition = match order {
            "continuous" => plain,
            _ if plain == self.condition => format!("{plain} {order}"),
            _ => self.condition.replace(&own, &format!(" {order}")),
        };
        Self { condition, ..*self }
    }

    fn at(&self, depth: i32) -> Self {
        Self { depth, ..self.clone() }
    }

    fn is_covered(&self, claim: &Claim) -> bool {
        let turns = ExtraTurns::ALL
            .into_iter()
            .find(|turns| self.condition.split(' ').any(|word| word == turns.name()));
        let turns = turns.unwrap_or(ExtraTurns::Compound);
        claim.depths.contains(&(self.depth as u16))
            && claim.widths.contains(&self.width())
            && (claim.orders.is_empty() || claim.orders.contains(&self.order()))
            && (claim.turns.is_empty() || !self.is_kalah() || claim.turns.contains(&turns))
    }
}

/// A figure at a place, and the median of the same figure of single trees.
type Figure = (f64, Option<f64>);

/// A pair of algorithms at a place.
struct Case<'a> {
    all: &'a Searches,
    place: &'a Place<'a>,
    pair: &'a Pair,
    own: Sample<'a>,
    depth: i32,
    width: f64,
}

impl<'a> Case<'a> {
    fn new(all: &'a Searches, place: &'a Place<'a>, pair: &'a Pair) -> Option<Self> {
        let own = all.find(place, pair.own.method)?;
        let width = f64::from(place.width());
        Some(Self { all, place, pair, own, depth: place.depth, width })
    }

    /// The figure with this name; none if it needs more than was measured.
    fn figure(&self, name: &str) -> Option<Figure> {
        match name {
            "leaves saved" => self.saved(leaves),
            "nodes saved" => self.saved(nodes),
            "re-searches saved" => self.saved(|search| search.re_searches),
            "evaluations saved" => self.saved(|search| search.leaves + search.ordering_evaluations),
            _ => {
                let changed = self.change(name).or_else(|| self.ratio(name));
                Some((changed.or_else(|| self.single(name))?, None))
            }
        }
    }

    fn method(&self) -> Method {
        self.pair.own.method
    }

    fn baseline(&self) -> Option<Sample<'a>> {
        let side = self.pair.baseline?;
        self.all.find(&self.place.in_order(side.order), side.method)
    }

    fn saved(&self, count: fn(&Search) -> f64) -> Option<Figure> {
        let other = self.baseline()?;
        let order = self.pair.baseline?.order.unwrap_or(self.place.order());
        // Only the same trees can be compared one by one.
        let is_same = self.place.is_kalah() || order == self.place.order();
        let each = self.own.iter().zip(other);
        let each = each.map(|(own, other)| saving(count(own), count(other)));
        let median = if is_same { Some(middle(each.collect())) } else { None };
        Some((saved(self.own, other, count), median))
    }

    fn saved_at(&self, place: &Place<'_>, own: Method, other: Method) -> Option<f64> {
        Some(saved(self.all.find(place, own)?, self.all.find(place, other)?, leaves))
    }

    fn ratio_at(&self, place: &Place<'_>) -> Option<f64> {
        let side = self.pair.baseline?;
        let other = self.all.find(&place.in_order(side.order), side.method)?;
        Some(mean(self.all.find(place, self.method())?, nodes) / mean(other, nodes))
    }

    fn shallower(&self) -> Option<Place<'a>> {
        let places = self.all.places(self.place.experiment, self.method()).into_iter();
        let own = places.filter(|other| other.condition == self.place.condition);
        own.filter(|other| other.depth < self.depth).max_by_key(|other| other.depth)
    }

    fn narrower(&self) -> Option<Place<'a>> {
        let places = self.all.places(self.place.experiment, self.method()).into_iter();
        let own =
            places.filter(|other| other.order() == self.place.order() && other.depth == self.depth);
        own.filter(|other| other.width() < self.place.width()).max_by_key(Place::width)
    }

    /// The logarithm of the factor by which leaves grow over the last two moves.
    fn growth(&self, place: &Place<'_>, method: Method) -> Option<f64> {
        let before = self.all.find(&place.at(self.depth - 2), method)?;
        Some((mean(self.all.find(place, method)?, leaves) / mean(before, leaves)).ln())
    }

    fn exponent(&self, place: &Place<'_>, method: Method) -> Option<f64> {
        if self.all.find(&place.at(self.depth + 1), method).is_some() {
            return None;
        }
        Some(self.growth(place, method)? / (2.0 * self.width.ln()))
    }

    fn change(&self, name: &str) -> Option<f64> {
        let side = self.pair.baseline?;
        let saved = |place: &Place<'_>| self.saved_at(place, self.method(), side.method);
        let distance = |place: &Place<'_>| Some((self.ratio_at(place)? - 1.0).abs());
        Some(match name {
            "leaves saved, change over two moves" => {
                saved(self.place)? - saved(&self.place.at(self.depth - 2))?
            }
            "leaves saved, change from another order" => {
                saved(self.place)? - saved(&self.place.in_order(Some(side.order?)))?
            }
            "leaves saved, change by a table" | "leaves saved, change by deepening" => {
                let suffix = if name.ends_with("table") { "+tt" } else { "+id" };
                let with = |method: Method| format!("{method}{suffix}").parse::<Method>().ok();
                let changed = self.saved_at(self.place, with(self.method())?, with(side.method)?);
                changed? - saved(self.place)?
            }
            "nodes, ratio, change with depth" => {
                self.ratio_at(self.place)? - self.ratio_at(&self.shallower()?)?
            }
            "nodes, ratio, change with width" => {
                self.ratio_at(self.place)? - self.ratio_at(&self.narrower()?)?
            }
            "nodes, ratio, distance from 1, change with depth" => {
                distance(self.place)? - distance(&self.shallower()?)?
            }
            "nodes, ratio, distance from 1, change with width" => {
                distance(self.place)? - distance(&self.narrower()?)?
            }
            "growth, exponent above" => {
                let other = self.place.in_order(side.order);
                self.exponent(self.place, self.method())? - self.exponent(&other, side.method)?
            }
            _ => return None,
        })
    }

    fn ratio(&self, name: &str) -> Option<f64> {
        let children = |sample| (mean(sample, nodes) - 1.0) / mean(sample, |own| own.interior);
        let other = || self.baseline();
        Some(match name {
            "time saved" => return self.time_saved(),
            "leaves, ratio" => mean(self.own, leaves) / mean(other()?, leaves),
            "trees with fewer leaves" => {
                let pairs = self.own.iter().zip(other()?);
                let hits = pairs.filter(|(own, other)| own.leaves < other.leaves).count();
                100.0 * hits as f64 / self.own.len() as f64
            }
            "nodes, ratio" => self.ratio_at(self.place)?,
            "nodes, ratio to twice" => self.ratio_at(self.place)? / 2.0,
            "nodes, d-th root of ratio" => {
                self.ratio_at(self.place)?.powf(1.0 / f64::from(self.depth))
            }
            "growth, exponent" if self.place.is_kalah() => {
                let other = self.growth(self.place, self.pair.baseline?.method)?;
                self.growth(self.place, self.method())? / other
            }
            "children visited, difference" => children(self.own) - children(other()?),
            "error saved" => {
                let baseline = self.pair.baseline?.method;
                let truth = self.all.find(&self.place.at(self.depth + 4), baseline)?;
                let error = |sample: Sample<'_>| -> f64 {
                    let pairs = sample.iter().zip(truth);
                    pairs.map(|(own, truth)| (own.value - truth.value).abs()).sum()
                };
                saving(error(self.own), error(other()?))
            }
            _ => return None,
        })
    }

    /// The median of the rounds, of which three are needed.
    fn time_saved(&self) -> Option<f64> {
        let other = self.baseline()?;
        let rounds = self.own.first()?.seconds.len().min(other.first()?.seconds.len());
        if rounds < 3 || self.own.len() < 2 {
            return None;
        }
        let round = |sample: Sample<'_>, nth: usize| -> f64 {
            sample.iter().filter_map(|search| search.seconds.get(nth)).sum()
        };
        let saved = (0..rounds).map(|nth| saving(round(self.own, nth), round(other, nth)));
        Some(middle(saved.collect()))
    }

    /// A figure that needs no baseline.
    fn single(&self, name: &str) -> Option<f64> {
        let Self { own, width, depth, .. } = *self;
        // Knuth and Moore, "An analysis of alpha-beta pruning", 1975; the others as in Hsu's
        // slides.
        let half = width.powi(depth / 2);
        let minimal = width.powi((depth + 1) / 2) + half - 1.0;
        let h1 = 2.0 * (half * width - 1.0) / (width - 1.0) - half;
        let h2 = 2.0 * h1 + half - f64::from(depth + 2);
        let first = own.first()?;
        Some(match name {
            "leaves, ratio to half the depth" if self.place.is_kalah() => {
                let minimax = self.all.find(&self.place.at(depth / 2), "minimax".parse().ok()?)?;
                if depth % 2 != 0 {
                    return None;
                }
                mean(own, leaves) / mean(minimax, leaves)
            }
            "leaves, ratio to half the depth" => {
                mean(own, leaves) / width.powf(f64::from(depth) / 2.0)
            }
            "growth, exponent" if !self.place.is_kalah() => {
                self.exponent(self.place, self.method())?
            }
            "leaves beyond the minimal tree" => leaves(first) - minimal,
            "leaves beyond b^d" => leaves(first) - width.powi(depth),
            "nodes beyond all" => nodes(first) - (0..=depth).map(|l| width.powi(l)).sum::<f64>(),
            "nodes beyond H1" => nodes(first) - h1,
            "nodes beyond H2" => nodes(first) - h2,
            "nodes beyond the older H2" => nodes(first) - (h2 - half / width),
            _ => return None,
        })
    }
}

/// The figures that this reference cannot compute: it does not know which leaves were visited, and
/// which value is right.
const OTHERS: [&str; 2] = ["trees with other leaves", "wrong values"];

/// The cases of a claim in the words of a report, with their figures.
fn cases(claim: &Claim, name: &str, all: &Searches) -> Vec<(String, Figure)> {
    let mut cases = Vec::new();
    for (pair, set) in
        claim.pairs.iter().flat_map(|pair| claim.sets.iter().map(move |set| (pair, set)))
    {
        let method = pair.own.method;
        let words = match pair.baseline {
            Some(baseline) => format!("{method} against {}", baseline.method),
            None => method.to_string(),
        };
        let mut places = all.places(set, method);
        places.retain(|place| place.is_covered(claim));
        match name {
            "leaves saved, trend with width" => {
                let groups: BTreeSet<_> =
                    places.iter().map(|own| (own.order(), own.depth)).collect();
                for (order, depth) in groups {
                    let own =
                        places.iter().filter(|own| (own.order(), own.depth) == (order, depth));
                    let points = own.filter_map(|place| trend(place, all, pair));
                    if let Some(slope) = slope(&points.collect::<Vec<_>>()) {
                        cases.push((format!("{order}, d {depth}, {words}"), (slope, None)));
                    }
                }
            }
            _ => {
                places.retain(|place| pair.own.order.is_none_or(|order| order == place.order()));
                for place in places {
                    let words =
                        if claim.pairs.len() > 1 { format!(", {words}") } else { String::new() };
                    let condition = format!("{}, d {}{words}", place.condition, place.depth);
                    let figure = Case::new(all, &place, pair).and_then(|case| case.figure(name));
                    cases.extend(figure.map(|figure| (condition, figure)));
                }
            }
        }
    }
    cases
}

/// The width, the saving of leaves and its standard error.
fn trend(place: &Place<'_>, all: &Searches, pair: &Pair) -> Option<[f64; 3]> {
    let own = all.find(place, pair.own.method)?;
    let other = all.find(place, pair.baseline?.method)?;
    // Cochran, "Sampling techniques", 1977, 6.4: the error of a ratio of means.
    let ratio = mean(own, leaves) / mean(other, leaves);
    let squares: f64 =
        own.iter().zip(other).map(|(own, other)| (own.leaves - ratio * other.leaves).powi(2)).sum();
    let count = own.len() as f64;
    let error = (squares / (count - 1.0) / count).sqrt() / mean(other, leaves);
    Some([place.width().into(), saved(own, other, leaves), 100.0 * error])
}

/// The slope of the line through points of which each weighs as the square of its error demands.
fn slope(points: &[[f64; 3]]) -> Option<f64> {
    let weighted = |of: fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|[x, y, error]| of(*x, *y) / error.max(1e-3).powi(2)).sum()
    };
    let all = weighted(|_, _| 1.0);
    let x = weighted(|x, _| x);
    let squares = weighted(|x, _| x * x) - x * x / all;
    let products = weighted(|x, y| x * y) - x * weighted(|_, y| y) / all;
    if points.len() > 1 { Some(products / squares) } else { None }
}

/// The lines of a table by their columns.
fn lines(table: &Table) -> Vec<HashMap<String, String>> {
    let text = table.to_text(Style::Csv);
    let mut lines = text.lines().map(fields);
    let head = lines.next().expect("a heading");
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

/// Whether a rule such as `above 40` or `10 to 20` is true of a figure.
fn is_true(rule: &str, figure: f64) -> bool {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    match rule.rsplit_once(' ').expect("words") {
        ("above", end) => figure > number(end),
        ("at least", end) => figure >= number(end),
        ("below", end) => figure < number(end),
        ("at most", end) => figure <= number(end),
        ("exactly", end) => figure == number(end),
        (range, end) => {
            let start = range.strip_suffix(" to").expect("a range");
            number(start) <= figure && figure <= number(end)
        }
    }
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6 * expected.abs().max(1.0)
}

/// Checks every verdict and every row against the exported searches; returns the names of the
/// figures that were computed again.
fn check(results: &Results, findings: &Findings) -> BTreeSet<&'static str> {
    let all = Searches::new(results);
    let mut checked = BTreeSet::new();
    let verdicts = lines(&findings.verdicts);
    for line in &verdicts {
        let number = |name: &str| line[name].parse::<f64>().expect(name);
        let claim = RECORDS.claims.iter().find(|claim| claim.id == line["id"]).expect("a record");
        assert_eq!(line["measured"], claim.figure);
        // The bounds of shares are rounded.
        let low = number("low") - 1e-9;
        let high = number("high") + 1e-9;
        assert!((low..=high).contains(&number("figure")), "{line:?}");
        match line["verdict"].as_str() {
            "holds" | "none found" => assert!(is_true(&line["rule"], number("figure")), "{line:?}"),
            "fails" => assert!(!is_true(&line["rule"], number("figure")), "{line:?}"),
            _ => {}
        }
    }
    for claim in &RECORDS.claims {
        let measure = claim.measure;
        if !measure.is_of_searches() || OTHERS.contains(&measure.name) {
            continue;
        }
        let own = verdicts.iter().filter(|line| line["id"] == claim.id);
        let mut found: Vec<_> = own
            .map(|line| {
                let figure = line["figure"].parse::<f64>().expect("a figure");
                (line["condition"].clone(), (figure, line["median"].parse::<f64>().ok()))
            })
            .collect();
        let mut expected = cases(claim, measure.name, &all);
        expected.retain(|(_, (figure, _))| !figure.is_nan());
        for cases in [&mut found, &mut expected] {
            cases.sort_by(|(a, (x, _)), (b, (y, _))| (a, x).partial_cmp(&(b, y)).unwrap());
        }
        assert_eq!(found.len(), expected.len(), "{}: {found:?} {expected:?}", claim.id);
        for ((condition, (figure, median)), (own, (expected, own_median))) in
            found.iter().zip(&expected)
        {
            assert_eq!(condition, own, "{}", claim.id);
            assert!(is_near(*figure, *expected), "{}, {own}: {figure} {expected}", claim.id);
            if let (Some(median), Some(own_median)) = (median, own_median) {
                assert!(is_near(*median, *own_median), "{}, {own}", claim.id);
            }
            checked.insert(measure.name);
        }
    }
    let mut counted = 0.0;
    for row in lines(&findings.rows) {
        let number = |name: &str| row[name].parse::<f64>().expect(name);
        counted += number("leaves") + number("interior");
    }
    let exported = all.0.values().flatten();
    let exported: f64 = exported.map(nodes).sum();
    assert_eq!(counted, exported, "rows have the sums of their searches");
    checked
}

/// Processor times in proportion to the nodes, so that they are the same in every run.
fn timed(results: &mut Results) {
    for own in results.parts.iter_mut().flat_map(|part| &mut part.measurements.0) {
        let cost = 1e-7 * own.method.to_string().len() as f64;
        let first = own.groups.iter().take(2);
        let costs: Vec<f64> = first.map(|group| cost * group.counts.nodes() as f64).collect();
        let rounds = [1.0, 1.3, 1.1].map(|round| costs.iter().map(|cost| cost * round).collect());
        own.rounds = rounds.into();
    }
}

/// The whole comparison on samples that begin with two positions.
pub(super) static NOE: LazyLock<Results> = LazyLock::new(|| {
    let mut results = Plan::of(Comparison::Noe, 1, Some(2)).with_rounds(Some(0)).run(2, &|| ());
    timed(&mut results);
    results
});

/// A comparison on uniform trees of few shapes.
pub(super) fn uniform(comparison: Comparison) -> Results {
    let shaped = |widths: &[u16], depths: &[u16], trees| {
        Plan::shaped(comparison, 1, Some(widths), Some(depths), Some(trees))
    };
    let plan = match comparison {
        Comparison::Minimal => Plan::of(comparison, 1, None),
        Comparison::Reinefeld => shaped(&[5, 6, 7, 30], &[2, 3], 4),
        _ => shaped(&[2, 3, 4], &[1, 2, 3, 4], 10),
    };
    plan.run(2, &|| ())
}

#[test]
#[ignore = "slow: .ci/run"]
fn every_figure_follows_from_the_exported_searches() {
    let mut checked = check(&NOE, &findings::report(&NOE));
    for comparison in [Comparison::Pearl, Comparison::Reinefeld, Comparison::Minimal] {
        let results = uniform(comparison);
        checked.extend(check(&results, &findings::report(&results)));
    }
    let measures = RECORDS.claims.iter().map(|claim| claim.measure);
    let of_searches = measures.filter(|measure| measure.is_of_searches());
    let mut named: BTreeSet<_> = of_searches.map(|measure| measure.name).collect();
    named.retain(|name| !OTHERS.contains(name));
    assert_eq!(checked, named);
}

#[test]
fn every_line_of_the_charts_follows_from_the_exported_searches() {
    let kalah = KalahTrees { ensemble: Ensemble::Positions(4), ..KalahTrees::default() };
    let orders = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Static];
    let trees = kalah.varied(&[Rules::default()], &[ExtraTurns::Compound], &orders).into_iter();
    let plan = ComparisonPlan {
        conditions: trees.map(|trees| Condition { trees, seed: 1 }).collect(),
        depths: vec![1, 2, 3, 4, 5],
        methods: methods("f3,f2,f1,scout").unwrap(),
        timed_runs: 0,
    };
    let results = Plan::chosen(Comparison::Noe, 1, plan).run(2, &|| ());
    let all = Searches::new(&results);
    let scout: Method = "scout".parse().unwrap();
    let mut drawn = Vec::new();
    let findings = findings::report(&results);
    for section in findings.sections.iter().filter(|section| section.heading.contains("by depth")) {
        for chart in &section.pictures {
            let Marks::Lines(series) = &chart.marks else { continue };
            let (_, baseline) = chart.title.rsplit_once(' ').expect("a baseline");
            let baseline = baseline.to_lowercase();
            drawn.push(baseline.clone());
            assert_eq!(series.len(), orders.len(), "{}", chart.title);
            for (line, order) in series.iter().zip(orders) {
                assert_eq!(line.name, order.name());
                let expected = (1..=5).map(|depth| {
                    let condition = format!("(6,4) {order}");
                    let place = Place { experiment: "comparison", condition, depth };
                    let other = all.find(&place, baseline.parse().unwrap()).expect("a search");
                    (depth, saved(all.find(&place, scout).expect("a search"), other, leaves))
                });
                for ((depth, saved), point) in expected.zip(&line.points) {
                    assert!(point.0 == f64::from(depth) && is_near(point.1, saved), "{point:?}");
                }
                assert_eq!(line.points.len(), 5);
            }
        }
    }
    assert_eq!(drawn, ["f3", "f2"]);
}
