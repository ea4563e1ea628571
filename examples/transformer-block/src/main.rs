//! A transformer block that calls the runtime through its C symbols, and says where the time went.

kina_observ::conventions!();

mod block;
mod cli;
mod reference;
mod runtime;
mod tables;
mod weights;

use std::fmt::Display;
use std::process::ExitCode;

use clap::Parser;
use kina_observ::{Builder, device, memory, span};

use block::Block;
use cli::Cli;
use runtime::Failure;
use weights::{Dimensions, Weights};

/// f32 sums of a thousand products differ from f64 by about 1e-5; a wrong kernel by far more than this.
const TOLERANCE: f64 = 1e-3;

/// Any seed does; this one gives everybody the same numbers.
const SEED: u64 = 2026;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let guard = match Builder::from_env() {
        Ok(environment) => match cli.builder(environment).init() {
            Ok(guard) => guard,
            Err(error) => return refuse(error),
        },
        Err(error) => return refuse(error),
    };
    if let Some(backend) = cli.backend() {
        // Nothing was called before, so this choice stands.
        runtime::choose(backend);
    }
    let outcome = runtime::in_module(cli.module().as_bytes(), || run(cli.steps));
    let memory = Memory::now();
    let report = guard.shutdown();
    let largest_error = match outcome {
        Ok(largest_error) => largest_error,
        Err(failure) => return refuse(failure),
    };
    println!("{} steps; largest error against the scalar reference {largest_error:.2e}", cli.steps);
    if let Some(Memory { peak, left }) = memory {
        println!("memory of tensors: {peak} bytes at the most, {left} at the end");
    }
    if report.totals.is_empty() {
        println!("nothing was recorded: the level is off, or `RUST_LOG` lets nothing through");
    } else {
        println!("{report}");
        print!("{}", tables::render(&report.totals));
    }
    if largest_error > TOLERANCE {
        return refuse(format!(
            "the result is wrong: {largest_error:.2e} from the scalar reference, {TOLERANCE:.0e} is allowed\n  \
             = help: run one step with `--level kernel -vvv` and look for the first kernel that is not as expected"
        ));
    }
    if let Some(Memory { left: left @ 1.., .. }) = memory {
        return refuse(format!(
            "{left} bytes of the device's memory were not given back\n  \
             = help: the trace names the spans that allocated them: `grep leak` in it"
        ));
    }
    if !report.is_complete() {
        return refuse(format!(
            "the trace is not complete: {report}\n  \
             = help: write it to a disk with room, or record less with `--level basic` and `RUST_LOG`"
        ));
    }
    ExitCode::SUCCESS
}

/// Runs the steps and returns the largest error of any.
fn run(steps: u32) -> Result<f64, Failure> {
    let dimensions = Dimensions::DEFAULT;
    let weights = Weights::seeded(SEED, &dimensions);
    let mut block = None;
    let mut largest_error = 0.0_f64;
    for index in 0..steps {
        let input = weights::input(index.into(), &dimensions);
        // With `KINA_OBSERV_KERNEL_SAMPLE` the kernels of some steps are measured, and not those of the others.
        device::step_begin();
        let pass = Pass { weights: &weights, input: &input, last: index + 1 == steps };
        let output = step(index, dimensions.sequence, &mut block, pass)?;
        // Outside of the step: its time is the runtime's.
        let expected = reference::forward(&weights, &input, &dimensions);
        largest_error = largest_error.max(reference::largest_error(&output, &expected));
    }
    Ok(largest_error)
}

/// What a step needs besides the block.
struct Pass<'a> {
    weights: &'a Weights,
    input: &'a [f32],
    last: bool,
}

/// One trace. The first step also loads the block, the last one gives it back.
#[span("transformer.step")]
fn step(index: u32, sequence: usize, block: &mut Option<Block>, pass: Pass<'_>) -> Result<Vec<f32>, Failure> {
    let loaded = match block.take() {
        Some(loaded) => loaded,
        None => block::load(pass.weights, Dimensions { sequence, ..Dimensions::DEFAULT })?,
    };
    let output = block::forward(&loaded, pass.input)?;
    if pass.last {
        block::release(loaded)?;
    } else {
        *block = Some(loaded);
    }
    Ok(output)
}

/// Memory that the tensors of this process had.
#[derive(Clone, Copy)]
struct Memory {
    peak: u64,
    left: u64,
}

impl Memory {
    /// None at Off, when nobody counts.
    fn now() -> Option<Self> {
        let ledgers = memory::resources();
        let sum = |of: fn(&memory::ResourceStats) -> u64| ledgers.iter().map(of).sum();
        (!ledgers.is_empty()).then(|| Self { peak: sum(|ledger| ledger.peak), left: sum(|ledger| ledger.live) })
    }
}

/// Tells a person what happened.
fn refuse(error: impl Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
