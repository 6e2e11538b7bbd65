//! Training of the evaluation's network: positions labelled with the gains of their moves
//! ([`positions`]), and weights fitted to them ([`fit`]). The engine reads only the
//! result, `evaluation/networks`.

pub mod fit;
pub mod positions;
