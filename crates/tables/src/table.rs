//! One table, written in five ways: aligned text, Markdown, CSV, JSON lines, HTML.
//!
//! People get rounded numbers with their errors; programs get all digits, and an
//! error in a separate field. Aligned text keeps to [`WIDTH`]: the columns that
//! name a group of rows become lines of their own, and a table that is still too
//! wide is split.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use kalah_text::foreign::Foreign;
use kalah_text::format::{self, escaped, wrapped};
use kalah_text::{named_enum, width};

/// Maximum width of aligned text, in columns of a terminal.
pub const WIDTH: usize = 80;

named_enum! {
    /// A way to write a table as text.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Style: "format" {
        /// Tables for a terminal
        #[default]
        Aligned = "aligned",
        /// Tables in Markdown
        Markdown = "markdown",
        /// Every measurement, comma-separated (RFC 4180)
        Csv = "csv",
        /// Every measurement, one JSON object per line
        JsonLines = "json",
    }
}

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value: blank, or `null` in JSON.
    Empty,
    /// Text, aligned to the left.
    Text(String),
    /// Text, and its link target on a page.
    Link(String, String),
    /// A count, shown with grouped digits.
    Count(u64),
    /// A measured number, shown with this many decimals.
    Number(f64, usize),
    /// A difference, shown with its sign and this many decimals.
    Signed(f64, usize),
    /// A number and its standard error, both shown with this many decimals.
    Estimate(f64, f64, usize),
}

impl Cell {
    /// The standard error of an estimate, as a cell of its own.
    fn standard_error(&self) -> Option<Self> {
        match self {
            Cell::Estimate(_, error, decimals) => Some(Cell::Number(*error, *decimals)),
            _ => None,
        }
    }

    /// The text for people.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) | Cell::Link(text, _) => Foreign(text).to_string(),
            Cell::Count(count) => format::grouped(*count),
            Cell::Number(number, decimals) => format::fixed(*number, *decimals),
            Cell::Signed(number, decimals) => format::signed(*number, *decimals),
            Cell::Estimate(number, error, decimals) => {
                let number = format::signed(*number, *decimals);
                format!("{number} ± {}", format::fixed(*error, *decimals))
            }
        }
    }

    /// The text for programs: nothing rounded.
    fn raw(&self) -> String {
        match self {
            Cell::Count(count) => count.to_string(),
            Cell::Number(number, _) | Cell::Signed(number, _) | Cell::Estimate(number, _, _) => {
                number.to_string()
            }
            Cell::Empty => String::new(),
            Cell::Text(text) | Cell::Link(text, _) => text.clone(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Empty => Value::Null,
            Cell::Text(text) | Cell::Link(text, _) => Value::String(text.clone()),
            Cell::Count(count) => Value::from(*count),
            // A margin is a whole number and stays one in JSON.
            Cell::Signed(number, 0) if number.fract() == 0.0 => Value::from(*number as i64),
            Cell::Number(number, _) | Cell::Signed(number, _) | Cell::Estimate(number, _, _) => {
                // Infinite numbers and NaN become `null`.
                Value::from(*number)
            }
        }
    }

    /// The content of an HTML element, with a link if there is one.
    fn html(&self) -> String {
        let shown = format::html(&self.shown());
        match self {
            Cell::Link(_, target) => format!("<a href=\"{}\">{shown}</a>", escaped(target)),
            _ => shown,
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Cell::Text(_) | Cell::Link(..) | Cell::Empty)
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

macro_rules! counts {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Cell {
            fn from(count: $integer) -> Self {
                Cell::Count(count as u64)
            }
        }
    )*};
}

counts!(u16 u32 u64 usize);

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Self {
        match cell {
            Some(cell) => cell.into(),
            None => Cell::Empty,
        }
    }
}

/// A column of a table of `T`: its heading, and the cell that it shows for an item.
pub type Column<'a, T> = (&'a str, &'a dyn Fn(&T) -> Cell);

/// Rows of cells under headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    caption: String,
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// The number of columns at the left that name a group of rows.
    grouped: usize,
}

impl Table {
    /// An empty table. The caption states what it shows and under which conditions; it may be
    /// empty.
    pub fn new(caption: &str, headings: &[&str]) -> Self {
        let headings = headings.iter().map(|&heading| Foreign(heading).to_string()).collect();
        Self { caption: caption.to_owned(), headings, ..Self::default() }
    }

    /// An empty table with further columns to the right.
    pub fn with_columns(mut self, headings: impl IntoIterator<Item = String>) -> Self {
        self.headings.extend(headings);
        self
    }

