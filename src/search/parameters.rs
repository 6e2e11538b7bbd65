//! The numbers that the search prunes and widens its windows by, each listed once:
//! the search reads a field of [`Parameters`], `kalah tune search` changes
//! whatever stands in [`Parameters::LIST`].

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A number of the search, as it is listed and tuned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// A field of [`Parameters`].
    pub name: &'static str,
    /// What the engine plays with.
    pub default: i32,
    /// The values it takes.
    pub range: RangeInclusive<i32>,
    /// The least change that is likely to be felt.
    pub step: i32,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $range:expr, step $step:literal;)*) => {
        /// The numbers of a search, in hundredths of a seed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Parameters {
            /// What the engine plays with.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// Every number, in the order of the fields.
            pub const LIST: &[Parameter] = &[$(Parameter {
                name: stringify!($name), default: $default, range: $range, step: $step,
            },)*];

            /// The numbers in the order of the list.
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// A board is worth at least its static evaluation less this, and less
    /// `high_slope` for each sowing left to search.
    high_base: 200 in 0..=1000, step 40;
    /// See `high_base`.
    high_slope: 100 in 0..=500, step 20;
    /// A board is worth at most its static evaluation and this, and `low_slope`
    /// for each sowing left to search.
    low_base: 200 in 0..=1000, step 40;
    /// See `low_base`.
    low_slope: 100 in 0..=500, step 20;
    /// Between the value of the last iteration and each end of the next window.
    aspiration_width: 100 in 10..=1000, step 40;
}

impl Parameters {
    /// Sets the number called `name`.
    ///
    /// # Errors
    /// A message if there is none, or if it does not take `value`.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
        let parameter = Self::LIST.iter().find(|parameter| parameter.name == name);
        let range = parameter.map(|parameter| parameter.range.clone());
        let (Some(range), Some(field)) = (range, self.field(name)) else {
            let names: Vec<_> = Self::LIST.iter().map(|parameter| parameter.name).collect();
            return Err(format!("expected one of {}, got '{name}'", names.join(", ")));
        };
        if !range.contains(&value) {
            let (least, most) = range.into_inner();
            return Err(format!("expected {name} from {least} to {most}, got {value}"));
        }
        *field = value;
        Ok(())
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (parameter, value)) in Self::LIST.iter().zip(self.values()).enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(f, "{separator}{}={value}", parameter.name)?;
        }
        Ok(())
    }
}

impl FromStr for Parameters {
    type Err = String;

    /// Reads what `Display` writes; a number that is not named has its default.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parameters = Self::DEFAULT;
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let pair =
                word.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
            let (name, value) = pair.ok_or_else(|| format!("expected name=value, got '{word}'"))?;
            parameters.set(name, value)?;
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_read_back_as_they_are_written() {
        let mut changed = Parameters::DEFAULT;
        for parameter in Parameters::LIST {
            assert!(parameter.range.contains(&parameter.default), "{}", parameter.name);
            changed.set(parameter.name, *parameter.range.end()).unwrap();
        }
        assert_eq!(changed.to_string().parse(), Ok(changed));
        assert_eq!("".parse(), Ok(Parameters::DEFAULT));
        assert_eq!(
            Parameters { low_base: 7, ..Parameters::DEFAULT },
            "low_base=7".parse().unwrap()
        );
        for wrong in ["low_base", "low_base=x", "low_base=1001", "lowest=1"] {
            assert!(wrong.parse::<Parameters>().unwrap_err().starts_with("expected "));
        }
    }
}
