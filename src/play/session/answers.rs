//! What comes of the engine's answers.

use super::note::{said, trouble};
use super::{Note, Session, Task};
use crate::game::Side;
use crate::play::game::Step;
use crate::play::pages;
use crate::play::thinker::{Answer, Judged, Thought};
use crate::record::{self, Evaluation};
use crate::score::Value;
use crate::search::{Info, SearchResult};

impl Session {
    /// Takes an answer of the engine.
    pub fn hear(&mut self, thought: Thought) -> Vec<Note> {
        let Some((_, task)) = self.task.filter(|&(ticket, _)| ticket == thought.ticket) else {
            return Vec::new();
        };
        if let Answer::Progress(done, all) = thought.answer {
            return vec![Note::Progress(done, all)];
        }
        self.task = None;
        match thought.answer {
            Answer::Move(report) => self.engine_moves(report),
            Answer::Hint(report) if task == Task::Estimate => {
                if let Some(info) = &report.info {
                    self.expect(self.game.position().side(), info);
                }
                Vec::new()
            }
            Answer::Hint(report) => self.hint(report),
            Answer::Values(lines) => self.values(&lines),
            Answer::Losses(judged) => self.losses(&judged),
            Answer::Progress(..) => Vec::new(),
            Answer::Failed => self.failed(task),
        }
    }

    fn failed(&mut self, task: Task) -> Vec<Note> {
        if task == Task::Estimate {
            return Vec::new();
        }
        self.paused = task == Task::Move;
        vec![trouble("the engine broke down; the game is safe: go lets it try again")]
    }

    fn engine_moves(&mut self, report: SearchResult) -> Vec<Note> {
        let before = *self.game.position();
        let behind = report.info.as_ref().is_some_and(|info| info.margin < Value::ZERO);
        if behind && self.game.may_swap() && self.game.make(Step::Swap).is_ok() {
            return self.after_step(before);
        }
        let Some(pit) = report.best.filter(|&pit| self.game.make(Step::Sow(pit)).is_ok()) else {
            return self.failed(Task::Move);
        };
        self.game.remark(record::Move {
            evaluation: report
                .info
                .as_ref()
                .map(|info| Evaluation { margin: info.margin, proved: info.proved }),
            depth: report.info.as_ref().map(|info| info.depth),
            nodes: report.info.as_ref().map(|info| info.nodes),
            time: Some(self.asked.elapsed()),
            ..record::Move::new(pit)
        });
        if let Some(info) = &report.info {
            self.expect(before.side(), info);
        }
        self.after_step(before)
    }

    fn expect(&mut self, side: Side, info: &Info) {
        let margin = info.margin.seeds();
        self.expected = Some(if side == Side::South { margin } else { -margin });
    }

    fn hint(&mut self, report: SearchResult) -> Vec<Note> {
        let position = *self.game.position();
        let Some(info) = report.info else { return vec![trouble("there is nothing to hint at")] };
        self.hinted = report.best;
        self.expect(position.side(), &info);
        vec![said(pages::hint(&position, &info))]
    }

    fn values(&mut self, lines: &[Info]) -> Vec<Note> {
        let position = *self.game.position();
        if let Some(best) = lines.first() {
            self.expect(position.side(), best);
        }
        vec![self.page("Values", pages::values(&position, lines, self.width))]
    }

    fn losses(&mut self, judged: &[Judged]) -> Vec<Note> {
        let lines = pages::analysis(&self.game, judged, self.width, self.glyphs);
        vec![self.page("Analysis", lines)]
    }
}
