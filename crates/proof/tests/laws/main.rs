//! Laws of long proofs: workers, leases, and answers that can be reproduced.

mod layers;
mod ledgers;
mod pieces;
mod survey;
