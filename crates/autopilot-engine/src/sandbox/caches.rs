//! Where tools keep what they have fetched or built, so that an honest project works as it does without a sandbox.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// A directory that a tool writes to.
struct Cache {
    /// The variable that moves it.
    variable: &'static str,
    /// Where it is below the home directory otherwise.
    base: &'static str,
    /// What of it is written to; what else is there can be programs or settings that the person's own tools obey.
    parts: &'static [&'static str],
    /// The tool, or a file of a project that it is for. Where one is there, the directories are made, as the tool's first use
    /// would; without any, always.
    tools: &'static [&'static str],
}

const fn cache(
    variable: &'static str,
    base: &'static str,
    parts: &'static [&'static str],
    tools: &'static [&'static str],
) -> Cache {
    Cache { variable, base, parts, tools }
}

const WHOLE: &[&str] = &[""];

const CACHES: [Cache; 21] = [
    cache("XDG_CACHE_HOME", ".cache", WHOLE, &[]),
    cache("CARGO_HOME", ".cargo", &["registry", "git"], &["cargo"]),
    cache("", ".npm", WHOLE, &["npm"]),
    cache("GOCACHE", ".cache/go-build", WHOLE, &["go"]),
    cache("GOPATH", "go", &["pkg"], &["go"]),
    cache("DENO_DIR", ".cache/deno", WHOLE, &["deno"]),
    cache("BUN_INSTALL", ".bun", &["install/cache"], &["bun"]),
    cache("", ".local/share/pnpm", WHOLE, &["pnpm"]),
    cache("", ".local/share/uv", WHOLE, &["uv"]),
    cache("", ".yarn", &["berry"], &["yarn"]),
    cache("", ".m2", &["repository", "wrapper"], &["mvn", "pom.xml"]),
    cache(
        "",
        ".gradle",
        &["caches", "wrapper", "daemon", "native", ".tmp"],
        &["gradle", "gradlew"],
    ),
    cache("", ".ivy2", WHOLE, &["sbt"]),
    cache("", ".sbt", &["boot"], &["sbt"]),
    cache("", ".nuget", &["packages"], &["dotnet"]),
    cache("", ".local/share/NuGet", WHOLE, &["dotnet"]),
    cache("", ".bundle", &["cache"], &["bundle"]),
    cache("", ".hex", WHOLE, &["mix"]),
    cache("", ".pub-cache", WHOLE, &["dart"]),
    cache("", ".cabal", &["packages", "store"], &["cabal"]),
    cache("", ".composer", &["cache"], &["composer"]),
];

/// Files that cargo locks or counts its caches with; they are written where they are, and never made here.
const FILES: [&str; 3] = [".package-cache", ".package-cache-mutate", ".global-cache"];

/// The caches of all tools. Those of tools that are installed, or that the project is for, are made.
pub(super) fn caches(home: &Path, root: &Path) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let is_there = |tool: &str| {
        let mut places = env::split_paths(&path).chain([root.to_owned()]);
        places.any(|place| place.join(tool).is_file())
    };
    let base = |cache: &Cache| {
        let moved =
            env::var_os(cache.variable).map(PathBuf::from).filter(|path| path.is_absolute());
        moved.unwrap_or_else(|| home.join(cache.base))
    };
    let mut found = Vec::new();
    for cache in &CACHES {
        let make = cache.tools.is_empty() || cache.tools.iter().any(|tool| is_there(tool));
        for part in cache.parts {
            let place = base(cache).join(part);
            if make && home.is_dir() {
                // Without it the tool fails as it would if the person had no room for it.
                drop(fs::create_dir_all(&place));
            }
            found.push(place);
        }
        if cache.base == ".cargo" {
            found.extend(FILES.map(|file| base(cache).join(file)));
        }
    }
    found.retain(|place| place.exists());
    found
}
