//! The driver's C functions, by subject. Each writes its line into the log.

#![allow(non_snake_case, reason = "the names are CUDA's")]

mod device;
mod event;
mod graph;
mod launch;
mod memory;
mod stream;
