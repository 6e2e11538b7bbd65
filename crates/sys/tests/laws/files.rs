use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use kalah_sys::files::{
    ContentHash, create, numbered, open, prepare_folder, read, read_regular, read_text,
    read_version, remove_abandoned, replace, replace_unchanged, shorten, text_from_bytes,
};
use kalah_sys::lock::FileLock;

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all_and_no_other_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let other = folder.path().join("notes.tmp");
    fs::write(&other, "precious").unwrap();
    replace(&path, ["old"]).unwrap();
    replace(&path, ["n", "ew"]).unwrap();
    let killed = std::panic::catch_unwind(|| {
        replace(&path, ["half"].into_iter().chain(std::iter::from_fn(|| panic!("the test"))))
    });
    assert!(killed.is_err());
    assert_eq!((text(&path), text(&other)), ("new".to_owned(), "precious".to_owned()));
    assert_eq!(names(folder.path()), ["notes.tmp", "notes.txt"]);
}

#[test]
fn texts_from_other_systems_are_read_without_a_byte_order_mark() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let text = "\u{feff}<6,…\r\n";
    let units = || text.encode_utf16();
    let encodings = [
        text.as_bytes().to_vec(),
        text.trim_start_matches('\u{feff}').as_bytes().to_vec(),
        units().flat_map(u16::to_le_bytes).collect(),
        units().flat_map(u16::to_be_bytes).collect(),
    ];
    for bytes in encodings {
        fs::write(&path, bytes).unwrap();
        assert_eq!(read_text(&path).unwrap(), "<6,…\r\n");
    }
    fs::write(&path, b"<6,\xe2").unwrap();
    assert!(read_text(&path).is_err());
}

#[test]
fn a_text_that_is_not_in_utf_8_is_read_if_it_has_one_meaning() {
    let in_windows_1252 =
        |bytes: &[u8]| text_from_bytes(bytes.to_vec()).expect_err("not UTF-8").as_windows_1252();
    let text = in_windows_1252(b"Andr\xe9 \x96 \x80\r\n");
    assert_eq!(text.as_deref(), Some("André – €\r\n"));
    // An undefined byte, binary data, and a text in UTF-8 with a damaged byte.
    for bytes in [&b"\xe9\x81 "[..], b"\xe9\0 ", b"\xc3\xa9 \xe9 "] {
        assert_eq!(in_windows_1252(bytes), None, "{bytes:?}");
    }
    let error = text_from_bytes(b"1. C\nF \xe9\0 ".to_vec()).expect_err("not UTF-8");
    assert!(error.to_string().starts_with("line 2, column 3: "), "{error}");
}

#[test]
fn a_file_is_replaced_only_by_a_writer_that_has_seen_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    create(&path, ["old"]).unwrap();
    let [old, new] = ["old", "new"].map(ContentHash::new);
    assert_eq!(old.to_string().parse(), Ok(old));
    assert!(replace_unchanged(&path, old, "new").unwrap());
    assert!(!replace_unchanged(&path, old, "other").unwrap());
    // Nothing is lost if the file already has the new contents, or if it was removed.
    assert!(replace_unchanged(&path, old, "new").unwrap());
    assert_eq!(text(&path), "new");
    fs::remove_file(&path).unwrap();
    assert!(replace_unchanged(&path, new, "newer").unwrap());
    assert_eq!(text(&path), "newer");
}

#[test]
fn only_one_of_several_simultaneous_writers_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    create(&path, ["old"]).unwrap();
    let old = ContentHash::new("old");
    let written = std::thread::scope(|scope| {
        let write = |number: u32| replace_unchanged(&path, old, &number.to_string()).unwrap();
        let writers = [0, 1, 2, 3].map(|number| scope.spawn(move || write(number)));
        writers.map(|writer| writer.join().unwrap())
    });
    assert_eq!(written.iter().filter(|&&written| written).count(), 1);
}

// As on a busy disk, which may take seconds to store a file.
#[test]
fn a_writer_waits_for_a_slow_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    create(&path, ["old"]).unwrap();
    let slow = FileLock::new(folder.path()).unwrap();
    slow.try_lock().unwrap();
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| replace_unchanged(&path, ContentHash::new("old"), "new"));
        // Longer than a program waits for a file that is in use.
        std::thread::sleep(Duration::from_millis(1500));
        assert_eq!(text(&path), "old");
        slow.unlock();
        writer.join().unwrap()
    });
    assert!(written.unwrap());
    assert_eq!(text(&path), "new");
}

