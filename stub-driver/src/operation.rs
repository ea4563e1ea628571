//! What a stream can have in its queue, and a graph in its list.

use std::sync::Arc;
use std::time::Instant;

use crate::abi::{Callback, Host};
use crate::driver::driver;
use crate::event::Event;
use crate::kernels::Kernel;

#[derive(Clone)]
pub(crate) enum Operation {
    Kernel { kernel: &'static Kernel, threads: u64, arguments: Arc<[u64]>, launch: u64 },
    Record { event: Arc<Event>, generation: u64 },
    Wait { event: Arc<Event>, generation: u64 },
    Free { address: u64 },
    CopyIn { target: u64, bytes: Arc<[u8]> },
    CopyOut { source: u64, length: u64, target: Host },
    CopyWithin { source: u64, length: u64, target: u64 },
    Fill { target: u64, length: u64, byte: u8 },
    Callback(Callback),
    Graph(Arc<Graph>),
}

/// A captured graph: its operations in one order that keeps every dependency.
pub(crate) struct Graph(pub(crate) Vec<Operation>);

impl Operation {
    /// Runs in the stream `stream`, which comes to it at `begin`; when it is done, by the stream's account.
    pub(crate) fn run(&self, stream: u64, begin: Instant) -> Instant {
        let memory = &driver().memory;
        let done = match self {
            Self::Kernel { kernel, threads, arguments, launch } => {
                let done = kernel.run(*threads, arguments);
                let end = Instant::now();
                driver().log.ran(kernel.name, stream, *launch, begin, end);
                done.map(|()| end)
            }
            // A record takes no time of its own.
            Self::Record { event, generation } => {
                event.complete(*generation, begin);
                Ok(begin)
            }
            Self::Wait { event, generation } => {
                event.block(*generation);
                Ok(Instant::now())
            }
            Self::Free { address } => {
                memory.free(*address);
                Ok(begin)
            }
            Self::CopyIn { target, bytes } => memory.view(*target, bytes.len() as u64).map(|view| {
                view.set_bytes(bytes);
                Instant::now()
            }),
            Self::CopyOut { source, length, target } => {
                memory.view(*source, *length).and_then(|view| target.write(&view.bytes())).map(|()| Instant::now())
            }
            Self::CopyWithin { source, length, target } => memory.view(*source, *length).and_then(|from| {
                memory.view(*target, *length)?.set_bytes(&from.bytes());
                Ok(Instant::now())
            }),
            Self::Fill { target, length, byte } => memory.view(*target, *length).map(|view| {
                view.set_bytes(&vec![*byte; *length as usize]);
                Instant::now()
            }),
            Self::Callback(callback) => {
                callback.call();
                Ok(Instant::now())
            }
            Self::Graph(graph) => Ok(graph.0.iter().fold(begin, |begin, operation| operation.run(stream, begin))),
        };
        done.unwrap_or_else(|code| {
            driver().fail(code);
            Instant::now()
        })
    }
}
