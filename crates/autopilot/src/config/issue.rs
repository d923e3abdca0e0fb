//! How issues are worked on.

use autopilot_core::{evidence::Criterion, id::AgentName, issue::StepTries};
use serde::Deserialize;

use super::checks::GuardLayer;

/// How often a test that sometimes fails is run when nobody says otherwise.
const FLAKY_RUNS_DEFAULT: u32 = 20;

/// Where an issue's text and labels are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Forge {
    /// GitHub, by its command line.
    Gh,
    /// GitLab, by its command line.
    Glab,
}

/// The settings about issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IssueSettings {
    /// What runs the acceptance tests.
    pub(crate) test: Option<Criterion>,
    /// How often a test that sometimes fails is run.
    pub(crate) flaky_runs: u32,
    /// Who implements after the usual agent did not converge.
    pub(crate) strong: Option<AgentName>,
    /// How often each step is tried.
    pub(crate) tries: StepTries,
    /// Where issues are asked for.
    pub(crate) forge: Option<Forge>,
}

impl Default for IssueSettings {
    fn default() -> Self {
        Self {
            test: None,
            flaky_runs: FLAKY_RUNS_DEFAULT,
            strong: None,
            tries: StepTries::default(),
            forge: None,
        }
    }
}

/// The table `issue` of a layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct IssueLayer {
    test: Option<String>,
    flaky_runs: Option<u32>,
    strong: Option<String>,
    story_tries: Option<u32>,
    plan_tries: Option<u32>,
    work_tries: Option<u32>,
    forge: Option<Forge>,
}

impl IssueLayer {
    /// Puts the layer on top.
    pub(super) fn apply(&self, settings: &mut IssueSettings) -> Result<(), String> {
        let at_least_one = |name: &str, value: Option<u32>, known: u32| match value {
            Some(0) => Err(format!("`issue.{name}` must be at least 1")),
            other => Ok(other.unwrap_or(known)),
        };
        if let Some(command) = &self.test {
            let criterion = GuardLayer::Command(command.clone())
                .criterion("test")
                .map_err(|error| format!("`issue.test`: {error}"))?;
            settings.test = Some(Criterion { text: "acceptance tests".to_owned(), ..criterion });
        }
        settings.flaky_runs = at_least_one("flaky_runs", self.flaky_runs, settings.flaky_runs)?;
        if settings.flaky_runs == 1 {
            return Err(
                "`issue.flaky_runs` must be above 1: one green run shows nothing".to_owned()
            );
        }
        if let Some(agent) = &self.strong {
            settings.strong = Some(AgentName::new(agent));
        }
        let StepTries { stories, plan, work } = settings.tries;
        settings.tries = StepTries {
            stories: at_least_one("story_tries", self.story_tries, stories)?,
            plan: at_least_one("plan_tries", self.plan_tries, plan)?,
            work: at_least_one("work_tries", self.work_tries, work)?,
        };
        settings.forge = self.forge.or(settings.forge);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<IssueSettings, String> {
        let layer: IssueLayer = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut settings = IssueSettings::default();
        layer.apply(&mut settings).map(|()| settings)
    }

    #[test]
    fn a6_one_ceiling_that_is_set_leaves_the_others_as_they_are() {
        let set = settings("work_tries = 3\ntest = \"make at\"\nforge = \"gh\"").expect("settings");
        assert_eq!(set.tries, StepTries { stories: 4, plan: 4, work: 3 });
        assert_eq!(set.test.and_then(|test| test.command).as_deref(), Some("make at"));
        assert_eq!(set.forge, Some(Forge::Gh));
    }

    #[test]
    fn what_could_never_prove_anything_is_refused() {
        for text in
            ["flaky_runs = 1", "flaky_runs = 0", "plan_tries = 0", "test = \" \"", "forge = \"x\""]
        {
            assert!(settings(text).is_err(), "{text}");
        }
    }
}
