//! The program as a user runs it.

mod check;
mod commands;
mod program;
