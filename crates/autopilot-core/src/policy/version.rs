//! The version of a project after a run, by what the run completed.

use std::fmt;

/// Longer files are none that hold a version.
pub const VERSION_FILE_BYTES_MAX: usize = 8 << 20;

/// How far a version goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bump {
    /// The second number, and the third is 0: a whole phase was completed.
    Minor,
    /// The third number: only phases between whole ones were.
    Patch,
}

impl Bump {
    /// How far the version goes up for these phases; nothing for none.
    pub fn of<'a>(phases: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let is_whole = |id: &str| id.chars().all(|c| c.is_ascii_digit());
        let mut bump = None;
        for id in phases {
            if is_whole(id) {
                return Some(Self::Minor);
            }
            bump = Some(Self::Patch);
        }
        bump
    }
}

/// Three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u64, u64, u64);

impl Version {
    /// Reads a plain version. One with anything behind the numbers is not counted on: only a person knows what follows it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.');
        let mut next = || {
            let part = parts.next()?;
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| is_number)
        };
        let version = Self(next()?, next()?, next()?);
        parts.next().is_none().then_some(version)
    }

    /// The next one.
    #[must_use]
    pub const fn next(self, bump: Bump) -> Self {
        match bump {
            Bump::Minor => Self(self.0, self.1.saturating_add(1), 0),
            Bump::Patch => Self(self.0, self.1, self.2.saturating_add(1)),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The files that name the version of a project, as far as they are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionFiles {
    /// `package.json`.
    pub package: Option<String>,
    /// `VERSION`.
    pub version: Option<String>,
    /// `CHANGELOG.md`.
    pub changelog: Option<String>,
}

/// The same files with the next version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bumped {
    /// The version.
    pub version: Version,
    /// Those that change.
    pub files: VersionFiles,
}

/// Puts the next version into every file that names one. `phases` are the names of what was completed, for the change log.
pub fn bump(
    files: &VersionFiles,
    bump: Bump,
    day: &str,
    phases: &[String],
) -> Result<Bumped, String> {
    let package = files.package.as_deref().map(package_version).transpose()?.flatten();
    let own = files.version.as_deref().map(|text| (text, text.trim().trim_start_matches('v')));
    let found = package.as_ref().map(|(_, version)| *version).or(own.map(|(_, version)| version));
    let found = found.ok_or("neither `package.json` nor `VERSION` names a version")?;
    let Some(version) = Version::parse(found).map(|version| version.next(bump)) else {
        return Err(format!("the version `{found}` is not three numbers"));
    };
    let next = version.to_string();
    let package = package.map(|(place, old)| {
        let text = files.package.as_deref().unwrap_or_default();
        format!("{}{next}{}", &text[..place], &text[place + old.len()..])
    });
    let own = own.map(|(text, old)| match old.is_empty() {
        true => format!("{next}\n"),
        false => text.replacen(old, &next, 1),
    });
    let changelog = files.changelog.as_deref().map(|text| changed(text, &next, day, phases));
    Ok(Bumped { version, files: VersionFiles { package, version: own, changelog } })
}

/// The version that a manifest names, with its place; nothing where it names none.
fn package_version(text: &str) -> Result<Option<(usize, &str)>, String> {
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| format!("`package.json` cannot be read: {error}"))?;
    let Some(version) = value.get("version").and_then(serde_json::Value::as_str) else {
        return Ok(None);
    };
    // The file is edited as a person wrote it, so the place is looked for in the text.
    let place = place_of(text).filter(|place| text[*place..].starts_with(version));
    let Some(place) = place else {
        return Err(
            "the version in `package.json` is written in a way that cannot be edited".to_owned()
        );
    };
    Ok(Some((place, &text[place..place + version.len()])))
}

/// Where the value of the key `version` of the outermost object begins.
fn place_of(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut is_wanted, mut place) = (0, 0_u32, false, None);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = end_of_string(bytes, at + 1)?;
                let after = text[end + 1..].trim_start();
                if depth == 1 && after.starts_with(':') {
                    is_wanted = &text[at + 1..end] == "version";
                } else if depth == 1 && is_wanted {
                    // The last one counts, as for every reader.
                    place = Some(at + 1);
                    is_wanted = false;
                }
                at = end;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => is_wanted = false,
            _ => {}
        }
        at += 1;
    }
    place
}

