//! SVG elements, and the styles that distinguish series.

use kalah_text::format::{self, escaped};

/// Near-black, for text and axes.
pub(super) const INK: &str = "#1a1a1a";
/// Light grey, for lines behind the marks.
pub(super) const FAINT: &str = "#d9d9d9";
/// The usual width of a chart.
pub(super) const WIDTH: f64 = 760.0;
/// The mean width of a letter of a name or subtitle, and the height of its line.
pub(super) const LETTER: f64 = 6.5;
const LINE: f64 = 16.0;
/// The typeface of the pages.
const FONT: &str = "'Noto Sans', 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

/// How one series is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesStyle {
    pub color: &'static str,
    /// SVG's `stroke-dasharray`; empty for a solid line.
    dash: &'static str,
    /// The path of a point, from its middle, and what fills it.
    shape: &'static str,
    fill: &'static str,
}

const CIRCLE: &str = "m-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0 -6.6 0z";

/// Colour, dash, shape and fill. Okabe and Ito's colours without their yellow, which is
/// hard to see on white.
const LOOKS: [[&str; 4]; 7] = [
    ["#0072b2", "", CIRCLE, "#0072b2"],
    ["#d55e00", "7 3", "m-3.5 -3.5h7v7h-7z", "#d55e00"],
    ["#009e73", "2 3", "m0 -4.5l4 7h-8z", "#009e73"],
    ["#cc79a7", "9 3 2 3", "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z", "#cc79a7"],
    ["#000000", "4 2", CIRCLE, "#fff"],
    ["#e69f00", "12 3", "m-3.5 -3.5l7 7m0 -7l-7 7", "none"],
    ["#56b4e9", "1 2", "m0 4.5l4 -7h-8z", "#fff"],
];

/// The style of the series at `index`; after seven they repeat.
pub(super) fn series_style(index: usize) -> SeriesStyle {
    let [color, dash, shape, fill] = LOOKS[index % LOOKS.len()];
    SeriesStyle { color, dash, shape, fill }
}

/// An unfinished drawing.
#[derive(Debug)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    /// The text above the drawing, and the distance by which it moves the drawing down.
    head: String,
    shift: f64,
    elements: String,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, head: String::new(), shift: 0.0, elements: String::new() }
    }

    /// An empty drawing under a title and a subtitle. `height` is its height if the subtitle has
    /// one line; further lines shift everything drawn afterwards down.
    pub(super) fn titled(title: &str, subtitle: &str, width: f64, height: f64) -> Self {
        let mut canvas = Self::new(width, height);
        canvas.title((16.0, 26.0), title);
        let lines = format::wrapped(subtitle, ((width - 32.0) / LETTER) as usize);
        for (nth, line) in lines.iter().enumerate() {
            canvas.text((16.0, 46.0 + LINE * nth as f64), "start", 12, line);
        }
        canvas.head = std::mem::take(&mut canvas.elements);
        canvas.shift = LINE * lines.len().saturating_sub(1) as f64;
        canvas
    }

    /// Draws a standard error to either side, at height `at`.
    pub(super) fn whisker(&mut self, [from, to]: [f64; 2], at: f64) {
        // A light line around a dark one is visible both on the bar and next to it.
        for (color, width) in [("#fff", 3.4), (INK, 1.4)] {
            self.line((from, at), (to, at), color, width);
            for end in [from, to] {
                self.line((end, at - 3.0), (end, at + 3.0), color, width);
            }
        }
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), color: &str, width: f64) {
        self.dashed(from, to, color, width, "");
    }

    pub(super) fn dashed(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        color: &str,
        width: f64,
        dash: &str,
    ) {
        self.elements += &format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\" \
             stroke-width=\"{width}\"{}/>\n",
            from.0,
            from.1,
            to.0,
            to.1,
            dash_attribute(dash)
        );
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], style: SeriesStyle) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.elements += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
            points.join(" "),
            style.color,
            dash_attribute(style.dash)
        );
    }

    pub(super) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str) {
        // The white outline separates neighbours.
        self.elements += &format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\" \
             stroke=\"#fff\" stroke-width=\"0.6\"/>\n",
            corner.0, corner.1, size.0, size.1
        );
    }

    /// A text whose `start`, `middle` or `end` is at the point.
    pub(super) fn text(&mut self, at: (f64, f64), anchor: &str, size: u32, text: &str) {
        self.styled(at, anchor, &format!("font-size=\"{size}\""), text);
    }

    pub(super) fn title(&mut self, at: (f64, f64), text: &str) {
        self.styled(at, "start", "font-size=\"16\" font-weight=\"600\"", text);
    }

    /// Text rotated to read upwards.
    pub(super) fn upright(&mut self, at: (f64, f64), size: u32, text: &str) {
        let turn = format!("transform=\"rotate(-90 {:.1} {:.1})\"", at.0, at.1);
        self.styled(at, "middle", &format!("font-size=\"{size}\" {turn}"), text);
    }

    fn styled(&mut self, at: (f64, f64), anchor: &str, style: &str, text: &str) {
        self.elements += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{INK}\" {style}>{}</text>\n",
            at.0,
            at.1,
            escaped(text)
        );
    }

    /// A point of a series.
    pub(super) fn mark(&mut self, (x, y): (f64, f64), style: SeriesStyle) {
        let SeriesStyle { color, shape, fill, .. } = style;
        self.elements += &format!(
            "<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{fill}\" stroke=\"{color}\" \
             stroke-width=\"1.8\"/>\n"
        );
    }

    /// A sample of a series, for keys.
    pub(super) fn sample(&mut self, (x, y): (f64, f64), style: SeriesStyle) {
        self.polyline(&[(x, y), (x + 26.0, y)], style);
        self.mark((x + 13.0, y), style);
    }

    /// The finished picture, on white, so that it is also readable on a dark page.
    pub(super) fn finish(self, title: &str, description: &str) -> String {
        let width = self.width;
        let height = self.height + self.shift;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"{FONT}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}\
             <g transform=\"translate(0 {})\">\n{}</g>\n</svg>\n",
            escaped(title),
            escaped(description),
            self.head,
            self.shift,
            self.elements
        )
    }
}

fn dash_attribute(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_have_the_typeface_of_the_pages() {
        assert!(crate::TOKENS_STYLE.contains(&format!("--face: {FONT};")));
    }
}
