//! Endgame tables on disk: complete, resumable, and refused if damaged.

use std::cmp::Reverse;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use kalah_engine::endgame::verify::{LayerSample, Minimax, verify_by_minimax, verify_layer};
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_engine::endgame::{file_name, folder::layers};
use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Position, Side, Variant};
use xxhash_rust::xxh3::xxh3_64;

use crate::folder::{Folder, Ran};

fn standard(pits: usize) -> Variant {
    Variant::new(pits, Capture::Standard).unwrap()
}

fn build(folder: &Folder, pits: usize, seeds: u32, encoding: Encoding) -> Tables {
    let extent = Extent::new(standard(pits), seeds).unwrap();
    Tables::build_in(folder.root(), extent, encoding, 2, &|_| ()).unwrap()
}

/// Why the layers of a folder from `seeds` upwards are not used; those below it are.
fn unused(folder: &Folder, seeds: u32) -> String {
    let tables = Tables::open(folder.root(), standard(3)).unwrap();
    assert_eq!(tables.seeds() + 1, seeds);
    tables.origin().unused.as_ref().expect("unused layers").to_string()
}

/// Why a layer is not used after `alter` has changed the bytes of its file.
fn error_after(encoding: Encoding, alter: impl Fn(&mut Vec<u8>)) -> String {
    let folder = Folder::new();
    build(&folder, 3, 12, encoding);
    let path = folder.path(file_name(standard(3), 11));
    let mut bytes = std::fs::read(&path).unwrap();
    alter(&mut bytes);
    std::fs::write(&path, bytes).unwrap();
    let error = unused(&folder, 11);
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    let error = error.strip_suffix("; layers 11 to 12 are not used").expect(&error).to_owned();
    // A build replaces the layer, unless a later version wrote it.
    let extent = Extent::new(standard(3), 13).unwrap();
    match Tables::build_in(folder.root(), extent, encoding, 1, &|_| ()) {
        Ok(built) => assert_eq!(built.origin().built, [11, 13]),
        Err(refused) => {
            assert_eq!(refused.to_string(), error);
            assert!(error.ends_with("expected format version 2, got 3"), "{error}");
        }
    }
    error
}

/// The output of a command on the tables in a folder, and its exit code.
fn tables(folder: &Folder, line: &str) -> (String, Option<i32>) {
    let mut command = folder.command_line(line);
    let ran = Ran::from(command.arg("--tables").arg(folder.root()).output().unwrap());
    (ran.shown + &ran.errors, ran.code)
}

#[test]
fn every_command_names_the_layer_that_keeps_others_from_being_used() {
    let folder = Folder::new();
    build(&folder, 3, 10, Encoding::Plain);
    let path = |seeds| folder.path(file_name(standard(3), seeds));
    let layer = std::fs::read(path(5)).unwrap();
    for is_missing in [true, false] {
        let expected = if is_missing {
            std::fs::remove_file(path(5)).unwrap();
            format!("{}: layer 5 is missing, 6 to 10 are not used\n", folder.root().display())
        } else {
            std::fs::write(path(5), &layer[..99]).unwrap();
            "the file was truncated or extended; layers 5 to 10 are not used\n".to_owned()
        };
        for (command, code) in [
            ("tables list", 0),
            ("tables list --json", 0),
            ("tables verify --pits 3", 1),
            ("solve --pits 3 --seeds 2", 0),
        ] {
            let (output, got) = tables(&folder, command);
            assert_eq!(output.matches(&expected).count(), 1, "{command}: {output}");
            assert_eq!(got, Some(code), "{command}: {output}");
        }
    }
}

#[test]
fn boards_and_rules_share_a_folder() {
    let folder = Folder::new();
    build(&folder, 3, 5, Encoding::Compact);
    build(&folder, 4, 6, Encoding::Plain);
    assert_eq!(layers(folder.root(), standard(3)), Some(5));
    assert_eq!(layers(folder.root(), standard(4)), Some(6));
    let error = Tables::open(folder.root(), Variant::new(3, Capture::EmptyCapture).unwrap())
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("no endgame tables for 3 pits, empty-capture"), "{error}");
}

