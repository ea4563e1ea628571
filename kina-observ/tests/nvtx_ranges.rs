//! What a thread pushes it pops, however a function is left, and each range is the span whose id it carries.

mod common;
#[path = "common/ranges.rs"]
mod ranges;

use std::future::Future;
use std::panic::catch_unwind;
use std::pin::{Pin, pin};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use common::of_kind;
use kina_observ::__private as p;
use kina_observ::device::launch_kernel;
use kina_observ::{Builder, Level, Report, builder, link, set_level, span};
use nvtx_capture::{Call, Names, What, check};
use ranges::{Range, assert_joined, path};
use serde_json::Value;

nvtx_capture::in_process!();

/// Everything that one run left.
struct Seen {
    calls: Vec<Call>,
    ranges: Vec<Range>,
    lines: Vec<Value>,
    report: Report,
}

/// Records what `work` does. A process has one capture and one trace, so one test at a time.
fn seen(builder: Builder, work: impl FnOnce()) -> Seen {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (_folder, path) = common::trace_file();
    let guard = builder.trace_output(&path).init().expect("recording");
    nvtx_capture::taken();
    work();
    let calls = nvtx_capture::taken();
    let report = guard.shutdown();
    Seen { ranges: ranges::ranges(&calls), calls, lines: common::lines(&path), report }
}

/// Has the kernel's name as its range's name.
#[span(runtime.kernel.execute)]
fn execute<R>(kernel: &str, stream_id: i64, body: impl FnOnce() -> R) -> R {
    body()
}

/// Is recorded at level kernel only.
#[span(runtime.kernel.lane)]
fn lane<R>(kernel: &str, lane: i64, body: impl FnOnce() -> R) -> R {
    body()
}

fn run<R>(name: &str, body: impl FnOnce() -> R) -> R {
    execute(name, 1, body)
}

/// The paths of all ranges, in the order in which they opened; nothing is wrong with them.
fn paths(seen: &Seen) -> Vec<String> {
    let kernels = ["outer", "inner", "next", "task"];
    let names = Names::new(["{runtime.kernel.name}", "{runtime.kernel.name} lane", "ranges.site"])
        .value("runtime.kernel.name", kernels);
    assert_eq!(check(&seen.calls, "kina", &names), []);
    seen.ranges.iter().map(|range| path(&seen.ranges, range)).collect()
}

#[span(runtime.kernel.execute)]
fn leaves_early(kernel: &str, stream_id: i64) -> i64 {
    if stream_id > 0 {
        return run("inner", || 1);
    }
    run("next", || 2)
}

#[test]
fn an_early_return_closes_its_range() {
    let seen = seen(builder(), || {
        assert_eq!(leaves_early("outer", 1), 1);
        run("next", || ());
    });
    assert_eq!(paths(&seen), ["outer", "outer > inner", "next"]);
    assert_joined(&seen.ranges, &seen.lines);
}

#[span(runtime.kernel.execute)]
fn gives_up(kernel: &str, stream_id: i64) -> Result<i64, std::fmt::Error> {
    run("inner", || Err(std::fmt::Error))?;
    Ok(stream_id)
}

#[test]
fn a_question_mark_closes_its_range() {
    let seen = seen(builder(), || {
        assert!(gives_up("outer", 1).is_err());
        run("next", || ());
    });
    assert_eq!(paths(&seen), ["outer", "outer > inner", "next"]);
    assert_joined(&seen.ranges, &seen.lines);
}

#[test]
fn a_panic_closes_its_ranges() {
    let seen = seen(builder(), || {
        let caught = catch_unwind(|| run("outer", || run("inner", || panic!("on purpose"))));
        assert!(caught.is_err());
        run("next", || ());
    });
    assert_eq!(paths(&seen), ["outer", "outer > inner", "next"]);
    assert_joined(&seen.ranges, &seen.lines);
}

/// Ready the second time.
struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

