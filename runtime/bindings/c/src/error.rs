//! Status codes, and what the last call of a thread has to say.

use crate::words::c_words;
use pelton::{Error, ErrorKind};
use std::cell::RefCell;
use std::ffi::{CString, c_char};

/// How a call ended. The numbers up to 5 are the exit codes of the command `pelton`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum pelton_status {
    /// All is well.
    Ok = 0,
    /// The circuit is wrong, or does not allow what is asked.
    Circuit = 1,
    /// An argument is wrong, or a file cannot be read or written.
    Usage = 2,
    /// Data do not fit the circuit, or what is given has probability zero.
    Data = 3,
    /// A result is not a number.
    Numeric = 4,
    /// A property stayed unknown.
    Unknown = 5,
    /// The handle is null, was freed, or was never one.
    Handle = 6,
    /// Another call is about to change the parameters of this circuit.
    Busy = 7,
    /// A bug in Pelton.
    Bug = 101,
}

/// A message about a circuit or a question. The texts belong to the library and live until
/// the next call of the same thread.
#[repr(C)]
pub struct pelton_diagnostic {
    /// The stable code, such as `PC0103`.
    pub code: *const c_char,
    /// `error`, `warning` or `note`.
    pub severity: *const c_char,
    /// One sentence that names the thing at fault.
    pub message: *const c_char,
    /// The way out; null if there is none in words.
    pub help: *const c_char,
    /// The message as a terminal shows it, with the text it is about.
    pub rendered: *const c_char,
    /// What the text is called; null if the message has no place.
    pub file: *const c_char,
    /// Line, from 1; 0 if the message has no place.
    pub line: usize,
    /// Column in characters, from 1; 0 if the message has no place.
    pub column: usize,
}

/// What a call says when it fails.
#[derive(Debug)]
pub(crate) struct CallFailure {
    pub status: pelton_status,
    pub message: String,
    pub error: Option<Error>,
}

impl CallFailure {
    pub fn new(status: pelton_status, message: impl Into<String>) -> Self {
        CallFailure {
            status,
            message: message.into(),
            error: None,
        }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        CallFailure::new(pelton_status::Usage, message)
    }
}

impl From<Error> for CallFailure {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Circuit => pelton_status::Circuit,
            ErrorKind::Data => pelton_status::Data,
            ErrorKind::Numeric => pelton_status::Numeric,
            _ => pelton_status::Usage,
        };
        CallFailure {
            status,
            message: error.worded(c_words),
            error: Some(error),
        }
    }
}

/// What the last call of a thread said, as C reads it.
#[derive(Default)]
struct LastError {
    message: CString,
    diagnostics: Vec<CDiagnostic>,
    cell: Option<(usize, usize)>,
}

struct CDiagnostic {
    code: CString,
    severity: CString,
    message: CString,
    help: Option<CString>,
    rendered: CString,
    place: Option<(CString, usize, usize)>,
}

thread_local! {
    static LAST: RefCell<LastError> = RefCell::default();
}

/// Forgets what the last call said.
pub(crate) fn clear() {
    LAST.with_borrow_mut(|last| {
        if !last.message.is_empty() {
            *last = LastError::default();
        }
    });
}

/// Keeps what a call says for the thread to ask.
pub(crate) fn keep(failure: CallFailure) -> pelton_status {
    let mut told = LastError {
        message: text(&failure.message),
        ..LastError::default()
    };
    if let Some(error) = &failure.error {
        let diagnostics = error.diagnostics().iter();
        told.diagnostics = diagnostics.map(CDiagnostic::of).collect();
        told.cell = error.cell().map(|cell| (cell.row, cell.column));
    }
    LAST.set(told);
    failure.status
}

impl CDiagnostic {
    fn of(own: &pelton::Diagnostic) -> Self {
        CDiagnostic {
            code: text(&own.code),
            severity: text(own.severity.name()),
            message: text(&own.message),
            help: own.help.as_deref().map(text),
            rendered: text(&own.rendered),
            place: own
                .place()
                .map(|place| (text(&place.file), place.line, place.column)),
        }
    }
}

/// A text for C, in which no byte is 0.
fn text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// What went wrong in the last call of this thread, in one sentence; empty if nothing did.
/// The text lives until the next call of the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn pelton_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.message.as_ptr())
}

/// Number of messages about the circuit or the question that the last call of this thread
/// refused.
#[unsafe(no_mangle)]
pub extern "C" fn pelton_last_diagnostics() -> usize {
    LAST.with_borrow(|last| last.diagnostics.len())
}

/// One of these messages, by its number from 0. Does not count as a call.
///
/// # Safety
/// `diagnostic` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_last_diagnostic(
    number: usize,
    diagnostic: *mut pelton_diagnostic,
) -> pelton_status {
    LAST.with_borrow(|last| {
        let Some(own) = last.diagnostics.get(number) else {
            return pelton_status::Usage;
        };
        if diagnostic.is_null() {
            return pelton_status::Usage;
        }
        // C gets pointers into what the thread keeps until its next call.
        let null = std::ptr::null();
        let (line, column) = own.place.as_ref().map_or((0, 0), |own| (own.1, own.2));
        let told = pelton_diagnostic {
            code: own.code.as_ptr(),
            severity: own.severity.as_ptr(),
            message: own.message.as_ptr(),
            help: own.help.as_ref().map_or(null, |help| help.as_ptr()),
            rendered: own.rendered.as_ptr(),
            file: own.place.as_ref().map_or(null, |own| own.0.as_ptr()),
            line,
            column,
        };
        // SAFETY: not null, and the caller's promise.
        unsafe { diagnostic.write(told) };
        pelton_status::Ok
    })
}

/// The cell, from 0, that the last call of this thread refused because it is no value of its
/// variable. Does not count as a call.
///
/// # Safety
/// `row` and `column` are null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_last_cell(row: *mut usize, column: *mut usize) -> pelton_status {
    let cell = LAST.with_borrow(|last| last.cell);
    match cell {
        Some(cell) if !row.is_null() && !column.is_null() => {
            // SAFETY: not null, and the caller's promise.
            unsafe {
                row.write(cell.0);
                column.write(cell.1);
            }
            pelton_status::Ok
        }
        _ => pelton_status::Usage,
    }
}
