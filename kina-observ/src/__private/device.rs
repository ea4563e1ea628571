//! What the attributes read from streams, launch shapes, kernels and events, and what they run around a body.

use std::borrow::Cow;
use std::sync::Arc;

use crate::device::{self, Event, Function, LaunchShape, OnStream, Stream};
use crate::site::Site;
use crate::span::Entered;
use crate::value::Word;

/// A value that has a stream, or none this time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no stream",
    label = "a stream is read from this",
    note = "implement `kina_observ::device::OnStream` for it, or name another value: `stream = ..`"
)]
pub trait StreamOrNone {
    /// The stream.
    fn stream_or_none(&self) -> Option<&Stream>;
}

#[diagnostic::do_not_recommend]
impl<T: OnStream + ?Sized> StreamOrNone for T {
    fn stream_or_none(&self) -> Option<&Stream> {
        Some(self.stream())
    }
}

/// No stream is known where the attribute stands.
#[diagnostic::do_not_recommend]
impl StreamOrNone for () {
    fn stream_or_none(&self) -> Option<&Stream> {
        None
    }
}

/// A value that has the shape of a launch, or none this time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no launch shape",
    label = "grid and block are read from this",
    note = "implement `kina_observ::device::LaunchShape` for it, or name another value: `launch = ..`"
)]
pub trait ShapeOrNone {
    /// Blocks in each dimension, threads of a block in each dimension, dynamic shared memory.
    fn shape_or_none(&self) -> Option<([u32; 3], [u32; 3], u32)>;
}

#[diagnostic::do_not_recommend]
impl<T: LaunchShape + ?Sized> ShapeOrNone for T {
    fn shape_or_none(&self) -> Option<([u32; 3], [u32; 3], u32)> {
        Some((self.grid(), self.block(), self.shared_memory()))
    }
}

/// A kernel or the name of one, or none this time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which kernel it is",
    label = "the kernel's name is read from this",
    note = "write `kernel = ..` with the name, a text, or with a `kina_observ::device::Function`"
)]
pub trait NameOrNone {
    /// The kernel's name.
    fn name_or_none(&self) -> Option<&str>;
}

impl NameOrNone for Function {
    fn name_or_none(&self) -> Option<&str> {
        Some(self.name())
    }
}

impl NameOrNone for str {
    fn name_or_none(&self) -> Option<&str> {
        Some(self)
    }
}

impl NameOrNone for String {
    fn name_or_none(&self) -> Option<&str> {
        Some(self)
    }
}

impl NameOrNone for Cow<'_, str> {
    fn name_or_none(&self) -> Option<&str> {
        Some(self)
    }
}

/// An event, or none this time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no event of a stream",
    label = "the span that recorded the event is read from this",
    note = "write `event = ..` with a `kina_observ::device::Event`"
)]
pub trait EventOrNone {
    /// The event.
    fn event_or_none(&self) -> Option<&Event>;
}

impl EventOrNone for Event {
    fn event_or_none(&self) -> Option<&Event> {
        Some(self)
    }
}

