//! Times as text, in UTC, the way records hold them.

use crate::time::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// A time in parts, in UTC.
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    ms: i64,
}

impl Parts {
    fn of(at: Timestamp) -> Self {
        let (days, ms) = (at.as_ms().div_euclid(DAY_MS), at.as_ms().rem_euclid(DAY_MS));
        let (year, month, day) = date_of(days);
        Self {
            year,
            month,
            day,
            hour: ms / 3_600_000,
            minute: ms / 60_000 % 60,
            second: ms / 1_000 % 60,
            ms: ms % 1_000,
        }
    }
}

/// The time with three decimals of a second: `2001-09-09T01:46:40.000Z`.
pub fn iso(at: Timestamp) -> String {
    let Parts { year, month, day, hour, minute, second, ms } = Parts::of(at);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// The time to the second: `2001-09-09T01:46:40Z`.
pub fn seconds(at: Timestamp) -> String {
    let Parts { year, month, day, hour, minute, second, .. } = Parts::of(at);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The day: `2001-09-09`.
pub fn day(at: Timestamp) -> String {
    let Parts { year, month, day, .. } = Parts::of(at);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The minute as it stands in the name of a run: `2001-09-09-0146`.
pub fn minute(at: Timestamp) -> String {
    let Parts { year, month, day, hour, minute, .. } = Parts::of(at);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}")
}

/// The milliseconds that a text means as a time, if it means one: a date, or a date and a time with `Z` or an offset.
///
/// A time without either is somebody's local time; here it is taken as UTC.
pub fn read(text: &str) -> Option<i64> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |month| digits(month, 2))?;
    let day = parts.next().map_or(Some(1), |day| digits(day, 2))?;
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && parts.next().is_none();
    if !is_date {
        return None;
    }
    let midnight = days_to(year, month, day) * DAY_MS;
    Some(midnight + time.map_or(Some(0), time_of_day)?)
}

/// Whether a time is written in the one form that records are written in.
pub fn is_canonical(text: &str) -> bool {
    let shape = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    shape(text, "0000-00-00T00:00:00Z") || shape(text, "0000-00-00T00:00:00.000Z")
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn time_of_day(text: &str) -> Option<i64> {
    let (time, offset) = match text.strip_suffix('Z') {
        Some(time) => (time, 0),
        None => with_offset(text)?,
    };
    let mut parts = time.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let ms = parts.next().map_or(Some(0), read_seconds)?;
    let is_midnight = hour == 24 && minute == 0 && ms == 0;
    let is_time =
        (hour < 24 || is_midnight) && minute < 60 && ms < 60_000 && parts.next().is_none();
    is_time.then_some(hour * 3_600_000 + minute * 60_000 + ms - offset)
}

fn with_offset(text: &str) -> Option<(&str, i64)> {
    let Some(at) = text.find(['+', '-']) else {
        return Some((text, 0));
    };
    let (hour, minute) = text[at + 1..].split_once(':')?;
    let offset = digits(hour, 2)? * 3_600_000 + digits(minute, 2)? * 60_000;
    Some((&text[..at], if text[at..].starts_with('-') { -offset } else { offset }))
}

/// Milliseconds of `40` or `40.25`; what is finer does not count.
fn read_seconds(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: String = part.chars().chain("00".chars()).take(3).collect();
    if is_number { Some(digits(whole, 2)? * 1_000 + part.parse::<i64>().ok()?) } else { None }
}

/// Days from the epoch to a date; a day that its month does not have is one of the next month.
///
/// Years are counted from March, so that the day that some years lack is the last one.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before_year = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let before_month = (153 * month + 2) / 5;
    before_year + before_month + day - 1 - 719_468
}

/// The date that so many days after the epoch is.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year_of_era;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_back_as_they_were_written() {
        for ms in
            [0, 1_000_000_000_000, 1_700_000_000_123, 951_782_400_000, -1, -62_167_219_200_000]
        {
            assert_eq!(read(&iso(Timestamp::from_ms(ms))), Some(ms), "{ms}");
        }
        assert_eq!(iso(Timestamp::from_ms(1_000_000_000_000)), "2001-09-09T01:46:40.000Z");
        assert_eq!(minute(Timestamp::from_ms(1_700_000_000_000)), "2023-11-14-2213");
    }

    #[test]
    fn other_forms_of_a_time_are_read_too() {
        let cases = [
            ("2026-02-30T00:00:00Z", Some(1_772_409_600_000)),
            ("2026-01-01T24:00:00Z", Some(1_767_312_000_000)),
            ("1970-01-01T01:00+01:00", Some(0)),
            ("1970-01-01T00:00:00.3Z", Some(300)),
            ("1970", Some(0)),
            ("2026-01-01T25:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-01-01T23:59:60Z", None),
            ("2026-01-01T00:00:00.3NZ", None),
            ("nope", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
        assert!(is_canonical("2026-01-01T00:00:00.300Z") && is_canonical("2026-01-01T00:00:00Z"));
        assert!(!is_canonical("2026-01-01T00:00:00.3Z") && !is_canonical("2026-01-01"));
    }
}
