//! The machine that the program runs on: processors, available memory, and processes.

#[cfg(feature = "memory")]
use std::collections::BTreeSet;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

#[cfg(feature = "memory")]
use sysinfo::{
    CGroupLimits, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System,
};
use thiserror::Error;

/// The number of threads that can run simultaneously, at least 1. Determined once: on Linux, that
/// reads the files of the control group, which takes longer than a short search.
pub fn processors() -> usize {
    static PROCESSORS: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *PROCESSORS
}

/// The machine's name on its network; empty if it has none.
#[cfg(feature = "memory")]
pub fn host_name() -> String {
    System::host_name().unwrap_or_default()
}

/// Bytes of memory that can be allocated now without swapping: the system's estimate,
/// or what the limit of the process's control group leaves if that is less. The page cache
/// counts as free. `None` on systems that `sysinfo` does not support.
#[cfg(feature = "memory")]
pub fn available_memory() -> Option<u64> {
    if !sysinfo::IS_SUPPORTED_SYSTEM {
        return None;
    }
    let mut system = System::new();
    system.refresh_memory();
    let of_system = system.available_memory();
    // In a container, exceeding the limit of the group ends the process.
    match system.cgroup_limits() {
        Some(group) => Some(of_system.min(available_in_group(&group))),
        None => Some(of_system),
    }
}

/// Nothing is known about the memory without the feature `memory`.
#[cfg(not(feature = "memory"))]
pub fn available_memory() -> Option<u64> {
    None
}

/// The limit less the memory of the group's processes. `free_memory` would also subtract the page
/// cache, which the system gives up on demand: after a build it can hold half of the memory.
#[cfg(feature = "memory")]
fn available_in_group(group: &CGroupLimits) -> u64 {
    group.total_memory.saturating_sub(group.rss)
}

/// Processors and system in words, as in `2 × AMD EPYC 9R14, Linux (Debian 12)`.
#[cfg(feature = "memory")]
pub fn description() -> String {
    let mut system = System::new();
    system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
    let brand = match system.cpus().first() {
        Some(cpu) if !cpu.brand().trim().is_empty() => cpu.brand().trim().to_owned(),
        _ => System::cpu_arch(),
    };
    let version = System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{} × {brand}, {version}", processors())
}

/// Bytes of memory that this process holds, including shared memory.
#[cfg(feature = "memory")]
pub fn used_memory() -> Option<u64> {
    this_process(Process::memory)
}

/// Bytes of address space that a thread takes in addition to its stack: glibc's allocator
/// reserves that much for each thread.
pub const THREAD_BYTES: u64 = 64 << 20;

/// Restarts the program with one heap for all threads if a limit (`ulimit -v`) bounds its address
/// space. Each thread would otherwise reserve 64 to 128 MiB for a heap of its own, and where that
/// fails a page for each small allocation, until one fails and aborts the process. Returns if there
/// is no limit, or if the program cannot be restarted.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn restart_with_one_heap() {
    use std::os::unix::process::CommandExt;

    /// Read by glibc when a process starts; there is no safe call that has the same effect.
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    let mut arguments = std::env::args_os();
    if let Some(name) = arguments.next()
        && address_space_left().is_some()
        // The variable also keeps the restarted program from restarting once more.
        && std::env::var_os(HEAPS).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        // `exec` returns only if it fails; the program then runs with a heap for each thread.
        let _error = Command::new(program).arg0(name).args(arguments).env(HEAPS, "1").exec();
    }
}

/// Gives the calling thread the lowest priority, so that it takes only time that nothing else needs.
/// Only on Linux: elsewhere, a priority belongs to the whole process.
pub fn lower_priority() {
    #[cfg(all(target_os = "linux", feature = "memory"))]
    let _error = rustix::process::setpriority_process(None, 19);
}

/// Bytes of address space that a limit (`ulimit -v`) leaves to this process; `None` if there is
/// no limit. Reserved address space counts whether or not it is used.
pub fn address_space_left() -> Option<u64> {
    #[cfg(all(target_os = "linux", feature = "memory"))]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
        Some(limit.saturating_sub(this_process(Process::virtual_memory)?))
    }
    #[cfg(not(all(target_os = "linux", feature = "memory")))]
    None
}

/// Files that this process may still open (`ulimit -n`); `None` if there is no limit.
pub fn open_files_left() -> Option<u64> {
    #[cfg(all(target_os = "linux", feature = "memory"))]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current?;
        let open = std::fs::read_dir("/proc/self/fd").ok()?.count() as u64;
        Some(limit.saturating_sub(open))
    }
    #[cfg(not(all(target_os = "linux", feature = "memory")))]
    None
}

/// Refuses work that would fail later, at a file, a pipe or a connection.
///
/// # Errors
/// If this process may open fewer than `needed` more files.
pub fn require_open_files(needed: u64) -> io::Result<()> {
    match open_files_left() {
        Some(left) if left < needed => Err(io::Error::other(format!(
            "too few open files: {needed} more are needed, and 'ulimit -n' leaves {left}: raise it"
        ))),
        _ => Ok(()),
    }
}

/// Whether the system has refused something because it lacks processes, memory or open files: this
/// is no fault of the program that was to be started.
pub fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(all(unix, feature = "memory"))]
    {
        use rustix::io::Errno;
        let lacking = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        Errno::from_io_error(error).is_some_and(|error| lacking.contains(&error))
    }
    #[cfg(not(all(unix, feature = "memory")))]
    {
        error.kind() == io::ErrorKind::OutOfMemory
    }
}

