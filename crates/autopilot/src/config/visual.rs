//! How pages are looked at: the table `project.visual_testing`, as earlier programs have it.

use std::path::{Component, Path};

use autopilot_core::phases::{Route, Visual};
use serde::Deserialize;
use serde_json::{Map, Value};

/// How long an app may take to answer when nobody says otherwise.
const LAUNCH_WAIT_MS: u64 = 5_000;
/// How long a page is given.
const ROUTE_WAIT_MS: u64 = 2_000;
/// How large pages are shown.
const VIEWPORT: (u32, u32) = (1280, 720);
/// The widest and highest that is asked of a browser.
const VIEWPORT_MAX: u32 = 16_384;
/// Where pictures are put.
const SCREENSHOT_DIR: &str = ".planning/screenshots";
/// How many pages are looked at.
const ROUTES_MAX: usize = 50;
/// The keys that earlier programs know.
const KNOWN: [&str; 9] = [
    "enabled",
    "framework",
    "launch_command",
    "launch_wait_ms",
    "base_url",
    "screenshot_dir",
    "routes",
    "viewport",
    "headless",
];

/// The table. Later layers replace what they name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct VisualLayer {
    enabled: Option<bool>,
    /// Earlier programs name one; pictures are taken with the browser itself.
    framework: Option<String>,
    launch_command: Option<String>,
    launch_wait_ms: Option<u64>,
    base_url: Option<String>,
    screenshot_dir: Option<String>,
    routes: Option<Vec<RouteLayer>>,
    viewport: Option<ViewportLayer>,
    /// Pictures are always taken without a window.
    headless: Option<bool>,
    program: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteLayer {
    path: String,
    name: String,
    wait_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ViewportLayer {
    width: u32,
    height: u32,
}

impl VisualLayer {
    /// The table as earlier programs wrote it; what they do not know is not read.
    pub(super) fn of_earlier_programs(project: &Value) -> Result<Option<Self>, String> {
        let Some(Value::Object(written)) = project.get("visual_testing") else { return Ok(None) };
        let known: Map<String, Value> = written
            .iter()
            .filter(|(key, _)| KNOWN.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        serde_json::from_value(Value::Object(known))
            .map(Some)
            .map_err(|error| format!("`project.visual_testing`: {error}"))
    }

    /// Puts this on top of what an earlier layer said.
    pub(super) fn over(&self, known: Option<Self>) -> Self {
        let known = known.unwrap_or_default();
        let this = self.clone();
        Self {
            enabled: this.enabled.or(known.enabled),
            framework: this.framework.or(known.framework),
            launch_command: this.launch_command.or(known.launch_command),
            launch_wait_ms: this.launch_wait_ms.or(known.launch_wait_ms),
            base_url: this.base_url.or(known.base_url),
            screenshot_dir: this.screenshot_dir.or(known.screenshot_dir),
            routes: this.routes.or(known.routes),
            viewport: this.viewport.or(known.viewport),
            headless: this.headless.or(known.headless),
            program: this.program.or(known.program),
        }
    }

    /// Whether pages are looked at without being asked to on the command line.
    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled == Some(true)
    }

    /// How pages are looked at, or what is wrong with it.
    pub(crate) fn settle(&self) -> Result<Visual, String> {
        let base_url = self.base_url.clone().ok_or("`base_url` is missing")?;
        let routes = self.routes.as_deref().unwrap_or_default();
        if routes.is_empty() {
            return Err("`routes` names no page".to_owned());
        }
        if routes.len() > ROUTES_MAX {
            return Err(format!("`routes` names more than {ROUTES_MAX} pages"));
        }
        let screenshot_dir = self.screenshot_dir.as_deref().unwrap_or(SCREENSHOT_DIR);
        if !is_below(screenshot_dir) {
            return Err(format!(
                "`screenshot_dir` is `{screenshot_dir}`, which is not below the project's root"
            ));
        }
        let viewport = self.viewport.map_or(VIEWPORT, |size| (size.width, size.height));
        if [viewport.0, viewport.1].iter().any(|side| !(1..=VIEWPORT_MAX).contains(side)) {
            return Err(format!("`viewport` must lie between 1 and {VIEWPORT_MAX}"));
        }
        let set = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Ok(Visual {
            launch_command: set(&self.launch_command),
            launch_wait_ms: self.launch_wait_ms.unwrap_or(LAUNCH_WAIT_MS),
            base_url,
            screenshot_dir: screenshot_dir.to_owned(),
            routes: routes
                .iter()
                .map(|route| Route {
                    path: route.path.clone(),
                    name: route.name.clone(),
                    wait_ms: route.wait_ms.unwrap_or(ROUTE_WAIT_MS),
                })
                .collect(),
            viewport,
            program: set(&self.program),
            only: None,
        })
    }
}

fn is_below(directory: &str) -> bool {
    let mut parts = Path::new(directory).components().peekable();
    parts.peek().is_some()
        && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn c45_the_table_of_an_earlier_program_is_read_with_its_defaults() {
        let written = json!({ "visual_testing": {
            "enabled": true, "framework": "playwright", "launch_command": "npm run dev", "base_url": "http://localhost:3000",
            "routes": [{ "path": "/", "name": "home" }], "headless": true, "something": "of theirs",
        }});
        let layer =
            VisualLayer::of_earlier_programs(&written).expect("it is read").expect("it is there");
        let visual = layer.settle().expect("it is whole");
        assert!(layer.is_enabled());
        assert_eq!(
            (visual.launch_wait_ms, visual.viewport, visual.routes[0].wait_ms),
            (5_000, (1280, 720), 2_000)
        );
        assert_eq!(visual.screenshot_dir, ".planning/screenshots");
        let later =
            VisualLayer { enabled: Some(false), ..VisualLayer::default() }.over(Some(layer));
        assert!(!later.is_enabled() && later.settle().is_ok());
        assert!(
            VisualLayer::of_earlier_programs(&json!({ "visual_testing": { "routes": 3 } }))
                .is_err()
        );
        assert!(VisualLayer::of_earlier_programs(&json!({})).is_ok_and(|found| found.is_none()));
    }

    #[test]
    fn c45_what_would_show_nothing_or_lead_out_of_the_project_is_refused() {
        let with = |text: &str| {
            let whole = format!(
                "base_url = \"http://x\"\nroutes = [{{ path = \"/\", name = \"a\" }}]\n{text}"
            );
            toml::from_str::<VisualLayer>(&whole).expect("well formed").settle()
        };
        assert!(with("").is_ok());
        for text in [
            "screenshot_dir = \"../x\"",
            "screenshot_dir = \"/tmp\"",
            "screenshot_dir = \"\"",
            "viewport = { width = 0, height = 1 }",
        ] {
            assert!(with(text).is_err(), "{text}");
        }
        assert!(VisualLayer::default().settle().is_err_and(|why| why.contains("base_url")));
    }
}
