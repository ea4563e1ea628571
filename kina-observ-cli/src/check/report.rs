//! Findings for people, as a compiler shows them, and for programs.

use std::collections::HashMap;
use std::io::{Result, Write};

use serde::Serialize;

use super::coverage::Coverage;
use super::finding::{Finding, Severity, Site};
use crate::input::{Files, Place};
use crate::paint::{BLUE, BOLD, Plain, RED, RESET, YELLOW};
use crate::units::counted;

/// A person reads no more than that, and each costs memory until the end; `--format json` has all.
const MOST: usize = 1000;

/// How many there were.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tally {
    pub(super) errors: u64,
    pub(super) warnings: u64,
}

impl Tally {
    fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
    }
}

/// Where findings go.
pub(super) trait Report {
    fn finding(&mut self, files: &Files, site: Site, finding: Finding) -> Result<()>;

    /// After the last finding.
    fn end(&mut self, files: &Files, spans: usize, coverage: Option<Coverage>) -> Result<Tally>;
}

/// Each kind of finding once, with how many more there are like it.
pub(super) struct Human<'o> {
    out: &'o mut dyn Write,
    tally: Tally,
    groups: Vec<Group>,
    by_text: HashMap<(&'static str, String), usize>,
    beyond: u64,
}

struct Group {
    site: Site,
    finding: Finding,
    more: u64,
    last: Option<Place>,
}

impl<'o> Human<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, tally: Tally::default(), groups: Vec::new(), by_text: HashMap::new(), beyond: 0 }
    }

    fn show(&mut self, files: &Files, group: &Group) -> Result<()> {
        let Group { site, finding, more, last } = group;
        let place = |place: Place| format!("{}:{}", files.name(place), place.line);
        let mut facts = Vec::new();
        if !site.span_id.is_empty() {
            let span = if site.span.is_empty() { String::new() } else { format!("`{}` ", site.span) };
            facts.push(("span", format!("{span}{}, trace {}", site.span_id, site.trace_id)));
        }
        facts.push(("help", finding.help.clone()));
        if let Some(last) = last {
            facts.push(("note", format!("{more} more like this, the last at {}", place(*last))));
        }
        let facts: Vec<(&str, &str)> = facts.iter().map(|(word, text)| (*word, text.as_str())).collect();
        show(self.out, finding, site.place.map(place).as_deref(), &facts)
    }
}

/// One finding as a compiler shows it: what, where, and a line for each fact.
pub(crate) fn show(out: &mut dyn Write, finding: &Finding, place: Option<&str>, facts: &[(&str, &str)]) -> Result<()> {
    let (colour, word) = match finding.severity {
        Severity::Error => (RED, "error"),
        Severity::Warning => (YELLOW, "warning"),
        Severity::Note => (BLUE, "note"),
    };
    let message = Plain(&finding.message);
    writeln!(out, "{colour}{word}[{}]{RESET}{BOLD}: {message}{RESET}", finding.id)?;
    if let Some(place) = place {
        writeln!(out, "  {BLUE}-->{RESET} {}", Plain(place))?;
    }
    for (word, text) in facts {
        writeln!(out, "  {BLUE}={RESET} {word}: {}", Plain(text))?;
    }
    writeln!(out)
}

impl Report for Human<'_> {
    fn finding(&mut self, _: &Files, site: Site, finding: Finding) -> Result<()> {
        self.tally.count(finding.severity);
        let key = (finding.id, finding.message.clone());
        if let Some(&known) = self.by_text.get(&key) {
            let group = &mut self.groups[known];
            group.more += 1;
            group.last = site.place;
        } else if self.groups.len() == MOST {
            self.beyond += 1;
        } else {
            self.by_text.insert(key, self.groups.len());
            self.groups.push(Group { site, finding, more: 0, last: None });
        }
        Ok(())
    }

    fn end(&mut self, files: &Files, spans: usize, coverage: Option<Coverage>) -> Result<Tally> {
        let mut groups = std::mem::take(&mut self.groups);
        groups.sort_by_key(|group| group.site.place);
        groups.iter().try_for_each(|group| self.show(files, group))?;
        let Tally { errors, warnings } = self.tally;
        if self.beyond > 0 {
            writeln!(self.out, "{} not shown; `--format json` has all\n", counted(self.beyond, "more finding"))?;
        }
        if errors + warnings > 0 {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            writeln!(self.out, "{errors}, {warnings} in {}", counted(spans as u64, "span"))?;
        }
        if let Some(Coverage { seen, never }) = coverage {
            writeln!(self.out, "{seen} of {} appear", counted((seen + never.len()) as u64, "registered span type"))?;
            if !never.is_empty() {
                writeln!(self.out, "never seen:")?;
            }
            never.iter().try_for_each(|key| writeln!(self.out, "  {key}"))?;
        }
        Ok(self.tally)
    }
}

/// One object a line, as soon as it is found.
pub(super) struct Json<'o> {
    out: &'o mut dyn Write,
    tally: Tally,
}

/// The keys of a line, in their order; `null` where there is nothing.
#[derive(Serialize)]
struct Object<'a> {
    id: &'a str,
    severity: Severity,
    file: Option<&'a str>,
    line: Option<u32>,
    message: &'a str,
    help: &'a str,
    span_id: Option<&'a str>,
    trace_id: Option<&'a str>,
}

impl<'o> Json<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, tally: Tally::default() }
    }
}

impl Report for Json<'_> {
    fn finding(&mut self, files: &Files, site: Site, finding: Finding) -> Result<()> {
        self.tally.count(finding.severity);
        let file = site.place.map(|place| files.name(place));
        let some = |text| Some(text).filter(|text: &&str| !text.is_empty());
        let object = Object {
            id: finding.id,
            severity: finding.severity,
            file: file.as_deref(),
            line: site.place.map(|place| place.line),
            message: &finding.message,
            help: &finding.help,
            span_id: some(&*site.span_id),
            trace_id: some(&*site.trace_id),
        };
        serde_json::to_writer(&mut *self.out, &object)?;
        writeln!(self.out)
    }

    fn end(&mut self, files: &Files, _: usize, coverage: Option<Coverage>) -> Result<Tally> {
        for key in coverage.map(|coverage| coverage.never).unwrap_or_default() {
            let message = format!("`{key}` never appears");
            let help = "run what records it, or remove it from the registry";
            let finding = Finding { severity: Severity::Note, ..Finding::error("never-seen", message, help) };
            self.finding(files, Site::default(), finding)?;
        }
        Ok(self.tally)
    }
}
