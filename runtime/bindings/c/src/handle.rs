//! Handles of circuits.
//!
//! A handle is the number of a circuit in a table, dressed as a pointer. Numbers are never
//! given twice, so that one which was freed is known to be.

use crate::error::{CallFailure, pelton_status};
use crate::guard::CallResult;
use pelton::{Change, Circuit, Shared};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// A circuit. It may be used by many threads at once.
pub struct pelton_circuit {
    _private: [u8; 0],
}

static HELD: LazyLock<RwLock<HashMap<usize, Arc<Shared>>>> = LazyLock::new(RwLock::default);

/// Numbers are as far apart as pointers are, and begin where no object is.
static NEXT: AtomicUsize = AtomicUsize::new(16);

/// A handle for a circuit.
pub(crate) fn hold(circuit: Circuit) -> *mut pelton_circuit {
    let number = NEXT.fetch_add(16, Ordering::Relaxed);
    let mut all = HELD.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(number, Arc::new(Shared::new(circuit)));
    std::ptr::without_provenance_mut(number)
}

/// What a handle stands for, as long as it has not been freed.
pub(crate) fn held(handle: *const pelton_circuit) -> CallResult<Arc<Shared>> {
    let all = HELD.read().unwrap_or_else(PoisonError::into_inner);
    let found = all.get(&handle.addr()).cloned();
    found.ok_or_else(|| unknown(handle))
}

fn unknown(handle: *const pelton_circuit) -> CallFailure {
    let message = if handle.is_null() {
        "the circuit is null"
    } else {
        "the circuit was freed, or never was one"
    };
    CallFailure::new(pelton_status::Handle, message)
}

/// The circuit of a handle as it is now; later changes do not reach it.
pub(crate) fn circuit(handle: *const pelton_circuit) -> CallResult<Circuit> {
    Ok(held(handle)?.now())
}

/// Gives a handle up. Calls that are under way keep their circuit until they end.
pub(crate) fn release(handle: *const pelton_circuit) -> CallResult<()> {
    if handle.is_null() {
        return Ok(());
    }
    let mut all = HELD.write().unwrap_or_else(PoisonError::into_inner);
    let freed = all.remove(&handle.addr());
    // Freeing a circuit takes a while, and others need not wait for it.
    drop(all);
    freed.map(drop).ok_or_else(|| unknown(handle))
}

/// The right to change a circuit; an error if another call has it.
pub(crate) fn change(held: &Shared) -> CallResult<Change<'_>> {
    held.change().ok_or_else(|| {
        let message = "another call is changing the parameters of this circuit";
        CallFailure::new(pelton_status::Busy, message)
    })
}
