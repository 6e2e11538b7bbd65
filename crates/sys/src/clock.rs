//! Wall-clock time as text, the processor time of a thread, and a clock for measuring.

use std::time::{Duration, SystemTime};

#[cfg(target_family = "wasm")]
pub use hosted::Instant;
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

/// The current time in UTC, as `2026-11-20T10:05:30Z`.
#[cfg(feature = "dates")]
pub fn now() -> String {
    date(system_time())
}

pub(crate) fn system_time() -> SystemTime {
    #[cfg(target_family = "wasm")]
    let now = SystemTime::UNIX_EPOCH + crate::browser::now();
    #[cfg(not(target_family = "wasm"))]
    let now = SystemTime::now();
    now
}

/// A time in UTC, clamped to the times that can be written: a clock may be set to any year, and
/// `Timestamp::now` panics after 9999.
#[cfg(feature = "dates")]
fn date(time: SystemTime) -> String {
    use jiff::Timestamp;

    let date = Timestamp::try_from(time).unwrap_or(if time < SystemTime::UNIX_EPOCH {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    });
    date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Processor time used by the calling thread; on systems without such a clock, the time
/// since the first call.
pub fn processor_time() -> Duration {
    #[cfg(all(unix, feature = "memory"))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
    }
    #[cfg(not(all(unix, feature = "memory")))]
    {
        use std::sync::LazyLock;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// The clock of the [browser](crate::browser), where `std::time::Instant::now` would panic.
#[cfg(target_family = "wasm")]
mod hosted {
    use std::ops::Add;
    use std::time::Duration;

    use crate::browser;

    /// A point in time, with the part of the interface of `std::time::Instant` that is in use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The current time.
        pub fn now() -> Self {
            Self(browser::now())
        }

        /// The time since this point.
        pub fn elapsed(&self) -> Duration {
            browser::now().saturating_sub(self.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, later: Duration) -> Self {
            Self(self.0 + later)
        }
    }
}

#[cfg(feature = "dates")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_date_is_that_of_the_system() {
        let before = date(SystemTime::now());
        let date_now = now();
        assert!(before <= date_now && date_now <= date(SystemTime::now()), "{date_now}");
    }

    #[test]
    fn every_time_that_a_clock_can_show_has_a_date() {
        for (seconds, expected) in [
            (1_795_168_800, "2026-11-20T10:00:00Z"),
            (253_402_214_400, "9999-12-30T22:00:00Z"),
            (253_402_300_800, "9999-12-30T22:00:00Z"),
            (1 << 62, "9999-12-30T22:00:00Z"),
        ] {
            // The clock of Windows ends in the year 30828.
            let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
            assert_eq!(time.map_or_else(|| expected.to_owned(), date), expected);
        }
        let ancient = SystemTime::UNIX_EPOCH.checked_sub(Duration::from_secs(1 << 62));
        assert!(ancient.is_none_or(|time| date(time).starts_with("-9999-01-0")));
    }
}
