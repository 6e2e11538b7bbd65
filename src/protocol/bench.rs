//! `bench`: the measurement that can be stopped. Measuring itself is
//! [`crate::engine::bench`].

use crate::engine::bench;
use crate::search::Stopper;

use super::dialect;

/// Tells what the search's signature is; only that, if it is stopped.
pub fn measure(stopper: &Stopper, tell: &mut dyn FnMut(String)) {
    match bench::measure(1, 0, stopper, |_, _| ()) {
        Ok(_) if stopper.is_stopped() => tell(dialect::remark("bench stopped")),
        Ok(all) => {
            all.to_string().lines().for_each(|line| tell(line.to_owned()));
            tell(format!("signature {}", all.nodes));
        }
        Err(error) => tell(dialect::error(error)),
    }
}
