//! Decides what the span carries: from the registry first, then what `fields(..)` and `late(..)` say.

use kina_observ_conventions::{AttributeDef, AttributeUse, Requirement, Source, SpanDef};
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;

use super::names::{ByParameter, Found, Names, missing};
use super::signature::Signature;
use super::sources::{self, Readable};
use super::{Form, not_a_parameter, shape, words};
use crate::errors::Errors;
use crate::kinds::Around;
use crate::lower::{Passing, passing, shown};
use crate::parse::args::{Args, Field};
use crate::parse::item::mentions;
use crate::parse::name::Name;
use crate::plan::{Attr, Parameter, Shape, Value};

/// What the span carries.
#[derive(Default)]
pub(crate) struct Captures {
    pub(crate) start: Vec<Attr>,
    pub(crate) late: Vec<Attr>,
    pub(crate) code_key: Option<&'static str>,
    pub(crate) device: bool,
    /// Types of which no parameter, or more than one, was found: said once, whatever was to be read from it.
    pub(crate) told: Vec<&'static str>,
    /// There is a launch around the body, and it has a stream.
    pub(crate) launch: bool,
}

/// A record holds no more.
const MOST_START: usize = 24;
/// END's room is reserved when START is written, so it is small.
const MOST_LATE: usize = 8;

pub(super) struct Checker<'a> {
    pub(super) names: Names<'a>,
    pub(super) args: &'a Args,
    pub(super) signature: &'a Signature,
    pub(super) captures: Captures,
    given: Vec<String>,
    /// What was to be read from a type, and could not.
    pub(super) unread: Vec<(&'static Readable, Vec<&'static str>)>,
}

pub(crate) fn check(
    names: Names<'_>,
    args: &Args,
    signature: &Signature,
    span: Option<&Found>,
    errors: &mut Errors,
) -> Captures {
    let mut checker =
        Checker { names, args, signature, captures: Captures::default(), given: Vec::new(), unread: Vec::new() };
    for field in &args.fields {
        checker.field(field, span, errors);
    }
    checker.late(args, span, errors);
    // Whoever gives the number by hand has no stream that events could be recorded on.
    let by_hand = checker.given.iter().any(|key| key == "runtime.stream.id") && !args.means(sources::STREAM.argument);
    checker.captures.launch = names.kind.around == Around::Launch && !by_hand;
    if let Some(span @ Found { def: Some(def), .. }) = span {
        checker.registered(def, span, !args.fields.is_empty(), errors);
        checker.unread(def, span, errors);
    }
    let Captures { start, late, .. } = &checker.captures;
    for (attrs, most, when) in [(start, MOST_START, "when a span starts"), (late, MOST_LATE, "when it ends")] {
        if attrs.len() > most {
            errors
                .at(
                    &signature.function.sig.ident,
                    format!("{} attributes {when}, and a record holds {most}", attrs.len()),
                )
                .help("remove the ones that nobody reads");
        }
    }
    checker.captures
}

