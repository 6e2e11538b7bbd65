mod notation;
mod pit;
mod position;
mod row;
mod rules;
mod score;