fn end_of_string(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_section(line: &str) -> bool {
    line.starts_with("## ")
}

fn is_unreleased(line: &str) -> bool {
    let name = line.strip_prefix("## ").map(|name| name.trim().trim_matches(['[', ']']));
    name.is_some_and(|name| name.eq_ignore_ascii_case("unreleased"))
}

/// A change log in which what was not released yet belongs to a version; one without such a part gets what was completed.
fn changed(text: &str, version: &str, day: &str, phases: &[String]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let bracketed =
        lines.iter().filter(|line| is_section(line)).all(|line| line.starts_with("## ["));
    let name = if bracketed { format!("[{version}]") } else { version.to_owned() };
    let heading = format!("## {name} - {day}\n");
    let completed: String = phases.iter().map(|phase| format!("- {phase}\n")).collect();
    let at = lines.iter().position(|line| is_unreleased(line));
    let first =
        at.map_or_else(|| lines.iter().position(|line| is_section(line)), |at| Some(at + 1));
    let first = first.unwrap_or(lines.len());
    let (before, after) = (lines[..first].concat(), lines[first..].concat());
    let newline = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let is_said = at.is_some()
        && lines[first..]
            .iter()
            .take_while(|line| !is_section(line))
            .any(|line| !line.trim().is_empty());
    if at.is_some() && is_said {
        let gap = if after.starts_with('\n') { "" } else { "\n" };
        format!("{before}{newline}\n{heading}{gap}{after}")
    } else {
        let end = if after.trim().is_empty() { "" } else { "\n" };
        let above = if before.ends_with("\n\n") || before.is_empty() { "" } else { "\n" };
        format!(
            "{before}{newline}{above}{heading}\n{completed}{end}{}",
            after.trim_start_matches('\n')
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e21_a_whole_phase_is_a_minor_version_and_phases_between_are_a_patch() {
        let rows: [(&[&str], Option<&str>); 6] = [
            (&["4"], Some("1.3.0")),
            (&["4", "5"], Some("1.3.0")),
            (&["3.1"], Some("1.2.4")),
            (&["3.1", "4.1"], Some("1.2.4")),
            (&["3.1", "4", "4.1"], Some("1.3.0")),
            (&[], None),
        ];
        for (phases, expected) in rows {
            let next = Bump::of(phases.iter().copied())
                .map(|bump| Version(1, 2, 3).next(bump).to_string());
            assert_eq!(next.as_deref(), expected, "{phases:?}");
        }
    }

    #[test]
    fn e21_only_three_numbers_are_a_version() {
        for text in ["1.2", "1.2.3-rc.1", "1.2.3.4", "1.x.3", "", "+1.2.3", "1..3", "v1.2.3"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
        assert_eq!(
            Version::parse(" 10.20.30\n").map(|version| version.to_string()).as_deref(),
            Some("10.20.30")
        );
    }

    fn files(package: &str, version: &str, changelog: &str) -> VersionFiles {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        VersionFiles { package: some(package), version: some(version), changelog: some(changelog) }
    }

    fn bumped(files: &VersionFiles) -> VersionFiles {
        let phases = ["Phase 4: Feeds".to_owned()];
        bump(files, Bump::Minor, "2026-01-02", &phases).expect("it has a version").files
    }

    #[test]
    fn e21_every_file_gets_the_version_and_nothing_else_of_it_changes() {
        let package = "{\n  \"dependencies\": { \"version\": \"9.9.9\" },\n  \"name\" : \"x\", \"version\" :  \"1.2.3\",\n  \"a\": [\"version\"]\n}\n";
        let all = bumped(&files(
            package,
            "v1.2.3\n",
            "# Changelog\n\n## [Unreleased]\n\n- something\n\n## [1.2.3]\n",
        ));
        assert_eq!(all.package.as_deref(), Some(package.replace("1.2.3", "1.3.0").as_str()));
        assert_eq!(all.version.as_deref(), Some("v1.3.0\n"));
        assert_eq!(
            all.changelog.as_deref(),
            Some(
                "# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2026-01-02\n\n- something\n\n## [1.2.3]\n"
            )
        );
        let only = bumped(&files("", "0.9.1", ""));
        assert_eq!(
            (only.version.as_deref(), only.package, only.changelog),
            (Some("0.10.0"), None, None)
        );
    }

    #[test]
    fn e21_a_change_log_with_nothing_to_release_gets_what_was_completed() {
        let rows = [
            (
                "# Changelog\n\n## 1.2.3\n\n- old\n",
                "# Changelog\n\n## 1.3.0 - 2026-01-02\n\n- Phase 4: Feeds\n\n## 1.2.3\n\n- old\n",
            ),
            ("# Changelog", "# Changelog\n\n## [1.3.0] - 2026-01-02\n\n- Phase 4: Feeds\n"),
            (
                "## Unreleased\n\n## 1.2.3\n",
                "## Unreleased\n\n## 1.3.0 - 2026-01-02\n\n- Phase 4: Feeds\n\n## 1.2.3\n",
            ),
        ];
        for (before, after) in rows {
            let all = bumped(&files("", "1.2.3", before));
            assert_eq!(all.changelog.as_deref(), Some(after), "{before}");
        }
    }

    #[test]
    fn e21_without_a_plain_version_nothing_is_guessed() {
        for (package, version) in [
            ("", ""),
            ("{}", ""),
            ("{\"version\": \"1.0.0-beta\"}", "1.0.0"),
            ("{", "1.0.0"),
            ("", "soon"),
        ] {
            assert!(
                bump(&files(package, version, "# C\n"), Bump::Patch, "d", &[]).is_err(),
                "{package} {version}"
            );
        }
        let escaped = "{\"version\": \"1.0.\\u0030\"}";
        assert!(bump(&files(escaped, "", ""), Bump::Patch, "d", &[]).is_err());
    }
}
