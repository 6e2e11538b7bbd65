use kalah_game::score::{Gain, Interval, Score, Turn, Value, Window};

#[test]
fn a_passed_turn_mirrors_the_window_and_a_kept_one_does_not() {
    let window = Window::new(Gain(-3), Gain(5));
    assert_eq!(window.for_child(Turn::Keeps), window);
    assert_eq!(window.for_child(Turn::Passes), Window::new(Gain(-5), Gain(3)));
    assert_eq!(window.for_child(Turn::Passes).for_child(Turn::Passes), window);
}

#[test]
fn an_interval_answers_for_the_parent_what_it_answers_for_the_child() {
    let (child, banked) = (Interval { lower: Gain(-3), upper: Gain(1) }, Gain(2));
    let kept = child.from_child(banked, Turn::Keeps);
    assert_eq!(kept, Interval { lower: Gain(-1), upper: Gain(3) });
    let passed = child.from_child(banked, Turn::Passes);
    assert_eq!(passed, Interval { lower: Gain(1), upper: Gain(5) });
    assert_eq!(passed.and(kept), Interval { lower: Gain(1), upper: Gain(3) });
    assert_eq!(passed.answer(Window::new(Gain(-1), Gain(1))), Some(Gain(1)));
    assert_eq!(passed.answer(Window::new(Gain(5), Gain(7))), Some(Gain(5)));
    assert_eq!(passed.answer(Window::new(Gain(1), Gain(3))), None);
}

#[test]
fn a_null_window_has_no_score_inside() {
    let window = Window::null(Gain(4));
    assert!(window.is_null());
    assert!(window.fails_low(Gain(4)) && window.fails_high(Gain(5)));
    assert!(!Window::new(Gain(4), Gain(6)).is_null());
}

#[test]
fn values_round_to_the_nearest_seed() {
    for (value, gain) in [(149, 1), (150, 2), (-149, -1), (-150, -2), (0, 0), (49, 0)] {
        assert_eq!(Value(value).rounded(), Gain(gain), "{value}");
    }
}

#[test]
fn values_are_shown_in_seeds() {
    assert_eq!(
        [Value(250), Value(-5), Value::ZERO].map(|value| value.to_string()),
        ["+2.50", "-0.05", "+0.00"]
    );
}

#[test]
fn the_extremes_mirror_each_other() {
    assert_eq!(-Gain::MIN, Gain::MAX);
    assert_eq!(-Value::MIN, Value::MAX);
}
