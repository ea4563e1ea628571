//! A table for people: the first column to the left, numbers to the right.

use std::io::{Result, Write};

use crate::paint::{BOLD, Plain, RESET};

/// Longer names would push the numbers out of the window.
const WIDEST: usize = 60;

/// Writes `head` and `rows`; every row has as many cells as the head.
pub(crate) fn write(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0).min(WIDEST)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[&str]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let cell = Plain(&short(cell)).to_string();
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{BOLD}{}{RESET}", line(head))?;
    for row in rows {
        writeln!(out, "{}", line(&row.iter().map(String::as_str).collect::<Vec<_>>()))?;
    }
    Ok(())
}

fn short(cell: &str) -> String {
    if cell.chars().count() <= WIDEST {
        return cell.to_owned();
    }
    cell.chars().take(WIDEST - 1).chain(['…']).collect()
}
