//! Takes the lines one by one, and keeps what the rules about the whole trace need.

use std::collections::{HashMap, HashSet};

use super::finding::{Finding, Severity, Site};
use super::{attributes, outcome, span};
use crate::input::{Place, Read1};
use crate::line::{Attributes, Flaw, Kind, Line, parse};
use crate::names::Names;
use crate::trace::Trace;

/// The version of the line that this program knows.
const SCHEMA_VERSION: u64 = 1;

/// What is known after some lines.
pub(crate) struct Checker<'n> {
    pub(super) names: &'n Names,
    pub(super) trace: Trace,
    /// What the rules about the whole trace want to know of each span, by its index.
    pub(super) more: Vec<More>,
    /// Of the lines since it was emptied.
    pub(super) found: Vec<(Site, Finding)>,
    /// What was found out about each attribute key.
    pub(super) keys: HashMap<String, attributes::Verdict<'n>>,
    started: HashSet<u32>,
}

/// More about a span than the other commands need.
#[derive(Debug, Clone, Copy)]
pub(super) struct More {
    pub(super) place: Place,
    /// A hash of the attributes that say what the span works on.
    pub(super) attributes: u64,
}

/// A line about a span, taken apart.
pub(super) struct SpanLine<'a> {
    pub(super) line: &'a Line<'a>,
    pub(super) kind: Kind,
    pub(super) failed: bool,
    pub(super) attributes: &'a Attributes<'a>,
}

impl SpanLine<'_> {
    pub(super) fn span_type(&self) -> &str {
        self.line.span_type.as_deref().unwrap_or_default()
    }

    pub(super) fn name(&self) -> &str {
        self.line.span.as_deref().unwrap_or_default()
    }
}

impl<'n> Checker<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Self {
            names,
            trace: Trace::default(),
            more: Vec::new(),
            found: Vec::new(),
            keys: HashMap::new(),
            started: HashSet::new(),
        }
    }

    /// Looks at one line.
    pub(super) fn line(&mut self, read: &Read1<'_>) {
        let place = Some(read.place);
        let line = match parse(read.bytes, read.whole) {
            Ok(line) => line,
            Err(flaw) => return self.flaw(Site { place, ..Site::default() }, flaw),
        };
        let text = |text: &Option<crate::line::Text<'_>>| text.as_deref().unwrap_or_default().to_owned();
        let site = Site { place, span: text(&line.span), span_id: text(&line.span_id), trace_id: text(&line.trace_id) };
        let kind = match line.kind() {
            Ok(kind) => kind,
            Err(flaw) => return self.flaw(site, flaw),
        };
        if self.started.insert(read.place.file) && kind != Kind::Header {
            let help = "give the whole file; without its header nobody knows the version of the lines";
            self.found
                .push((site.clone(), Finding::warning("no-header", "the trace does not start with a header", help)));
        }
        match kind {
            Kind::Header => self.header(site, &line),
            Kind::Span | Kind::Start | Kind::Unfinished => self.span(site, &line, kind, read.place),
            Kind::Event => attributes::event(self, &site, &line),
            Kind::Dropped => {
                self.trace.drop_record(&line);
                let count = line.count.unwrap_or(1);
                let reason = line.reason.as_deref().unwrap_or("no reason given");
                let help = "make the rings larger (`ring_bytes`), or record less (`KINA_OBSERV_LEVEL`, `RUST_LOG`)";
                let message = format!("{count} records are lost: {reason}");
                self.found.push((site, Finding::warning("dropped-records", message, help)));
            }
            Kind::Other => {}
        }
    }

    fn flaw(&mut self, site: Site, flaw: Flaw) {
        // A program that still runs has half a line in its file, and that is no fault.
        let severity = if flaw.id == "torn-line" { Severity::Warning } else { Severity::Error };
        self.found.push((site, Finding { severity, ..Finding::error(flaw.id, flaw.message, flaw.help) }));
    }

    fn header(&mut self, site: Site, line: &Line<'_>) {
        let message = match line.schema_version {
            Some(SCHEMA_VERSION) => return,
            Some(version) => format!("the lines have version {version}, this program knows {SCHEMA_VERSION}"),
            None => "the header has no `schema_version`".to_owned(),
        };
        let help = "use the `kina-observ` of the version that wrote the trace";
        self.found.push((site, Finding::error("unknown-schema-version", message, help)));
    }

    fn span(&mut self, site: Site, line: &Line<'_>, kind: Kind, place: Place) {
        let facts = match line.facts(kind) {
            Ok(facts) => facts,
            Err(flaw) => return self.flaw(site, flaw),
        };
        let Some(pairs) = Attributes::of(line) else {
            let flaw = Flaw {
                id: "wrong-line",
                message: "`attributes` is no object".to_owned(),
                help: "write `\"attributes\":{..}`, empty if there are none",
            };
            return self.flaw(site, flaw);
        };
        self.trace.add(line, kind, facts);
        self.more.push(More { place, attributes: attributes::what_it_works_on(&pairs) });
        let span = SpanLine { line, kind, failed: facts.failed, attributes: &pairs };
        let before = self.found.len();
        span::check(self, &span);
        attributes::check(self, &span);
        outcome::check(self, &span);
        for (known, _) in &mut self.found[before..] {
            known.clone_from(&site);
        }
    }

    /// A finding about the line at hand.
    pub(super) fn find(&mut self, finding: Finding) {
        self.found.push((Site::default(), finding));
    }

    /// Where the span with this index stands.
    pub(super) fn site(&self, index: u32) -> Site {
        let span = &self.trace.spans[index as usize];
        Site {
            place: Some(self.more[index as usize].place),
            span: self.trace.words.text(span.name).to_owned(),
            span_id: format!("{:016x}", span.facts.span_id),
            trace_id: format!("{:032x}", span.facts.trace_id),
        }
    }
}
