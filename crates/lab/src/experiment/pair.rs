//! Pairs of algorithms to compare, written `scout/f3` or `scout@random/f3`.

use crate::algorithms::uniform::Leaves;
use crate::algorithms::{ChildOrder, Method};

/// An algorithm, in the order of the condition or in one of its own: `f3` or `f3@random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The algorithm.
    pub method: Method,
    /// The order or, on synthetic trees, the kind of leaves.
    pub order: Option<&'static str>,
}

/// An algorithm and, for most figures, its baseline: `scout/f3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The algorithm that the figure is about.
    pub own: Side,
    /// The algorithm that it is compared with.
    pub baseline: Option<Side>,
}

impl Side {
    fn parse(text: &'static str) -> Result<Self, String> {
        let (name, order) = match text.split_once('@') {
            Some((name, order)) => (name, Some(order)),
            None => (text, None),
        };
        let method = name.parse().map_err(|error| format!("{error}"))?;
        if let Some(order) = order
            && order.parse::<ChildOrder>().is_err()
            && order.parse::<Leaves>().is_err()
        {
            return Err(format!("unknown order '{order}'"));
        }
        Ok(Self { method, order })
    }
}

impl Pair {
    pub(super) fn parse(text: &'static str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((own, baseline)) => {
                Ok(Self { own: Side::parse(own)?, baseline: Some(Side::parse(baseline)?) })
            }
            None => Ok(Self { own: Side::parse(text)?, baseline: None }),
        }
    }

    /// The algorithms, for people.
    pub(super) fn words(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} against {}", self.own.method, baseline.method),
            None => self.own.method.to_string(),
        }
    }
}
