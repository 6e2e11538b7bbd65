//! One table, written in five ways.

use serde_json::{Map, Number, Value};

use super::format;
use super::format::escaped;

/// A way to write a table as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Columns aligned by spaces, for a terminal.
    #[default]
    Aligned,
    /// A Markdown pipe table.
    Markdown,
    /// Comma-separated values with a header, RFC 4180.
    Csv,
    /// A JSON object a row.
    JsonLines,
}

/// What stands in one place of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A measured number, shown with so many decimals.
    Number(f64, usize),
    /// A difference, shown with its sign and so many decimals.
    Signed(f64, usize),
    /// A number and its standard error, both shown with so many decimals.
    Estimate(f64, f64, usize),
}

impl Cell {
    /// As people read it.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => format::grouped(*count),
            Cell::Number(number, decimals) => format::fixed(*number, *decimals),
            Cell::Signed(number, decimals) => format::signed(*number, *decimals),
            Cell::Estimate(number, error, decimals) => {
                let number = format::signed(*number, *decimals);
                format!("{number} ± {}", format::fixed(*error, *decimals))
            }
        }
    }

    /// As programs read it: all digits, nothing rounded.
    fn raw(&self) -> String {
        match self {
            Cell::Count(count) => count.to_string(),
            Cell::Number(number, _) | Cell::Signed(number, _) | Cell::Estimate(number, _, _) => {
                number.to_string()
            }
            Cell::Empty | Cell::Text(_) => self.shown(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Empty => Value::Null,
            Cell::Text(text) => Value::String(text.clone()),
            Cell::Count(count) => Value::from(*count),
            Cell::Number(number, _) | Cell::Signed(number, _) | Cell::Estimate(number, _, _) => {
                Number::from_f64(*number).map_or(Value::Null, Value::Number)
            }
        }
    }

    /// The standard error, if the cell is an estimate.
    fn error(&self) -> Option<f64> {
        match self {
            Cell::Estimate(_, error, _) => Some(*error),
            _ => None,
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Cell::Text(_) | Cell::Empty)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Cell::Count(count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Cell::Count(count.into())
    }
}

impl From<u16> for Cell {
    fn from(count: u16) -> Self {
        Cell::Count(count.into())
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Cell::Count(count as u64)
    }
}

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Self {
        cell.map_or(Cell::Empty, C::into)
    }
}

/// A column: its heading and its name in files for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What people read above it.
    pub heading: String,
    /// What programs know it by: small letters and underscores.
    pub key: String,
}

impl Column {
    /// A column whose name for programs follows from its heading.
    pub fn new(heading: &str) -> Self {
        let words = heading.to_lowercase();
        let words = words.split(|letter: char| !letter.is_alphanumeric());
        let key = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
        Self { heading: heading.to_owned(), key }
    }
}

