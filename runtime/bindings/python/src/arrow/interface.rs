//! The three structures of the Arrow C interface.

use super::text;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

/// What a column is.
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// The cells of a column.
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Batches of cells.
#[repr(C)]
pub struct ArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrayStream)>,
    private_data: *mut c_void,
}

macro_rules! released {
    ($($type:ty),*) => {$(
        impl Default for $type {
            /// One that was released: nothing is in it, and there is no `release`.
            fn default() -> Self {
                // SAFETY: zero bits are null pointers, numbers that are 0 and no functions.
                unsafe { std::mem::zeroed() }
            }
        }

        impl Drop for $type {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the interface says that who owns the structure calls this once.
                    unsafe { release(self) }
                }
            }
        }
    )*};
}

released!(ArrowSchema, ArrowArray, ArrayStream);

impl ArrayStream {
    /// Moves a stream out of its place; none if it was released.
    ///
    /// # Safety
    /// The pointer is to a stream.
    pub unsafe fn take(place: *mut ArrayStream) -> Option<ArrayStream> {
        // SAFETY: the caller's promise.
        let stream = unsafe { std::mem::take(&mut *place) };
        stream.release.is_some().then_some(stream)
    }

    pub fn schema(&mut self) -> Result<ArrowSchema, String> {
        let get = self.get_schema.ok_or("the Arrow stream was released")?;
        let mut schema = ArrowSchema::default();
        // SAFETY: a stream that was not released, and a place for what it gives.
        match unsafe { get(self, &mut schema) } {
            0 => Ok(schema),
            code => Err(self.failure(code)),
        }
    }

    pub fn next(&mut self) -> Result<Option<ArrowArray>, String> {
        let get = self.get_next.ok_or("the Arrow stream was released")?;
        let mut array = ArrowArray::default();
        // SAFETY: a stream that was not released, and a place for what it gives.
        match unsafe { get(self, &mut array) } {
            0 => Ok(array.release.is_some().then_some(array)),
            code => Err(self.failure(code)),
        }
    }

    fn failure(&mut self, code: c_int) -> String {
        let told = self.get_last_error.map(|get| {
            // SAFETY: a stream that was not released; the text lives until the next call.
            text(unsafe { get(self) }).to_string()
        });
        let told = told.filter(|text| !text.is_empty());
        told.unwrap_or_else(|| format!("the Arrow stream failed with code {code}"))
    }
}

impl ArrowSchema {
    pub fn format(&self) -> &str {
        text(self.format)
    }

    pub fn name(&self) -> &str {
        text(self.name)
    }

    pub fn children(&self) -> Vec<&ArrowSchema> {
        let n = usize::try_from(self.n_children).unwrap_or(0);
        // SAFETY: there are so many pointers to structures that live as long as this one.
        (0..n)
            .filter_map(|at| unsafe { (*self.children.add(at)).as_ref() })
            .collect()
    }

    /// Whether there are metadata of this name.
    pub fn has_metadata(&self, wanted: &str) -> bool {
        if self.metadata.is_null() {
            return false;
        }
        // SAFETY: the number of pairs, then names and values in turn, each after its length.
        unsafe {
            let mut place = self.metadata.cast::<u8>();
            let n_pairs = place.cast::<i32>().read_unaligned();
            place = place.add(size_of::<i32>());
            for at in 0..n_pairs.saturating_mul(2) {
                let n = place.cast::<i32>().read_unaligned();
                let n = usize::try_from(n).unwrap_or(0);
                let text = std::slice::from_raw_parts(place.add(size_of::<i32>()), n);
                if at % 2 == 0 && text == wanted.as_bytes() {
                    return true;
                }
                place = place.add(size_of::<i32>() + n);
            }
        }
        false
    }

    /// What numbers of this column stand for.
    pub fn dictionary(&self) -> Option<&ArrowSchema> {
        // SAFETY: null, or a structure that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }
}

impl ArrowArray {
    /// Where rows begin, and how many there are.
    pub fn extent(&self) -> Result<(usize, usize), String> {
        let number = |x: i64| usize::try_from(x).map_err(|_| "an Arrow array has a negative size");
        Ok((number(self.offset)?, number(self.length)?))
    }

    pub fn child(&self, at: usize) -> Option<&ArrowArray> {
        let has_child = i64::try_from(at).is_ok_and(|at| at < self.n_children);
        // SAFETY: there are so many pointers to structures that live as long as this one.
        has_child
            .then(|| unsafe { (*self.children.add(at)).as_ref() })
            .flatten()
    }

    pub fn dictionary(&self) -> Option<&ArrowArray> {
        // SAFETY: null, or a structure that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }

    pub fn n_buffers(&self) -> usize {
        usize::try_from(self.n_buffers).unwrap_or(0)
    }

    /// A buffer, null if it is not there.
    pub fn buffer(&self, at: usize) -> *const c_void {
        if at < self.n_buffers() {
            // SAFETY: there are so many pointers.
            unsafe { *self.buffers.add(at) }
        } else {
            null_mut()
        }
    }

    /// Whether some cells may be missing.
    pub fn has_nulls(&self) -> bool {
        self.null_count != 0
    }
}
