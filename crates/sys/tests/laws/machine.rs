//! The machine as the system reports it.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, io};

use kalah_sys::machine::{
    MemoryError, ProcessorUse, address_space_left, available_memory, descendants, description,
    host_name, is_exhausted, open_files_left, processors, require_address_space,
    require_open_files, restart_with_one_heap, thread_error, used_memory,
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
fn names_and_numbers_are_those_of_the_system() {
    let known = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    assert_eq!(host_name(), known.trim());
    assert_eq!(processors(), thread::available_parallelism().unwrap().get());
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    // Other tests open and close a few files at the same time.
    let Ok(limit) = line.split_whitespace().nth(3).unwrap().parse::<u64>() else { return };
    let before = open_files_left().unwrap();
    assert!(before <= limit && before + 100 > limit, "{before} of {limit}");
    let files: Vec<File> = (0..200).map(|_| File::open("/dev/null").unwrap()).collect();
    let left = open_files_left().unwrap();
    assert!(left + 150 < before && before < left + 250, "{before}, then {left}");
    drop(files);
    require_open_files(left / 2).unwrap();
    let refused = require_open_files(limit + 1).unwrap_err().to_string();
    let expected = format!("too few open files: {} more are needed", limit + 1);
    assert!(refused.starts_with(&expected), "{refused}");
}

#[test]
fn only_a_lack_of_files_processes_or_memory_is_exhaustion() {
    // ENOMEM, EAGAIN, ENFILE and EMFILE of Linux, and ENOENT, EACCES and ENOSPC.
    for (code, expected) in
        [(12, true), (11, true), (23, true), (24, true), (2, false), (13, false), (28, false)]
    {
        assert_eq!(is_exhausted(&io::Error::from_raw_os_error(code)), expected, "{code}");
    }
    assert!(!is_exhausted(&io::Error::other("no system call")));
}

/// A program under a limit is this test in a process of its own.
#[test]
#[cfg(target_env = "gnu")]
fn under_a_limit_one_heap_is_used_and_more_address_space_is_refused() {
    const NAME: &str = "machine::under_a_limit_one_heap_is_used_and_more_address_space_is_refused";
    const LIMITED: &str = "KALAH_TEST_LIMITED";
    if env::var_os(LIMITED).is_some() {
        restart_with_one_heap();
        assert_eq!(env::var("MALLOC_ARENA_MAX").as_deref(), Ok("1"), "restarted");
        let left = address_space_left().unwrap();
        assert!((1 << 20..3_000_000 << 10).contains(&left), "{left}");
        require_address_space(left / 2).unwrap();
        let refused = require_address_space(2 * left).unwrap_err();
        assert!(refused.to_string().contains("memory"), "{refused}");
        return;
    }
    assert_eq!(address_space_left(), None, "no test runs under `ulimit -v`");
    let limited = Command::new("sh")
        .args(["-c", "ulimit -v 3000000 && exec \"$0\" --exact \"$1\""])
        .arg(env::current_exe().unwrap())
        .arg(NAME)
        .env(LIMITED, "1")
        .env_remove("MALLOC_ARENA_MAX")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&limited.stdout);
    assert!(limited.status.success() && shown.contains("1 passed"), "{shown}");
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

#[test]
fn a_process_starves_that_waits_for_a_processor_most_of_the_time() {
    let start = Instant::now();
    let used = |at: u64, ran: u64, waited: u64| ProcessorUse {
        at: start + Duration::from_secs(at),
        ran: Duration::from_secs(100 + ran),
        waited: Duration::from_secs(200 + waited),
    };
    for (ran, waited, starved) in [
        // It slept, it ran, or it had its half of a processor.
        (0, 0, 0),
        (60, 0, 0),
        (30, 30, 0),
        (29, 31, 31),
        (1, 59, 59),
        // Other threads or processes of the program waited as well.
        (5, 150, 60),
        (0, 30, 0),
        // Its own threads compete: it uses two processors.
        (120, 240, 0),
    ] {
        let time = used(60, ran, waited).starved_since(used(0, 0, 0));
        assert_eq!(time, Duration::from_secs(starved), "{ran} {waited}");
    }
    // A process of the program has ended, and its times are no longer counted.
    assert_eq!(used(60, 0, 0).starved_since(used(0, 1, 1)), Duration::ZERO);
}

#[test]
#[cfg(target_os = "linux")]
fn the_processor_time_of_a_process_includes_its_descendants() {
    // Some kernels are built without these counters.
    if !std::fs::exists("/proc/self/schedstat").unwrap() {
        return;
    }
    let script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo over; read line";
    let mut shell = Command::new("sh")
        .args(["-c", &format!("sh -c '{script}'; true")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut over = [0; 5];
    io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut over).unwrap();
    let shells = ProcessorUse::of(shell.id());
    let all = ProcessorUse::of(std::process::id());
    drop(shell.stdin.take());
    shell.wait().unwrap();
    assert!(shells.ran > Duration::from_millis(5), "{shells:?}");
    assert!(all.ran > shells.ran, "{shells:?} {all:?}");
    assert_eq!(ProcessorUse::of(shell.id()).ran, Duration::ZERO);
}
