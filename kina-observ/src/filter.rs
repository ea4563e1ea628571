//! `RUST_LOG` directives: which modules are recorded, and down to which severity.

use kina_observ_conventions::Severity;
use tracing_subscriber::filter::{LevelFilter, Targets};

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Decides by module path and severity.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    targets: Targets,
}

/// A directive that cannot be used.
#[derive(Debug)]
pub(crate) struct FilterError {
    /// All the directives.
    pub(crate) text: String,
    pub(crate) what: String,
    pub(crate) help: String,
}

impl Default for Filter {
    /// What holds when `RUST_LOG` is unset: `info` for every module.
    fn default() -> Self {
        Self { targets: Targets::new().with_default(LevelFilter::INFO) }
    }
}

impl Filter {
    /// Reads `info`, `kina_runtime=debug,hyper=off` and the like. `Targets` would read a mistake as the name of a module
    /// that does not exist and record nothing, so each directive is looked at first.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        let error = |what: String, help: &str| Err(FilterError { text: text.to_owned(), what, help: help.to_owned() });
        if text.contains(['[', ']', '{', '}']) {
            return error(
                "filters on spans and their fields (`[..]`) are not supported".to_owned(),
                "name modules only, as in `kina_runtime=debug,hyper=off`, and select spans in the trace with `jq`",
            );
        }
        let mut targets = Targets::new();
        let mut empty = true;
        for directive in text.split(',').map(str::trim).filter(|directive| !directive.is_empty()) {
            empty = false;
            let (target, level) = match directive.split_once('=') {
                Some((target, level)) => (Some(target.trim()), Some(level.trim())),
                None if level_filter(directive).is_some() => (None, Some(directive)),
                None => (Some(directive), None),
            };
            if let Some(target) = target {
                if target.is_empty() {
                    return error(format!("`{directive}` names no module"), "write `module=level`, or a level alone");
                }
                if let Some(odd) = target.chars().find(|&c| !(c.is_alphanumeric() || "_:-.".contains(c))) {
                    return error(
                        format!("`{}` cannot stand in the name of a module", odd.escape_debug()),
                        "separate directives with commas, as in `info,kina_runtime=debug`",
                    );
                }
                if level.is_none()
                    && let Some(meant) = level_meant(target)
                {
                    return error(
                        format!("`{target}` is not a level"),
                        &format!("write `{meant}`; if it is a module, write `{target}=trace`"),
                    );
                }
            }
            // A module alone means all of it.
            let Some(level) = level_filter(level.unwrap_or("trace")) else {
                let what = format!("`{}` is not a level", level.unwrap_or_default().escape_debug());
                return error(what, "write `off`, `error`, `warn`, `info`, `debug` or `trace`");
            };
            targets = match target {
                Some(target) => targets.with_target(target, level),
                None => targets.with_default(level),
            };
        }
        Ok(if empty { Self::default() } else { Self { targets } })
    }

    /// Whether a span or an event of this module and severity is recorded.
    pub(crate) fn allows(&self, target: &str, severity: Severity) -> bool {
        let level = match severity {
            Severity::Error => tracing_core::Level::ERROR,
            Severity::Warn => tracing_core::Level::WARN,
            Severity::Info => tracing_core::Level::INFO,
            Severity::Debug => tracing_core::Level::DEBUG,
            Severity::Trace => tracing_core::Level::TRACE,
        };
        self.targets.would_enable(target, &level)
    }
}

/// A level's word, or its number as in `tracing`: 0 is off, 5 is trace.
fn level_filter(word: &str) -> Option<LevelFilter> {
    let known = LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word));
    let number = matches!(word.as_bytes(), [b'0'..=b'5']);
    if known || number { word.parse().ok() } else { None }
}

/// The level that was probably meant by a word that is none.
fn level_meant(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "none" | "false" | "silent" => Some("off"),
        "critical" | "fatal" => Some("error"),
        "warning" => Some("warn"),
        "notice" | "on" | "true" => Some("info"),
        "verbose" => Some("debug"),
        "all" => Some("trace"),
        _ => LEVELS.into_iter().find(|level| is_slip(&word, level)),
    }
}

/// One letter missing, one too many, or two swapped. Not one replaced: `warp` is a crate.
fn is_slip(word: &str, level: &str) -> bool {
    let misses_one = |short: &str, long: &str| {
        short.len() + 1 == long.len()
            && (0..long.len()).any(|at| short.bytes().eq(long.bytes().take(at).chain(long.bytes().skip(at + 1))))
    };
    let swapped = || {
        let mut differences = word.bytes().zip(level.bytes()).enumerate().filter(|(_, (a, b))| a != b);
        match (differences.next(), differences.next(), differences.next()) {
            (Some((first, (a, b))), Some((second, (c, d))), None) => second == first + 1 && a == d && b == c,
            _ => false,
        }
    };
    misses_one(word, level) || misses_one(level, word) || word.len() == level.len() && swapped()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(directives: &str, target: &str, severity: Severity) -> bool {
        Filter::parse(directives).unwrap().allows(target, severity)
    }

    #[test]
    fn the_longest_module_decides() {
        assert!(allows("kina_runtime=debug,hyper=off", "kina_runtime::gpu", Severity::Debug));
        assert!(!allows("kina_runtime=debug,hyper=off", "kina_runtime", Severity::Trace));
        assert!(!allows("kina_runtime=debug,hyper=off", "hyper::client", Severity::Error));
        assert!(!allows("kina_runtime=debug", "other", Severity::Error));
        assert!(allows("warn, kina_runtime = INFO ,", "kina_runtime", Severity::Info));
        assert!(allows("off,a::b=trace", "a::b::c", Severity::Trace));
        assert!(allows("kina_runtime", "kina_runtime", Severity::Trace));
        assert!(allows("my-app.http=3", "my-app.http", Severity::Info));
        assert!(allows("warp", "warp", Severity::Info));
    }

    #[test]
    fn nothing_said_means_info() {
        for empty in ["", "  ", ","] {
            assert!(allows(empty, "anything", Severity::Info));
            assert!(!allows(empty, "anything", Severity::Debug));
        }
        assert_eq!(Filter::parse("").unwrap(), Filter::default());
    }

    #[test]
    fn a_mistake_is_not_the_name_of_a_module() {
        let check = |directives: &str, what: &str, help: &str| {
            let error = Filter::parse(directives).unwrap_err();
            assert_eq!(error.what, what);
            assert_eq!(error.text, directives);
            assert!(error.help.contains(help), "{}", error.help);
        };
        check("inf", "`inf` is not a level", "write `info`; if it is a module, write `inf=trace`");
        check("wran", "`wran` is not a level", "`warn`");
        check("debugg", "`debugg` is not a level", "`debug`");
        check("Warning", "`Warning` is not a level", "`warn`");
        check("kina=loud", "`loud` is not a level", "`off`, `error`");
        check("kina=", "`` is not a level", "`off`, `error`");
        check("kina=a=b", "`a=b` is not a level", "`off`");
        check("=info", "`=info` names no module", "`module=level`");
        check("info kina=debug", "` ` cannot stand in the name of a module", "commas");
        check("info;kina=debug", "`;` cannot stand in the name of a module", "commas");
        check("info/regex", "`/` cannot stand in the name of a module", "commas");
        check("[span{m=3}]=info", "filters on spans and their fields (`[..]`) are not supported", "jq");
    }
}
