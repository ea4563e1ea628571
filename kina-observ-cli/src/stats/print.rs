//! The table for people, for programs and for spreadsheets.

use std::io::{Result, Write};

use serde::Serialize;

use super::rows::Row;
use crate::cli::By;
use crate::paint::{BOLD, DIM, Plain, RESET};
use crate::table;
use crate::trace::Trace;
use crate::units::{counted, duration, percent, share};

pub(super) fn human(out: &mut dyn Write, by: By, all: &[Row], shown: &[Row], trace: &Trace) -> Result<()> {
    if all.is_empty() {
        writeln!(out, "no span ended in this trace")?;
    } else {
        headline(out, by, all)?;
        let own = sum_own(all);
        let cells = |row: &Row| {
            vec![
                row.key.clone(),
                row.count.to_string(),
                duration(row.own_ns),
                percent(share(row.own_ns, own)),
                duration(row.total_ns),
                duration(row.p50_ns),
                duration(row.p95_ns),
                duration(row.p99_ns),
                duration(row.max_ns),
                row.errors.to_string(),
            ]
        };
        let first = match by {
            By::Name => "name",
            By::Type => "type",
            By::Module => "module",
        };
        let head = [first, "count", "self", "self %", "total", "p50", "p95", "p99", "max", "errors"];
        table::write(out, &head, &shown.iter().map(cells).collect::<Vec<_>>())?;
        if shown.len() < all.len() {
            writeln!(out, "{DIM}and {} more{RESET}", counted((all.len() - shown.len()) as u64, "row"))?;
        }
        writeln!(
            out,
            "\nself: in the span itself, without its children on the same thread; self % is its share of all self time"
        )?;
        writeln!(
            out,
            "total: from start to end, children included; the spans of several threads add up, nested ones too"
        )?;
    }
    let open = trace.each().filter(|(_, span)| span.duration().is_none()).count();
    if open > 0 {
        writeln!(out, "not counted: {} without an end", counted(open as u64, "span"))?;
    }
    let lost: u64 = trace.dropped.iter().map(|(count, _)| count).sum();
    if lost > 0 {
        writeln!(out, "not counted: {} that were dropped", counted(lost, "record"))?;
    }
    Ok(())
}

fn headline(out: &mut dyn Write, by: By, rows: &[Row]) -> Result<()> {
    let work: u64 = rows.iter().map(|row| row.work_ns).sum();
    let Some(most) = rows.iter().max_by_key(|row| row.work_ns).filter(|row| row.work_ns > 0) else {
        return Ok(());
    };
    let module = if by == By::Module { "module " } else { "" };
    let (part, key) = (share(most.work_ns, work) * 100.0, Plain(&most.key));
    write!(out, "{BOLD}you spent {part:.0} % in {module}{key}{RESET}")?;
    let waited = sum_own(rows) - work;
    if waited > 0 {
        write!(out, " {DIM}(without {} of waiting in `synchronize`){RESET}", duration(waited))?;
    }
    writeln!(out, "\n")
}

fn sum_own(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.own_ns).sum()
}

/// Durations are numbers in milliseconds, as in the trace.
#[derive(Serialize)]
struct Object<'a> {
    key: &'a str,
    count: u64,
    errors: u64,
    self_ms: f64,
    self_share: f64,
    total_ms: f64,
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

pub(super) fn json(out: &mut dyn Write, all: &[Row], shown: &[Row]) -> Result<()> {
    let own = sum_own(all);
    let ms = |ns: u64| ns as f64 / 1e6;
    for row in shown {
        let object = Object {
            key: &row.key,
            count: row.count,
            errors: row.errors,
            self_ms: ms(row.own_ns),
            self_share: (share(row.own_ns, own) * 1e6).round() / 1e6,
            total_ms: ms(row.total_ns),
            p50_ms: ms(row.p50_ns),
            p95_ms: ms(row.p95_ns),
            p99_ms: ms(row.p99_ns),
            max_ms: ms(row.max_ns),
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    }
    Ok(())
}

pub(super) fn csv(out: &mut dyn Write, all: &[Row], shown: &[Row]) -> Result<()> {
    let own = sum_own(all);
    writeln!(out, "key,count,errors,self_ms,self_share,total_ms,p50_ms,p95_ms,p99_ms,max_ms")?;
    for row in shown {
        let times = [row.total_ns, row.p50_ns, row.p95_ns, row.p99_ns, row.max_ns].map(exact).join(",");
        let (own_ms, part) = (exact(row.own_ns), share(row.own_ns, own));
        writeln!(out, "{},{},{},{own_ms},{part:.6},{times}", quoted(&row.key), row.count, row.errors)?;
    }
    Ok(())
}

/// Milliseconds to the nanosecond.
fn exact(ns: u64) -> String {
    format!("{}.{:06}", ns / 1_000_000, ns % 1_000_000)
}

/// Quotes where a comma, a quote or a line end would end the cell, or a spreadsheet would see a formula.
fn quoted(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::{exact, quoted};

    #[test]
    fn cells() {
        assert_eq!(quoted("launch a"), "launch a");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(exact(13_943_127), "13.943127");
    }
}
