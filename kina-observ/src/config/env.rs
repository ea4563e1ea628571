//! The settings that the environment carries; an empty variable counts as unset.

use std::ffi::OsString;
use std::path::PathBuf;

use kina_observ_conventions::Level;

use super::{Builder, ConfigError, FILES_HELP, Format, SAMPLE_HELP, UnknownWord, parse_level, words::parse_detail};
use crate::filter::Filter;

/// Reads every variable; `lookup` gives the value of one.
pub(super) fn read(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Builder, ConfigError> {
    let raw = |name: &str| lookup(name).filter(|value| !value.is_empty());
    let text = |name: &str| raw(name).map(|value| utf8(name, value)).transpose();

    let mut builder = Builder::new();
    if let Some(value) = text("KINA_OBSERV_LEVEL")? {
        builder.level = parse_level(&value).map_err(|error| word("KINA_OBSERV_LEVEL", &value, &error))?;
    }
    builder.trace_output = raw("KINA_OBSERV_TRACE_OUTPUT").map(PathBuf::from);
    if let Some(value) = text("KINA_OBSERV_TRACE_FORMAT")? {
        let format = value.parse::<Format>();
        builder.format = format.map_err(|error| word("KINA_OBSERV_TRACE_FORMAT", &value, &error))?;
    }
    if let Some(value) = text("KINA_OBSERV_MODULE_ID")? {
        let module = value.trim().parse().map_err(|_| {
            ConfigError::new(
                format!("`{}` is not a module id", value.escape_debug()),
                "",
                "write a UUID such as `6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11`",
            )
            .in_variable("KINA_OBSERV_MODULE_ID", &value)
        })?;
        builder.module_id = Some(module);
    }
    if let Some(value) = text("KINA_OBSERV_TRACE_MAX_BYTES")? {
        let bytes = parse_bytes(&value).ok_or_else(|| {
            ConfigError::new(
                format!("`{}` is not a size", value.escape_debug()),
                "",
                "write a number of bytes, or one with a unit such as `64M` or `1G`, or `0` for files of any size",
            )
            .in_variable("KINA_OBSERV_TRACE_MAX_BYTES", &value)
        })?;
        builder.rotation.max_bytes = Some(bytes).filter(|&bytes| bytes > 0);
        builder.check_rotation().map_err(|error| error.in_variable("KINA_OBSERV_TRACE_MAX_BYTES", &value))?;
    }
    if let Some(value) = text("KINA_OBSERV_TRACE_MAX_FILES")? {
        let files = value.trim().parse().map_err(|_| {
            let what = format!("`{}` is not a number of files", value.escape_debug());
            ConfigError::new(what, "", FILES_HELP).in_variable("KINA_OBSERV_TRACE_MAX_FILES", &value)
        })?;
        builder.rotation.max_files = files;
        builder.check_rotation().map_err(|error| error.in_variable("KINA_OBSERV_TRACE_MAX_FILES", &value))?;
    }
    if let Some(value) = text("KINA_OBSERV_MEMORY_DETAIL")? {
        let detail = parse_detail(&value);
        builder.memory_detail = detail.map_err(|error| word("KINA_OBSERV_MEMORY_DETAIL", &value, &error))?;
    }
    if let Some(value) = text("KINA_OBSERV_KERNEL_SAMPLE")? {
        let every = value.trim().parse().ok().filter(|&every| every > 0);
        builder.kernel_sample = every.ok_or_else(|| {
            ConfigError::new(format!("`{}` is not a number of steps", value.escape_debug()), "", SAMPLE_HELP)
                .in_variable("KINA_OBSERV_KERNEL_SAMPLE", &value)
        })?;
    }
    builder.range_level = range_level(&lookup)?.unwrap_or(builder.range_level);
    if let Some(value) = text("RUST_LOG")? {
        Filter::parse(&value).map_err(|error| ConfigError::from(error).in_variable("RUST_LOG", &value))?;
        builder.filter = Some(value);
    }
    builder.service_name = text("OTEL_SERVICE_NAME")?;
    Ok(builder)
}

/// Which spans get ranges; a library whose level nobody set asks for nothing else.
pub(super) fn range_level(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Option<Level>, ConfigError> {
    let Some(value) = lookup("KINA_OBSERV_NVTX").filter(|value| !value.is_empty()) else { return Ok(None) };
    let value = utf8("KINA_OBSERV_NVTX", value)?;
    parse_level(&value).map(Some).map_err(|error| word("KINA_OBSERV_NVTX", &value, &error))
}

fn utf8(name: &str, value: OsString) -> Result<String, ConfigError> {
    value.into_string().map_err(|value| {
        let what = format!("the value of `{name}` is not UTF-8");
        ConfigError::new(what, "", "write it in UTF-8, or unset it").in_variable(name, &value.to_string_lossy())
    })
}

fn word(name: &str, value: &str, error: &UnknownWord) -> ConfigError {
    ConfigError::new(error.what(), "", error.help()).in_variable(name, value)
}

/// `67108864`, `65536K`, `64M`, `64MiB`, `1G`.
fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kib" => 10,
        "m" | "mib" => 20,
        "g" | "gib" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Rotation;

    fn builder(variables: &[(&str, &str)]) -> Result<Builder, ConfigError> {
        read(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn every_variable_is_read() {
        let builder = builder(&[
            ("KINA_OBSERV_LEVEL", "Kernel"),
            ("KINA_OBSERV_TRACE_OUTPUT", "/tmp/t.jsonl"),
            ("KINA_OBSERV_TRACE_FORMAT", "TEXT"),
            ("KINA_OBSERV_TRACE_MAX_BYTES", "64MiB"),
            ("KINA_OBSERV_TRACE_MAX_FILES", "2"),
            ("KINA_OBSERV_MEMORY_DETAIL", "totals"),
            ("KINA_OBSERV_NVTX", "basic"),
            ("KINA_OBSERV_MODULE_ID", "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11"),
            ("KINA_OBSERV_KERNEL_SAMPLE", "50"),
            ("RUST_LOG", "info,hyper=off"),
            ("OTEL_SERVICE_NAME", "tinyllm-engine"),
        ])
        .unwrap();
        assert_eq!((builder.level, builder.range_level), (Level::Kernel, Level::Basic));
        assert_eq!(builder.trace_output, Some(PathBuf::from("/tmp/t.jsonl")));
        assert_eq!(builder.format, Format::Text);
        assert_eq!(builder.rotation, Rotation { max_bytes: Some(64 << 20), daily: true, max_files: 2 });
        assert_eq!(builder.module_id.unwrap().to_string(), "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11");
        assert_eq!(builder.memory_detail, crate::memory::Detail::Totals);
        assert_eq!(builder.kernel_sample, 50);
        assert_eq!(builder.filter.as_deref(), Some("info,hyper=off"));
        assert_eq!(builder.service_name.as_deref(), Some("tinyllm-engine"));
    }

    #[test]
    fn an_empty_variable_is_unset() {
        let builder =
            builder(&[("KINA_OBSERV_LEVEL", ""), ("KINA_OBSERV_NVTX", ""), ("KINA_OBSERV_TRACE_OUTPUT", "")]).unwrap();
        assert_eq!((builder.level, builder.range_level), (Level::Basic, Level::Kernel));
        assert_eq!(builder.trace_output, None);
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("64k", 65_536), ("1 MiB", 1 << 20), ("2G", 2 << 30)] {
            assert_eq!(parse_bytes(text), Some(bytes), "{text}");
        }
        for text in ["", "M", "-1", "1T", "1.5M", "99999999999G", "1 000"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn a_bad_value_says_what_where_and_what_to_do() {
        let check = |name: &str, value: &str, what: &str, help: &str| {
            let error = builder(&[(name, value)]).unwrap_err();
            let place = format!("environment variable `{name}={value}`");
            assert_eq!(error.to_string(), format!("{what}\n  = where: {place}\n  = help: {help}"));
        };
        check("KINA_OBSERV_LEVEL", "fast", "`fast` is not a level", "write `off`, `basic` or `kernel`");
        check("KINA_OBSERV_NVTX", "on", "`on` is not a level", "write `off`, `basic` or `kernel`");
        check("KINA_OBSERV_TRACE_FORMAT", "xml", "`xml` is not a trace format", "write `text` or `json`");
        let size = "write a number of bytes, or one with a unit such as `64M` or `1G`, or `0` for files of any size";
        check("KINA_OBSERV_TRACE_MAX_BYTES", "big", "`big` is not a size", size);
        let small = "a trace file of 100 bytes is too small";
        check("KINA_OBSERV_TRACE_MAX_BYTES", "100", small, "write at least 4096");
        let files = "write how many older trace files to keep, from `0` to `1000`";
        check("KINA_OBSERV_TRACE_MAX_FILES", "-1", "`-1` is not a number of files", files);
        check("KINA_OBSERV_TRACE_MAX_FILES", "9999", "9999 older trace files are too many", files);
        let detail = "`all` is not a detail of the memory ledger";
        check("KINA_OBSERV_MEMORY_DETAIL", "all", detail, "write `totals` or `spans`");
        let sample = "write `1` for every step, or a larger number";
        check("KINA_OBSERV_KERNEL_SAMPLE", "0", "`0` is not a number of steps", sample);
        check("KINA_OBSERV_KERNEL_SAMPLE", "1/50", "`1/50` is not a number of steps", sample);
        let module = "write a UUID such as `6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11`";
        check("KINA_OBSERV_MODULE_ID", "abc123", "`abc123` is not a module id", module);
        let levels = "write `off`, `error`, `warn`, `info`, `debug` or `trace`";
        check("RUST_LOG", "kina=loud", "`loud` is not a level", levels);
    }

    #[test]
    fn a_value_that_is_not_text_is_an_error_except_for_a_path() {
        use std::os::unix::ffi::OsStringExt as _;
        let odd = || OsString::from_vec(vec![b'a', 0xff]);
        let lookup = |wanted: &'static str| move |name: &str| (name == wanted).then(odd);
        assert_eq!(read(lookup("KINA_OBSERV_LEVEL")).unwrap_err().help(), "write it in UTF-8, or unset it");
        assert_eq!(read(lookup("KINA_OBSERV_TRACE_OUTPUT")).unwrap().trace_output, Some(odd().into()));
    }
}
