//! Moments as text.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 24 * 60 * 60;

/// A moment as RFC 3339 has it, in UTC and to the microsecond. What is before 1970 counts as 1970.
pub(crate) fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / SECONDS_A_DAY, since.as_secs() % SECONDS_A_DAY);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let micros = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// Year, month and day, this many days after 1970-01-01.
///
/// The years are counted from March on, so that a leap day is the last day of one; 400 of them are
/// an era of 146 097 days (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;
    use std::time::{Duration, UNIX_EPOCH};

    #[track_caller]
    fn check(seconds: u64, nanos: u32, expected: &str) {
        assert_eq!(rfc3339(UNIX_EPOCH + Duration::new(seconds, nanos)), expected);
    }

    #[test]
    fn leap_days_and_the_ends_of_years_are_where_they_belong() {
        check(0, 0, "1970-01-01T00:00:00.000000Z");
        check(68_169_599, 999_999_999, "1972-02-28T23:59:59.999999Z");
        check(68_169_600, 0, "1972-02-29T00:00:00.000000Z");
        check(951_782_400, 0, "2000-02-29T00:00:00.000000Z");
        check(951_868_800, 1_000, "2000-03-01T00:00:00.000001Z");
        check(1_735_689_599, 0, "2024-12-31T23:59:59.000000Z");
        check(1_735_689_600, 0, "2025-01-01T00:00:00.000000Z");
        check(4_107_542_400, 0, "2100-03-01T00:00:00.000000Z");
        check(253_402_300_799, 0, "9999-12-31T23:59:59.000000Z");
    }

    #[test]
    fn a_clock_before_1970_does_not_panic() {
        assert_eq!(rfc3339(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00.000000Z");
    }
}
