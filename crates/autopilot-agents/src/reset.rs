//! Reads from a text when a limit ends: `resets 1pm (Asia/Seoul)`, `try again at 8:34 PM`, `retry in 3600s`, a number of seconds.

use autopilot_core::time::{SECOND_MS, Timestamp};

use crate::Reset;

/// Words after which a time of a clock is told.
const CLOCK_WORDS: [&str; 4] = ["resets at", "resets", "try again at", "available again at"];
/// Words after which a length of time is told.
const LENGTH_WORDS: [&str; 5] =
    ["retry in", "retry after", "try again in", "retrydelay", "resets in"];
/// The largest number of digits that is a time in seconds; more of them are milliseconds.
const SECONDS_DIGITS_MAX: usize = 10;
/// The least number of digits of a point in time.
const POINT_DIGITS_MIN: usize = 10;

/// When a limit is said to end.
pub(crate) fn reset_in(said: &str) -> Option<Reset> {
    let lower = said.to_lowercase();
    point(&lower).or_else(|| length(&lower)).or_else(|| clock(said, &lower))
}

/// A point in time as a service tells it: in seconds, or in milliseconds where it is too large for these.
pub(crate) fn point_of(number: i64) -> Option<Reset> {
    let digits = number.checked_ilog10().map_or(0, |log| usize::try_from(log).unwrap_or(0) + 1);
    if digits < POINT_DIGITS_MIN {
        return None;
    }
    let second_ms = i64::try_from(SECOND_MS).unwrap_or(i64::MAX);
    let ms = if digits <= SECONDS_DIGITS_MAX { number.checked_mul(second_ms)? } else { number };
    Some(Reset::At(Timestamp::from_ms(ms)))
}

/// `Claude AI usage limit reached|1760000400`: a long number by itself.
fn point(lower: &str) -> Option<Reset> {
    let mut numbers = lower.split(|c: char| !c.is_ascii_digit());
    let number = numbers.find(|word| (POINT_DIGITS_MIN..=13).contains(&word.len()))?;
    point_of(number.parse().ok()?)
}

/// `retry in 3600s`, `try again in 5 minutes`.
fn length(lower: &str) -> Option<Reset> {
    let rest = LENGTH_WORDS.iter().find_map(|words| after(lower, words))?;
    let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches('.').parse().ok()?;
    let unit = rest[end..].trim_start();
    let unit_ms = match unit.chars().next() {
        Some('m') if unit.starts_with("ms") => 1.0,
        Some('m') => 60_000.0,
        Some('h') => 3_600_000.0,
        Some('d') => 86_400_000.0,
        _ => 1_000.0,
    };
    // The conversion stops at the largest number, which is what is wanted.
    (number.is_finite()).then(|| Reset::After((number * unit_ms).ceil() as u64))
}

/// `resets 8:30pm (UTC)`.
fn clock(said: &str, lower: &str) -> Option<Reset> {
    let rest = CLOCK_WORDS.iter().find_map(|words| after(lower, words))?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
    let (hour, minute) = rest[..end].split_once(':').unwrap_or((&rest[..end], "0"));
    let (hour, minute): (u8, u8) = (hour.parse().ok()?, minute.parse().ok()?);
    let half = rest[end..].trim_start();
    let hour = match half.get(..2) {
        Some("am") if hour == 12 => 0,
        Some("pm") if hour < 12 => hour + 12,
        _ => hour,
    };
    let is_time = hour < 24 && minute < 60;
    is_time.then(|| Reset::Clock { hour, minute, zone: zone_in(said) })
}

/// What stands in brackets after the time, in the letters in which it was written.
fn zone_in(said: &str) -> Option<String> {
    let (_, rest) = said.split_once('(')?;
    let (zone, _) = rest.split_once(')')?;
    let is_zone = !zone.is_empty()
        && zone.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '+'));
    is_zone.then(|| zone.to_owned())
}

fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    text.split_once(words).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock_at(hour: u8, minute: u8, zone: Option<&str>) -> Option<Reset> {
        Some(Reset::Clock { hour, minute, zone: zone.map(str::to_owned) })
    }

    #[test]
    fn times_are_read_as_services_tell_them() {
        let rows = [
            ("You've hit your 5-hour limit · resets 8:30pm (UTC)", clock_at(20, 30, Some("UTC"))),
            ("limit reached, resets 1pm (Asia/Seoul)", clock_at(13, 0, Some("Asia/Seoul"))),
            ("resets 12am", clock_at(0, 0, None)),
            ("resets 12pm", clock_at(12, 0, None)),
            ("or try again at 8:34 PM.", clock_at(20, 34, None)),
            ("resets at 17:05", clock_at(17, 5, None)),
            ("resets tomorrow", None),
            ("resets 25pm", None),
            ("resets 9:99", None),
            ("Please retry in 3600s.", Some(Reset::After(3_600_000))),
            ("Suggested retry after 1s", Some(Reset::After(1_000))),
            ("try again in 5 minutes", Some(Reset::After(300_000))),
            ("try again in 1.5h", Some(Reset::After(5_400_000))),
            ("retry in 250ms", Some(Reset::After(250))),
            ("usage limit reached|1794774638", point_of(1_794_774_638)),
            ("until 1794774638000", Some(Reset::At(Timestamp::from_ms(1_794_774_638_000)))),
            ("This request would exceed your account's rate limit.", None),
            ("", None),
        ];
        for (said, expected) in rows {
            assert_eq!(reset_in(said), expected, "{said}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(said in "(?i)[resets tryagin0-9:apm().é|]{0,60}") {
            drop(reset_in(&said));
        }
    }
}
