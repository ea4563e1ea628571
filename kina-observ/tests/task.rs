//! A task's span belongs to the task: polled by many threads it is one span, and what happens inside is its child.

mod common;

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use kina_observ::__private as p;
use kina_observ::{Level, builder, span};

/// What `#[span]` will write beside an `async fn`.
static SITE: p::Site = p::Site::new(&p::Facts {
    module: module_path!(),
    start: &[p::Attr::int("runtime.stream.id"), p::Attr::text("runtime.kernel.name")],
    late: &[p::Attr::int("runtime.kernel.lane")],
    name: "{runtime.kernel.name}",
    ..p::Facts::of("runtime.kernel.execute", "job")
});

#[span(runtime.kernel.execute)]
fn inside(kernel: &'static str, stream_id: i64) -> Result<(), std::fmt::Error> {
    if stream_id == 13 { Err(std::fmt::Error) } else { Ok(()) }
}

/// Ready the second time.
struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

async fn job(name: &'static str, id: i64) -> Result<(), std::fmt::Error> {
    let task = p::TaskSpan::begin(&SITE, |start| start.task(&[p::Value::of_word(p::int(&id)), p::Value::Str(name)]));
    let late = p::TaskLate::<1>::new();
    let result: Result<(), std::fmt::Error> = task
        .wrap(async {
            inside("first", 1)?;
            Yield(false).await;
            late.set_word(0, p::int(&5));
            inside("second", id)?;
            if name == "outer" {
                Box::pin(job("inner", id)).await?;
            }
            Ok(())
        })
        .await;
    task.finish_late(p::outcome_of!(result), &late);
    result
}

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

/// Polls to the end, each time on a thread of its own.
fn everywhere<F: Future + Send>(future: F) -> F::Output
where
    F::Output: Send,
{
    let mut future = pin!(future);
    loop {
        let polled = std::thread::scope(|scope| {
            let future = future.as_mut();
            let poll = move || future.poll(&mut Context::from_waker(&Waker::from(Arc::new(Nobody))));
            scope.spawn(poll).join().expect("no panic")
        });
        if let Poll::Ready(output) = polled {
            return output;
        }
    }
}

#[test]
fn a_task_is_one_span_on_many_threads() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
    everywhere(job("outer", 7)).expect("success");
    assert!(everywhere(job("failing", 13)).is_err());
    {
        let mut dropped = Box::pin(job("dropped", 2));
        let _ = dropped.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");
    let lines = common::lines(&path);
    let find = |name: &str| lines.iter().find(|line| line["span"] == name).unwrap_or_else(|| panic!("{name}"));
    let children = |parent: &serde_json::Value| {
        let of_parent = |line: &&serde_json::Value| line["parent_span_id"] == parent["span_id"];
        lines.iter().filter(of_parent).map(|line| line["span"].as_str().expect("a name")).collect::<Vec<_>>()
    };

    let outer = find("outer");
    assert!(outer.get("parent_span_id").is_none());
    assert_eq!(outer["attributes"]["runtime.stream.id"], 7);
    assert_eq!(outer["attributes"]["runtime.kernel.lane"], 5);
    assert_eq!(children(outer), ["first", "second", "inner"]);
    assert_eq!(children(find("inner")), ["first", "second"]);
    assert_eq!(find("inner")["trace_id"], outer["trace_id"]);
    let threads: std::collections::HashSet<_> = lines
        .iter()
        .filter(|line| line["trace_id"] == outer["trace_id"])
        .map(|line| line["thread"].to_string())
        .collect();
    assert!(threads.len() > 2, "{threads:?}");

    let failing = find("failing");
    assert_eq!(failing["attributes"]["error.type"], "core::fmt::Error");
    let told: Vec<_> = lines.iter().filter(|line| line.get("error").is_some()).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(told[0]["error"]["span_path"], "runtime.kernel.execute > runtime.kernel.execute");

    assert_eq!(find("dropped")["kind"], "unfinished");
    assert_eq!(children(find("dropped")), ["first"]);
    let ids: std::collections::HashSet<_> = lines.iter().filter_map(|line| line["span_id"].as_str()).collect();
    assert_eq!(ids.len(), lines.iter().filter(|line| line.get("span_id").is_some()).count(), "ids are distinct");
}
