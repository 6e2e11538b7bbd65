//! Memory for tables: as much as needed, in huge pages where there are any.

use memmap2::MmapMut;

/// Bytes of memory that can be had without harm to other programs, if the
/// system tells: what it calls available, or what is left of a control group's
/// limit if that is less.
pub fn available_memory() -> Option<u64> {
    let system = meminfo_available(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
    let group = |name| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    match (group("max"), group("current")) {
        (Some(limit), Some(used)) => Some(system.min(limit.saturating_sub(used))),
        _ => Some(system),
    }
}

fn meminfo_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Zeroed memory of `len` bytes, more than none.
///
/// # Errors
/// If the system refuses.
pub(super) fn allocate(len: usize) -> std::io::Result<MmapMut> {
    let memory = MmapMut::map_anon(len)?;
    // Probes hit the tables anywhere: huge pages spare them most walks of the
    // page tables. Where there are none, small ones do.
    #[cfg(target_os = "linux")]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages: {error}");
    }
    Ok(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_from_the_systems_report() {
        let report = "MemTotal:       24676928 kB\nMemAvailable:   23461236 kB\nBuffers: 1 kB\n";
        assert_eq!(meminfo_available(report), Some(23_461_236 * 1024));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
    }
}
