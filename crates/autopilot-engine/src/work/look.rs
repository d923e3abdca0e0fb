//! Takes pictures of pages with the system's browser: nobody has to be believed who says that a page looks right.
//!
//! It is an enhancement and no gate. Whatever is missing (a browser, a program that answers) is told as the reason why there
//! is no picture, and never fails anything.

use std::{
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use autopilot_core::{
    effect::LookTask,
    id::Key,
    input::Outcome,
    phases::{Route, Shot, Shots, shot_time},
};

use super::{Workshop, address::Address, check::Room};
use crate::{
    error::{EngineError, told},
    private::{create_dirs, tempdir_in},
    process::{Cancel, Ending, Environment, Launch, Limits, environment, start},
};

/// The browsers that are looked for, in this order.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// How often it is looked whether the program answers.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Between the request to end and the kill of the program and the browser.
const GRACE: Duration = Duration::from_millis(300);
/// How every picture begins.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Longer names of pictures are cut.
const NAME_CHARS_MAX: usize = 40;

/// What a picture is taken with.
struct Camera<'a> {
    task: &'a LookTask,
    browser: PathBuf,
    /// Where pictures are put for agents.
    album: &'a Path,
}

impl Workshop {
    pub(super) fn take_pictures(
        &self,
        key: &Key,
        task: &LookTask,
        cancel: &Cancel,
    ) -> Result<Outcome, EngineError> {
        let Some(browser) = browser(task.visual.program.as_deref()) else {
            let tried = task.visual.program.clone().unwrap_or_else(|| BROWSERS.join(", "));
            return Ok(skipped(format!("no browser was found (looked for {tried})")));
        };
        let Some(address) = Address::of(&task.visual.base_url) else {
            return Ok(skipped(format!("`{}` is no address of pages", task.visual.base_url)));
        };
        let album = self.home.screenshots(&self.run);
        create_dirs(&album).map_err(EngineError::file("make", &album))?;
        let workspace = self.checkout(key, &task.commit)?;
        let files = workspace.files();
        let room = Room { key, directory: &files };
        let camera = Camera { task, browser, album: &album };
        let shots = self.look_in(&room, &camera, &address, cancel);
        self.keep_checkout(key, workspace)?;
        let shots = shots?;
        if cancel.is_cancelled() {
            return Ok(Outcome::Interrupted);
        }
        Ok(Outcome::Shot(shots))
    }

    fn look_in(
        &self,
        room: &Room<'_>,
        camera: &Camera<'_>,
        address: &Address,
        cancel: &Cancel,
    ) -> Result<Shots, EngineError> {
        let task = camera.task;
        if let Some(command) = &task.prepare {
            let time = Duration::from_millis(task.guard_ms_max);
            let ready = self.observe_command(command, room, time, cancel)?;
            if ready.ending != Ending::Exited(0) {
                return Ok(why(format!("the checkout could not be made ready with `{command}`")));
            }
        }
        let Some(command) = &task.visual.launch_command else {
            return Ok(match address.answers() {
                Ok(()) => self.shoot_all(room, camera, cancel)?,
                Err(no) => why(format!("nothing answers at `{}`: {no}", task.visual.base_url)),
            });
        };
        if address.is_taken() {
            // Pictures of somebody else's pages would say nothing of this work.
            return Ok(why(format!(
                "something else answers at `{}` already",
                task.visual.base_url
            )));
        }
        let stop = Cancel::new().map_err(EngineError::file("make", "a pipe"))?;
        let is_gone = AtomicBool::new(false);
        thread::scope(|scope| {
            let server = scope.spawn(|| {
                let served = self.serve(command, room, &stop);
                is_gone.store(true, Ordering::Release);
                served
            });
            let shots = match wait_until_ready(task, address, &is_gone, cancel) {
                Ok(()) => self.shoot_all(room, camera, cancel),
                Err(no) => Ok(why(no)),
            };
            stop.cancel();
            match (shots, server.join()) {
                (_, Ok(Err(error))) => {
                    Ok(why(format!("`{command}` cannot be started: {}", told(&error))))
                }
                (shots, Ok(Ok(())) | Err(_)) => shots,
            }
        })
    }

    /// Runs the program whose pages they are until it is told to stop, with all that it starts.
    fn serve(&self, command: &str, room: &Room<'_>, stop: &Cancel) -> Result<(), EngineError> {
        let mut launch = Launch::new("/bin/sh", environment::of_commands(), room.directory);
        launch.arguments = vec!["-c".into(), command.into()];
        let wall = Duration::from_secs(3_600);
        launch.limits = Limits { wall, idle: wall, grace: GRACE, ..Limits::default() };
        start(&self.guardian, &launch)?.watch(stop, &mut |_, _| {})?;
        Ok(())
    }

