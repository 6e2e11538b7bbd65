//! What was found, ready to be shown in any way: text, one HTML page, files.

use std::fs;
use std::io;
use std::path::Path;

use super::chart::Chart;
use super::policy;
use super::table::{Style, Table, WIDTH};
use crate::sys::format::{escaped, html, wrapped};

/// A part of the findings under one heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Title of the section.
    pub heading: String,
    /// An introduction; may be empty.
    pub text: String,
    /// Shown one below the other.
    pub tables: Vec<Table>,
    /// The figures of the tables, drawn.
    pub pictures: Vec<Chart>,
    /// HTML that the page shows as it is, below all else; may be empty.
    pub html: String,
    /// Whether the page shows the captions of tables and the titles of pictures alone until
    /// it is asked for more.
    pub folded: bool,
}

impl Section {
    /// The heading of the first section, which has the result in short.
    pub fn in_brief() -> Self {
        Self { heading: "In brief".to_owned(), ..Self::default() }
    }

    /// A section of one table.
    pub fn of(heading: &str, table: Table) -> Self {
        Self { heading: heading.to_owned(), tables: vec![table], ..Self::default() }
    }

    /// As HTML, with its heading. It has no styles and no scripts of its own.
    pub fn to_html(&self) -> String {
        let mut html = format!("<h2>{}</h2>\n{}", escaped(&self.heading), paragraphs(&self.text));
        for table in &self.tables {
            let rows = format!("<div class=\"scroll\">\n{}</div>\n", table.to_html());
            html += &if self.folded {
                format!("<details>\n{}{rows}</details>\n", table.summary())
            } else {
                rows
            };
        }
        for chart in &self.pictures {
            let (svg, caption) = (chart.to_svg(), escaped(&chart.caption));
            let figure = format!("<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n");
            html += &if self.folded {
                let title = escaped(&chart.title);
                format!("<details>\n<summary>{title}</summary>\n{figure}</details>\n")
            } else {
                figure
            };
        }
        html + &self.html
    }
}

/// All that is to be said of an experiment or a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// In a few words.
    pub title: String,
    /// What was done; a paragraph a line.
    pub summary: String,
    /// The parts; the first one has the result in short.
    pub sections: Vec<Section>,
    /// Every claim that was judged, for programs, a row a case.
    pub verdicts: Table,
    /// Every measurement for programs, a row each, with every condition in a field.
    pub rows: Table,
    /// What the style of all pages lacks for the HTML of sections, as CSS; may be empty.
    pub style: String,
    /// A module of JavaScript that the page runs; may be empty.
    pub script: String,
}

impl Findings {
    /// The title and the tables of the first section, for a terminal: without
    /// rules, and with the headings of the first table only.
    pub fn to_brief(&self) -> String {
        let tables = self.sections.first().map_or(&[][..], |section| &section.tables);
        let mut text = format!("{}\n", self.title);
        for (nth, table) in tables.iter().enumerate() {
            let aligned = table.to_text(Style::Aligned);
            let rule = aligned.lines().position(|line| line.starts_with('─'));
            let lines = aligned.lines().enumerate();
            let shown =
                lines.filter(|(line, _)| (nth == 0 || Some(*line) > rule) && Some(*line) != rule);
            let shown = shown.map(|(_, line)| format!("{line}\n"));
            text += if nth > 0 { "\n" } else { "" };
            text.extend(shown);
        }
        text
    }

    /// As text: the tables for people, or every measurement for programs.
    pub fn to_text(&self, style: Style) -> String {
        let heading = |level: &str, text: &str| match style {
            Style::Markdown => format!("{level} {text}\n\n"),
            _ => format!("{text}\n{}\n\n", "=".repeat(text.chars().count())),
        };
        if matches!(style, Style::Csv | Style::JsonLines) {
            return self.rows.to_text(style);
        }
        // Markdown has no width; a reader wraps it.
        let width = if style == Style::Aligned { WIDTH } else { usize::MAX };
        let paragraphs = |text: &str| format!("{}\n\n", wrapped(text, width).join("\n"));
        let mut text = heading("#", &self.title) + &paragraphs(&self.summary);
        for section in self.sections.iter().filter(|section| !section.tables.is_empty()) {
            text += &heading("##", &section.heading);
            if !section.text.is_empty() {
                text += &paragraphs(&section.text);
            }
            for table in &section.tables {
                text += &format!("{}\n", table.to_text(style));
            }
        }
        text
    }

    /// As one HTML file that needs nothing else. Its policy allows nothing but its own style
    /// and script, so that no text of a record can run or load anything.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let summary = paragraphs(&self.summary);
        let sections: String = self.sections.iter().map(Section::to_html).collect();
        let mut body = format!("<h1>{title}</h1>\n{summary}{sections}");
        let style = format!("\n{STYLE}{}", self.style);
        let mut policy =
            format!("default-src 'none'; base-uri 'none'; style-src {}", policy::source(&style));
        if !self.script.is_empty() {
            let script = format!("\n{}", self.script);
            policy += &format!("; script-src {}", policy::source(&script));
            body += &format!("<script type=\"module\">{script}</script>\n");
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    }

    /// Writes `index.html`, each picture as a separate file, every measurement
    /// as `rows.csv` and `rows.jsonl`, and every verdict as `verdicts.csv`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("index.html"), self.to_html())?;
        for picture in self.sections.iter().flat_map(|section| &section.pictures) {
            fs::write(folder.join(format!("{}.svg", picture.name)), picture.to_svg())?;
        }
        if !self.verdicts.is_empty() {
            fs::write(folder.join("verdicts.csv"), self.verdicts.to_text(Style::Csv))?;
        }
        fs::write(folder.join("rows.csv"), self.rows.to_text(Style::Csv))?;
        fs::write(folder.join("rows.jsonl"), self.rows.to_text(Style::JsonLines))
    }
}

/// Each line of a text as a paragraph.
fn paragraphs(text: &str) -> String {
    text.lines().map(|line| format!("<p>{}</p>\n", html(line))).collect()
}

/// What all pages look like: on dark and light screens, narrow ones, and on paper.
const STYLE: &str = concat!(include_str!("page.css"), include_str!("content.css"));

/// What the HTML of sections looks like, in colours that its page defines.
pub(crate) const CONTENT_STYLE: &str = include_str!("content.css");
