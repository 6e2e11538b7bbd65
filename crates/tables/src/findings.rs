//! Results, ready to be shown as text, as one HTML page or as files.

use std::{fs, io, path::Path};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::chart::Chart;
use super::table::{Style, Table, WIDTH, words};
use kalah_text::format::{escaped, html, wrapped};
use kalah_text::width;

/// A part of the findings under one heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Title of the section.
    pub heading: String,
    /// An introduction; may be empty.
    pub text: String,
    /// Shown one below the other.
    pub tables: Vec<Table>,
    /// Charts of the figures in the tables.
    pub pictures: Vec<Chart>,
    /// Raw HTML that the page shows below everything else; may be empty.
    pub html: String,
    /// Whether tables and pictures on the page are folded, which leaves only captions and titles
    /// visible until they are opened.
    pub folded: bool,
}

impl Section {
    /// A section with one table.
    pub fn with_table(heading: &str, table: Table) -> Self {
        Self { heading: heading.to_owned(), tables: vec![table], ..Self::default() }
    }

    /// The name of the section in links: the letters and digits of its heading.
    fn anchor(&self) -> String {
        format!("section-{}", words(&self.heading).join("-"))
    }

    /// As HTML, with its heading but without styles and scripts.
    pub fn to_html(&self) -> String {
        let anchor = self.anchor();
        let heading = escaped(&self.heading);
        let mut html = format!("<h2 id=\"{anchor}\">{heading}</h2>\n{}", paragraphs(&self.text));
        for table in &self.tables {
            let rows = format!("<div class=\"scroll\">\n{}</div>\n", table.to_html());
            html += &if self.folded {
                format!("<details>\n{}{rows}</details>\n", table.summary())
            } else {
                rows
            };
        }
        for chart in &self.pictures {
            let svg = chart.to_svg();
            let caption = escaped(&chart.caption);
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

/// Everything that is reported about an experiment or a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// In a few words.
    pub title: String,
    /// What was done; each line is a paragraph.
    pub summary: String,
    /// The parts; the first one summarises the result.
    pub sections: Vec<Section>,
    /// For programs: every claim that was judged, one row per case.
    pub verdicts: Table,
    /// For programs: every measurement, one row each, with every condition in a field; none if
    /// nothing was measured but the figures of claims.
    pub rows: Table,
    /// CSS for the HTML of sections, in addition to the style of all pages; may be empty.
    pub style: String,
    /// A module of JavaScript that the page runs; may be empty.
    pub script: String,
}

impl Findings {
    /// The title, the text and the tables of the first section, for a terminal: without
    /// rules, and with the headings of the first table only.
    pub fn to_brief(&self) -> String {
        let Some(first) = self.sections.first() else { return format!("{}\n", self.title) };
        let tables = &first.tables;
        let mut text = format!("{}\n", self.title);
        if !first.text.is_empty() {
            text += &format!("{}\n\n", wrapped(&first.text, WIDTH).join("\n"));
        }
        for (nth, table) in tables.iter().enumerate() {
            let aligned = table.to_text(Style::Aligned);
            // The headings stand above the rule; later tables have neither.
            let rule = aligned.lines().position(|line| line.starts_with('─'));
            if nth > 0 {
                text.push('\n');
            }
            for (index, line) in aligned.lines().enumerate() {
                let is_heading = Some(index) < rule;
                if Some(index) != rule && (nth == 0 || !is_heading) {
                    text += line;
                    text.push('\n');
                }
            }
        }
        text
    }

    /// For programs: every measurement or, if there are none, every verdict.
    pub fn results(&self) -> &Table {
        if self.rows.is_empty() && !self.verdicts.is_empty() { &self.verdicts } else { &self.rows }
    }

    /// As text: the tables for people, or the results for programs.
    pub fn to_text(&self, style: Style) -> String {
        if matches!(style, Style::Csv | Style::JsonLines) {
            return self.results().to_text(style);
        }
        let mut text = heading("#", &self.title, style) + &body(&self.summary, style);
        for section in self.sections.iter().filter(|section| !section.tables.is_empty()) {
            text += &heading("##", &section.heading, style);
            if !section.text.is_empty() {
                text += &body(&section.text, style);
            }
            for table in &section.tables {
                text += &format!("{}\n", table.to_text(style));
            }
        }
        text
    }

    /// As one HTML file that needs no other files. Its content security policy allows only
    /// its own style and script, so that text from a record cannot run or load anything.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let summary = paragraphs(&self.summary);
        let sections: String = self.sections.iter().map(Section::to_html).collect();
        let contents = self.contents();
        let mut body = format!("<h1>{}{title}</h1>\n{summary}{contents}{sections}", LOGO.trim());
        // The policy has the hash of everything between the tags, line breaks included.
        let style = format!("\n{STYLE}{}", self.style);
        let mut policy = format!(
            "default-src 'none'; base-uri 'none'; img-src data:; style-src {}",
            policy_source(&style)
        );
        if !self.script.is_empty() {
            let script = format!("\n{}", self.script);
            policy += &format!("; script-src {}", policy_source(&script));
            body += &format!("<script type=\"module\">{script}</script>\n");
        }
        // Characters that would end the attribute or the address are escaped.
        let icon = [("#", "%23"), ("\"", "'"), ("<", "%3C"), (":", "%3A")]
            .into_iter()
            .fold(LOGO.trim().to_owned(), |icon, (from, to)| icon.replace(from, to));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:image/svg+xml,{icon}\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    }

    /// Links to the sections, unless these are few.
    fn contents(&self) -> String {
        const MIN_SECTIONS: usize = 4;
        if self.sections.len() < MIN_SECTIONS {
            return String::new();
        }
        let links = self.sections.iter().map(|section| {
            format!(
                "<li><a href=\"#{}\">{}</a></li>\n",
                section.anchor(),
                escaped(&section.heading)
            )
        });
        let links: String = links.collect();
        format!("<nav aria-label=\"Contents\">\n<ol class=\"contents\">\n{links}</ol>\n</nav>\n")
    }

    /// Writes `index.html`, each picture as a separate file, the results as `rows.csv` and
    /// `rows.jsonl`, and every verdict as `verdicts.csv`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        // Not replaced atomically: all files can be regenerated from the same measurements.
        fs::write(folder.join("index.html"), self.to_html())?;
        for picture in self.sections.iter().flat_map(|section| &section.pictures) {
            fs::write(folder.join(format!("{}.svg", picture.name)), picture.to_svg())?;
        }
        if !self.verdicts.is_empty() {
            fs::write(folder.join("verdicts.csv"), self.verdicts.to_text(Style::Csv))?;
        }
        fs::write(folder.join("rows.csv"), self.to_text(Style::Csv))?;
        fs::write(folder.join("rows.jsonl"), self.to_text(Style::JsonLines))
    }
}

