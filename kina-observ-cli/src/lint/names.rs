//! Names that the registries of two crates both own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kina_observ_codegen::registry::Registry;

use super::Found;
use super::place::{Place, shown};
use crate::check::Finding;

/// The registry of one crate.
pub(super) struct Owner<'a> {
    pub(super) name: &'a str,
    pub(super) registry: &'static Registry,
}

/// What a name names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Namespace,
    Span,
    Attribute,
    Metric,
    Event,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Span => "span type",
            Self::Attribute => "attribute",
            Self::Metric => "metric",
            Self::Event => "event",
        }
    }
}

/// A definition: who has it, and where.
struct Defined<'a> {
    owner: &'a str,
    file: PathBuf,
    place: Place,
}

/// Each name that a second crate owns too, at the second place.
pub(super) fn shared(owners: &[Owner<'_>], found: &mut Vec<Found>) {
    let mut all: BTreeMap<(Kind, &'static str), Vec<Defined<'_>>> = BTreeMap::new();
    for owner in owners {
        let files = Files::new(owner.registry);
        for (kind, name) in names(owner.registry) {
            let Some((file, place)) = files.place(kind, name) else { continue };
            all.entry((kind, name)).or_default().push(Defined { owner: owner.name, file, place });
        }
    }
    for ((kind, name), defined) in all {
        let Some((first, others)) = defined.split_first() else { continue };
        // One file that both crates list is one registry.
        for other in others.iter().filter(|other| other.file != first.file) {
            let message = format!("the {} `{name}` belongs to `{}` and to `{}`", kind.word(), first.owner, other.owner);
            let help = match kind {
                Kind::Namespace => format!("start the names of one of the two with another word; see {}", first.place),
                _ => format!("define it in one of the two; the other is at {}", first.place),
            };
            found.push((other.place.clone(), Finding::error("shared-name", message, help)));
        }
    }
}

fn names(registry: &'static Registry) -> impl Iterator<Item = (Kind, &'static str)> {
    let own = registry.own();
    let namespaces = own.namespaces.iter().map(|name| (Kind::Namespace, *name));
    let spans = own.spans.iter().map(|def| (Kind::Span, def.key));
    let attributes = own.attributes.iter().map(|def| (Kind::Attribute, def.key));
    let metrics = own.metrics.iter().map(|def| (Kind::Metric, def.name));
    let events = own.events.iter().map(|def| (Kind::Event, def.name));
    namespaces.chain(spans).chain(attributes).chain(metrics).chain(events)
}

/// The definition files of a crate. The tables have no places, so names are looked for in the text.
struct Files(Vec<(PathBuf, Rc<Path>, String)>);

impl Files {
    fn new(registry: &Registry) -> Self {
        // The first is `kina-observ.toml`, which defines no name.
        let files = registry.files().iter().skip(1).filter_map(|file| {
            let text = std::fs::read_to_string(file).ok()?;
            let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
            Some((whole, shown(file).into(), text))
        });
        Self(files.collect())
    }

    fn place(&self, kind: Kind, name: &str) -> Option<(PathBuf, Place)> {
        self.0.iter().find_map(|(whole, file, text)| {
            let (line, column) = find(kind, name, text)?;
            Some((whole.clone(), Place { file: file.clone(), line, column }))
        })
    }
}

/// Line and column of `name` where it is defined; of a namespace, of its first name.
fn find(kind: Kind, name: &str, text: &str) -> Option<(usize, usize)> {
    let words: &[&str] = match kind {
        Kind::Namespace => &["key:", "type:", "name:"],
        Kind::Span => &["type:"],
        Kind::Attribute => &["key:"],
        Kind::Metric | Kind::Event => &["name:"],
    };
    text.lines().enumerate().find_map(|(index, line)| {
        line.match_indices(name).find_map(|(at, _)| {
            let before = line[..at].trim_end_matches(['"', '\'']).trim_end();
            let word = words.iter().find(|word| before.ends_with(*word))?;
            let starts = !before[..before.len() - word.len()].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let after = line[at + name.len()..].chars().next();
            let ends = match kind {
                Kind::Namespace => after == Some('.'),
                _ => !after.is_some_and(|c| c.is_alphanumeric() || c == '.' || c == '_'),
            };
            (starts && ends).then(|| (index + 1, line[..at].chars().count() + 1))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, find};

    #[test]
    fn a_name_is_found_where_it_is_defined() {
        let text = "attributes:\n  - {key: acme.job.size, type: int}\n  - key: \"acme.job\"\nspans:\n  - type: acme.é\n\
                    \x20   attributes: [{ref: acme.x}]\n  - {brief: é, type: acme.x}\n";
        for (kind, name, expected) in [
            (Kind::Attribute, "acme.job", Some((3, 11))),
            (Kind::Attribute, "acme.job.size", Some((2, 11))),
            (Kind::Span, "acme.x", Some((7, 22))),
            (Kind::Attribute, "acme.x", None),
            (Kind::Namespace, "acme", Some((2, 11))),
            (Kind::Namespace, "acm", None),
        ] {
            assert_eq!(find(kind, name, text), expected, "{name}");
        }
    }
}
