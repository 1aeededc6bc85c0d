//! The boundary: panics end here, pointers and sizes are looked at.

use crate::error::{CallFailure, clear, keep, pelton_status};
use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) type CallResult<T> = Result<T, CallFailure>;

/// Runs the body of a call. What it holds when it panics are copies and locks that survive.
pub(crate) fn call(body: impl FnOnce() -> CallResult<()>) -> pelton_status {
    clear();
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => {
            // A callback may have failed in a call of its own.
            clear();
            pelton_status::Ok
        }
        Ok(Err(failure)) => keep(failure),
        Err(panic) => {
            let reason = reason(panic.as_ref());
            let message = format!("this is a bug in Pelton: {reason}");
            keep(CallFailure::new(pelton_status::Bug, message))
        }
    }
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it panicked".to_string())
}

/// A text of the caller.
///
/// # Safety
/// The pointer is null or points to a text that ends in 0 and lives as long as asked.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> CallResult<&'a str> {
    if pointer.is_null() {
        return Err(CallFailure::usage(format!("{what} is null")));
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map_err(|_| CallFailure::usage(format!("{what} is not UTF-8 text")))
}

/// A text of the caller that may be left out.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional_text<'a>(pointer: *const c_char, what: &str) -> CallResult<&'a str> {
    if pointer.is_null() {
        Ok("")
    } else {
        // SAFETY: the caller's promise.
        unsafe { text(pointer, what) }
    }
}

/// Numbers of the caller.
///
/// # Safety
/// The pointer is null or points to `n` such numbers that live as long as asked and are
/// not written meanwhile.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, n: usize, what: &str) -> CallResult<&'a [T]> {
    check(pointer, n, what)?;
    match n {
        0 => Ok(&[]),
        // SAFETY: not null, aligned, not too long, and the caller's promise.
        _ => Ok(unsafe { std::slice::from_raw_parts(pointer, n) }),
    }
}

/// Places of the caller for exactly so many results.
///
/// # Safety
/// The pointer is null or points to `n` such numbers that live as long as asked and that
/// nobody else uses meanwhile.
pub(crate) unsafe fn places<'a, T>(
    pointer: *mut T,
    n: usize,
    wanted: usize,
    what: &str,
) -> CallResult<&'a mut [T]> {
    if n != wanted {
        let message = format!("{what} has room for {n} numbers, and there are {wanted}");
        return Err(CallFailure::usage(message));
    }
    check(pointer, n, what)?;
    match n {
        0 => Ok(&mut []),
        // SAFETY: not null, aligned, not too long, and the caller's promise.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, n) }),
    }
}

/// The same where null means that nobody wants the results.
///
/// # Safety
/// As for [`places`].
pub(crate) unsafe fn optional_places<'a, T>(
    pointer: *mut T,
    n: usize,
    what: &str,
) -> CallResult<Option<&'a mut [T]>> {
    if pointer.is_null() {
        Ok(None)
    } else {
        // SAFETY: the caller's promise.
        unsafe { places(pointer, n, n, what) }.map(Some)
    }
}

/// A place of the caller for one result.
///
/// # Safety
/// The pointer is null or can be written to.
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T, what: &str) -> CallResult<()> {
    check(pointer, 1, what)?;
    // SAFETY: not null, aligned, and the caller's promise.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Whether a pointer can be one to so many numbers.
pub(crate) fn check<T>(pointer: *const T, n: usize, what: &str) -> CallResult<()> {
    if n == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(CallFailure::usage(format!("{what} is null")));
    }
    if !pointer.is_aligned() {
        return Err(CallFailure::usage(format!("{what} is not aligned")));
    }
    let n_bytes = n.checked_mul(size_of::<T>());
    if n_bytes.is_some_and(|n| isize::try_from(n).is_ok()) {
        Ok(())
    } else {
        Err(CallFailure::usage(format!(
            "{what} is larger than all memory"
        )))
    }
}

/// Copies a text with a 0 behind it to a buffer of the caller. Its length, without the 0,
/// goes to `length`, also if there is not enough room.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes, `length` is null or can be written to.
pub(crate) unsafe fn copy(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> CallResult<()> {
    if !length.is_null() {
        // SAFETY: the caller's promise.
        unsafe { put(length, text.len(), "length") }?;
    }
    if buffer.is_null() && capacity == 0 {
        return Ok(());
    }
    check(buffer.cast_const(), capacity, "the buffer")?;
    if text.len() >= capacity {
        return Err(CallFailure::usage(format!(
            "the buffer has room for {capacity} bytes, and {} are needed",
            text.len() + 1
        )));
    }
    // SAFETY: the buffer is not null and has room for the text and the 0 behind it; it is
    // the caller's and the text is ours, so that they do not overlap.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(())
}
