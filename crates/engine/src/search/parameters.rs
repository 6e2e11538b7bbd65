//! The parameters of the search: the numbers that no theory gives and that games decide.
//!
//! [`PARAMETERS`] lists them. They are constants, unless the crate is built with its feature
//! `tuning`: then each search has [`Parameters`] of its own, for `kalah-tune spsa` to vary, and
//! [`Engine::set_option`](crate::Engine::set_option) sets them, although no protocol lists them.
//! With the values listed here, both builds search the same nodes.

use std::ops::RangeInclusive;

/// A number of the search, and where to look for a better one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name as an option.
    pub name: &'static str,
    /// The value in use.
    pub value: i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
    /// A change that is likely to matter: the distance at which a tuner compares values.
    pub step: i32,
    /// Whether it matters only in searches with a clock.
    pub is_for_clocks: bool,
}

macro_rules! parameters {
    (@is_given) => { false };
    (@is_given $clocks:ident) => { true };
    ($($(#[doc = $doc:literal])* $field:ident = $name:literal, $value:literal, $range:expr, $step:literal $(, $clocks:ident)?;)*) => {
        /// Every parameter of the search.
        pub static PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: $name,
                value: $value,
                range: $range,
                step: $step,
                is_for_clocks: parameters!(@is_given $($clocks)?),
            },)*
        ];

        /// The values of the parameters in a search.
        #[cfg(feature = "tuning")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($field: i32,)*
        }

        #[cfg(feature = "tuning")]
        impl Parameters {
            /// The values in [`PARAMETERS`].
            pub const IN_USE: Self = Self { $($field: $value,)* };

            $($(#[doc = $doc])* #[inline] pub(super) fn $field(self) -> i32 { self.$field })*

            fn by_name(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }

        /// The values of the parameters, which are constants in this build.
        #[cfg(not(feature = "tuning"))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters;

        #[cfg(not(feature = "tuning"))]
        impl Parameters {
            /// The values in [`PARAMETERS`].
            pub const IN_USE: Self = Self;

            $($(#[doc = $doc])* #[inline] pub(super) const fn $field(self) -> i32 { $value })*
        }
    };
}

// Values are in hundredths of a seed, depths in sowings and shares in percent.
parameters! {
    /// The margin of static pruning at the horizon.
    pruning_base = "PruningBase", 125, 0..=600, 40;
    /// What each sowing left to search adds to the margin of static pruning.
    pruning_slope = "PruningSlope", 62, 20..=300, 15;
    /// The share of this margin that lies between the evaluation and the result.
    pruned_margin = "PrunedMargin", 46, 0..=100, 15;
    /// The share of this margin by which it grows with each step of the evaluation's uncertainty.
    uncertainty_step = "UncertaintyStep", 15, 0..=25, 2;
    /// The greatest depth of static pruning: beyond it, the margin is so wide that hardly any board
    /// is pruned.
    pruning_depth = "PruningDepth", 9, 2..=20, 1;
    /// The least depth at which late moves are reduced.
    reduction_depth = "ReductionDepth", 3, 2..=8, 1;
    /// The number of moves before the first late one.
    reduction_place = "ReductionPlace", 2, 1..=6, 1;
    /// The least depth at which moves are ordered by evaluations. Closer to the horizon,
    /// evaluating every move costs as much time as the better order saves: from depth 2 upwards,
    /// 5 % fewer nodes but a tenth more time.
    estimated_depth = "EstimatedDepth", 3, 1..=6, 1;
    /// The ply up to which extra turns cost no depth, in percent of the depth of the iteration.
    horizon = "Horizon", 200, 100..=400, 20;
    /// The distance from the value of the last iteration to each end of the next window.
    aspiration_width = "AspirationWidth", 100, 10..=600, 20;
    /// The factor by which a window that failed is widened.
    aspiration_growth = "AspirationGrowth", 4, 2..=10, 1;
    /// What a proof adds to the worth of an entry of the transposition table, in sowings of depth.
    table_proof = "TableProof", 8, 0..=30, 2;
    /// What each later search subtracts from it.
    table_age = "TableAge", 4, 0..=16, 1;
    /// The number of seeds in play below which the result is soon proved.
    clock_seeds = "ClockSeeds", 22, 0..=40, 3, clocks;
    /// Hundredths of a seed that a sowing is expected to take out of play.
    clock_rate = "ClockRate", 313, 50..=600, 30, clocks;
    /// The least number of sowings to expect.
    clock_min = "ClockMin", 4, 2..=10, 1, clocks;
    /// The greatest number of sowings to expect.
    clock_max = "ClockMax", 30, 11..=80, 3, clocks;
    /// The share of the increment that is spent.
    clock_increment = "ClockIncrement", 73, 30..=100, 8, clocks;
    /// The share of the time for a sowing after which no iteration starts.
    clock_soft = "ClockSoft", 80, 20..=200, 8, clocks;
    /// The share of the time for a sowing after which the search is stopped.
    clock_hard = "ClockHard", 408, 100..=1000, 40, clocks;
    /// The greatest share of the time left that a search takes, unless it is the last before time
    /// is added.
    clock_limit = "ClockLimit", 39, 10..=80, 5, clocks;
    /// The factor for the time of an unsettled choice.
    unsettled = "Unsettled", 153, 100..=300, 10, clocks;
    /// The factor for the time of a settled one.
    settled = "Settled", 87, 50..=100, 4, clocks;
    /// The greatest product of these factors.
    time_factor_max = "TimeFactorMax", 203, 100..=500, 20, clocks;
    /// The least product of these factors.
    time_factor_min = "TimeFactorMin", 53, 10..=99, 5, clocks;
    /// The fall of the value beyond which a choice is unsettled.
    unsettling_fall = "UnsettlingFall", 100, 10..=500, 20, clocks;
}

#[cfg(feature = "tuning")]
impl Parameters {
    /// Sets the parameter with this name, as in [`PARAMETERS`].
    ///
    /// # Errors
    /// If `value` is outside its range, or there is no such parameter.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
        let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name);
        let Some(Parameter { range, .. }) = parameter else {
            return Err(format!("no parameter '{name}'"));
        };
        if !range.contains(&value) {
            let range = format!("{} to {}", range.start(), range.end());
            return Err(format!("expected {range}, got {value}"));
        }
        *self.by_name(name).expect("every parameter has a field") = value;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_and_a_step_beyond_it_are_in_the_range() {
        for Parameter { name, value, range, step, .. } in PARAMETERS {
            assert!(*step > 0 && range.contains(value), "{name}");
            assert!(range.contains(&(value + step)) || range.contains(&(value - step)), "{name}");
        }
    }

    #[test]
    fn a_minimum_never_exceeds_its_maximum() {
        let range = |name| {
            let found = PARAMETERS.iter().find(|parameter| parameter.name == name);
            found.expect("a parameter").range.clone()
        };
        for [min, max] in [["ClockMin", "ClockMax"], ["TimeFactorMin", "TimeFactorMax"]] {
            assert!(range(min).end() < range(max).start(), "{min}");
        }
    }
}
