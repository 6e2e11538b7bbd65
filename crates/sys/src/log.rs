//! Macros in place of those of the `log` crate, which do nothing.

/// Ignores a message.
#[macro_export]
macro_rules! silent {
    ($($message:tt)*) => {
        if false {
            let _ = format_args!($($message)*);
        }
    };
}

pub use crate::silent as debug;
pub use crate::silent as error;
pub use crate::silent as info;
pub use crate::silent as warn;
