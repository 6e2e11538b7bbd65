//! What an experiment found, ready to be shown in any way.

use std::fs;
use std::io;
use std::path::Path;

use super::page::Page;
use super::table::{Style, Table};

/// A picture, and the words below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The name of its file, without an ending.
    pub name: String,
    /// The picture.
    pub svg: String,
    /// What it shows.
    pub caption: String,
}

/// A part of the findings under one heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What is said before tables and pictures; may be empty.
    pub text: String,
    /// The tables.
    pub tables: Vec<Table>,
    /// The pictures.
    pub pictures: Vec<Picture>,
}

/// Everything an experiment has to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The title.
    pub title: String,
    /// What was done.
    pub summary: String,
    /// The parts, the most important first.
    pub sections: Vec<Section>,
    /// Every measurement, a row each, with every condition in a field.
    pub rows: Table,
}

impl Findings {
    /// As text: the tables for people, or every measurement for programs.
    pub fn to_text(&self, style: Style) -> String {
        let heading = |level: &str, text: &str| match style {
            Style::Markdown => format!("{level} {text}\n\n"),
            _ => format!("{text}\n{}\n\n", "=".repeat(text.chars().count())),
        };
        if matches!(style, Style::Csv | Style::JsonLines) {
            return self.rows.to_text(style);
        }
        let mut text = heading("#", &self.title);
        text += &format!("{}\n\n", self.summary);
        for section in self.sections.iter().filter(|section| !section.tables.is_empty()) {
            text += &heading("##", &section.heading);
            if !section.text.is_empty() {
                text += &format!("{}\n\n", section.text);
            }
            for table in &section.tables {
                text += &format!("{}\n", table.to_text(style));
            }
        }
        text
    }

    /// As one page.
    pub fn to_html(&self) -> String {
        let mut page = Page::new(&self.title);
        page.paragraph(&self.summary);
        for section in &self.sections {
            page.heading(&section.heading);
            if !section.text.is_empty() {
                page.paragraph(&section.text);
            }
            for table in &section.tables {
                page.table(table);
            }
            for picture in &section.pictures {
                page.picture(&picture.svg, &picture.caption);
            }
        }
        page.to_html()
    }

    /// Writes `index.html`, each picture as a separate file, and every
    /// measurement as `rows.csv` and `rows.jsonl`.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("index.html"), self.to_html())?;
        for picture in self.sections.iter().flat_map(|section| &section.pictures) {
            fs::write(folder.join(format!("{}.svg", picture.name)), &picture.svg)?;
        }
        fs::write(folder.join("rows.csv"), self.rows.to_text(Style::Csv))?;
        fs::write(folder.join("rows.jsonl"), self.rows.to_text(Style::JsonLines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gets_the_page_the_pictures_and_the_rows() {
        let mut rows = Table::new("", &["Depth"]);
        rows.push(vec![3u64.into()]);
        let picture =
            Picture { name: "one".to_owned(), svg: "<svg/>".to_owned(), caption: "A".to_owned() };
        let section = Section { pictures: vec![picture], ..Section::default() };
        let findings = Findings {
            title: "T".to_owned(),
            sections: vec![section],
            rows,
            ..Findings::default()
        };
        let folder = tempfile::tempdir().unwrap();
        findings.write_to(&folder.path().join("new")).unwrap();
        let read = |name| fs::read_to_string(folder.path().join("new").join(name)).unwrap();
        assert!(read("index.html").contains("<svg/>"));
        assert_eq!(read("one.svg"), "<svg/>");
        assert_eq!(read("rows.csv"), "depth\n3\n");
        assert_eq!(read("rows.jsonl"), "{\"depth\":3}\n");
    }
}
