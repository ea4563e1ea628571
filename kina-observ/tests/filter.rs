//! `RUST_LOG` directives decide by module, and change while the program runs.

mod common;

use kina_observ::{Level, builder, ffi_span, set_filter, set_level};

mod loud {
    use super::*;
    #[ffi_span(runtime.gpu.softmax)]
    #[unsafe(no_mangle)]
    pub(super) extern "C" fn loud_softmax(m: i64, n: i64) -> i32 {
        i32::from(m + n < 0)
    }
}

mod quiet {
    use super::*;
    #[ffi_span(runtime.gpu.softmax, level = debug)]
    #[unsafe(no_mangle)]
    pub(super) extern "C" fn quiet_softmax(m: i64, n: i64) -> i32 {
        i32::from(m + n < 0)
    }
}

fn both(m: i64) {
    loud::loud_softmax(m, 1);
    quiet::quiet_softmax(m, 2);
}

#[test]
fn directives_and_level_change_while_running() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
    both(1);
    set_filter("filter::quiet=debug").expect("directives");
    both(2);
    let error = set_filter("filter=loud").expect_err("no such level");
    assert!(error.to_string().contains("`loud` is not a level"), "{error}");
    both(3);
    set_filter("trace").expect("directives");
    both(4);
    assert!(set_level(Level::Off));
    both(5);
    assert!(set_level(Level::Basic));
    both(6);
    assert!(guard.shutdown().is_complete());
    let lines = common::lines(&path);
    let seen: Vec<_> = common::of_kind(&lines, "span")
        .iter()
        .map(|line| (line["attributes"]["runtime.shape.m"].as_i64(), line["attributes"]["runtime.shape.n"].as_i64()))
        .collect();
    let expected = [(1, 1), (2, 2), (3, 2), (4, 1), (4, 2), (6, 1), (6, 2)];
    assert_eq!(seen, expected.map(|(m, n)| (Some(m), Some(n))));
}
