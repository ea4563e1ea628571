//! Modules, functions and launches.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::abi::{Arguments, Callback, HostFunction, Out, Text};
use crate::codes::Code;
use crate::driver::{answer, driver};
use crate::module::Module;
use crate::operation::Operation;

/// Registers a thread that every kernel pretends to need.
const REGISTERS: i32 = 32;

#[unsafe(no_mangle)]
extern "C" fn cuModuleLoadData(out: Out<u64>, image: Text) -> u32 {
    answer("cuModuleLoadData", |call| {
        driver().ready()?;
        driver().captures.permit_unsafe_call()?;
        let module = Module::of(image.as_str().map_err(|_| Code::INVALID_PTX)?)?;
        let handle = driver().modules.insert(|_| Arc::new(module));
        call.note("module", handle);
        out.set(handle)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuModuleUnload(module: u64) -> u32 {
    answer("cuModuleUnload", |call| {
        call.note("module", module);
        driver().modules.remove(module).map(|_| ())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuModuleGetFunction(out: Out<u64>, module: u64, name: Text) -> u32 {
    answer("cuModuleGetFunction", |call| {
        call.note("module", module);
        let function = driver().modules.find(module)?.function(name.as_str()?)?;
        call.note_name("kernel", function.kernel.name);
        out.set(driver().functions.insert(|_| Arc::new(function)))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuFuncGetAttribute(out: Out<i32>, attribute: u32, function: u64) -> u32 {
    answer("cuFuncGetAttribute", |call| {
        let function = driver().functions.find(function)?;
        call.note_name("kernel", function.kernel.name).note("attribute", attribute);
        out.set(match attribute {
            0 => 1024, // threads a block
            4 => REGISTERS,
            5 => 52, // PTX version
            6 => 80, // binary version
            _ => 0,
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    out: Out<i32>,
    function: u64,
    block: i32,
    shared_memory: usize,
) -> u32 {
    answer("cuOccupancyMaxActiveBlocksPerMultiprocessor", |call| {
        let function = driver().functions.find(function)?;
        call.note_name("kernel", function.kernel.name);
        if block <= 0 {
            return Err(Code::INVALID_VALUE);
        }
        // 2,048 threads, 65,536 registers and 160 KiB of shared memory a multiprocessor.
        let by_shared = (160_usize << 10).checked_div(shared_memory).map_or(i32::MAX, |blocks| blocks as i32);
        out.set((2048 / block).min(65_536 / REGISTERS.saturating_mul(block)).min(by_shared))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuLaunchKernel(
    function: u64,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared_memory: u32,
    stream: u64,
    arguments: Arguments,
    extra: *const c_void,
) -> u32 {
    answer("cuLaunchKernel", |call| {
        driver().ready()?;
        let kernel = driver().functions.find(function)?.kernel;
        call.note_name("kernel", kernel.name).note("stream", stream).note("shared_memory", shared_memory);
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let count = |sizes: [u32; 3]| sizes.iter().map(|size| u64::from(*size)).product::<u64>();
        call.note("blocks", count(grid)).note("block", count(block));
        if count(grid) == 0 || count(block) == 0 || count(block) > 1024 || !extra.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let launch = driver().launches.fetch_add(1, Ordering::Relaxed) + 1;
        call.note("launch", launch);
        let arguments = kernel.take(&arguments)?.into();
        let threads = count(grid) * count(block);
        driver().stream(stream)?.push(Operation::Kernel { kernel, threads, arguments, launch })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuLaunchHostFunc(stream: u64, function: Option<HostFunction>, data: *mut c_void) -> u32 {
    answer("cuLaunchHostFunc", |call| {
        call.note("stream", stream);
        driver().ready()?;
        let function = function.ok_or(Code::INVALID_VALUE)?;
        driver().stream(stream)?.push(Operation::Callback(Callback { function, data: data as usize }))
    })
}