/// The source of an inline style or script in a content security policy: its hash.
fn policy_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

/// A heading as text for people; `level` is Markdown's.
fn heading(level: &str, text: &str, style: Style) -> String {
    match style {
        Style::Markdown => format!("{level} {text}\n\n"),
        _ => format!("{text}\n{}\n\n", "=".repeat(width::columns(text))),
    }
}

/// Paragraphs as text for people.
fn body(text: &str, style: Style) -> String {
    // Markdown has no width: its renderer wraps the lines.
    let width = if style == Style::Aligned { WIDTH } else { usize::MAX };
    format!("{}\n\n", wrapped(text, width).join("\n"))
}

/// Each line of a text as a paragraph of HTML.
fn paragraphs(text: &str) -> String {
    text.lines().map(|line| format!("<p>{}</p>\n", html(line))).collect()
}

/// The style of all pages, for dark, light and narrow screens and for paper. It names the classes
/// and colours of this crate's tables and charts, and so stays with them, below `view`, which serves
/// two parts of it to browsers.
const STYLE: &str =
    concat!(include_str!("tokens.css"), include_str!("document.css"), include_str!("content.css"));

/// The colours and the typeface of all pages.
pub const TOKENS_STYLE: &str = include_str!("tokens.css");

/// The logo, as an SVG drawing.
pub const LOGO: &str = include_str!("logo.svg");

/// The style of sections' HTML, in colours that its page defines.
pub const CONTENT_STYLE: &str = include_str!("content.css");
