//! Size and offsets of every `repr(C)` struct that crosses, asserted in C: a drift fails the C compiler, not the program.

use std::fmt::Write as _;

use cbindgen::Config;
use syn::{Item, ItemStruct, Type};

use super::source::Found;
use super::types::{Types, attributes, is_laid_out, last};

/// Bytes.
#[derive(Clone, Copy)]
struct Layout {
    size: usize,
    align: usize,
}

/// The assertions; empty if no struct crosses. They hold where pointers have 64 bits.
pub(super) fn assertions(crossing: &[(String, &Found)], types: &Types<'_>, config: &Config) -> String {
    let mut lines = String::new();
    for (name, found) in crossing {
        let Item::Struct(item) = &found.item else { continue };
        let Some((fields, whole)) = structure(item, types) else {
            if is_laid_out(&found.item) {
                let _ = writeln!(lines, "/* {name}: its layout is known to the compiler only. */");
            }
            continue;
        };
        let renamed = config.export.rename.get(name).cloned();
        let name = renamed.unwrap_or_else(|| format!("{}{name}", config.export.prefix.as_deref().unwrap_or_default()));
        assertion(&mut lines, &format!("sizeof({name}) == {}", whole.size), &format!("size of {name}"));
        for (field, offset) in fields {
            let what = format!("offsetof({name}, {field}) == {offset}");
            assertion(&mut lines, &what, &format!("offset of {name}.{field}"));
        }
    }
    if lines.is_empty() {
        return lines;
    }
    format!(
        "/* The layout of the Rust side, where pointers have 64 bits. */\n\
         #if defined(__cplusplus) && __cplusplus >= 201103L\n\
         #define KINA_OBSERV_ASSERT(condition, text) static_assert(condition, text)\n\
         #elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
         #define KINA_OBSERV_ASSERT(condition, text) _Static_assert(condition, text)\n\
         #endif\n\
         #if defined(KINA_OBSERV_ASSERT) && UINTPTR_MAX == 0xFFFFFFFFFFFFFFFF\n\
         {lines}#endif\n\
         #undef KINA_OBSERV_ASSERT\n\n"
    )
}

fn assertion(lines: &mut String, condition: &str, text: &str) {
    // Writing to a String does not fail.
    let _ = writeln!(lines, "KINA_OBSERV_ASSERT({condition}, \"{text}\");");
}

/// Offsets and size of a plain `repr(C)` struct; none where the tool cannot know them.
fn structure(item: &ItemStruct, types: &Types<'_>) -> Option<(Vec<(String, usize)>, Layout)> {
    let mut reprs = item.attrs.iter().filter(|attr| attr.path().is_ident("repr"));
    let plain = reprs.next()?.parse_args::<syn::Ident>().is_ok_and(|word| word == "C") && reprs.next().is_none();
    let has_cfg = |attrs: &[syn::Attribute]| attrs.iter().any(|attr| attr.path().is_ident("cfg"));
    if !plain || !item.generics.params.is_empty() || has_cfg(&item.attrs) {
        return None;
    }
    let mut whole = Layout { size: 0, align: 1 };
    let mut offsets = Vec::new();
    for field in &item.fields {
        if has_cfg(&field.attrs) {
            return None;
        }
        let layout = layout(&field.ty, types)?;
        let offset = whole.size.next_multiple_of(layout.align);
        offsets.push((field.ident.as_ref()?.to_string(), offset));
        whole = Layout { size: offset + layout.size, align: whole.align.max(layout.align) };
    }
    whole.size = whole.size.next_multiple_of(whole.align);
    // C has no empty structs.
    (whole.size > 0).then_some((offsets, whole))
}

fn layout(ty: &Type, types: &Types<'_>) -> Option<Layout> {
    let same = |size| Some(Layout { size, align: size });
    match ty {
        Type::Ptr(_) | Type::Reference(_) | Type::FnPtr(_) => same(8),
        Type::Array(array) => {
            let element = layout(&array.elem, types)?;
            Some(Layout { size: element.size * types.number(&array.len)?, ..element })
        }
        Type::Path(_) => match last(ty)?.as_str() {
            "bool" | "u8" | "i8" | "c_char" | "c_schar" | "c_uchar" => same(1),
            "u16" | "i16" | "c_short" | "c_ushort" => same(2),
            "u32" | "i32" | "f32" | "c_int" | "c_uint" | "c_float" | "int32_t" | "uint32_t" => same(4),
            "u64" | "i64" | "f64" | "usize" | "isize" | "c_longlong" | "c_ulonglong" | "c_double" | "size_t"
            | "Option" | "NonNull" => same(8),
            name => match &types.definition(name)?.item {
                Item::Struct(item) => structure(item, types).map(|(_, whole)| whole),
                Item::Type(item) => layout(&item.ty, types),
                item @ Item::Enum(_) => {
                    let mut reprs = attributes(item).iter().filter(|attr| attr.path().is_ident("repr"));
                    match reprs.next()?.parse_args::<syn::Ident>().ok()?.to_string().as_str() {
                        "i8" | "u8" => same(1),
                        "i16" | "u16" => same(2),
                        "i32" | "u32" | "C" => same(4),
                        "i64" | "u64" | "isize" | "usize" => same(8),
                        _ => None,
                    }
                }
                _ => None,
            },
        },
        _ => None,
    }
}
