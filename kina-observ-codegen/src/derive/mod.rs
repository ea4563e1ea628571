//! The derives: what C knows about an error and about an enum.

pub(crate) mod ffi_enum;
pub(crate) mod ffi_error;
pub(crate) mod ffi_struct;

use syn::{DeriveInput, LitInt};

use crate::errors::Errors;

/// `SomeName` as `some_name`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let letters: Vec<char> = name.trim_start_matches("r#").chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        let after_lower = index > 0 && (letters[index - 1].is_lowercase() || letters[index - 1].is_ascii_digit());
        let before_lower = index > 0 && letters.get(index + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (after_lower || before_lower && letters[index - 1] != '_') {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// Lower-case letters, digits, underscores and dots, a letter first.
fn is_id(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.')
}

fn integer(literal: &LitInt, errors: &mut Errors) -> Option<i32> {
    match literal.base10_parse() {
        Ok(code) => Some(code),
        Err(_) => {
            errors.at(literal, format!("`{literal}` is not a 32-bit integer")).help("C gets an `int32_t`");
            None
        }
    }
}

/// The item that a derive stands on, or the compile error.
fn parse(item: proc_macro2::TokenStream) -> Result<DeriveInput, proc_macro2::TokenStream> {
    syn::parse2(item).map_err(syn::Error::into_compile_error)
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn names_of_variants() {
        for (name, expected) in [
            ("OutOfMemory", "out_of_memory"),
            ("F16", "f16"),
            ("BF16", "bf16"),
            ("IoError", "io_error"),
            ("HTTPError", "http_error"),
            ("Mode2D", "mode2_d"),
            ("A", "a"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }
}
