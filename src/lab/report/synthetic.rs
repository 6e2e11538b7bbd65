//! The findings on synthetic trees: the words, columns, charts and claims of three
//! pages.

use super::{in_short, split, tested, verdict_rows, verdicts};
use crate::lab::experiment::claim::{Case, Claim, Range, Unit};
use crate::lab::experiment::uniform::{Minimal, Outcome, Shape, ratio_one_high};
use crate::report::{Axis, Cell, Chart, Column, Findings, Marks, Picture, Section, Series, Table};
use crate::sys::statistics::Estimate;

const PEARL: &str = "Pearl 1980, cited by Hsu";
const HSU: &str = "Hsu's slides";
const REINEFELD: &str = "Reinefeld 1983";
const KNUTH: &str = "Knuth and Moore 1975";

/// The words of a page: its title, what was done, the heading of its table.
struct Words {
    title: &'static str,
    summary: &'static str,
    heading: &'static str,
}

/// A page: `headline` and the verdicts in short, the first of `pictures`, all
/// verdicts, and the `table` with the other pictures.
fn page(
    words: Words,
    headline: Table,
    table: Table,
    pictures: Vec<Picture>,
    claims: &[Claim],
) -> Findings {
    let mut pictures = pictures.into_iter().flat_map(split);
    let first = pictures.next();
    let in_short = Section {
        tables: vec![headline, in_short(claims)],
        pictures: first.into_iter().collect(),
        ..Section::in_brief()
    };
    let rows = table.clone();
    let measured = Section { pictures: pictures.collect(), ..Section::of(words.heading, table) };
    Findings {
        title: words.title.to_owned(),
        summary: words.summary.to_owned(),
        sections: vec![in_short, Section::of("Verdicts", verdicts(claims)), measured],
        verdicts: verdict_rows(claims),
        rows,
    }
}

/// Something of each outcome by width and height: a row for each value of one,
/// a column for each of the other, as many as a terminal has room for.
fn by_shape(
    caption: &str,
    outcomes: &[Outcome],
    (down, row): (&str, fn(&Shape) -> u16),
    (across, column): (&str, fn(&Shape) -> u16),
    cell: impl Fn(&Outcome) -> Cell,
) -> Table {
    // Small numbers all, greater ones in steps.
    let shown = |number: &u16| {
        *number <= 6 || matches!(number, 8 | 10 | 12 | 16) || number.is_multiple_of(10)
    };
    let columns: Vec<u16> = values(outcomes, column).into_iter().filter(shown).take(11).collect();
    let names: Vec<String> = columns.iter().map(|value| format!("{across} {value}")).collect();
    let headings: Vec<&str> = [down].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(caption, &headings);
    for value in values(outcomes, row) {
        let own = || outcomes.iter().filter(|found| row(&found.shape) == value);
        let at = |&wanted: &u16| own().find(|found| column(&found.shape) == wanted).map(&cell);
        let cells = columns.iter().map(|column| at(column).into());
        table.push([Cell::from(value)].into_iter().chain(cells).collect());
    }
    table.head(8)
}

/// The different values of `property`, ascending.
fn values(outcomes: &[Outcome], property: fn(&Shape) -> u16) -> Vec<u16> {
    let mut values: Vec<u16> = outcomes.iter().map(|outcome| property(&outcome.shape)).collect();
    values.sort_unstable();
    values.dedup();
    values
}

fn width(shape: &Shape) -> u16 {
    shape.width
}

fn height(shape: &Shape) -> u16 {
    shape.height
}

/// A line for each value of `group`: `y` by the value of `x`.
fn lines(
    outcomes: &[Outcome],
    (name, group): (&str, fn(&Shape) -> u16),
    x: fn(&Shape) -> u16,
    y: impl Fn(&Outcome) -> Estimate,
) -> Marks {
    let line = |value| {
        let own = outcomes.iter().filter(|outcome| group(&outcome.shape) == value);
        let point = |outcome: &Outcome| {
            let estimate = y(outcome);
            ((f64::from(x(&outcome.shape)), estimate.value), estimate.error)
        };
        let (points, errors) = own.map(point).unzip();
        Series { name: format!("{name} = {value}"), points, errors }
    };
    Marks::Lines(values(outcomes, group).into_iter().map(line).collect())
}

fn case(shape: &Shape, what: &str, figure: Estimate) -> Case {
    Case { condition: format!("b = {}, d = {}{what}", shape.width, shape.height), figure }
}

/// A case for each outcome for which there is a figure.
fn cases(
    outcomes: &[Outcome],
    what: &str,
    figure: impl Fn(&Outcome) -> Option<Estimate>,
) -> Vec<Case> {
    let case = |outcome: &Outcome| Some(case(&outcome.shape, what, figure(outcome)?));
    outcomes.iter().filter_map(case).collect()
}

