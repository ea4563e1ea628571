//! The JSON line: every kind in its exact form, held against the published schema, whatever the texts hold.

mod common;
#[path = "common/records.rs"]
mod records;

use kina_observ::config::{Builder, Rotation};
use kina_observ::record::{AttrValue, DroppedRecord, ErrorText, EventRecord, Record, SpanRecord};
use kina_observ::site::Facts;
use kina_observ::{SpanId, SpanKind};
use records::{MATMUL, START_NS, context, event, span};
use serde_json::{Value, json};

const MODULE: &str = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11";

static PREFILL: Facts = Facts { span_type: "tl.engine.v1.EngineControl.Prefill", kind: SpanKind::Client, ..MATMUL };

/// The lines that the records give, after the header.
fn lines(records: &[Record<'_>]) -> Vec<String> {
    let (_folder, path) = common::trace_file();
    let builder = Builder::new().trace_output(&path).rotation(Rotation::NEVER).service_name("kina-engine");
    let mut outputs = builder.open_outputs(&builder.header("tsc")).unwrap();
    for record in records {
        outputs[0].write(record);
    }
    outputs[0].flush();
    let tally = outputs[0].tally();
    assert_eq!((tally.written, tally.lost, tally.last_error), (records.len() as u64, 0, None));
    assert_eq!(common::of_kind(&common::lines(&path), "header").len(), 1);
    let text = std::fs::read_to_string(&path).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    assert!(header.contains("\"kind\":\"header\""));
    rest.lines().map(str::to_owned).collect()
}

fn check(record: Record<'_>, expected: &str) {
    assert_eq!(lines(&[record]), [expected]);
}

#[test]
fn the_smallest_span() {
    check(
        Record::Span(span(&MATMUL)),
        r#"{"ts":"2026-05-08T20:45:12.183456789Z","kind":"span","level":"INFO","span":"runtime.gpu.matmul","type":"runtime.gpu.matmul","trace_id":"00000000000000000000000000000abc","span_id":"000000000000001f","duration_ms":2.8,"thread":"main","attributes":{},"event":"complete"}"#,
    );
}

#[test]
fn a_span_with_everything() {
    let attributes = [
        ("runtime.shape.m", AttrValue::Int(128)),
        ("runtime.dtype", AttrValue::Str("f32".into())),
        ("runtime.share", AttrValue::Double(0.5)),
        ("runtime.captured", AttrValue::Boolean(true)),
        ("runtime.shape", AttrValue::Ints(vec![128, -1])),
        ("error.type", AttrValue::Str("shape_mismatch".into())),
    ];
    let error = ErrorText {
        error_type: "shape_mismatch".to_owned(),
        message: "`a` has 3 columns".to_owned(),
        help: "transpose `a`".to_owned(),
        span_path: "step > runtime.gpu.matmul".to_owned(),
    };
    let record = SpanRecord {
        name: "matmul \"f32\"",
        parent: SpanId::new(0x2f),
        module: Some(MODULE.parse().unwrap()),
        duration_ns: 1_234_567_890,
        failed: true,
        attributes: &attributes,
        links: &[context(1, 2), context(3, 4)],
        error: Some(&error),
        ..span(&PREFILL)
    };
    check(
        Record::Span(record),
        r#"{"ts":"2026-05-08T20:45:12.183456789Z","kind":"span","level":"INFO","span":"matmul \"f32\"","type":"tl.engine.v1.EngineControl.Prefill","span_kind":"client","trace_id":"00000000000000000000000000000abc","span_id":"000000000000001f","parent_span_id":"000000000000002f","module_id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11","duration_ms":1234.56789,"status":"ERROR","thread":"main","attributes":{"runtime.shape.m":128,"runtime.dtype":"f32","runtime.share":0.5,"runtime.captured":true,"runtime.shape":[128,-1],"error.type":"shape_mismatch","runtime.module.id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11","module_id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11"},"event":"complete","links":[{"trace_id":"00000000000000000000000000000001","span_id":"0000000000000002"},{"trace_id":"00000000000000000000000000000003","span_id":"0000000000000004"}],"error":{"type":"shape_mismatch","message":"`a` has 3 columns","help":"transpose `a`","span_path":"step > runtime.gpu.matmul"}}"#,
    );
}

#[test]
fn a_span_that_started_and_one_that_never_ended() {
    let record = || SpanRecord { duration_ns: 0, module: Some(MODULE.parse().unwrap()), ..span(&MATMUL) };
    let line = |kind: &str| {
        format!(
            r#"{{"ts":"2026-05-08T20:45:12.183456789Z","kind":"{kind}","level":"INFO","span":"runtime.gpu.matmul","type":"runtime.gpu.matmul","trace_id":"00000000000000000000000000000abc","span_id":"000000000000001f","module_id":"{MODULE}","thread":"main","attributes":{{"runtime.module.id":"{MODULE}","module_id":"{MODULE}"}}}}"#
        )
    };
    check(Record::Start(record()), &line("start"));
    check(Record::Unfinished(record()), &line("unfinished"));
}

#[test]
fn an_event_in_and_out_of_a_span() {
    check(
        Record::Event(event("starting")),
        r#"{"ts":"2026-05-08T20:45:12.183456789Z","kind":"event","level":"DEBUG","service":"kina-engine","target":"kina_runtime","thread":"worker 1","attributes":{},"msg":"starting"}"#,
    );
    let fields = [
        ("rows", AttrValue::Int(3)),
        ("module_id", AttrValue::Str("forged".into())),
        ("rows", AttrValue::Int(4)),
        ("odd \"name\"", AttrValue::Boolean(false)),
    ];
    let inside = EventRecord {
        fields: &fields,
        context: Some(context(0xabc, 0x1f)),
        module: Some(MODULE.parse().unwrap()),
        ..event("two\nlines")
    };
    check(
        Record::Event(inside),
        r#"{"ts":"2026-05-08T20:45:12.183456789Z","kind":"event","level":"DEBUG","trace_id":"00000000000000000000000000000abc","span_id":"000000000000001f","module_id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11","service":"kina-engine","target":"kina_runtime","thread":"worker 1","attributes":{"rows":3,"odd \"name\"":false,"runtime.module.id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11","module_id":"6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11"},"msg":"two\nlines"}"#,
    );
}

#[test]
fn a_loss_is_a_line() {
    check(
        Record::Dropped(DroppedRecord { time_ns: START_NS, count: 12, thread: "worker 1", reason: "ring full" }),
        r#"{"ts":"2026-05-08T20:45:12.183456789Z","kind":"dropped","level":"WARN","thread":"worker 1","count":12,"reason":"ring full"}"#,
    );
}

#[test]
fn both_ways_to_filter_by_module_agree() {
    let other = "00000000-0000-0000-0000-000000000001";
    let modules = [Some(MODULE), None, Some(other), Some(MODULE)];
    let records = modules.map(|module| {
        let module = module.map(|module| module.parse().unwrap());
        Record::Span(SpanRecord { module, ..span(&MATMUL) })
    });
    for (line, module) in lines(&records).iter().zip(modules) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["module_id"].as_str(), module);
        assert_eq!(line["attributes"]["module_id"].as_str(), module);
        assert_eq!(line["attributes"]["runtime.module.id"].as_str(), module);
    }
}

