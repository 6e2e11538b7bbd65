//! Laws of long proofs: workers, leases, and answers that can be reproduced.

mod ledgers;
mod pieces;
mod survey;