impl Checker<'_> {
    fn field(&mut self, field: &Field, span: Option<&Found>, errors: &mut Errors) {
        let name = &field.name;
        let Some(value) = &field.value else {
            self.bare(field, span, errors);
            return;
        };
        words::secrets(value, &self.signature.function.parameters, errors);
        let def = self.names.attribute(name, span, errors);
        if !self.first(&name.text, name, errors) {
            return;
        }
        let Some(def) = def else {
            self.given.extend(self.names.meant(name, span));
            return;
        };
        let Some(shape) = shape::of_expression(def) else {
            return unsupported(name, def, errors);
        };
        let value = Value::Expression(Box::new(value.clone()));
        let attr = Attr { key: def.key.to_owned(), shape, value, cfg: Vec::new() };
        self.push(attr, self.signature.form != Form::Export, name, errors);
    }

    /// `fields(m)`: the value of that parameter.
    fn bare(&mut self, field: &Field, span: Option<&Found>, errors: &mut Errors) {
        let Some(ident) = &field.name.single else {
            self.names.attribute(&field.name, span, errors);
            self.given.push(field.name.text.clone());
            errors
                .at(&field.name, format!("`{}` has no value", field.name.text))
                .help(format!("write `{} = ..`; only a parameter's own name stands alone", field.name.text));
            return;
        };
        let Some(parameter) = self.parameter(ident).cloned() else {
            not_a_parameter(ident, &self.signature.function, errors);
            self.given.extend(self.names.meant(&field.name, span));
            return;
        };
        if parameter.words.secret.is_some() {
            self.given.extend(self.names.meant(&field.name, span));
            return words::refuse_secret(ident, errors);
        }
        let Some(span) = span else { return };
        let (key, shape) = match self.names.by_parameter(ident, span, errors) {
            None => return,
            Some(ByParameter::Registered(def)) => match shape::of_parameter(def, &parameter.ty) {
                Some(shape) => (def.key.to_owned(), shape),
                None => {
                    self.given.push(def.key.to_owned());
                    errors
                        .at(
                            ident,
                            format!(
                                "`{ident}` is a `{}`, which cannot be the value of `{}`",
                                shown(&parameter.ty),
                                def.key
                            ),
                        )
                        .help(format!(
                            "the registry says `{}`: write `{} = ..` with a value of that type",
                            shape::written(def.value_type),
                            def.key
                        ));
                    return;
                }
            },
            Some(ByParameter::Unregistered(key)) => match shape::guessed(&parameter.ty) {
                Some(shape) => (key, shape),
                None => {
                    errors
                        .at(ident, format!("`{key}` is in no registry, so its type must be plain"))
                        .help("record a number, a `bool` or a `&str`, or define the attribute in a registry file");
                    return;
                }
            },
        };
        if self.first(&key, ident, errors) {
            self.parameter_value(key, shape, &parameter, ident, errors);
        }
    }

    fn late(&mut self, args: &Args, span: Option<&Found>, errors: &mut Errors) {
        if let (Some(word), Form::Export) = (&args.late_word, self.signature.form) {
            errors
                .at(word, "`late` needs the body, and `export` leaves the body alone")
                .help("use `fields(the.key = expression)`, or write an `extern \"C\"` function");
        }
        for name in &args.late {
            let def = self.names.attribute(name, span, errors);
            if !self.first(&name.text, name, errors) {
                continue;
            }
            let Some(def) = def else {
                self.given.extend(self.names.meant(name, span));
                continue;
            };
            match shape::of_expression(def) {
                Some(Shape::Ints) | None => unsupported(name, def, errors),
                Some(shape) => {
                    let first = name.tokens.clone().into_iter().next();
                    let place = first.map_or_else(crate::paths::here, |token| token.span());
                    let method = format_ident!("{}", def.key.replace('.', "_"), span = place);
                    self.captures.late.push(Attr {
                        key: def.key.to_owned(),
                        shape,
                        value: Value::Handle(method),
                        cfg: Vec::new(),
                    });
                }
            }
        }
    }

    /// Everything that the registry lists and the user did not give.
    fn registered(&mut self, def: &'static SpanDef, span: &Found, listed: bool, errors: &mut Errors) {
        for usage in def.attributes {
            if self.given.iter().any(|key| key == usage.key) || self.by_argument(usage, errors) {
                continue;
            }
            match usage.source {
                Source::Outcome => continue,
                Source::Context => {
                    self.captures.device |= usage.key == "runtime.device";
                    self.of_stream(usage, errors);
                    continue;
                }
                Source::ReturnCode if self.names.kind.boundary => {
                    self.captures.code_key = Some(usage.key);
                    continue;
                }
                Source::Type(ty) => {
                    if let Some((readable, reader)) = Readable::of(ty, usage.key) {
                        self.read(readable, reader, usage, errors);
                        continue;
                    }
                }
                Source::Parameter | Source::ReturnCode | Source::Hand => {}
            }
            let mut unfit = None;
            if let Some(parameter) = self.source(usage).cloned() {
                if let Some(word) = &parameter.words.secret {
                    let ident = &parameter.ident;
                    errors
                        .at(word, format!("`{ident}` is secret, and span `{}` records it as `{}`", span.key, usage.key))
                        .help("give the parameter another name, or say what is recorded with `fields(..)`");
                    continue;
                }
                match self.names.definition(usage).and_then(|def| shape::of_parameter(def, &parameter.ty)) {
                    // Nobody asked for a list that cannot be recorded here.
                    Some(Shape::Ints)
                        if self.signature.form == Form::Export && usage.requirement != Requirement::Required =>
                    {
                        continue;
                    }
                    Some(shape) => {
                        let ident = parameter.ident.clone();
                        self.parameter_value(usage.key.to_owned(), shape, &parameter, &ident, errors);
                        continue;
                    }
                    None => {
                        unfit = Some(format!(
                            "`{}` is a `{}`, which cannot be its value",
                            parameter.ident,
                            shown(&parameter.ty)
                        ))
                    }
                }
            }
            missing(usage, span, listed, self.signature.form != Form::Export, unfit, errors);
        }
    }

    /// The parameter from which an attribute comes by itself.
    pub(super) fn source(&self, usage: &AttributeUse) -> Option<&Parameter> {
        let parameters = &self.signature.function.parameters;
        match usage.source {
            Source::Parameter => usage
                .params
                .iter()
                .find_map(|name| parameters.iter().find(|parameter| parameter.ident.unraw() == *name)),
            Source::Type(name) => parameters.iter().find(|parameter| mentions(&parameter.ty, name)),
            _ => None,
        }
    }

    fn parameter(&self, ident: &Ident) -> Option<&Parameter> {
        self.signature.function.parameters.iter().find(|parameter| parameter.ident.unraw() == ident.unraw())
    }

    /// Refuses a key that was given before.
    fn first(&mut self, key: &str, at: &impl ToTokens, errors: &mut Errors) -> bool {
        let first = !self.given.iter().any(|given| given == key);
        if first {
            self.given.push(key.to_owned());
        } else {
            errors.at(at.to_token_stream(), format!("`{key}` is given twice")).help("keep one of the two");
        }
        first
    }

    fn parameter_value(
        &mut self,
        key: String,
        mut shape: Shape,
        parameter: &Parameter,
        at: &Ident,
        errors: &mut Errors,
    ) {
        // The parameter's own hygiene, and the place that the user would look at.
        let mut ident = parameter.ident.clone();
        ident.set_span(ident.span().located_at(at.span()));
        let passing = passing(&parameter.ty).ok().filter(|_| self.signature.form == Form::Export);
        if let (Shape::Enum(_, own), Some((Passing::Code, ty))) = (&mut shape, &passing) {
            *own = Some(Box::new(ty.clone()));
        }
        let attr = Attr { key, shape, value: Value::Parameter(ident), cfg: parameter.cfg.clone() };
        // Form (i) sees raw C values first; whatever must be checked is recorded after its check.
        let early = passing.is_none_or(|(passing, _)| passing.is_scalar());
        self.push(attr, early, at, errors);
    }

    pub(super) fn push(&mut self, attr: Attr, early: bool, at: &impl ToTokens, errors: &mut Errors) {
        if early {
            self.captures.start.push(attr);
        } else if matches!(attr.shape, Shape::Ints) {
            errors
                .at(
                    at.to_token_stream(),
                    format!("`{}` is a list, which cannot be recorded after the checks", attr.key),
                )
                .help("record its length instead, or write an `extern \"C\"` function");
        } else {
            self.captures.late.push(attr);
        }
    }
}

/// A type of value that a record cannot carry here.
fn unsupported(at: &Name, def: &AttributeDef, errors: &mut Errors) {
    errors
        .at(
            at,
            format!("`{}` is a list (`{}`), which cannot be recorded here", def.key, shape::written(def.value_type)),
        )
        .help("record its length instead; only `int[]` from a parameter can be a value");
}
