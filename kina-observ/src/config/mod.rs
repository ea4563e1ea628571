//! Settings: a builder, the environment variables that fill it, and the outputs that it opens.

mod env;
mod error;
mod forked;
mod host;
pub(crate) mod hosted;
pub mod init;
pub mod report;
mod words;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kina_observ_conventions::{Level, Severity};

pub use crate::output::rotate::Rotation;
pub use error::ConfigError;
pub use words::{ColorChoice, Format, UnknownWord, parse_level, parse_severity};

use crate::clock::Clock;
use crate::filter::Filter;
use crate::ids::ModuleId;
use crate::memory::Detail;
use crate::output::callback;
use crate::output::file::FileTarget;
use crate::output::lines::{Lines, Target};
use crate::output::stderr::Stderr;
use crate::output::{Color, Json, Text};
use crate::record::{AttrValue, Header, Output};

/// The trace output that means standard error.
const STDERR_PATH: &str = "-";

/// A ring of this size holds some 10,000 spans: about 7 ms of a thread that does nothing but call.
const RING_BYTES: usize = crate::rings::DEFAULT_RING_BYTES;

/// The record of one span with all its attributes must fit several times.
const RING_BYTES_LEAST: usize = 16 << 10;

/// More would be a unit mistaken: it is per thread.
const RING_BYTES_MOST: usize = 1 << 30;

/// Below this a file holds a few dozen spans and a machine writes hundreds of files a second.
const MAX_BYTES_LEAST: u64 = 4 << 10;

/// Each rotation renames every file that is kept.
const MAX_FILES_MOST: u32 = 1000;

/// Says what is recorded and where it goes.
///
/// ```
/// use kina_observ::config::{Builder, Format};
/// let builder = Builder::new().trace_output("trace.jsonl").trace_format(Format::Json).filter("info,hyper=off");
/// assert!(builder.check().is_ok());
/// ```
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing before `init`"]
pub struct Builder {
    pub(crate) level: Level,
    pub(crate) range_level: Level,
    pub(crate) trace_output: Option<PathBuf>,
    pub(crate) format: Format,
    pub(crate) stderr: StderrText,
    pub(crate) filter: Option<String>,
    pub(crate) service_name: Option<String>,
    pub(crate) service_version: Option<String>,
    pub(crate) module_id: Option<ModuleId>,
    pub(crate) rotation: Rotation,
    pub(crate) ring_bytes: usize,
    pub(crate) start_lines: bool,
    pub(crate) color: ColorChoice,
    pub(crate) clock: Option<Clock>,
    pub(crate) poll_interval: Option<Duration>,
    pub(crate) kernel_sample: u32,
    pub(crate) memory_detail: Detail,
}

/// Text on standard error, besides the trace output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StderrText {
    /// Up to `info`, if there is no trace output.
    WithoutTraceOutput,
    /// Always, up to this severity.
    UpTo(Severity),
    /// Never.
    Off,
}

