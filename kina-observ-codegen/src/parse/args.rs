//! Parses the arguments of an attribute; after a mistake it goes on at the next comma.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, LitStr, Path, Token, Type, parenthesized, token};

use super::name::Name;
use crate::errors::Errors;
use crate::kinds::{KINDS, Kind, refused};
use crate::suggest::{did_you_mean, or_list};
use kina_observ_conventions::{Severity, nearest};

/// One entry of `fields(..)`.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
}

/// An argument whose value is an expression: `stream = self.stream`.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) word: Ident,
    pub(crate) value: Expr,
}

/// What `nvtx = ..` says.
#[derive(Clone)]
pub(crate) enum Nvtx {
    /// No range.
    Off,
    /// A template.
    Text(LitStr),
}

/// The arguments as written.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) span_type: Option<Name>,
    pub(crate) export: Option<LitStr>,
    pub(crate) fields: Vec<Field>,
    pub(crate) late: Vec<Name>,
    /// The word `late` itself: the handle that the body uses bears its span.
    pub(crate) late_word: Option<Ident>,
    pub(crate) returns: Option<Type>,
    pub(crate) out: Option<Ident>,
    pub(crate) level: Option<Severity>,
    pub(crate) nvtx: Option<Nvtx>,
    pub(crate) inner_event: bool,
    /// `error = out`: its token.
    pub(crate) error_out: Option<Ident>,
    pub(crate) parent: Option<Expr>,
    /// `kernel`, `launch`, `stream` and the other arguments about what a function does.
    pub(crate) given: Vec<Given>,
    /// The word `free`.
    pub(crate) free: Option<Ident>,
    pub(crate) runtime: Option<Path>,
    /// Every argument that was meant, whether it could be read or not: what is missing because of a mistake is not missed again.
    pub(crate) meant: Vec<String>,
}

impl Args {
    /// Whether nothing was given, except perhaps where the runtime is.
    pub(crate) fn only_crate(&self) -> bool {
        self.span_type.is_none() && self.meant.iter().all(|meant| meant == "crate")
    }

    /// Whether the user meant to give this argument.
    pub(crate) fn means(&self, key: &str) -> bool {
        self.meant.iter().any(|meant| meant == key)
    }

    /// The expression that an argument gives.
    pub(crate) fn given(&self, key: &str) -> Option<&Given> {
        self.given.iter().find(|given| given.word.unraw() == key)
    }
}

/// Stands for the span type in [`Args::meant`]; no argument is called so.
pub(crate) const SPAN_TYPE: &str = "span type";

/// Parses what stands in the parentheses of an attribute.
pub(crate) fn parse(kind: &Kind, tokens: TokenStream, errors: &mut Errors) -> Args {
    let mut args = Args::default();
    let parser = |input: ParseStream<'_>| {
        list(input, errors, "write a span type, `argument = value` or `argument(..)`", |input, errors| {
            argument(kind, input, &mut args, errors)
        });
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.syntax(error);
    }
    args
}

/// Reads entries between commas until the end.
fn list(
    input: ParseStream<'_>,
    errors: &mut Errors,
    form: &str,
    mut entry: impl FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) {
    while !input.is_empty() {
        if let Err(error) = entry(input, errors) {
            errors.syntax(error).help(form);
            skip_to_comma(input);
        }
        if input.is_empty() {
            return;
        }
        if input.peek(Token![,]) {
            let _: syn::Result<Token![,]> = input.parse();
        } else if let Ok(next) = input.fork().parse::<TokenTree>() {
            errors.at(&next, format!("expected `,` before `{next}`")).help("arguments are separated by commas");
            if !matches!(next, TokenTree::Ident(_) | TokenTree::Literal(_)) {
                skip_to_comma(input);
            }
        }
    }
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _: syn::Result<TokenTree> = input.parse();
    }
}

fn argument(kind: &Kind, input: ParseStream<'_>, args: &mut Args, errors: &mut Errors) -> syn::Result<()> {
    let name: Name = input.parse()?;
    let Some(word) = name.single.clone() else {
        if args.span_type.is_some() {
            errors.at(&name, "a function has one span type, and it is given twice").help("remove one of the two");
        } else {
            args.span_type = Some(name);
        }
        return Ok(());
    };
    let key = name.text.as_str();
    if let Some(row) = refused(key) {
        errors.at(&word, row.because).help(row.help);
        skip_to_comma(input);
        return Ok(());
    }
    if !kind.arguments.contains(&key) {
        args.meant.push(unknown(kind, &word, input, errors));
        skip_to_comma(input);
        return Ok(());
    }
    if args.means(key) {
        errors.at(&word, format!("`{key}` is given twice")).help("keep one of the two");
        skip_to_comma(input);
        return Ok(());
    }
    args.meant.push(key.to_owned());
    if key == "free" {
        if input.peek(Token![=]) || input.peek(token::Paren) {
            errors.at(&word, "`free` stands alone").help("write `free`, and `pointer = ..` for what is freed");
            skip_to_comma(input);
        }
        args.free = Some(word);
        return Ok(());
    }
    if matches!(key, "fields" | "late") {
        if !input.peek(token::Paren) {
            errors.at(&word, format!("`{key}` needs a list")).help(format!("write `{key}(..)`"));
            skip_to_comma(input);
            return Ok(());
        }
        return lists(key, &word, input, args, errors);
    }
    if !input.peek(Token![=]) {
        errors.at(&word, format!("`{key}` needs a value")).help(format!("write {}", example(key)));
        skip_to_comma(input);
        return Ok(());
    }
    input.parse::<Token![=]>()?;
    if let Err(error) = value(&word, input, args, errors) {
        errors
            .syntax(syn::Error::new(error.span(), format!("`{key}` has no value that can be read")))
            .help(format!("write {}", example(key)));
        skip_to_comma(input);
    }
    Ok(())
}

