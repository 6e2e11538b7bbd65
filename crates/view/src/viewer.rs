//! The viewer of games in a document that is a single file.

/// The elements in which it shows games.
pub const ELEMENTS: &str = include_str!("../assets/games.html");

/// The style of these elements and of the board; the document defines the colours.
pub const STYLE: &str = concat!(
    include_str!("../assets/board.css"),
    include_str!("../assets/moves.css"),
    include_str!("../assets/games.css")
);

/// The modules of the script, each after those that it imports.
const SCRIPTS: [&str; 7] = [
    include_str!("../assets/seeds.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/keys.js"),
    include_str!("../assets/curve.js"),
    include_str!("../assets/moves.js"),
    include_str!("../assets/games.js"),
    include_str!("../assets/single.js"),
];

/// A script that shows the games in the element `games-data`: one module, because a single-file
/// document has nothing to import.
pub fn script() -> String {
    let lines = SCRIPTS.into_iter().flat_map(str::lines);
    lines.filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect()
}
