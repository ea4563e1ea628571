//! A fork inside open spans: the child ends them without a word and starts afresh.

mod common;

use kina_observ::{Context, builder, span};

#[span(runtime.kernel.execute)]
fn execute(kernel: &str, stream_id: i64, body: impl FnOnce()) {
    body();
}

fn work(body: impl FnOnce()) {
    execute("k", 0, body);
}

/// Forks inside two spans; the child ends with the code of `child`.
fn fork_in_spans(child: impl FnOnce() -> i32) -> (libc::pid_t, i32) {
    let mut pid = -1;
    work(|| {
        // SAFETY: the child calls nothing but `child` and `_exit`; both are written for that.
        work(|| pid = unsafe { libc::fork() });
    });
    if pid == 0 {
        let code = child();
        // SAFETY: ends the child without the harness's own end.
        unsafe { libc::_exit(code) };
    }
    let mut status = -1;
    // SAFETY: `status` is writable.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    (pid, status)
}

#[test]
fn a_child_forked_inside_spans_starts_afresh() {
    let (_folder, path) = common::trace_file();
    let (_other_folder, other) = common::trace_file();
    let guard = builder().trace_output(&path).init().expect("recording");
    work(|| ());
    let (_, status) = fork_in_spans(|| {
        if kina_observ::level() != kina_observ::Level::Off || Context::current().span().is_some() {
            return 1;
        }
        let Ok(guard) = builder().trace_output(&other).init() else { return 2 };
        work(|| work(|| ()));
        if guard.shutdown().produced == 2 { 0 } else { 3 }
    });
    assert_eq!(status, 0);
    assert_eq!(guard.shutdown().produced, 3);

    let spans = |path: &std::path::Path| -> Vec<_> {
        common::lines(path).into_iter().filter(|line| line["kind"] == "span").collect()
    };
    let (parents, childs) = (spans(&path), spans(&other));
    assert_eq!((parents.len(), childs.len()), (3, 2));
    // The inner one ends first; the outer one is a root.
    assert_eq!(childs[0]["parent_span_id"], childs[1]["span_id"]);
    assert!(childs[1].get("parent_span_id").is_none(), "{childs:?}");
    for parent in &parents {
        assert!(
            childs.iter().all(|child| child["span_id"] != parent["span_id"] && child["trace_id"] != parent["trace_id"])
        );
    }
}
