//! Large pages for large buffers.

/// Asks for large pages, which is best done before memory is first touched: neither
/// address translation nor prefetching likes to meet a new page every 4 kilobytes, and
/// each of them is a visit of the system's. Whether it grants them changes nothing but
/// speed.
pub fn prefer_large_pages<T>(memory: &mut [T]) {
    const LARGE: usize = 2 << 20;
    let n_bytes = size_of_val(memory);
    #[cfg(target_os = "linux")]
    if n_bytes >= LARGE {
        let page = 4096;
        let first: *mut u8 = memory.as_mut_ptr().cast();
        let start = first.align_offset(page);
        let len = (n_bytes - start) / page * page;
        // SAFETY: whole pages within memory that is borrowed; the advice changes how
        // they are backed, not what they hold.
        unsafe { libc::madvise(first.add(start).cast(), len, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (n_bytes, LARGE);
}
