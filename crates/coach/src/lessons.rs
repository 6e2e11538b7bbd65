//! The tutorial: lessons with an exercise each, in the order in which they are taught.

use crate::exercise::Exercise;

/// All lessons.
pub fn all() -> Vec<Exercise> {
    serde_json::from_str(include_str!("lessons.json")).expect("the lessons are valid")
}
