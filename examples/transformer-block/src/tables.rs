//! The two tables at the end: where the time went.

use std::fmt::Write as _;

use kina_observ::SpanTotal;

/// A kernel on a thread of the CPU.
const KERNEL: &str = "runtime.kernel.execute";
/// A kernel as the device measured it, at level `kernel`.
const ON_DEVICE: &str = "runtime.kernel.device";
const STEP: &str = "transformer.step";

/// Kernels, spans, and the headline.
///
/// A kernel's share is of all kernels' time. A span's share is of the steps' time: spans lie inside each other, so that those do
/// not add up.
pub(crate) fn render(totals: &[SpanTotal]) -> String {
    // Only the CPU can say more of its kernels than a device does.
    let kernel = if totals.iter().any(|total| total.span_type == KERNEL) { KERNEL } else { ON_DEVICE };
    let kernels: Vec<Row<'_>> = rows(totals, |total| total.span_type == kernel);
    let spans: Vec<Row<'_>> = rows(totals, |total| ![KERNEL, ON_DEVICE].contains(&total.span_type));
    let of_kernels = kernels.iter().map(|row| row.nanoseconds).sum();
    let of_steps = totals.iter().filter(|total| total.span_type == STEP).map(|total| total.total_ns).sum();
    let mut text = String::new();
    table(&mut text, "kernel", &kernels, of_kernels);
    table(&mut text, "span", &spans, of_steps);
    if let Some(row) = kernels.first() {
        _ = writeln!(text, "\nyou spent {:.0} % in {}", share(row.nanoseconds, of_kernels), row.name);
    }
    text
}

struct Row<'a> {
    name: &'a str,
    count: u64,
    nanoseconds: u64,
}

fn rows<'a>(totals: &'a [SpanTotal], which: impl Fn(&SpanTotal) -> bool) -> Vec<Row<'a>> {
    let mut rows: Vec<_> = totals
        .iter()
        .filter(|total| which(total))
        .map(|total| Row { name: &total.name, count: total.count, nanoseconds: total.total_ns })
        .collect();
    rows.sort_by(|a, b| b.nanoseconds.cmp(&a.nanoseconds).then(a.name.cmp(b.name)));
    rows
}

fn table(text: &mut String, title: &str, rows: &[Row<'_>], whole: u64) {
    let width = rows.iter().map(|row| row.name.len()).chain([title.len()]).max().unwrap_or(0);
    _ = writeln!(text, "\n{title:width$}  {:>7}  {:>11}  {:>7}", "count", "total ms", "share");
    for row in rows {
        let (total, share) = (row.nanoseconds as f64 / 1e6, share(row.nanoseconds, whole));
        _ = writeln!(text, "{:width$}  {:>7}  {total:>11.3}  {share:>5.1} %", row.name, row.count);
    }
}

fn share(part: u64, whole: u64) -> f64 {
    // A run too short to measure has spent nothing anywhere.
    100.0 * part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(name: &str, span_type: &'static str, count: u64, total_ns: u64) -> SpanTotal {
        SpanTotal { name: name.to_owned(), span_type, count, errors: 0, total_ns, own_ns: total_ns }
    }

    #[test]
    fn what_a_device_measured_makes_the_table_where_nothing_else_does() {
        let measured = total("gelu_f32", ON_DEVICE, 2, 10);
        assert!(render(&[measured]).ends_with("you spent 100 % in gelu_f32\n"));
        let both = [total("gelu_f32", ON_DEVICE, 2, 10), total("add_f32", KERNEL, 1, 1)];
        assert!(!render(&both).contains("gelu_f32"));
    }

    #[test]
    fn the_largest_comes_first_and_makes_the_headline() {
        let totals = [
            total("add_f32", KERNEL, 2, 390_000),
            total("matmul_f32", KERNEL, 7, 610_000),
            total("runtime.gpu.matmul", "runtime.gpu.matmul", 7, 500_000),
            total("step", STEP, 1, 2_000_000),
        ];
        let expected = "
kernel        count     total ms    share
matmul_f32        7        0.610   61.0 %
add_f32           2        0.390   39.0 %

span                  count     total ms    share
step                      1        2.000  100.0 %
runtime.gpu.matmul        7        0.500   25.0 %

you spent 61 % in matmul_f32
";
        assert_eq!(render(&totals), expected);
    }
}