/// The leaves of method 1 over those of method 0.
fn ratio(outcome: &Outcome) -> Estimate {
    outcome.ratio(1, 0)
}

/// The d-th root of [`ratio`].
fn root(outcome: &Outcome) -> Estimate {
    let height = f64::from(outcome.shape.height);
    ratio(outcome).with(Estimate::exact(height), |ratio, height| ratio.powf(1.0 / height))
}

fn gain(outcome: &Outcome) -> Estimate {
    outcome.saved(1, 0)
}

/// A figure with three decimals and its error.
fn number(figure: fn(&Outcome) -> Estimate) -> impl Fn(&&Outcome) -> Cell {
    move |outcome| Cell::Number(figure(outcome).value, 3)
}

fn columns<'a>(own: &[Column<'a, &'a Outcome>]) -> Vec<Column<'a, &'a Outcome>> {
    let shape: [Column<'a, &'a Outcome>; 4] = [
        ("Width b", &|outcome| outcome.shape.width.into()),
        ("Depth d", &|outcome| outcome.shape.height.into()),
        ("Trees", &|outcome| outcome.shape.trees.into()),
        ("F3 leaves", &|outcome| Cell::Number(outcome.leaves(0).value, 1)),
    ];
    [&shape, own].concat()
}

/// Pearl's ratio r(b,d). Method 0 is alpha-beta, method 1 SCOUT.
pub(crate) fn pearl(outcomes: &[Outcome], seed: u64) -> Findings {
    let ratio_column = number(ratio);
    let root_column = number(root);
    let table = Table::of(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; alpha-beta F3 with a full \
             window, cut at >=; means over trees, repeats counted"
        ),
        outcomes,
        &columns(&[
            ("SCOUT leaves", &|outcome| Cell::Number(outcome.leaves(1).value, 1)),
            ("Ratio r", &ratio_column),
            ("Error", &|outcome| Cell::Number(ratio(outcome).error, 3)),
            ("d-th root", &root_column),
        ]),
    );
    let picture = |name: &str, title: &str, label: &str, y: fn(&Outcome) -> Estimate| {
        let chart = Chart {
            title: title.to_owned(),
            subtitle: format!(
                "Uniform trees of width b, continuous random leaves, seed {seed}; against F3, cut \
                 at >="
            ),
            x: Axis::whole("depth d"),
            y: Axis::linear(label),
            marks: lines(outcomes, ("b", width), height, y),
            levels: vec![(1.0, "as many".to_owned()), (1.275, "1.275 (slides)".to_owned())],
        };
        let caption = "Above 1 SCOUT visits more leaves than alpha-beta. Bars are standard errors.";
        Picture { name: name.to_owned(), chart, caption: caption.to_owned() }
    };
    let words = Words {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio r(b,d)",
        summary: "Pearl, Artificial Intelligence 14(2), 1980, compares the expected leaves of \
                  SCOUT and alpha-beta on uniform trees. Slides that cite him give a bound of \
                  1.275 and r(2,20) near 1.04, without saying whether of the ratio or of its d-th \
                  root: both are judged.",
        heading: "Ratios",
    };
    let pictures = vec![
        picture("ratio", "Leaves of SCOUT over leaves of alpha-beta", "ratio r(b,d)", ratio),
        picture(
            "root",
            "The same ratio, its d-th root: the factor for each move",
            "d-th root",
            root,
        ),
    ];
    let headline = by_shape(
        "Leaves of SCOUT over leaves of alpha-beta by width b and depth d",
        outcomes,
        ("b", width),
        ("d", height),
        |outcome| Cell::Number(ratio(outcome).value, 3),
    );
    page(words, headline, table, pictures, &pearl_claims(outcomes))
}

