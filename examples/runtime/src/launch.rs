//! From a checked call to a kernel on a stream.
//! Invariant: a tensor stays where it is until every kernel that was given its address has run
//! (`a_tensor_is_freed_after_its_last_kernel`); two streams that use one tensor are ordered by events only, and never wait for
//! each other by themselves (`two_streams_that_swap_their_tensors_do_not_wait_for_each_other`).

use std::sync::Arc;

use kina_observ::device::{Argument, DeviceError, Function, LaunchConfig, Stream};
use kina_observ::ffi::Handle;
use kina_observ::kernel;

use crate::backend::{Backend, opened};
use crate::dtype::DType;
use crate::error::{DriverError, LaunchError};
use crate::on_cpu;
use crate::stream::Worker;
use crate::tensor::Tensor;

/// A tensor in a call: its parameter's name, itself, and how many elements the dimensions say that it has.
#[derive(Clone)]
pub struct Operand(pub &'static str, pub Handle<Tensor>, pub usize);

/// What a kernel is given behind its operands.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A dimension.
    Size(usize),
    /// Anything else.
    Float(f32),
}

/// Elements of a block; beyond what can be counted it is a number that no tensor has.
pub fn elements(extents: &[usize]) -> usize {
    extents.iter().fold(1, |product, &extent| product.saturating_mul(extent))
}

/// Checks the operands, and puts the kernel on the stream: `threads` threads, one for each element of the output, or row.
pub fn launch(
    name: &'static str,
    worker: &Arc<Worker>,
    out: Operand,
    inputs: &[Operand],
    numbers: &[Number],
    threads: usize,
) -> Result<Result<(), LaunchError>, DriverError> {
    if let Err(answer) = check(name, &out, inputs) {
        return Ok(Err(answer));
    }
    // Nothing is to be computed, and the dimensions may be any.
    if out.2 == 0 {
        return Ok(Ok(()));
    }
    let opened = opened()?;
    let function = opened.kernel(name).ok_or(DriverError::NoKernel { kernel: name })?;
    let call = (opened.backend == Backend::Cpu).then(|| on_cpu::call(opened, worker.number()));
    let config = LaunchConfig::for_elements(narrow(threads));
    let enqueued = worker.enqueue(|stream| {
        let at = out.1.on(worker)?;
        let mut arguments: Vec<Argument> = call.map(Argument::U64).into_iter().chain([Argument::Pointer(at)]).collect();
        for Operand(_, tensor, count) in inputs {
            // What has no elements has no address, and is not read.
            arguments.push(Argument::Pointer(if *count == 0 { at } else { tensor.on(worker)? }));
        }
        arguments.extend(numbers.iter().map(|number| match *number {
            Number::Size(size) => Argument::U32(narrow(size)),
            Number::Float(value) => Argument::F32(value),
        }));
        enqueue(stream, function, &config, &arguments)
    });
    if let (Err(_), Some(call)) = (&enqueued, call) {
        on_cpu::forget(opened, call);
    }
    enqueued.map(Ok)
}

