//! A crate whose own modules bear the names of the standard library's, and a module without a prelude.
#![deny(warnings)]

pub mod core {}
pub mod std {}
pub mod alloc {}
pub mod kina_observ {}
pub mod tracing {}

pub mod bare {
    #![no_implicit_prelude]

    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::kina_observ::FfiEnum)]
    #[repr(i32)]
    pub enum Mode {
        On = 1,
    }

    #[derive(::core::fmt::Debug, ::kina_observ::FfiError)]
    #[ffi_error(code = 1, help = "try again")]
    pub struct Failure;

    impl ::core::fmt::Display for Failure {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("failed")
        }
    }

    #[::kina_observ::ffi_span("acme.bare.plain", export = "acme_bare_plain", fields(n))]
    pub fn plain(n: i64, mode: Mode, text: &str, late: &[f32]) -> ::core::result::Result<i64, Failure> {
        let _ = (mode, late);
        ::core::result::Result::Ok(n + text.len() as i64)
    }

    #[::kina_observ::ffi_span("acme.bare.c", fields(n), late(runtime.alloc.size))]
    #[unsafe(no_mangle)]
    pub extern "C" fn acme_bare_c(n: i64) -> i32 {
        observ.runtime_alloc_size(n);
        0
    }

    #[::kina_observ::span("acme.bare.span", fields(n))]
    pub fn rust(n: i64) -> i64 {
        n
    }
}

#[test]
fn modules_named_core_and_std() {
    assert_eq!(bare::plain(1, bare::Mode::On, "ab", &[]).ok(), Some(3));
    assert_eq!(bare::acme_bare_c(1), 0);
    assert_eq!(bare::rust(1), 1);
}
