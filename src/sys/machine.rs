//! The machine that the program runs on: processors and available memory.

use sysinfo::System;

/// How many threads can run at once, at least 1.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The machine's name in its network; empty where it has none.
pub fn host_name() -> String {
    System::host_name().unwrap_or_default()
}

/// Bytes of memory that can be allocated now without swapping: the system's
/// estimate, or what the control group of the process has left if that is less.
/// None on systems that `sysinfo` does not support.
pub fn available_memory() -> Option<u64> {
    if !sysinfo::IS_SUPPORTED_SYSTEM {
        return None;
    }
    let mut system = System::new();
    system.refresh_memory();
    let of_system = system.available_memory();
    let of_group = system.cgroup_limits().map(|limits| limits.free_memory);
    Some(of_group.map_or(of_system, |group| group.min(of_system)))
}

/// Processors and system in words, as in `2 × AMD EPYC 9R14, Linux (Debian 12)`.
#[cfg(feature = "cli")]
pub fn description() -> String {
    let mut system = System::new();
    system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
    let brand = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned());
    let brand = brand.filter(|brand| !brand.is_empty()).unwrap_or_else(System::cpu_arch);
    let system = System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{} × {brand}, {system}", processors())
}

/// Bytes of memory that this process holds, shared ones included.
#[cfg(feature = "cli")]
pub fn used_memory() -> Option<u64> {
    let process = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    let memory = sysinfo::ProcessRefreshKind::nothing().with_memory();
    let processes = sysinfo::ProcessesToUpdate::Some(&[process]);
    system.refresh_processes_specifics(processes, false, memory);
    system.process(process).map(sysinfo::Process::memory)
}
