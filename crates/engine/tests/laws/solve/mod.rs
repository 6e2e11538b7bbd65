mod ledger;
mod pieces;
mod solver;