    /// The same table, in which the first `columns` columns name a group of rows. Aligned
    /// text and HTML show them once, above the group.
    pub fn grouped(self, columns: usize) -> Self {
        Self { grouped: columns, ..self }
    }

    /// The first `rows` rows, or all if there are fewer.
    pub fn head(mut self, rows: usize) -> Self {
        self.rows.truncate(rows);
        self
    }

    /// The same table without the columns that have no value in any row.
    pub fn without_empty_columns(mut self) -> Self {
        for column in (0..self.headings.len()).rev() {
            if self.rows.iter().all(|row| row[column].shown().is_empty()) {
                self.headings.remove(column);
                self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            }
        }
        self
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A table with a row for each of `items`.
    pub fn from_items<T>(
        caption: &str,
        items: impl IntoIterator<Item = T>,
        columns: &[Column<'_, T>],
    ) -> Self {
        let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
        let mut table = Self::new(caption, &headings);
        for item in items {
            table.push(columns.iter().map(|(_, cell)| cell(&item)).collect());
        }
        table
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it does not have one cell for each heading.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.headings.len(), "expected a cell for each heading, got {row:?}");
        self.rows.push(row);
    }

    /// The table as text that ends with a line break. Aligned text is [`WIDTH`] wide.
    pub fn to_text(&self, style: Style) -> String {
        match style {
            Style::Aligned => self.aligned(WIDTH),
            Style::Markdown => self.markdown(),
            Style::Csv => self.csv(),
            Style::JsonLines => {
                self.objects().into_iter().map(|object| format!("{object}\n")).collect()
            }
        }
    }

    /// Whether a column holds text, which is aligned to the left.
    fn is_text(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].is_text())
    }

    fn shown(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect()
    }

    /// The table as aligned text in lines of at most `width` columns if possible.
    pub fn aligned(&self, width: usize) -> String {
        let rows = self.shown();
        let columns = self.headings.iter().enumerate().map(|(column, heading)| {
            let cells = rows.iter().map(|row| width::columns(&row[column]));
            cells.fold(width::columns(heading), usize::max)
        });
        let widths: Vec<usize> = columns.collect();
        let caption: String =
            wrapped(&self.caption, width).iter().map(|line| format!("{line}\n")).collect();
        let blocks: Vec<String> = self
            .blocks(&widths, width)
            .iter()
            .map(|columns| self.block(columns, &widths, width, &rows))
            .collect();
        caption + &blocks.join("\n")
    }

    /// The columns in each block of the table: all of them if they fit next to each other,
    /// otherwise the first with as many others as there is room for.
    fn blocks(&self, widths: &[usize], max_width: usize) -> Vec<Vec<usize>> {
        let first = self.grouped;
        let mut blocks = Vec::new();
        let mut block = vec![first];
        let mut used = widths[first];
        for (column, width) in widths.iter().enumerate().skip(first + 1) {
            // A block has at least one further column, even if that makes it too wide: otherwise
            // the column would never be shown.
            if used + 2 + width > max_width && block.len() > 1 {
                blocks.push(std::mem::replace(&mut block, vec![first]));
                used = widths[first];
            }
            used += 2 + width;
            block.push(column);
        }
        blocks.push(block);
        blocks
    }

    fn block(
        &self,
        columns: &[usize],
        widths: &[usize],
        max_width: usize,
        rows: &[Vec<String>],
    ) -> String {
        let rule: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        let mut text = self.aligned_line(columns, widths, &self.headings)
            + &self.aligned_line(columns, widths, &rule);
        for (nth, row) in rows.iter().enumerate() {
            if let Some(group) = self.begun(rows, nth) {
                text += if nth > 0 { "\n" } else { "" };
                wrapped(&group, max_width).iter().for_each(|line| text += &format!("{line}\n"));
            }
            text += &self.aligned_line(columns, widths, row);
        }
        text
    }

    fn aligned_line(&self, columns: &[usize], widths: &[usize], cells: &[String]) -> String {
        let padded = columns.iter().map(|&column| {
            let cell = &cells[column];
            let spaces = " ".repeat(widths[column].saturating_sub(width::columns(cell)));
            if self.is_text(column) { cell.clone() + &spaces } else { spaces + cell }
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    }

    /// The name of the group that begins at a row, if one does.
    fn begun(&self, rows: &[Vec<String>], nth: usize) -> Option<String> {
        // Compared as shown: rows whose names look the same form one group.
        let name = &rows[nth][..self.grouped];
        if self.grouped == 0 || nth > 0 && rows[nth - 1][..self.grouped] == *name {
            return None;
        }
        let words = name.iter().map(String::as_str).filter(|word| !word.is_empty());
        Some(words.collect::<Vec<_>>().join(" · "))
    }

    fn markdown(&self) -> String {
        let rule: String = (0..self.headings.len())
            .map(|column| if self.is_text(column) { "|---" } else { "|--:" })
            .collect();
        let body: String = self.shown().iter().map(|row| markdown_line(row)).collect();
        let caption = match self.caption.as_str() {
            "" => String::new(),
            caption => format!("{caption}\n\n"),
        };
        format!("{caption}{}{rule}|\n{body}", markdown_line(&self.headings))
    }

    fn csv(&self) -> String {
        let (keys, rows) = self.fields();
        let rows = rows.iter().map(|row| csv_line(row.iter().map(Cell::raw)));
        csv_line(keys) + &rows.collect::<String>()
    }

    fn objects(&self) -> Vec<Value> {
        let (keys, rows) = self.fields();
        let objects = rows.iter().map(|row| {
            Value::Object(
                keys.iter().cloned().zip(row.iter().map(Cell::json)).collect::<Map<_, _>>(),
            )
        });
        objects.collect()
    }

    /// Keys and rows for programs: a column with standard errors becomes two fields.
    fn fields(&self) -> (Vec<String>, Vec<Vec<Cell>>) {
        let mut keys = Vec::new();
        let mut rows = vec![Vec::new(); self.rows.len()];
        for (column, heading) in self.headings.iter().enumerate() {
            // By column and not by cell, so that every row has the same fields.
            let has_errors = self.rows.iter().any(|row| row[column].standard_error().is_some());
            keys.push(key(heading));
            if has_errors {
                keys.push(format!("{}_standard_error", key(heading)));
            }
            for (cells, row) in rows.iter_mut().zip(&self.rows) {
                cells.push(row[column].clone());
                if has_errors {
                    cells.push(row[column].standard_error().unwrap_or(Cell::Empty));
                }
            }
        }
        (keys, rows)
    }

    /// The caption as the HTML element that opens a folded table.
    pub(super) fn summary(&self) -> String {
        format!("<summary>{}</summary>\n", escaped(&self.caption))
    }

    pub(super) fn to_html(&self) -> String {
        let rows = self.shown();
        let columns = (0..self.headings.len()).map(|column| {
            if !self.is_text(column) {
                " class=\"number\""
            } else if rows.iter().all(|row| width::columns(&row[column]) < 30) {
                " class=\"short\""
            } else {
                ""
            }
        });
        let classes: Vec<&str> = columns.collect();
        let caption = match self.caption.as_str() {
            "" => String::new(),
            caption => format!("<caption>{}</caption>\n", escaped(caption)),
        };
        let headings = self.headings.iter().map(|heading| format::html(heading));
        let head = self.html_line("th", " scope=\"col\"", &classes, headings);
        let mut body = String::new();
        for (nth, row) in self.rows.iter().enumerate() {
            if let Some(name) = self.begun(&rows, nth) {
                body += &format!(
                    "<tr><th scope=\"rowgroup\" class=\"group\" colspan=\"{}\">{}</th></tr>\n",
                    self.headings.len() - self.grouped,
                    escaped(&name)
                );
            }
            body += &self.html_line("td", "", &classes, row.iter().map(Cell::html));
            body += "\n";
        }
        format!("<table>\n{caption}<thead>{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n")
    }

    /// A row of `element`s, without the cells that name its group.
    fn html_line(
        &self,
        element: &str,
        scope: &str,
        classes: &[&str],
        cells: impl Iterator<Item = String>,
    ) -> String {
        let mut row = "<tr>".to_owned();
        for (cell, class) in cells.zip(classes).skip(self.grouped) {
            row += &format!("<{element}{scope}{class}>{cell}</{element}>");
        }
        row + "</tr>"
    }
}

/// A list of objects, one for each row.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.objects().serialize(serializer)
    }
}

fn markdown_line(cells: &[String]) -> String {
    // A bar would end the cell.
    let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn csv_line(fields: impl IntoIterator<Item = String>) -> String {
    let fields = fields.into_iter().map(|field| {
        // RFC 4180: such a field is quoted, and its quotes are doubled.
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    format!("{}\n", fields.collect::<Vec<_>>().join(","))
}

/// The key of a column for programs: its heading in lower case, with words joined by
/// underscores.
fn key(heading: &str) -> String {
    words(heading).join("_")
}

/// The runs of letters and digits in a heading, in lower case.
pub(crate) fn words(heading: &str) -> Vec<String> {
    let runs = heading.split(|letter: char| !letter.is_alphanumeric());
    runs.filter(|run| !run.is_empty()).map(str::to_lowercase).collect()
}
