//! An NVTX tool for tests: writes down what a program tells NVTX, and checks it.
//!
//! As a library of its own, in any process whose NVTX calls are to be seen:
//!
//! ```sh
//! NVTX_INJECTION64_PATH=target/debug/libnvtx_capture.so NVTX_CAPTURE_OUTPUT=ranges-%p.jsonl program
//! ```
//!
//! `%p` becomes the process id; without the variable the file is `nvtx-%p.jsonl`. A forked child gets a file of its own. Inside `cargo test`,
//! [`in_process!`] attaches it without a second file, and [`taken`] gives the calls.
//!
//! It tests what a program says to NVTX, not what Nsight makes of it. Not modelled: `NVTX_VERSION` extensions (payload schemas, counters,
//! memory naming), OpenCL, user synchronisation objects, destroyed domains and resources, two tools at once, a child that is forked while
//! another thread is inside a call. Texts are cut at 4096 characters. Each call is written at once, so a program is slower than under a real
//! tool: do not time with it.

mod abi;
pub mod calls;
mod capture;
pub mod check;
mod handlers;
mod inject;
mod read;

pub use calls::{Call, Message, Payload, What, read_file};
pub use capture::taken;
pub use check::{Finding, Names, check};
pub use inject::InitializeInjectionNvtx2;

/// Attaches the capture to the NVTX that is linked into this binary; write it once, at the root of a test.
///
/// ```ignore
/// nvtx_capture::in_process!();
/// ```
#[macro_export]
macro_rules! in_process {
    () => {
        /// The hook that NVTX looks for last: a strong symbol in place of its own weak one.
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, missing_docs)]
        pub static InitializeInjectionNvtx2_fnptr: unsafe extern "C" fn($crate::ExportTable) -> i32 =
            $crate::InitializeInjectionNvtx2;
    };
}

pub use abi::ExportTable;
