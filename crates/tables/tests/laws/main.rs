//! Tables and charts, and statistics with their errors.

mod statistics;
mod tables;
