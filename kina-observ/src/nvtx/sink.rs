//! The calls of NVTX that we make: push and pop in one domain, and names. Never start and end: tools do not attribute kernels to those.

use core::ffi::{CStr, c_void};
use core::mem::size_of;
use core::num::NonZeroUsize;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::ffi::CString;
use std::sync::Once;

use nvtx_sys::ffi;

use crate::ids::SpanId;

/// Our ranges stand beside those of other libraries, not among them.
const DOMAIN_NAME: &CStr = c"kina";

/// Null: no tool takes the ranges of domains, or nobody has asked yet.
static DOMAIN: AtomicPtr<ffi::nvtxDomainRegistration> = AtomicPtr::new(ptr::null_mut());

/// A registered text: the tool's own pointer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name(NonZeroUsize);

impl Name {
    pub(super) fn from_number(number: usize) -> Option<Self> {
        NonZeroUsize::new(number).map(Self)
    }

    pub(super) fn number(self) -> usize {
        self.0.get()
    }
}

/// Loads the tool that the environment names, if that has not been tried. `false`: there is none.
pub(super) fn attach() -> bool {
    static ASKED: Once = Once::new();
    ASKED.call_once(|| {
        // SAFETY: the name is a C string.
        let domain = unsafe { ffi::nvtxDomainCreateA(DOMAIN_NAME.as_ptr()) };
        DOMAIN.store(domain, Relaxed);
    });
    !DOMAIN.load(Relaxed).is_null()
}

/// Opens a range on this thread.
pub(super) fn push(name: Name, span: Option<SpanId>) {
    let payload = match span {
        Some(_) => ffi::nvtxPayloadType_t::NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
        None => ffi::nvtxPayloadType_t::NVTX_PAYLOAD_UNKNOWN,
    };
    let attributes = ffi::nvtxEventAttributes_t {
        version: ffi::NVTX_VERSION as u16,
        size: size_of::<ffi::nvtxEventAttributes_t>() as u16,
        category: 0,
        colorType: ffi::nvtxColorType_t::NVTX_COLOR_UNKNOWN as i32,
        color: 0,
        payloadType: payload as i32,
        reserved0: 0,
        payload: ffi::nvtxEventAttributes_v2_payload_t { ullValue: span.map_or(0, SpanId::as_u64) },
        messageType: ffi::nvtxMessageType_t::NVTX_MESSAGE_TYPE_REGISTERED as i32,
        message: ffi::nvtxMessageValue_t { registered: ptr::with_exposed_provenance_mut(name.number()) },
    };
    // SAFETY: `attributes` says its size and what it holds, and the name is of this domain, as `register` made it.
    unsafe { ffi::nvtxDomainRangePushEx(DOMAIN.load(Relaxed), &raw const attributes) };
}

/// Closes the range that this thread opened last.
pub(super) fn pop() {
    // SAFETY: the tool made the domain and never unmakes it.
    unsafe { ffi::nvtxDomainRangePop(DOMAIN.load(Relaxed)) };
}

/// Registers a text. `None`: the tool gives nothing for it.
pub(super) fn register(text: &str) -> Option<Name> {
    let domain = DOMAIN.load(Relaxed);
    let handle = match CText::new(text) {
        // SAFETY: the tool made the domain, and the text is a C string.
        CText::Ascii(text) => unsafe { ffi::nvtxDomainRegisterStringA(domain, text.as_ptr()) },
        // SAFETY: the same, for wide characters.
        CText::Wide(text) => unsafe { ffi::nvtxDomainRegisterStringW(domain, text.as_ptr()) },
    };
    Name::from_number(handle.expose_provenance())
}

/// Names this thread.
pub(super) fn name_thread(name: &str) {
    let Some(thread) = thread_id() else { return };
    match CText::new(name) {
        // SAFETY: the name is a C string.
        CText::Ascii(name) => unsafe { ffi::nvtxNameOsThreadA(thread, name.as_ptr()) },
        // SAFETY: the same, for wide characters.
        CText::Wide(name) => unsafe { ffi::nvtxNameOsThreadW(thread, name.as_ptr()) },
    }
}

#[cfg(target_os = "linux")]
fn thread_id() -> Option<u32> {
    // SAFETY: asks for a number, no more. `gettid` itself is missing from older C libraries.
    let id = unsafe { libc::syscall(libc::SYS_gettid) };
    u32::try_from(id).ok()
}

#[cfg(not(target_os = "linux"))]
fn thread_id() -> Option<u32> {
    None
}

/// Names a stream of the driver.
///
/// # Safety
/// `stream` is a stream that has not been destroyed.
pub(super) unsafe fn name_cuda_stream(stream: *mut c_void, name: &str) {
    match CText::new(name) {
        // SAFETY: the caller promises the stream, and the name is a C string.
        CText::Ascii(name) => unsafe { ffi::nvtxNameCuStreamA(stream.cast(), name.as_ptr()) },
        // SAFETY: the same, for wide characters.
        CText::Wide(name) => unsafe { ffi::nvtxNameCuStreamW(stream.cast(), name.as_ptr()) },
    }
}

/// NVTX takes ASCII or wide characters, and no UTF-8.
enum CText {
    Ascii(CString),
    Wide(Vec<ffi::wchar_t>),
}

impl CText {
    /// A NUL, which would end the text, becomes `?`.
    fn new(text: &str) -> Self {
        let text = text.replace('\0', "?");
        if text.is_ascii() {
            Self::Ascii(CString::new(text).unwrap_or_default())
        } else {
            Self::Wide(text.chars().map(|c| c as ffi::wchar_t).chain([0]).collect())
        }
    }
}
