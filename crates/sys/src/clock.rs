//! Wall-clock time as text, the processor time of a thread, and a clock for measuring.

use std::time::{Duration, SystemTime};

#[cfg(target_family = "wasm")]
pub use hosted::Instant;
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

/// The current time in UTC, as `2026-11-20T10:05:30Z`.
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

/// The first and the last second of years with four digits, from 1970.
const FIRST: i64 = -62_167_219_200;
const LAST: i64 = 253_402_300_799;

/// A time in UTC, clamped to years of four digits: a clock may be set to any year.
fn date(time: SystemTime) -> String {
    let since_1970 = match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(error) => i64::try_from(error.duration().as_secs()).map_or(i64::MIN, |before| -before),
    };
    let seconds = since_1970.clamp(FIRST, LAST);
    let (year, month, day) = calendar(seconds.div_euclid(86_400));
    let time = seconds.rem_euclid(86_400);
    let hour = time / 3600;
    let minute = time / 60 % 60;
    let second = time % 60;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a number of days after 1970-01-01.
///
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`. Its years begin
/// in March, so that a leap day is the last of its year.
fn calendar(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    if month < 10 {
        (400 * era + year, month + 3, day)
    } else {
        (400 * era + year + 1, month - 9, day)
    }
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
            (0, "1970-01-01T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_795_168_800, "2026-11-20T10:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
            (1 << 62, "9999-12-31T23:59:59Z"),
        ] {
            // The clock of Windows ends in the year 30828.
            let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
            assert_eq!(time.map_or_else(|| expected.to_owned(), date), expected);
        }
        for (before, expected) in [(1, "1969-12-31T23:59:59Z"), (1 << 62, "0000-01-01T00:00:00Z")] {
            let time = SystemTime::UNIX_EPOCH.checked_sub(Duration::from_secs(before));
            assert_eq!(time.map_or_else(|| expected.to_owned(), date), expected);
        }
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let mut expected = (0, 1, 1);
        for day in FIRST / 86_400..=LAST / 86_400 {
            assert_eq!(calendar(day), expected);
            let (year, month, day) = expected;
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 if is_leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = if day < length {
                (year, month, day + 1)
            } else if month < 12 {
                (year, month + 1, 1)
            } else {
                (year + 1, 1, 1)
            };
        }
        assert_eq!(expected, (10_000, 1, 1));
    }
}
