//! Looks names up: the only file that asks the registry.

use kina_observ_conventions::{AttributeDef, AttributeUse, Class, Requirement, Source, SpanDef};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::kinds::Kind;
use crate::parse::name::{Name, first_segment, last_segment, well_formed};
use crate::registry::Registry;
use crate::suggest::{meant, near_or_list, or_list};

/// The span type of a function.
pub(crate) struct Found {
    pub(crate) key: String,
    /// Where a mistake about the span is shown: the type as written, else the function's name.
    pub(crate) at: TokenStream,
    /// `None`: well-formed, in no registry, in a namespace that no registry owns.
    pub(crate) def: Option<&'static SpanDef>,
}

/// The registry, for one attribute macro.
#[derive(Clone, Copy)]
pub(crate) struct Names<'r> {
    pub(crate) registry: &'r Registry,
    pub(crate) kind: &'static Kind,
}

impl Names<'_> {
    /// The span type: as written, else from the symbol.
    pub(crate) fn span(
        self,
        written: Option<&Name>,
        default: Option<&str>,
        function: &Ident,
        symbol: &str,
        errors: &mut Errors,
    ) -> Option<Found> {
        let usual = || {
            let def = self.registry.span(default?)?;
            Some(Found { key: def.key.to_owned(), at: function.to_token_stream(), def: Some(def) })
        };
        let found = match written {
            Some(name) => self.written(name, errors)?,
            None => match usual() {
                Some(found) => found,
                None => self.derived(function, symbol, errors)?,
            },
        };
        let Some(def) = found.def else { return Some(found) };
        if let Some(deprecated) = def.deprecated {
            errors
                .at(
                    &found.at,
                    format!("span type `{}` is deprecated: {}", def.key, deprecated.note.trim_end_matches('.')),
                )
                .help(deprecated.renamed_to.map_or(String::new(), |new| format!("write `{new}`")));
        }
        if !def.macros.is_empty() && !def.macros.contains(&self.kind.name) {
            let macros: Vec<_> = def.macros.iter().map(|name| format!("#[{name}]")).collect();
            errors
                .at(&found.at, format!("span `{}` is not made by `{}`", def.key, self.kind.shown()))
                .help(format!("the registry says that {} makes it", or_list(macros.iter().map(String::as_str))));
            return None;
        }
        Some(found)
    }

    fn written(self, name: &Name, errors: &mut Errors) -> Option<Found> {
        let key = name.text.clone();
        let at = name.tokens.clone();
        let def = self.registry.span(&key);
        if def.is_none() {
            if !well_formed(&key) {
                errors
                    .at(name, format!("`{key}` is not a span type"))
                    .help(meant(&self.registry.nearest_span(&key)))
                    .help("a span type has at least two segments of lower-case letters, digits and underscores, such as `runtime.gpu.matmul`");
                return None;
            }
            if self.registry.owns(&key) {
                self.unknown_span(&key, at, errors);
                return None;
            }
        }
        Some(Found { key, at, def })
    }

    fn derived(self, function: &Ident, symbol: &str, errors: &mut Errors) -> Option<Found> {
        let name = function.unraw().to_string();
        let component = self.registry.component();
        let at = function.to_token_stream();
        let candidates =
            [Some(symbol.to_owned()), component.map(|component| format!("{component}_{name}")), Some(name.clone())];
        let def = candidates.into_iter().flatten().find_map(|candidate| self.registry.span_by_symbol(&candidate));
        if let Some(def) = def {
            return Some(Found { key: def.key.to_owned(), at, def: Some(def) });
        }
        // `runtime_gpu_new` belongs to `runtime`, with or without a component.
        let (root, rest) = match component {
            Some(component) => (component, symbol.strip_prefix(&format!("{component}_")).unwrap_or(&name)),
            None => {
                match symbol.split_once('_') {
                    Some((root, rest)) if !rest.is_empty() && self.registry.owns(&format!("{root}.{rest}")) => {
                        (root, rest)
                    }
                    _ => {
                        errors
                        .at(function, format!("no registry knows a span for `{symbol}`, and the crate has no component to name one"))
                        .help(format!("write the type: `{}(\"component.{name}\")]`", self.kind.shown().trim_end_matches(']')))
                        .help("or add a file `kina-observ.toml` beside `Cargo.toml` with `component = \"..\"`");
                        return None;
                    }
                }
            }
        };
        let key = format!("{root}.{rest}").to_ascii_lowercase();
        if self.registry.owns(&key) {
            let key = self.registry.key_for_symbol(&key.replace('.', "_"));
            self.unknown_span(&key, at, errors);
            return None;
        }
        Some(Found { key, at, def: None })
    }

    fn unknown_span(self, key: &str, at: TokenStream, errors: &mut Errors) {
        let kind = self.kind.name;
        // A group of ours is known only in our own files.
        let attributes = match (self.registry.may_define(key), self.kind.boundary) {
            (true, _) => "\n\x20     - {ref: error.type, requirement_level: {conditionally_required: If it failed.}}",
            (false, true) => "\n\x20     - ref_group: kina.entry",
            (false, false) => "\n\x20     - ref_group: kina.call",
        };
        errors
            .at(
                at,
                format!("span type `{key}` is not in the registry, and `{}` is a closed namespace", first_segment(key)),
            )
            .help(meant(&self.registry.nearest_span(key)))
            .help(format!(
                "or define it in the registry:\n\
                 \x20 - type: {key}\n\
                 \x20   kind: internal\n\
                 \x20   requirement_level: recommended\n\
                 \x20   stability: development\n\
                 \x20   brief: What the span covers.\n\
                 \x20   name: {{note: \"{key}\"}}\n\
                 \x20   annotations: {{kina: {{macro: {kind}}}}}\n\
                 \x20   attributes:{attributes}"
            ));
    }

    /// An attribute that is named in `fields(..)` or `late(..)`; `span` is what the span says about it.
    pub(crate) fn attribute(
        self,
        name: &Name,
        span: Option<&Found>,
        errors: &mut Errors,
    ) -> Option<&'static AttributeDef> {
        let key = name.text.as_str();
        if name.quoted {
            errors.at(name, "an attribute is written without quotes").help(format!("write `{key}`"));
        }
        let Some(def) = self.registry.attribute(key) else {
            self.unknown_attribute(name, span, errors);
            return None;
        };
        if let Some(deprecated) = def.deprecated {
            let Some(new) = deprecated.renamed_to else {
                let note = deprecated.note.trim_end_matches('.');
                errors.at(name, format!("attribute `{key}` is deprecated: {note}")).help("remove it");
                return None;
            };
            self.renamed(name, new, span, errors);
            return None;
        }
        let private = match def.class {
            Class::Secret => "a secret",
            Class::Personal => "about a person",
            Class::Content => "user content",
            Class::System | Class::Identifier | Class::Path => "",
        };
        if !private.is_empty() {
            errors
                .at(name, format!("`{key}` is {private}, which never goes on a span"))
                .help("record a size, a shape, an id or a code instead");
            return None;
        }
        let usage = span.and_then(|span| span.def).map(|def| (def, usage(def, key)));
        if let Some((span, None)) = usage {
            errors
                .at(name, format!("span `{}` has no attribute `{key}`", span.key))
                .help(near_or_list(key, "it has", span.attributes.iter().map(|usage| usage.key)))
                .help("or add it to the span in the registry");
            return None;
        }
        if let Some(why) = self.automatic(key, usage.and_then(|(_, usage)| usage)) {
            errors.at(name, format!("`{key}` {why}")).help("remove it");
            return None;
        }
        Some(def)
    }

    fn renamed(self, name: &Name, new: &'static str, span: Option<&Found>, errors: &mut Errors) {
        let of_span = span.and_then(|span| span.def);
        let usage = of_span.and_then(|def| usage(def, new));
        let mistake = errors.at(name, format!("attribute `{}` is called `{new}` today", name.text));
        match (self.automatic(new, usage), of_span) {
            (Some(why), _) => mistake.help(format!("remove it: `{new}` {why}")),
            (None, Some(def)) if usage.is_none() => {
                mistake.help(format!("write `{new}`, and add it to span `{}` in the registry", def.key))
            }
            _ if self.registry.attribute(new).is_none() => {
                mistake.help(format!("write `{new}`, once a registry file refers to it: `- {{ref: {new}}}`"))
            }
            _ => mistake.help(format!("write `{new}`")),
        };
    }

    fn unknown_attribute(self, name: &Name, span: Option<&Found>, errors: &mut Errors) {
        let key = name.text.as_str();
        let of_span = span.and_then(|span| span.def);
        if let (Some(ident), Some(def)) = (&name.single, of_span) {
            let full: Vec<_> = def.attributes.iter().filter(|usage| last_segment(usage.key) == key).collect();
            errors
                .at(ident, format!("`{key}` is not a registry key"))
                .help(meant(&full.iter().map(|usage| usage.key).collect::<Vec<_>>()))
                .help("a key is written with its dots, such as `runtime.copy.size = bytes.len()`");
            return;
        }
        if let Some(new) = self.registry.upstream_rename(key) {
            return self.renamed(name, new, span, errors);
        }
        if let Some(note) = self.registry.upstream_gone(key) {
            let note = note.trim_end_matches('.');
            errors.at(name, format!("attribute `{key}` is no longer in use: {note}")).help("remove it");
            return;
        }
        if self.registry.is_upstream(key) {
            errors
                .at(name, format!("attribute `{key}` is OpenTelemetry's, and no registry here refers to it"))
                .help(format!("add `- {{ref: {key}}}` to the span in a registry file"));
            return;
        }
        let mut near = self.registry.nearest_attribute(key);
        if let Some(def) = of_span {
            // What the span carries is the better guess.
            near.sort_by_key(|near| usage(def, near).is_none());
        }
        errors.at(name, format!("attribute `{key}` is not in the registry")).help(meant(&near)).help(
            match (near.is_empty(), of_span) {
                (false, _) => "",
                (true, Some(_)) => "define it in the registry, or use one of the span's attributes",
                (true, None) => "define it in a registry file that `kina-observ.toml` lists",
            },
        );
    }

    /// The attributes of a span that a wrong name was meant for: they are not missed a second time.
    pub(crate) fn meant(self, name: &Name, span: Option<&Found>) -> Vec<String> {
        let Some(def) = span.and_then(|span| span.def) else { return Vec::new() };
        let text = name.text.as_str();
        let near = self.registry.nearest_attribute(text);
        let deprecated = self.registry.attribute(text).and_then(|def| def.deprecated);
        let new = deprecated.and_then(|old| old.renamed_to).or_else(|| self.registry.upstream_rename(text));
        let renamed = new.and_then(|new| usage(def, new));
        let short =
            def.attributes.iter().filter(|usage| usage.params.contains(&text) || last_segment(usage.key) == text);
        let close = near.iter().filter_map(|near| usage(def, near)).take(1);
        short.chain(close).chain(renamed).map(|usage| usage.key.to_owned()).collect()
    }

    /// Why an attribute is not given by hand.
    fn automatic(self, key: &str, usage: Option<&AttributeUse>) -> Option<&'static str> {
        let source = usage.map(|usage| usage.source);
        match (key, source) {
            ("error.type", _) | (_, Some(Source::Outcome)) => Some("is recorded from what the function returns"),
            ("runtime.module.id", _) => Some("is recorded from the module that is running"),
            (_, Some(Source::ReturnCode)) if self.kind.boundary => Some("is recorded from the code that C gets"),
            _ => None,
        }
    }

    /// The attribute of a span that a bare parameter name in `fields(..)` means.
    pub(crate) fn by_parameter(self, parameter: &Ident, span: &Found, errors: &mut Errors) -> Option<ByParameter> {
        let name = parameter.unraw().to_string();
        let Some(def) = span.def else {
            let key = format!("{}.{name}", first_segment(&span.key));
            return match self.registry.attribute(&key) {
                Some(def) => Some(ByParameter::Registered(def)),
                None if self.registry.owns(&key) => {
                    self.unknown_attribute(&Name { single: None, text: key, ..Name::of(parameter) }, None, errors);
                    None
                }
                None => Some(ByParameter::Unregistered(key)),
            };
        };
        let fits = |usage: &&AttributeUse| usage.params.contains(&name.as_str()) || last_segment(usage.key) == name;
        let mut all = def.attributes.iter().filter(fits);
        match (all.next(), all.next()) {
            (Some(usage), None) => self.registry.attribute(usage.key).map(ByParameter::Registered),
            (None, _) => {
                errors
                    .at(parameter, format!("span `{}` has no attribute that `{name}` could be", def.key))
                    .help(near_or_list(&name, "it has", def.attributes.iter().map(|usage| usage.key)))
                    .help(format!("write `the.key = {name}`, or remove it"));
                None
            }
            (Some(one), Some(other)) => {
                errors
                    .at(parameter, format!("`{name}` could be `{}` or `{}`", one.key, other.key))
                    .help(format!("write `{} = {name}`", one.key));
                None
            }
        }
    }

    /// What the registry knows about an attribute of a span.
    pub(crate) fn definition(self, usage: &AttributeUse) -> Option<&'static AttributeDef> {
        self.registry.attribute(usage.key)
    }
}

