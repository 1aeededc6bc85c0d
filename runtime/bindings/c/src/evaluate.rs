//! Likelihoods of rows.

use crate::batch::{pelton_batch, with_batch};
use crate::error::pelton_status;
use crate::guard::{call, places};
use crate::handle::{circuit, pelton_circuit};

/// The natural logarithm of the probability, or density, of what each row has observed;
/// -infinity for impossible ones. Missing cells are summed out. `n_logs` is the number of
/// rows. After an error nothing is known of what `logs` holds.
///
/// # Safety
/// `rows` is null or as its description says; `logs` is null or has room for `n_logs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_log_likelihood(
    handle: *const pelton_circuit,
    rows: *const pelton_batch,
    logs: *mut f64,
    n_logs: usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        // SAFETY: the caller's promise.
        unsafe {
            with_batch(rows, "the batch", |rows| {
                let logs = places(logs, n_logs, rows.n_rows(), "logs")?;
                Ok(circuit.log_likelihood_into(rows, logs)?)
            })
        }
    })
}

/// The same given what the row of the same number of `evidence` has observed: -infinity
/// where the row contradicts it, NaN where the evidence is impossible.
///
/// # Safety
/// `rows` and `evidence` are null or as their description says; `logs` is null or has room
/// for `n_logs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_log_conditional(
    handle: *const pelton_circuit,
    rows: *const pelton_batch,
    evidence: *const pelton_batch,
    logs: *mut f64,
    n_logs: usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        // SAFETY: the caller's promise.
        unsafe {
            with_batch(rows, "the batch", |rows| {
                with_batch(evidence, "the evidence", |evidence| {
                    let logs = places(logs, n_logs, rows.n_rows(), "logs")?;
                    Ok(circuit.log_conditional_into(rows, evidence, logs)?)
                })
            })
        }
    })
}
