//! What the tools of a system print about it.

use crate::sessions::number::round;

/// Names of programs whose processes count.
const PROGRAMS: [&str; 2] = ["claude", "node"];
/// Load below which a process does nothing.
const IDLE_PCT: f64 = 1.0;

/// The minutes in an elapsed time of `ps`: `[[days-]hours:]minutes:seconds`.
pub fn elapsed_minutes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (days.parse::<u64>().ok()?, clock),
        None => (0, text),
    };
    let parts: Option<Vec<u64>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let minutes = match parts?.as_slice() {
        [minutes, _] => *minutes,
        [hours, minutes, _] => hours.checked_mul(60)?.checked_add(*minutes)?,
        _ => return None,
    };
    days.checked_mul(1440)?.checked_add(minutes)
}

/// The swap in use, in megabytes, that `sysctl vm.swapusage` tells.
pub fn swap_used_mb(text: &str) -> Option<f64> {
    let after = text.split_once("used = ")?.1;
    let end = after.find(|character: char| !character.is_ascii_digit() && character != '.')?;
    let number: f64 = after[..end].parse().ok()?;
    let factor = match &after[end..end + after[end..].chars().next()?.len_utf8()] {
        "K" => 1.0 / 1024.0,
        "M" => 1.0,
        "G" => 1024.0,
        _ => return None,
    };
    Some(round(number * factor))
}

/// The part of memory that `memory_pressure` calls free.
pub fn pressure_free_pct(text: &str) -> Option<f64> {
    let after = text.split_once("memory free percentage:")?.1.trim_start();
    let (number, _) = after.split_once('%')?;
    number
        .trim_end()
        .parse()
        .ok()
        .filter(|_| number.starts_with(|first: char| first.is_ascii_digit()))
}

/// How many processes of agents are older than some minutes and do nothing, in what `ps` prints: a line of titles, then
/// number, program, elapsed time and load of each process.
pub fn zombies(text: &str, older_than_minutes: f64) -> u64 {
    let is_zombie = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, program, elapsed, load] = words.as_slice() else {
            return false;
        };
        let name = program.rsplit('/').next().unwrap_or(program);
        let minutes = elapsed_minutes(elapsed).and_then(|minutes| u32::try_from(minutes).ok());
        PROGRAMS.contains(&name)
            && minutes.is_some_and(|minutes| f64::from(minutes) > older_than_minutes)
            && load.parse::<f64>().is_ok_and(|load| load < IDLE_PCT)
    };
    text.lines().skip(1).filter(is_zombie).map(|_| 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_times_come_in_three_lengths() {
        let cases = [
            ("05:10", Some(5)),
            ("1:05:10", Some(65)),
            ("2-03:04:05", Some(3064)),
            ("10", None),
            ("x", None),
            ("", None),
            ("99999999999999999999-00:00", None),
        ];
        for (text, minutes) in cases {
            assert_eq!(elapsed_minutes(text), minutes, "{text}");
        }
    }

    #[test]
    fn tools_that_print_something_else_tell_nothing() {
        assert_eq!(swap_used_mb("total = 2.00G  used = 1.50G  free = 0.50G"), Some(1536.0));
        assert_eq!(swap_used_mb("used = "), None);
        assert_eq!(swap_used_mb("used = 12"), None);
        assert_eq!(pressure_free_pct("System-wide memory free percentage: 42%"), Some(42.0));
        assert_eq!(pressure_free_pct("memory free percentage: inf%"), None);
    }

    #[test]
    fn a_process_that_works_or_is_young_is_no_zombie() {
        let text = "PID COMM ELAPSED %CPU\n1 claude 01:00:00 0.0\n2 node 10:00 0.5\n4 node 2-00:00:00 5.0\n";
        assert_eq!(zombies(text, 30.0), 1);
    }
}
