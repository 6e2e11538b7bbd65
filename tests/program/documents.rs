//! The documents: their commands work as printed, their links lead somewhere, and their sentences
//! are short.
//!
//! Blocks marked `sh` or `console` hold commands. Those that take longer than a test may, or need
//! a terminal, an installation or other machines, are marked `elsewhere`, too, which no reader
//! sees: their commands are parsed, but not run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::folder::{Folder, Ran};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folders whose files are documents, and those whose files may name them.
const DOCUMENTED: [&str; 4] = [".", "doc", "doc/lab", "contrib/slurm"];
const NAMING: [&str; 7] = [".ci", "benches", "contrib", "crates", "doc", "src", "tests"];

/// The longest sentence, in words, and the most numbers in a paragraph: readers of longer ones
/// have to go back.
const MAX_WORDS: usize = 35;
const MAX_NUMBERS: usize = 8;

struct Document {
    path: PathBuf,
    text: String,
}

struct Block {
    /// The number of the line after the fence.
    line: usize,
    /// The words after the fence.
    marks: Vec<String>,
    lines: Vec<String>,
}

fn documents() -> Vec<Document> {
    let mut documents = Vec::new();
    for folder in DOCUMENTED {
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).expect("a document");
                documents.push(Document { path, text });
            }
        }
    }
    documents
}

impl Document {
    /// The blocks of commands, in order.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(self.text.lines()) {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(marks), None) => {
                    let marks = marks.split_whitespace().map(String::from).collect();
                    open = Some(Block { line: number + 1, marks, lines: Vec::new() });
                }
                (None, Some(block)) => block.lines.push(line.to_string()),
                (None, None) => {}
            }
        }
        blocks.retain(|block| block.is("sh") || block.is("console"));
        blocks
    }

    /// The paragraphs and items of lists, each with the number of its first line.
    fn paragraphs(&self) -> Vec<(usize, String)> {
        let mut paragraphs: Vec<(usize, String)> = Vec::new();
        let mut is_code = false;
        let mut is_open = false;
        for (number, line) in (1..).zip(self.text.lines()) {
            let text = line.trim_start();
            let is_fence = text.starts_with("```");
            is_code ^= is_fence;
            let is_other = text.is_empty() || text.starts_with(['#', '|', '!', '<']);
            if is_code || is_fence || is_other || line.starts_with("    ") {
                is_open = false;
                continue;
            }
            let item = text.strip_prefix("- ");
            match paragraphs.last_mut() {
                Some((_, paragraph)) if is_open && item.is_none() => {
                    paragraph.push(' ');
                    paragraph.push_str(text);
                }
                _ => paragraphs.push((number, item.unwrap_or(text).to_owned())),
            }
            is_open = true;
        }
        paragraphs
    }

    fn headings(&self) -> Vec<String> {
        let titles = self.text.lines().filter(|line| line.starts_with('#'));
        titles.map(|title| anchor(title.trim_start_matches('#').trim())).collect()
    }

    /// The targets of links to other files and to headings.
    fn links(&self) -> Vec<&str> {
        let starts = self.text.split("](").skip(1);
        let targets = starts.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        targets.filter(|target| !target.contains("://")).collect()
    }
}

/// The name that GitHub gives to a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The number of words in each sentence of a paragraph.
fn sentence_lengths(paragraph: &str) -> Vec<usize> {
    let mut lengths = vec![0];
    let mut words = paragraph.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let last = lengths.len() - 1;
        lengths[last] += usize::from(word.contains(char::is_alphanumeric));
        let ends = word.trim_end_matches([')', '*', '"', '”']).ends_with(['.', '?', '!']);
        let begins = |next: &&str| !next.starts_with(char::is_lowercase);
        if ends && words.peek().is_some_and(begins) {
            lengths.push(0);
        }
    }
    lengths
}

