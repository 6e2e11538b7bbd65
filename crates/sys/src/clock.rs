//! Wall-clock time as text, and the processor time of a thread.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

/// The current time in UTC, as `2026-11-20T10:05:30Z`.
pub fn now() -> String {
    date(SystemTime::now())
}

/// A time in UTC; the first or last one that can be written in its place, because a clock may
/// be set to any year, and `Timestamp::now` panics after 9999.
fn date(time: SystemTime) -> String {
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
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        use once_cell::sync::Lazy;
        use std::time::Instant;
        static START: Lazy<Instant> = Lazy::new(Instant::now);
        START.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_that_a_clock_can_show_has_a_date() {
        for (seconds, expected) in [
            (1_795_168_800, "2026-11-20T10:00:00Z"),
            (253_402_214_400, "9999-12-30T22:00:00Z"),
            (253_402_300_800, "9999-12-30T22:00:00Z"),
            (1 << 62, "9999-12-30T22:00:00Z"),
        ] {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(date(time), expected);
        }
    }
}
