//! Sampling: of N steps one has its kernels measured, and the steps between cost no event.

mod common;
#[path = "common/device.rs"]
mod counting;

use counting::{Calls, Counting, launch};
use kina_observ::device::{Device, KernelSource, LaunchCounts, cpu, step_begin};
use kina_observ::{Level, builder, set_level};

#[test]
fn of_three_steps_one_is_measured() {
    cpu::register("nothing", |_| Ok(()));
    assert!(!step_begin(), "nothing is recording");
    let guard = builder().level(Level::Kernel).kernel_sample(3).stderr(None).init().expect("recording");
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let stream = device.stream("main").expect("a stream");
    let nothing = device.load(KernelSource::Registered, "nothing").expect("a kernel");

    launch(&stream, &nothing, 0);
    assert_eq!(Calls::of(&calls.create_event), 0, "before the first step");
    for step in 0..7 {
        let armed = step_begin();
        assert_eq!(armed, step % 3 == 0, "step {step}");
        let before = Calls::of(&calls.record);
        launch(&stream, &nothing, step);
        launch(&stream, &nothing, step);
        let base = u64::from(step == 0);
        assert_eq!(Calls::of(&calls.record) - before, if armed { 4 + base } else { 0 }, "step {step}");
        stream.synchronize().expect("no kernel failed");
    }

    // The bit goes with the level, and comes back at a step only.
    set_level(Level::Basic);
    assert!(!step_begin());
    set_level(Level::Kernel);
    launch(&stream, &nothing, 0);
    stream.synchronize().expect("no kernel failed");
    let report = guard.shutdown();
    assert_eq!(report.launches, LaunchCounts { launched: 16, timed: 6, untimed: 10, captured: 0 });
    assert!(!step_begin(), "nothing is recording any more");
    assert_eq!(kina_observ::level(), Level::Off);

    let zero = builder().kernel_sample(0).check().unwrap_err();
    assert_eq!(
        zero.to_string(),
        "one step in 0 cannot be measured\n  = where: `Builder::kernel_sample`\n  = help: write `1` for every step, or a larger number"
    );
}
