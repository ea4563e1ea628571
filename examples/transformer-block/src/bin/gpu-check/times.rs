//! The time on the device that a trace tells, beside events of our own around the same launches.

use std::time::Duration;

use kina_observ::device::{
    Argument, Device, DeviceError, DevicePtr, Event, Function, KernelSource, LaunchConfig, Stream,
};
use kina_observ::{Format, Level, kernel};
use kina_runtime::backend::PTX;

use crate::example::lines;
use crate::{Bench, Found, Outcome};

/// Below the pairs of events that a stream has.
const LAUNCHES: usize = 20;
/// So long that an event beside it, about a microsecond, does not count.
const LONG: Duration = Duration::from_millis(1);
/// Rows and columns of the largest product, which fits into every device.
const LARGEST: u32 = 4096;
const ALLOWED: f64 = 0.05;

pub(crate) fn check(bench: &Bench) -> Outcome {
    let trace = bench.scratch.join("times.jsonl");
    let own = measured(&bench.device, &trace)?;
    let told: Vec<f64> = lines(&trace)?
        .iter()
        .filter(|line| line["type"] == "runtime.kernel.device")
        .map(|line| line["duration_ms"].as_f64().unwrap_or(f64::NAN))
        .collect();
    if told.len() != own.len() {
        return Err(format!("{} launches, but {} have a time in the trace", own.len(), told.len()));
    }
    let apart = |(told, own): (&f64, &f64)| ((told - own) / own).abs();
    // Not a number is as far apart as can be.
    let worst = told.iter().zip(&own).map(apart).fold(0.0, |worst: f64, next| if next <= worst { worst } else { next });
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    let said = format!("{LAUNCHES} launches of {mean:.3} ms, at most {:.2} % from our own events", worst * 100.0);
    if worst <= ALLOWED { Ok(Found::Holds(said)) } else { Err(format!("{said}; {:.0} % are allowed", ALLOWED * 100.0)) }
}

/// Launches with events around each; the milliseconds between those.
fn measured(device: &Device, trace: &std::path::Path) -> Result<Vec<f64>, String> {
    let told = |error: DeviceError| error.to_string();
    let product = Product::long_enough(device).map_err(told)?;
    let builder = kina_observ::builder().level(Level::Kernel).trace_format(Format::Json).trace_output(trace);
    let guard = builder.init().map_err(|error| error.to_string())?;
    // Not annotated: while it runs, everything else is enqueued, so that no event stands in a gap.
    product.launch().and_then(|()| product.launch()).map_err(told)?;
    let around = (0..LAUNCHES).map(|_| product.between_events()).collect::<Result<Vec<_>, _>>().map_err(told)?;
    product.stream.synchronize().map_err(told)?;
    let between = |(start, end): &(Event, Event)| start.elapsed_until(end).map(|time| time.as_secs_f64() * 1e3);
    let own = around.iter().map(between).collect::<Result<_, _>>().map_err(told)?;
    guard.shutdown();
    Ok(own)
}

/// A square product on a stream of its own, and its memory.
struct Product {
    stream: Stream,
    function: Function,
    memory: [DevicePtr; 3],
    size: u32,
}

impl Product {
    fn long_enough(device: &Device) -> Result<Self, DeviceError> {
        let mut size = 64;
        loop {
            let product = Self::new(device, size)?;
            // The first one may load the kernel.
            product.launch()?;
            product.stream.synchronize()?;
            let start = product.stream.record()?;
            product.launch()?;
            let end = product.stream.record()?;
            product.stream.synchronize()?;
            if start.elapsed_until(&end)? >= LONG || size == LARGEST {
                return Ok(product);
            }
            size *= 2;
        }
    }

    fn new(device: &Device, size: u32) -> Result<Self, DeviceError> {
        let stream = device.stream("gpu-check")?;
        let function = device.load(KernelSource::Ptx(PTX), "matmul_f32")?;
        let bytes = size as usize * size as usize * 4;
        let memory = [stream.allocate(bytes)?, stream.allocate(bytes)?, stream.allocate(bytes)?];
        let product = Self { stream, function, memory, size };
        let zeros = vec![0; bytes];
        for operand in product.memory {
            // SAFETY: it was allocated with as many bytes.
            unsafe { product.stream.copy_to_device(operand, &zeros) }?;
        }
        Ok(product)
    }

    fn launch(&self) -> Result<(), DeviceError> {
        enqueue(&self.stream, &self.function, &self.config(), &self.arguments())
    }

    fn between_events(&self) -> Result<(Event, Event), DeviceError> {
        let start = self.stream.record()?;
        launch(&self.stream, &self.function, &self.config(), &self.arguments())?;
        Ok((start, self.stream.record()?))
    }

    fn config(&self) -> LaunchConfig {
        LaunchConfig::for_elements(self.size * self.size)
    }

    fn arguments(&self) -> [Argument; 7] {
        let [out, a, b] = self.memory.map(Argument::Pointer);
        let size = Argument::U32(self.size);
        [out, a, b, Argument::U32(1), size, size, size]
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        for operand in self.memory {
            // SAFETY: it came from this stream's device, and nothing is enqueued after this. A driver that refuses has failed before.
            let _ = unsafe { self.stream.free(operand) };
        }
        let _ = self.stream.synchronize();
    }
}

#[kernel]
fn launch(
    stream: &Stream,
    function: &Function,
    config: &LaunchConfig,
    arguments: &[Argument],
) -> Result<(), DeviceError> {
    enqueue(stream, function, config, arguments)
}

fn enqueue(
    stream: &Stream,
    function: &Function,
    config: &LaunchConfig,
    arguments: &[Argument],
) -> Result<(), DeviceError> {
    // SAFETY: the arguments are what `matmul_f32` takes: three arrays of `size * size` floats, then a batch of one and the sizes.
    unsafe { stream.launch(function, config, arguments) }
}
