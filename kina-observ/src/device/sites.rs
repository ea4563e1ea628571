//! The spans that no attribute writes: launches by hand, and what devices measured.

use crate::site::{Attr, Facts, Site};

/// A launch without a function to annotate.
pub(super) static LAUNCH: Site = Site::new(&Facts {
    name: "launch {runtime.kernel.name}",
    module: module_path!(),
    start: &[Attr::text("runtime.kernel.name")],
    device: Some(""),
    nvtx: Some("{runtime.kernel.name}"),
    ..Facts::of("runtime.kernel.launch", "launch_kernel")
});

/// A kernel on the device. Whether it is wanted is decided where it is launched.
pub(super) static KERNEL: Site = Site::new(&Facts {
    name: "{runtime.kernel.name}",
    module: module_path!(),
    level: kina_observ_conventions::Level::Kernel,
    start: &[Attr::text("runtime.kernel.name"), Attr::int("runtime.stream.id")],
    device: Some(""),
    nvtx: None,
    ..Facts::of("runtime.kernel.device", "device")
});

/// A graph on the device.
pub(super) static GRAPH: Site = Site::new(&Facts {
    name: "graph {runtime.graph.id}",
    module: module_path!(),
    level: kina_observ_conventions::Level::Kernel,
    start: &[Attr::int("runtime.graph.id"), Attr::int("runtime.stream.id")],
    device: Some(""),
    nvtx: None,
    ..Facts::of("runtime.graph.device", "device")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_the_registry_says() {
        for site in [&LAUNCH, &KERNEL, &GRAPH] {
            let facts = site.facts;
            let def = kina_observ_conventions::span(facts.span_type).expect("a registered span");
            assert_eq!(facts.name, def.name, "{}", facts.span_type);
            assert_eq!(facts.level, def.level, "{}", facts.span_type);
            let range = facts.nvtx.map(|text| if text.is_empty() { facts.name } else { text });
            assert_eq!(range, def.nvtx, "{}", facts.span_type);
            assert_eq!(facts.severity, def.severity, "{}", facts.span_type);
            for attribute in facts.start {
                assert!(def.attributes.iter().any(|known| known.key == attribute.key), "{}", attribute.key);
            }
        }
    }
}
