use kalah_game::Rules;
use kalah_game::score::{Gain, Interval, Score, Turn, Value, Window};

const TURNS: [Turn; 2] = [Turn::Keeps, Turn::Passes];

/// All scores from -4 to 4.
fn scores() -> impl Iterator<Item = Gain> + Clone {
    (-4..=4).map(Gain)
}

/// All intervals of these scores.
fn intervals() -> impl Iterator<Item = Interval<Gain>> + Clone {
    scores().flat_map(|lower| {
        scores().filter(move |upper| *upper >= lower).map(move |upper| Interval { lower, upper })
    })
}

fn contains(interval: Interval<Gain>, score: Gain) -> bool {
    (interval.lower..=interval.upper).contains(&score)
}

#[test]
fn a_passed_turn_mirrors_the_window_and_a_kept_one_does_not() {
    let window = Window::new(Gain(-3), Gain(5));
    assert_eq!(window.for_child(Turn::Keeps), window);
    assert_eq!(window.for_child(Turn::Passes), Window::new(Gain(-5), Gain(3)));
    // A result fails in the child's window the way in which it fails in the parent's.
    for turn in TURNS {
        for (child, banked) in scores().flat_map(|score| [0, 1, 3].map(|n| (score, Gain(n)))) {
            let score = banked + turn.from_child(child);
            let inner = window.after(banked).for_child(turn);
            let (low, high) = match turn {
                Turn::Keeps => (inner.fails_low(child), inner.fails_high(child)),
                Turn::Passes => (inner.fails_high(child), inner.fails_low(child)),
            };
            assert_eq!((window.fails_low(score), window.fails_high(score)), (low, high));
        }
    }
}

#[test]
fn an_interval_before_a_move_holds_the_scores_of_those_after_it() {
    for turn in TURNS {
        for (interval, child) in intervals().flat_map(|all| scores().map(move |one| (all, one))) {
            let before = interval.from_child(Gain(2), turn);
            let score = Gain(2) + turn.from_child(child);
            assert_eq!(contains(before, score), contains(interval, child), "{interval} {child}");
        }
    }
}

#[test]
fn a_choice_between_two_moves_has_the_interval_of_the_greater_score() {
    for (one, other) in intervals().flat_map(|one| intervals().map(move |other| (one, other))) {
        let greater =
            |one: Gain| scores().filter(move |s| contains(other, *s)).map(move |s| s.max(one));
        let all: Vec<Gain> = scores().filter(|s| contains(one, *s)).flat_map(greater).collect();
        let expected =
            Interval { lower: *all.iter().min().unwrap(), upper: *all.iter().max().unwrap() };
        assert_eq!(one.max(other), expected, "{one} or {other}");
        let both = one.and(other);
        assert!(scores().all(|s| contains(both, s) == (contains(one, s) && contains(other, s))));
    }
}

#[test]
fn results_of_null_windows_narrow_an_interval_around_the_score() {
    let all = Interval { lower: Gain(-9), upper: Gain(9) };
    for (score, bound) in scores().flat_map(|score| scores().map(move |bound| (score, bound))) {
        let window = Window::null(bound);
        // Fail-soft: a bound between the window and the score, both included.
        let results = scores().filter(|&result| {
            if score > bound {
                window.fails_high(result) && result <= score
            } else {
                result >= score && result <= bound
            }
        });
        for result in results {
            let narrowed = all.narrowed(window, result);
            let expected = if score > bound {
                Interval { lower: result, upper: Gain(9) }
            } else {
                Interval { lower: Gain(-9), upper: result }
            };
            assert_eq!(narrowed, expected, "{score} in {window:?}");
            assert_eq!(narrowed.answer(window), Some(result), "{score} in {window:?}");
        }
        assert_eq!(all.answer(window), None);
    }
}

#[test]
fn an_exact_interval_answers_every_window_that_does_not_contain_its_score() {
    for score in scores() {
        let interval = Interval::exactly(score);
        assert!(interval.is_exact() && contains(interval, score));
        for (alpha, beta) in scores().flat_map(|alpha| scores().map(move |beta| (alpha, beta))) {
            if alpha < beta {
                let is_inside = alpha < score && score < beta;
                let answer = interval.answer(Window::new(alpha, beta));
                assert_eq!(answer, if is_inside { None } else { Some(score) });
            }
        }
    }
    assert!(!Interval { lower: Gain(0), upper: Gain(2) }.is_exact());
    assert_eq!(Interval::exactly(Gain(4)).to_string(), "+4");
    assert_eq!(Interval { lower: Gain(-2), upper: Gain(8) }.to_string(), "-2 to +8");
}

#[test]
fn no_score_lies_inside_a_null_window() {
    let above = Window::null(Gain(4));
    assert_eq!((above.alpha, above.beta), (Gain(4), Gain(5)));
    let below = Window::null_under(Gain(4));
    assert_eq!((below.alpha, below.beta), (Gain(3), Gain(4)));
    // Gains have one parity, so two seeds are as good as one.
    let reached = Rules::default().variant().at_least(Gain(4));
    assert_eq!((reached.alpha, reached.beta), (Gain(2), Gain(4)));
    assert!(above.is_null() && below.is_null() && !reached.is_null());
    assert!(!Window::<Gain>::full().is_null());
    assert_eq!(above.raised(Gain(3)), above);
    assert_eq!(reached.raised(Gain(3)), below);
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
    assert_eq!(Value::from(Gain(-3)).to_string(), "-3.00");
}

/// The successor is the smallest greater score, and no score of a position reaches an end.
fn scale<S: Score>(smallest: S, zero: S, one: S) {
    assert_eq!(zero.successor() - zero, smallest);
    assert_eq!(-S::MIN, S::MAX);
    let most = (0..32_767).fold(zero, |sum, _| sum + one);
    assert!(most < S::MAX && most + most > most);
    assert_eq!(Interval::<S>::unknown(), Interval { lower: S::MIN, upper: S::MAX });
}

#[test]
fn scores_have_successors_and_room_for_every_position() {
    scale(Gain(1), Gain::ZERO, Gain(1));
    scale(Value(1), Value::ZERO, Value(Value::SEED));
    scale(1i64, 0, 1);
}