fn pearl_claims(outcomes: &[Outcome]) -> Vec<Claim> {
    let claim = |statement, source, range, cases| {
        Claim::new(Unit::Number(3), statement, source, range, cases)
    };
    let both = |wanted: fn(&Shape) -> bool| {
        let at = |figure: fn(&Outcome) -> Estimate| {
            move |outcome: &Outcome| wanted(&outcome.shape).then(|| figure(outcome))
        };
        [cases(outcomes, "", at(ratio)), cases(outcomes, ", d-th root", at(root))]
    };
    let [ratios, roots] = both(|_| true);
    // The expectation at depth 1 is known: no sample is needed.
    let exact = cases(outcomes, ", exact", |Outcome { shape, .. }| {
        (shape.height == 1).then(|| Estimate::exact(ratio_one_high(shape.width)))
    });
    let bounded = [ratios.clone(), exact].concat();
    tested(vec![
        claim("r(b,d) >= 1", PEARL, Range::at_least(1.0), ratios),
        claim("r(b,d) falls in b", PEARL, Range::below(0.0), steps(outcomes, width)),
        claim("r(b,d) falls in d", PEARL, Range::below(0.0), steps(outcomes, height)),
        claim(
            "r(b,20) is near 1 (within 0.05)",
            PEARL,
            Range::between(0.95, 1.05),
            both(|shape| shape.height == 20).concat(),
        ),
        claim("r(b,d) is at most 1.275, as the ratio", PEARL, Range::at_most(1.275), bounded),
        claim("r(b,d) is at most 1.275, as its d-th root", PEARL, Range::at_most(1.275), roots),
        claim(
            "r(2,20) is 1.04 as printed",
            PEARL,
            Range::between(1.035, 1.045),
            both(|shape| (shape.width, shape.height) == (2, 20)).concat(),
        ),
        claim(
            "F3 takes b^(3d/4) leaves in random order",
            HSU,
            Range::at_most(0.75),
            cases(outcomes, "", |outcome| exponent(outcomes, outcome)),
        ),
    ])
}

/// The change of the ratio from each shape to the next in one direction.
fn steps(outcomes: &[Outcome], along: fn(&Shape) -> u16) -> Vec<Case> {
    cases(outcomes, "", |outcome| {
        let across = |shape: &Shape| (shape.width + shape.height).wrapping_sub(along(shape));
        let before = outcomes.iter().filter(|other| {
            across(&other.shape) == across(&outcome.shape)
                && along(&other.shape) < along(&outcome.shape)
        });
        let before = before.max_by_key(|other| along(&other.shape))?;
        Some(ratio(outcome).with(ratio(before), |after, before| after - before))
    })
}

/// To which power of b alpha-beta's leaves grow in a move, over the last two.
fn exponent(outcomes: &[Outcome], deep: &Outcome) -> Option<Estimate> {
    let Shape { width, height, .. } = deep.shape;
    let at = |height| outcomes.iter().find(|o| (o.shape.width, o.shape.height) == (width, height));
    let shallow = at(height.checked_sub(2)?)?;
    let two = 2.0 * f64::from(width).ln();
    // Only the greatest depth is near what the order of growth speaks of.
    at(height + 1).is_none().then(|| {
        deep.leaves(0).with(shallow.leaves(0), |deep, shallow| (deep / shallow).ln() / two)
    })
}

/// Reinefeld's gain. Method 0 is alpha-beta, method 1 NegaScout with the
/// "depth < 3" rule.
pub(crate) fn reinefeld(outcomes: &[Outcome], seed: u64) -> Findings {
    let table = Table::of(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; NegaScout F4 with the depth \
             < 3 rule against alpha-beta F3, full window, cut at >=; repeats counted"
        ),
        outcomes,
        &columns(&[
            ("NegaScout leaves", &|outcome| Cell::Number(outcome.leaves(1).value, 1)),
            ("Gain %", &|outcome| Cell::Estimate(gain(outcome).value, gain(outcome).error, 1)),
        ]),
    );
    let chart = Chart {
        title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees, continuous random leaves, seed {seed}; depth < 3 rule, against F3, \
             cut at >="
        ),
        x: Axis::whole("width b"),
        y: Axis::linear("leaves saved, %"),
        marks: lines(outcomes, ("d", height), width, gain),
        levels: vec![(10.0, "10 %".to_owned()), (20.0, "20 %".to_owned())],
    };
    let caption = "Reinefeld's claim lies between the dashed lines. Bars are standard errors.";
    let pictures = vec![Picture { name: "gain".to_owned(), chart, caption: caption.to_owned() }];
    let words = Words {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain",
        summary: "Reinefeld, ICCA Journal 6(4), 1983, claims that NegaScout saves 10 to 20 % of \
                  alpha-beta's leaves on wide random trees.",
        heading: "Gains",
    };
    let headline = by_shape(
        "Leaves that NegaScout saves, in percent, by depth d and width b",
        outcomes,
        ("d", height),
        ("b", width),
        |outcome| super::estimate(gain(outcome), 1),
    );
    let gains = cases(outcomes, "", |outcome| Some(gain(outcome)));
    let claim = |statement, source, range| {
        Claim::new(Unit::Percent, statement, source, range, gains.clone())
    };
    let claims = tested(vec![
        claim("NegaScout saves 10 to 20 %", REINEFELD, Range::between(10.0, 20.0)),
        claim("NegaScout is worse than F3 in random order", HSU, Range::below(0.0)),
    ]);
    page(words, headline, table, pictures, &claims)
}

