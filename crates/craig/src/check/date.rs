//! The date, for witnesses.

use jiff::{Timestamp, tz::TimeZone};

/// Now in UTC: `2026-01-31T12:00:00+00:00`; or the time that `SOURCE_DATE_EPOCH` gives, for output
/// that is the same each time.
pub fn now_iso8601() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let given = given.and_then(|text| Timestamp::from_second(text.parse().ok()?).ok());
    iso8601(given.unwrap_or_else(Timestamp::now))
}

fn iso8601(time: Timestamp) -> String {
    let date = time.to_zoned(TimeZone::UTC);
    date.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn dates() {
        let date = |seconds| iso8601(Timestamp::from_second(seconds).unwrap());
        assert_eq!(date(0), "1970-01-01T00:00:00+00:00");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00+00:00");
        assert_eq!(date(1_767_225_599), "2025-12-31T23:59:59+00:00");
    }
}