/// The numbers in a paragraph, without those in code and the sizes of boards, as in (6,4).
fn numbers(paragraph: &str) -> usize {
    let text: String = paragraph.split('`').step_by(2).collect();
    let words =
        text.split_whitespace().filter(|word| !(word.starts_with('(') && word.contains(',')));
    let is_number = |word: &&str| {
        let word = word.trim_start_matches(['(', '+', '-', '±', '*', '"', '<']);
        word.starts_with(|first: char| first.is_ascii_digit())
    };
    words.filter(is_number).count()
}

impl Block {
    fn is(&self, mark: &str) -> bool {
        self.marks.iter().any(|own| own == mark)
    }

    /// Each command, and what it prints.
    fn commands(&self) -> Vec<(String, String)> {
        if self.is("sh") {
            return vec![(self.lines.join("\n"), String::new())];
        }
        let mut commands: Vec<(String, String)> = Vec::new();
        let mut continued = false;
        for line in &self.lines {
            if let Some(command) = line.strip_prefix("$ ") {
                commands.push((command.to_string(), String::new()));
            } else if let Some((command, shown)) = commands.last_mut() {
                let text = if continued { command } else { shown };
                text.push_str(line);
                text.push('\n');
            }
            continued = line.ends_with('\\') && (continued || line.starts_with("$ "));
            if continued {
                let (command, _) = commands.last_mut().expect("the command that continues");
                command.push('\n');
            }
        }
        commands
    }

    /// The arguments of each call of the program.
    fn calls(&self) -> Vec<Vec<String>> {
        let mut calls = Vec::new();
        for (command, _) in self.commands() {
            for line in command.replace("\\\n", " ").lines() {
                let words = shlex::split(line).expect("quotes are closed");
                let parts = words.split(|word| ["|", "&", "&&", ">", ":::"].contains(&&**word));
                for part in parts {
                    if let Some(start) = part.iter().position(|word| word == "kalah") {
                        calls.push(part[start + 1..].iter().map(|word| valued(word)).collect());
                    }
                }
            }
        }
        calls
    }
}

/// A word with values in place of the variables that the documents use.
fn valued(word: &str) -> String {
    match word {
        "$bound" => "4".into(),
        "$position" => "<1,0,0,1,1> S".into(),
        _ => word.replace("{}", "1"),
    }
}

/// Whether an output is as shown, in which `…` stands for any text.
fn is_as_shown(output: &str, shown: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let Some(mut rest) = output.trim_end().strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = "";
    for part in parts {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
        last = part;
    }
    rest.is_empty() || (last.is_empty() && shown.contains('…')) || output.trim_end().ends_with(last)
}

