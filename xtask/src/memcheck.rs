//! The hosts under valgrind's memcheck, each against an ordinary library: what no sanitizer sees is a value that was never
//! set, and the sanitizer's own library does not survive a fork inside threads or an unload.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cost::target_directory;
use crate::process::{cargo, root, run};

/// A host: its source and how it is built.
struct Host {
    compiler: &'static str,
    flags: &'static [&'static str],
    source: &'static str,
    runs: &'static [(&'static [&'static str], &'static [&'static str])],
}

const C: &[&str] = &["-std=c11", "-D_GNU_SOURCE"];
const EVERY: &[&str] = &["off", "basic", "kernel"];

/// Stands for a folder in which a host may write, and for the library that it loads.
const FOLDER: &str = "FOLDER";
const LIBRARY: &str = "LIBRARY";

/// What each is called with, and at which levels. Everything runs at a fiftieth of its speed, so nothing runs long.
const HOSTS: &[Host] = &[
    Host { compiler: "gcc", flags: C, source: "examples/runtime/c/main.c", runs: &[(&[], EVERY)] },
    Host {
        compiler: "gcc",
        flags: C,
        source: "examples/runtime/c/life.c",
        runs: &[
            (&["rows"], &["basic"]),
            // Valgrind goes on in each child.
            (&["fork", "2", FOLDER], &["basic"]),
            (&["first", "8"], &["basic"]),
        ],
    },
    Host {
        compiler: "gcc",
        flags: C,
        source: "examples/runtime/c/reload.c",
        runs: &[(&[LIBRARY, "never"], &["basic"]), (&[LIBRARY, "5"], &["off", "basic"])],
    },
    Host {
        compiler: "g++",
        flags: &["-std=c++17"],
        source: "examples/runtime/c/life.cpp",
        runs: &[(&[], &["off", "basic"])],
    },
    Host { compiler: "gcc", flags: C, source: "host-tests/c/rows.c", runs: &[(&[], &["off", "basic"])] },
    Host {
        compiler: "g++",
        flags: &["-std=c++17", "-x", "c++"],
        source: "host-tests/c/rows.c",
        runs: &[(&[], &["kernel"])],
    },
];

/// A payload that panics while it is dropped: the boundary forgets what that leaves behind, and means to.
const FORGOTTEN: &str =
    "{\n  a payload that panics while it is dropped\n  Memcheck:Leak\n  ...\n  fun:*Bomb*\n  ...\n}\n";

/// Runs every host; `check` gets the name of each run, and the command.
pub(crate) fn run_all(folder: &Path, mut check: impl FnMut(&str, Command)) -> Result<(), String> {
    run(cargo(&["build", "--quiet", "--locked", "--package", "kina-runtime", "--package", "host-tests"]))?;
    let libraries = target_directory()?.join("debug");
    let forgotten = folder.join("forgotten.supp");
    let written = |path: &Path, error| format!("cannot write `{}`: {error}", path.display());
    fs::write(&forgotten, FORGOTTEN).map_err(|error| written(&forgotten, error))?;
    for (number, host) in HOSTS.iter().enumerate() {
        let program = compile(host, &folder.join(format!("host-{number}")), &libraries)?;
        for (arguments, levels) in host.runs {
            for level in *levels {
                let arguments = arguments.iter().map(|argument| match *argument {
                    FOLDER => folder.to_owned(),
                    LIBRARY => libraries.join("libkina_runtime.so"),
                    argument => argument.into(),
                });
                let mut valgrind = Command::new("valgrind");
                // A forked child leaves to its parent what threads hold that it does not have: no leak, but lost.
                let leaks = if arguments.clone().any(|argument| argument == Path::new("fork")) { "no" } else { "full" };
                valgrind
                    .args(["--quiet", "--error-exitcode=9", "--fair-sched=yes"])
                    .arg(format!("--leak-check={leaks}"));
                // Threads of the default stream and the collector live until the process ends, and valgrind is never sure
                // of theirs.
                valgrind.args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]);
                valgrind.arg(format!("--suppressions={}", forgotten.display())).arg(&program).args(arguments);
                let name = format!("{} by {}, valgrind, {level}", host.source, host.compiler);
                check(&name, super::asan::at_level(valgrind, folder, level));
            }
        }
    }
    Ok(())
}

fn compile(host: &Host, program: &Path, libraries: &Path) -> Result<PathBuf, String> {
    let mut compiler = Command::new(host.compiler);
    compiler.args(host.flags).args(["-g", "-pthread", "-o"]).arg(program).arg(root().join(host.source));
    compiler.arg("-L").arg(libraries).arg(format!("-Wl,-rpath,{}", libraries.display()));
    compiler.args(["-Wl,--as-needed", "-lkina_runtime", "-ltraps", "-ldl"]);
    run(compiler)?;
    Ok(program.to_owned())
}
