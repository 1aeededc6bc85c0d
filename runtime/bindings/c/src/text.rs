//! Texts that are handed out.

use crate::error::CallFailure;
use crate::guard::{CallResult, check, put};
use std::ffi::c_char;

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
