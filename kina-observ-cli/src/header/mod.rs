//! `kina-observ header`: the C header of a crate, from the same code that writes its C functions.

mod c_api;
mod cfg;
mod codes;
mod diff;
mod functions;
mod layout;
mod source;
mod types;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cbindgen::{Builder, Config, DocumentationStyle, Language};
use kina_observ_codegen::registry::Registry;
use quote::quote;

use crate::cli::Header;
use crate::failure::Failure;
use types::Types;

/// What the header cannot say.
#[derive(Debug)]
pub(crate) struct Refusal {
    place: String,
    what: String,
    help: String,
}

impl Refusal {
    fn new(place: impl Display, what: impl Display, help: impl Display) -> Self {
        Self { place: place.to_string(), what: what.to_string(), help: help.to_string() }
    }

    /// For a person.
    pub(crate) fn shown(&self) -> String {
        let help = self.help.replace("\nhelp: ", "\n  = help: ");
        format!("{}\n  --> {}\n  = help: {help}", self.what, self.place)
    }
}

/// Writes the header, or says whether the one that is there is current.
pub(crate) fn run(options: &Header, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let root = &options.krate;
    let name = package(root)?;
    let usual = PathBuf::from("c").join(format!("{name}.h"));
    let file = options.output.clone().unwrap_or_else(|| root.join(&usual));
    // Without our own folder, so that everybody writes the same line.
    let mut command = "kina-observ header --crate .".to_owned();
    if let Some(other) = file.strip_prefix(root).ok().filter(|inside| **inside != usual) {
        command += &format!(" --output {}", other.display());
    }
    let text = header(root, &name, &command)?;
    if file.as_os_str() == "-" {
        out.write_all(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if !options.check {
        std::fs::write(&file, text).map_err(|error| {
            one(file.display(), format!("cannot be written: {error}"), "give another path with `--output`")
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    let difference = diff::lines(&there, &text);
    if difference.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let given = options.output.as_ref().map(|file| format!(" --output {}", file.display())).unwrap_or_default();
    write!(
        out,
        "error: `{}` is not what the crate exports\n{difference}  = help: run `kina-observ header --crate {}{given}`, and tell those who call it\n",
        file.display(),
        root.display()
    )?;
    Ok(ExitCode::from(1))
}

fn one(place: impl Display, what: impl Display, help: impl Display) -> Failure {
    Failure::Header(vec![Refusal::new(place, what, help)])
}

/// The whole text.
pub(crate) fn header(root: &Path, name: &str, command: &str) -> Result<String, Failure> {
    let mut found = source::read(root).map_err(|refusal| Failure::Header(vec![refusal]))?;
    functions::add_types(&mut found);
    let registry = Registry::for_crate(root).map_err(Failure::Registry)?;
    let mut config = configuration(root, name, command)?;
    let mut refusals = Vec::new();
    let types = Types::new(&found);
    let mut functions = functions::find(&found, registry, &mut refusals);
    let prefix = found.iter().find_map(functions::prefix);
    for function in &mut functions {
        function.add_out(&types, &mut refusals);
        function.add_error(prefix.as_deref(), &mut refusals);
    }
    let crossing = types.crossing(&functions, &mut refusals);
    let codes = codes::constants(&found, registry.component(), &mut refusals);
    cfg::check(&functions, &crossing, &config, &mut refusals);
    if functions.is_empty() && refusals.is_empty() {
        refusals.push(Refusal::new("src/lib.rs", "the crate exports nothing to C", "give the crate that does"));
    }
    let handles: BTreeSet<_> = functions.iter().flat_map(functions::Function::handles).collect();
    for (alias, of) in &handles {
        if let Some(found) = types.definition(&alias.to_string()) {
            let what = format!("`{alias}` is what C calls a handle of a `{of}`, and a type of yours");
            refusals.push(Refusal::new(found.place(&found.item), what, "rename the type"));
        }
    }
    if !refusals.is_empty() {
        return Err(Failure::Header(refusals));
    }
    let aliases = handles.into_iter().map(|(alias, of)| {
        let doc = format!(" A handle of a `{of}`; 0 is none.");
        quote!(#[doc = #doc] pub type #alias = u64;)
    });
    let definitions = crossing.iter().map(|(_, found)| types::definition(found));
    let lengths = types.lengths(&found, &crossing);
    let stubs = functions.iter().map(functions::Function::stub);
    let text = quote!(#(#codes)* #(#lengths)* #(#aliases)* #(#definitions)* #(#stubs)*).to_string();
    if functions.iter().flat_map(|function| &function.c.attrs).any(|attr| attr.path().is_ident("deprecated")) {
        let own = config.after_includes.take().unwrap_or_default();
        config.after_includes = Some(format!("{DEPRECATED}{own}"));
    }
    let guard = config.include_guard.clone().unwrap_or_default();
    let assertions = layout::assertions(&crossing, &types, &config);
    let text = rendered(&types.callbacks_may_be_null(&text), config)?;
    // cbindgen leaves out what it does not understand.
    if let Some(lost) = functions.iter().find(|function| !text.contains(&format!("{}(", function.c.symbol))) {
        let what = format!("cbindgen does not understand the signature of `{}`", lost.c.symbol);
        return Err(one(&lost.line, what, "pass numbers, pointers, and types that C knows the layout of"));
    }
    // Before the end of the guard, where all types are known.
    let (before, end) = text.rsplit_once(&format!("#endif  /* {guard}")).unwrap_or((&text, ""));
    let end = if end.is_empty() { String::new() } else { format!("#endif  /* {guard}{end}") };
    Ok(format!("{before}{assertions}{end}"))
}

/// For compilers that know it.
const DEPRECATED: &str = "
#if defined(__GNUC__)
#define KINA_OBSERV_DEPRECATED(text) __attribute__((deprecated(text)))
#else
#define KINA_OBSERV_DEPRECATED(text)
#endif
";

/// Hands the stubs to cbindgen, which reads files only.
fn rendered(text: &str, config: Config) -> Result<String, Failure> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("stubs.rs");
    std::fs::write(&file, text)?;
    let bindings = Builder::new().with_config(config).with_src(&file).generate().map_err(|error| {
        one("src/lib.rs", format!("cbindgen cannot write the header: {error}"), "change the signature that it names")
    })?;
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().map(bracketed).collect())
}

/// A negative constant needs brackets, so that `x -NAME` stays what it says.
fn bracketed(line: &str) -> String {
    match line.strip_prefix("#define ").and_then(|rest| rest.split_once(" -")) {
        Some((name, number)) => format!("#define {name} (-{number})\n"),
        None => format!("{line}\n"),
    }
}

/// The crate's `cbindgen.toml`, with what a header of ours always has.
fn configuration(root: &Path, name: &str, command: &str) -> Result<Config, Failure> {
    let file = root.join("cbindgen.toml");
    let mut config = if file.is_file() {
        let help = "the documentation of cbindgen lists what it may say";
        Config::from_file(&file).map_err(|error| one("cbindgen.toml", error, help))?
    } else {
        Config::default()
    };
    config.language = Language::C;
    config.cpp_compat = true;
    config.usize_is_size_t = true;
    config.no_includes = true;
    config.documentation_style = DocumentationStyle::Doxy;
    for include in ["stdbool.h", "stddef.h", "stdint.h"] {
        config.sys_includes.push(include.to_owned());
    }
    config.include_guard.get_or_insert_with(|| format!("{}_H", name.to_uppercase()));
    // GCC and Clang; elsewhere the note stands in the documentation only.
    config.function.deprecated.get_or_insert_with(|| "KINA_OBSERV_DEPRECATED(\"\")".to_owned());
    config.function.deprecated_with_note.get_or_insert_with(|| "KINA_OBSERV_DEPRECATED({})".to_owned());
    let first = format!("/* Generated from src/lib.rs of {name} by `{command}`: do not edit. */");
    config.header = Some(match config.header.take() {
        Some(own) => format!("{first}\n\n{}", own.trim_end()),
        None => first,
    });
    Ok(config)
}

/// The name of the package, as a library bears it.
fn package(root: &Path) -> Result<String, Failure> {
    let file = root.join("Cargo.toml");
    let text = std::fs::read_to_string(&file).map_err(|error| {
        one(file.display(), format!("cannot be read: {error}"), "give the folder of a crate with `--crate`")
    })?;
    let section = text.split("[package]").nth(1).unwrap_or_default();
    let name = section.lines().find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='));
    let name = name.map(|name| name.trim().trim_matches('"').replace('-', "_"));
    name.ok_or_else(|| one(file.display(), "there is no package in it", "give the folder of a crate with `--crate`"))
}
