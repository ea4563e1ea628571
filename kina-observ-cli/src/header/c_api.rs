//! The functions of `export_c_api!`, as its expansion has them, each with what a C programmer must know.

use kina_observ_codegen::expand;
use kina_observ_codegen::header::{CFunction, written};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::parse::Parse;
use syn::{Expr, File, Item, ItemConst, ItemFn, Stmt, Type, parse_quote};

use super::functions::symbol;

/// The types of the C API, as `kina_observ` has them. C gets them under the prefix of the functions.
const TYPES: &str = r#"
    /// Gets each JSON line, on a thread of the library's. Severity: 1 error, 2 warn, 3 info, 4 debug, 5 trace.
    /// The line has no end of line, a NUL follows it, and it lives as long as the call.
    pub type LogFunction = unsafe extern "C-unwind" fn(user: *mut c_void, severity: i32, line: *const c_char, length: usize);
    /// Called once with `user`, when the callback will not use it any more.
    pub type Destroy = unsafe extern "C-unwind" fn(user: *mut c_void);
    /// A last error: every text ends in a NUL and is cut between characters if it is too long.
    #[repr(C)]
    pub struct ErrorCopy {
        /// 0: there was none.
        pub code: i32,
        /// 0 none, 1 boundary, 2 outer, 3 inner.
        pub layer: i32,
        /// The `error.type`.
        pub error_type: [c_char; 96],
        /// What happened.
        pub message: [c_char; 512],
        /// What to do.
        pub help: [c_char; 256],
        /// Where.
        pub span_path: [c_char; 256],
    }
"#;

/// Names of [`TYPES`] and what C calls them, after the prefix.
const NAMES: [(&str, &str); 3] =
    [("LogFunction", "log_function_t"), ("Destroy", "log_destroy_t"), ("ErrorCopy", "error_copy_t")];

/// End of the name, names of the parameters, documentation. The longest that fits is taken.
const DOCS: &[(&str, &[&str], &str)] = &[
    (
        "observ_init",
        &["level"],
        "Starts recording at a level (0 off, 1 basic, 2 kernel) with the settings of `KINA_OBSERV_*`.\n\
         0: started; 1: was running, the level is set; -1: could not start, the reason is on standard error; -2: no such level.\n\
         Without it the first call of any function starts what the environment says, which is nothing by default.",
    ),
    (
        "observ_set_log_callback",
        &["function", "user", "destroy"],
        "Hands every JSON line to `function`, or to nobody if it is null. Set it before the level and standard error stays empty.\n\
         The callback before is not called again, and its `destroy` has been called, when this returns.\n\
         It is called on a thread of the library's, must not throw or wait, and what it calls here is not recorded.\n\
         0: set; 1: called from inside a callback, nothing changed.",
    ),
    (
        "observ_panic_strategy",
        &[],
        "0: a panic becomes code -1; 1: the library was built with panic=abort, so a panic ends the process.",
    ),
    (
        "last_error_copy",
        &["to"],
        "Copies this thread's last error as a whole, for hosts that move between threads. 0: copied; -2: null or misaligned.",
    ),
    ("observ_set_level", &["level"], "0: set; 1: nothing is running; -2: no such level."),
    (
        "observ_set_filter",
        &["directives"],
        "Sets directives as in `RUST_LOG`. 0: set; -2: null, not UTF-8 or not understood.",
    ),
    (
        "observ_flush",
        &["timeout_ms"],
        "0: everything recorded so far has reached the operating system; 1: not within the time.",
    ),
    (
        "observ_shutdown",
        &["timeout_ms"],
        "Call it before the process ends. 0: flushed and stopped; 1: nothing was running, or it did not end within the time.",
    ),
    ("last_error_code", &[], "Of this thread. 0: none. Meaningful only after a call returned a code other than 0."),
    ("last_error_layer", &[], "0 none, 1 boundary, 2 outer error (device), 3 inner error (operation)."),
    ("last_error_message", &[], "What happened. Never null; valid until the next failing call on this thread."),
    ("last_error_help", &[], "What to do. Never null; valid until the next failing call on this thread."),
    ("last_error_type", &[], "The `error.type`. Never null; valid until the next failing call on this thread."),
    ("last_error_span_path", &[], "Where. Never null; valid until the next failing call on this thread."),
    ("last_error_clear", &[], "Forgets this thread's last error."),
    (
        "module_push",
        &["id"],
        "This thread's calls belong to a compiled module from here on; `id` points to the 16 bytes of its UUID.\n\
         0: done; 1: 32 are pushed already; -2: null.",
    ),
    ("module_pop", &[], "0: the module before is back; 1: none was pushed."),
];

/// What `export_c_api!(tokens)` exports, and the types that it needs; nothing if it does not compile.
pub(super) fn exported(tokens: TokenStream) -> (Vec<CFunction>, Vec<Item>) {
    let prefix = prefix(&tokens);
    let Ok(file) = syn::parse2::<File>(expand::export_c_api(tokens)) else { return (Vec::new(), Vec::new()) };
    let functions: Vec<CFunction> =
        file.items.iter().flat_map(inside).filter_map(|item| documented(&item, &prefix)).collect();
    let used = |item: &Item| match item {
        Item::Type(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        _ => String::new(),
    };
    let names =
        functions.iter().flat_map(|function| &function.parameters).map(|slot| slot.ty.to_token_stream().to_string());
    let names: Vec<String> = names.collect();
    let types = syn::parse_str::<File>(TYPES).map(|file| file.items).unwrap_or_default().into_iter();
    let types = types.map(|item| renamed(&item, &prefix)).filter(|item| {
        names.iter().any(|ty| ty.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == used(item)))
    });
    let types = types.collect();
    (functions, types)
}

