//! What stands in the program's slots: each call is written down, and nothing that goes wrong here leaves.

use core::cell::Cell;
use core::ffi::{c_char, c_int, c_void};
use core::panic::AssertUnwindSafe;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::panic::catch_unwind;

use crate::abi::{CORE, CORE2, CUDA, EventAttributes, ResourceAttributes};
use crate::calls::{Message, What};
use crate::capture;
use crate::read;

/// The handlers of a module, by the numbers that NVTX gives its functions.
pub(crate) fn of(module: i32) -> &'static [(usize, Handler)] {
    match module {
        CORE => CORE_HANDLERS,
        CORE2 => CORE2_HANDLERS,
        CUDA => CUDA_HANDLERS,
        _ => &[],
    }
}

/// A function, whatever its signature.
#[derive(Clone, Copy)]
pub(crate) struct Handler(pub(crate) *const c_void);

// SAFETY: it is the address of a function, the same for every thread.
unsafe impl Sync for Handler {}

const CORE_HANDLERS: &[(usize, Handler)] = &[
    (1, Handler(mark_ex as *const c_void)),
    (2, Handler(mark_a as *const c_void)),
    (3, Handler(mark_w as *const c_void)),
    (4, Handler(start_ex as *const c_void)),
    (5, Handler(start_a as *const c_void)),
    (6, Handler(start_w as *const c_void)),
    (7, Handler(end as *const c_void)),
    (8, Handler(push_ex as *const c_void)),
    (9, Handler(push_a as *const c_void)),
    (10, Handler(push_w as *const c_void)),
    (11, Handler(pop as *const c_void)),
    (12, Handler(category_a as *const c_void)),
    (13, Handler(category_w as *const c_void)),
    (14, Handler(thread_a as *const c_void)),
    (15, Handler(thread_w as *const c_void)),
];

const CORE2_HANDLERS: &[(usize, Handler)] = &[
    (1, Handler(domain_mark_ex as *const c_void)),
    (2, Handler(domain_start_ex as *const c_void)),
    (3, Handler(domain_end as *const c_void)),
    (4, Handler(domain_push_ex as *const c_void)),
    (5, Handler(domain_pop as *const c_void)),
    (6, Handler(domain_resource as *const c_void)),
    (8, Handler(domain_category_a as *const c_void)),
    (9, Handler(domain_category_w as *const c_void)),
    (10, Handler(register_a as *const c_void)),
    (11, Handler(register_w as *const c_void)),
    (12, Handler(domain_a as *const c_void)),
    (13, Handler(domain_w as *const c_void)),
];

const CUDA_HANDLERS: &[(usize, Handler)] = &[
    (1, Handler(cuda_device_a as *const c_void)),
    (2, Handler(cuda_device_w as *const c_void)),
    (3, Handler(cuda_context_a as *const c_void)),
    (4, Handler(cuda_context_w as *const c_void)),
    (5, Handler(cuda_stream_a as *const c_void)),
    (6, Handler(cuda_stream_w as *const c_void)),
    (7, Handler(cuda_event_a as *const c_void)),
    (8, Handler(cuda_event_w as *const c_void)),
];

/// A panic here is ours and not the program's; `otherwise` is the answer then.
fn contained<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    thread_local! {
        // A destructor of a thread-local may call NVTX while this thread ends, so there is none here.
        static INSIDE: Cell<bool> = const { Cell::new(false) };
    }
    if INSIDE.replace(true) {
        return otherwise; // NVTX called from inside of us would wait for our own lock
    }
    let result = catch_unwind(AssertUnwindSafe(body));
    INSIDE.set(false);
    result.unwrap_or(otherwise)
}

/// The depth of the range is not told: no program of ours asks, and older tools answer other things.
const UNTOLD: c_int = 0;

fn push(domain: usize, message: Message, payload: Option<crate::calls::Payload>) -> c_int {
    capture::write(domain, |domain| What::Push { domain, message, payload });
    UNTOLD
}

fn start(domain: usize, message: Message) -> u64 {
    static IDS: AtomicU64 = AtomicU64::new(1);
    capture::write(domain, |domain| What::Start { domain, message });
    IDS.fetch_add(1, Relaxed)
}

fn named(kind: impl Into<String>, id: u64, name: String) {
    capture::write(0, |_| What::Name { kind: kind.into(), id, name });
}

