//! How the network of the evaluation is made: positions labelled with the gains of
//! their moves ([`positions`]), and weights fitted to them ([`fit`]). The engine
//! reads only the outcome, `evaluation/networks`.

pub mod fit;
pub mod positions;
