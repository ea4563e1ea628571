//! The 17 C entry points. Each is listed in `c/kina_runtime.h` with who owns what.
//!
//! Most are form (i): a plain function beside which the attribute writes the C wrapper. Where a value of the span is known only
//! in the body, or the C signature is given by the specification, they are form (ii): the C function itself.

pub mod device;
pub mod gpu;
pub mod memory;
pub mod stream;

#[cfg(test)]
mod tests;
