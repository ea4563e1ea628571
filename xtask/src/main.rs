//! `cargo xtask <command>`: the project's own commands.

mod asan;
mod bless;
mod ci;
mod codegen;
mod compile;
mod cost;
mod features;
mod gpu_check;
mod licences;
mod memcheck;
mod process;
mod tidy;
mod upstream;

use std::process::ExitCode;

const HELP: &str = "\
The project's own commands.

Usage: cargo xtask <command>

  ci                 every check that CI asks for, except the tests
  tidy               the rules of the house that no compiler checks
  codegen [--check]  write the tables of kina-observ-conventions from its registry,
                     or only say whether they are current
  bless              write the expected errors and goldens anew, then show what changed
  cost               count instructions and allocations of an annotated call (needs valgrind)
  cost --compile     what an attribute adds to a build, beside `#[tracing::instrument]` and fastrace
  gpu-check          build a folder that checks the example on a GPU and needs no Rust there,
                     and run it here; `--driver stub`: with the driver of the tests;
                     `--build`: only build it
  features           lint and test kina-observ with each of its features, and with all
  asan               the tests under AddressSanitizer and LeakSanitizer, and the C and C++
                     hosts under valgrind (needs gcc, g++ and valgrind)
  asan --hosts       the hosts under valgrind alone
  help               this text

Exit codes: 0 all is well, 1 something is wrong, 2 the command was not understood.
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["asan"] => asan::run_all(),
        ["asan", "--hosts"] => asan::run_hosts(),
        ["ci"] => ci::run_all(),
        ["gpu-check"] => gpu_check::run_all(&[]),
        ["gpu-check", "--build"] => gpu_check::build().map(drop),
        ["gpu-check", "--driver", "stub"] => gpu_check::run_all(&["--driver", "stub"]),
        ["features"] => features::run_all(),
        ["tidy"] => tidy::run(),
        ["codegen"] => codegen::run(false),
        ["codegen", "--check"] => codegen::run(true),
        ["bless"] => bless::run_all(),
        ["cost"] => cost::run_all(),
        ["cost", "--compile"] => compile::run_all(),
        other => {
            let typed = other.join(" ");
            eprintln!("error: `{typed}` is no command of xtask\nhelp: `cargo xtask` alone lists them");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
