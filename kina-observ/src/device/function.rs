//! A loaded kernel, and what is known about it.

use core::fmt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::backend::{KernelFacts, RawFunction};
use super::{Device, DeviceError, LaunchConfig};

/// A kernel that a device has loaded.
#[derive(Clone)]
pub struct Function(Arc<Loaded>);

struct Loaded {
    device: Device,
    raw: RawFunction,
    name: String,
    /// By block and dynamic shared memory.
    facts: Mutex<HashMap<([u32; 3], u32), KernelFacts>>,
}

impl Function {
    pub(super) fn new(device: Device, raw: RawFunction, name: &str) -> Self {
        Self(Arc::new(Loaded { device, raw, name: name.to_owned(), facts: Mutex::default() }))
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The device that has loaded it.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// What is known about the kernel in this shape. The driver is asked once for each block and shared memory.
    ///
    /// # Errors
    /// The driver does not say.
    pub fn facts(&self, config: &LaunchConfig) -> Result<KernelFacts, DeviceError> {
        let key = (config.block, config.shared_memory);
        let mut known = self.0.facts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(facts) = known.get(&key) {
            return Ok(*facts);
        }
        let facts = self.0.device.backend().facts(self.0.raw, config.block, config.shared_memory)?;
        known.insert(key, facts);
        Ok(facts)
    }

    pub(super) fn raw(&self) -> RawFunction {
        self.0.raw
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.device.backend().unload(self.raw);
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({} on {})", self.name(), self.device().name())
    }
}
