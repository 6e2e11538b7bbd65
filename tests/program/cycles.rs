//! No files of a crate use each other in a cycle; Cargo forbids cycles between crates.
//!
//! Paths are read as text: those that begin with `crate`, `super`, `self`, a child module or an
//! import. Each is followed through re-exports to the file that defines what it names. Unit tests
//! do not count, and dependencies through methods and fields alone are invisible here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, slice};

/// The names in a path; a module is its path from the root of its crate.
type Names = Vec<String>;
type SourceFiles = BTreeMap<Names, SourceFile>;

#[derive(Default)]
struct SourceFile {
    /// By name; `*` for everything in a module.
    imports: BTreeMap<String, Names>,
    paths: BTreeSet<Names>,
}

fn names(path: &str) -> Names {
    path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

impl SourceFile {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a source file");
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        // An indented `super` is the file around an inline module; `pub(in …)` uses nothing.
        let code = code.replace("    use super::", "    use ").replace("(in crate::", "(");
        let lines: Vec<&str> = code.lines().filter_map(|line| line.split("//").next()).collect();
        let mut file = Self::default();
        for statement in lines.join("\n").split(';') {
            let words = statement.split(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
            let paths = words.filter(|word| word.contains("::") && !word.ends_with("::"));
            file.paths.extend(paths.map(names));
            let Some((before, tree)) = statement.rsplit_once("use ") else { continue };
            let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
            if line.is_empty() || line.starts_with("pub") {
                file.import(tree, &[]);
            }
        }
        file
    }

    /// Adds what `use prefix::tree` imports.
    fn import(&mut self, tree: &str, prefix: &[String]) {
        if let Some((path, group)) = tree.split_once('{') {
            let (mut depth, prefix) = (0, [prefix, &names(path)].concat());
            let is_end = |c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                c == ',' && depth == 0
            };
            let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
            return group.split(is_end).for_each(|tree| self.import(tree, &prefix));
        }
        let (path, renamed) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = [prefix, &names(path)].concat();
        path.pop_if(|last| last == "self");
        let Some(name) = names(renamed).pop().or_else(|| path.last().cloned()) else { return };
        path.pop_if(|last| last == "*");
        self.paths.insert(path.clone());
        // `use log::log` would lead to itself, as would `use super::*` in an inline module.
        if path.first().is_some_and(|first| *first != name) {
            self.imports.insert(name, path);
        }
    }
}

fn read_files(folder: &Path, module: &Names, files: &mut SourceFiles) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut inside = [&module[..], &[name]].concat();
        inside.pop_if(|name| ["lib", "main", "mod"].contains(&name.as_str()));
        if path.is_dir() {
            read_files(&path, &inside, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(inside, SourceFile::read(&path));
        }
    }
}

/// The module whose file defines what `path`, as written in `module`, names, and whether it names
/// the module itself; none outside the crate.
fn resolve(files: &SourceFiles, module: &Names, path: &[String]) -> Option<(Names, bool)> {
    let mut at = module.clone();
    for (index, name) in path.iter().enumerate() {
        let child = [&at[..], slice::from_ref(name)].concat();
        let imports = &files.get(&at)?.imports;
        match (name.as_str(), imports.get(name), imports.get("*")) {
            ("crate", ..) => at.clear(),
            ("self", ..) => (),
            ("super", ..) => _ = at.pop(),
            _ if files.contains_key(&child) => at = child,
            (_, Some(import), _) => {
                return resolve(files, &at, &[&import[..], &path[index + 1..]].concat());
            }
            (_, _, Some(glob)) if glob.first() != Some(name) => {
                return resolve(files, &at, &[&glob[..], &path[index..]].concat());
            }
            _ => return (index > 0).then_some((at, false)),
        }
    }
    Some((at, true))
}

/// The modules that `module` uses.
fn used(files: &SourceFiles, module: &Names) -> BTreeSet<Names> {
    let found = |path: &Names| {
        let (found, is_module) = resolve(files, module, path)?;
        (found != *module && (path.len() > 1 || !is_module)).then_some(found)
    };
    files[module].paths.iter().filter_map(found).collect()
}

#[test]
fn no_files_of_a_crate_use_each_other_in_a_cycle() {
    let crates = fs::read_dir("crates").expect("the crates");
    let crates = crates.map(|folder| folder.expect("a crate").path().join("src"));
    let mut uses = 0;
    for folder in crates.chain(["src".into()]) {
        let mut files = SourceFiles::new();
        read_files(&folder, &Names::new(), &mut files);
        let mut left: Vec<_> = files.keys().map(|module| (module, used(&files, module))).collect();
        uses += left.iter().map(|(_, used)| used.len()).sum::<usize>();
        // Removes files that use none of those left or are used by none, until only cycles and
        // what connects them remain.
        let mut len = usize::MAX;
        while left.len() < len {
            len = left.len();
            let names: BTreeSet<Names> = left.iter().map(|(module, _)| (*module).clone()).collect();
            left.iter_mut().for_each(|(_, used)| used.retain(|module| names.contains(module)));
            let goals: BTreeSet<Names> = left.iter().flat_map(|(_, used)| used.clone()).collect();
            left.retain(|(module, used)| !used.is_empty() && goals.contains(*module));
        }
        let cycles = left.iter().map(|(module, used)| format!("{module:?} uses {used:?}\n"));
        assert!(left.is_empty(), "{}:\n{}", folder.display(), cycles.collect::<String>());
    }
    // With fewer, paths are no longer resolved correctly.
    assert!(uses > 400, "{uses} uses");
}
