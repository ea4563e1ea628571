//! What a ledger adds to an allocation and its free, over the resource inside.
//!
//! `kina-observ-cost-memory time` prints `name value limit` lines, in units of two clock readings of the same run;
//! `kina-observ-cost-memory bare|off|totals|spans allocations PAIRS` makes the pairs inside `cost_batch_allocations`, for callgrind.

use std::cell::Cell;
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{AllocError, Detail, FreeError, MemoryResource, TracingMemoryResource};
use kina_observ::{Guard, Level, span};

#[path = "../batch.rs"]
mod batch;

use batch::{median, seconds};

/// Blocks that are out meanwhile: as many as a model of some size has.
const OUT: usize = 5_000;
/// Pairs that are timed at once.
const BATCH: u32 = 1_000;
/// A round times everything once. On a busy machine some rounds are interrupted; the median is of one that was not.
const ROUNDS: usize = 301;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["time"] => time(),
        [variant, "allocations", pairs] => count(variant, pairs),
        _ => Err("usage: kina-observ-cost-memory time, or: bare|off|totals|spans allocations PAIRS".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The cheapest resource there is: addresses that come round.
struct Addresses;

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

impl MemoryResource for Addresses {
    #[inline(never)]
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let next = NEXT.get();
        // Twice as many as are out, in the order in which a pool would reuse them.
        NEXT.set((next + 1) % (2 * OUT as u64));
        // Otherwise the compiler passes on nothing at all, and adding a ledger seems to cost what every resource does.
        black_box((self, size, stream));
        Ok(DevicePtr::new((next + 1) * 256))
    }

    #[inline(never)]
    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        black_box((self, pointer, size, stream));
        Ok(())
    }
}

/// Blocks that are out; each pair frees the oldest.
struct Blocks<'a, R> {
    memory: &'a R,
    stream: &'a Stream,
    out: Vec<DevicePtr>,
    oldest: usize,
}

impl<'a, R: MemoryResource> Blocks<'a, R> {
    fn new(memory: &'a R, stream: &'a Stream) -> Result<Self, Box<dyn Error>> {
        NEXT.set(0);
        let out = (0..OUT).map(|_| memory.allocate(1_000, stream)).collect::<Result<_, _>>()?;
        Ok(Self { memory, stream, out, oldest: 0 })
    }

    #[inline(always)]
    fn pair(&mut self) {
        let oldest = self.oldest;
        self.oldest = (oldest + 1) % OUT;
        // SAFETY: there is no memory behind these addresses.
        let freed = unsafe { self.memory.deallocate(self.out[oldest], 1_000, self.stream) };
        assert!(freed.is_ok(), "a block that is out");
        match self.memory.allocate(1_000, self.stream) {
            Ok(block) => self.out[oldest] = block,
            Err(error) => panic!("{error}"),
        }
    }
}

#[span(runtime.kernel.execute)]
fn in_span<R>(kernel: &str, stream_id: i64, body: impl FnOnce() -> R) -> R {
    body()
}

fn set_up(variant: &str) -> Result<Guard, Box<dyn Error>> {
    let detail = if variant == "totals" { Detail::Totals } else { Detail::Spans };
    let level = if variant == "off" { Level::Off } else { Level::Basic };
    let path = std::env::current_exe()?.with_extension("jsonl");
    Ok(kina_observ::builder().level(level).memory_detail(detail).trace_output(path).init()?)
}

fn time() -> Result<(), Box<dyn Error>> {
    let stream = Device::cpu().stream("main")?;
    let clock = quanta::Clock::new();
    let mut readings = Vec::new();
    for (variant, limit) in [("off", None), ("totals", Some(0.4)), ("spans", Some(4.5))] {
        let _guard = set_up(variant)?;
        let memory = TracingMemoryResource::new(Addresses);
        let ratios = in_span("k", 1, || -> Result<_, Box<dyn Error>> {
            let mut bare = Blocks::new(&Addresses, &stream)?;
            let bare_next = NEXT.get();
            let mut traced = Blocks::new(&memory, &stream)?;
            let mut nexts = [bare_next, NEXT.get()];
            let mut ratios = Vec::new();
            for _ in 0..ROUNDS {
                let unit = seconds(BATCH, || {
                    black_box(clock.raw());
                    black_box(clock.raw());
                });
                NEXT.set(nexts[0]);
                let inner = seconds(BATCH, || bare.pair());
                nexts[0] = NEXT.replace(nexts[1]);
                let outer = seconds(BATCH, || traced.pair());
                nexts[1] = NEXT.get();
                readings.push(unit * 1e9);
                ratios.push((outer - inner) / unit);
            }
            Ok(ratios)
        })?;
        let limit = limit.map_or("-".to_owned(), |limit: f64| limit.to_string());
        println!("allocation_pair_{variant}_over_two_clock_readings {:.2} {limit}", median(ratios));
    }
    println!("allocation_two_clock_readings_ns {:.1} -", median(readings));
    Ok(())
}

fn count(variant: &str, pairs: &str) -> Result<(), Box<dyn Error>> {
    let pairs = pairs.parse()?;
    let stream = Device::cpu().stream("main")?;
    if variant == "bare" {
        return cost_batch(&mut Blocks::new(&Addresses, &stream)?, pairs);
    }
    let _guard = set_up(variant)?;
    let memory = TracingMemoryResource::new(Addresses);
    in_span("k", 1, || cost_batch(&mut Blocks::new(&memory, &stream)?, pairs))
}

fn cost_batch<R: MemoryResource>(blocks: &mut Blocks<'_, R>, pairs: u32) -> Result<(), Box<dyn Error>> {
    // The first pairs make what is made once.
    (0..16).for_each(|_| blocks.pair());
    cost_batch_allocations(pairs, &mut || blocks.pair());
    Ok(())
}

/// The name is what callgrind looks for.
#[unsafe(no_mangle)]
#[inline(never)]
fn cost_batch_allocations(pairs: u32, pair: &mut dyn FnMut()) {
    (0..pairs).for_each(|_| pair());
}
