//! The machine that the program runs on: processors and available memory.

use sysinfo::System;

/// How many threads can run at once, at least 1.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_supported_system_has_some_memory() {
        assert_ne!(available_memory(), Some(0));
    }
}
