//! Graphs.

use std::sync::Arc;

use crate::abi::Out;
use crate::driver::{answer, driver};
use crate::operation::Operation;

#[unsafe(no_mangle)]
extern "C" fn cuGraphInstantiateWithFlags(out: Out<u64>, graph: u64, _flags: u64) -> u32 {
    answer("cuGraphInstantiateWithFlags", |call| {
        call.note("graph", graph);
        driver().ready()?;
        let captured = driver().graphs.find(graph)?;
        let executable = driver().graphs.insert(|_| captured);
        call.note("executable", executable);
        out.set(executable)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuGraphLaunch(executable: u64, stream: u64) -> u32 {
    answer("cuGraphLaunch", |call| {
        call.note("executable", executable).note("stream", stream);
        driver().ready()?;
        let graph = driver().graphs.find(executable)?;
        driver().stream(stream)?.push(Operation::Graph(Arc::clone(&graph)))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuGraphExecDestroy(executable: u64) -> u32 {
    answer("cuGraphExecDestroy", |call| {
        call.note("executable", executable);
        driver().graphs.remove(executable).map(|_| ())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuGraphDestroy(graph: u64) -> u32 {
    answer("cuGraphDestroy", |call| {
        call.note("graph", graph);
        driver().graphs.remove(graph).map(|_| ())
    })
}
