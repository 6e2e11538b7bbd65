//! The settings that a player has chosen in the front ends: a JSON object, in a file in the folder
//! of the saved games.
//!
//! Each front end names its own fields; this module only keeps them. Programs and pages change
//! individual fields with a patch, so that two of them do not overwrite each other's choices.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Map, Value};
use thiserror::Error;

use kalah_sys::files::{self, AccessError, ContentHash};

/// The maximum size of the file in bytes: anyone who can open the page can fill it.
const MAX_SIZE: usize = 64 << 10;

/// The choices of a player.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Without a file, the settings are kept in memory only.
    path: Option<PathBuf>,
    values: Map<String, Value>,
}

/// Why settings cannot be read or kept.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read or written, or another program keeps changing it.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file was damaged, or edited by hand; it is left as it is.
    #[error("{}: expected a JSON object: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where its text is wrong.
        error: serde_json::Error,
    },
    /// The settings would become too large.
    #[error("settings too large: {0} bytes (limit {MAX_SIZE})")]
    Size(usize),
}

impl Settings {
    /// The settings in the folder of the saved games; in memory only if there is none.
    pub fn new(folder: Option<&Path>) -> Self {
        let path = folder.map(|folder| folder.join("settings.json"));
        Self { path, values: Map::new() }
    }

    /// All settings, with the latest changes by other programs.
    ///
    /// # Errors
    /// [`SettingsError`] if the file cannot be read.
    pub fn values(&mut self) -> Result<&Map<String, Value>, SettingsError> {
        self.read()?;
        Ok(&self.values)
    }

    /// Changes some settings as a JSON merge patch (RFC 7396): objects are merged, `null` removes
    /// a field, and any other value replaces what was there.
    ///
    /// # Errors
    /// [`SettingsError`] if the changes cannot be kept.
    pub fn change(&mut self, patch: Map<String, Value>) -> Result<(), SettingsError> {
        /// Each failed attempt means that another program has changed the file in the meantime.
        const ATTEMPTS: usize = 10;
        let patch = Value::Object(patch);
        for _ in 0..ATTEMPTS {
            let seen = self.read()?;
            let mut values = Value::Object(self.values.clone());
            merge(&mut values, &patch);
            let text = format!("{values:#}\n");
            if text.len() > MAX_SIZE {
                return Err(SettingsError::Size(text.len()));
            }
            let Value::Object(values) = values else { unreachable!("both are objects") };
            if self.write(seen, &text)? {
                self.values = values;
                return Ok(());
            }
        }
        let path = self.path.clone().unwrap_or_default();
        Err(AccessError::writing(&path)(io::ErrorKind::WouldBlock.into()).into())
    }

    /// Reads the file; returns the version that was read. A missing file has no settings.
    fn read(&mut self) -> Result<ContentHash, SettingsError> {
        let Some(path) = &self.path else { return Ok(ContentHash::new("")) };
        if !path.exists() {
            self.values.clear();
            return Ok(ContentHash::new(""));
        }
        let (text, version) = files::read_version(path)?;
        self.values = serde_json::from_str(&text)
            .map_err(|error| SettingsError::Damaged { path: path.clone(), error })?;
        Ok(version)
    }

    /// Writes the file; returns false if it is not the version that was seen.
    fn write(&self, seen: ContentHash, text: &str) -> Result<bool, SettingsError> {
        let Some(path) = &self.path else { return Ok(true) };
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(AccessError::writing(path))?;
        Ok(files::replace_unchanged(path, seen, text)?)
    }
}

/// Applies a patch as RFC 7396 defines it.
fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        value.clone_from(patch);
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let fields = value.as_object_mut().expect("an object since the line above");
    for (name, change) in changes {
        if change.is_null() {
            fields.remove(name);
        } else {
            merge(fields.entry(name).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn two_programs_keep_each_others_choices() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games");
        let [mut one, mut other] = [(); 2].map(|()| Settings::new(Some(&games)));
        assert_eq!(other.values().unwrap(), &Map::new());
        one.change(object(json!({ "theme": "dark", "game": { "pits": 4, "coach": true } })))
            .unwrap();
        other.change(object(json!({ "game": { "pits": 8 }, "sound": true }))).unwrap();
        one.change(object(json!({ "theme": null }))).unwrap();
        let both = json!({ "game": { "pits": 8, "coach": true }, "sound": true });
        assert_eq!(one.values().unwrap(), &object(both.clone()));
        assert_eq!(other.values().unwrap(), &object(both));
    }

    #[test]
    fn a_file_with_a_byte_order_mark_can_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.json"), "\u{feff}{\"a\": 1}").unwrap();
        let mut settings = Settings::new(Some(folder.path()));
        settings.change(object(json!({ "b": 2 }))).unwrap();
        assert_eq!(settings.values().unwrap(), &object(json!({ "a": 1, "b": 2 })));
    }

    #[test]
    fn a_damaged_file_is_reported_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        for text in ["{", "[]", ""] {
            fs::write(&file, text).unwrap();
            let mut settings = Settings::new(Some(folder.path()));
            let error = settings.change(object(json!({ "a": 1 }))).unwrap_err().to_string();
            assert!(error.contains("settings.json: expected a JSON object"), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }

    #[test]
    fn settings_without_a_file_stay_in_memory_and_are_bounded() {
        let mut settings = Settings::new(None);
        settings.change(object(json!({ "a": { "b": 1 } }))).unwrap();
        settings.change(object(json!({ "a": { "c": 2 } }))).unwrap();
        let large = "x".repeat(MAX_SIZE);
        assert!(settings.change(object(json!({ "large": large }))).is_err());
        assert_eq!(settings.values().unwrap(), &object(json!({ "a": { "b": 1, "c": 2 } })));
    }
}
