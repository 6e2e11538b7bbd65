//! Writes the page without a server into a folder, for any static server; `.ci/web` calls it. All
//! files but two are in a folder that is named after their contents, so that a browser can keep
//! them for good and files of two versions never mix.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};

use kalah_sys::clock::now;
use kalah_sys::files::ContentHash;
use kalah_view::assets::{ASSETS, Asset, SERVICE_WORKER, SITE_ASSETS};
use kalah_wasm::{PageReply, RequestHost};

/// With it, browsers offer to install the page as an app.
const MANIFEST: &str = "app.webmanifest";

/// Files of the view for matches, which only a server has.
const LEFT_OUT: [&str; 6] =
    ["content.css", "games.css", "games.html", "games.js", "watch.css", "watch.js"];

/// The policy of `kalah serve`, which also allows WebAssembly, workers, and requests for the blob
/// URLs that stop them.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        return Err("expected the file of the compressed engine, and a folder".into());
    };
    write_site(fs::read(engine)?, Path::new(folder))
}

fn write_site(engine: Vec<u8>, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut files = BTreeMap::from([("engine.wasm.gz", engine), ("early.json", early()?)]);
    for asset in ASSETS.iter().chain(SITE_ASSETS).filter(|asset| asset.path != "/") {
        let name = asset.path.trim_start_matches('/');
        if !LEFT_OUT.contains(&name) {
            // Relative, because the site may be anywhere on its server.
            files.insert(name, asset.text.replace("url(/", "url(").into());
        }
    }
    let contents: Vec<u8> = files.values().flatten().copied().collect();
    let version = ContentHash::new(contents).to_string();
    fs::create_dir_all(folder.join(&version))?;
    for (name, contents) in &files {
        fs::write(folder.join(&version).join(name), contents)?;
    }
    let names: Vec<String> = files.keys().map(|name| format!("{version}/{name}")).collect();
    let constants = format!("const VERSION = {}, FILES = {};", json!(version), json!(names));
    fs::write(folder.join("sw.js"), format!("{constants}\n{SERVICE_WORKER}"))?;
    fs::write(folder.join("index.html"), index(&version)?)?;
    Ok(())
}

/// The page, with the addresses of its files and a link to its manifest.
fn index(version: &str) -> Result<String, &'static str> {
    let page = Asset::at("/").ok_or("expected a page")?;
    let html = page.text.replace("=\"/", &format!("=\"{version}/"));
    let charset = "<meta charset=\"utf-8\">";
    let policy = format!("<meta http-equiv=\"content-security-policy\" content=\"{POLICY}\">");
    let manifest = format!("<link rel=\"manifest\" href=\"{version}/{MANIFEST}\">");
    Ok(html.replacen(charset, &format!("{charset}\n{policy}\n{manifest}"), 1))
}

/// The answers to the first requests of a page with the default board, so that the page appears
/// before the engine is loaded; and their date, which the page replaces with the current one.
fn early() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut host = RequestHost::with_history("");
    let date = now();
    let mut answers = BTreeMap::new();
    let mut ask = |request: String| {
        let mut answer = String::new();
        host.answer(&request, &mut |reply| {
            if let PageReply::Answer(200, text) = reply {
                answer = text.replace(&now(), &date);
            }
        });
        answers.insert(request, answer.clone());
        answer
    };
    let levels: Value = serde_json::from_str(&ask("GET /api/levels\n".to_owned()))?;
    for level in levels["levels"].as_array().into_iter().flatten() {
        // In the order of the page, because the whole text is compared.
        ask(format!(
            "POST /api/new\n{{\"south\":\"human\",\"north\":{},\"pits\":6,\"seeds\":4,\
             \"capture\":\"standard\",\"pie_rule\":false,\"coach\":true}}",
            level["name"]
        ));
    }
    Ok(serde_json::to_vec(&json!({ "date": date, "answers": answers }))?)
}