/// The handlers that take a text, once for each kind of characters.
macro_rules! texts {
    ($($ascii:ident $wide:ident ($($argument:ident: $ty:ty),*) $(-> $result:ty = $otherwise:expr)?, |$text:ident| $body:expr;)*) => {$(
        unsafe extern "C" fn $ascii($($argument: $ty,)* text: *const c_char) $(-> $result)? {
            // SAFETY: NVTX promises a text that ends in a NUL.
            contained(texts!(@or $($otherwise)?), || { let $text = unsafe { read::ascii(text) }; $body })
        }
        unsafe extern "C" fn $wide($($argument: $ty,)* text: *const u32) $(-> $result)? {
            // SAFETY: NVTX promises a text that ends in a NUL.
            contained(texts!(@or $($otherwise)?), || { let $text = unsafe { read::wide(text) }; $body })
        }
    )*};
    (@or $otherwise:expr) => { $otherwise };
    (@or) => { () };
}

texts! {
    mark_a mark_w(), |text| capture::write(0, |domain| What::Mark { domain, message: Message::Text(text) });
    start_a start_w() -> u64 = 0, |text| start(0, Message::Text(text));
    push_a push_w() -> c_int = UNTOLD, |text| push(0, Message::Text(text), None);
    category_a category_w(id: u32), |text| named("category", id.into(), text);
    thread_a thread_w(thread: u32), |text| capture::write(0, |_| What::NameThread { named: thread, name: text });
    domain_category_a domain_category_w(_domain: usize, id: u32), |text| named("category", id.into(), text);
    register_a register_w(domain: usize) -> usize = 0, |text| capture::string(domain, text);
    domain_a domain_w() -> usize = 0, |text| capture::domain(text);
    cuda_device_a cuda_device_w(device: c_int), |text| named("cuda device", device as u64, text);
    cuda_context_a cuda_context_w(context: usize), |text| named("cuda context", context as u64, text);
    cuda_stream_a cuda_stream_w(stream: usize), |text| named("cuda stream", stream as u64, text);
    cuda_event_a cuda_event_w(event: usize), |text| named("cuda event", event as u64, text);
}

unsafe extern "C" fn mark_ex(attributes: *const EventAttributes) {
    // SAFETY: NVTX passes on what it got.
    unsafe { domain_mark_ex(0, attributes) }
}

unsafe extern "C" fn start_ex(attributes: *const EventAttributes) -> u64 {
    // SAFETY: NVTX passes on what it got.
    unsafe { domain_start_ex(0, attributes) }
}

unsafe extern "C" fn push_ex(attributes: *const EventAttributes) -> c_int {
    // SAFETY: NVTX passes on what it got.
    unsafe { domain_push_ex(0, attributes) }
}

unsafe extern "C" fn domain_mark_ex(domain: usize, attributes: *const EventAttributes) {
    contained((), || {
        // SAFETY: NVTX promises attributes that are as large as they say.
        let event = unsafe { read::event(domain, attributes) };
        let (message, _) = event.unwrap_or((Message::None, None));
        capture::write(domain, |domain| What::Mark { domain, message });
    });
}

unsafe extern "C" fn domain_start_ex(domain: usize, attributes: *const EventAttributes) -> u64 {
    contained(0, || {
        // SAFETY: NVTX promises attributes that are as large as they say.
        let event = unsafe { read::event(domain, attributes) };
        start(domain, event.unwrap_or((Message::None, None)).0)
    })
}

unsafe extern "C" fn domain_push_ex(domain: usize, attributes: *const EventAttributes) -> c_int {
    contained(UNTOLD, || {
        // SAFETY: NVTX promises attributes that are as large as they say.
        let event = unsafe { read::event(domain, attributes) };
        let (message, payload) = event.unwrap_or((Message::None, None));
        push(domain, message, payload)
    })
}

extern "C" fn end(range: u64) {
    domain_end(0, range);
}

extern "C" fn domain_end(domain: usize, _range: u64) {
    contained((), || capture::write(domain, |domain| What::End { domain }));
}

extern "C" fn pop() -> c_int {
    domain_pop(0)
}

extern "C" fn domain_pop(domain: usize) -> c_int {
    contained((), || capture::write(domain, |domain| What::Pop { domain }));
    UNTOLD
}

unsafe extern "C" fn domain_resource(domain: usize, attributes: *const ResourceAttributes) -> *mut c_void {
    contained((), || {
        // SAFETY: NVTX promises attributes that are as large as they say.
        if let Some((kind, id, message)) = unsafe { read::resource(domain, attributes) } {
            named(format!("resource {kind}"), id, message.text().unwrap_or_default().to_owned());
        }
    });
    ptr::without_provenance_mut(1)
}
