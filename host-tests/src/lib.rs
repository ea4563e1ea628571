//! Every kind of value that crosses the boundary, and every way in which what stands behind it can fail.
//! The C programs in `c/` step into each trap; `tests/` say what they must be told.

pub mod errors;
pub mod values;

kina_observ::conventions!();
kina_observ::export_c_api!("traps");