/// Minimal trees. `names` are the methods' names, alpha-beta's first, SCOUT's
/// second.
pub(crate) fn minimal(outcomes: &[Outcome], names: &[String], seed: u64) -> Findings {
    let runs = outcomes.iter().flat_map(|outcome| {
        let cost = Minimal::of(&outcome.shape);
        let runs = names.iter().zip(outcome.counts.iter().flatten());
        runs.map(move |(name, counts)| (&outcome.shape, name, *counts, cost))
    });
    let table = Table::of(
        &format!(
            "Uniform trees, best child first, seed {seed}; full window, cut at >=; repeats counted"
        ),
        runs,
        &[
            ("Width b", &|(shape, ..)| shape.width.into()),
            ("Height l", &|(shape, ..)| shape.height.into()),
            ("Algorithm", &|(_, name, ..)| name.as_str().into()),
            ("Leaves", &|(_, _, counts, _)| counts.leaves.into()),
            ("Formula", &|(.., cost)| cost.leaves.into()),
            ("Nodes", &|(_, _, counts, _)| counts.nodes().into()),
            ("H2", &|(.., cost)| cost.nodes.into()),
            ("Old H2", &|(.., cost)| cost.old_nodes.into()),
            ("H1", &|(.., cost)| cost.test_nodes.into()),
        ],
    );
    let chart = Chart {
        title: "Nodes of alpha-beta over nodes of two tests, on minimal trees".to_owned(),
        subtitle: format!("Uniform trees of width b, best child first, seed {seed}: H2 / (2 H1)"),
        x: Axis::whole("height l"),
        y: Axis::linear("H2 / (2 H1)"),
        marks: lines(outcomes, ("b", width), height, beside_two_tests),
        levels: vec![(1.0, "two tests".to_owned())],
    };
    let caption = "At 1 or above, a tree is not cheaper to evaluate than to test twice.";
    let pictures = vec![Picture { name: "tests".to_owned(), chart, caption: caption.to_owned() }];
    let words = Words {
        title: "Minimal trees: the best child first",
        summary: "With the best child first alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once.",
        heading: "Counts",
    };
    let headline = by_shape(
        "Nodes that alpha-beta visits, by width b and height l",
        outcomes,
        ("b", width),
        ("l", height),
        |outcome| outcome.counts[0][0].nodes().into(),
    );
    page(words, headline, table, pictures, &minimal_claims(outcomes, names))
}

/// The nodes of method 0 over those of two tests.
fn beside_two_tests(outcome: &Outcome) -> Estimate {
    let tests = 2.0 * Minimal::tested(&outcome.shape) as f64;
    Estimate::exact(outcome.counts[0][0].nodes() as f64 / tests)
}

fn minimal_claims(outcomes: &[Outcome], names: &[String]) -> Vec<Claim> {
    let count = |statement, source, range, cases| {
        Claim::new(Unit::Number(0), statement, source, range, cases)
    };
    let exact = |count: i128| Some(Estimate::exact(count as f64));
    // How far the counts of all algorithms are from a formula at most.
    let away = |counted: fn(&crate::lab::Counts) -> u64, formula: fn(&Minimal) -> u64| {
        cases(outcomes, "", |outcome| {
            let wanted = i128::from(formula(&Minimal::of(&outcome.shape)));
            let away = outcome.counts[0].iter().map(|counts| i128::from(counted(counts)) - wanted);
            exact(away.max_by_key(|away| away.abs()).unwrap_or(0))
        })
    };
    let zero = Range::between(0.0, 0.0);
    let nodes = crate::lab::Counts::nodes;
    let tests = cases(outcomes, "", |Outcome { shape, .. }| {
        exact(i128::from(Minimal::tested(shape)) - i128::from(Minimal::of(shape).test_nodes))
    });
    let wide =
        cases(outcomes, "", |outcome| (outcome.shape.width > 3).then(|| beside_two_tests(outcome)));
    let scout = names.iter().position(|name| name == "scout");
    let saved = cases(outcomes, "", |outcome| Some(outcome.saved(scout?, 0)));
    tested(vec![
        count(
            "Leaves are b^ceil(l/2) + b^floor(l/2) - 1",
            KNUTH,
            zero,
            away(|counts| counts.leaves, |cost| cost.leaves),
        ),
        count("TEST visits H1 nodes", HSU, zero, tests),
        count("Alpha-beta visits H2 nodes", HSU, zero, away(nodes, |cost| cost.nodes)),
        count(
            "Alpha-beta visits the older H2 nodes",
            HSU,
            zero,
            away(nodes, |cost| cost.old_nodes),
        ),
        Claim::new(
            Unit::Number(3),
            "H2 >= 2 H1 for b > 3 (ratio)",
            HSU,
            Range::at_least(1.0),
            wide,
        ),
        Claim::new(Unit::Percent, "SCOUT cuts more in best cases", HSU, Range::above(0.0), saved),
    ])
}
