//! The endgame tables hold what plain minimax finds.

use std::fs;

use kalah_endgame::file_name;
use kalah_endgame::verify::Minimax;
use kalah_endgame::{Encoding, Extent, FoundLayers, Tables};
use kalah_game::{Board, Capture, Gain, Pit, Position, Row, Side, Variant, Wide};
use xxhash_rust::xxh3::xxh3_64;

use super::built;

fn standard(pits: usize) -> Variant {
    Variant::new(pits, Capture::Standard).unwrap()
}

/// Every row of `pits` pits and up to `seeds` seeds.
fn rows(pits: usize, seeds: u32) -> Vec<Vec<u32>> {
    if pits == 0 {
        return vec![vec![]];
    }
    let longer = |count: u32| {
        let rest = rows(pits - 1, seeds - count);
        rest.into_iter().map(move |row| [vec![count], row].concat())
    };
    (0..=seeds).flat_map(longer).collect()
}

#[test]
fn every_position_of_small_boards_has_its_minimax_gain() {
    for capture in Capture::ALL {
        let small = [(1, 40), (2, 17), (3, 10), (4, 7), (5, 6), (6, 5), (7, 4)];
        // Eight pits are the most that fit in the narrow row.
        let sizes = [&small[..], &[(8, 4), (9, 3), (16, 2)]].concat();
        for (pits, seeds) in sizes {
            let tables = Tables::build(Variant::new(pits, capture).unwrap(), seeds, 2).unwrap();
            let rows = rows(pits, seeds);
            let mut minimax = Minimax::default();
            let mut positions = 0;
            for south in &rows {
                for north in &rows {
                    let position =
                        Position::new([south, north], [0, 0], Side::South, capture).unwrap();
                    if position.in_play() > seeds {
                        continue;
                    }
                    let gain = minimax.gain(&position);
                    assert_eq!(tables.gain(position.board::<Wide>()), Some(gain), "{position}");
                    if position.fits::<u64>() {
                        assert_eq!(tables.gain(position.board::<u64>()), Some(gain), "{position}");
                    }
                    positions += 1;
                }
            }
            assert_eq!(positions, (0..=seeds).map(|layer| tables.layer_len(layer)).sum::<u64>());
        }
    }
}

