mod tables;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use kalah_engine::endgame::Tables;
use kalah_game::Variant;

type ByVariantAndSeeds = HashMap<(Variant, u32), Arc<Tables>>;

/// Tables that all tests share: building large ones takes seconds.
pub(crate) fn built(variant: Variant, seeds: u32) -> Arc<Tables> {
    static BUILT: LazyLock<Mutex<ByVariantAndSeeds>> = LazyLock::new(Mutex::default);
    let mut built = BUILT.lock().unwrap();
    let tables = built
        .entry((variant, seeds))
        .or_insert_with(|| Arc::new(Tables::build(variant, seeds, 2).unwrap()));
    Arc::clone(tables)
}