    /// A picture of every page that one can be taken of.
    fn shoot_all(
        &self,
        room: &Room<'_>,
        camera: &Camera<'_>,
        cancel: &Cancel,
    ) -> Result<Shots, EngineError> {
        let mut shots = Vec::new();
        let mut first = None;
        for (number, route) in (1..).zip(&camera.task.visual.routes) {
            match self.shoot(room, camera, (number, route), cancel)? {
                Ok(shot) => shots.push(shot),
                Err(no) => first = first.or(Some(format!("{}: {no}", route.path))),
            }
        }
        match first {
            Some(no) if shots.is_empty() => Ok(why(format!("no picture could be taken: {no}"))),
            Some(_) | None => Ok(Shots::Taken(shots)),
        }
    }

    fn shoot(
        &self,
        room: &Room<'_>,
        camera: &Camera<'_>,
        (number, route): (u32, &Route),
        cancel: &Cancel,
    ) -> Result<Result<Shot, String>, EngineError> {
        let task = camera.task;
        let name = file_name(&route.name, number);
        let file = format!("{name}-{}.png", shot_time(task.date));
        let path = camera.album.join(&file);
        drop(fs::remove_file(&path));
        let profile = tempdir_in(camera.album)
            .map_err(EngineError::file("make a directory in", camera.album))?;
        let mut launch = Launch::new(camera.browser.clone(), for_browser(), room.directory);
        launch.arguments = arguments(task, route, (&path, profile.path()));
        let wall = Duration::from_millis(task.shot_ms_max.saturating_add(route.wait_ms));
        launch.limits = Limits { wall, idle: wall, grace: GRACE, ..Limits::default() };
        let finished = match start(&self.guardian, &launch) {
            Ok(child) => child.watch(cancel, &mut |_, _| {})?,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if finished.ending == Ending::Exited(0) && is_picture(&path) {
            let baseline = self.hang_up(&name, &file, camera)?;
            return Ok(Ok(Shot { route: route.path.clone(), file, baseline }));
        }
        Ok(Err(match finished.ending {
            Ending::TimedOut | Ending::Stalled => "the browser took too long".to_owned(),
            Ending::Exited(0) => "the browser left no picture".to_owned(),
            Ending::Exited(code) => format!("the browser ended with {code}"),
            Ending::Signalled(_) | Ending::Cancelled => "the browser was ended".to_owned(),
        }))
    }

    /// Puts a picture where people look for it, and takes the one from there that they keep of how it should be.
    fn hang_up(
        &self,
        name: &str,
        file: &str,
        camera: &Camera<'_>,
    ) -> Result<Option<String>, EngineError> {
        let wall = self.home.root.join(&camera.task.visual.screenshot_dir);
        if !is_ours_to_write(&self.home.root, &wall) {
            return Ok(None);
        }
        create_dirs(&wall).map_err(EngineError::file("make", &wall))?;
        let place = wall.join(file);
        drop(fs::remove_file(&place));
        fs::copy(camera.album.join(file), &place).map_err(EngineError::file("write", &place))?;
        let kept = wall.join("baseline").join(format!("{name}.png"));
        let is_file = kept.symlink_metadata().is_ok_and(|found| found.is_file());
        if !is_file || !is_picture(&kept) {
            return Ok(None);
        }
        let baseline = format!("baseline-{name}.png");
        let beside = camera.album.join(&baseline);
        fs::copy(&kept, &beside).map_err(EngineError::file("write", &beside))?;
        Ok(Some(baseline))
    }
}

impl Workshop {
    /// Keeps pictures of pages that look right beside those that are to come. It is no part of the phase, and what cannot be
    /// kept is not missed: the next verifier has no picture to compare with, as the first one had none.
    pub(super) fn keep_as_baselines(&self, pictures: &[Shot]) {
        let Some(visual) = &self.given.visual else { return };
        let kept = self.home.root.join(&visual.screenshot_dir).join("baseline");
        if !is_ours_to_write(&self.home.root, &kept) {
            return;
        }
        for shot in pictures {
            // The time stands behind the last dash; nothing else of the name comes from outside.
            let Some((name, _)) = shot.file.rsplit_once('-') else { continue };
            let place = kept.join(format!("{name}.png"));
            let copy = || {
                create_dirs(&kept)?;
                drop(fs::remove_file(&place));
                fs::copy(self.home.screenshots(&self.run).join(&shot.file), &place)
            };
            drop(copy());
        }
    }
}

/// What the browser is told. Nothing of it goes through a shell.
fn arguments(task: &LookTask, route: &Route, (path, profile): (&Path, &Path)) -> Vec<OsString> {
    let (width, height) = task.visual.viewport;
    let with = |name: &str, value: &Path| {
        let mut argument = OsString::from(name);
        argument.push(value);
        argument
    };
    let mut all: Vec<OsString> =
        ["--headless", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]
            .map(OsString::from)
            .to_vec();
    // As root the browser refuses to start in its own sandbox.
    if rustix::process::geteuid().is_root() {
        all.push("--no-sandbox".into());
    }
    all.push(format!("--window-size={width},{height}").into());
    all.push(format!("--virtual-time-budget={}", route.wait_ms).into());
    all.push(with("--user-data-dir=", profile));
    all.push(with("--screenshot=", path));
    let base = task.visual.base_url.trim_end_matches('/');
    all.push(format!("{base}/{}", route.path.trim_start_matches('/')).into());
    all
}

fn for_browser() -> Environment {
    environment::of_commands()
}

/// Waits until the program answers, for as long as it may take and as it is there.
fn wait_until_ready(
    task: &LookTask,
    address: &Address,
    is_gone: &AtomicBool,
    cancel: &Cancel,
) -> Result<(), String> {
    let until = Instant::now() + Duration::from_millis(task.visual.launch_wait_ms);
    loop {
        let answer = address.answers();
        let ended = is_gone.load(Ordering::Acquire);
        match answer {
            Ok(()) => return Ok(()),
            Err(_) if cancel.is_cancelled() => return Err("it was stopped".to_owned()),
            Err(no) if ended => return Err(format!("the app ended before it answered: {no}")),
            Err(no) if Instant::now() >= until => {
                return Err(format!(
                    "the app did not answer within {} ms: {no}",
                    task.visual.launch_wait_ms
                ));
            }
            Err(_) => thread::sleep(LOOK_EVERY),
        }
    }
}

/// The browser that is named, or the first of the usual ones that is there.
fn browser(named: Option<&str>) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| path.is_file();
    let find = |name: &str| {
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(is_program);
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|place| place.join(name)).find(is_program)
    };
    match named {
        Some(name) => find(name),
        None => BROWSERS.iter().find_map(|name| find(name)),
    }
}

