//! Functions that another macro writes.

macro_rules! made {
    ($name:ident, $parameter:ident: $ty:ty, $returns:ty, $body:block) => {
        #[kina_observ::span("free.made", fields($parameter))]
        pub fn $name($parameter: $ty) -> $returns $body
    };
}
made!(made, n: i64, Result<i64, std::fmt::Error>, { Ok(n + 1) });

macro_rules! made_later {
    ($name:ident, $parameter:ident: $ty:ty, $returns:ty, $body:block) => {
        #[kina_observ::span("free.made_later", fields($parameter))]
        pub async fn $name($parameter: $ty) -> $returns $body
    };
}
made_later!(made_later, n: i64, Result<i64, std::fmt::Error>, { Ok(n + 1) });

macro_rules! exported {
    ($name:ident, $parameter:ident: $ty:ty, $returns:ty, $body:block) => {
        #[kina_observ::ffi_span("free.exported")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($parameter: $ty) -> $returns $body
    };
}
exported!(free_exported_p26, n: i64, i32, { n as i32 });
