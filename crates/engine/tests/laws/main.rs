//! Searches, tables, the solver and the engine over them.

mod engine;
mod evaluation;
mod reference;
mod search;
mod solve;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use kalah_engine::{Tables, Variant};

type ByExtent = HashMap<(Variant, u32), Arc<Tables>>;

/// Tables that all tests share: building large ones takes seconds.
fn built(variant: Variant, seeds: u32) -> Arc<Tables> {
    static BUILT: LazyLock<Mutex<ByExtent>> = LazyLock::new(Mutex::default);
    let mut built = BUILT.lock().unwrap();
    let build = || Arc::new(Tables::build(variant, seeds, 2).unwrap());
    Arc::clone(built.entry((variant, seeds)).or_insert_with(build))
}