/// Whether a directory is below the project's root, and no link on the way leads anywhere else.
fn is_ours_to_write(root: &Path, directory: &Path) -> bool {
    let Ok(below) = directory.strip_prefix(root) else { return false };
    let mut place = root.to_owned();
    below.components().all(|part| {
        let Component::Normal(name) = part else { return false };
        place.push(name);
        match place.symlink_metadata() {
            Ok(found) => found.is_dir(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    })
}

/// What pictures of a page are called: nothing that a person wrote there reaches a path as it is.
fn file_name(name: &str, number: u32) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(plain).take(NAME_CHARS_MAX).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { format!("page-{number}") } else { name.to_owned() }
}

fn is_picture(path: &Path) -> bool {
    use io::Read as _;
    let mut head = [0; PNG.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == PNG
}

fn why(why: String) -> Shots {
    Shots::Skipped { why }
}

fn skipped(no: String) -> Outcome {
    Outcome::Shot(why(no))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c45_the_name_of_a_page_is_safe_in_a_path() {
        let rows = [
            ("Home", "home"),
            ("../../etc/passwd", "etc-passwd"),
            ("首页", "page-3"),
            ("", "page-3"),
        ];
        for (name, expected) in rows {
            assert_eq!(file_name(name, 3), expected);
        }
    }

    #[test]
    fn c45_pictures_never_leave_the_project() {
        let root = tempfile::tempdir().expect("a directory");
        let elsewhere = tempfile::tempdir().expect("a directory");
        std::os::unix::fs::symlink(elsewhere.path(), root.path().join("link")).expect("a link");
        for (directory, expected) in [
            (".planning/screenshots", true),
            ("link/a", false),
            ("../x", false),
            ("a/../../x", false),
        ] {
            assert_eq!(
                is_ours_to_write(root.path(), &root.path().join(directory)),
                expected,
                "{directory}"
            );
        }
        assert!(!is_ours_to_write(root.path(), elsewhere.path()));
    }
}
