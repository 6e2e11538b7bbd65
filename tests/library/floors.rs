//! The map in `src/lib.rs` holds: each room, a module at the root of the crate, uses
//! only rooms on lower floors, and no files use each other in a circle.
//!
//! Every path counts, in whatever way it is written: through a `use` at the top of a
//! file or inside a function, by the bare name of a child module, through re-exports
//! and globs, and inside the tokens of a macro. A path uses the file that defines
//! what it names, not those that re-export it; a file uses what it re-exports. What
//! only methods and the types of fields connect is invisible here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::{self, Visit};
use syn::{Block, Item, ItemMod, ItemUse, Macro, MetaList, Stmt, UseTree, VisRestricted};

/// Rooms of the house: the modules at the root, the program, benches and fuzz targets.
const ROOMS: usize = 20;
/// Pairs of rooms of which the first uses the second.
const MAX_ARROWS: usize = 101;

/// A module's path from the root of the crate, without `crate`.
type Module = Vec<String>;

/// What a name in a module stands for.
enum Meaning {
    /// A child module.
    Child,
    /// Anything else that is defined here.
    Item,
    /// What this path leads to.
    Import(Vec<String>),
}

/// What a path leads to.
#[derive(Clone)]
enum Target {
    Module(Module),
    /// An item, by the module that defines it.
    Item(Module),
}

/// A module, in a file of its own or inline.
#[derive(Default)]
struct Scope {
    module: Module,
    /// The module that the file is; the same unless this one is inline.
    file: Module,
    names: BTreeMap<String, Meaning>,
    globs: Vec<Vec<String>>,
    /// Paths as written in this module.
    used: BTreeSet<Vec<String>>,
    /// Imports of the functions around the path that is being read.
    blocks: Vec<BTreeMap<String, Vec<String>>>,
    inline: Vec<Scope>,
}

impl Scope {
    fn read(path: &Path) -> Self {
        let inside = path.strip_prefix("src").unwrap_or(path).with_extension("");
        let mut module: Module =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        let text = fs::read_to_string(path).expect("a source file");
        let mut scope = Scope { module: module.clone(), file: module, ..Scope::default() };
        scope.add_items(&syn::parse_file(&text).expect("Rust").items);
        scope
    }

    /// Adds the names that `items` define, and the paths in them.
    fn add_items(&mut self, items: &[Item]) {
        for item in items {
            if let Some(name) = defined_name(item) {
                self.names.insert(name, Meaning::Item);
            }
            self.visit_item(item);
        }
    }

    fn add_path(&mut self, mut path: Vec<String>) {
        let imports = self.blocks.iter().rev().find_map(|block| block.get(&path[0]));
        if let Some(import) = imports {
            path.splice(..1, import.iter().cloned());
        }
        self.used.insert(path);
    }

