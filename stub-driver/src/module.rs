//! Modules and their functions: of PTX, the names of its entries.

use crate::codes::Code;
use crate::kernels::{Kernel, find};

pub(crate) struct Module {
    entries: Vec<String>,
}

pub(crate) struct Function {
    pub(crate) kernel: &'static Kernel,
}

impl Module {
    /// Refuses what is no PTX at all.
    pub(crate) fn of(source: &str) -> Result<Self, Code> {
        if !source.contains(".version") || !source.contains(".target") {
            return Err(Code::INVALID_PTX);
        }
        let entries = source.split(".entry").skip(1).map(|rest| {
            let name = rest.trim_start();
            name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$').unwrap_or(name.len())]
                .to_owned()
        });
        Ok(Self { entries: entries.collect() })
    }

    pub(crate) fn function(&self, name: &str) -> Result<Function, Code> {
        if !self.entries.iter().any(|entry| entry == name) {
            return Err(Code::NOT_FOUND);
        }
        find(name).map(|kernel| Function { kernel }).ok_or(Code::NOT_FOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::Module;
    use crate::codes::Code;

    #[test]
    fn names_are_found_where_ptx_and_the_table_have_them() {
        let module = Module::of(crate::PTX).unwrap();
        for name in
            ["axpy", "matmul_f32", "add_f32", "gelu_f32", "softmax_f32", "layernorm_f32", "transpose_f32", "sleep_ns"]
        {
            assert_eq!(module.function(name).map(|function| function.kernel.name), Ok(name));
        }
        assert_eq!(module.function("axp").map(|function| function.kernel.name), Err(Code::NOT_FOUND));
        let unknown = Module::of(".version 7.0\n.target sm_52\n.visible .entry other(\n)").unwrap();
        assert_eq!(unknown.entries, ["other"]);
        assert_eq!(unknown.function("other").err(), Some(Code::NOT_FOUND));
        assert_eq!(unknown.function("axpy").err(), Some(Code::NOT_FOUND));
        assert_eq!(Module::of("not PTX").err(), Some(Code::INVALID_PTX));
    }
}
