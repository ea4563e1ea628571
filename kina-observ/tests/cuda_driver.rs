//! A driver that is missing, empty, too old, incomplete or without a device is one clear error, and the process lives on.

mod stub;

use std::path::Path;
use std::process::Command;

use kina_observ::device::{Device, DeviceError};
use stub::{library, process};

/// Asks for the device, and for it again: the answer is the same, prints, and has all of `parts`.
#[track_caller]
fn check(ordinal: usize, parts: &[&str]) {
    let first = Device::cuda(ordinal).expect_err("there is no usable driver");
    let text = first.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    assert!(text.contains("= help: "), "{text}");
    assert!(matches!(first, DeviceError::Unavailable { .. }), "{first:?}");
    assert_eq!(Device::cuda(ordinal).err(), Some(first));
}

/// Whether the machine has a driver of its own, which is found where ours is missing.
fn has_a_driver() -> bool {
    let known = Command::new("ldconfig").arg("-p").output();
    if !known.is_ok_and(|known| String::from_utf8_lossy(&known.stdout).contains("libcuda.so")) {
        return false;
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI has no driver");
    println!("skipped, because this machine has a CUDA driver");
    true
}

#[test]
fn a_missing_driver_names_what_was_looked_for() {
    if has_a_driver() {
        return;
    }
    process("a_missing_driver_names_what_was_looked_for").driver(|_| ()).run(|| {
        check(0, &["there is no CUDA driver", "`libcuda.so`", "`libcuda.so.1`", "`libnvcuda.so`", "LD_LIBRARY_PATH"]);
    });
}

#[test]
fn a_file_that_is_no_library_is_no_driver() {
    if has_a_driver() {
        return;
    }
    let install = |folder: &Path| std::fs::write(folder.join("libcuda.so"), "").expect("a file");
    process("a_file_that_is_no_library_is_no_driver").driver(install).run(|| {
        check(0, &["there is no CUDA driver", "`libcuda.so`", "could be loaded"]);
    });
}

#[test]
fn an_empty_library_is_an_incomplete_driver() {
    process("an_empty_library_is_an_incomplete_driver").driver(|folder| library(folder, "")).run(|| {
        check(0, &["incomplete", "`cuInit`", "`cuDriverGetVersion`", "`cuLaunchKernel`", "LD_DEBUG=libs"]);
    });
}

#[test]
fn a_driver_without_some_functions_names_them() {
    const TWO: &str = r#"
        #[unsafe(no_mangle)] extern "C" fn cuInit(_: u32) -> i32 { panic!("called before the functions were looked for") }
        #[unsafe(no_mangle)] extern "C" fn cuDriverGetVersion(out: *mut i32) -> i32 { unsafe { *out = 12080 }; 0 }
    "#;
    process("a_driver_without_some_functions_names_them").driver(|folder| library(folder, TWO)).run(|| {
        check(0, &["incomplete", "`cuLaunchKernel`", "`cuMemAllocAsync`"]);
        assert!(!Device::cuda(0).unwrap_err().to_string().contains("`cuInit`"), "this one it has");
    });
}

#[test]
fn a_driver_that_is_too_old_names_both_versions() {
    process("a_driver_that_is_too_old_names_both_versions").set("STUB_DRIVER_VERSION", 10_020).run(|| {
        check(0, &["the CUDA driver is 10.2, and 11.4 is the oldest"]);
    });
}

#[test]
fn a_driver_without_a_device_says_so() {
    process("a_driver_without_a_device_says_so").set("STUB_DRIVER_DEVICES", 0).run(|| {
        check(0, &["CUDA_ERROR_NO_DEVICE (100)", "nvidia-smi", "CUDA_VISIBLE_DEVICES"]);
    });
}

#[test]
fn a_device_that_is_not_there_is_counted() {
    process("a_device_that_is_not_there_is_counted").set("STUB_DRIVER_DEVICES", 2).run(|| {
        check(2, &["there is no CUDA device 2: the driver has 2"]);
        assert_eq!(Device::cuda(1).map(|device| device.name()), Ok("cuda:1".to_owned()));
    });
}

#[test]
fn nothing_loads_the_driver_before_a_device_is_asked_for() {
    // It would not be survived: the library ends the process when it is loaded.
    const DEADLY: &str = r#"
        #[used] #[unsafe(link_section = ".init_array")] static DIE: extern "C" fn() = die;
        extern "C" fn die() { std::process::abort() }
    "#;
    process("nothing_loads_the_driver_before_a_device_is_asked_for").driver(|folder| library(folder, DEADLY)).run(
        || {
            let _guard = kina_observ::init();
            let device = Device::cpu();
            let stream = device.stream("main").unwrap();
            stream.synchronize().unwrap();
            assert_eq!(kina_observ::device::LaunchConfig::for_elements(1).grid, [1, 1, 1]);
        },
    );
}
