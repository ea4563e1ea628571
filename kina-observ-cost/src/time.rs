//! The time of a call that fails, in units of two readings of the runtime's clock.

use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use kina_observ::Level;

use crate::batch::{median, seconds};
use crate::calls::{finish, set_up};
use crate::names::{Case, Failing, Variant};
use crate::subject::Subject;

/// What the clock itself does in a moment decides a single reading, so short batches are timed.
const BATCH: u32 = 64;
/// A round times everything once. On a busy machine some rounds are interrupted; the median is of one that was not.
const ROUNDS: usize = 301;
/// Two clock readings are what a span cannot do without.
const LIMIT: u32 = 10;

const CASES: [(&str, Failing); 3] =
    [("rejected", Failing::Rejected), ("error", Failing::Error), ("inner_error", Failing::Inner)];
const LEVELS: [(&str, Level); 2] = [("off", Level::Off), ("basic", Level::Basic)];

/// Prints `name value limit` lines.
pub(crate) fn print() -> Result<(), Box<dyn Error>> {
    let guard = set_up(Variant::Basic)?;
    let clock = quanta::Clock::new();
    let mut readings = Vec::new();
    let mut ratios = vec![Vec::new(); CASES.len() * LEVELS.len()];
    for _ in 0..ROUNDS {
        let unit = seconds(BATCH, || {
            black_box(clock.raw());
            black_box(clock.raw());
        });
        readings.push(unit * 1e9);
        let mut all = ratios.iter_mut();
        for (_, level) in LEVELS {
            kina_observ::set_level(level);
            for ((_, failing), ratios) in CASES.iter().zip(&mut all) {
                let subject = Subject::choose(Variant::Basic, Case::Fails(*failing))?;
                // The first call after a change of level asks the filter.
                subject.call();
                let time = seconds(BATCH, || {
                    black_box(subject.call());
                });
                ratios.push(time / unit);
            }
        }
        // So that the ring never fills, and the collector sleeps while the next round is timed.
        if !guard.flush(Duration::from_secs(10)) {
            return Err("the collector did not write a round within ten seconds".into());
        }
    }
    println!("two_clock_readings_ns {:.1} -", median(readings));
    let names = LEVELS.iter().flat_map(|(level, _)| CASES.iter().map(move |(case, _)| format!("{case}_{level}")));
    for (name, ratios) in names.zip(ratios) {
        println!("{name}_over_two_clock_readings {:.2} {LIMIT}", median(ratios));
    }
    let recorded = ROUNDS * CASES.len() * (BATCH as usize + 1);
    finish(guard, recorded as u64)
}
