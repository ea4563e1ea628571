//! Nested modules stack, from C and from Rust, and every span carries the innermost.

mod common;

use kina_observ::{ModuleId, builder, export_c_api, ffi_span, module_scope};

export_c_api!("modules");

#[ffi_span(runtime.gpu.softmax)]
#[unsafe(no_mangle)]
extern "C" fn modules_softmax(m: i64, n: i64) -> i32 {
    i32::from(m + n < 0)
}

unsafe extern "C" {
    #[link_name = "modules_module_push"]
    fn push(id: *const u8) -> i32;
    #[link_name = "modules_module_pop"]
    safe fn pop() -> i32;
}

fn id(last: u8) -> ModuleId {
    let mut bytes = [7; 16];
    bytes[15] = last;
    ModuleId::from_bytes(bytes)
}

#[test]
fn nested_modules_stack() {
    let (_folder, path) = common::trace_file();
    let guard = builder().module_id(id(0)).trace_output(&path).init().expect("recording");
    assert_eq!(pop(), 1, "nothing was pushed");
    modules_softmax(0, 0);
    // SAFETY: 16 bytes.
    assert_eq!(unsafe { push(id(1).as_bytes().as_ptr()) }, 0);
    modules_softmax(1, 0);
    {
        let _module = module_scope(id(2));
        modules_softmax(2, 0);
        // SAFETY: 16 bytes.
        assert_eq!(unsafe { push(id(3).as_bytes().as_ptr()) }, 0);
        modules_softmax(3, 0);
        assert_eq!(pop(), 0);
        modules_softmax(2, 0);
    }
    modules_softmax(1, 0);
    assert_eq!(pop(), 0);
    modules_softmax(0, 0);
    // SAFETY: null is refused.
    assert_eq!(unsafe { push(std::ptr::null()) }, -2);
    for depth in 0..40 {
        // SAFETY: 16 bytes.
        assert_eq!(unsafe { push(id(9).as_bytes().as_ptr()) }, i32::from(depth >= 32));
    }
    assert!(guard.shutdown().is_complete());
    let lines = common::lines(&path);
    let spans = common::of_kind(&lines, "span");
    assert_eq!(spans.len(), 7);
    for line in spans {
        let expected = id(line["attributes"]["runtime.shape.m"].as_u64().expect("m") as u8).to_string();
        assert_eq!(line["module_id"], expected);
        assert_eq!(line["attributes"]["module_id"], expected);
    }
}