/// The text that every name of the C API begins with.
pub(super) fn prefix(tokens: &TokenStream) -> String {
    let first = tokens.clone().into_iter().next();
    first.map(|token| token.to_string().replace('"', "")).unwrap_or_default()
}

/// The same tokens with the names that C knows.
fn renamed<T: Parse + ToTokens + Clone>(whole: &T, prefix: &str) -> T {
    fn walk(tokens: TokenStream, prefix: &str) -> TokenStream {
        let tokens = tokens.into_iter().map(|token| match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), walk(group.stream(), prefix)).into(),
            TokenTree::Ident(ident) => match NAMES.iter().find(|(rust, _)| ident == rust) {
                Some((_, c)) => format_ident!("{prefix}_{c}").into(),
                None => ident.into(),
            },
            other => other,
        });
        tokens.collect()
    }
    syn::parse2(walk(whole.to_token_stream(), prefix)).unwrap_or_else(|_| whole.clone())
}

/// What C calls the type of an error.
pub(super) fn error_copy(prefix: &str) -> Ident {
    format_ident!("{prefix}_error_copy_t")
}

fn inside(item: &Item) -> Vec<ItemFn> {
    let Item::Const(ItemConst { expr, .. }) = item else { return Vec::new() };
    let Expr::Block(block) = &**expr else { return Vec::new() };
    let functions = block.block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Item(Item::Fn(item)) => Some(item.clone()),
        _ => None,
    });
    functions.collect()
}

fn documented(item: &ItemFn, prefix: &str) -> Option<CFunction> {
    let symbol = symbol(item)?;
    let mut parameters = written(&item.sig);
    let mut attrs = Vec::new();
    for parameter in &mut parameters {
        parameter.ty = unqualified(&renamed(&parameter.ty, prefix));
    }
    if let Some((_, names, doc)) =
        DOCS.iter().filter(|(end, ..)| symbol.ends_with(end)).max_by_key(|(end, ..)| end.len())
    {
        attrs.extend(doc.lines().map(|line| -> syn::Attribute {
            let line = format!(" {line}");
            parse_quote!(#[doc = #line])
        }));
        for (parameter, name) in parameters.iter_mut().zip(*names) {
            parameter.name = Ident::new(name, Span::call_site());
        }
    }
    Some(CFunction { symbol, attrs, parameters, out: None, error: false, output: item.sig.output.clone() })
}

/// Without the path of the runtime, which cbindgen does not read.
fn unqualified(ty: &Type) -> Type {
    let tokens = ty.to_token_stream().to_string().replace("__kina_p :: c_api :: ", "");
    syn::parse_str(&tokens).unwrap_or_else(|_| ty.clone())
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};
    use syn::{Fields, File, Item, Type};

    use super::{TYPES, exported};

    #[test]
    fn every_function_of_the_c_api_is_documented() {
        let (functions, _) = exported(quote!("kina"));
        assert!(functions.len() >= 14);
        for function in functions {
            assert!(!function.attrs.is_empty(), "`{}` has no line in DOCS", function.symbol);
            let named = function.parameters.iter().all(|slot| !slot.name.to_string().starts_with("__"));
            assert!(named, "`{}` has parameters without names in DOCS", function.symbol);
        }
    }

    /// Our copy of the runtime's types must not drift.
    #[test]
    fn types_are_those_of_the_runtime() {
        let runtime = concat!(env!("CARGO_MANIFEST_DIR"), "/../kina-observ/src/");
        let read = |file: &str| std::fs::read_to_string(format!("{runtime}{file}")).expect("a source of the runtime");
        let text = ["ffi/error_copy.rs", "ffi/last_error.rs", "output/callback.rs"].map(read).join("\n");
        let squeezed = |text: String| text.replace([' ', '\n'], "");
        let mut text = squeezed(text);
        for constant in ["TYPE_BYTES", "MESSAGE_BYTES", "HELP_BYTES", "PATH_BYTES"] {
            let value = text.split(&format!("const{constant}:usize=")).nth(1).and_then(|rest| rest.split(';').next());
            let value = value.expect("a constant of last_error.rs").to_owned();
            text = text.replace(&format!("c_char;{constant}]"), &format!("c_char;{value}]"));
        }
        for item in syn::parse_str::<File>(TYPES).expect("our own text").items {
            match item {
                Item::Type(mut item) => {
                    if let Type::FnPtr(function) = &mut *item.ty {
                        function.inputs.iter_mut().for_each(|input| input.name = None);
                    }
                    let ty = squeezed(format!("type {} = {};", item.ident, item.ty.to_token_stream()));
                    assert!(text.contains(&ty), "{ty}");
                }
                Item::Struct(item) => {
                    let Fields::Named(fields) = item.fields else { panic!("ErrorCopy has names") };
                    for field in fields.named {
                        let (name, ty) = (field.ident.expect("it has a name"), field.ty.to_token_stream());
                        let field = squeezed(format!("pub {name}: {ty},"));
                        assert!(text.contains(&field), "{field}");
                    }
                }
                _ => panic!("a type"),
            }
        }
    }
}
