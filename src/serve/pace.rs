//! The pace of a session's answers: while the engine thinks, its `info` lines wait for each
//! other and are due together, the newest of each kind alone, few enough for 20 a second.
//! Everything else is due at once, behind what waits.

use std::time::{Duration, Instant};

/// After each line of a burst: 20 lines a second, more than an eye can read.
const GAP: Duration = Duration::from_millis(50);

/// How long a line waits at least: the lines of an iteration come right behind each other.
const SETTLING: Duration = Duration::from_millis(3);

/// The lines that wait.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// In the order in which their kinds came, each with the remarks that belong to it.
    waiting: Vec<(Kind, Vec<String>)>,
    /// The kind of the last line, if it waits.
    last: Option<usize>,
    /// Before it, no burst is due: one of many lines is followed by a long pause.
    paused: Option<Instant>,
    /// When the lines that wait are due.
    due: Option<Instant>,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A pv by its rank, as it is written.
    Pv(String),
    /// The move that is being searched.
    RootMove,
}

impl Pace {
    /// Takes the next line; returns those that are due at once.
    pub(super) fn take(&mut self, line: String, now: Instant) -> Vec<String> {
        let is_remark = ["info string proved ", "info string leaves "];
        if is_remark.iter().any(|start| line.starts_with(start))
            && let Some((_, lines)) = self.last.and_then(|last| self.waiting.get_mut(last))
        {
            lines.push(line);
            return Vec::new();
        }
        let Some(kind) = kind(&line) else {
            (self.last, self.due) = (None, None);
            let waiting = self.waiting.drain(..).flat_map(|(_, lines)| lines);
            return waiting.chain([line]).collect();
        };
        let place = self.waiting.iter().position(|(other, _)| *other == kind);
        match place {
            Some(place) => self.waiting[place].1 = vec![line],
            None => self.waiting.push((kind, vec![line])),
        }
        self.last = place.or(Some(self.waiting.len() - 1));
        let is_settled = now + SETTLING;
        let earliest = self.paused.map_or(is_settled, |end| is_settled.max(end));
        self.due.get_or_insert(earliest);
        Vec::new()
    }

    /// When the lines that wait are due; none if there are none.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// The lines that wait, which are sent now.
    pub(super) fn burst(&mut self, now: Instant) -> Vec<String> {
        (self.last, self.due) = (None, None);
        let lines: Vec<String> = self.waiting.drain(..).flat_map(|(_, lines)| lines).collect();
        self.paused = Some(now + GAP * lines.len() as u32);
        lines
    }
}

/// The kind of an `info` that a newer one replaces.
fn kind(line: &str) -> Option<Kind> {
    let mut words = line.strip_prefix("info depth ")?.split(' ');
    let mut after = |name| words.by_ref().find(|word| *word == name).and_then(|_| words.next());
    if line.contains(" currmove ") {
        return Some(Kind::RootMove);
    }
    after("multipv").map(|rank| Kind::Pv(rank.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines due at once, joined.
    fn take(pace: &mut Pace, line: &str, now: Instant) -> String {
        pace.take(line.to_owned(), now).join("|")
    }

    fn burst(pace: &mut Pace, now: Instant) -> String {
        pace.burst(now).join("|")
    }

    #[test]
    fn the_newest_info_of_each_rank_waits_with_its_proof() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        assert_eq!(pace.due(), None);
        for line in [
            "info depth 1 seldepth 1 multipv 1 score cp 1",
            "info depth 1 seldepth 1 multipv 2 score cp 1",
            "info string proved 1",
            "info depth 3 currmove A currmovenumber 1",
            "info depth 3 currmove B currmovenumber 2",
            "info depth 2 seldepth 2 multipv 2 score cp 2",
            "info depth 2 seldepth 2 multipv 1 score cp 2",
            "info string proved 2",
        ] {
            assert_eq!(take(&mut pace, line, now), "");
            assert_eq!(pace.due(), Some(now + SETTLING));
        }
        let expected = "info depth 2 seldepth 2 multipv 1 score cp 2|info string proved 2|\
                        info depth 2 seldepth 2 multipv 2 score cp 2|\
                        info depth 3 currmove B currmovenumber 2";
        assert_eq!(burst(&mut pace, now), expected);
        assert_eq!(pace.due(), None);
        // Its info has been sent, so the proof follows at once.
        assert_eq!(take(&mut pace, "info string proved 3", now), "info string proved 3");
    }

    #[test]
    fn bursts_keep_their_distance() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        take(&mut pace, "info depth 1 seldepth 1 multipv 1", now);
        pace.burst(now);
        take(&mut pace, "info depth 2 seldepth 2 multipv 1", now);
        assert_eq!(pace.due(), Some(now + GAP));
        take(&mut pace, "info depth 3 seldepth 3 multipv 1", now + GAP);
        assert_eq!(pace.due(), Some(now + GAP));
        take(&mut pace, "info depth 3 seldepth 3 multipv 2", now + GAP);
        pace.burst(now + GAP);
        take(&mut pace, "info depth 4 seldepth 4 multipv 1", now + GAP);
        assert_eq!(pace.due(), Some(now + 3 * GAP));
    }

    #[test]
    fn everything_else_is_due_at_once_behind_what_waits() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        assert_eq!(take(&mut pace, "readyok", now), "readyok");
        take(&mut pace, "info depth 9 seldepth 9 multipv 1", now);
        let best = "bestmove A ponder b";
        let expected = format!("info depth 9 seldepth 9 multipv 1|{best}");
        assert_eq!(take(&mut pace, best, now), expected);
        assert_eq!(pace.due(), None);
        assert_eq!(take(&mut pace, "info depth 0 score cp 4", now), "info depth 0 score cp 4");
        let error = "info string error: no";
        assert_eq!(take(&mut pace, error, now), error);
    }
}