/// A [`Builder`] with its defaults.
pub fn builder() -> Builder {
    Builder::new()
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Level `basic`, text up to `info` on standard error, no trace output.
    pub const fn new() -> Self {
        Self {
            level: Level::Basic,
            range_level: Level::Kernel,
            trace_output: None,
            format: Format::Json,
            stderr: StderrText::WithoutTraceOutput,
            filter: None,
            service_name: None,
            service_version: None,
            module_id: None,
            rotation: Rotation::DEFAULT,
            ring_bytes: RING_BYTES,
            start_lines: false,
            color: ColorChoice::Auto,
            clock: None,
            poll_interval: None,
            kernel_sample: 1,
            memory_detail: Detail::Spans,
        }
    }

    /// What the environment says: `KINA_OBSERV_LEVEL`, `KINA_OBSERV_TRACE_OUTPUT`, `KINA_OBSERV_TRACE_FORMAT`,
    /// `KINA_OBSERV_TRACE_MAX_BYTES`, `KINA_OBSERV_TRACE_MAX_FILES`, `KINA_OBSERV_KERNEL_SAMPLE`, `KINA_OBSERV_MEMORY_DETAIL`,
    /// `KINA_OBSERV_MODULE_ID`, `KINA_OBSERV_NVTX`, `RUST_LOG`, `OTEL_SERVICE_NAME`. An empty variable counts as unset.
    ///
    /// # Errors
    ///
    /// When a variable cannot be read; the error names it and says what it may hold.
    pub fn from_env() -> Result<Self, ConfigError> {
        env::read(|name| std::env::var_os(name))
    }

    /// How much is recorded.
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Which spans get a range while an NVTX tool is attached: those up to this level. Feature `nvtx`.
    pub fn nvtx(mut self, level: Level) -> Self {
        self.range_level = level;
        self
    }

    /// The file that takes the trace; `-` is standard error. Several processes may write to one file.
    pub fn trace_output(mut self, path: impl Into<PathBuf>) -> Self {
        self.trace_output = Some(path.into());
        self
    }

    /// The form of the trace output; JSON unless told otherwise.
    pub fn trace_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Text for people on standard error, down to this severity; `None`: none.
    /// Unless told otherwise: down to `info` when there is no trace output, else none.
    pub fn stderr(mut self, up_to: Option<Severity>) -> Self {
        self.stderr = up_to.map_or(StderrText::Off, StderrText::UpTo);
        self
    }

    /// Which modules are recorded, and down to which severity, in the syntax of `RUST_LOG`: `info,hyper=off`.
    pub fn filter(mut self, directives: &str) -> Self {
        self.filter = Some(directives.to_owned());
        self
    }

    /// OpenTelemetry's `service.name`; the program's name unless told otherwise.
    pub fn service_name(mut self, name: impl Into<String>) -> Self {
        self.service_name = Some(name.into());
        self
    }

    /// OpenTelemetry's `service.version`.
    pub fn service_version(mut self, version: impl Into<String>) -> Self {
        self.service_version = Some(version.into());
        self
    }

    /// The compiled module that calls belong to as long as none is pushed.
    pub fn module_id(mut self, id: ModuleId) -> Self {
        self.module_id = Some(id);
        self
    }

    /// When the trace file makes room for the next one.
    pub fn rotation(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }

    /// The size of the buffer that each thread records into.
    pub fn ring_bytes(mut self, bytes: usize) -> Self {
        self.ring_bytes = bytes;
        self
    }

    /// Whether a span also leaves a line when it starts.
    pub fn start_lines(mut self, wanted: bool) -> Self {
        self.start_lines = wanted;
        self
    }

    /// Whether text on standard error has colours.
    pub fn color(mut self, choice: ColorChoice) -> Self {
        self.color = choice;
        self
    }

    /// Where time comes from; the TSC where it can be trusted unless told otherwise. The first clock of a process stays.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// How long the collector sleeps between two looks at the rings; half a millisecond to four, by load, unless told
    /// otherwise. `flush` and `shutdown` wake it.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = Some(interval);
        self
    }

    /// Level `kernel` measures the device's time in one step of this many, as
    /// [`step_begin`](crate::device::step_begin) counts them; 1, the default, in all of them.
    pub fn kernel_sample(mut self, every: u32) -> Self {
        self.kernel_sample = every;
        self
    }

    /// How much is recorded of each allocation of a traced memory resource; by span path unless told otherwise.
    pub fn memory_detail(mut self, detail: Detail) -> Self {
        self.memory_detail = detail;
        self
    }

    /// Looks for a setting that cannot be used, without opening anything.
    ///
    /// # Errors
    ///
    /// The first such setting.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.parsed_filter()?;
        self.check_rotation()?;
        if !(RING_BYTES_LEAST..=RING_BYTES_MOST).contains(&self.ring_bytes) {
            return Err(ConfigError::new(
                format!("a ring of {} bytes is out of range", self.ring_bytes),
                "`Builder::ring_bytes`",
                format!("choose from {RING_BYTES_LEAST} to {RING_BYTES_MOST}; {RING_BYTES} is usual"),
            ));
        }
        if self.kernel_sample == 0 {
            return Err(ConfigError::new("one step in 0 cannot be measured", "`Builder::kernel_sample`", SAMPLE_HELP));
        }
        let twice = self.traces_to_stderr() && matches!(self.stderr, StderrText::UpTo(_));
        if twice {
            return Err(ConfigError::new(
                "standard error would get every span twice",
                "`Builder::stderr` with the trace output `-`",
                "choose one of the two, or a file for the trace",
            ));
        }
        Ok(())
    }

    fn check_rotation(&self) -> Result<(), ConfigError> {
        let Rotation { max_bytes, max_files, .. } = self.rotation;
        if let Some(bytes) = max_bytes.filter(|&bytes| bytes < MAX_BYTES_LEAST) {
            return Err(ConfigError::new(
                format!("a trace file of {bytes} bytes is too small"),
                "`Rotation::max_bytes`",
                format!("write at least {MAX_BYTES_LEAST}"),
            ));
        }
        if max_files > MAX_FILES_MOST {
            return Err(ConfigError::new(
                format!("{max_files} older trace files are too many"),
                "`Rotation::max_files`",
                FILES_HELP,
            ));
        }
        Ok(())
    }

    fn traces_to_stderr(&self) -> bool {
        self.trace_output.as_deref() == Some(Path::new(STDERR_PATH))
    }

    /// The filter that holds at the start.
    pub(crate) fn parsed_filter(&self) -> Result<Filter, ConfigError> {
        Ok(self.filter.as_deref().map(Filter::parse).transpose()?.unwrap_or_default())
    }

    /// What the header of each trace file says; `clock` is `tsc` or `system`.
    #[doc(hidden)]
    pub fn header(&self, clock: &'static str) -> Header {
        let text = |text: &str| AttrValue::Str(text.to_owned().into());
        let program = std::env::current_exe().ok();
        // Only the name: a path may tell who the user is.
        let program = program.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let service = self.service_name.as_deref().unwrap_or(&program);
        let mut resource = vec![("service.name".to_owned(), text(service))];
        if let Some(version) = &self.service_version {
            resource.push(("service.version".to_owned(), text(version)));
        }
        resource.push(("process.pid".to_owned(), AttrValue::Int(std::process::id().into())));
        resource.push(("process.executable.name".to_owned(), text(&program)));
        resource.push(("telemetry.sdk.name".to_owned(), text(env!("CARGO_PKG_NAME"))));
        resource.push(("telemetry.sdk.version".to_owned(), text(env!("CARGO_PKG_VERSION"))));
        resource.push(("telemetry.sdk.language".to_owned(), text("rust")));
        Header { resource, clock }
    }

    /// Opens what the settings name; the collector drives it.
    ///
    /// # Errors
    ///
    /// When a setting cannot be used, or the trace file cannot be opened.
    #[doc(hidden)]
    pub fn open_outputs(&self, header: &Header) -> Result<Vec<Box<dyn Output>>, ConfigError> {
        self.check()?;
        let mut outputs = Vec::new();
        let stderr_up_to = match (self.stderr, &self.trace_output) {
            (StderrText::UpTo(severity), _) => Some(severity),
            // A host that takes the lines itself wants none beside its own.
            (StderrText::WithoutTraceOutput, None) if !callback::is_set() => Some(Severity::Info),
            _ => None,
        };
        if let Some(severity) = stderr_up_to {
            let text = Text::new(severity, self.stderr_color());
            outputs.push(Box::new(Lines::new(text, Stderr)) as Box<dyn Output>);
        }
        if self.traces_to_stderr() {
            outputs.push(self.trace(Stderr, self.stderr_color(), header));
        } else if let Some(path) = &self.trace_output {
            let file = FileTarget::open(path, self.rotation).map_err(|error| cannot_open(path, error))?;
            outputs.push(self.trace(file, Color::Plain, header));
        }
        Ok(outputs)
    }

    fn trace<T: Target + 'static>(&self, target: T, color: Color, header: &Header) -> Box<dyn Output> {
        match self.format {
            Format::Json => Box::new(Lines::new(Json::new(header.clone()), target)),
            Format::Text => Box::new(Lines::new(Text::new(Severity::Trace, color), target)),
        }
    }

    fn stderr_color(&self) -> Color {
        let colored = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never,
        };
        if colored { Color::Ansi } else { Color::Plain }
    }
}

const SAMPLE_HELP: &str = "write `1` for every step, or a larger number";
const FILES_HELP: &str = "write how many older trace files to keep, from `0` to `1000`";

/// The only setting that counts where nobody set a level.
fn range_level_from_env() -> Result<Level, ConfigError> {
    let level = env::range_level(|name| std::env::var_os(name))?;
    Ok(level.unwrap_or(Builder::new().range_level))
}

fn cannot_open(path: &Path, error: std::io::Error) -> ConfigError {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let help = match (error.kind(), folder) {
        (ErrorKind::NotFound, Some(folder)) => format!("create the folder `{}` first", folder.display()),
        (ErrorKind::IsADirectory, _) => "name a file in it".to_owned(),
        (ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem, _) => {
            "choose a path that this program may write to".to_owned()
        }
        (ErrorKind::StorageFull, _) => "make room, or choose a path on another disk".to_owned(),
        _ => "choose another path, or `-` for standard error".to_owned(),
    };
    ConfigError::new(
        format!("the trace file cannot be opened: {error}"),
        format!("trace output `{}`", path.display()),
        help,
    )
    .caused_by(error)
}