/// Error if the system refuses memory, or if `ulimit -v` leaves too little address space for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub struct MemoryError {
    /// Bytes that are needed.
    needed: u64,
    /// Bytes of address space that were left; none if there is no limit.
    left: Option<u64>,
}

impl MemoryError {
    /// The error for an allocation of this many bytes that the system has refused.
    pub fn new(needed: u64) -> Self {
        Self { needed, left: address_space_left() }
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needed = self.needed.div_ceil(1 << 20);
        match self.left.map(|left| left >> 20) {
            Some(left) if left < needed => write!(
                f,
                "{needed} MiB of memory are needed, but the address space has only {left} MiB: raise \
                 'ulimit -v'"
            ),
            // What another thread has freed in the meantime is counted, too.
            Some(left) => write!(
                f,
                "the system refused {needed} MiB of memory with {left} MiB of address space left: \
                 raise 'ulimit -v'"
            ),
            None => write!(f, "the system refused {needed} MiB of memory"),
        }
    }
}

impl From<MemoryError> for io::Error {
    fn from(error: MemoryError) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, error)
    }
}

/// Refuses work that will need this many bytes of address space in addition to what the process
/// uses already, if a limit leaves less: most allocations abort the process when they fail.
///
/// # Errors
/// If there is a limit and it leaves less.
pub fn require_address_space(needed: u64) -> Result<(), MemoryError> {
    match address_space_left() {
        left @ Some(bytes) if bytes < needed => Err(MemoryError { needed, left }),
        _ => Ok(()),
    }
}

/// The error for a thread with a stack of `stack` bytes that could not be started. The system does
/// not report the usual reason, a limit on the address space.
pub fn thread_error(error: io::Error, stack: usize) -> io::Error {
    match require_address_space(stack as u64) {
        Ok(()) => error,
        Err(refused) => refused.into(),
    }
}

#[cfg(feature = "memory")]
fn this_process(memory: impl FnOnce(&Process) -> u64) -> Option<u64> {
    let process = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, kind);
    system.process(process).map(memory)
}

/// The ids of the running descendants of the process `root`, except those in `except` and
/// their descendants.
#[cfg(feature = "memory")]
pub fn descendants(root: u32, except: &BTreeSet<u32>) -> Vec<u32> {
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        for (id, process) in system.processes() {
            // A zombie has ended and only waits for its parent to notice.
            let is_running = process.status() != ProcessStatus::Zombie;
            let is_child = process.parent().map(sysinfo::Pid::as_u32) == Some(parent);
            if is_running && is_child && !except.contains(&id.as_u32()) {
                found.push(id.as_u32());
            }
        }
        next += 1;
    }
    found.split_off(1)
}

/// How long the threads of a process and of its descendants have had a processor, and how long they
/// have had to wait for one although they could run.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorUse {
    /// When it was measured.
    pub at: Instant,
    /// The time on a processor.
    pub ran: Duration,
    /// The time in the queue for one.
    pub waited: Duration,
}

impl ProcessorUse {
    /// The use of `process` so far; zero where the system does not report it as Linux does.
    pub fn of(process: u32) -> Self {
        let mut total = Self { at: Instant::now(), ran: Duration::ZERO, waited: Duration::ZERO };
        let mut left = vec![process.to_string()];
        while let Some(id) = left.pop() {
            let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
            for thread in threads.map(|thread| thread.path()) {
                let read = |file| fs::read_to_string(thread.join(file)).unwrap_or_default();
                // Nanoseconds on a processor, nanoseconds in the queue, and a number of time slices.
                let times = read("schedstat");
                let mut times = times.split_whitespace().flat_map(str::parse);
                total.ran += Duration::from_nanos(times.next().unwrap_or(0));
                total.waited += Duration::from_nanos(times.next().unwrap_or(0));
                left.extend(read("children").split_whitespace().map(str::to_owned));
            }
        }
        total
    }

    /// How long the process has had to wait since `before`, if it spent most of the time in the
    /// queue and had less than half a processor; otherwise zero.
    ///
    /// A process whose own threads crowd each other out has more than that.
    pub fn starved_since(self, before: Self) -> Duration {
        let elapsed = self.at.saturating_duration_since(before.at);
        let waited = self.waited.saturating_sub(before.waited);
        let ran = self.ran.saturating_sub(before.ran);
        if waited > elapsed / 2 && ran < elapsed / 2 { waited.min(elapsed) } else { Duration::ZERO }
    }
}

#[cfg(feature = "memory")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_cache_of_a_control_group_counts_as_free() {
        let [limit, cached, rss] = [24, 11, 1].map(|gibibytes: u64| gibibytes << 30);
        let free_memory = limit - cached - rss;
        let group = CGroupLimits { total_memory: limit, free_memory, free_swap: 0, rss };
        assert_eq!(available_in_group(&group), 23 << 30);
    }

    #[test]
    fn a_refusal_blames_the_address_space_only_if_it_is_too_small() {
        const MIB: u64 = 1 << 20;
        let message = |left| MemoryError { needed: 2 * MIB + 1, left }.to_string();
        for (left, expected) in [
            (None, "the system refused 3 MiB of memory"),
            (
                Some(3 * MIB - 1),
                "3 MiB of memory are needed, but the address space has only 2 MiB: ",
            ),
            (
                Some(3 * MIB),
                "the system refused 3 MiB of memory with 3 MiB of address space left: ",
            ),
        ] {
            assert!(message(left).starts_with(expected), "{}", message(left));
        }
    }
}
