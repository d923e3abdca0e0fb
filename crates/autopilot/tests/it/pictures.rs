//! Pictures of pages, with a stand-in for the browser and one without any.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::harness::{Before, Project, Sample};

/// A page's app: answers on a port that it is given, and says so by a sign when it is ended.
const APP: &str = "import http.server, os, sys\n\
    open(os.environ.get('SIGN', '/dev/null'), 'w').close()\n\
    class H(http.server.BaseHTTPRequestHandler):\n    \
        def do_GET(self):\n        \
            self.send_response(200); self.end_headers(); self.wfile.write(open('part-1.txt','rb').read())\n    \
        def log_message(self, *a): pass\n\
    http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()\n";

/// Takes a picture of what the page says, as no browser would.
const BROWSER: &str = "#!/bin/sh\n\
    for word in \"$@\"; do case $word in --screenshot=*) file=${word#--screenshot=};; http*) url=$word;; esac; done\n\
    printf '\\211PNG\\r\\n\\032\\n' > \"$file\"\n\
    python3 -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' \"$url\" >> \"$file\"\n\
    echo \"$@\" >> ROOT/signs/browser\n";

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its number").port()
}

/// A project with an app; `program` is the browser.
fn project(program: &str, launch: &str, script: &str) -> Project {
    let port = free_port();
    let config = format!(
        "[project.visual_testing]\nenabled = true\nlaunch_command = \"{}\"\nbase_url = \"http://127.0.0.1:{port}\"\n\
         launch_wait_ms = 20000\nprogram = \"{program}\"\nroutes = [{{ path = \"/\", name = \"Home\", wait_ms = 0 }}]\n",
        launch.replace("PORT", &port.to_string())
    );
    let project = Project::new(&Sample { phases: 1, script: script.to_owned(), config });
    project.sandbox.write("app.py", APP);
    project.sandbox.commit("an app");
    let browser = project.path("browser.sh");
    fs::write(&browser, BROWSER.replace("ROOT", &project.sandbox.root().display().to_string()))
        .expect("writable");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("ours");
    project
}

fn shots(project: &Project) -> Vec<serde_json::Value> {
    let facts = project.facts().into_iter();
    facts.map(|fact| fact["phase"]["fact"]["shot"].clone()).filter(|shot| !shot.is_null()).collect()
}

