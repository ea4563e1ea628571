//! Writes the enums of a registry: one Rust type for each attribute whose values are listed.

use std::fmt::Write as _;

use kina_observ_conventions::{AttributeDef, Member, ValueType};

/// The text of `values.rs`, below its first line.
pub(super) fn values(attributes: &[AttributeDef]) -> String {
    let enums = || attributes.iter().filter(|def| def.value_type == ValueType::Enum);
    let mut text = String::from("//! The values that the registry lists, one enum an attribute, sorted by key.\n\n");
    text += "#[allow(unused_imports)] // a registry may have one kind only\nuse crate::values::{coded, listed};\n";
    for def in enums() {
        one(&mut text, def);
    }
    let names: String = enums().map(|def| format!("            {}\n", type_name(def.key))).collect();
    // Writing to a text cannot fail.
    let _ = write!(
        text,
        "\n/// Calls a macro with the name of every enum.\n#[doc(hidden)]\n#[macro_export]\n\
         macro_rules! __each_enum {{\n    ($then:ident) => {{\n        $then! {{\n{names}        }}\n    }};\n}}\n"
    );
    text
}

fn one(text: &mut String, def: &AttributeDef) {
    let kind = if coded(def.members) { "coded" } else { "listed" };
    // Writing to a text cannot fail.
    let _ = write!(text, "\n{kind}! {{\n{}}}\n", body(def));
}

/// What `coded!` or `listed!` takes.
pub(crate) fn body(def: &AttributeDef) -> String {
    let AttributeDef { key, brief, members, .. } = def;
    let mut body = format!("    /// `{key}`: {}\n    {} {key:?} {{\n", line(brief), type_name(key));
    let mut taken: Vec<String> = Vec::new();
    for ((code, value), member) in table(members).into_iter().zip(*members) {
        let mut name = camel_case(value);
        while taken.contains(&name) {
            name.push('_');
        }
        let about = if member.brief.is_empty() { format!("`{value}`.") } else { sentence(&line(member.brief)) };
        // Writing to a text cannot fail.
        let _ = writeln!(body, "        /// {about}\n        {name} = {code} {value:?},");
        taken.push(name);
    }
    body.push_str("    }\n");
    body
}

/// A doc comment ends with its line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// Code and text of each value: the registry's codes, or the place in the list.
pub(crate) fn table(members: &[Member]) -> Vec<(i32, &'static str)> {
    let coded = coded(members);
    let code = |place: usize, member: &Member| member.code.filter(|_| coded).unwrap_or(place as i32);
    members.iter().enumerate().map(|(place, member)| (code(place, member), member.value)).collect()
}

/// Whether the registry says which integer stands for each value.
pub(crate) fn coded(members: &[Member]) -> bool {
    members.iter().all(|member| member.code.is_some())
}

/// `runtime.dtype` as `RuntimeDtype`.
pub(crate) fn type_name(key: &str) -> String {
    camel_case(key)
}

fn camel_case(text: &str) -> String {
    let mut name = String::new();
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        // `GET` is a word like any other; `gpuTime` is two.
        let shouted = word.chars().all(|letter| !letter.is_ascii_lowercase());
        for (index, letter) in word.chars().enumerate() {
            let letter = if index == 0 {
                letter.to_ascii_uppercase()
            } else if shouted {
                letter.to_ascii_lowercase()
            } else {
                letter
            };
            name.push(letter);
        }
    }
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("Value{name}"),
        Some(_) if name == "Self" => "Self_".to_owned(),
        Some(_) => name,
        None => "Value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names_of_types_and_values() {
        for (text, expected) in [
            ("runtime.dtype", "RuntimeDtype"),
            ("compiler.obligation.result", "CompilerObligationResult"),
            ("gen_ai.operation.name", "GenAiOperationName"),
            ("f32", "F32"),
            ("GET", "Get"),
            ("_OTHER", "Other"),
            ("create_agent", "CreateAgent"),
            ("1.1", "Value11"),
            ("self", "Self_"),
            ("*", "Value"),
        ] {
            assert_eq!(camel_case(text), expected, "{text}");
        }
    }
}
