use std::fs;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use kalah_sys::lock::FileLock;

use kalah_testing::folder;

#[test]
fn a_file_or_folder_has_one_holder_until_it_is_unlocked_or_dropped() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    let with_separator = folder.path().join("");
    for (path, same) in [(&*file, &*file), (folder.path(), &*with_separator)] {
        let [one, other] = [path, same].map(|path| FileLock::new(path).unwrap());
        one.try_lock().unwrap();
        let asked = Instant::now();
        assert_eq!(other.try_lock().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert!(asked.elapsed() >= Duration::from_secs(1), "others have a second to finish");
        assert_eq!(fs::read_to_string(&file).unwrap(), "text", "others can read");
        one.unlock();
        other.lock().unwrap();
        drop(other);
        one.try_lock().unwrap();
    }
}
