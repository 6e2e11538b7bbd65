//! Charts as SVG text.
//!
//! A [`Chart`] is plain data: words, two axes, and one kind of [`Marks`]. Text is
//! near-black; series differ in colour (the palette of Okabe and Ito, "Color
//! universal design", 2008), in dash and in the shape of their points, so that
//! colour-blind readers and grey paper lose nothing.

mod axis;
mod bars;
mod canvas;
mod data;
mod lines;
mod squares;
mod tree;

pub use axis::Axis;
pub use data::{Bars, Chart, Marks, Series, Square};
pub use tree::{TitledTree, TreeNode, trees_to_svg};

impl Chart {
    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        match &self.marks {
            Marks::Lines(series) => lines::lines(self, series),
            Marks::Histogram(sample, bins) => lines::histogram(self, sample, *bins),
            Marks::Bars(groups, bars) => bars::bars(self, groups, bars),
            Marks::Squares { rows, columns, squares } => {
                squares::squares(self, rows, columns, squares)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_is_drawn_and_named_and_what_cannot_be_shown_is_not() {
        let series = |name: &str, points: &[(f64, f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
        };
        let chart = Chart {
            title: "a < b".to_owned(),
            x: Axis::whole("depth"),
            y: Axis::log("leaves"),
            marks: Marks::Lines(vec![
                series("one", &[(1.0, 10.0, 0.0), (2.0, 100.0, 0.0)]),
                series("two", &[(1.0, 0.0, 0.0), (2.0, 50.0, 0.0)]),
            ]),
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
        let chart = Chart { marks: Marks::Bars(groups, vec![bars]), ..Chart::default() };
        let svg = chart.to_svg();
        // The background, the sample in the key and one bar.
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
        assert!(svg.contains(">two<") && !svg.contains("NaN"), "{svg}");
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

    #[test]
    fn the_error_of_a_bar_is_drawn_and_written() {
        let bars = |error| {
            let bars = Bars { name: "points".to_owned(), lengths: vec![(52.0, error)] };
            Chart { marks: Marks::Bars(vec!["a".to_owned()], vec![bars]), ..Chart::default() }
        };
        let (with, without) = (bars(4.6).to_svg(), bars(0.0).to_svg());
        assert!(with.contains(">52 ± 5<") && without.contains(">52<"), "{with}");
        assert!(with.matches("<line").count() > without.matches("<line").count());
    }

    #[test]
    fn every_square_and_name_is_in_the_picture() {
        let square = |text: &str| Square { text: text.into(), note: "won".into(), shade: 0.5 };
        let chart = Chart {
            title: "Margins".into(),
            x: Axis::whole("seeds"),
            y: Axis::whole("pits"),
            marks: Marks::Squares {
                rows: vec!["5".into(), "6".into()],
                columns: vec!["4".into()],
                squares: vec![square("+12"), square("-7")],
            },
            ..Chart::default()
        };
        let svg = chart.to_svg();
        for text in ["Margins", "pits", "seeds", ">5<", ">6<", ">4<", "+12", "-7", "won"] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