#[test]
fn a_version_is_the_text_and_the_hash_of_its_bytes_up_to_64_mebibytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "\u{feff}old").unwrap();
    let seen = ContentHash::new("\u{feff}old");
    assert_eq!(read_version(&path).unwrap(), ("old".to_owned(), seen));
    let long = fs::File::create(&path).unwrap();
    for (length, fits) in [(64 << 20, true), ((64 << 20) + 1, false)] {
        long.set_len(length).unwrap();
        assert_eq!(read_version(&path).is_ok(), fits, "{length} bytes");
    }
    assert_eq!("00ff".parse::<ContentHash>().unwrap().to_string(), "00000000000000ff");
}

#[test]
fn only_temporary_files_that_nobody_writes_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let abandoned = "a.layer.Ab3dE9.tmp";
    let others = [
        "a.layer",
        "a.layer.Ab3d-9.tmp",
        "a.layer.Ab3d.tmp",
        "a.layer.Ab3dE9",
        "a.other.Ab3dE9.tmp",
        "b.layer.Zb3dE9.tmp",
        "layer.Ab3dE9.tmp",
    ];
    for name in others.iter().chain([&abandoned]) {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let written = fs::File::open(folder.path().join("b.layer.Zb3dE9.tmp")).unwrap();
    written.lock().unwrap();
    remove_abandoned(folder.path(), "layer");
    assert_eq!(names(folder.path()), others);
    drop(written);
    remove_abandoned(folder.path(), "layer");
    assert_eq!(names(folder.path()).len(), others.len() - 1);
    remove_abandoned(&folder.path().join("none"), "layer");
}

#[test]
fn a_folder_is_prepared_if_files_can_be_created_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    prepare_folder(&below).unwrap();
    assert_eq!(names(&below), [""; 0]);
    let file = below.join("file");
    fs::write(&file, "12345").unwrap();
    prepare_folder(&file).unwrap_err();
    shorten(&file, 3).unwrap();
    assert_eq!(read(&file).unwrap(), b"123");
    assert_eq!(read_regular(&file).unwrap(), "123");
    read_regular(&below).unwrap_err();
    shorten(&below.join("none"), 0).unwrap_err();
    assert_eq!(names(&below), ["file"], "nothing is created");
}

#[test]
fn create_never_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    create(&path, ["first"]).unwrap();
    let error = create(&path, ["second"]).unwrap_err();
    assert_eq!(error.error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!((text(&path), names(folder.path())), ("first".to_owned(), vec!["a".to_owned()]));
}

#[test]
fn a_number_after_the_name_counts_unless_a_file_has_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games#2");
    let name = path.to_str().unwrap();
    assert_eq!(numbered("a.kgn#12"), (Path::new("a.kgn"), Some(12)));
    assert_eq!(numbered("a.kgn#x"), (Path::new("a.kgn#x"), None));
    assert_eq!(numbered(name), (folder.path().join("games").as_path(), Some(2)));
    fs::write(&path, "").unwrap();
    assert_eq!(numbered(name), (path.as_path(), None));
}

#[test]
fn errors_name_the_file_that_was_meant_and_what_is_there_instead() {
    let folder = tempfile::tempdir().unwrap();
    let [missing, below] = ["a", "none/a"].map(|name| folder.path().join(name));
    let error = replace(&below, [""]).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot write {}: ", below.display())), "{error}");
    assert!(!error.contains(".tmp\""), "{error}");
    for read in [|path: &Path| open(path).map(drop), |path: &Path| read_text(path).map(drop)] {
        let error = read(folder.path()).unwrap_err().to_string();
        let expected =
            format!("cannot read {}: expected a file, got a folder", folder.path().display());
        assert_eq!(error, expected);
        let error = read(&missing).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read {}: ", missing.display())), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_and_links_and_modes_stay() {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    assert!(replace(Path::new("/dev/null"), [""]).is_err());
    assert!(open(Path::new("/dev/null")).is_err());
    let folder = tempfile::tempdir().unwrap();
    let [path, link] = ["a", "link"].map(|name| folder.path().join(name));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    replace(&link, ["new"]).unwrap();
    assert_eq!(text(&path), "new");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}
