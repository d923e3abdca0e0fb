//! When a usage limit ends that an agent told of in its own way.

use autopilot_agents::Reset;
use autopilot_core::time::Timestamp;
use jiff::{ToSpan, civil::Time, tz::TimeZone};

/// The point in time, as seen from `now`. Where a zone is told that nobody knows, nothing is: another zone's time could be
/// hours too early, and the agent would be called again and again.
pub(super) fn ends(reset: &Reset, now: Timestamp) -> Option<Timestamp> {
    match reset {
        Reset::At(at) => Some(*at),
        Reset::After(ms) => Some(now.plus_ms(*ms)),
        Reset::Clock { hour, minute, zone } => {
            let zone = match zone {
                Some(name) => TimeZone::get(name).ok()?,
                None => TimeZone::system(),
            };
            next(i8::try_from(*hour).ok()?, i8::try_from(*minute).ok()?, &zone, now)
        }
    }
}

/// When a clock in a zone next shows a time.
fn next(hour: i8, minute: i8, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let time = Time::new(hour, minute, 0, 0).ok()?;
    let now = jiff::Timestamp::from_millisecond(now.as_ms()).ok()?.to_zoned(zone.clone());
    let today = now.date();
    let days = [today, today.checked_add(1.day()).ok()?];
    let at = |day: jiff::civil::Date| day.to_datetime(time).to_zoned(zone.clone()).ok();
    let ends = days.into_iter().filter_map(at).find(|at| *at > now)?;
    Some(Timestamp::from_ms(ends.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        let at: jiff::Timestamp = text.parse().expect("a point in time");
        Timestamp::from_ms(at.as_millisecond())
    }

    fn clock(hour: u8, minute: u8, zone: &str) -> Reset {
        Reset::Clock { hour, minute, zone: Some(zone.to_owned()) }
    }

    #[test]
    fn a_time_of_a_clock_is_the_next_one_where_the_clock_is() {
        let rows = [
            // `resets 1pm (Asia/Seoul)`
            (clock(13, 0, "Asia/Seoul"), "2026-07-01T03:00:00Z", Some("2026-07-01T04:00:00Z")),
            (clock(13, 0, "Asia/Seoul"), "2026-07-01T04:00:00Z", Some("2026-07-02T04:00:00Z")),
            (clock(0, 30, "Asia/Seoul"), "2026-07-01T15:29:00Z", Some("2026-07-01T15:30:00Z")),
            (clock(20, 30, "UTC"), "2026-07-01T20:29:59Z", Some("2026-07-01T20:30:00Z")),
            // The night in which half past two is not there.
            (clock(2, 30, "Europe/Berlin"), "2026-03-29T00:10:00Z", Some("2026-03-29T01:30:00Z")),
            (clock(13, 0, "Middle/Earth"), "2026-07-01T03:00:00Z", None),
            (Reset::After(90_000), "2026-07-01T03:00:00Z", Some("2026-07-01T03:01:30Z")),
            (
                Reset::At(at("2026-07-01T09:00:00Z")),
                "2026-07-01T03:00:00Z",
                Some("2026-07-01T09:00:00Z"),
            ),
        ];
        for (reset, now, expected) in rows {
            assert_eq!(ends(&reset, at(now)), expected.map(at), "{reset:?} at {now}");
        }
        let here =
            ends(&Reset::Clock { hour: 20, minute: 34, zone: None }, at("2026-07-01T03:00:00Z"));
        let wait = here.expect("the system has a clock").ms_since(at("2026-07-01T03:00:00Z"));
        assert!((1..=25 * 3_600_000).contains(&wait));
    }
}