#[test]
fn a_larger_build_continues_a_smaller_one() {
    let folder = Folder::new();
    build(&folder, 6, 7, Encoding::Plain);
    let kept = folder.path(file_name(standard(6), 7));
    let written = std::fs::metadata(&kept).unwrap().modified().unwrap();
    build(&folder, 6, 9, Encoding::Compact);
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), written);
    let read = Tables::open(folder.root(), standard(6)).unwrap();
    let fresh = Tables::build(standard(6), 9, 1).unwrap();
    assert_eq!(read.checksum(), fresh.checksum());
}

#[test]
fn layers_that_earlier_versions_compressed_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/zstandard");
    let read = Tables::open(Path::new(folder), standard(3)).unwrap();
    assert_eq!(read.seeds(), 5);
    assert_eq!(read.checksum(), Tables::build(standard(3), 5, 1).unwrap().checksum());
}

#[test]
fn a_cut_off_file_is_refused() {
    for encoding in Encoding::ALL {
        let error = error_after(encoding, |bytes| bytes.truncate(bytes.len() - 1));
        assert!(error.contains("truncated or extended"), "{error}");
        let error = error_after(encoding, |bytes| bytes.push(0));
        assert!(error.contains("truncated or extended"), "{error}");
        let error = error_after(encoding, |bytes| bytes.truncate(40));
        assert!(error.contains("different kind of file"), "{error}");
    }
}

/// Decoders ignore a few bits of a compressed part. If only one of these is changed, the file
/// still holds the same positions.
#[test]
fn an_altered_file_is_refused_or_has_the_same_positions() {
    for encoding in Encoding::ALL {
        let folder = Folder::in_memory();
        let built = build(&folder, 3, 5, encoding).checksum();
        let path = folder.path(file_name(standard(3), 5));
        let whole = std::fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).unwrap();
            let what = format!("{encoding}: bit {bit} of {}", 8 * whole.len());
            let tables = Tables::open(folder.root(), standard(3)).unwrap();
            if tables.seeds() < 5 {
                assert!(tables.origin().unused.is_some() && tables.seeds() == 4, "{what}");
            } else {
                assert_eq!(encoding, Encoding::Compact, "{what}");
                assert_eq!(tables.checksum(), built, "{what}");
            }
        }
    }
}

#[test]
fn a_foreign_file_is_refused() {
    let foreign = |bytes: &mut Vec<u8>| *bytes = b"seeds\tmargin\n".repeat(20);
    assert!(error_after(Encoding::Plain, foreign).contains("different kind of file"));
    for version in [1, 3] {
        let error = error_after(Encoding::Plain, |bytes| bytes[8] = version);
        assert!(error.ends_with(&format!("expected format version 2, got {version}")), "{error}");
    }
}

#[test]
fn a_layer_under_the_name_of_another_is_refused() {
    let folder = Folder::new();
    let path = |seeds| folder.path(file_name(standard(3), seeds));
    build(&folder, 3, 6, Encoding::Compact);
    std::fs::copy(path(5), path(6)).unwrap();
    let error = unused(&folder, 6);
    assert!(error.contains("expected 462 positions of 6 seeds"), "{error}");
    assert!(error.contains("got 252 positions of 5 seeds"), "{error}");
}

