//! Tables, charts and pages as text.

use kalah_tables::{
    Axis, Bars, Cell, Chart, Findings, Marks, Section, Series, Style, Table, WIDTH,
};

fn table() -> Table {
    let mut table = Table::new("A caption", &["Name", "Leaves", "Saved %"]);
    table.push(vec!["a,b".into(), 12_345u64.into(), Cell::Estimate(-3.25, 0.5, 1)]);
    table.push(vec!["c|d".into(), 7u64.into(), Cell::Empty]);
    table
}

fn page(section: Section) -> String {
    Findings { sections: vec![section], ..Findings::default() }.to_html()
}

#[test]
fn a_page_of_many_sections_begins_with_links_to_them() {
    let section = |heading: &str| Section { heading: heading.to_owned(), ..Section::default() };
    let headings = ["In brief", "Leaves & time", "Claims", "Conditions"];
    let all =
        Findings { sections: headings.map(section).to_vec(), ..Findings::default() }.to_html();
    for heading in headings {
        let shown = heading.replace('&', "&amp;");
        let anchor = heading.replace(" & ", "-").replace(' ', "-").to_lowercase();
        assert!(all.contains(&format!("<a href=\"#section-{anchor}\">{shown}</a>")), "{all}");
        assert!(all.contains(&format!("<h2 id=\"section-{anchor}\">{shown}</h2>")), "{all}");
    }
    let fewer = Findings {
        sections: headings[..3].iter().map(|own| section(own)).collect(),
        ..Findings::default()
    };
    assert!(!fewer.to_html().contains("<nav"));
}

#[test]
fn words_are_aligned_left_and_numbers_right() {
    assert_eq!(
        table().to_text(Style::Aligned),
        "A caption\n\
         Name  Leaves     Saved %\n\
         ────  ──────  ──────────\n\
         a,b   12,345  -3.2 ± 0.5\n\
         c|d        7\n"
    );
}

#[test]
fn columns_stay_aligned_below_wide_characters_and_combining_marks() {
    let mut table = Table::new("", &["Name", "N"]);
    for name in ["播棋", "e\u{301}", "Kalah"] {
        table.push(vec![name.into(), 7u64.into()]);
    }
    assert_eq!(
        table.to_text(Style::Aligned),
        "Name   N\n─────  ─\n播棋   7\ne\u{301}      7\nKalah  7\n"
    );
}

#[test]
fn no_line_of_a_wide_table_is_wider_than_a_terminal() {
    let headings: Vec<String> = (0..12).map(|nth| format!("a heading {nth}")).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&"a caption ".repeat(20), &headings);
    table.push((0..12u64).map(|nth| (nth * 1_000_000).into()).collect());
    let text = table.to_text(Style::Aligned);
    assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    for heading in headings {
        assert!(text.contains(heading), "{heading}");
    }
}

#[test]
fn a_group_is_named_once_above_its_rows() {
    let mut table = Table::new("", &["Board", "Order", "Leaves"]);
    for (board, order, leaves) in [("(6,4)", "far", 1u64), ("(6,4)", "near", 2)] {
        table.push(vec![board.into(), order.into(), leaves.into()]);
    }
    let table = table.grouped(1);
    assert_eq!(
        table.to_text(Style::Aligned),
        "Order  Leaves\n─────  ──────\n(6,4)\nfar         1\nnear        2\n"
    );
    assert_eq!(table.to_text(Style::Markdown).matches("(6,4)").count(), 2);
    assert_eq!(page(Section::with_table("", table.clone())).matches("(6,4)").count(), 1);
    assert_eq!(table.head(1).to_text(Style::Csv), "board,order,leaves\n\"(6,4)\",far,1\n");
}

#[test]
fn markdown_keeps_bars_inside_cells() {
    let text = table().to_text(Style::Markdown);
    assert!(text.contains("|---|--:|--:|\n"), "{text}");
    assert!(text.contains("| c\\|d | 7 |  |"), "{text}");
}

#[test]
fn programs_get_all_digits_and_errors_in_separate_fields() {
    assert_eq!(
        table().to_text(Style::Csv),
        "name,leaves,saved,saved_standard_error\n\"a,b\",12345,-3.25,0.5\nc|d,7,,\n"
    );
    let lines = table().to_text(Style::JsonLines);
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["leaves"], 12_345);
    assert_eq!(first["saved_standard_error"], 0.5);
}

#[test]
fn html_escapes_what_it_shows() {
    let mut table = Table::new("a < b", &["&"]);
    table.push(vec!["<script>".into()]);
    let html = page(Section::with_table("", table));
    assert!(html.contains("a &lt; b") && html.contains(">&lt;script&gt;</td>"), "{html}");
}

#[test]
fn folded_tables_open_at_their_captions_and_cells_can_be_links() {
    let mut table = Table::new("all < some", &["game"]);
    table.push(vec![Cell::Link("+4".to_owned(), "#game-1".to_owned())]);
    let html = page(Section { folded: true, ..Section::with_table("Openings", table) });
    assert!(html.contains("<details>\n<summary>all &lt; some</summary>"), "{html}");
    assert!(html.contains("<a href=\"#game-1\">+4</a>"), "{html}");
}

