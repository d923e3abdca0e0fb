//! Commands that someone claims to have run, beside those that were seen.

use crate::phases::Commands;

/// What separates a command from what is said to have come of it.
const RESULT_MARKS: [&str; 5] = [" -> ", " → ", " => ", " — ", " -- "];
/// Longer lists say no more.
const COMMANDS_MAX: usize = 100;
/// Longer commands are cut.
const COMMAND_CHARS_MAX: usize = 500;

/// Tells commands that were seen from those that are only claimed, and which claims were not seen although they would
/// have been.
pub(super) fn weigh(claimed: &[String], seen: Option<&[String]>) -> (Commands, Vec<String>) {
    let claimed = claimed.iter().filter(|command| !command.trim().is_empty());
    let Some(seen) = seen else {
        return (
            Commands::Claimed(claimed.take(COMMANDS_MAX).map(|one| cut(one)).collect()),
            vec![],
        );
    };
    let unseen = claimed.filter(|claim| !seen.iter().any(|command| is_same(claim, command)));
    let unseen = unseen.take(COMMANDS_MAX).map(|claim| cut(claim)).collect();
    (Commands::Seen(seen.iter().take(COMMANDS_MAX).map(|one| cut(one)).collect()), unseen)
}

/// Whether a claim can be about a command: people and agents leave out where it was run and what it was piped to.
fn is_same(claim: &str, seen: &str) -> bool {
    let claim = RESULT_MARKS
        .iter()
        .fold(claim, |claim, mark| claim.split_once(mark).map_or(claim, |(command, _)| command));
    let (claim, seen) = (bare(claim), bare(seen));
    !claim.is_empty() && (seen.contains(&claim) || claim.contains(&seen))
}

/// A command without what does not matter: quotes around it, and how it is spaced.
fn bare(command: &str) -> String {
    let command = command.trim().trim_matches('`').trim_start_matches("$ ");
    command.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(command: &str) -> String {
    command.trim().chars().take(COMMAND_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(commands: &[&str]) -> Vec<String> {
        commands.iter().map(|command| (*command).to_owned()).collect()
    }

    #[test]
    fn c27_what_nobody_could_see_is_claimed_and_never_seen() {
        let (commands, unseen) = weigh(&list(&["npm test -> 3 passed", " "]), None);
        assert_eq!(commands, Commands::Claimed(list(&["npm test -> 3 passed"])));
        assert_eq!((commands.how(), unseen), ("claimed", list(&[])));
    }

    #[test]
    fn c27_where_tools_are_told_only_what_was_seen_counts() {
        let seen = list(&["cd web && npm  test 2>&1 | tail -5"]);
        let rows = [
            ("npm test -> 3 passed", true),
            ("`npm test` → ok", true),
            ("$ cd web && npm test 2>&1 | tail -5", true),
            ("cargo test", false),
            ("npm run lint -> clean", false),
        ];
        for (claim, is_seen) in rows {
            let (commands, unseen) = weigh(&list(&[claim]), Some(&seen));
            assert_eq!(commands, Commands::Seen(seen.clone()), "{claim}");
            assert_eq!(unseen.is_empty(), is_seen, "{claim}");
        }
        let (commands, unseen) = weigh(&list(&["true"]), Some(&[]));
        assert_eq!((commands, unseen), (Commands::Seen(list(&[])), list(&["true"])));
    }
}
