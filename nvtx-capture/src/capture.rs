//! Where the calls go: a file of this process, or its memory; and what the tool's handles stand for.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::calls::{Call, What};

struct Capture {
    /// The process whose calls these are.
    process: u32,
    file: Option<File>,
    kept: Vec<Call>,
    /// Names of the domains; a handle is the place in this list, counted from 1.
    domains: Vec<String>,
    /// Domain and text of each registered string; handles are counted in the same way.
    strings: Vec<(usize, String)>,
}

static CAPTURE: Mutex<Capture> =
    Mutex::new(Capture { process: 0, file: None, kept: Vec::new(), domains: Vec::new(), strings: Vec::new() });

/// Whether calls stay in memory; decided by how NVTX found us.
static IN_MEMORY: AtomicBool = AtomicBool::new(false);

fn capture() -> MutexGuard<'static, Capture> {
    CAPTURE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The calls since the last time, if the capture was attached by [`in_process!`](crate::in_process).
pub fn taken() -> Vec<Call> {
    std::mem::take(&mut capture().kept)
}

/// From now on calls stay in memory, for [`taken`].
pub(crate) fn keep_in_memory() {
    IN_MEMORY.store(true, Relaxed);
}

/// A handle for a new domain.
pub(crate) fn domain(name: String) -> usize {
    let mut capture = capture();
    capture.domains.push(name.clone());
    let handle = capture.domains.len();
    capture.write(What::Domain(name));
    handle
}

/// A handle for a new text.
pub(crate) fn string(domain: usize, text: String) -> usize {
    let mut capture = capture();
    let name = capture.domain_name(domain);
    capture.strings.push((domain, text.clone()));
    let handle = capture.strings.len();
    capture.write(What::Register { domain: name, text });
    handle
}

/// The text behind a handle, if it was registered in this domain.
pub(crate) fn registered(domain: usize, handle: usize) -> Option<String> {
    let capture = capture();
    let (owner, text) = capture.strings.get(handle.checked_sub(1)?)?;
    (*owner == domain).then(|| text.clone())
}

/// Writes a call down; `what` gets the domain's name.
pub(crate) fn write(domain: usize, what: impl FnOnce(String) -> What) {
    let mut capture = capture();
    let name = capture.domain_name(domain);
    capture.write(what(name));
}

impl Capture {
    /// The default domain has no name.
    fn domain_name(&self, domain: usize) -> String {
        domain.checked_sub(1).and_then(|index| self.domains.get(index)).cloned().unwrap_or_default()
    }

    fn write(&mut self, what: What) {
        let call = Call { thread: thread_id(), what };
        if IN_MEMORY.load(Relaxed) {
            self.kept.push(call);
            return;
        }
        let process = std::process::id();
        if self.process != process {
            // The first call, or the first one of a forked child.
            self.process = process;
            self.file = open(process);
        }
        if let Some(file) = &mut self.file {
            // A tool has nobody to complain to, and a line that is missing makes the checks fail.
            let _ = file.write_all(format!("{}\n", call.line()).as_bytes());
        }
    }
}

fn open(process: u32) -> Option<File> {
    let path = std::env::var("NVTX_CAPTURE_OUTPUT").ok().filter(|path| !path.is_empty());
    let path = path.unwrap_or_else(|| "nvtx-%p.jsonl".to_owned()).replace("%p", &process.to_string());
    OpenOptions::new().create(true).append(true).open(path).ok()
}

/// This thread, as the operating system numbers it.
pub(crate) fn thread_id() -> u32 {
    #[cfg(target_os = "linux")]
    // SAFETY: asks for a number, no more.
    let id = unsafe { libc::syscall(libc::SYS_gettid) };
    #[cfg(not(target_os = "linux"))]
    let id = 0;
    id as u32
}
