//! The findings of a comparison: its answer in brief, its verdicts, and everything measured.

use super::brief::Brief;
use super::curves::Curves;
use super::noe;
use super::searches::{leaves_saved, node_ratio, rows, sections};
use super::verdicts::Verdicts;
use crate::experiment::claim::{Comparison, RECORDS};
use crate::experiment::measure::Measurements;
use crate::experiment::plan::Results;
use kalah_tables::{Axis, Cell, Chart, Findings, Section, WIDTH};
use kalah_text::format::signed;

/// The lines of a terminal that the answer, the headline and the verdicts share.
const LINES: usize = 20;
/// The minimum number of lines of the headline.
const HEADLINE: usize = 7;

/// The findings of a comparison, without sections that have nothing to show.
pub fn report(results: &Results) -> Findings {
    let verdicts = Verdicts::new(results.judged());
    let none = Measurements::default();
    let first = results.parts.first().map_or(&none, |part| &part.measurements);
    let subtitle = format!("Uniform trees of width b, seed {}; means over trees", results.seed);
    let brief = match results.comparison {
        Comparison::Noe | Comparison::NoeFull => noe::brief(&verdicts, first),
        Comparison::Pearl => pearl(first, subtitle),
        Comparison::Reinefeld => reinefeld(first, subtitle),
        Comparison::Minimal | Comparison::Games | Comparison::Bandits => Brief::default(),
    };
    let headline = brief.headline.head(LINES.saturating_sub(verdicts.claims()).max(HEADLINE));
    let answer = brief.answer.len().div_ceil(WIDTH);
    let claims = LINES.saturating_sub(headline.len() + answer);
    let mut tables = vec![headline, verdicts.in_short(claims)];
    tables.retain(|table| !table.is_empty());
    let text = if verdicts.claims() == 0 {
        "No claim is about these conditions. Claims on Kalah need depth 5, and verdicts on time \
         need three timed runs of several positions."
            .to_owned()
    } else {
        brief.answer
    };
    let mut all = vec![Section {
        heading: "In brief".to_owned(),
        text,
        tables,
        pictures: brief.pictures,
        ..Section::default()
    }];
    all.extend(verdicts.sections());
    all.extend(brief.more);
    all.extend(sections(&results.parts));
    all.retain(|section| section.tables.iter().any(|table| !table.is_empty()));
    let heading = RECORDS.heading(results.comparison);
    Findings {
        title: heading.title.to_owned(),
        summary: heading.summary.to_owned(),
        sections: all,
        rows: rows(results),
        verdicts: verdicts.rows(),
        ..Findings::default()
    }
}

fn pearl(searched: &Measurements, subtitle: String) -> Brief {
    let curves = Curves::of_second(searched, node_ratio);
    let caption = "Nodes of SCOUT over nodes of alpha-beta by width b and depth d";
    Brief {
        headline: curves.table(caption, |ratio| Cell::Number(ratio.value, 3)),
        pictures: curves.charts(false, |_, _, _| Chart {
            name: "ratio".to_owned(),
            title: "Nodes of SCOUT over nodes of alpha-beta".to_owned(),
            subtitle: subtitle.clone(),
            x: Axis::whole("depth d"),
            y: Axis::linear("ratio r(b,d)"),
            levels: vec![(1.0, "equal".to_owned()), (1.275, "1.275 (slides)".to_owned())],
            caption: "Above 1, SCOUT visits more nodes than alpha-beta. Bars are standard errors."
                .to_owned(),
            ..Chart::default()
        }),
        ..Brief::default()
    }
}

fn reinefeld(searched: &Measurements, subtitle: String) -> Brief {
    let curves = Curves::of_second(searched, leaves_saved);
    let caption = "Leaves that NegaScout saves, in percent, by width b and depth d";
    Brief {
        headline: curves.table(caption, |saved| signed(saved.value, 1).into()),
        pictures: curves.charts(true, |_, _, _| Chart {
            name: "gain".to_owned(),
            title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
            subtitle: subtitle.clone(),
            x: Axis::whole("width b"),
            y: Axis::linear("leaves saved, %"),
            levels: vec![(10.0, "10 %".to_owned()), (20.0, "20 %".to_owned())],
            caption: "The claim lies between the dashed lines. Bars are standard errors."
                .to_owned(),
            ..Chart::default()
        }),
        ..Brief::default()
    }
}
