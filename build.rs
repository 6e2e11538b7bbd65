//! Finds the programs that some tests run. A test whose program is missing is ignored, so that the
//! last line of `cargo test` counts it.

use std::env;
use std::path::PathBuf;

/// Each condition, and the programs any of which satisfies it.
const PROGRAMS: [(&str, &[&str]); 2] = [
    ("has_chromium", &["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]),
    ("has_python", &["python3", "python3.exe"]),
];

/// The folder of the page without a server, which `.ci/web` builds.
const SITE: &str = "KALAH_TEST_SITE";

fn main() {
    // `PATH` is not watched: shells and editors set it differently, and each change would compile
    // the program again. After an installation, `.ci/setup` touches this file instead.
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={SITE}");
    println!("cargo::rustc-check-cfg=cfg(has_site)");
    if env::var_os(SITE).is_some() {
        println!("cargo::rustc-cfg=has_site");
    }
    // Wine runs no programs of the system on which the tests are compiled.
    let is_native = env::var_os("HOST") == env::var_os("TARGET");
    for (condition, names) in PROGRAMS {
        println!("cargo::rustc-check-cfg=cfg({condition})");
        if !is_native {
            continue;
        }
        if let Some(path) = names.iter().find_map(|name| installed(name)) {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-cfg={condition}");
        }
    }
}

/// The path of a program in one of the folders of `PATH`.
fn installed(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
