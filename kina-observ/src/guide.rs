//! The pages of `docs/`, so that their examples are compiled and run.

#[doc = include_str!("../../README.md")]
struct Readme;

#[doc = include_str!("../../CONTRIBUTING.md")]
struct Contributing;

#[doc = include_str!("../../docs/configuration.md")]
struct Configuration;

#[doc = include_str!("../../docs/devices.md")]
struct Devices;

#[cfg(feature = "cuda")]
#[doc = include_str!("../../docs/cuda.md")]
struct Cuda;

#[doc = include_str!("../../docs/guide.md")]
struct Guide;

#[doc = include_str!("../../docs/memory.md")]
struct Memory;

#[doc = include_str!("../../docs/outputs.md")]
struct Outputs;
