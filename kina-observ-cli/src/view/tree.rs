//! Walks the spans of a trace from the root down, and writes a line for each.

use std::io::{Result, Write};

use super::branch::{before, below};
use crate::cli::View;
use crate::paint::{DIM, Plain, RED, RESET, YELLOW};
use crate::trace::{Children, Span, State, Trace};
use crate::units::{duration, percent, share};

/// Duration and share stand in front of the tree: `   13.943 ms  100.0 %  `.
const MARGIN: usize = 23;

pub(super) struct Tree<'a> {
    trace: &'a Trace,
    shown: &'a [bool],
    children: Children,
    written: Vec<bool>,
    deepest: usize,
    /// Whether it is said how many children are left out: not where most are.
    says_more: bool,
}

/// A span that is still to be written.
struct Next {
    index: u32,
    depth: usize,
    last: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(trace: &'a Trace, shown: &'a [bool], options: &View) -> Self {
        Self {
            trace,
            shown,
            children: Children::of(trace),
            written: vec![false; trace.spans.len()],
            deepest: options.depth.map_or(usize::MAX, |depth| depth as usize),
            says_more: options.name.is_none() && options.module.is_none() && !options.errors,
        }
    }

    /// The roots of each trace, all by start. A span without its parent is a root here.
    pub(super) fn roots(&self) -> Vec<(u128, Vec<u32>)> {
        let mut first = vec![false; self.trace.spans.len()];
        let is_root = |span: &Span| self.trace.parent(span).is_none() || span.facts.parent == span.facts.span_id;
        for (index, _) in self.trace.each().filter(|(_, span)| is_root(span)) {
            first[index as usize] = true;
        }
        self.break_circles(&mut first);
        let mut roots: Vec<u32> = (0..).zip(&first).filter(|(_, first)| **first).map(|(index, _)| index).collect();
        roots.retain(|&index| self.shown[index as usize]);
        roots.sort_by_key(|&index| self.trace.spans[index as usize].facts.start_ns);
        let mut traces: Vec<(u128, Vec<u32>)> = Vec::new();
        let mut place = std::collections::HashMap::new();
        for root in roots {
            let trace_id = self.trace.spans[root as usize].facts.trace_id;
            let at = *place.entry(trace_id).or_insert_with(|| {
                traces.push((trace_id, Vec::new()));
                traces.len() - 1
            });
            traces[at].1.push(root);
        }
        traces
    }

    /// Spans that are their own ancestors hang on no root; one of each circle becomes one.
    fn break_circles(&self, first: &mut [bool]) {
        let mut reached = first.to_vec();
        let mut stack: Vec<u32> = (0..).zip(&*first).filter(|(_, first)| **first).map(|(index, _)| index).collect();
        let mut rest = self.trace.each().map(|(index, _)| index);
        loop {
            while let Some(index) = stack.pop() {
                for child in self.children.children(index) {
                    if !std::mem::replace(&mut reached[child as usize], true) {
                        stack.push(child);
                    }
                }
            }
            let Some(index) = rest.find(|&index| !reached[index as usize]) else { return };
            first[index as usize] = true;
            reached[index as usize] = true;
            stack.push(index);
        }
    }

    /// Writes `root` and what is shown below it. A stack of our own: a trace may be deeper than the program's.
    pub(super) fn write(&mut self, out: &mut dyn Write, root: u32) -> Result<()> {
        let whole = self.trace.spans[root as usize].duration();
        let mut path: Vec<bool> = Vec::new();
        let mut stack = vec![Next { index: root, depth: 0, last: true }];
        while let Some(Next { index, depth, last }) = stack.pop() {
            if std::mem::replace(&mut self.written[index as usize], true) {
                continue;
            }
            path.truncate(depth.saturating_sub(1));
            if depth > 0 {
                path.push(last);
            }
            self.line(out, index, whole, &path)?;
            let (shown, hidden): (Vec<u32>, Vec<u32>) = self
                .children
                .children(index)
                // In a circle the first one comes round again.
                .filter(|&child| !self.written[child as usize])
                .partition(|&child| self.shown[child as usize] && depth + 1 < self.deepest);
            self.error(out, index, &path, !shown.is_empty())?;
            if self.says_more && !hidden.is_empty() {
                let bar = if shown.is_empty() { "   " } else { "│  " };
                let (count, word) = (hidden.len(), if hidden.len() == 1 { "child" } else { "children" });
                writeln!(out, "{:MARGIN$}{}{bar}{DIM}{count} {word} left out{RESET}", "", below(&path))?;
            }
            let count = shown.len();
            let next = shown.into_iter().enumerate().rev();
            stack.extend(next.map(|(place, index)| Next { index, depth: depth + 1, last: place + 1 == count }));
        }
        Ok(())
    }

    fn line(&self, out: &mut dyn Write, index: u32, whole: Option<u64>, path: &[bool]) -> Result<()> {
        let span = &self.trace.spans[index as usize];
        let text = |word| Plain(self.trace.words.text(word));
        let (took, part) = match (span.duration(), whole) {
            (Some(took), Some(whole)) => (duration(took), percent(share(took, whole))),
            (Some(took), None) => (duration(took), String::new()),
            (None, _) => ("?".to_owned(), String::new()),
        };
        let failed = span.facts.failed;
        let (colour, off) = if failed { (RED, RESET) } else { ("", "") };
        write!(out, "{took:>12}  {part:>7}  {}{colour}{}{off}", before(path), text(span.name))?;
        let parent = self.trace.parent(span).filter(|&parent| parent != index);
        if parent.is_some_and(|parent| self.trace.spans[parent as usize].thread != span.thread) {
            write!(out, " {DIM}[{}]{RESET}", text(span.thread))?;
        }
        if failed {
            write!(out, " {RED}failed{RESET}")?;
        }
        let mark = match span.state {
            State::Started => Some("no end seen"),
            State::Unfinished => Some("unfinished"),
            State::Ended | State::Repeated => None,
        };
        let lost = span.parent_dropped.then_some("real parent dropped");
        let alone = (parent.is_none() && span.facts.parent != 0).then_some("parent not in the trace");
        for mark in [mark, lost, alone].into_iter().flatten() {
            write!(out, " {YELLOW}({mark}){RESET}")?;
        }
        writeln!(out)
    }

    fn error(&self, out: &mut dyn Write, index: u32, path: &[bool], more: bool) -> Result<()> {
        let Some(told) = self.trace.errors.get(&index) else { return Ok(()) };
        let bar = format!("{:MARGIN$}{}{}", "", below(path), if more { "│  " } else { "   " });
        let (what, message) = (Plain(&told.error_type), Plain(&told.message));
        writeln!(out, "{bar}{RED}error[{what}]{RESET}: {message}")?;
        if !told.help.is_empty() {
            writeln!(out, "{bar}  = help: {}", Plain(&told.help))?;
        }
        Ok(())
    }
}
