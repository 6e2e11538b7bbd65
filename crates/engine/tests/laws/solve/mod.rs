mod ledger;
mod solver;