/// Kills builds, each a little later than the one before, until one completes.
#[test]
fn a_killed_build_is_continued() {
    const SEEDS: u32 = 15;
    let folder = Folder::new();
    let mut killed_half_way = false;
    for round in 1.. {
        let mut child = folder
            .command_line("tables build --seeds 15 --format plain --tables .")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(15 * round));
        child.kill().unwrap();
        let mut complaints = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert_eq!(complaints, "");
        if child.wait().unwrap().success() {
            break;
        }
        let finished = layers(folder.root(), standard(6));
        killed_half_way |= finished.is_some_and(|seeds| seeds < SEEDS);
        // Every layer under its final name is complete.
        if let Some(seeds) = finished {
            let tables = Tables::open(folder.root(), standard(6)).unwrap();
            assert_eq!(tables.seeds(), seeds);
        }
    }
    assert!(killed_half_way, "every kill came too early or too late to test anything");
    let read = Tables::open(folder.root(), standard(6)).unwrap();
    let fresh = Tables::build(standard(6), SEEDS, 2).unwrap();
    assert_eq!(read.checksum(), fresh.checksum());
}

#[cfg(unix)]
#[test]
fn builds_in_one_folder_wait_for_each_other_and_share_the_work() {
    let folder = Folder::new();
    let left = folder.path(file_name(standard(3), 5) + ".killed.tmp");
    std::fs::write(&left, "").unwrap();
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| build(&folder, 3, 14, Encoding::Compact).checksum()))
            .collect();
        let fresh = Tables::build(standard(3), 14, 1).unwrap().checksum();
        assert!(builds.into_iter().all(|build| build.join().unwrap() == fresh));
    });
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 15);
}

/// Changes one byte of a plain layer, and its checksums so that they match.
fn forge(bytes: &mut [u8], place: usize, alter: impl Fn(u8) -> u8) {
    bytes[64 + place] = alter(bytes[64 + place]);
    let checksum = xxh3_64(&bytes[64..]);
    bytes[32..40].copy_from_slice(&checksum.to_le_bytes());
    let header = xxh3_64(&bytes[..56]);
    bytes[56..64].copy_from_slice(&header.to_le_bytes());
}

#[test]
fn a_value_that_no_position_can_have_is_refused_whatever_the_checksums_say() {
    let error = error_after(Encoding::Plain, |bytes| {
        let last = bytes.len() - 65;
        // The first of two positions, each of which takes 4 bits.
        forge(bytes, last, |byte| byte & 0xf0 | 12);
    });
    assert!(error.ends_with("expected at most 11 seeds won, got 12"), "{error}");
}

#[test]
fn a_single_wrong_value_is_found() {
    let folder = Folder::new();
    build(&folder, 3, 8, Encoding::Plain);
    let path = folder.path(file_name(standard(3), 8));
    let good = std::fs::read(&path).unwrap();
    let layer = good.len() - 64;
    for place in [0, layer / 3, layer - 1] {
        let mut bytes = good.clone();
        // The first of two positions, each of which takes 4 bits.
        forge(&mut bytes, place, |byte| if byte & 0xf < 8 { byte + 1 } else { byte - 1 });
        std::fs::write(&path, bytes).unwrap();
        let tables = Tables::open(folder.root(), standard(3)).unwrap();
        assert_eq!(verify_layer(&tables, 7, LayerSample::ALL, 1, &|_| ()), Ok(792));
        let wrong = verify_layer(&tables, 8, LayerSample::ALL, 2, &|_| ()).unwrap_err();
        assert_eq!((wrong.got - wrong.expected).0.abs(), 2, "{wrong}");
        let minimax = &mut Minimax::default();
        assert_eq!(verify_by_minimax(&tables, 8, LayerSample::ALL, minimax), Err(wrong));
    }
}

/// A solver with the tables in a folder.
fn solver(folder: &Folder, position: &Position) -> Solver {
    let tables = Tables::open(folder.root(), position.variant()).unwrap();
    let tables = TableChoice::Given(Arc::new(tables));
    let settings = SolverSettings::default().tables(tables).hash(1 << 16);
    Solver::new(position, settings).unwrap()
}

