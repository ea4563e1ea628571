//! From a checked call to a kernel on a stream's thread.
//! Invariant: a kernel locks its tensors in the order of their numbers, so that two streams never wait for each other
//! (`two_streams_that_swap_their_tensors_do_not_wait_for_each_other`).

use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use kina_observ::ffi::Handle;
use kina_observ::{Context, span};

use crate::dtype::DType;
use crate::error::{DriverError, LaunchError};
use crate::memory::Storage;
use crate::stream::Worker;
use crate::tensor::Tensor;

/// A tensor in a call: its parameter's name, itself, and how many elements the dimensions say that it has.
#[derive(Clone)]
pub struct Operand(pub &'static str, pub Handle<Tensor>, pub usize);

/// What a kernel may touch: the output, and its inputs in the order of the call.
pub type Kernel = Box<dyn FnOnce(&mut [f32], &[&[f32]]) + Send>;

/// Elements of a block; beyond what can be counted it is a number that no tensor has.
pub fn elements(extents: &[usize]) -> usize {
    extents.iter().fold(1, |product, &extent| product.saturating_mul(extent))
}

/// Checks the operands, and puts the kernel on the stream.
pub fn launch(
    name: &'static str,
    stream: &Worker,
    out: Operand,
    inputs: Vec<Operand>,
    kernel: Kernel,
) -> Result<Result<(), LaunchError>, DriverError> {
    if let Err(answer) = check(name, &out, &inputs) {
        return Ok(Err(answer));
    }
    let out = out.1;
    let inputs: Vec<_> = inputs.into_iter().map(|operand| operand.1).collect();
    enqueue(name, stream, move || locked(&out, &inputs, kernel))?;
    Ok(Ok(()))
}

/// Puts work on the stream that is a span there, whose parent is the call that we are in.
pub fn enqueue(name: &'static str, stream: &Worker, work: impl FnOnce() + Send + 'static) -> Result<(), DriverError> {
    let context = Context::current();
    let number = stream.number();
    stream.enqueue(name, move || execute(name, number, &context, work))
}

#[span("runtime.kernel.execute", parent = context)]
fn execute<F: FnOnce()>(kernel: &'static str, stream_id: i64, context: &Context, work: F) {
    work();
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
    }
    match inputs.iter().find(|input| input.1.number() == out.1.number()) {
        Some(&Operand(name, ..)) => Err(LaunchError::AliasedOutput { name, kernel }),
        None => Ok(()),
    }
}

enum Locked<'a> {
    Input(RwLockReadGuard<'a, Storage>),
    Output(RwLockWriteGuard<'a, Storage>),
}

fn locked(out: &Tensor, inputs: &[Handle<Tensor>], kernel: Kernel) {
    let mut order: Vec<&Tensor> = inputs.iter().map(|input| &**input).chain([out]).collect();
    order.sort_by_key(|tensor| tensor.number());
    // One tensor may be two inputs; a thread must not lock it twice.
    order.dedup_by_key(|tensor| tensor.number());
    let mut guards: Vec<(u64, Locked<'_>)> = order
        .into_iter()
        .map(|tensor| {
            let output = tensor.number() == out.number();
            (tensor.number(), if output { Locked::Output(tensor.write()) } else { Locked::Input(tensor.read()) })
        })
        .collect();
    let mut target: &mut [f32] = &mut [];
    let mut sources: Vec<(u64, &[f32])> = Vec::new();
    for (number, guard) in &mut guards {
        match guard {
            Locked::Output(storage) => target = storage.values_mut(),
            Locked::Input(storage) => sources.push((*number, storage.values())),
        }
    }
    let by_number = |input: &Handle<Tensor>| {
        sources.iter().find(|(number, _)| *number == input.number()).map_or(&[][..], |(_, values)| values)
    };
    let inputs: Vec<&[f32]> = inputs.iter().map(by_number).collect();
    kernel(target, &inputs);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;
    use kina_observ::ffi::Handled;

    fn tensor(elements: i64) -> Handle<Tensor> {
        let tensor = Tensor::zeros(DType::F32, &[elements], "").expect("fits").expect("a shape");
        Tensor::table().insert(tensor)
    }

    #[test]
    fn two_streams_that_swap_their_tensors_do_not_wait_for_each_other() {
        let (x, y) = (tensor(4), tensor(4));
        let streams = [Stream::start().expect("a thread"), Stream::start().expect("a thread")];
        for _ in 0..2_000 {
            for (stream, (out, input)) in streams.iter().zip([(&x, &y), (&y, &x)]) {
                let (out, input) = (Operand("out", out.clone(), 4), Operand("a", input.clone(), 4));
                let kernel: Kernel = Box::new(|out, inputs| out.copy_from_slice(inputs[0]));
                launch("copy_f32", stream.worker(), out, vec![input], kernel).expect("open").expect("fits");
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
        let twice = || vec![Operand("a", a.clone(), 2), Operand("b", a.clone(), 2)];
        let kernel = || -> Kernel { Box::new(|_, inputs| assert_eq!(inputs.len(), 2)) };
        launch("k", stream.worker(), Operand("out", out, 2), twice(), kernel()).expect("open").expect("fits");
        let aliased = launch("k", stream.worker(), Operand("out", a.clone(), 2), twice(), kernel()).expect("open");
        assert_eq!(aliased, Err(LaunchError::AliasedOutput { name: "a", kernel: "k" }));
        stream.worker().finish().expect("nothing failed");
    }

    #[test]
    fn a_kernel_that_panics_is_told_by_the_next_synchronisation() {
        let _alone = crate::fault::testing::device_alone();
        let out = tensor(1);
        let stream = Stream::start().expect("a thread");
        let kernel: Kernel = Box::new(|_, _| panic!("illegal address"));
        launch("bad_f32", stream.worker(), Operand("out", out.clone(), 1), vec![], kernel)
            .expect("open")
            .expect("fits");
        let error = stream.worker().synchronize().expect_err("it failed").to_string();
        assert_eq!(
            error,
            "stream 1 failed in `bad_f32`: illegal address".replace('1', &stream.worker().number().to_string())
        );
        stream.worker().synchronize().expect("told once");
        assert!(matches!(&*out.read(), Storage::F32(values) if values == &[0.0]), "a poisoned lock is tolerated");
    }

    #[test]
    fn dimensions_beyond_counting_fit_no_tensor() {
        assert_eq!(elements(&[usize::MAX, 2]), usize::MAX);
        assert_eq!(elements(&[usize::MAX, usize::MAX, 0]), 0);
        assert_eq!(elements(&[2, 3, 4]), 24);
    }
}