/// `check` has seen to it that it fits.
fn narrow(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[kernel]
fn enqueue(
    stream: &Stream,
    function: &Function,
    config: &LaunchConfig,
    arguments: &[Argument],
) -> Result<(), DeviceError> {
    // SAFETY: the entry points give each kernel its operands and numbers in the order of `kernels.ptx`, and `check` has compared
    // the dimensions with what the tensors hold. `Tensor::on` keeps the memory until the stream has run this.
    unsafe { stream.launch(function, config, arguments) }
}

fn check(kernel: &'static str, out: &Operand, inputs: &[Operand]) -> Result<(), LaunchError> {
    for Operand(name, tensor, needed) in std::iter::once(out).chain(inputs) {
        let (name, held, needed) = (*name, tensor.elements(), *needed);
        if tensor.dtype() != DType::F32 {
            return Err(LaunchError::UnsupportedDtype { name, dtype: tensor.dtype().name(), kernel });
        }
        if held != needed {
            return Err(LaunchError::ShapeMismatch { name, held, needed });
        }
        if u32::try_from(held).is_err() {
            return Err(LaunchError::TooManyElements { name, held });
        }
    }
    match inputs.iter().find(|input| input.1.number() == out.1.number()) {
        Some(&Operand(name, ..)) => Err(LaunchError::AliasedOutput { name, kernel }),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use kina_observ::device::{KernelSource, cpu};
    use std::sync::Mutex;

    /// Runs a closure in the order of the stream, as a kernel of that name. Tests run beside each other: no two may use one name.
    pub(crate) fn run(worker: &Worker, name: &'static str, work: impl FnOnce() + Send + 'static) {
        let work = Mutex::new(Some(work));
        cpu::register(name, move |_| {
            let work = work.lock().expect("nobody panics with it").take();
            work.expect("it is launched once")();
            Ok(())
        });
        let device = &opened().expect("the CPU is there").device;
        let function = device.load(KernelSource::Registered, name).expect("registered above");
        worker
            .enqueue(|stream| enqueue(stream, &function, &LaunchConfig::for_elements(1), &[]))
            .expect("the stream is open");
    }
}

#[cfg(test)]
mod tests {
    use super::testing::run;
    use super::*;
    use crate::memory;
    use crate::stream::Stream;
    use kina_observ::ffi::Handled;
    use std::sync::mpsc;

    fn tensor(elements: i64) -> Handle<Tensor> {
        let tensor = Tensor::zeros(DType::F32, &[elements], "").expect("fits").expect("a shape");
        Tensor::table().insert(tensor)
    }

    fn gelu(stream: &Stream, out: &Handle<Tensor>, a: &Handle<Tensor>, n: usize) -> Result<(), LaunchError> {
        let (out, a) = (Operand("out", out.clone(), n), Operand("a", a.clone(), n));
        launch("gelu_f32", stream.worker(), out, &[a], &[Number::Size(n)], n).expect("open")
    }

    #[test]
    fn two_streams_that_swap_their_tensors_do_not_wait_for_each_other() {
        let (x, y) = (tensor(4), tensor(4));
        let streams = [Stream::start().expect("a thread"), Stream::start().expect("a thread")];
        for _ in 0..2_000 {
            for (stream, (out, input)) in streams.iter().zip([(&x, &y), (&y, &x)]) {
                gelu(stream, out, input, 4).expect("fits");
            }
        }
        for stream in &streams {
            stream.worker().finish().expect("nothing failed");
        }
    }

    #[test]
    fn one_tensor_may_be_two_inputs_but_not_input_and_output() {
        let (out, a) = (tensor(2), tensor(2));
        let stream = Stream::start().expect("a thread");
        let twice = [Operand("a", a.clone(), 2), Operand("b", a.clone(), 2)];
        let add = |out| launch("add_f32", stream.worker(), Operand("out", out, 2), &twice, &[Number::Size(2)], 2);
        add(out).expect("open").expect("fits");
        assert_eq!(add(a.clone()).expect("open"), Err(LaunchError::AliasedOutput { name: "a", kernel: "add_f32" }));
        stream.worker().finish().expect("nothing failed");
    }

    #[test]
    fn a_tensor_is_freed_after_its_last_kernel() {
        let (out, a) = (tensor(1_000), tensor(1_000));
        let stream = Stream::start().expect("a thread");
        let (go, gate) = mpsc::channel::<()>();
        run(stream.worker(), "gate", move || gate.recv().expect("the test opens the gate"));
        gelu(&stream, &out, &a, 1_000).expect("fits");
        for freed in [out, a] {
            freed.destroy("tensor").expect("it lives");
        }
        // What is given out now may be the same memory, and is zeroed; the kernel before must not be in its way.
        let next: Vec<_> = (0..4).map(|_| tensor(1_000)).collect();
        go.send(()).expect("the stream listens");
        // A kernel whose memory was gone would fail with an invalid address.
        stream.worker().finish().expect("nothing failed");
        memory::settle();
        drop(next);
    }

    #[test]
    fn dimensions_beyond_counting_fit_no_tensor() {
        assert_eq!(elements(&[usize::MAX, 2]), usize::MAX);
        assert_eq!(elements(&[usize::MAX, usize::MAX, 0]), 0);
        assert_eq!(elements(&[2, 3, 4]), 24);
    }
}
