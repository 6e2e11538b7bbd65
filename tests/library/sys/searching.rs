use kalah::sys::searching::CurrentlySearching;

#[test]
fn a_key_is_found_until_it_ends_or_is_replaced() {
    let searching = CurrentlySearching::new(4);
    let (key, other) = (1 << 32 | 7, 5 << 32 | 7);
    assert!(!searching.begin(key));
    assert!(searching.contains(key) && !searching.contains(other));
    assert!(searching.begin(key), "begun twice");
    assert!(!searching.begin(other));
    searching.end(key);
    assert!(searching.contains(other) && !searching.contains(key));
    searching.end(other);
    assert!(!searching.contains(other));
}