#[test]
fn numbers_keep_their_type_and_value() {
    let attributes = [
        ("least", AttrValue::Int(i64::MIN)),
        ("most", AttrValue::Int(i64::MAX)),
        ("whole", AttrValue::Double(3.0)),
        ("tiny", AttrValue::Double(5e-324)),
        ("huge", AttrValue::Double(f64::MAX)),
        ("nan", AttrValue::Double(f64::NAN)),
        ("up", AttrValue::Double(f64::INFINITY)),
        ("down", AttrValue::Double(f64::NEG_INFINITY)),
        ("none", AttrValue::Ints(Vec::new())),
    ];
    let line = &lines(&[Record::Span(SpanRecord { attributes: &attributes, ..span(&MATMUL) })])[0];
    let line: Value = serde_json::from_str(line).unwrap();
    let expected = json!({
        "least": i64::MIN, "most": i64::MAX, "whole": 3.0, "tiny": 5e-324, "huge": f64::MAX,
        "nan": "NaN", "up": "Infinity", "down": "-Infinity", "none": [],
    });
    assert_eq!(line["attributes"], expected);
    assert!(line["attributes"]["whole"].is_f64());
}

#[test]
fn any_text_comes_back() {
    // xorshift: the same texts in every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32 % below
    };
    let mut texts: Vec<String> = (0..=0x2ff).map(|code| char::from_u32(code).unwrap().to_string()).collect();
    for length in 0..1_000 {
        let character = |_| match random(4) {
            0 => char::from_u32(random(0x30)).unwrap_or(' '),
            1 => ['"', '\\', '/', '\u{7f}', '\u{2028}', '\u{feff}', '\u{fffd}', '😀'][random(8) as usize],
            2 => char::from_u32(random(0x11_0000)).unwrap_or('\u{fffd}'),
            _ => char::from_u32(0x61 + random(26)).unwrap(),
        };
        texts.push((0..length % 40).map(character).collect());
    }
    let records: Vec<_> = texts.iter().map(|text| Record::Event(event(text))).collect();
    for (line, text) in lines(&records).iter().zip(&texts) {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["msg"].as_str(), Some(text.as_str()));
    }
}

#[test]
fn the_schema_refuses_what_we_do_not_write() {
    let schema = include_str!("../../docs/trace-line.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let line: Value = serde_json::from_str(&lines(&[Record::Span(span(&MATMUL))])[0]).unwrap();
    let refuses = |change: fn(&mut serde_json::Map<String, Value>)| {
        let mut changed = line.clone();
        change(changed.as_object_mut().unwrap());
        assert!(!schema.is_valid(&changed), "{changed}");
    };
    assert!(schema.is_valid(&line));
    for required in
        ["ts", "kind", "level", "span", "type", "trace_id", "span_id", "duration_ms", "thread", "attributes"]
    {
        let mut changed = line.clone();
        changed.as_object_mut().unwrap().remove(required);
        assert!(!schema.is_valid(&changed), "without {required}");
    }
    refuses(|line| drop(line.insert("spam".to_owned(), json!(1))));
    refuses(|line| drop(line.insert("kind".to_owned(), json!("spam"))));
    refuses(|line| drop(line.insert("ts".to_owned(), json!("2026-05-08"))));
    refuses(|line| drop(line.insert("level".to_owned(), json!("info"))));
    refuses(|line| drop(line.insert("trace_id".to_owned(), json!("00000000000000000000000000000000"))));
    refuses(|line| drop(line.insert("duration_ms".to_owned(), json!("2.8ms"))));
    refuses(|line| drop(line.insert("attributes".to_owned(), json!({"runtime.shape.m": null}))));
    refuses(|line| drop(line.insert("attributes".to_owned(), json!({"Not A Key": 1}))));
}
