//! `fa-run`: empties a queue with commands from the environment.

use std::{path::PathBuf, time::Duration};

use super::{Variables, ends, lease_store, says, usage};
use crate::{
    queue::drain::{Commands, Drain, Loudness},
    rails::Reply,
};

/// How long a worker may take when nobody says otherwise.
const WORKER_SECONDS_MAX: u64 = 14_400;
/// How long to wait before looking again when nobody says otherwise.
const POLL_MS: u64 = 200;
/// Lists what is ready where nobody says how.
const QUEUE: &str =
    "gh issue list --label ready-to-go --state open --limit 200 --json number --jq '.[].number' #";
/// What ends a run that was stopped by a signal.
const INTERRUPTED: u8 = 130;

/// `fa-run <K>`. How issues are worked on, judged and merged must be said: what is not said is not done.
pub(super) fn fa_run(arguments: &[String], variables: &Variables) -> Reply {
    let [slots] = arguments else { return usage("fa-run <K>") };
    let Some(slots) = slots.parse::<usize>().ok().filter(|slots| *slots > 0) else {
        return usage("fa-run <K>");
    };
    let required = ["FA_LAUNCH_CMD", "FA_RESULT_CMD", "FA_MERGE_CMD"];
    if let Some(missing) = required.into_iter().find(|name| variables.get(name).is_none()) {
        let told = format!("fa-run: `{missing}` is not set, so nothing was started\n");
        return Reply { code: 2, stdout: Vec::new(), stderr: told.into_bytes() };
    }
    match drain(slots, variables).run() {
        Ok(true) => ends(0),
        Ok(false) => ends(INTERRUPTED),
        Err(error) => says(1, &format!("signals cannot be listened for: {error}\n")),
    }
}

fn drain(slots: usize, variables: &Variables) -> Drain {
    let command = |name: &str| variables.get(name).unwrap_or_default();
    let seconds = |name: &str| {
        let seconds = variables.get(name)?.trim().parse::<f64>().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    };
    let worker_max =
        seconds("FA_WORKER_TIMEOUT").unwrap_or(Duration::from_secs(WORKER_SECONDS_MAX));
    Drain {
        commands: Commands {
            queue: variables.get("FA_QUEUE_CMD").unwrap_or_else(|| QUEUE.to_owned()),
            launch: command("FA_LAUNCH_CMD"),
            result: command("FA_RESULT_CMD"),
            merge: command("FA_MERGE_CMD"),
            notify: variables.get("FA_NOTIFY_CMD"),
        },
        leases: lease_store(variables),
        session: variables.get("FAD_SESSION").unwrap_or_else(|| "dispatcher".to_owned()),
        slots,
        poll: seconds("FA_POLL_INTERVAL").unwrap_or(Duration::from_millis(POLL_MS)),
        worker_max: (!worker_max.is_zero()).then_some(worker_max),
        loudness: Loudness::named(&variables.get("FA_NOTIFY_LEVEL").unwrap_or_default()),
        log: variables.get("FA_LOG").map(PathBuf::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Variables {
        Variables::new(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    #[test]
    fn a33_a_call_that_cannot_be_meant_starts_nothing() {
        let none = variables(&[]);
        for words in [&[][..], &["-h"][..], &["0"][..], &["x"][..], &["1", "2"][..]] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(fa_run(&words, &none).code, 2, "{words:?}");
        }
        let reply = fa_run(&["2".to_owned()], &none);
        assert_eq!(reply.code, 2);
        assert!(String::from_utf8_lossy(&reply.stderr).contains("FA_LAUNCH_CMD"));
    }

    #[test]
    fn a33_settings_have_the_names_and_the_defaults_that_callers_know() {
        let told = drain(3, &variables(&[("FA_LAUNCH_CMD", "work")]));
        assert_eq!((told.slots, told.poll.as_millis()), (3, 200));
        assert_eq!(told.worker_max, Some(Duration::from_secs(14_400)));
        let told =
            drain(1, &variables(&[("FA_WORKER_TIMEOUT", "0"), ("FA_POLL_INTERVAL", "0.05")]));
        assert_eq!((told.worker_max, told.poll.as_millis()), (None, 50));
        assert_eq!(drain(1, &variables(&[("FA_NOTIFY_LEVEL", "quiet")])).loudness, Loudness::Quiet);
    }
}
