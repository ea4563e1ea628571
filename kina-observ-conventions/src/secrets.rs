//! Finds the words in a key that say its value is a secret.

/// Words of credentials and of user content. Whole words only: `tokens` counts, `keyboard` types.
const WORDS: &[&str] = &[
    "authorization",
    "bearer",
    "completion",
    "completions",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "jwt",
    "key",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "prompt",
    "prompts",
    "secret",
    "secrets",
    "token",
];

/// Two words that say together what the second alone leaves open.
const PAIRS: &[(&str, &str, &str)] = &[
    ("access", "key", "access_key"),
    ("access", "token", "access_token"),
    ("api", "key", "api_key"),
    ("auth", "token", "auth_token"),
    ("private", "key", "private_key"),
    ("refresh", "token", "refresh_token"),
    ("session", "token", "session_token"),
    ("signing", "key", "signing_key"),
];

/// A key that ends so says something about the secret, not the secret.
const ABOUT: &[&str] = &["bytes", "count", "id", "length", "size", "tokens"];

/// The word in `key` that says its value is a secret, if there is one.
///
/// Whole words count, not parts of one, and an id or a count of a secret is none.
///
/// ```
/// use kina_observ_conventions::secret_word;
///
/// assert_eq!(secret_word("acme.db.password"), Some("password"));
/// assert_eq!(secret_word("acme.api_key"), Some("api_key"));
/// assert_eq!(secret_word("tl.api_key_id"), None);
/// assert_eq!(secret_word("gen_ai.usage.input_tokens"), None);
/// ```
#[must_use]
pub fn secret_word(key: &str) -> Option<&'static str> {
    if words(key).last().is_some_and(|last| ABOUT.contains(&last)) {
        return None;
    }
    let pair = words(key).zip(words(key).skip(1)).find_map(|(first, second)| {
        PAIRS.iter().find(|&&(one, other, _)| one == first && other == second).map(|&(_, _, both)| both)
    });
    pair.or_else(|| words(key).find_map(|word| WORDS.iter().find(|&&known| known == word).copied()))
}

fn words(key: &str) -> impl Iterator<Item = &str> {
    key.split(['.', '_'])
}

#[cfg(test)]
mod tests {
    use super::secret_word;

    #[test]
    fn whole_words() {
        let check = |key: &str, expected: Option<&str>| assert_eq!(secret_word(key), expected, "`{key}`");
        check("runtime.password", Some("password"));
        check("acme.user.access_token", Some("access_token"));
        check("acme.idempotency_key", Some("key"));
        check("acme.authorization.header", Some("authorization"));
        check("acme.prompt", Some("prompt"));
        check("acme.prompt_tokens", None);
        check("acme.session.token.count", None);
        check("acme.keyboard.layout", None);
        check("acme.tokenizer", None);
        check("acme.secretary", None);
    }
}
