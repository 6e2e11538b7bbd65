use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kalah_sys::journal::{Journal, JournalKind, LockWait, Tail, read, read_kind};

use kalah_testing::folder;

const HEADER: &str = r#"{"journal":"a test"}"#;

fn open(path: &Path) -> io::Result<Vec<String>> {
    Journal::open(path, HEADER, None).map(|(_, lines)| lines)
}

#[test]
fn appended_lines_are_read_and_a_torn_one_is_cut_off() {
    let folder = folder();
    let path = folder.path().join("journal");
    let lines = [r#"{"a":1}"#, r#"{"a":"\",\"check\":\""}"#];
    for line in lines {
        Journal::open(&path, HEADER, None).unwrap().0.append(line).unwrap();
    }
    let whole = fs::read(&path).unwrap();
    for torn in 0..whole.len() {
        fs::write(&path, &whole[..torn]).unwrap();
        let ends = whole[..torn].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(open(&path).unwrap(), lines[..ends.saturating_sub(1)], "{torn} bytes");
    }
}

#[test]
fn every_altered_bit_is_detected_and_the_file_left_unchanged() {
    let folder = folder();
    let path = folder.path().join("journal");
    Journal::open(&path, HEADER, None).unwrap().0.append(r#"{"a":1}"#).unwrap();
    let whole = fs::read(&path).unwrap();
    let kind = JournalKind { begin: r#"{"journal":"#, may_lack_checksums: true };
    let first_line = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for bit in 0..8 * (whole.len() - 1) {
        let mut altered = whole.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &altered).unwrap();
        let error = open(&path).unwrap_err().to_string();
        assert!(error.contains("expected a first line") || error.contains("line 2"), "{error}");
        // A first line without a checksum could be that of an earlier version.
        if bit / 8 > first_line {
            Journal::reopen(&path, kind).unwrap_err();
        }
        assert_eq!(fs::read(&path).unwrap(), altered, "bit {bit}");
    }
}

#[test]
fn lines_before_the_first_checksum_may_lack_one() {
    let folder = folder();
    let path = folder.path().join("journal");
    let kind = JournalKind { begin: r#"{"journal":"#, may_lack_checksums: true };
    let old = [HEADER, r#"{"tag":"\",\"check\":\""}"#];
    fs::write(&path, old.join("\n") + "\n").unwrap();
    let (mut journal, lines) = Journal::reopen(&path, kind).unwrap();
    assert_eq!(lines, old);
    journal.append(r#"{"a":1}"#).unwrap();
    assert!(journal.is_intact());
    assert_eq!(read_kind(&path, kind).unwrap(), [old[0], old[1], r#"{"a":1}"#]);
    fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"a\":2}\n").unwrap();
    let error = read_kind(&path, kind).unwrap_err().to_string();
    assert_eq!(error, "line 4 is damaged: expected a checksum at its end");
    assert!(!journal.is_intact());
    assert_eq!(journal.intact_lines().unwrap().len(), 3);
}

#[test]
fn nothing_is_appended_to_a_file_that_was_removed_or_replaced() {
    let folder = folder();
    let [path, other] = ["journal", "other"].map(|name| folder.path().join(name));
    let (mut journal, _) = Journal::open(&path, HEADER, None).unwrap();
    journal.append(r#"{"a":1}"#).unwrap();
    fs::copy(&path, &other).unwrap();
    if cfg!(windows) {
        fs::rename(&other, &path).unwrap_err();
        fs::remove_file(&path).unwrap_err();
        return;
    }
    fs::rename(&other, &path).unwrap();
    let error = journal.append(r#"{"a":2}"#).unwrap_err().to_string();
    assert!(error.contains("removed, moved or replaced"), "{error}");
    fs::remove_file(&path).unwrap();
    journal.append(r#"{"a":2}"#).unwrap_err();
    journal.resume().unwrap_err();
}

#[test]
fn a_file_of_a_different_kind_is_refused_and_left_unchanged() {
    let folder = folder();
    let path = folder.path().join("notes");
    for text in ["precious", "precious\n", "{\n"] {
        fs::write(&path, text).unwrap();
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_paused_journal_is_written_by_others_and_resumed_with_their_lines() {
    let folder = folder();
    let path = folder.path().join("journal");
    let (mut one, _) = Journal::open(&path, HEADER, Some(LockWait::Forever)).unwrap();
    one.append(r#"{"a":1}"#).unwrap();
    one.pause();
    let (mut other, lines) = Journal::open(&path, HEADER, Some(LockWait::Forever)).unwrap();
    assert_eq!(lines, [r#"{"a":1}"#]);
    other.append(r#"{"a":2}"#).unwrap();
    // What a process that is killed while writing leaves behind.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"a\":").unwrap();
    assert_eq!(read(&path, HEADER).unwrap().len(), 2);
    drop(other);
    assert_eq!(one.resume().unwrap(), [r#"{"a":2}"#]);
    one.append(r#"{"a":3}"#).unwrap();
    drop(one);
    assert_eq!(read(&path, HEADER).unwrap().len(), 3);
}

#[test]
fn lines_of_other_writers_survive_where_locks_do_not_work() {
    let folder = folder();
    let path = folder.path().join("journal");
    let (mut one, _) = Journal::open(&path, HEADER, Some(LockWait::Forever)).unwrap();
    one.pause();
    let (mut other, _) = Journal::open(&path, HEADER, Some(LockWait::Forever)).unwrap();
    other.append(r#"{"a":1}"#).unwrap();
    one.append(r#"{"a":2}"#).unwrap();
    assert_eq!(read(&path, HEADER).unwrap(), [r#"{"a":1}"#, r#"{"a":2}"#]);
}

#[test]
fn opening_waits_up_to_a_second_for_a_lock() {
    let folder = folder();
    let path = folder.path().join("journal");
    let (first, _) = Journal::open(&path, HEADER, None).unwrap();
    assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    let is_released = Arc::new(AtomicBool::new(false));
    let releases = Arc::clone(&is_released);
    let holder = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        releases.store(true, Relaxed);
        drop(first);
    });
    open(&path).unwrap();
    assert!(is_released.load(Relaxed));
    holder.join().unwrap();
}

/// As Git on Windows checks out a journal.
#[test]
fn a_journal_with_carriage_returns_is_read_and_continued() {
    let folder = folder();
    let path = folder.path().join("journal");
    Journal::open(&path, HEADER, None)
        .unwrap()
        .0
        .append_all(&[r#"{"a":1}"#, r#"{"a":2}"#])
        .unwrap();
    let text = fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
    fs::write(&path, &text).unwrap();
    let kind = JournalKind { begin: HEADER.trim_end_matches('}'), may_lack_checksums: false };
    let mut tail = Tail::open(&path, kind).unwrap();
    let lines = tail.next_lines().unwrap();
    let ends = lines.iter().all(|(span, _)| tail.line(*span).unwrap().ends_with("\"}"));
    assert!(lines.len() == 3 && ends && tail.is_in_place(), "{lines:?}");
    fs::write(&path, text + "{\"a\":").unwrap();
    let (mut journal, lines) = Journal::open(&path, HEADER, None).unwrap();
    assert_eq!(lines, [r#"{"a":1}"#, r#"{"a":2}"#]);
    journal.append(r#"{"a":3}"#).unwrap();
    assert!(journal.is_intact());
    assert_eq!(journal.intact_lines().unwrap(), read_whole(&path));
    assert_eq!(read(&path, HEADER).unwrap().len(), 3);
    let [(_, line)] = &tail.next_lines().unwrap()[..] else { panic!("one line") };
    assert_eq!(line, r#"{"a":3}"#);
}

#[test]
fn a_journal_is_created_once_and_not_where_its_header_cannot_be_written() {
    let folder = folder();
    let path = folder.path().join("journal");
    let kind = JournalKind { begin: r#"{"journal":"#, may_lack_checksums: false };
    // A header that was not written to its end is no journal yet.
    fs::write(&path, r#"{"journal":"a t"#).unwrap();
    let mut journal = Journal::create(&path, kind, HEADER).unwrap();
    journal.append(r#"{"a":1}"#).unwrap();
    drop(journal);
    assert_eq!(read(&path, HEADER).unwrap(), [r#"{"a":1}"#]);
    let whole = fs::read(&path).unwrap();
    let error = Journal::create(&path, kind, HEADER).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), whole);
    let new = folder.path().join("new");
    drop(Journal::create(&new, kind, HEADER).unwrap());
    assert_eq!(read(&new, HEADER).unwrap(), [""; 0], "a new file stays");
    let torn = folder.path().join("torn");
    fs::write(&torn, r#"{"journal""#).unwrap();
    assert_eq!(read_kind(&torn, kind).unwrap_err().to_string(), "expected a whole line, got none");
}

/// A tail follows a journal while another process writes it.
#[test]
fn a_tail_yields_each_line_once_and_notices_another_file() {
    let folder = folder();
    let path = folder.path().join("journal");
    let kind = JournalKind { begin: r#"{"journal":"#, may_lack_checksums: false };
    let (mut journal, _) = Journal::open(&path, HEADER, None).unwrap();
    let mut tail = Tail::open(&path, kind).unwrap();
    let next = |tail: &mut Tail| -> Vec<String> {
        let lines = tail.next_lines().unwrap();
        for (span, line) in &lines {
            let stored = tail.line(*span).unwrap();
            assert!(stored.starts_with(line.trim_end_matches('}')), "{stored} of {line}");
            assert!(stored.ends_with('}') && !stored.contains('\n'), "{stored}");
        }
        lines.into_iter().map(|(_, line)| line).collect()
    };
    assert_eq!(next(&mut tail), [HEADER]);
    assert_eq!(next(&mut tail), [""; 0]);
    journal.append_all(&[r#"{"a":1}"#, r#"{"a":2}"#]).unwrap();
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"a\":").unwrap();
    assert_eq!(next(&mut tail), [r#"{"a":1}"#, r#"{"a":2}"#], "a line without an end waits");
    assert!(tail.is_in_place());
    let whole = fs::read(&path).unwrap();
    // Another line of the same length, a shorter file, and none.
    let other = String::from_utf8(whole.clone()).unwrap().replace(r#"{"a":2"#, r#"{"a":3"#);
    fs::write(&path, other).unwrap();
    assert!(!tail.is_in_place());
    fs::write(&path, &whole[..whole.len() - 40]).unwrap();
    assert!(!tail.is_in_place());
    fs::write(&path, &whole).unwrap();
    assert!(tail.is_in_place());
    fs::write(&path, [&whole[..], b"1}\n"].concat()).unwrap();
    let error = tail.next_lines().unwrap_err().to_string();
    assert_eq!(error, "line 4 is damaged: expected a checksum at its end");
    if cfg!(unix) {
        fs::remove_file(&path).unwrap();
        assert!(!tail.is_in_place());
    }
}

#[test]
fn a_tail_reads_long_files_in_parts_and_refuses_an_endless_line() {
    const PART: usize = 8 << 20;
    let folder = folder();
    let path = folder.path().join("journal");
    let kind = JournalKind { begin: r#"{"a":"#, may_lack_checksums: true };
    let line = format!("{{\"a\":\"{}\"}}\n", "x".repeat(PART / 2));
    fs::write(&path, line.repeat(3)).unwrap();
    let mut tail = Tail::open(&path, kind).unwrap();
    let parts = [(); 4].map(|()| tail.next_lines().unwrap().len());
    assert_eq!(parts, [1, 1, 1, 0]);
    for (length, is_read) in [(PART - 1, true), (PART, false)] {
        fs::write(&path, format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8))).unwrap();
        let lines = Tail::open(&path, kind).unwrap().next_lines();
        assert_eq!(lines.is_ok(), is_read, "{length} bytes without an end");
    }
}

fn read_whole(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}
