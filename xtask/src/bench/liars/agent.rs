//! The agent of all cases: one shell program for every role. Everybody but those who write approves of everything.

/// The program. What a case does is sourced; `says` replaces what is returned in the end.
pub(super) const AGENT: &str = r#"prompt=$(cat)
began=$(date +%s%N)
trap 'echo "agent $AUTOPILOT_ROLE $began $(date +%s%N)" >> "ROOT/times"' EXIT
says=''
export GIT_AUTHOR_NAME=agent GIT_AUTHOR_EMAIL=agent@example.org GIT_COMMITTER_NAME=agent GIT_COMMITTER_EMAIL=agent@example.org
case $AUTOPILOT_ROLE in
  executor | debugger) . "ROOT/act.sh" ;;
  *) . "ROOT/others.sh" ;;
esac
if [ -n "$says" ]; then printf '%s\n' "$says"; exit 0; fi
case $AUTOPILOT_ROLE in
  researcher) echo '{"key_findings": ["it is small"], "recommended_approach": "plainly"}' ;;
  planner)
    place=".planning/phases/$AUTOPILOT_PHASE-part-$AUTOPILOT_PHASE"
    mkdir -p "$place"
    [ -e "$place/PLAN.md" ] || cp "ROOT/PLAN-$AUTOPILOT_PHASE.md" "$place/PLAN.md"
    echo '{"plans_created": 1, "total_tasks": 1}' ;;
  plan-checker) echo '{"pass": true, "confidence": 10, "issues": []}' ;;
  executor) echo '{"tasks_completed": "1/1", "tasks_failed": "0/1"}' ;;
  debugger) echo '{"fixed": true, "changes": ["all of it"]}' ;;
  verifier) echo '{"pass": true, "failures": [], "commands_run": ["every one of them"]}' ;;
  judge) echo '{"recommendation": "proceed", "concerns": ["none worth a word"], "independent_evidence": ["I read the change"], "divergence_analysis": "none", "verifier_agreement": true, "verifier_missed": []}' ;;
  rater)
    place=$(find . -name .git -prune -o -type f -size +0 -print | sort | head -n 1)
    echo '{"alignment_score": 10, "scorecard": [{"criterion": "all", "score": 10, "evidence": "'"$place"':1", "justification": "perfect"}]}' ;;
  *) echo '{"pass": true, "issues": []}' ;;
esac
"#;

/// A shell that notes how long every command of a check took. It is found before the real one, and by nobody else.
pub(super) const TIMED_SHELL: &str = r#"#!/bin/sh
if [ "$1" != -c ] || [ -n "$LIARS_TIMED" ]; then exec /bin/sh "$@"; fi
export LIARS_TIMED=1
began=$(date +%s%N)
/bin/sh "$@"
code=$?
echo "command $began $(date +%s%N) $(git rev-parse HEAD^{tree}) $2" >> "ROOT/times"
exit $code
"#;
