//! Spans that something jumped over: they are written as unfinished, and the ones around them stay right.

mod common;

use kina_observ::__private as p;
use kina_observ::builder;

macro_rules! site {
    ($name:ident, $text:literal) => {
        static $name: p::Site = p::Site::new(&p::Facts { module: module_path!(), ..p::Facts::of($text, $text) });
    };
}
site!(OUTER, "abandoned.outer");
site!(LEAKED, "abandoned.leaked");
site!(NEXT, "abandoned.next");

fn enter(site: &'static p::Site) -> p::Entered {
    p::enter(site, || [])
}

#[test]
fn what_is_jumped_over_is_unfinished_and_the_rest_is_right() {
    let (_folder, path) = common::trace_file();
    let guard = builder().trace_output(&path).init().expect("recording");
    for _ in 0..1_000 {
        let outer = enter(&OUTER);
        // `longjmp` would leave these two without their ends.
        enter(&LEAKED);
        enter(&LEAKED);
        p::exit_code(outer, 0);
        let next = enter(&NEXT);
        p::exit_code(next, 0);
    }
    let report = guard.shutdown();
    assert_eq!((report.produced, report.unfinished, report.dropped), (4_000, 2_000, 0));
    let lines = common::lines(&path);
    let count =
        |kind: &str, name: &str| common::of_kind(&lines, kind).iter().filter(|line| line["span"] == name).count();
    assert_eq!(count("unfinished", "abandoned.leaked"), 2_000);
    assert_eq!((count("span", "abandoned.outer"), count("span", "abandoned.next")), (1_000, 1_000));
    let next = common::of_kind(&lines, "span").into_iter().find(|line| line["span"] == "abandoned.next");
    assert!(next.expect("a line").get("parent_span_id").is_none());
}
