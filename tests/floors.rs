//! The map in `src/lib.rs` holds: each module uses only modules on lower
//! floors, and no files use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree, Visibility};

/// A module's path from the root of the crate, without `crate`.
type Module = Vec<String>;

/// A source file: what it uses and what it re-exports, as paths from the root.
#[derive(Default)]
struct File {
    module: Module,
    used: BTreeSet<Vec<String>>,
    /// By the name they are re-exported under; `*` for all names of a module.
    exported: Vec<(String, Vec<String>)>,
}

impl File {
    fn read(path: &Path) -> Self {
        let inside = path.strip_prefix("src").expect("a file of src").with_extension("");
        let mut module: Module =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        let text = fs::read_to_string(path).expect("a file of src");
        let mut file = File { module, ..File::default() };
        file.visit_file(&syn::parse_file(&text).expect("Rust"));
        file
    }

    /// A path as it stands in this file, from the root; none if it does not lead
    /// into this crate.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut root = self.module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => root.clear(),
            "super" => {}
            "self" => return Some([&root, &rest[1..]].concat()),
            _ => return None,
        }
        while let Some("crate" | "super") = rest.first().map(String::as_str) {
            if rest[0] == "super" {
                root.pop()?;
            }
            rest = &rest[1..];
        }
        root.extend_from_slice(rest);
        Some(root)
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        // What the tests of a module use does not hold it up.
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut paths);
        for (name, path) in paths {
            let exported = !matches!(item.vis, Visibility::Inherited);
            let own = || [self.module.clone(), path.clone()].concat();
            match self.absolute(&path) {
                Some(path) if !exported => {
                    self.used.insert(path);
                }
                path if exported => self.exported.push((name, path.unwrap_or_else(own))),
                _ => {}
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if path.leading_colon.is_none() && segments.len() > 1 {
            self.used.extend(self.absolute(&segments));
        }
        visit::visit_path(self, path);
    }
}

/// The paths of a `use` and the names that they bring in.
fn flatten(tree: &UseTree, prefix: &mut Vec<String>, paths: &mut Vec<(String, Vec<String>)>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, paths);
            prefix.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|item| flatten(item, prefix, paths));
        }
        UseTree::Name(name) if name.ident == "self" => {
            paths.push((prefix.last().cloned().unwrap_or_default(), prefix.clone()));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            paths.push((name.clone(), [prefix.clone(), vec![name]].concat()));
        }
        UseTree::Rename(rename) => {
            let path = [prefix.clone(), vec![rename.ident.to_string()]].concat();
            paths.push((rename.rename.to_string(), path));
        }
        UseTree::Glob(_) => paths.push(("*".to_owned(), prefix.clone())),
    }
}

struct Crate(BTreeMap<Module, File>);

impl Crate {
    fn read() -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![PathBuf::from("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs")
                    && path != Path::new("src/main.rs")
                {
                    let file = File::read(&path);
                    files.insert(file.module.clone(), file);
                }
            }
        }
        Self(files)
    }

    /// The file in which what `path` names is defined, re-exports followed.
    fn home(&self, path: &[String]) -> Option<&File> {
        let mut length = path.len();
        while !self.0.contains_key(&path[..length]) {
            length -= 1;
        }
        let file = &self.0[&path[..length]];
        let Some(name) = path.get(length) else { return Some(file) };
        let named = file.exported.iter().find(|(exported, _)| exported == name);
        if let Some((_, target)) = named.filter(|(_, target)| *target != path[..=length]) {
            return self.home(target);
        }
        let globs = file.exported.iter().filter(|(exported, _)| exported == "*");
        let through = |target: &Vec<String>| {
            let target = [target.clone(), vec![name.clone()]].concat();
            self.home(&target).filter(|home| home.exported.is_empty() && home.module != target[..1])
        };
        globs.map(|(_, target)| target).find_map(through).or(Some(file))
    }

    /// The modules that `file` uses, itself not included.
    fn uses<'a>(&'a self, file: &'a File) -> impl Iterator<Item = &'a Module> {
        let homes = file.used.iter().filter_map(|path| self.home(path));
        homes.map(|home| &home.module).filter(|&module| *module != file.module)
    }
}

/// Each module's floor in the map, the lowest is 1.
fn map() -> BTreeMap<String, usize> {
    let lib = fs::read_to_string("src/lib.rs").expect("src/lib.rs");
    let map = lib.split("```text").nth(1).and_then(|rest| rest.split("```").next());
    let mut floors = BTreeMap::new();
    for line in map.expect("a map in src/lib.rs").lines() {
        let line = line.trim_start_matches("//!").trim();
        let Some((floor, modules)) = line.split_once("  ") else { continue };
        let modules = modules.split("  ").next().unwrap_or_default();
        let floor = floor.parse().expect("the number of a floor");
        floors.extend(modules.split(", ").map(|module| (module.to_owned(), floor)));
    }
    floors
}

#[test]
fn the_map_names_every_module() {
    let named: BTreeSet<String> = map().into_keys().collect();
    let files = Crate::read().0;
    let modules = files.keys().filter_map(|module| module.first().cloned()).collect();
    assert_eq!(named, modules);
}

#[test]
fn modules_use_only_lower_floors_and_no_siblings() {
    let (map, files) = (map(), Crate::read());
    let mut looked = 0;
    for file in files.0.values().filter(|file| !file.module.is_empty()) {
        for used in files.uses(file).filter(|used| !used.is_empty()) {
            let (room, other) = (&file.module[0], &used[0]);
            looked += usize::from(room != other);
            let lower = room == other || map[other] < map[room];
            assert!(lower, "{} uses {}", file.module.join("::"), used.join("::"));
        }
    }
    assert!(looked > 200, "{looked}");
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let files = Crate::read();
    let mut left: BTreeMap<&Module, BTreeSet<&Module>> =
        files.0.values().map(|file| (&file.module, files.uses(file).collect())).collect();
    // A file that uses none of the others left, or that none of them uses, is in
    // no circle with them.
    loop {
        let used: BTreeSet<&Module> = left.values().flatten().copied().collect();
        let mut outside =
            left.iter().filter(|(file, uses)| uses.is_empty() || !used.contains(*file));
        let Some((&outside, _)) = outside.next() else { break };
        left.remove(outside);
        for uses in left.values_mut() {
            uses.remove(outside);
        }
    }
    let circle: Vec<String> = left
        .iter()
        .map(|(file, uses)| {
            let uses: Vec<String> = uses.iter().map(|used| used.join("::")).collect();
            format!("{} -> {}", file.join("::"), uses.join(", "))
        })
        .collect();
    assert!(circle.is_empty(), "{}", circle.join("\n"));
}
