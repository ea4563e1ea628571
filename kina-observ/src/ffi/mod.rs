//! The C boundary: what crosses it, what is checked, what is said when something is wrong.

pub mod boundary;
pub mod c_api;
pub mod check;
pub mod error;
pub mod error_copy;
pub mod fault;
pub mod handle;
pub(crate) mod last_error;
mod tables;
pub mod value;

pub use check::check_enum;
pub use error::{FfiError, FfiStatus};
pub use error_copy::ErrorCopy;
pub use fault::{Fault, dim};
pub use handle::{Handle, HandleTable, Handled};
pub use last_error::{LastError, Layer, fail, last_error};
pub use value::{FfiEnum, FfiReturn, FfiValue, Out};
