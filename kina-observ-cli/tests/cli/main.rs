//! The program as a user runs it.

mod check;
mod commands;
mod header;
mod lint;
mod program;
