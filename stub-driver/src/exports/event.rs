//! Events.

use std::sync::Arc;

use crate::abi::Out;
use crate::codes::Code;
use crate::driver::{answer, driver};
use crate::event::{Event, Wait};
use crate::operation::Operation;

/// `CU_EVENT_DISABLE_TIMING`.
const DISABLE_TIMING: u32 = 2;

#[unsafe(no_mangle)]
extern "C" fn cuEventCreate(out: Out<u64>, flags: u32) -> u32 {
    answer("cuEventCreate", |call| {
        driver().ready()?;
        let event = driver().events.insert(|_| Arc::new(Event::new(flags & DISABLE_TIMING == 0)));
        call.note("event", event);
        out.set(event)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventDestroy_v2(event: u64) -> u32 {
    answer("cuEventDestroy_v2", |call| {
        call.note("event", event);
        driver().events.remove(event).map(|_| ())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventRecord(handle: u64, stream: u64) -> u32 {
    answer("cuEventRecord", |call| {
        call.note("event", handle).note("stream", stream);
        driver().ready()?;
        let (event, stream) = (driver().events.find(handle)?, driver().stream(stream)?);
        match stream.capture() {
            Some(capture) => {
                // The witness of a record that became a place in a graph.
                call.note("captured", 1_u64);
                event.record_captured(capture);
                Ok(())
            }
            None => {
                let generation = event.record();
                stream.push(Operation::Record { event, generation })
            }
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventQuery(event: u64) -> u32 {
    answer("cuEventQuery", |call| {
        call.note("event", event);
        driver().usable()?;
        driver().captures.permit_unsafe_call()?;
        driver().events.find(event)?.query()
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventSynchronize(event: u64) -> u32 {
    answer("cuEventSynchronize", |call| {
        call.note("event", event);
        driver().usable()?;
        driver().captures.permit_unsafe_call()?;
        let event = driver().events.find(event)?;
        match event.wait_for() {
            Wait::Generation(generation) => event.block(generation),
            Wait::Capture(_) => return Err(Code::CAPTURED_EVENT),
        }
        driver().usable()
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventElapsedTime(out: Out<f32>, start: u64, end: u64) -> u32 {
    answer("cuEventElapsedTime", |call| {
        call.note("start", start).note("end", end);
        elapsed(out, start, end)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventElapsedTime_v2(out: Out<f32>, start: u64, end: u64) -> u32 {
    answer("cuEventElapsedTime_v2", |call| {
        call.note("start", start).note("end", end);
        elapsed(out, start, end)
    })
}

fn elapsed(out: Out<f32>, start: u64, end: u64) -> Result<(), Code> {
    driver().usable()?;
    let events = &driver().events;
    out.set(events.find(start)?.elapsed(&*events.find(end)?)?)
}
