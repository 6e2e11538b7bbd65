//! Tables and charts, and statistics with their errors.

mod report;
mod statistics;
