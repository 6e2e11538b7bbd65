//! The files that a browser loads.

use std::collections::BTreeSet;

use kalah_view::assets::{ASSETS, Asset};

#[test]
fn the_page_loads_files_that_are_in_the_table() {
    let paths: BTreeSet<&str> = ASSETS.iter().map(|asset| asset.path).collect();
    assert_eq!(paths.len(), ASSETS.len());
    for file in ASSETS.iter().filter(|file| file.path.ends_with(".js")) {
        for line in file.text.lines().filter(|line| line.contains(" from \"./")) {
            let name = line.split(" from \".").nth(1).and_then(|rest| rest.split('"').next());
            assert!(Asset::at(name.unwrap()).is_some(), "{}: {line}", file.path);
        }
    }
}
