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

/// An amount of money: `$0.42`.
pub fn money(micro_usd: u64) -> String {
    let cents = micro_usd.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// A size: `950 bytes`, `12.3 KiB`, `70.0 MiB`, `1.5 GiB`.
pub fn size(bytes: u64) -> String {
    let part = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KiB", part(1 << 10)),
        1_048_576..1_073_741_824 => format!("{} MiB", part(1 << 20)),
        _ => format!("{} GiB", part(1 << 30)),
    }
}

/// A number of files and their size: `1 file (12 bytes)`, `12 files (70.0 MiB)`.
pub fn files(files: u64, bytes: u64) -> String {
    let word = if files == 1 { "file" } else { "files" };
    format!("{files} {word} ({})", size(bytes))
}

/// A number of things: `1 phase`, `3 phases`.
pub fn counted(number: u64, one: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {one}{end}")
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
        let sizes = [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_536, "1.5 KiB"),
            (70 << 20, "70.0 MiB"),
            ((1 << 30) - 1, "1023.9 MiB"),
            (u64::MAX / 16, "1073741823.9 GiB"),
        ];
        for (bytes, expected) in sizes {
            assert_eq!(size(bytes), expected);
        }
        assert_eq!(files(1, 2), "1 file (2 bytes)");
        for (micro, expected) in
            [(0, "$0.00"), (1, "$0.01"), (420_000, "$0.42"), (12_000_000, "$12.00")]
        {
            assert_eq!(money(micro), expected);
        }
        let at = Timestamp::from_ms(1_700_000_000_000);
        assert_eq!(time_of_day(at, &TimeZone::UTC), "22:13:20");
    }
}
