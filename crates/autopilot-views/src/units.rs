//! Numbers as people read them.

use autopilot_core::time::Timestamp;
use jiff::tz::TimeZone;

/// A length of time: `850ms`, `12s`, `4m 32s`, `2h 05m`.
pub fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 if ms > 0 => format!("{ms}ms"),
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// A number of tokens: `950`, `12.3k`, `1.5M`.
pub fn tokens(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..1_000_000 => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    }
}

/// An amount of text: `950 B`, `12.3 kB`, `1.5 MB`.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// An amount of money: `$0.42`.
pub fn money(micro_usd: u64) -> String {
    let cents = micro_usd.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// The time of day at which something was recorded, where the reader is.
pub fn time_of_day(at: Timestamp, zone: &TimeZone) -> String {
    jiff::Timestamp::from_millisecond(at.as_ms()).map_or_else(
        |_| "--:--:--".to_owned(),
        |at| at.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_say_them() {
        let durations = [
            (0, "0s"),
            (850, "850ms"),
            (12_400, "12s"),
            (272_000, "4m 32s"),
            (7_500_000, "2h 05m"),
        ];
        for (ms, expected) in durations {
            assert_eq!(duration(ms), expected);
        }
        for (count, expected) in [(950, "950"), (12_345, "12.3k"), (1_560_000, "1.5M")] {
            assert_eq!(tokens(count), expected);
        }
        for (count, expected) in [(950, "950 B"), (12_345, "12.3 kB"), (1_560_000, "1.5 MB")] {
            assert_eq!(bytes(count), expected);
        }
        for (micro, expected) in
            [(0, "$0.00"), (1, "$0.01"), (420_000, "$0.42"), (12_000_000, "$12.00")]
        {
            assert_eq!(money(micro), expected);
        }
        let at = Timestamp::from_ms(1_700_000_000_000);
        assert_eq!(time_of_day(at, &TimeZone::UTC), "22:13:20");
    }
}
