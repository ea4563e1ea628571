//! Arguments of other libraries, unknown ones, and ones that are given twice.

use kina_observ::span;

#[span("free.load", skip_all, err, ret, name = "load", kind = client)]
fn load(n: i64) -> i64 {
    n
}

#[span("free.store", leve = debug, parent = a, parent = b)]
fn store(n: i64) -> i64 {
    n
}

#[span("free.move" level = loud)]
fn shift(n: i64) -> i64 {
    n
}

fn main() {
    load(1) + store(2) + shift(3);
}
