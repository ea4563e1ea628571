//! Loads the library of this package and has it make the calls.

use std::error::Error;

type Calls = unsafe extern "C" fn(usize, usize, u32) -> i32;

pub(crate) fn make(variant: usize, case: usize, calls: u32) -> Result<(), Box<dyn Error>> {
    // Cargo puts it beside the program.
    let path = std::env::current_exe()?.with_file_name(libloading::library_filename("kina_observ_cost_library"));
    // SAFETY: it is our own library, which has no initializers.
    let library = unsafe { libloading::Library::new(path) }?;
    // SAFETY: `src/library.rs` declares it with this type.
    let function = unsafe { library.get::<Calls>(b"cost_library_calls") }?;
    // SAFETY: it takes any numbers.
    match unsafe { function(variant, case, calls) } {
        0 => Ok(()),
        _ => Err("the library did not make the calls".into()),
    }
}
