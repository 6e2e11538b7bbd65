//! One HTML file with everything in it.

use super::format::escaped;

/// A page of headings, words, tables and pictures, built from the top down.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
}

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, 'DejaVu Sans', sans-serif; color: #1a1a1a; background: #fff;
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
p { max-width: 46rem; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; display: block; }
figcaption { font-size: .9rem; color: #444; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: .9rem; color: #444; padding-bottom: .4rem; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #1a1a1a; } td { border-bottom: 1px solid #ddd; }
td.number, th.number { text-align: right; }
td.number, th.number, td.short { white-space: nowrap; }
@media print {
  body { font-size: 10.5pt; margin: 0; max-width: none; }
  figure, table { break-inside: avoid; } h2 { break-after: avoid; }
  .scroll { overflow: visible; }
}
";

impl Page {
    /// A page with this title and nothing else yet.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: format!("<h1>{}</h1>\n", escaped(title)) }
    }

    /// Adds the heading of a section.
    pub fn heading(&mut self, text: &str) -> &mut Self {
        self.body += &format!("<h2>{}</h2>\n", escaped(text));
        self
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.body += &format!("<p>{}</p>\n", escaped(text));
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: &super::Table) -> &mut Self {
        self.body += &format!("<div class=\"scroll\">\n{}</div>\n", table.to_html());
        self
    }

    /// Adds a picture, as the charts of this module draw them, and the words
    /// below it.
    pub fn picture(&mut self, svg: &str, caption: &str) -> &mut Self {
        let caption = escaped(caption);
        self.body += &format!("<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n");
        self
    }

    /// The whole file.
    pub fn to_html(&self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
            escaped(&self.title),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_asks_for_nothing_from_outside() {
        let mut page = Page::new("a & b");
        page.heading("One").paragraph("1 < 2").picture("<svg></svg>", "a \"picture\"");
        let html = page.to_html();
        assert!(html.contains("<title>a &amp; b</title>"));
        assert!(html.contains("<p>1 &lt; 2</p>"));
        assert!(!html.contains("http") && !html.contains("src="), "{html}");
    }
}
