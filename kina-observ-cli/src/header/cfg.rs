//! Every `cfg` that reaches the header needs a name in C: without one the guard would be lost without a word.

use cbindgen::Config;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Token};

use super::Refusal;
use super::functions::Function;
use super::source::{Found, place};
use super::types::attributes;

/// Refuses what `[defines]` of `cbindgen.toml` does not translate.
pub(super) fn check(
    functions: &[Function],
    crossing: &[(String, &Found)],
    config: &Config,
    refusals: &mut Vec<Refusal>,
) {
    for function in functions {
        let slots = function.c.parameters.iter().flat_map(|slot| &slot.cfg);
        for attr in function.cfg.iter().chain(&function.c.attrs) {
            one(attr, &place(&function.file, attr.span()), config, refusals);
        }
        for attr in slots {
            refusals.push(Refusal::new(
                place(&function.file, attr.span()),
                "a parameter that is there only sometimes changes the C function",
                "write two functions with two names",
            ));
        }
    }
    for (_, found) in crossing {
        for attr in found.cfg.iter().chain(attributes(&found.item)) {
            one(attr, &found.place(attr), config, refusals);
        }
    }
}

fn one(attr: &Attribute, place: &str, config: &Config, refusals: &mut Vec<Refusal>) {
    if let (true, Meta::List(list)) = (attr.path().is_ident("cfg"), &attr.meta) {
        for key in keys(list) {
            let squeezed = key.replace([' ', '"'], "");
            if !config.defines.keys().any(|known| known.replace([' ', '"'], "") == squeezed) {
                refusals.push(Refusal::new(
                    place,
                    format!("`cfg({key})` has no name in C"),
                    format!(
                        "add a line to `[defines]` of cbindgen.toml, such as `\"{key}\" = \"{}\"`",
                        define(&squeezed)
                    ),
                ));
            }
        }
    }
}

/// The single conditions, as cbindgen writes them.
fn keys(list: &syn::MetaList) -> Vec<String> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(parts) = parser.parse2(list.tokens.clone()) else { return Vec::new() };
    let key = |part: Meta| match part {
        Meta::List(inner) => keys(&inner),
        Meta::Path(path) => vec![quote::quote!(#path).to_string()],
        Meta::NameValue(pair) => {
            let (path, value) = (&pair.path, &pair.value);
            vec![format!("{} = {}", quote::quote!(#path), quote::quote!(#value).to_string().trim_matches('"'))]
        }
    };
    parts.into_iter().flat_map(key).collect()
}

fn define(key: &str) -> String {
    let upper = key.to_uppercase();
    upper.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