macro_rules! through_options {
    ($($none:ident.$method:ident: $of:ident -> $out:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: $of> $none for Option<T> {
            fn $method(&self) -> $out {
                self.as_ref()?.$method()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: $of> $none for &Option<T> {
            fn $method(&self) -> $out {
                (*self).as_ref()?.$method()
            }
        }
    )*};
}
through_options! {
    StreamOrNone.stream_or_none: OnStream -> Option<&Stream>;
    ShapeOrNone.shape_or_none: LaunchShape -> Option<([u32; 3], [u32; 3], u32)>;
}

macro_rules! through_pointers {
    ($($none:ident.$method:ident -> $out:ty: $($pointer:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<T: $none + ?Sized> $none for $pointer {
            fn $method(&self) -> $out {
                (**self).$method()
            }
        }
    )*

        #[diagnostic::do_not_recommend]
        impl<T: $none> $none for Option<T> {
            fn $method(&self) -> $out {
                self.as_ref()?.$method()
            }
        }
    )*};
}
through_pointers! {
    NameOrNone.name_or_none -> Option<&str>: &T, &mut T, Arc<T>;
    EventOrNone.event_or_none -> Option<&Event>: &T, &mut T, Arc<T>;
}

/// `runtime.stream.id`.
pub fn stream_id<S: StreamOrNone + ?Sized>(on: &S) -> Option<i64> {
    on.stream_or_none().map(Stream::id)
}

/// `runtime.device`.
pub fn stream_device<S: StreamOrNone + ?Sized>(on: &S) -> Option<&str> {
    on.stream_or_none().map(Stream::device_name)
}

/// `runtime.kernel.grid`.
pub fn launch_grid<S: ShapeOrNone + ?Sized>(launch: &S) -> Option<[i64; 3]> {
    launch.shape_or_none().map(|(grid, _, _)| grid.map(i64::from))
}

/// `runtime.kernel.block`.
pub fn launch_block<S: ShapeOrNone + ?Sized>(launch: &S) -> Option<[i64; 3]> {
    launch.shape_or_none().map(|(_, block, _)| block.map(i64::from))
}

/// `runtime.kernel.shared_memory`.
pub fn launch_shared_memory<S: ShapeOrNone + ?Sized>(launch: &S) -> Option<u32> {
    launch.shape_or_none().map(|(_, _, bytes)| bytes)
}

/// `runtime.kernel.name`.
pub fn kernel_name<K: NameOrNone + ?Sized>(kernel: &K) -> Option<&str> {
    kernel.name_or_none()
}

/// `runtime.stream.waits_on`.
pub fn event_stream<E: EventOrNone + ?Sized>(event: &E) -> Option<i64> {
    event.event_or_none().map(Event::stream_id)
}

/// The span that is open refers to the one that recorded the event.
pub fn waits_for<E: EventOrNone + ?Sized>(entered: Entered, event: &E) {
    if let (true, Some(event)) = (entered.is_somewhere(), event.event_or_none()) {
        device::waits_for(event);
    }
}

/// A launch around a body: counted and timed, if its span is recorded and it has a stream.
#[derive(Debug)]
pub struct Launch(Option<device::Launch>);

impl Launch {
    /// After the span is open, before the body.
    pub fn begin<S: StreamOrNone + ?Sized>(site: &'static Site, entered: Entered, on: &S, name: Option<&str>) -> Self {
        let stream = if entered.is_somewhere() { on.stream_or_none() } else { None };
        Self(stream.map(|stream| device::Launch::begin(site, stream, name.unwrap_or_default())))
    }

    /// `runtime.kernel.captured`.
    pub fn captured(&self) -> Word {
        self.known(device::Launch::captured)
    }

    /// `runtime.kernel.registers`.
    pub fn registers(&self) -> Word {
        self.known(device::Launch::registers)
    }

    /// `runtime.kernel.static_shared_memory`.
    pub fn static_shared_memory(&self) -> Word {
        self.known(device::Launch::static_shared_memory)
    }

    /// `runtime.kernel.occupancy`.
    pub fn occupancy(&self) -> Word {
        self.known(device::Launch::occupancy)
    }

    fn known(&self, of: impl FnOnce(&device::Launch) -> Word) -> Word {
        self.0.as_ref().map_or(Word::ABSENT, of)
    }

    /// After the body, before the span ends.
    pub fn end(self) {
        if let Some(launch) = self.0 {
            launch.end();
        }
    }
}

/// A wait around a body. It keeps the stream, for a body may take the parameter with it.
#[derive(Debug)]
pub struct Wait(Option<Stream>);

impl Wait {
    /// Before the body.
    pub fn begin<S: StreamOrNone + ?Sized>(on: &S) -> Self {
        Self(on.stream_or_none().cloned())
    }

    /// After the body: what the stream has finished is read.
    pub fn end(self) {
        if let Some(stream) = self.0 {
            device::synchronized(&stream);
        }
    }
}
