//! Records as rows of a table for programs: structs with a field for each column.

use serde::Serialize;
use serde_json::{Map, Value};

use super::table::{Cell, Table};

impl Table {
    /// A table for programs with a row for each of `records`. A record is a struct with a field for
    /// each column, named like the column: a count, a finite number, a text, an
    /// [`Estimate`](crate::statistics::Estimate), or an option of these.
    ///
    /// # Panics
    /// If a record has a field of a different type.
    pub fn from_records<T: Serialize + Default>(records: impl IntoIterator<Item = T>) -> Self {
        // A default record, because a table without rows has columns, too. A `Value` sorts its
        // keys, but the text has them in the order of the fields.
        let text = serde_json::to_string(&T::default()).expect("a struct of plain fields");
        let fields: Map<String, Value> = serde_json::from_str(&text).expect("a struct");
        let mut keys: Vec<&String> = fields.keys().collect();
        keys.sort_by_key(|key| text.find(&format!("\"{key}\":")));
        let headings: Vec<&str> = keys.iter().map(|key| key.as_str()).collect();
        let mut table = Self::new("", &headings);
        for record in records {
            let record = serde_json::to_value(record).expect("a struct of plain fields");
            table.push(keys.iter().map(|&key| cell(&record[key])).collect());
        }
        table
    }
}

/// The cell of a field. Programs get unrounded numbers, so the number of decimals is irrelevant: 0.
fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(count), _) => Cell::Count(count),
            (None, number) => Cell::Number(number.unwrap_or(f64::NAN), 0),
        },
        estimate => match (estimate["value"].as_f64(), estimate["standard_error"].as_f64()) {
            (Some(value), Some(error)) => Cell::Estimate(value, error, 0),
            _ => panic!("expected a number, a text or an estimate, got {estimate}"),
        },
    }
}