    /// Adds the paths of two or more names in the tokens of a macro.
    fn add_tokens(&mut self, mut rest: Cursor) {
        let mut path = Vec::new();
        while !rest.eof() {
            if let Some((inner, _, _, next)) = rest.any_group() {
                self.end_path(&mut path);
                self.add_tokens(inner);
                rest = next;
            } else if let Some((name, next)) = rest.ident() {
                path.push(name.to_string());
                rest = next;
                match double_colon(rest) {
                    Some(next) => rest = next,
                    None => self.end_path(&mut path),
                }
            } else if let Some((_, next)) = rest.token_tree() {
                self.end_path(&mut path);
                rest = next;
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.add_path(path);
        }
    }

    /// This module and those inline in it.
    fn flatten(mut self) -> Vec<Scope> {
        let inline = std::mem::take(&mut self.inline);
        let inline = inline.into_iter().flat_map(Scope::flatten);
        inline.chain([self]).collect()
    }
}

fn double_colon(rest: Cursor) -> Option<Cursor> {
    let (first, rest) = rest.punct()?;
    let (second, rest) = rest.punct()?;
    (first.as_char() == ':' && second.as_char() == ':').then_some(rest)
}

fn defined_name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

impl<'ast> Visit<'ast> for Scope {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        // What the tests of a module use does not hold it up.
        if item.ident == "tests" {
            return;
        }
        self.names.insert(item.ident.to_string(), Meaning::Child);
        if let Some((_, items)) = &item.content {
            let module = [&self.module[..], &[item.ident.to_string()]].concat();
            let mut scope = Scope { module, file: self.file.clone(), ..Scope::default() };
            scope.add_items(items);
            self.inline.push(scope);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for (name, path) in imports(&item.tree) {
            self.used.insert(path.clone());
            if self.blocks.is_empty() {
                match name.as_str() {
                    "*" => self.globs.push(path),
                    _ => {
                        self.names.insert(name, Meaning::Import(path));
                    }
                }
            }
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let uses = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(Item::Use(item)) => Some(imports(&item.tree)),
            _ => None,
        });
        self.blocks.push(uses.flatten().collect());
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.add_path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {
        // `pub(in path)` uses nothing.
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.add_tokens(TokenBuffer::new2(call.tokens.clone()).begin());
        visit::visit_macro(self, call);
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        self.add_tokens(TokenBuffer::new2(list.tokens.clone()).begin());
        visit::visit_meta_list(self, list);
    }
}

/// The names that a `use` brings in, each with its path; `*` for all of a module.
fn imports(tree: &UseTree) -> Vec<(String, Vec<String>)> {
    match tree {
        UseTree::Path(path) => {
            let below = imports(&path.tree).into_iter();
            let prefix = path.ident.to_string();
            let imported = |(name, path): (String, Vec<String>)| match name.as_str() {
                "self" => (prefix.clone(), vec![prefix.clone()]),
                _ => (name, [vec![prefix.clone()], path].concat()),
            };
            below.map(imported).collect()
        }
        UseTree::Group(group) => group.items.iter().flat_map(imports).collect(),
        UseTree::Name(name) if name.ident == "self" => vec![("self".to_owned(), Vec::new())],
        UseTree::Name(name) => vec![(name.ident.to_string(), vec![name.ident.to_string()])],
        UseTree::Rename(rename) => {
            vec![(rename.rename.to_string(), vec![rename.ident.to_string()])]
        }
        UseTree::Glob(_) => vec![("*".to_owned(), Vec::new())],
    }
}

struct House(BTreeMap<Module, Scope>);

impl House {
    fn read() -> Self {
        let mut scopes = BTreeMap::new();
        let mut folders = ["src", "benches", "fuzz/fuzz_targets"].map(PathBuf::from).to_vec();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let read = Scope::read(&path).flatten().into_iter();
                    scopes.extend(read.map(|scope| (scope.module.clone(), scope)));
                }
            }
        }
        Self(scopes)
    }

    /// What `path`, as written in `module`, leads to; none outside the crate. `met`
    /// are the names that are being resolved already: `use log::log` is not a circle.
    fn resolve<'a>(
        &'a self,
        module: &'a [String],
        path: &'a [String],
        met: &mut Vec<(&'a [String], &'a str)>,
    ) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut target = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(module.to_vec()),
            "super" => Target::Module(module.split_last()?.1.to_vec()),
            name => match self.named(module, name, met) {
                Some(target) => target,
                None if name == "kalah" => Target::Module(Vec::new()),
                None => return None,
            },
        };
        while let (Target::Module(inside), Some((name, further))) = (&target, rest.split_first()) {
            let (inside, _) = self.0.get_key_value(inside)?;
            target = match name.as_str() {
                "super" => Target::Module(inside.split_last()?.1.to_vec()),
                name => self.named(inside, name, met)?,
            };
            rest = further;
        }
        Some(target)
    }

    fn named<'a>(
        &'a self,
        module: &'a [String],
        name: &'a str,
        met: &mut Vec<(&'a [String], &'a str)>,
    ) -> Option<Target> {
        if met.contains(&(module, name)) {
            return None;
        }
        met.push((module, name));
        let scope = &self.0[module];
        let target = match scope.names.get(name) {
            Some(Meaning::Child) => Some(Target::Module([module, &[name.to_owned()]].concat())),
            Some(Meaning::Item) => Some(Target::Item(module.to_vec())),
            Some(Meaning::Import(path)) => self.resolve(module, path, met),
            None => scope.globs.iter().find_map(|path| match self.resolve(module, path, met)? {
                Target::Module(other) => {
                    let (other, _) = self.0.get_key_value(&other)?;
                    self.named(other, name, met)
                }
                Target::Item(_) => None,
            }),
        };
        met.pop();
        target
    }

    /// The files that each file uses, itself not included, as modules.
    fn uses(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let mut uses: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
        for scope in self.0.values() {
            let targets = scope.used.iter().filter_map(|path| {
                let target = self.resolve(&scope.module, path, &mut Vec::new())?;
                let module = match &target {
                    // A variable may have the name of a module.
                    Target::Module(_) if path.len() == 1 => return None,
                    Target::Module(module) | Target::Item(module) => module,
                };
                Some(&self.0.get(module)?.file)
            });
            let uses = uses.entry(&scope.file).or_default();
            uses.extend(targets.filter(|&used| *used != scope.file));
        }
        uses
    }

    /// The rooms that each room uses, itself not included.
    fn arrows(&self) -> BTreeSet<(&str, &str)> {
        let uses = self.uses();
        let pairs = uses.iter().flat_map(|(file, used)| used.iter().map(move |used| (file, used)));
        let rooms = pairs.filter_map(|(file, used)| Some((file.first()?, used.first()?)));
        rooms.filter(|(room, used)| room != used).map(|(a, b)| (a.as_str(), b.as_str())).collect()
    }
}

