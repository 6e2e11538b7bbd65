//! The board of a page, as a test sees it, and positions in the same form.

use std::collections::BTreeMap;

use kalah::game::{Pit, Position, Side};

use super::Browser;

/// Seeds by the letter of their pit; stores by that of their side.
pub(crate) type Seeds = BTreeMap<String, u64>;

/// What the rules put into pits and stores.
pub(crate) fn seeds(position: &Position) -> Seeds {
    let pits = |side: Side| {
        let row = (0..).zip(position.row(side));
        row.map(move |(pit, &seeds)| (Pit::new(pit).letter(side).to_string(), seeds.into()))
    };
    let stores = Side::BOTH.map(|side| (format!("{side} store"), position.store(side).into()));
    Side::BOTH.into_iter().flat_map(pits).chain(stores).collect()
}

/// What the board of the page shows.
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
