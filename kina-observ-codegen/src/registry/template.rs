//! Templates of display names and NVTX texts: text with `{attribute.key}` in it.

/// The keys in a template, or what is wrong with it.
pub(super) fn placeholders(template: &'static str) -> Result<Vec<&'static str>, &'static str> {
    let mut keys = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find(['{', '}']) {
        let inner = rest[start..].strip_prefix('{').ok_or("a `}` without `{`")?;
        let end = inner.find(['{', '}']).ok_or("a `{` without `}`")?;
        if inner[end..].starts_with('{') {
            return Err("a `{` inside `{..}`");
        }
        if end == 0 {
            return Err("an empty `{}`");
        }
        keys.push(&inner[..end]);
        rest = &inner[end + 1..];
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    fn check(template: &'static str, expected: Result<&[&str], &str>) {
        assert_eq!(placeholders(template).as_deref(), expected.as_ref().map(|keys| *keys), "for `{template}`");
    }

    #[test]
    fn keys_of_templates() {
        check("runtime.gpu.matmul", Ok(&[]));
        check("launch {runtime.kernel.name}", Ok(&["runtime.kernel.name"]));
        check("{a.b}x{c.d}", Ok(&["a.b", "c.d"]));
        check("{a.b", Err("a `{` without `}`"));
        check("a}", Err("a `}` without `{`"));
        check("{a{b}}", Err("a `{` inside `{..}`"));
        check("{}", Err("an empty `{}`"));
    }
}
