use std::fs;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

use kalah::sys::pages::{HEADER_BYTES, Memory, Reserved};
use kalah::sys::stop::Flag;

#[test]
fn memory_is_zeroed_whatever_the_number_of_threads() {
    // Three chunks of 4 MiB and a part of one.
    let len = (12 << 20) / size_of::<u64>() + 5;
    for threads in [1, 4] {
        let reserved = Reserved::<u64>::new(len).unwrap();
        let zeroed = reserved.zeroed_unless(&Flag::default(), threads).unwrap();
        assert_eq!(zeroed.len(), len);
        assert!(zeroed.iter().all(|&word| word == 0));
    }
}

#[test]
fn memory_that_was_not_written_because_of_a_stop_can_be_written_later() {
    let stop = Flag::default();
    stop.raise();
    let reserved = Reserved::<u64>::new(1000).unwrap().zeroed_unless(&stop, 2).unwrap_err();
    assert_eq!(reserved.zeroed_unless(&Flag::default(), 2).unwrap(), [0; 1000].into());
}

#[test]
#[cfg_attr(miri, ignore = "Miri maps no files")]
fn a_mapped_file_keeps_its_words_and_has_one_user() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let map = |header, len| Memory::map(&path, header, len);
    let memory = map("a header", 8).unwrap();
    memory[7].0[3].store(5, Relaxed);
    #[cfg(unix)]
    assert_eq!(map("a header", 8).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    drop(memory);
    assert_eq!(map("a header", 8).unwrap()[7].0[3].load(Relaxed), 5);
    for (header, len) in [("another", 8), ("a header", 9)] {
        assert_eq!(map(header, len).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
    for killed in [0, 100, 4000, HEADER_BYTES as usize + 256] {
        fs::write(&path, vec![0; killed]).unwrap();
        assert_eq!(map("a header", 8).unwrap()[7].0[3].load(Relaxed), 0, "{killed} bytes");
    }
    for precious in ["precious".to_owned(), "\0".repeat(9) + "precious"] {
        fs::write(&path, &precious).unwrap();
        assert!(map("a header", 8).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), precious);
    }
}