/// Rows of cells under headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What the table shows and under which conditions; may be empty.
    pub caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table with these headings.
    pub fn new(caption: &str, headings: &[&str]) -> Self {
        let columns = headings.iter().map(|heading| Column::new(heading)).collect();
        Self { caption: caption.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for each heading.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a cell for each heading: {row:?}");
        self.rows.push(row);
    }

    /// The columns, left to right.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, top down.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as text that ends with a line break.
    pub fn to_text(&self, style: Style) -> String {
        match style {
            Style::Aligned => self.aligned(),
            Style::Markdown => self.markdown(),
            Style::Csv => self.csv(),
            Style::JsonLines => self.json_lines(),
        }
    }

    /// Whether a column holds words, which stand to the left.
    fn is_text(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].is_text())
    }

    /// Whether a column's words need no second line.
    fn is_short(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].shown().chars().count() < 22)
    }

    fn aligned(&self) -> String {
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        let headings: Vec<String> =
            self.columns.iter().map(|column| column.heading.clone()).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([headings[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..headings.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().enumerate().map(|(column, cell)| {
                let width = widths[column];
                if self.is_text(column) {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        let rule: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        let caption =
            if self.caption.is_empty() { String::new() } else { format!("{}\n", self.caption) };
        let body: String = rows.iter().map(|row| line(row)).collect();
        format!("{caption}{}{}{body}", line(&headings), line(&rule))
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| {
            let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let headings = line(self.columns.iter().map(|column| column.heading.clone()).collect());
        let rule: String = (0..self.columns.len())
            .map(|column| if self.is_text(column) { "|---" } else { "|--:" })
            .collect();
        let body: String =
            self.rows.iter().map(|row| line(row.iter().map(Cell::shown).collect())).collect();
        let caption =
            if self.caption.is_empty() { String::new() } else { format!("{}\n\n", self.caption) };
        format!("{caption}{headings}{rule}|\n{body}")
    }

    fn csv(&self) -> String {
        let quoted = |text: &str| {
            if text.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_owned()
            }
        };
        let mut text = self.fields().map(|key| quoted(&key)).collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            let mut cells = Vec::new();
            for (column, cell) in row.iter().enumerate() {
                cells.push(quoted(&cell.raw()));
                if self.has_errors(column) {
                    cells.push(cell.error().map_or(String::new(), |error| error.to_string()));
                }
            }
            text += &(cells.join(",") + "\n");
        }
        text
    }

    fn json_lines(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut fields = Map::new();
            for (column, cell) in row.iter().enumerate() {
                let key = &self.columns[column].key;
                fields.insert(key.clone(), cell.json());
                if self.has_errors(column) {
                    let error = cell.error().and_then(Number::from_f64);
                    fields.insert(error_key(key), error.map_or(Value::Null, Value::Number));
                }
            }
            text += &format!("{}\n", Value::Object(fields));
        }
        text
    }

    /// Whether a column has a standard error in any row, and so a second field
    /// in files for programs.
    fn has_errors(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row[column].error().is_some())
    }

    fn fields(&self) -> impl Iterator<Item = String> {
        self.columns.iter().enumerate().flat_map(|(index, column)| {
            let error = self.has_errors(index).then(|| error_key(&column.key));
            [Some(column.key.clone()), error].into_iter().flatten()
        })
    }

    /// The table as an HTML element.
    pub fn to_html(&self) -> String {
        let mut html = String::from("<table>\n");
        if !self.caption.is_empty() {
            html += &format!("<caption>{}</caption>\n", escaped(&self.caption));
        }
        let class = |column| match self.is_text(column) {
            false => " class=\"number\"",
            true if self.is_short(column) => " class=\"short\"",
            true => "",
        };
        html += "<thead><tr>";
        for (index, column) in self.columns.iter().enumerate() {
            html += &format!("<th scope=\"col\"{}>{}</th>", class(index), escaped(&column.heading));
        }
        html += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            html += "<tr>";
            for (index, cell) in row.iter().enumerate() {
                html += &format!("<td{}>{}</td>", class(index), escaped(&cell.shown()));
            }
            html += "</tr>\n";
        }
        html + "</tbody>\n</table>\n"
    }
}

fn error_key(key: &str) -> String {
    format!("{key}_standard_error")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("A caption", &["Name", "Leaves", "Saved %"]);
        table.push(vec!["a,b".into(), 12_345u64.into(), Cell::Estimate(-3.25, 0.5, 1)]);
        table.push(vec!["c|d".into(), 7u64.into(), Cell::Empty]);
        table
    }

    #[test]
    fn words_stand_left_and_numbers_right() {
        assert_eq!(
            table().to_text(Style::Aligned),
            "A caption\n\
             Name  Leaves     Saved %\n\
             ────  ──────  ──────────\n\
             a,b   12\u{202f}345  \u{2212}3.2 ± 0.5\n\
             c|d        7\n"
        );
    }

    #[test]
    fn markdown_keeps_bars_inside_cells() {
        let text = table().to_text(Style::Markdown);
        assert!(text.contains("|---|--:|--:|\n"), "{text}");
        assert!(text.contains("| c\\|d | 7 |  |"), "{text}");
    }

    #[test]
    fn programs_get_all_digits_and_errors_in_fields_of_their_own() {
        assert_eq!(
            table().to_text(Style::Csv),
            "name,leaves,saved,saved_standard_error\n\"a,b\",12345,-3.25,0.5\nc|d,7,,\n"
        );
        let lines = table().to_text(Style::JsonLines);
        let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(first["leaves"], 12_345);
        assert_eq!(first["saved_standard_error"], 0.5);
    }

    #[test]
    fn html_escapes_what_it_shows() {
        let mut table = Table::new("a < b", &["&"]);
        table.push(vec!["<script>".into()]);
        let html = table.to_html();
        assert!(html.contains("a &lt; b") && html.contains(">&lt;script&gt;</td>"), "{html}");
    }
}
