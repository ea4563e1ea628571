//! Whether there is a driver that has what is called here, before cudarc, which would panic, is asked for anything else.

use cudarc::driver::{result, sys};

use super::error::unavailable;
use crate::device::DeviceError;

/// The oldest driver with every function that is called here; `cuGraphInstantiateWithFlags` is the youngest of them.
const OLDEST: i32 = 11_040;

/// The functions of the driver that are called here, or by what is called of cudarc.
pub const FUNCTIONS: &[&str] = &[
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    // With bindings for CUDA 13, cudarc calls the second of its name.
    if sys::CUDA_VERSION < 13_000 { "cuEventElapsedTime" } else { "cuEventElapsedTime_v2" },
    "cuEventQuery",
    "cuEventRecord",
    "cuFuncGetAttribute",
    // Not called here: cudarc panics without them when it prints an error of its own.
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAllocAsync",
    "cuMemFreeAsync",
    "cuMemGetInfo_v2",
    "cuMemPoolGetAttribute",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuPointerGetAttribute",
    "cuStreamBeginCapture_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamEndCapture",
    "cuStreamIsCapturing",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuThreadExchangeStreamCaptureMode",
];

/// Loads the driver and starts it. How many devices it has.
pub(super) fn start() -> Result<i32, DeviceError> {
    // SAFETY: loading a library runs its initialisers, and the driver's are made for that.
    if !unsafe { sys::is_culib_present() } {
        return Err(unavailable(
            format!("there is no CUDA driver: none of {} could be loaded", candidates(&["cuda", "nvcuda"])),
            "install the driver of the GPU, or put its folder into `LD_LIBRARY_PATH`",
        ));
    }
    let absent = missing(&["cuInit", "cuDriverGetVersion"]);
    if absent.is_empty() {
        let version = version()?;
        if version < OLDEST {
            return Err(unavailable(
                format!(
                    "the CUDA driver is {}, and {} is the oldest that can be used",
                    dotted(version),
                    dotted(OLDEST)
                ),
                "update the driver of the GPU",
            ));
        }
    }
    let absent = missing(FUNCTIONS);
    if !absent.is_empty() {
        return Err(unavailable(
            format!(
                "the CUDA driver is incomplete: of {} functions it has not {}",
                FUNCTIONS.len(),
                listed(absent.iter().copied())
            ),
            "see which `libcuda.so` is loaded (`LD_DEBUG=libs`): it must come with the driver, not with a toolkit's `stubs` folder",
        ));
    }
    result::init().map_err(|error| no_start(error.0))?;
    result::device::get_count().map_err(|error| no_start(error.0))
}

/// Names of the libraries that cudarc tries, as text.
pub(super) fn candidates(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().flat_map(|name| cudarc::get_lib_name_candidates(name)).collect();
    let mut once: Vec<&str> = Vec::new();
    for name in &all {
        if !once.contains(&name.as_str()) {
            once.push(name);
        }
    }
    listed(once.into_iter())
}

/// Those of `names` that the driver has not. Only when there is one.
fn missing(names: &[&'static str]) -> Vec<&'static str> {
    // SAFETY: as for `is_culib_present`, which has found the library; this finds the same.
    let library = unsafe { sys::culib() };
    names
        .iter()
        .copied()
        .filter(|name| {
            // SAFETY: the symbol is looked up and not used, so its type does not matter.
            unsafe { library.get::<*const ()>(name.as_bytes()) }.is_err()
        })
        .collect()
}

/// What the driver says before it is started.
fn version() -> Result<i32, DeviceError> {
    let mut version = 0;
    // SAFETY: the symbol is there, and the place is writable.
    let answer = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    answer.result().map_err(|error| no_start(error.0))?;
    Ok(version)
}

fn no_start(code: sys::CUresult) -> DeviceError {
    use sys::CUresult as C;
    let help = match code {
        C::CUDA_ERROR_NO_DEVICE => "see whether `nvidia-smi` shows a GPU, and whether `CUDA_VISIBLE_DEVICES` hides it",
        C::CUDA_ERROR_STUB_LIBRARY => {
            "take the toolkit's `stubs` folder out of `LD_LIBRARY_PATH`: its `libcuda.so` is for linking only"
        }
        C::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => {
            "restart the machine: the driver was updated and the old one still runs"
        }
        _ => "see whether `nvidia-smi` works",
    };
    unavailable(format!("the CUDA driver does not start: {code:?} ({})", code as i32), help)
}

/// 12080 as `12.8`.
fn dotted(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_names_read_as_people_write_them() {
        assert_eq!((dotted(11_040), dotted(12_080), dotted(13_000)), ("11.4".into(), "12.8".into(), "13.0".into()));
        assert!(candidates(&["cuda"]).starts_with("`libcuda.so`, "), "{}", candidates(&["cuda"]));
        assert!(FUNCTIONS.is_sorted(), "a list that people read");
    }
}
