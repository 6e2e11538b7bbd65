//! Layers of endgame tables, and values in them, as text and as JSON.

use kalah_engine::endgame::{Encoding, Extent, FoundLayers, Tables};
use kalah_game::{Capture, Position, Variant};
use kalah_tables::Style;
use kalah_terminal::layers::{LayerFile, Probed, built};
use serde_json::json;

#[test]
fn a_layer_is_described_by_its_header() {
    let variant = Variant::new(2, Capture::EmptyCapture).unwrap();
    let folder = kalah_testing::folder();
    let extent = Extent::new(variant, 3).unwrap();
    Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
    let found = FoundLayers::new(folder.path(), variant).usable;
    let layers: Vec<LayerFile> = found.iter().cloned().map(LayerFile::new).collect();
    let table = LayerFile::table(variant, &layers);
    assert!(table.to_text(Style::Aligned).starts_with("2 pits, empty-capture, up to 3 seeds\n"));
    let csv = table.to_text(Style::Csv);
    for (seeds, ((file, header), row)) in found.iter().zip(csv.lines().skip(1)).enumerate() {
        let layer = serde_json::to_value(&layers[seeds]).unwrap();
        let bytes = std::fs::metadata(file).unwrap().len();
        let checksum = format!("{:016x}", header.checksum);
        let positions = header.layer.positions;
        let expected = json!({
            "file": file, "pits": 2, "capture": "empty-capture", "seeds": seeds,
            "positions": positions, "bytes": bytes, "format": "plain", "checksum": checksum,
        });
        assert_eq!(layer, expected);
        let cells: Vec<&str> = row.split(',').collect();
        let [first, second, third] =
            [seeds as u64, positions, bytes].map(|count| count.to_string());
        assert_eq!(cells[..3], [first, second, third]);
        let rate: f64 = cells[3].parse().unwrap();
        assert!((rate - bytes as f64 / positions as f64).abs() < 1e-3, "{row}");
        assert_eq!(cells[4..], ["plain", &checksum]);
    }
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn a_build_counts_what_it_has_written_and_what_it_has_found() {
    let variant = Variant::new(2, Capture::Standard).unwrap();
    let folder = kalah_testing::folder();
    let build = |seeds| {
        let extent = Extent::new(variant, seeds).unwrap();
        let tables = Tables::build_in(folder.path(), extent, Encoding::Plain, 2, &|_| ()).unwrap();
        built(&tables, folder.path(), 2)
    };
    let bytes = |layers: usize| -> u64 {
        let found = FoundLayers::new(folder.path(), variant).usable;
        found.iter().take(layers).map(|(file, _)| std::fs::metadata(file).unwrap().len()).sum()
    };
    for (seeds, counts, rates) in [
        (3, "4 layers written, 0 found", 1),
        (4, "1 layer written, 4 found", 1),
        // The layer above them does not count.
        (3, "0 layers written, 4 found", 0),
    ] {
        let shown = build(seeds);
        let size = indicatif::HumanBytes(bytes(seeds as usize + 1));
        // The positions of two rows of two pits with at most three or four seeds.
        let positions = if seeds == 3 { 35 } else { 70 };
        let share = bytes(seeds as usize + 1) as f64 / f64::from(positions);
        let folder = folder.path().display();
        let first = format!("{counts}: {size} in {folder} ({share:.3} bytes per position)\n");
        assert!(shown.starts_with(&first), "{shown}, not {first}");
        assert_eq!(shown.matches(" per second on 2 threads\n").count(), rates, "{shown}");
    }
}

#[test]
fn a_probed_position_has_the_value_of_its_best_move() {
    let variant = Variant::new(3, Capture::Standard).unwrap();
    let tables = Tables::build(variant, 6, 1).unwrap();
    for text in ["<3,7,2,1,0,2,0,1,1> S", "<3,7,2,1,0,2,0,1,1> N", "<3,0,5,1,1,1,1,1,1> N"] {
        let position = Position::parse(text, Capture::Standard).unwrap();
        let side = position.side();
        let probed = Probed::new(&position, &tables);
        let value = serde_json::to_value(&probed).unwrap();
        let margin = tables.margin(&position).unwrap().0;
        let gain = margin - position.lead(side).0;
        assert_eq!(value["position"], text);
        assert_eq!((&value["margin"], &value["gain"]), (&json!(margin), &json!(gain)));
        assert_eq!(value["in_play"], json!(position.in_play()));
        let moves = value["moves"].as_array().unwrap();
        let margins = moves.iter().map(|r#move| r#move["margin"].as_i64().unwrap());
        assert_eq!(margins.max(), Some(margin.into()));
        let letters: String = moves.iter().filter_map(|r#move| r#move["move"].as_str()).collect();
        assert!(letters.chars().eq(position.moves().iter().map(|pit| pit.letter(side))));
        let mut lines = vec![
            format!("{text} standard, {} seeds in play", position.in_play()),
            format!("gain {gain:+}, margin {margin:+}"),
        ];
        for r#move in moves {
            let number = |name: &str| r#move[name].as_i64().unwrap();
            assert_eq!(number("margin") - number("gain"), i64::from(position.lead(side).0));
            let letter = r#move["move"].as_str().unwrap();
            let [gain, margin] = ["gain", "margin"].map(number);
            lines.push(format!("{letter} gain {gain:+}, margin {margin:+}"));
        }
        assert_eq!(probed.to_string(), lines.join("\n") + "\n");
    }
}
