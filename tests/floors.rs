//! The modules use only what stands below them, as the map in `src/lib.rs` draws
//! it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module's line in the map, counted from the top.
fn map() -> HashMap<String, usize> {
    let lib = fs::read_to_string("src/lib.rs").expect("src/lib.rs");
    let map = lib.split("```text").nth(1).and_then(|rest| rest.split("```").next());
    let lines = map.expect("a map in src/lib.rs").lines().enumerate();
    let mut floors = HashMap::new();
    for (line, text) in lines {
        let text = text
            .trim_start_matches("//!")
            .trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        let names = text.split("  ").next().unwrap_or_default();
        floors.extend(
            names.split(", ").filter(|name| !name.is_empty()).map(|name| (name.to_owned(), line)),
        );
    }
    floors
}

fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_under(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The module that a file of `src` belongs to.
fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").expect("a file of src");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn the_map_names_every_module() {
    let lib = fs::read_to_string("src/lib.rs").unwrap();
    let declared = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let map = map();
    let missing: Vec<&str> = declared.filter(|name| !map.contains_key(*name)).collect();
    assert!(map.len() > 20 && missing.is_empty(), "{missing:?}");
}

#[test]
fn no_module_looks_up() {
    let map = map();
    let mut files = Vec::new();
    files_under(Path::new("src"), &mut files);
    let mut looked = 0;
    for file in files {
        let module = module_of(&file);
        let Some(&own) = map.get(&module) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        // What the tests of a module use does not hold it up.
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for used in line.split("crate::").skip(1) {
                let name = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                let Some(&floor) = map.get(name) else { continue };
                looked += 1;
                assert!(floor >= own, "{}: {module} uses {name}: {line}", file.display());
            }
        }
    }
    assert!(looked > 200, "{looked}");
}
