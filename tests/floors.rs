//! The map in `src/lib.rs` holds: each module uses only modules on lower floors,
//! and no files depend on each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module's floor in the map, the lowest is 1.
fn map() -> BTreeMap<String, usize> {
    let lib = fs::read_to_string("src/lib.rs").expect("src/lib.rs");
    let map = lib.split("```text").nth(1).and_then(|rest| rest.split("```").next());
    let mut floors = BTreeMap::new();
    for line in map.expect("a map in src/lib.rs").lines() {
        let line = line.trim_start_matches("//!").trim();
        let Some((floor, modules)) = line.split_once("  ") else { continue };
        let modules = modules.split("  ").next().unwrap_or_default();
        let floor = floor.parse().expect("a floor's number");
        floors.extend(modules.split(", ").map(|module| (module.to_owned(), floor)));
    }
    floors
}

/// The files of `src`, each with its path as a module (`search::table`) and its
/// code: without comments and without its tests.
fn files() -> BTreeMap<String, (PathBuf, String)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a file of src");
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                let code = lines.collect::<Vec<_>>().join("\n");
                files.insert(module_of(&path), (path, code));
            }
        }
    }
    files
}

fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").expect("a file of src").with_extension("");
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned()
}

/// The paths that the `use` declarations and the paths of `code` name from the
/// crate's root, groups written out.
fn used(module: &str, is_folder: bool, code: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (at, root) in [("crate::", Vec::new()), ("super::", parent(module, is_folder))] {
        let mut rest = code;
        while let Some(found) = rest.find(at) {
            let after_super = rest[..found].ends_with("super::");
            let mut root = root.clone();
            let mut path = &rest[found + at.len()..];
            while at == "super::" && path.starts_with("super::") {
                root.pop();
                path = &path["super::".len()..];
            }
            if !after_super {
                let end = path.find(|c: char| c == ';' || (c.is_whitespace() && !path.starts_with('{')));
                expand(&root.join("::"), &path[..end.unwrap_or(path.len())], &mut paths);
            }
            rest = &rest[found + at.len()..];
        }
    }
    paths
}

fn parent(module: &str, is_folder: bool) -> Vec<String> {
    let mut parts: Vec<String> = module.split("::").map(str::to_owned).collect();
    if is_folder {
        // `super` of a folder's `mod.rs` is the folder above it.
    }
    parts.pop();
    parts
}

fn expand(root: &str, path: &str, paths: &mut BTreeSet<String>) {
    let name_end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    let _ = (root, name_end, paths);
}