#[test]
fn the_program_understands_every_command_in_the_documents() {
    let mut count = 0;
    for document in documents() {
        for block in document.blocks() {
            for call in block.calls() {
                let place = format!("{}:{}", document.path.display(), block.line);
                // Help is printed when all arguments before it have been accepted.
                let ran = crate::kalah().args(&call).arg("--help").output().expect("kalah starts");
                let errors = String::from_utf8_lossy(&ran.stderr);
                assert!(ran.status.success(), "{place}: kalah {}\n{errors}", call.join(" "));
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

/// A folder in which the documents' commands find the program and what it is delivered with.
#[cfg(unix)]
fn delivered() -> Folder {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    for name in ["bin", "openings"] {
        fs::create_dir(folder.path(name)).expect("a folder is created");
    }
    symlink(env!("CARGO_BIN_EXE_kalah"), folder.path("bin/kalah")).expect("a link is made");
    for name in ["tests", "contrib"] {
        symlink(Path::new(ROOT).join(name), folder.path(name)).expect("a link is made");
    }
    // Commands write new lists there.
    for entry in fs::read_dir(Path::new(ROOT).join("openings")).expect("a folder") {
        let entry = entry.expect("a list");
        let link = folder.path("openings").join(entry.file_name());
        symlink(entry.path(), link).expect("a link is made");
    }
    folder
}

#[cfg(unix)]
fn run(folder: &Folder, command: &str) -> Ran {
    let path = std::env::var("PATH").expect("a path");
    let mut shell = Command::new("sh");
    shell.args(["-ec", command]).current_dir(folder.root()).stdin(Stdio::null());
    shell.env("PATH", format!("{}:{path}", folder.path("bin").display()));
    shell.env("HOME", folder.root()).env("XDG_STATE_HOME", folder.path("state"));
    shell.env("XDG_CACHE_HOME", &*crate::shared_tables::CACHE);
    shell.output().expect("a shell").into()
}

#[test]
#[cfg(unix)]
#[ignore = "slow: .ci/run"]
fn commands_in_the_documents_run_as_printed() {
    for document in documents() {
        let folder = delivered();
        for block in document.blocks().iter().filter(|block| !block.is("elsewhere")) {
            for (command, shown) in block.commands() {
                let started = std::time::Instant::now();
                let ran = run(&folder, &command);
                let place = format!("{}:{}", document.path.display(), block.line);
                println!("{place}: {:.1} s", started.elapsed().as_secs_f64());
                assert_eq!(ran.code, Some(0), "{place}: {command}\n{}", ran.errors);
                let fits = shown.is_empty() || is_as_shown(&ran.shown, &shown);
                assert!(fits, "{place}: {command}\n{}", ran.shown);
            }
        }
    }
}

#[test]
fn links_in_the_documents_lead_to_files_and_headings() {
    let documents = documents();
    for document in &documents {
        let folder = document.path.parent().expect("a folder");
        for link in document.links() {
            let (name, heading) = link.split_once('#').unwrap_or((link, ""));
            let place = format!("{}: {link}", document.path.display());
            let path = if name.is_empty() { document.path.clone() } else { folder.join(name) };
            let path = path.canonicalize().unwrap_or_else(|error| panic!("{place}: {error}"));
            if heading.is_empty() {
                continue;
            }
            let own = |other: &&Document| other.path.canonicalize().is_ok_and(|own| own == path);
            let other = documents.iter().find(own).unwrap_or_else(|| panic!("{place}"));
            assert!(other.headings().iter().any(|own| own == heading), "{place}");
        }
    }
}

#[test]
fn sentences_in_the_documents_are_short() {
    let mut long = Vec::new();
    for document in documents() {
        let path = &document.path;
        // The claims are quoted from their sources.
        if path.ends_with("doc/lab/compare.md") {
            continue;
        }
        for (line, paragraph) in document.paragraphs() {
            let most = sentence_lengths(&paragraph).into_iter().max().unwrap_or_default();
            let numbers = numbers(&paragraph);
            if most > MAX_WORDS || numbers > MAX_NUMBERS {
                long.push(format!("{}:{line}: {most} words, {numbers} numbers", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    assert_eq!(sentence_lengths("One, i.e. two. Three (four.) Five!"), [3, 2, 1]);
    assert_eq!(numbers("On (6,4), `1 2 3` and 4.5 or +6 of x7"), 2);
}

/// GitHub refuses a workflow that YAML does not accept, and so runs none of its jobs.
#[test]
fn plain_values_in_workflows_hold_no_colon_before_a_space() {
    let mut count = 0;
    for entry in fs::read_dir(Path::new(ROOT).join(".github/workflows")).expect("a folder") {
        let path = entry.expect("a workflow").path();
        let text = fs::read_to_string(&path).expect("a workflow");
        for (number, line) in (1..).zip(text.lines()) {
            let Some((_, value)) = line.split_once(": ") else { continue };
            let is_plain = !line.trim_start().starts_with('#') && !value.starts_with(['"', '\'']);
            let place = format!("{}:{number}", path.display());
            assert!(!(is_plain && value.contains(": ")), "{place}: {line}");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn documents_named_in_other_files_exist() {
    let mut folders: Vec<PathBuf> = NAMING.map(|name| Path::new(ROOT).join(name)).to_vec();
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let words =
                text.split(|letter: char| !(letter.is_alphanumeric() || "/._-".contains(letter)));
            for word in words.map(|word| word.trim_end_matches('.')) {
                if word.starts_with("doc/") && word.ends_with(".md") {
                    let exists = Path::new(ROOT).join(word).exists();
                    assert!(exists, "{}: {word}", path.display());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20, "{count}");
}
