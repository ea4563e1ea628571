//! The numbers that C compares with: codes of the boundary, of the crate's errors, and of its enums.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Item, LitInt, Meta, Variant};

use super::Refusal;
use super::functions::prefix;
use super::source::Found;

/// The boundary's own, under the prefix of `export_c_api!`.
const BOUNDARY: [(&str, i32, &str); 7] = [
    ("PANIC", -1, "A defect in the library, contained."),
    ("NULL", -2, "A pointer is null that must not be."),
    ("MISALIGNED", -3, "A pointer is not aligned for its type."),
    ("SIZE", -4, "A size is negative or too large."),
    ("UTF8", -5, "A text is not UTF-8."),
    ("ENUM", -6, "A code is none of the enum's."),
    ("HANDLE", -7, "A handle is stale, freed, 0 or of another kind."),
];

/// One variant of an enum that C gets as a number.
struct Code {
    enumeration: String,
    variant: String,
    middle: &'static str,
    code: i32,
    docs: Vec<String>,
    place: String,
}

/// Constants for `#define`: `KINA_E_NULL`, and after the component `RUNTIME_E_OUT_OF_MEMORY` and `RUNTIME_F32`.
/// Where two enums share a variant, the name of the enum stands before it.
pub(super) fn constants(found: &[Found], component: Option<&str>, refusals: &mut Vec<Refusal>) -> Vec<TokenStream> {
    let mut constants = Vec::new();
    if let Some(prefix) = found.iter().find_map(prefix) {
        let of =
            |(name, code, doc): (&str, i32, &str)| constant(&format!("{prefix}_E_{name}"), code, &[doc.to_owned()]);
        constants.extend(BOUNDARY.map(of));
    }
    // Without a component there is nothing that would keep the names apart from those of other libraries.
    let Some(component) = component else { return constants };
    let codes: Vec<Code> = found.iter().flat_map(codes).collect();
    let mut seen: BTreeMap<String, &Code> = BTreeMap::new();
    for one in &codes {
        let is_shared = codes.iter().any(|other| {
            (&other.variant, other.middle) == (&one.variant, one.middle) && other.enumeration != one.enumeration
        });
        let of = if is_shared { format!("{}_", one.enumeration) } else { String::new() };
        let name = format!("{component}{}{of}{}", one.middle, one.variant);
        match seen.get(&name) {
            // Two definitions of one enum, of which `cfg` leaves one.
            Some(other) if other.code == one.code => {}
            Some(other) => refusals.push(Refusal::new(
                &one.place,
                format!("`{}` would be two codes in C; the other is at {}", name.to_uppercase(), other.place),
                "rename one of the two",
            )),
            None => constants.push(constant(&name, one.code, &one.docs)),
        }
        seen.entry(name).or_insert(one);
    }
    constants
}

fn codes(found: &Found) -> Vec<Code> {
    let Item::Enum(item) = &found.item else { return Vec::new() };
    let (is_error, is_enum) = (derives(&item.attrs, "FfiError"), derives(&item.attrs, "FfiEnum"));
    let code = |variant: &Variant| match (is_error, is_enum) {
        (true, _) => error_code(variant),
        (_, true) => discriminant(variant),
        _ => None,
    };
    let codes = item.variants.iter().filter_map(|variant| {
        Some(Code {
            enumeration: screaming(&item.ident.to_string()),
            variant: screaming(&variant.ident.to_string()),
            middle: if is_error { "_E_" } else { "_" },
            code: code(variant)?,
            docs: docs(&variant.attrs),
            place: found.place(&variant.ident),
        })
    });
    codes.collect()
}

fn constant(name: &str, code: i32, docs: &[String]) -> TokenStream {
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let name = Ident::new(&name, Span::call_site());
    let docs = docs.iter().map(|line| format!(" {}", line.trim()));
    quote!(#(#[doc = #docs])* pub const #name: i32 = #code;)
}

fn derives(attrs: &[Attribute], word: &str) -> bool {
    let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    derives.into_iter().any(|attr| {
        let text = attr.meta.to_token_stream().to_string();
        text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
    })
}

/// `#[ffi_error(code = 101, ..)]`; a transparent variant has none of its own.
fn error_code(variant: &Variant) -> Option<i32> {
    let attr = variant.attrs.iter().find(|attr| attr.path().is_ident("ffi_error"))?;
    let mut code = None;
    // What cannot be read, the derive reports.
    let _ = attr.parse_nested_meta(|meta| {
        if meta.path.is_ident("code") {
            code = meta.value()?.parse::<LitInt>()?.base10_parse().ok();
        } else if meta.input.peek(syn::Token![=]) {
            meta.value()?.parse::<Expr>()?;
        }
        Ok(())
    });
    code
}

fn discriminant(variant: &Variant) -> Option<i32> {
    let (_, value) = variant.discriminant.as_ref()?;
    value.to_token_stream().to_string().replace(' ', "").parse().ok()
}

fn docs(attrs: &[Attribute]) -> Vec<String> {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect()
}

/// `OutOfMemory` becomes `Out_Of_Memory`; capitals come later.
fn screaming(name: &str) -> String {
    let mut text = String::new();
    for (index, c) in name.chars().enumerate() {
        if c.is_uppercase() && index > 0 {
            text.push('_');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{BOUNDARY, screaming};

    #[test]
    fn names() {
        assert_eq!(screaming("OutOfMemory"), "Out_Of_Memory");
        assert_eq!(screaming("F32"), "F32");
    }

    /// Our copy of the runtime's codes must not drift.
    #[test]
    fn codes_are_those_of_the_runtime() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../kina-observ/src/ffi/fault.rs");
        let text = std::fs::read_to_string(file).expect("a source of the runtime");
        let kinds = ["Null", "Misaligned", "Negative", "NotUtf8", "NotAMember", "DeadHandle"];
        for ((_, code, _), kind) in BOUNDARY[1..].iter().zip(kinds) {
            let arm = text.lines().find(|line| line.contains(kind) && line.contains(&format!("=> {code},")));
            assert!(arm.is_some(), "{kind} {code}");
        }
    }
}