#[test]
fn a_page_loads_nothing_from_elsewhere() {
    let picture = Chart { caption: "\"A\"".to_owned(), ..Chart::default() };
    let findings = Findings {
        title: "a & b".to_owned(),
        summary: "1 < 2".to_owned(),
        sections: vec![Section { pictures: vec![picture], ..Section::default() }],
        rows: Table::new("", &["Depth"]),
        ..Findings::default()
    };
    let html = findings.to_html();
    assert!(html.contains("<title>a &amp; b</title>"));
    assert!(html.contains("<p>1 &lt; 2</p>"));
    let html = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!html.contains("://") && !html.contains("src="), "{html}");
}

/// A line through points at 0, 1, 2, … without errors.
fn line(name: &str, heights: &[f64]) -> Series {
    let points = heights.iter().enumerate().map(|(x, &height)| (x as f64, height, 0.0));
    Series { name: name.to_owned(), points: points.collect() }
}

/// The numbers next to the vertical axis from its foot upwards, which must be evenly spaced.
fn written(y: Axis, numbers: &[f64]) -> Vec<String> {
    let svg = Chart { y, marks: Marks::Lines(vec![line("", numbers)]), ..Chart::default() };
    let svg = svg.to_svg();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let mut heights: Vec<f64> = Vec::new();
    let mut ticks = Vec::new();
    for text in svg.lines().filter_map(|text| text.strip_prefix("<text x=\"62.0\" y=\"")) {
        let (height, rest) = text.split_once('"').expect("a height");
        heights.push(height.parse().expect("a number"));
        let tick = rest.strip_suffix("</text>").and_then(|tick| tick.rsplit('>').next());
        ticks.push(tick.expect("a number").to_owned());
    }
    let distance = heights[0] - heights[1];
    assert!(distance > 5.0, "{heights:?}");
    for pair in heights.windows(2) {
        assert!((pair[0] - pair[1] - distance).abs() < 0.2, "{heights:?}");
    }
    ticks
}

#[test]
fn the_range_of_an_axis_ends_on_round_numbers() {
    assert_eq!(written(Axis::linear(""), &[0.0, 47.0]), ["0", "10", "20", "30", "40", "50"]);
    assert_eq!(written(Axis::whole(""), &[1.0, 3.0]), ["1", "2", "3"]);
    let shares = written(Axis::share(""), &[-0.1, 1.05]);
    assert_eq!(shares, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    let decimals = written(Axis::linear(""), &[1.03, 1.11]);
    assert_eq!(decimals, ["1.02", "1.04", "1.06", "1.08", "1.10", "1.12"]);
}

#[test]
fn one_number_or_none_still_makes_a_range() {
    for (number, range) in [(0.0, ["0.0", "0.2"]), (5.0, ["5", "6"]), (-5.0, ["-5", "-4"])] {
        let ticks = written(Axis::linear(""), &[number]);
        let ends = [ticks[0].as_str(), ticks[ticks.len() - 1].as_str()];
        assert_eq!(ends, range, "{number}");
    }
    for numbers in [&[][..], &[f64::NAN]] {
        let ticks = written(Axis::linear(""), numbers);
        assert_eq!((ticks[0].as_str(), ticks[ticks.len() - 1].as_str()), ("0", "10"));
    }
}

#[test]
fn each_series_is_drawn_and_named_without_points_that_cannot_be_shown() {
    let chart = Chart {
        title: "a < b".to_owned(),
        x: Axis::whole("depth"),
        y: Axis::linear("leaves"),
        marks: Marks::Lines(vec![line("one", &[10.0, 100.0]), line("two", &[f64::NAN, 50.0])]),
        ..Chart::default()
    };
    let svg = chart.to_svg();
    assert!(svg.contains("a &lt; b") && svg.contains(">one<") && svg.contains(">two<"));
    assert_eq!(svg.matches("<polyline").count(), 4, "two lines and their samples: {svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn every_number_gets_a_bar_and_nan_gets_none() {
    let bars = Bars { name: "leaves".to_owned(), lengths: vec![(3.0, 0.0), (f64::NAN, 0.0)] };
    let groups = ["one", "two"].map(str::to_owned).to_vec();
    let svg = Chart { marks: Marks::Bars(groups, vec![bars]), ..Chart::default() }.to_svg();
    // The background, the sample in the key and one bar.
    assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
    assert!(svg.contains(">two<") && !svg.contains("NaN"), "{svg}");
}

#[test]
fn the_error_of_a_bar_is_drawn_and_written() {
    let [with, without] = [4.6, 0.0].map(|error| {
        let bars = Bars { name: "points".to_owned(), lengths: vec![(52.0, error)] };
        let marks = Marks::Bars(vec!["a".to_owned()], vec![bars]);
        Chart { marks, ..Chart::default() }.to_svg()
    });
    assert!(with.contains(">52 ± 5<") && without.contains(">52<"), "{with}");
    assert!(with.matches("<line").count() > without.matches("<line").count());
}

#[test]
fn a_long_subtitle_is_wrapped_and_moves_the_drawing_down() {
    let short = Chart { subtitle: "short".to_owned(), ..Chart::default() }.to_svg();
    let long = Chart { subtitle: "a word ".repeat(60), ..Chart::default() }.to_svg();
    assert!(short.contains("viewBox=\"0 0 760 430\""), "{short}");
    assert!(long.contains("viewBox=\"0 0 760 478\""), "{long}");
    let texts = long.lines().filter(|line| line.starts_with("<text"));
    assert_eq!(texts.filter(|text| text.contains("a word")).count(), 4, "{long}");
}
