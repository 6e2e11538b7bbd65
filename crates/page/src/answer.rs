//! Answers as text.

use std::collections::BTreeMap;

use serde::Serialize;

use kalah_text::foreign::Foreign;
use kalah_text::names::missing;

use crate::error::ApiError;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The text of a document, in one line without control characters.
    Json(String),
    /// Events, which the host sends.
    Events,
}

/// A document as an answer.
///
/// # Errors
/// [`ApiError`] if it cannot be written as JSON.
pub fn answer(document: &impl Serialize) -> Result<Answer, ApiError> {
    json(document).map(Answer::Json)
}

/// A list as the only field of an answer.
///
/// # Errors
/// Those of [`answer`].
pub fn list<T: Serialize>(name: &str, items: Vec<T>) -> Result<Answer, ApiError> {
    answer(&BTreeMap::from([(name, items)]))
}

/// The item with a number, from 1.
///
/// # Errors
/// [`ApiError::not_found`] if there is none.
pub fn numbered<'a, T>(items: &'a [T], noun: &str, number: usize) -> Result<&'a T, ApiError> {
    number
        .checked_sub(1)
        .and_then(|index| items.get(index))
        .ok_or_else(|| ApiError::not_found(missing(noun, number, items.len())))
}

/// The text of a document, in one line.
pub(crate) fn json(document: &impl Serialize) -> Result<String, ApiError> {
    let text = serde_json::to_string(document).map_err(ApiError::failed)?;
    // JSON allows some control characters unescaped, and a terminal would obey them.
    Ok(Foreign(&text).to_string())
}
