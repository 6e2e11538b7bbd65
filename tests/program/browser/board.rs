//! The board shown on a page, and positions in the same form.

use std::collections::BTreeMap;

use kalah_game::{Pit, Position, Side};

use super::Browser;

/// Seeds by the letter of their pit or by the name of their store.
pub(crate) type Seeds = BTreeMap<String, u64>;

/// The seeds of a position.
pub(crate) fn seeds(position: &Position) -> Seeds {
    let pits = |side: Side| {
        let row = (0..).zip(position.row(side));
        row.map(move |(pit, &seeds)| (Pit::new(pit).letter(side).to_string(), seeds.into()))
    };
    let stores = Side::BOTH.map(|side| (format!("{side} store"), position.store(side).into()));
    Side::BOTH.into_iter().flat_map(pits).chain(stores).collect()
}

/// The seeds that the board of the page shows.
pub(crate) fn shown_seeds(browser: &mut Browser) -> Seeds {
    let shown = browser.value(
        "[...document.querySelectorAll('[data-pit], [data-store]')].map((place) => {
            const { pit, store } = place.dataset;
            const name = pit ?? { S: 'South store', N: 'North store' }[store];
            return [name, Number(place.querySelector('.seeds').textContent)];
        })",
    );
    serde_json::from_value::<Vec<(String, u64)>>(shown).expect("pairs").into_iter().collect()
}
