//! The machine as the system reports it.

use std::collections::BTreeSet;
use std::io;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kalah_sys::machine::{
    MemoryError, available_memory, descendants, description, processors, require_address_space,
    thread_error, used_memory,
};

#[test]
fn memory_is_counted_in_bytes() {
    const MIB: u64 = 1 << 20;
    // A process with threads and a standard library takes more than one megabyte and less than all.
    let used = used_memory().unwrap();
    let available = available_memory().unwrap();
    assert!((MIB..1 << 40).contains(&used), "{used}");
    assert!((MIB..1 << 50).contains(&available), "{available}");
    let held = vec![1u8; 64 << 20];
    let more = used_memory().unwrap();
    assert!(more > used + 32 * MIB, "{used} bytes, then {more} with {}", held.len());
}

#[test]
fn a_description_has_the_number_and_the_model_of_the_processors() {
    let processors = format!("{} × ", processors());
    assert!(description().starts_with(&processors), "{}", description());
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    // Not every architecture has a line for the model.
    if let Some(line) = known.lines().find(|line| line.starts_with("model name")) {
        let model = line.split_once(':').unwrap().1.trim();
        assert!(description().contains(model), "{}", description());
    }
}

#[test]
fn without_a_limit_any_address_space_suffices() {
    // No test runs under `ulimit -v`.
    require_address_space(u64::MAX).unwrap();
    let error = thread_error(io::ErrorKind::WouldBlock.into(), 1 << 20);
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    let error = io::Error::from(MemoryError::new((5 << 20) + 1));
    assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
    assert_eq!(error.to_string(), "the system refused 6 MiB of memory");
}

#[test]
fn descendants_are_the_children_and_their_children_that_still_run() {
    let mut shell = Command::new("sh")
        .args(["-c", "sleep 60 & echo started; wait"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut started = [0; 8];
    io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut started).unwrap();
    let (own, child) = (std::process::id(), shell.id());
    let below = descendants(child, &BTreeSet::new());
    let all = descendants(own, &BTreeSet::new());
    let without = descendants(own, &BTreeSet::from([child]));
    shell.kill().unwrap();
    // Not reaped yet, it has nevertheless ended.
    let is_running = || descendants(own, &BTreeSet::new()).contains(&child);
    let asked = Instant::now();
    while is_running() && asked.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(5));
    }
    let ended = !is_running();
    shell.wait().unwrap();
    let killed = Command::new("kill").args(below.iter().map(u32::to_string)).status().unwrap();
    assert_eq!((below.len(), killed.success()), (1, true), "{below:?}");
    assert!(all.contains(&child) && all.contains(&below[0]) && !all.contains(&own), "{all:?}");
    assert!(!without.contains(&child) && !without.contains(&below[0]), "{without:?}");
    assert!(ended, "a zombie is no descendant");
}