/// What a bare name in `fields(..)` stands for.
pub(crate) enum ByParameter {
    Registered(&'static AttributeDef),
    Unregistered(String),
}

/// A span's entry for one attribute.
pub(crate) fn usage<'d>(def: &'d SpanDef, key: &str) -> Option<&'d AttributeUse> {
    def.attributes.iter().find(|usage| usage.key == key)
}

/// The attribute whose values an enum stands for.
pub(crate) fn with_members(name: &Name, registry: &Registry, errors: &mut Errors) -> Option<&'static AttributeDef> {
    let Some(def) = registry.attribute(&name.text) else {
        errors
            .at(name, format!("attribute `{}` is not in the registry", name.text))
            .help(meant(&registry.nearest_attribute(&name.text)));
        return None;
    };
    if def.members.is_empty() {
        errors
            .at(name, format!("attribute `{}` has no list of values", def.key))
            .help("name an attribute of an enum type");
        return None;
    }
    Some(def)
}

/// A required attribute that nothing supplies.
pub(crate) fn missing(
    usage: &AttributeUse,
    span: &Found,
    listed: bool,
    late: bool,
    unfit: Option<String>,
    errors: &mut Errors,
) {
    if usage.requirement != Requirement::Required {
        return;
    }
    let key = usage.key;
    let mut add =
        if listed { format!("add `{key} = ..` to `fields(..)`") } else { format!("add `fields({key} = ..)`") };
    let mistake =
        errors.at(&span.at, format!("span `{}` requires attribute `{key}`, and nothing supplies it", span.key));
    if let Some(unfit) = unfit {
        mistake.help(unfit);
    } else if usage.source == Source::Parameter {
        mistake.help(format!("take a parameter {}", or_list(usage.params.iter().copied())));
        add.insert_str(0, "or ");
    }
    mistake.help(add);
    if late {
        mistake.help(format!("or `late({key})`, if only the body knows it"));
    }
}
