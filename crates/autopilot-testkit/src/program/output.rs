//! What the program printed and how it ended, ready to be compared.

use std::path::Path;

use regex_lite::Regex;

/// What a command printed and how it ended.
#[derive(Clone, Debug)]
pub struct Output {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// What it printed as data.
    pub stdout: String,
    /// What it said to people.
    pub stderr: String,
    /// The sandbox, which is another one each time.
    pub root: String,
}

/// What differs from run to run, and what stands for it. The order matters.
const FILTERS: [(&str, &str); 9] = [
    (r"run-\d{4}-\d\d-\d\d-\d{6}(-\d+)?", "RUN"),
    (r"\b[0-9a-f]{64}\b", "SHA256"),
    (r"\b[0-9a-f]{40}\b", "COMMIT"),
    (r"\b\d\d:\d\d:\d\d\b", "CLOCK"),
    (r"process \d+", "process PID"),
    (r"git version [\w.]+", "git version VERSION"),
    (r#""busy_ms": \d+"#, r#""busy_ms": MS"#),
    (r"\b\d+ms\b", "TIME"),
    (r"\b(\d+h |\d+m )?\d+s\b", "TIME"),
];

impl Output {
    /// Takes over what a process left.
    pub fn new(output: &std::process::Output, root: &Path) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            root: root.display().to_string(),
        }
    }

    /// The whole of it, without what differs from run to run.
    pub fn shown(&self) -> String {
        let code = self.code.map_or("signal".to_owned(), |code| code.to_string());
        let mut text = format!("exit code {code}\n");
        for (name, content) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !content.is_empty() {
                text.push_str(&format!("--- {name}\n{}\n", content.trim_end()));
            }
        }
        text = text.replace(&self.root, "ROOT");
        for (pattern, instead) in FILTERS {
            let filter = Regex::new(pattern).expect("the filters are well formed");
            text = filter.replace_all(&text, instead).into_owned();
        }
        text
    }

    /// Panics with everything that was printed unless it ended with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.shown());
        self
    }
}
