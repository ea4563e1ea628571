//! Where a panic happened: only the hook is told, so it leaves a note for the boundary that contains the panic.
//! Invariant: a place is told only with its own panic's text (`the_same_codes_and_texts_at_every_level`).

use core::any::Any;
use core::cell::RefCell;
use core::fmt::Write;
use std::panic::PanicHookInfo;

use crate::errno::KeepErrno;
use crate::gate;
use crate::text::FixedText;

/// As long as a last error's message: what does not fit there need not be compared.
const TEXT_BYTES: usize = 512;
/// A file, a line, a column.
const PLACE_BYTES: usize = 192;

struct Note {
    text: FixedText<TEXT_BYTES>,
    place: FixedText<PLACE_BYTES>,
}

thread_local! {
    static NOTE: RefCell<Note> = const { RefCell::new(Note { text: FixedText::new(), place: FixedText::new() }) };
}

/// What a panic says.
pub(crate) fn text_of(payload: &dyn Any) -> &str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is no text")
}

/// Chains a hook that notes where a panic of a thread is. It prints nothing: the hook before does, or does not.
/// Where a panic ends the process, `at_abort` runs first, and is told what the panic says and where it is.
pub(crate) fn install(at_abort: fn(&str)) {
    if std::thread::panicking() {
        return; // the hook cannot be changed now, and a place is not worth a second panic
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // The hook before prints, perhaps to a standard error that is full or closed.
        let _errno = KeepErrno::new();
        if gate::is_on() {
            note(info);
            if cfg!(panic = "abort") {
                let mut message = FixedText::<TEXT_BYTES>::new();
                let text = text_of(info.payload());
                let _ = message.write_str("panic");
                write_place(text, &mut message);
                let _ = write!(message, ": {text}");
                at_abort(message.as_str());
            }
        }
        before(info);
    }));
}

fn note(info: &PanicHookInfo<'_>) {
    let Some(place) = info.location() else { return };
    let _ = NOTE.try_with(|note| {
        let Ok(mut note) = note.try_borrow_mut() else { return };
        note.text.clear();
        let _ = note.text.write_str(text_of(info.payload()));
        note.place.clear();
        let _ = write!(note.place, "{}:{}:{}", shown(place.file()), place.line(), place.column());
    });
}

/// Adds ` at src/x.rs:12:5` if this thread's last note is of the panic that says `text`.
pub(crate) fn write_place(text: &str, to: &mut impl Write) {
    let _ = NOTE.try_with(|note| {
        let Ok(mut note) = note.try_borrow_mut() else { return };
        let mut own = FixedText::<TEXT_BYTES>::new();
        let _ = own.write_str(text);
        if !note.place.as_str().is_empty() && note.text.as_str() == own.as_str() {
            let _ = write!(to, " at {}", note.place.as_str());
        }
        note.place.clear();
    });
}

/// A whole path may tell who built the library: the crate's folder and what follows say as much.
fn shown(file: &str) -> &str {
    if !file.starts_with('/') {
        return file;
    }
    let source = file.rfind("/src/").unwrap_or_else(|| file.rfind('/').unwrap_or(0));
    file[..source].rfind('/').map_or(file, |folder| &file[folder + 1..])
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn no_path_of_the_machine_is_told() {
        assert_eq!(shown("examples/runtime/src/queue.rs"), "examples/runtime/src/queue.rs");
        assert_eq!(shown("/srv/cargo/index/serde-1.0.0/src/de/mod.rs"), "serde-1.0.0/src/de/mod.rs");
        assert_eq!(shown("/srv/work/main.rs"), "work/main.rs");
    }
}
