//! The line for people: its exact form, and that no text of the program can pass for a line of ours.

mod common;
#[path = "common/records.rs"]
mod records;

use kina_observ::config::{Builder, Format, Rotation};
use kina_observ::record::{AttrValue, DroppedRecord, ErrorText, Record, SpanRecord};
use records::{MATMUL, START_NS, event, span};

fn check(record: Record<'_>, expected: &str) {
    let (_folder, path) = common::trace_file();
    let builder = Builder::new().trace_output(&path).trace_format(Format::Text).rotation(Rotation::NEVER);
    let mut outputs = builder.open_outputs(&builder.header("tsc")).unwrap();
    outputs[0].write(&record);
    outputs[0].flush();
    assert_eq!(outputs[0].tally().written, 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_span_that_ended() {
    let attributes = [
        ("runtime.shape.m", AttrValue::Int(128)),
        ("runtime.dtype", AttrValue::Str("f32".into())),
        ("runtime.label", AttrValue::Str("a \"b\"\n".into())),
        ("runtime.empty", AttrValue::Str("".into())),
        ("runtime.share", AttrValue::Double(f64::NAN)),
        ("runtime.captured", AttrValue::Boolean(true)),
        ("runtime.shape", AttrValue::Ints(vec![128, 64])),
    ];
    check(
        Record::Span(SpanRecord { attributes: &attributes, ..span(&MATMUL) }),
        "[2026-05-08T20:45:12.186256Z INFO  kina_runtime] runtime.gpu.matmul completed in 2.8ms \
         runtime.shape.m=128 runtime.dtype=f32 runtime.label=\"a \\\"b\\\"\\n\" runtime.empty=\"\" runtime.share=NaN \
         runtime.captured=true runtime.shape=[128,64]\n",
    );
    let module = Some("6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11".parse().unwrap());
    check(
        Record::Span(SpanRecord { module, ..span(&MATMUL) }),
        "[2026-05-08T20:45:12.186256Z INFO  kina_runtime] runtime.gpu.matmul completed in 2.8ms \
         module_id=6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11\n",
    );
}

#[test]
fn a_span_that_failed() {
    let failed = || SpanRecord { failed: true, ..span(&MATMUL) };
    check(
        Record::Span(failed()),
        "[2026-05-08T20:45:12.186256Z ERROR kina_runtime] runtime.gpu.matmul failed after 2.8ms\n",
    );
    let mut error = ErrorText {
        error_type: "shape_mismatch".to_owned(),
        message: "`a` has 3 columns,\n`b` has 4 rows".to_owned(),
        help: "transpose `a`".to_owned(),
        span_path: "step > runtime.gpu.matmul".to_owned(),
    };
    check(
        Record::Span(SpanRecord { error: Some(&error), ..failed() }),
        "[2026-05-08T20:45:12.186256Z ERROR kina_runtime] runtime.gpu.matmul failed after 2.8ms\n\
         error[shape_mismatch]: `a` has 3 columns,\n    `b` has 4 rows\n  \
           = trace context: step > runtime.gpu.matmul\n  \
           = help: transpose `a`\n",
    );
    error.help.clear();
    error.span_path.clear();
    check(
        Record::Span(SpanRecord { error: Some(&error), ..failed() }),
        "[2026-05-08T20:45:12.186256Z ERROR kina_runtime] runtime.gpu.matmul failed after 2.8ms\n\
         error[shape_mismatch]: `a` has 3 columns,\n    `b` has 4 rows\n",
    );
}

#[test]
fn the_other_kinds() {
    let open = || SpanRecord { duration_ns: 0, ..span(&MATMUL) };
    let dropped = DroppedRecord { time_ns: START_NS, count: 12, thread: "worker 1", reason: "ring full" };
    check(Record::Start(open()), "[2026-05-08T20:45:12.183456Z INFO  kina_runtime] runtime.gpu.matmul started\n");
    check(
        Record::Unfinished(open()),
        "[2026-05-08T20:45:12.183456Z WARN  kina_runtime] runtime.gpu.matmul did not finish\n",
    );
    check(
        Record::Dropped(dropped),
        "[2026-05-08T20:45:12.183456Z WARN  kina_observ] 12 records were lost thread=\"worker 1\" reason=\"ring full\"\n",
    );
    check(Record::Event(event("allocated")), "[2026-05-08T20:45:12.183456Z DEBUG kina_runtime] allocated\n");
}

#[test]
fn a_message_cannot_pass_for_a_line_or_command_the_terminal() {
    check(
        Record::Event(event(
            "one\n[2026-05-08T20:45:12.183456Z ERROR kina_runtime] forged\x1b[2J\u{202e}\r\u{9b}31m µ",
        )),
        "[2026-05-08T20:45:12.183456Z DEBUG kina_runtime] one\n    \
         [2026-05-08T20:45:12.183456Z ERROR kina_runtime] forged\\u{1b}[2J\\u{202e}\\u{d}\\u{9b}31m µ\n",
    );
}