fn lists(key: &str, word: &Ident, input: ParseStream<'_>, args: &mut Args, errors: &mut Errors) -> syn::Result<()> {
    let content;
    parenthesized!(content in input);
    if key == "late" {
        args.late_word = Some(word.clone());
        list(&content, errors, "write keys with dots, such as `late(runtime.device)`", |input, _| {
            args.late.push(input.parse()?);
            Ok(())
        });
    } else {
        list(&content, errors, "write a parameter's name, or `the.key = expression`", |input, _| {
            let name = input.parse()?;
            let value = if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                Some(input.parse()?)
            } else {
                None
            };
            args.fields.push(Field { name, value });
            Ok(())
        });
    }
    Ok(())
}

fn value(word: &Ident, input: ParseStream<'_>, args: &mut Args, errors: &mut Errors) -> syn::Result<()> {
    let key = word.unraw().to_string();
    let key = key.as_str();
    match key {
        "export" => args.export = Some(input.parse()?),
        "returns" => args.returns = Some(input.parse()?),
        "out" => args.out = Some(input.call(Ident::parse_any)?),
        "parent" => args.parent = Some(input.parse()?),
        "crate" => args.runtime = Some(input.call(Path::parse_mod_style)?),
        "level" => {
            args.level = one_of(key, input, errors, &SEVERITIES)?;
        }
        "inner" => {
            let words = [("error", false), ("event", true)];
            args.inner_event = one_of(key, input, errors, &words)?.unwrap_or_default();
        }
        "kernel" | "launch" | "stream" | "event" | "size" | "pointer" | "resource" | "ledger" => {
            args.given.push(Given { word: word.clone(), value: input.parse()? });
        }
        "error" => {
            let place = input.fork().call(Ident::parse_any).ok();
            let out = one_of(key, input, errors, &[("last", false), ("out", true)])?.unwrap_or_default();
            args.error_out = place.filter(|_| out);
        }
        _ if input.peek(LitStr) => args.nvtx = Some(Nvtx::Text(input.parse()?)),
        _ => args.nvtx = one_of(key, input, errors, &[("off", Nvtx::Off)])?,
    }
    Ok(())
}

const SEVERITIES: [(&str, Severity); 5] = [
    ("error", Severity::Error),
    ("warn", Severity::Warn),
    ("info", Severity::Info),
    ("debug", Severity::Debug),
    ("trace", Severity::Trace),
];

/// One of a closed list of words.
fn one_of<T: Clone>(
    key: &str,
    input: ParseStream<'_>,
    errors: &mut Errors,
    words: &[(&'static str, T)],
) -> syn::Result<Option<T>> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        let text = literal.value();
        errors.at(&literal, format!("`{key}` takes a word, not a text")).help(format!("write `{key} = {text}`"));
        return Ok(None);
    }
    let ident = input.call(Ident::parse_any)?;
    let text = ident.unraw().to_string();
    if let Some((_, value)) = words.iter().find(|(name, _)| *name == text) {
        return Ok(Some(value.clone()));
    }
    let names = words.iter().map(|(name, _)| *name);
    let near = did_you_mean(&text, names.clone());
    let all = || format!("`{key}` takes {}{}", or_list(names), if key == "nvtx" { " or a text" } else { "" });
    let help = if near.is_empty() { all() } else { near };
    errors.at(&ident, format!("`{text}` is not a value of `{key}`")).help(help);
    Ok(None)
}

fn example(key: &str) -> &'static str {
    match key {
        "export" => "`export = \"runtime_x\"`, the symbol that C calls",
        "returns" => "`returns = Result<T, E>`",
        "out" => "`out = out`, the name of the out parameter",
        "level" => "`level = debug`",
        "inner" => "`inner = event`",
        "error" => "`error = out`",
        "parent" => "`parent = context`, an expression of type `Context`",
        "crate" => "`crate = path::to::kina_observ`",
        "kernel" => "`kernel = \"softmax_f16\"`, or an expression that gives the name",
        "launch" => "`launch = config`, which says grid and block",
        "stream" => "`stream = stream`, or an expression such as `self.stream`",
        "event" => "`event = event`, which the stream waits for",
        "size" => "`size = bytes`, the number of bytes",
        "pointer" => "`pointer = pointer`, what is freed",
        "resource" => "`resource = \"pool\"`, the kind of memory",
        "ledger" => "`ledger = LEDGER`, a static",
        _ => "`nvtx = off`",
    }
}

/// Reports an argument that does not exist, and says which one was meant.
fn unknown(kind: &Kind, word: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> String {
    let text = word.unraw().to_string();
    if let Some(other) = KINDS.iter().find(|other| other.arguments.contains(&text.as_str())) {
        errors
            .at(word, format!("`{text}` is an argument of `{}`, not of `{}`", other.shown(), kind.shown()))
            .help("remove it");
        return text;
    }
    let known = kind.arguments.iter().copied();
    let alone = input.is_empty() || input.peek(Token![,]);
    let meant = nearest(&text, known.clone()).next();
    errors.at(word, format!("unknown argument `{text}`")).help(did_you_mean(&text, known.clone())).help(match meant {
        _ if alone => "a span type has at least two segments, such as `runtime.gpu.matmul`".to_owned(),
        Some(_) => String::new(),
        None => format!("`{}` takes {}", kind.shown(), or_list(known)),
    });
    match meant {
        Some(meant) => meant.to_owned(),
        None if alone => SPAN_TYPE.to_owned(),
        None => text,
    }
}
