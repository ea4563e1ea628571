//! A label whose values nobody can count.

use kina_observ::BoundedLabel;

fn count(_: impl BoundedLabel) {}

fn main() {
    count(String::from("user-4711"));
    count(4711_u64);
    count(true);
}
