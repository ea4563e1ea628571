//! Memory: allocation, copies, what is used.

use std::sync::Arc;

use crate::abi::{Host, Out};
use crate::codes::Code;
use crate::driver::{answer, driver};
use crate::operation::Operation;

/// The one pool that each device has.
const POOL: u64 = 0xF001;

#[unsafe(no_mangle)]
extern "C" fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) -> u32 {
    answer("cuMemGetInfo_v2", |_| {
        driver().ready()?;
        let (free_bytes, total_bytes) = driver().memory.info();
        free.set(free_bytes as usize)?;
        total.set(total_bytes as usize)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemAlloc_v2(out: Out<u64>, bytes: usize) -> u32 {
    answer("cuMemAlloc_v2", |call| {
        call.note("bytes", bytes as u64);
        driver().ready()?;
        driver().captures.permit_unsafe_call()?;
        let address = driver().memory.allocate(bytes as u64)?;
        call.note("address", address);
        out.set(address)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFree_v2(address: u64) -> u32 {
    answer("cuMemFree_v2", |call| {
        call.note("address", address);
        driver().ready()?;
        driver().captures.permit_unsafe_call()?;
        if address == 0 {
            return Ok(());
        }
        driver().memory.promise_free(address)?;
        // It waits for everything, as the manual says.
        driver().every_stream().iter().for_each(|stream| stream.synchronize());
        driver().memory.free(address);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemAllocAsync(out: Out<u64>, bytes: usize, stream: u64) -> u32 {
    answer("cuMemAllocAsync", |call| {
        call.note("bytes", bytes as u64).note("stream", stream);
        driver().ready()?;
        no_memory_nodes(stream)?;
        let address = driver().memory.allocate(bytes as u64)?;
        call.note("address", address);
        out.set(address)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeAsync(address: u64, stream: u64) -> u32 {
    answer("cuMemFreeAsync", |call| {
        call.note("address", address).note("stream", stream);
        driver().ready()?;
        no_memory_nodes(stream)?;
        if address == 0 {
            return Ok(());
        }
        driver().memory.promise_free(address)?;
        driver().stream(stream)?.push(Operation::Free { address })
    })
}

fn no_memory_nodes(stream: u64) -> Result<(), Code> {
    if driver().stream(stream)?.capture().is_some() { Err(Code::NOT_SUPPORTED) } else { Ok(()) }
}

#[unsafe(no_mangle)]
extern "C" fn cuMemsetD8Async(target: u64, byte: u8, length: usize, stream: u64) -> u32 {
    answer("cuMemsetD8Async", |call| {
        call.note("bytes", length as u64).note("stream", stream);
        driver().ready()?;
        driver().stream(stream)?.push(Operation::Fill { target, length: length as u64, byte })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyHtoDAsync_v2(target: u64, source: Host, length: usize, stream: u64) -> u32 {
    answer("cuMemcpyHtoDAsync_v2", |call| {
        call.note("bytes", length as u64).note("stream", stream);
        driver().ready()?;
        // Pageable memory is staged: the caller may change it when this returns.
        let bytes: Arc<[u8]> = source.read(length)?.into();
        driver().stream(stream)?.push(Operation::CopyIn { target, bytes })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoHAsync_v2(target: Host, source: u64, length: usize, stream: u64) -> u32 {
    answer("cuMemcpyDtoHAsync_v2", |call| {
        call.note("bytes", length as u64).note("stream", stream);
        driver().ready()?;
        let stream = driver().stream(stream)?;
        stream.push(Operation::CopyOut { source, length: length as u64, target })?;
        if stream.capture().is_none() {
            // Pageable memory: it returns when the copy is done.
            stream.synchronize();
        }
        driver().usable()
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoDAsync_v2(target: u64, source: u64, length: usize, stream: u64) -> u32 {
    answer("cuMemcpyDtoDAsync_v2", |call| {
        call.note("bytes", length as u64).note("stream", stream);
        driver().ready()?;
        driver().stream(stream)?.push(Operation::CopyWithin { source, length: length as u64, target })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuPointerGetAttribute(_out: Out<u64>, _attribute: u32, _address: u64) -> u32 {
    // What the driver says of memory that it did not make; there is no pinned memory here.
    answer("cuPointerGetAttribute", |_| Err(Code::INVALID_VALUE))
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetDefaultMemPool(out: Out<u64>, _device: i32) -> u32 {
    answer("cuDeviceGetDefaultMemPool", |_| out.set(POOL))
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetMemPool(out: Out<u64>, _device: i32) -> u32 {
    answer("cuDeviceGetMemPool", |_| out.set(POOL))
}

#[unsafe(no_mangle)]
extern "C" fn cuMemPoolGetAttribute(pool: u64, attribute: u32, out: Out<u64>) -> u32 {
    answer("cuMemPoolGetAttribute", |_| {
        if pool != POOL {
            return Err(Code::INVALID_HANDLE);
        }
        let (now, peak) = driver().memory.used();
        match attribute {
            // Reserved and used, now and at most: nothing is kept back, so they are the same.
            5 | 7 => out.set(now),
            6 | 8 => out.set(peak),
            _ => Err(Code::INVALID_VALUE),
        }
    })
}