fn pictures(project: &Project) -> Vec<std::path::PathBuf> {
    let directory = project.sandbox.project().join(".planning/screenshots");
    let mut found: Vec<_> = fs::read_dir(directory)
        .map(|all| all.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    found.sort();
    found
}

#[test]
fn c45_a_verifier_gets_pictures_of_the_work_and_the_app_is_ended() {
    let project = project("ROOT/browser.sh", "exec python3 app.py PORT", "");
    project.run(&["run"]).expect(0);
    let shots = shots(&project);
    let taken = shots[0]["taken"].as_array().unwrap_or_else(|| panic!("{shots:?}"));
    assert_eq!(taken[0]["route"], "/");
    let pictures = pictures(&project);
    // The first one is the directory of those that are kept.
    assert_eq!(pictures.len(), 2, "{pictures:?}");
    let picture = fs::read(&pictures[1]).expect("a picture");
    assert!(picture.ends_with(b"part 1\n"), "it shows the work, not what was there before");
    let name = pictures[1].file_name().expect("a name").to_string_lossy().into_owned();
    assert!(name.starts_with("home-") && name.ends_with("Z.png"), "{name}");
    let told = project.run(&["transcript", "1/verify/1"]).expect(0).stdout;
    assert!(told.contains(&format!("- `/`: `{name}`")), "{told}");
    let arguments = fs::read_to_string(project.path("signs/browser")).expect("it ran");
    assert!(
        arguments.contains("--headless") && arguments.contains("--window-size=1280,720"),
        "{arguments}"
    );
    assert_eq!(arguments.contains("--no-sandbox"), rustix::process::geteuid().is_root());
    project.await_no_agents(std::time::Duration::from_secs(2));
    let verification = project
        .sandbox
        .git(["show", &format!("{}:.planning/phases/1-part-1/VERIFICATION.md", project.head())]);
    assert!(verification.contains("## Visual Testing Results"), "{verification}");
    assert_eq!(project.sandbox.git(["status", "--porcelain"]), "", "pictures are not for git");
}

#[test]
fn c45_what_looked_right_is_shown_beside_the_next_picture() {
    let project = project("ROOT/browser.sh", "exec python3 app.py PORT", "");
    project.run(&["run"]).expect(0);
    let kept = project.sandbox.project().join(".planning/screenshots/baseline/home.png");
    assert_eq!(
        fs::read(&kept).expect("it is kept"),
        fs::read(&pictures(&project)[1]).expect("it was taken")
    );
    project.run(&["run", "1", "--again"]).expect(0);
    let shots = shots(&project);
    assert_eq!(shots[0]["taken"][0]["baseline"], "baseline-home.png");
    let told = project.run(&["transcript", "1/verify/1"]).expect(0).stdout;
    assert!(told.contains("and how it should be: `baseline-home.png`"), "{told}");
}

#[test]
fn c45_without_a_browser_or_an_app_it_is_skipped_and_the_phase_is_done() {
    let rows = [
        ("ROOT/no-such-browser", "exec python3 app.py PORT", "no browser was found"),
        ("ROOT/browser.sh", "exit 3", "ended before it answered"),
        ("/bin/false", "exec python3 app.py PORT", "the browser ended with 1"),
    ];
    for (program, launch, why) in rows {
        let project = project(program, launch, "");
        let before = Before::of(&project);
        let run = project.run(&["run"]).expect(0);
        assert!(
            run.stderr.contains("[SKIP] no pictures of its pages") && run.stderr.contains(why),
            "{}",
            run.shown()
        );
        assert_eq!(project.phase_states(), ["1 completed"]);
        before.check_files_and_refs(&project);
    }
}

#[test]
fn c45_a_major_issue_in_a_picture_is_repaired_and_looked_at_again() {
    let script = "[[on]]\nrole = \"verifier\"\nattempt = 1\ndo = [{ run = { command = \"grep part part-1.txt\" } }]\n[on.return]\npass = true\ncommands_run = [\"grep part part-1.txt\"]\n\
        criteria_results = [{ criterion = \"part\", status = \"verified\", evidence = \"part-1.txt:1\" }]\n\
        [on.return.visual_test_results]\nissues_found = [{ route = \"/\", type = \"layout\", severity = \"major\", description = \"it is blank\" }]\n\n\
        [[on]]\nrole = \"debugger\"\nphase = \"1\"\ndo = [{ write = { path = \"style.css\", text = \"body {}\" } }]\n[on.return]\nfixed = true\n\n";
    let project = project("ROOT/browser.sh", "exec python3 app.py PORT", script);
    project.run(&["run"]).expect(0);
    assert_eq!(shots(&project).len(), 2, "the repaired page is looked at");
    let told = project.run(&["transcript", "1/repair/1"]).expect(0).stdout;
    assert!(told.contains("/ looks wrong (major, layout): it is blank"), "{told}");
    let bugs = project
        .sandbox
        .git(["show", &format!("{}:.planning/phases/1-part-1/VISUAL-BUGS.md", project.head())]);
    assert!(bugs.contains("| VB-1 | major | 1 | 2 | RESOLVED |"), "{bugs}");
}

#[test]
fn c45_asking_for_pictures_without_settings_is_refused() {
    let project = Project::honest(1);
    let refused = project.run(&["run", "--visual"]).expect(1);
    let shown = refused.shown();
    assert!(
        shown.contains("no settings say how to look at pages")
            && shown.contains("[project.visual_testing]"),
        "{shown}"
    );
    assert!(!project.sandbox.project().join(".autopilot/journal").exists(), "nothing was begun");
}
