//! Likelihoods of rows.

use crate::batch::{pelton_batch, with_batch};
use crate::error::pelton_status;
use crate::guard::{call, places, put};
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

/// The natural logarithm of the circuit's mass: 0 if it is normalized. All answers are divided
/// by the mass; only the likelihoods of a circuit that counts (all leaves are indicators, all
/// weights are 1) are not, which are numbers of models. An error where the mass is zero or
/// infinite.
///
/// # Safety
/// `log_mass` is null or has room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_log_mass(
    handle: *const pelton_circuit,
    log_mass: *mut f64,
) -> pelton_status {
    call(|| {
        let found = circuit(handle)?.log_mass()?;
        // SAFETY: the caller's promise.
        unsafe { put(log_mass, found, "log_mass") }
    })
}

/// The same as [`pelton_log_likelihood`] given what the row of the same number of `evidence`
/// has observed: -infinity where the row contradicts it, NaN where the evidence is impossible.
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
