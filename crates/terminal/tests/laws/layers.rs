//! Layers of endgame tables, and values in them, as text and as JSON.

use kalah_engine::endgame::{Encoding, Extent, FoundLayers, Tables};
use kalah_game::{Capture, Position, Variant};
use kalah_tables::Style;
use kalah_terminal::layers::{LayerFile, Probed};
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