/// Positions of 7 seeds with a single best move, which banks one.
fn with_a_best_move_into_six(folder: &Folder) -> impl Iterator<Item = Position> {
    let rows =
        (0..4_u32.pow(6)).map(|code| [0, 1, 2, 3, 4, 5].map(|pit| code / 4_u32.pow(pit) % 4));
    let rows = rows.filter(|rows| rows.iter().sum::<u32>() == 7);
    let positions = rows.map(|rows| {
        let (south, north) = rows.split_at(3);
        Position::new([south, north], [0, 0], Side::South, Capture::Standard).unwrap()
    });
    positions.filter(move |position| {
        let Ok(mut moves) = solver(folder, position).moves(position, &mut |_| true) else {
            return false;
        };
        moves.sort_by_key(|(_, margin)| Reverse(*margin));
        let [(best, margin), (_, second), ..] = moves[..] else { return false };
        let mut after = *position;
        margin > second && after.play(best).is_ok() && after.in_play() == 6 && !after.is_over()
    })
}

#[test]
fn a_layer_with_wrong_values_is_found_by_an_independent_verification() {
    let folder = Folder::in_memory();
    build(&folder, 3, 6, Encoding::Plain);
    let path = folder.path(file_name(standard(3), 6));
    let good = std::fs::read(&path).unwrap();
    let solve = |position: &Position| {
        let solution = solver(&folder, position).solve(position, &mut |_| true);
        solution.ok().map(|solution| solution.margin)
    };
    // Most wrong values are never probed, or the principal variation contradicts them.
    let is_believed = |position: &Position| {
        std::fs::write(&path, &good).unwrap();
        let margin = solve(position);
        (0..8 * (good.len() - 64)).any(|bit| {
            let mut bytes = good.clone();
            forge(&mut bytes, bit / 8, |byte| byte ^ 1 << (bit % 8));
            std::fs::write(&path, bytes).unwrap();
            solve(position).is_some_and(|found| Some(found) != margin)
        })
    };
    let positions: Vec<_> = with_a_best_move_into_six(&folder).step_by(20).collect();
    let position = positions.iter().find(|position| is_believed(position));
    let position = position.expect("a lie that is believed");
    for (line, code) in [("solve", 0), ("solve --verify", 1)] {
        let ran = folder.run(&format!("{line} --position '{position}' --tables ."));
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.errors);
        let is_refuted = ran.errors.contains("the verification does not confirm");
        assert_eq!(is_refuted, code == 1, "{}", ran.errors);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_as_a_layer() {
    let folder = Folder::new();
    build(&folder, 3, 2, Encoding::Compact);
    let path = folder.path(file_name(standard(3), 3));
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = unused(&folder, 3);
    assert!(error.ends_with("expected a regular file; layer 3 is not used"), "{error}");
}

#[test]
fn tables_follow_from_their_own_successors_and_from_minimax() {
    for capture in Capture::ALL {
        // With 250 seeds, values of all widths from 1 to 8 bits occur.
        for (pits, seeds) in [(1, 250), (3, 10), (6, 8), (10, 4)] {
            let tables = Tables::build(Variant::new(pits, capture).unwrap(), seeds, 2).unwrap();
            let mut minimax = Minimax::default();
            for layer in 0..=seeds {
                let positions = tables.layer_len(layer);
                let checked = verify_layer(&tables, layer, LayerSample::ALL, 2, &|_| ());
                assert_eq!(checked, Ok(positions));
                let sample = LayerSample { count: 50, seed: 7 };
                let drawn = positions.min(50);
                assert_eq!(verify_by_minimax(&tables, layer, sample, &mut minimax), Ok(drawn));
                assert_eq!(verify_layer(&tables, layer, sample, 1, &|_| ()), Ok(drawn));
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/run"]
fn tables_of_eighteen_seeds_follow_from_their_own_successors() {
    for capture in Capture::ALL {
        let tables = Tables::build(Variant::new(6, capture).unwrap(), 18, 2).unwrap();
        let all = (0..=18).map(|layer| verify_layer(&tables, layer, LayerSample::ALL, 2, &|_| ()));
        assert_eq!(
            all.sum::<Result<u64, _>>(),
            Ok((0..=18).map(|layer| tables.layer_len(layer)).sum())
        );
    }
}
