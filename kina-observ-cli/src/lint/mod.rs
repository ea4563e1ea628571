//! `kina-observ lint`: what neither the compiler nor a macro can see, because it is about several items or crates.

mod attributes;
mod crates;
mod facts;
mod header;
mod macros;
mod names;
mod place;
mod report;
mod rules;
mod source;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use kina_observ_codegen::registry::{Registry, RegistryError};

use crate::check::Finding;
use crate::cli::{Lint, LintFormat};
use crate::failure::{Failure, Unread};
use crates::Crate;
use facts::Facts;
use place::{Place, shown};
use source::Sources;

/// A finding and its place.
type Found = (Place, Finding);

/// Exit code 0 without findings, 1 with some; what cannot be read comes after the findings and makes it 2.
pub(crate) fn run(options: &Lint, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut unread = Vec::new();
    let crates = crates(options, &mut unread);
    let mut found = Vec::new();
    let mut owners = Vec::new();
    for one in &crates {
        let registry = Registry::for_crate(&one.folder).map_err(|errors| unread.extend(mistakes(one, errors))).ok();
        lint(one, registry, &mut found, &mut unread);
        owners.extend(registry.map(|registry| names::Owner { name: &one.name, registry }));
    }
    names::shared(&owners, &mut found);
    found.sort_by(|(left, a), (right, b)| (left, a.id, &a.message).cmp(&(right, b.id, &b.message)));
    match options.format {
        LintFormat::Human => report::human(&found, crates.len(), out)?,
        LintFormat::Json => report::json(&found, out)?,
        LintFormat::Github => report::github(&found, out)?,
    }
    if unread.is_empty() {
        return Ok(ExitCode::from(u8::from(!found.is_empty())));
    }
    out.flush()?;
    Err(Failure::Sources(unread))
}

fn crates(options: &Lint, unread: &mut Vec<Unread>) -> Vec<Crate> {
    if options.workspace {
        let path = options.crates.first().map_or(Path::new("."), |path| path);
        return crates::workspace(path).map_err(|error| unread.push(error)).unwrap_or_default();
    }
    options.crates.iter().filter_map(|path| crates::one(path).map_err(|error| unread.push(error)).ok()).collect()
}

fn lint(one: &Crate, registry: Option<&Registry>, found: &mut Vec<Found>, unread: &mut Vec<Unread>) {
    let mut sources = Sources::default();
    one.roots.iter().for_each(|file| sources.root(file));
    let mut facts = Facts::default();
    let renames = source::renames(&sources.read);
    sources.read.iter().for_each(|source| facts.read(source, &renames));
    unread.append(&mut sources.unread);
    rules::boundaries(&facts, found);
    rules::prefixes(&facts, registry.and_then(Registry::component), found);
    rules::codes(&facts, found);
    // A registry with mistakes is told already, and the header needs it.
    if registry.is_some() {
        header::drift(one, found);
    }
}

/// A registry's mistakes name its files as the crate does.
fn mistakes(one: &Crate, errors: Vec<RegistryError>) -> Vec<Unread> {
    let unread = errors.into_iter().map(|error| Unread {
        what: format!("{}:{}:{}", shown(&one.folder.join(&error.file)).display(), error.line, error.column),
        why: error.message,
        help: error.help.into(),
    });
    unread.collect()
}
