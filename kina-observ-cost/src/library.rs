//! The same functions in a shared library, as a host loads them.
#![allow(clippy::disallowed_macros, reason = "`#[tracing::instrument]` is what we compare with")]

mod calls;
mod names;
mod subject;

/// Makes the calls. Gives back 0, or 1 after saying what is wrong.
#[unsafe(no_mangle)]
extern "C" fn cost_library_calls(variant: usize, case: usize, calls: u32) -> i32 {
    match calls::make(variant, case, calls) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("error: {error}");
            1
        }
    }
}
