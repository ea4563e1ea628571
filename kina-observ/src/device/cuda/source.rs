//! From PTX, or CUDA C++, to a loaded kernel.

use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, sys};
use cudarc::nvrtc;

use super::error::{failed, unavailable};
use super::handle::{Function, Module};
use super::probe::candidates;
use crate::device::{DeviceError, KernelSource};

/// Modules by the text that they were loaded from, so that the kernels of one text share one. They stay as long as the device: a kernel that
/// is given back may still be in a stream's queue.
#[derive(Default)]
pub(super) struct Modules(Mutex<Vec<(CString, Arc<Module>)>>);

impl Modules {
    /// The kernel `name` of the source. `capability` is the device's, as 80 for 8.0.
    pub(super) fn load(
        &self,
        context: &Arc<CudaContext>,
        capability: i32,
        source: KernelSource<'_>,
        name: &str,
    ) -> Result<Function, DeviceError> {
        let ptx = match source {
            KernelSource::Ptx(ptx) => {
                CString::new(ptx).map_err(|_| DeviceError::BadSource { what: "the PTX has a NUL in it".to_owned() })?
            }
            KernelSource::CudaCpp(source) => compile(source, capability)?,
            KernelSource::Registered => {
                return Err(DeviceError::NoSuchKernel {
                    kernel: name.to_owned(),
                    help: "load it from PTX or CUDA C++: only the CPU runs kernels that are registered".into(),
                });
            }
        };
        let absent = || DeviceError::NoSuchKernel { kernel: name.to_owned(), help: entries(&ptx).into() };
        let c_name = CString::new(name).map_err(|_| absent())?;
        let module = self.module(context, &ptx)?;
        module.function(c_name).map_err(|error| match error.0 {
            sys::CUresult::CUDA_ERROR_NOT_FOUND => absent(),
            _ => failed("cuModuleGetFunction")(error),
        })
    }

    fn module(&self, context: &Arc<CudaContext>, ptx: &CString) -> Result<Arc<Module>, DeviceError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, module)) = known.iter().find(|(text, _)| text == ptx) {
            return Ok(Arc::clone(module));
        }
        let module = Arc::new(Module::load(context, ptx).map_err(|error| refused(error.0))?);
        known.push((ptx.clone(), Arc::clone(&module)));
        Ok(module)
    }
}

/// The driver does not take the text.
fn refused(code: sys::CUresult) -> DeviceError {
    use sys::CUresult as C;
    let why = match code {
        C::CUDA_ERROR_INVALID_PTX => "the driver's compiler found a mistake; `ptxas` says where",
        C::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
            "it is newer than the driver: update the driver, or compile with an older toolkit"
        }
        C::CUDA_ERROR_NO_BINARY_FOR_GPU => "it is for newer devices than this one: compile for an older architecture",
        C::CUDA_ERROR_JIT_COMPILER_NOT_FOUND => "the driver has no compiler for PTX: install it whole",
        _ => return failed("cuModuleLoadData")(cudarc::driver::DriverError(code)),
    };
    DeviceError::BadSource { what: format!("{code:?} ({}): {why}", code as i32) }
}

/// What the text has instead.
fn entries(ptx: &CString) -> String {
    let text = ptx.to_string_lossy();
    let names = text.split(".entry").skip(1).map(|rest| {
        let name = rest.trim_start();
        &name[..name.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(name.len())]
    });
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "the source has no kernel; `extern \"C\" __global__` makes one".to_owned();
    }
    format!("the source has {}; a C++ name is mangled unless it is `extern \"C\"`", names.join(", "))
}

/// CUDA C++ to PTX, with the compiler library of a toolkit.
fn compile(source: &str, capability: i32) -> Result<CString, DeviceError> {
    if source.contains('\0') {
        return Err(DeviceError::BadSource { what: "the CUDA C++ has a NUL in it".to_owned() });
    }
    // SAFETY: loading a library runs its initialisers, and the compiler's are made for that.
    if !unsafe { nvrtc::sys::is_culib_present() } {
        return Err(unavailable(
            format!("there is no CUDA compiler library: none of {} could be loaded", candidates(&["nvrtc"])),
            "install NVRTC, which comes with the CUDA toolkit, or load PTX",
        ));
    }
    let absent = missing();
    if !absent.is_empty() {
        return Err(unavailable(
            format!("the CUDA compiler library is incomplete: it has not `{}`", absent.join("`, `")),
            "install NVRTC, which comes with the CUDA toolkit, or load PTX",
        ));
    }
    let for_device = nvrtc::CompileOptions {
        options: vec![format!("--gpu-architecture=compute_{capability}")],
        ..nvrtc::CompileOptions::default()
    };
    let compiled = match nvrtc::compile_ptx_with_opts(source, for_device) {
        // The compiler is older than the device. PTX for its own default runs there all the same.
        Err(nvrtc::CompileError::CompileError { nvrtc: code, .. })
            if code.0 == nvrtc::sys::nvrtcResult::NVRTC_ERROR_INVALID_OPTION =>
        {
            nvrtc::compile_ptx(source)
        }
        compiled => compiled,
    };
    let ptx = compiled.map_err(|error| DeviceError::BadSource { what: told(&error) })?;
    let text: Vec<u8> = ptx.as_bytes().unwrap_or_default().iter().copied().take_while(|byte| *byte != 0).collect();
    CString::new(text).map_err(|_| DeviceError::BadSource { what: "the compiler gave PTX with a NUL in it".to_owned() })
}

/// The compiler's functions that cudarc calls, and this library has not.
fn missing() -> Vec<&'static str> {
    const FUNCTIONS: [&str; 7] = [
        "nvrtcCompileProgram",
        "nvrtcCreateProgram",
        "nvrtcDestroyProgram",
        "nvrtcGetPTX",
        "nvrtcGetPTXSize",
        "nvrtcGetProgramLog",
        "nvrtcGetProgramLogSize",
    ];
    // SAFETY: as for `is_culib_present`, which has found the library; this finds the same.
    let library = unsafe { nvrtc::sys::culib() };
    let is_absent = |name: &&str| {
        // SAFETY: the symbol is looked up and not used, so its type does not matter.
        unsafe { library.get::<*const ()>(name.as_bytes()) }.is_err()
    };
    FUNCTIONS.into_iter().filter(is_absent).collect()
}

fn told(error: &nvrtc::CompileError) -> String {
    match error {
        nvrtc::CompileError::CompileError { log, .. } => {
            format!("the CUDA compiler says\n{}", log.to_string_lossy().trim_end())
        }
        // The derived text has the name of the code and nothing of the driver's.
        other => format!("{other:?}"),
    }
}