/// Each room's floor in the map, the lowest is 1.
fn map() -> BTreeMap<String, usize> {
    let lib = fs::read_to_string("src/lib.rs").expect("src/lib.rs");
    let map = lib.split("```text").nth(1).and_then(|rest| rest.split("```").next());
    let mut floors = BTreeMap::new();
    for line in map.expect("a map in src/lib.rs").lines() {
        let line = line.trim_start_matches("//!").trim();
        let Some((floor, rooms)) = line.split_once("  ") else { continue };
        let rooms = rooms.split("  ").next().unwrap_or_default();
        let floor = floor.parse().expect("the number of a floor");
        floors.extend(rooms.split(", ").map(|room| (room.to_owned(), floor)));
    }
    floors
}

/// Rooms that stand outside `src/lib.rs` and use the library like any other program.
const OUTSIDE: [&str; 3] = ["benches", "fuzz", "main"];

#[test]
fn the_map_names_every_room() {
    let house = House::read();
    let rooms: BTreeSet<&str> =
        house.0.keys().filter_map(|module| Some(module.first()?.as_str())).collect();
    let map = map();
    let named: BTreeSet<&str> = map.keys().map(String::as_str).chain(OUTSIDE).collect();
    assert_eq!(named, rooms);
    assert_eq!(rooms.len(), ROOMS);
}

#[test]
fn rooms_use_only_lower_floors_and_no_siblings() {
    let (map, house) = (map(), House::read());
    for (file, used) in house.uses() {
        let Some(floor) = file.first().and_then(|room| map.get(room)) else { continue };
        for used in used.into_iter().filter(|used| !used.is_empty() && used[0] != file[0]) {
            assert!(map[&used[0]] < *floor, "{} uses {}", file.join("::"), used.join("::"));
        }
    }
}

#[test]
fn there_are_few_arrows_between_rooms() {
    let house = House::read();
    let arrows = house.arrows();
    println!("{} arrows: {arrows:?}", arrows.len());
    assert!((60..=MAX_ARROWS).contains(&arrows.len()), "{} arrows: {arrows:?}", arrows.len());
}

/// Whether a chain of uses leads from `file` to `goal`.
fn leads(uses: &BTreeMap<&Module, BTreeSet<&Module>>, file: &Module, goal: &Module) -> bool {
    let (mut met, mut left) = (BTreeSet::from([file]), vec![file]);
    while let Some(file) = left.pop() {
        left.extend(uses[file].iter().filter(|used| met.insert(used)));
    }
    met.contains(goal)
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let house = House::read();
    let uses = house.uses();
    let arrows = uses.iter().flat_map(|(file, used)| used.iter().map(move |used| (*file, *used)));
    let circles: Vec<String> = arrows
        .filter(|(file, used)| leads(&uses, used, file))
        .map(|(file, used)| format!("{} -> {}", file.join("::"), used.join("::")))
        .collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