#[span(runtime.kernel.execute)]
async fn task(kernel: &str, stream_id: i64) -> i64 {
    run("inner", || ());
    Yield(false).await;
    run("next", || ());
    stream_id
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_task_that_moves_has_a_range_for_each_poll_on_the_thread_that_polls() {
    let seen = seen(builder(), || {
        let mut future = pin!(task("task", 7));
        run("outer", || assert_eq!(poll(future.as_mut()), Poll::Pending));
        std::thread::scope(|scope| {
            let second = std::thread::Builder::new().name("second".to_owned());
            let future = future.as_mut();
            let polled = second.spawn_scoped(scope, move || poll(future)).expect("a thread").join();
            assert_eq!(polled.expect("no panic"), Poll::Ready(7));
        });
    });
    assert_eq!(paths(&seen), ["outer", "outer > task", "outer > task > inner", "task", "task > next"]);
    let [_, first, inner, second, next] = &seen.ranges[..] else { panic!("five ranges") };
    assert_eq!(first.payload, second.payload, "one span");
    assert!(first.thread == inner.thread && second.thread == next.thread && first.thread != second.thread);
    let named = |name: &str| {
        seen.calls.iter().any(|call| call.what == What::NameThread { named: second.thread, name: name.to_owned() })
    };
    assert!(named("second"));
    assert_joined(&seen.ranges, &seen.lines);
}

#[test]
fn tasks_that_are_dropped_in_the_order_of_their_birth_leave_nothing_open() {
    let seen = seen(builder(), || {
        run("outer", || {
            let mut first = Box::pin(task("task", 1));
            let mut second = Box::pin(task("task", 2));
            assert_eq!((poll(first.as_mut()), poll(second.as_mut())), (Poll::Pending, Poll::Pending));
            drop(first);
            run("next", || ());
            drop(second);
        });
    });
    let expected = ["outer", "outer > task", "outer > task > inner", "outer > task", "outer > task > inner"];
    assert_eq!(paths(&seen), [&expected[..], &["outer > next"]].concat());
    assert_joined(&seen.ranges, &seen.lines);
}

static SITE: p::Site = p::Site::new(&p::Facts { module: module_path!(), ..p::Facts::of("ranges.site", "site") });

#[test]
fn spans_that_end_in_the_order_of_their_birth_close_their_ranges_once() {
    let seen = seen(builder(), || {
        let outer = p::enter(&SITE, || []);
        let inner = p::enter(&SITE, || []);
        p::exit_code(outer, 0);
        run("next", || ());
        p::exit_code(inner, 0);
    });
    assert_eq!(paths(&seen), ["ranges.site", "ranges.site > ranges.site", "next"]);
    assert_joined(&seen.ranges, &seen.lines);
}

#[test]
fn what_longjmp_skips_is_closed_with_the_span_around_it() {
    let seen = seen(builder(), || {
        run("outer", || {
            p::enter(&SITE, || []);
            p::enter(&SITE, || []);
        });
        run("next", || ());
    });
    let site = "outer > ranges.site";
    assert_eq!(paths(&seen), ["outer", site, &format!("{site} > ranges.site"), "next"]);
    assert_joined(&seen.ranges, &seen.lines);
}

#[test]
fn the_level_may_change_inside_of_a_span() {
    let seen = seen(builder().level(Level::Kernel), || {
        run("outer", || {
            assert!(set_level(Level::Off));
            run("inner", || assert!(set_level(Level::Kernel)));
            run("next", || ());
        });
    });
    assert_eq!(paths(&seen), ["outer", "outer > inner", "outer > next"]);
    let payloads: Vec<_> = seen.ranges.iter().map(|range| range.payload.is_some()).collect();
    assert_eq!(payloads, [true, false, true]);
    let recorded: Vec<_> = seen.ranges.iter().filter(|range| range.payload.is_some()).cloned().collect();
    assert_joined(&recorded, &seen.lines);
    assert_eq!((seen.report.produced, seen.report.dropped, seen.report.unfinished), (2, 0, 0));
}

#[test]
fn at_off_there_are_ranges_and_no_spans() {
    let seen = seen(builder().level(Level::Off), || {
        run("outer", || {
            lane("inner", 3, link_to_nothing);
            let mut future = pin!(task("task", 7));
            assert_eq!(poll(future.as_mut()), Poll::Pending);
            assert_eq!(poll(future.as_mut()), Poll::Ready(7));
        });
    });
    let expected =
        ["outer", "outer > inner lane", "outer > task", "outer > task > inner", "outer > task", "outer > task > next"];
    assert_eq!(paths(&seen), expected);
    assert!(seen.ranges.iter().all(|range| range.payload.is_none()));
    assert_eq!((seen.report.produced, seen.report.dropped), (0, 0));
    assert_eq!(of_kind(&seen.lines, "span").len(), 0);
}

/// What a span that is not recorded must not do: a context of its own, a record of its own.
fn link_to_nothing() {
    let here = kina_observ::Context::current();
    assert_eq!(here.span(), None);
    if let Some(id) = kina_observ::TraceId::new(1).zip(kina_observ::SpanId::new(1)) {
        link(kina_observ::SpanContext { trace_id: id.0, span_id: id.1 });
    }
}

#[test]
fn a_span_above_the_level_has_a_range_and_changes_nothing_else() {
    let failing = || gives_up("inner", 1);
    let seen = seen(builder().level(Level::Basic), || {
        let result = run("outer", || lane("next", 1, failing));
        assert!(result.is_err());
    });
    assert_eq!(
        paths(&seen),
        ["outer", "outer > next lane", "outer > next lane > inner", "outer > next lane > inner > inner"]
    );
    let spans = of_kind(&seen.lines, "span");
    let told: Vec<_> = spans.iter().filter(|line| line.get("error").is_some()).map(|line| &line["span"]).collect();
    assert_eq!(told, ["inner"], "the error is told once, on the innermost span that is recorded");
    let parents: Vec<_> = spans.iter().map(|line| line.get("parent_span_id")).collect();
    assert_eq!(parents, [Some(&spans[1]["span_id"]), Some(&spans[2]["span_id"]), None]);
    assert!(spans.iter().all(|line| line["attributes"].get("runtime.trace.parent_dropped").is_none()));
}

#[test]
fn a_level_for_ranges_is_kept() {
    let some = seen(builder().level(Level::Off).nvtx(Level::Basic), || {
        run("outer", || lane("inner", 1, || ()));
    });
    assert_eq!(paths(&some), ["outer"]);
    let none = seen(builder().nvtx(Level::Off), || run("outer", || ()));
    assert_eq!(none.ranges, []);
    assert_eq!(none.report.produced, 1);
}

#[test]
fn a_cuda_stream_has_the_name_that_it_is_given() {
    let seen = seen(builder(), || {
        for name in ["copy", "größe"] {
            // SAFETY: no driver is here that could be asked about it.
            unsafe { kina_observ::nvtx::name_cuda_stream(std::ptr::without_provenance_mut(8), name) };
        }
    });
    let name = |name: &str| What::Name { kind: "cuda stream".to_owned(), id: 8, name: name.to_owned() };
    let calls: Vec<_> = seen.calls.into_iter().map(|call| call.what).collect();
    assert_eq!(calls, [name("copy"), name("größe")]);
}

#[test]
fn a_launch_has_one_range_with_the_kernels_name_at_every_level() {
    for level in [Level::Off, Level::Basic, Level::Kernel] {
        let seen = seen(builder().level(level), || launch_kernel("inner", || ()));
        assert_eq!(paths(&seen), ["inner"], "{level:?}");
        assert_eq!(seen.ranges[0].payload.is_some(), level != Level::Off, "{level:?}");
    }
}

static QUIET: p::Site =
    p::Site::new(&p::Facts { module: module_path!(), nvtx: None, ..p::Facts::of("ranges.quiet", "quiet") });

#[test]
fn a_full_ring_does_not_take_the_range_away() {
    let seen = seen(builder().ring_bytes(16 << 10).poll_interval(std::time::Duration::from_secs(3_600)), || {
        for _ in 0..200 {
            // Far more than the ring holds, and faster than the collector wakes.
            for _ in 0..2_000 {
                p::exit_code(p::enter(&QUIET, || []), 0);
            }
            run("outer", || ());
        }
    });
    assert_eq!(paths(&seen), ["outer"; 200]);
    let recorded = of_kind(&seen.lines, "span").into_iter().filter(|line| line["span"] == "outer").count();
    let joined = seen.ranges.iter().filter(|range| range.payload.is_some()).count();
    assert!(joined < 200, "no span was lost");
    assert_eq!(joined, recorded);
}
