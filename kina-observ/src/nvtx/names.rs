//! The names of ranges: each is registered with the tool once, because tools select ranges by registered names only.

use core::fmt::Write;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::sink::{self, Name};
use crate::listed::{self, name_of};
use crate::site::{Facts, Shape, Site};
use crate::text::{self, FixedText};
use crate::value::Value;

/// Names with shapes and kernels in them. More would fill the tool's memory and nobody's screen.
const MOST: usize = 4096;

/// As long as a text attribute may be: a kernel's name fits.
const NAME_BYTES: usize = crate::value::TEXT_BYTES;

type Text = FixedText<NAME_BYTES>;

/// `None`: the tool gave nothing for it, and is not asked again.
type Names = BTreeMap<String, Option<Name>>;

static NAMES: Mutex<Names> = Mutex::new(BTreeMap::new());

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(crate) struct Frozen(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, Names>);

/// Waits until no thread is at the names.
pub(crate) fn freeze() -> Frozen {
    Frozen(names())
}

fn names() -> MutexGuard<'static, Names> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a span's range; `None`: it has no range.
pub(super) fn of<'a>(site: &'static Site, value: &dyn Fn(usize) -> Value<'a>) -> Option<Name> {
    let template = site.facts.range_template()?;
    if template.contains('{') {
        let mut text = Text::new();
        if filled(site.facts, template, value, &mut text)
            && let Some(name) = registered(text.as_str())
        {
            return Some(name);
        }
    }
    plain(site, template)
}

/// The name where no value is in it, or where the names with values are too many.
fn plain(site: &'static Site, template: &'static str) -> Option<Name> {
    if let Some(name) = Name::from_number(site.range_name.load(Relaxed)) {
        return Some(name);
    }
    let text = if template.contains('{') { site.facts.span_type } else { template };
    // As many as there are sites, so they need no limit.
    let name = (*names().entry(text.to_owned()).or_insert_with(|| sink::register(text)))?;
    site.range_name.store(name.number(), Relaxed);
    Some(name)
}

fn registered(text: &str) -> Option<Name> {
    let mut names = names();
    if let Some(name) = names.get(text) {
        return *name;
    }
    if names.len() >= MOST {
        return None;
    }
    let name = sink::register(text);
    names.insert(text.to_owned(), name);
    name
}

/// Fills in the values. When one is absent, the display name's fallbacks are tried, as a line's name does it.
fn filled<'a>(facts: &Facts, template: &str, value: &dyn Fn(usize) -> Value<'a>, text: &mut Text) -> bool {
    let mut fill = |template: &str| {
        text.clear();
        text::fill(template, text, |key, text| write_value(facts, key, value, text))
    };
    if fill(template) {
        return true;
    }
    let fallbacks = kina_observ_conventions::span(facts.span_type).map_or(&[][..], |def| def.fallback_names);
    template == facts.name && fallbacks.iter().any(|name| fill(name))
}

/// `false`: the value is not there this time.
fn write_value<'a>(facts: &Facts, key: &str, value: &dyn Fn(usize) -> Value<'a>, text: &mut Text) -> bool {
    let Some(index) = facts.start.iter().position(|attr| attr.key == key) else { return false };
    // A `FixedText` takes what fits and marks the cut; it never fails.
    let _ = match (value(index), facts.start[index].shape) {
        (Value::Absent, _) => return false,
        (Value::Word(code), Shape::Enum(table)) => match name_of(code as i32, table) {
            listed::OTHER => return false,
            name => text.write_str(name),
        },
        (Value::Word(bits), Shape::Double) => write!(text, "{}", f64::from_bits(bits)),
        (Value::Word(bits), Shape::Boolean) => write!(text, "{}", bits != 0),
        (Value::Word(number), _) => write!(text, "{}", number as i64),
        (Value::Str(value), _) if value == listed::OTHER => return false,
        (Value::Str(value), _) => text.write_str(value),
        (Value::Ints(list), _) => write!(text, "{list:?}"),
    };
    true
}
