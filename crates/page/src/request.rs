//! A request, and what its query and body mean.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::error::ApiError;

/// What a request does with its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestMethod {
    /// Asks, and changes nothing.
    #[default]
    Get,
    /// Sends a body.
    Post,
    /// Replaces what is at the path by a body.
    Put,
    /// Anything else, which no path accepts.
    Other,
}

/// A request of the page.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// What it does with the path.
    pub method: RequestMethod,
    /// The path from its first slash, as in `/api/lessons/3`, without the query. It is not decoded,
    /// because no valid path has escapes.
    pub path: String,
    /// What follows the question mark, with its escapes; empty without one.
    pub query: String,
    /// The body, empty without one. The host bounds its size.
    pub body: String,
}

impl RequestMethod {
    /// Its name in HTTP.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Other => "another method",
        }
    }

    /// The method with a name in HTTP.
    pub fn from_name(name: &str) -> Self {
        match name {
            // For HEAD, the connection omits the body of the answer.
            "GET" | "HEAD" => Self::Get,
            "POST" => Self::Post,
            "PUT" => Self::Put,
            _ => Self::Other,
        }
    }
}

impl Request {
    /// The fields of the query.
    ///
    /// # Errors
    /// [`ApiError::malformed`], with the query instead of serde's words, which name Rust's types.
    pub fn from_query<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        serde_urlencoded::from_str(&self.query).map_err(|_| {
            let got = kalah_text::names::shortened(&self.query);
            ApiError::malformed(format!("expected a query as in protocol.md, got '{got}'"))
        })
    }

    /// The document in the body. Text that is not JSON is malformed; JSON with the wrong fields
    /// is invalid.
    pub(crate) fn from_json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        // serde also reads the fields of a list, in the order of their declaration.
        let is_object = self.body.trim_start().starts_with('{');
        if !is_object && serde_json::from_str::<IgnoredAny>(&self.body).is_ok() {
            let got = kalah_text::names::shortened(&self.body);
            return Err(ApiError::invalid(format!("expected a JSON object, got '{got}'")));
        }
        let mut text = serde_json::Deserializer::from_str(&self.body);
        let value = serde_path_to_error::deserialize(&mut text).map_err(|error| {
            let is_json = error.inner().is_data();
            let message = format!("cannot read the JSON body: {error}");
            if is_json { ApiError::invalid(message) } else { ApiError::malformed(message) }
        })?;
        // `deserialize` stops after the first value and would ignore what follows it.
        let end = text.end();
        end.map_err(|error| ApiError::malformed(format!("the body after its JSON: {error}")))?;
        Ok(value)
    }
}