/// FNV-1a (64 bit) over the seeds that the mover wins in each unfinished position with
/// `seeds` in play: by the mover's seeds, its row, the other row, rows in lexicographic
/// order. The offset basis is that of the other program: the usual one without its last
/// digit.
fn check_value(tables: &Tables, seeds: u32) -> u64 {
    let rows = |of: u32| {
        let rows = rows(6, of).into_iter().filter(move |row| row.iter().sum::<u32>() == of);
        rows.map(|row| {
            u64::from_counts(
                &[row[0], row[1], row[2], row[3], row[4], row[5], 0, 0].map(|n| n as u16),
            )
        })
    };
    let mut hash: u64 = 1_469_598_103_934_665_603;
    for own in 1..seeds {
        let others: Vec<u64> = rows(seeds - own).collect();
        for own in rows(own) {
            for &opponent in &others {
                let gain = tables.gain(Board { own, opponent }).unwrap();
                let wins = (gain.0 + seeds as i32) as u64 / 2;
                hash = (hash ^ wins).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    hash
}

/// Check values of the standard tables with 6 pits, made by another program.
const CHECK_VALUES: [(u32, u64); 8] = [
    (2, 0x8f1d_82c9_83df_3d9a),
    (4, 0x9e35_9100_fa89_df07),
    (6, 0xddbb_e1be_0deb_3bb8),
    (8, 0x6bc3_8f52_5849_fd0f),
    (10, 0x8569_c576_8fd5_7ed7),
    (12, 0x2dde_4089_56c9_4322),
    (14, 0x6b23_2203_7f68_a47b),
    (16, 0x7758_2957_1b3b_111c),
];

/// Checks all rows of a table of reference values with at most `seeds` in play.
fn check_reference_values(table: &'static str, seeds: u32) -> usize {
    let mut rows = 0;
    for row in kalah_testing::rows(table) {
        let capture: Capture = row[1].parse().unwrap();
        let position = Position::parse(row[0], capture).unwrap();
        if position.in_play() > seeds {
            continue;
        }
        let tables = built(position.variant(), seeds);
        let gain = |position: &Position| tables.gain(position.board::<u64>()).unwrap();
        assert_eq!(gain(&position), Gain(row[3].parse().unwrap()), "{}", row[0]);
        for (index, expected) in row[4].split(',').enumerate() {
            let Ok(expected) = expected.parse() else { continue };
            let mut after = position;
            let turn = after.play(Pit::new(index)).unwrap().turn;
            let lead = after.lead(position.side()) - position.lead(position.side());
            let found = lead + turn.from_child(gain(&after));
            assert_eq!(found, Gain(expected), "{} {index}", row[0]);
        }
        rows += 1;
    }
    rows
}

#[test]
fn tables_of_six_pits_hold_the_reference_values() {
    assert!(check_reference_values(include_str!("../../../../tests/data/values.tsv"), 18) > 90);
}

#[test]
#[ignore = "slow: .ci/run"]
fn large_tables_of_six_pits_hold_the_reference_values() {
    assert!(check_reference_values(include_str!("../../../../tests/data/values.tsv"), 22) > 140);
}

#[test]
fn tables_of_other_boards_hold_the_reference_values() {
    assert_eq!(
        check_reference_values(include_str!("../../../../tests/data/values_other_boards.tsv"), 14),
        60
    );
}

#[test]
fn tables_match_the_check_values_of_another_program() {
    let tables = built(standard(6), 18);
    for (seeds, value) in CHECK_VALUES {
        assert_eq!(check_value(&tables, seeds), value, "{seeds} seeds");
    }
}

#[test]
fn positions_with_too_many_seeds_for_the_tables_have_no_gain() {
    let tables = Tables::build(standard(6), 4, 1).unwrap();
    let position = Position::parse("<6,0,0,1,1,1,0,0,0,1,1,0,0,0,0> S", Capture::Standard);
    assert_eq!(tables.gain(position.unwrap().board::<u64>()), None);
}

#[test]
fn sizes_match_the_literature() {
    let counts = [(12, 2_704_156), (16, 30_421_755), (20, 225_792_840), (24, 1_251_677_700)];
    for (seeds, count) in [&counts[..], &[(34, 38_910_617_655)]].concat() {
        assert_eq!(Extent::new(standard(6), seeds).unwrap().positions(), count);
    }
    for (seeds, bytes) in [(18, 51_878_954), (23, 519_353_084), (31, 9_584_494_668)] {
        assert_eq!(Extent::new(standard(6), seeds).unwrap().bytes(), bytes);
    }
    for variant in Variant::all() {
        let small = Extent::small(variant);
        assert!(small.positions() <= 10_000_000 && small.seeds() >= 6, "{small:?}");
    }
    assert_eq!(Extent::small(standard(6)).seeds(), 14);
}

#[test]
fn tables_too_large_for_memory_are_refused_with_the_largest_size() {
    assert_eq!(
        Extent::new(standard(6), 100).unwrap_err().to_string(),
        "expected at most 46 seeds in play with 6 pits per row, got 100: \
         larger tables do not fit in memory"
    );
    assert!(Extent::new(standard(1), 250).is_ok());
    assert!(Extent::new(standard(1), 251).is_err());
}

#[test]
fn the_checksum_of_tables_is_that_of_the_checksums_in_their_files() {
    const SEEDS: u32 = 6;
    let extent = Extent::new(standard(4), SEEDS).unwrap();
    let expected = Tables::build(standard(4), SEEDS, 1).unwrap().checksum();
    for encoding in [Encoding::Plain, Encoding::Compact] {
        let folder = tempfile::tempdir().unwrap();
        let built = Tables::build_in(folder.path(), extent, encoding, 1, &|_| ()).unwrap();
        let opened = Tables::open(folder.path(), standard(4)).unwrap();
        assert_eq!([built.checksum(), opened.checksum()], [expected; 2]);
        // FORMAT.md
        let headers = (0..=SEEDS).flat_map(|seeds| {
            let layer = fs::read(folder.path().join(file_name(standard(4), seeds))).unwrap();
            layer[32..40].to_vec()
        });
        assert_eq!(xxh3_64(&headers.collect::<Vec<u8>>()), expected);
    }
    assert_ne!(Tables::build(standard(4), SEEDS - 1, 1).unwrap().checksum(), expected);
}

#[test]
fn layers_above_a_missing_or_damaged_one_are_not_used() {
    const SEEDS: u32 = 5;
    let folder = tempfile::tempdir().unwrap();
    let extent = Extent::new(standard(2), SEEDS).unwrap();
    let layer = |seeds| folder.path().join(file_name(standard(2), seeds));
    for is_missing in [false, true] {
        for first in (2..=SEEDS).rev() {
            Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
            if is_missing {
                fs::remove_file(layer(first)).unwrap();
            } else {
                fs::write(layer(first), "").unwrap();
            }
            let found = FoundLayers::new(folder.path(), standard(2));
            assert_eq!(found.seeds(), Some(first - 1));
            assert_eq!(Tables::open(folder.path(), standard(2)).unwrap().seeds(), first - 1);
            for in_play in [first - 1, SEEDS] {
                let row = [1, in_play - 1];
                let position =
                    Position::new([&row[..], &[0, 0]], [0, 0], Side::South, standard(2).capture());
                let position = position.unwrap();
                let tables = Tables::read_or_build_for(Some(folder.path()), &position, 1).unwrap();
                assert_eq!(tables.seeds(), in_play);
                let read = in_play.min(first - 1);
                assert_eq!(tables.origin().read.as_ref().map(|(_, seeds)| *seeds), Some(read));
            }
            let Some(unused) = found.unused else {
                assert!(is_missing && first == SEEDS, "{first}");
                continue;
            };
            assert_eq!(unused.first, first);
            // A missing layer is not among those that are left out.
            let named = if is_missing { first + 1..=SEEDS } else { first..=SEEDS };
            let left_out = match named.clone().count() {
                1 => format!("{SEEDS} is"),
                _ => format!("{} to {SEEDS} are", named.start()),
            };
            let text = unused.to_string();
            assert!(text.ends_with(&format!("{left_out} not used")), "{text}");
        }
    }
}

/// FORMAT.md: with one pit and three seeds, each of the four blocks has one position, whose value
/// takes two bits.
#[test]
fn a_plain_layer_has_the_documented_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let extent = Extent::new(standard(1), 3).unwrap();
    Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
    let layer = fs::read(folder.path().join(file_name(standard(1), 3))).unwrap();
    let rows = [[0, 3], [3, 0], [1, 2], [2, 1]];
    let wins = rows.map(|[own, opponent]| {
        let rows = [&[own][..], &[opponent]];
        let position = Position::new(rows, [0, 0], Side::South, Capture::Standard).unwrap();
        (Minimax::default().gain(&position).0 + 3) as u8 / 2
    });
    assert_eq!((&layer[8..16], &layer[64..]), (&[2, 0, 1, 0, 3, 0, 0, 0][..], &wins[..]));
}

#[test]
fn moves_have_the_margins_of_the_positions_that_they_reach() {
    let folder = tempfile::tempdir().unwrap();
    let extent = Extent::new(standard(3), 8).unwrap();
    Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
    let position = Position::parse("<3,2,1,1,0,3,2,1,0> N", Capture::Standard).unwrap();
    let tables = Tables::open_for(folder.path(), &position).unwrap();
    assert_eq!(tables.seeds(), position.in_play());
    let mut minimax = Minimax::default();
    let margins = tables.move_margins(&position).unwrap();
    assert_eq!(margins.len(), position.moves().len());
    for (pit, margin) in margins {
        let mut after = position;
        let turn = after.play(pit).unwrap().turn;
        let expected = after.lead(after.side()) + minimax.gain(&after);
        assert_eq!(margin, turn.from_child(expected), "{pit}");
    }
    // As many seeds as the folder has layers for, and one more.
    let exact = Position::parse("<3,0,0,3,2,1,1,1,0> S", Capture::Standard).unwrap();
    let tables = Tables::open_for(folder.path(), &exact).unwrap();
    assert_eq!(tables.margin(&exact), Some(minimax.gain(&exact)));
    let large = Position::parse("<3,0,0,3,3,1,1,1,0> S", Capture::Standard).unwrap();
    assert_eq!(tables.margin(&large), None);
    let smallest = Tables::open_for(folder.path(), &position).unwrap();
    assert_eq!(smallest.move_margins(&large), None);
    let error = Tables::open_for(folder.path(), &large).unwrap_err().to_string();
    assert!(error.ends_with("expected a position with at most 8 seeds in play, got 9"), "{error}");
}

#[test]
fn layers_of_an_earlier_version_are_replaced_and_those_of_a_later_one_are_not() {
    let folder = kalah_testing::folder();
    let extent = Extent::new(standard(2), 3).unwrap();
    Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
    let path = folder.path().join(file_name(standard(2), 3));
    let current = fs::read(&path).unwrap();
    let with_version = |change: i16| {
        let version = i16::from_le_bytes([current[8], current[9]]) + change;
        let mut bytes = current.clone();
        bytes[8..10].copy_from_slice(&version.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).map(drop)
    };
    with_version(-1).unwrap();
    assert_eq!(fs::read(&path).unwrap(), current, "built again");
    with_version(0).unwrap();
    let refused = with_version(1).unwrap_err().to_string();
    assert!(refused.contains("expected format version"), "{refused}");
    assert_ne!(fs::read(&path).unwrap(), current, "not replaced");
}
