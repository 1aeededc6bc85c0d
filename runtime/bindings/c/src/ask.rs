//! Questions.

use crate::batch::{pelton_batch, with_batch};
use crate::error::{CallFailure, pelton_status};
use crate::guard::{CallResult, call, copy, optional_places, optional_text, places, put, text};
use crate::handle::{circuit, pelton_circuit};
use pelton::{Batch, Circuit};
use std::ffi::{c_char, c_int};

/// Answers a question such as `P(rain | wet, temp <= 10)` exactly. `is_density` may be null;
/// it becomes 1 if the answer is a density.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_query(
    handle: *const pelton_circuit,
    question: *const c_char,
    log: *mut f64,
    is_density: *mut c_int,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        // SAFETY: the caller's promise.
        unsafe {
            let answer = circuit.query(text(question, "the question")?)?;
            if !is_density.is_null() {
                put(is_density, c_int::from(answer.is_density), "is_density")?;
            }
            put(log, answer.log, "log")
        }
    })
}

/// Asks a question by the name of its command, such as `entropy`, `mi` or `kl`. `arguments` is
/// an object of JSON with the options of the command (null for none), `other` the second circuit
/// of questions about two (else null). The answer is the object of JSON that the command prints.
/// Its length, without the 0 behind it, goes to `length` if that is not null; with a null
/// `buffer` and a `capacity` of 0 that is all.
///
/// # Safety
/// Pointers are null or point to what they are said to; `buffer` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_ask(
    handle: *const pelton_circuit,
    other: *const pelton_circuit,
    question: *const c_char,
    arguments: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> pelton_status {
    call(|| {
        let asked = circuit(handle)?;
        let other = (!other.is_null()).then(|| circuit(other)).transpose()?;
        // SAFETY: the caller's promise.
        unsafe {
            let question = text(question, "the question")?;
            let arguments = optional_text(arguments, "the arguments")?;
            let answer = asked.ask_json(question, arguments, other.as_ref())?;
            copy(&answer, buffer, capacity, length)
        }
    })
}

/// How many numbers [`pelton_posteriors`] gives for a variable: one for each value, 2 (mean
/// and standard deviation) where there are too many, 0 if no unit mentions the variable.
///
/// # Safety
/// `n_numbers` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_n_posterior(
    handle: *const pelton_circuit,
    variable: usize,
    n_numbers: *mut usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let n_variables = circuit.variables().len();
        if variable >= n_variables {
            let message = format!("there is no variable {variable}; the circuit has {n_variables}");
            return Err(CallFailure::usage(message));
        }
        let n = circuit
            .marginals(&Batch::nothing(0), "")?
            .n_numbers(variable);
        // SAFETY: the caller's promise.
        unsafe { put(n_numbers, n, "n_numbers") }
    })
}

/// What every variable is, given what each row of `evidence` has observed and the event
/// `given` (null or empty for none). For each row the numbers of all variables stand one
/// after the other, as many as [`pelton_n_posterior`] says; `n_numbers` is how many there
/// are in all. Impossible rows have NaN. `log_evidence` is null or has room for a number for
/// each row: the logarithm of the probability of its evidence.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_posteriors(
    handle: *const pelton_circuit,
    evidence: *const pelton_batch,
    given: *const c_char,
    numbers: *mut f64,
    n_numbers: usize,
    log_evidence: *mut f64,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe {
        with_evidence(handle, evidence, given, |circuit, evidence, given| {
            let found = circuit.marginals(evidence, given)?;
            let all = found.numbers();
            places(numbers, n_numbers, all.len(), "numbers")?.copy_from_slice(&all);
            let logs = optional_places(log_evidence, evidence.n_rows(), "log_evidence")?;
            if let Some(logs) = logs {
                logs.copy_from_slice(found.log_evidence());
            }
            Ok(())
        })
    }
}

/// The most probable values of what each row of `evidence` has not observed, given an event
/// (null or empty for none). `n_values` is the number of rows times that of variables.
/// `logs` and `is_exact` are null or have room for a number for each row: the logarithm of
/// the completion's probability given the evidence, and 1 if none is more probable. Impossible
/// rows have NaN; rows whose density grows without bound, so that there is no maximum, have
/// NaN with an infinite logarithm.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_map(
    handle: *const pelton_circuit,
    evidence: *const pelton_batch,
    given: *const c_char,
    values: *mut f64,
    n_values: usize,
    logs: *mut f64,
    is_exact: *mut u8,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe {
        with_evidence(handle, evidence, given, |circuit, evidence, given| {
            let n_rows = evidence.n_rows();
            let n_wanted = n_rows.saturating_mul(circuit.variables().len());
            let values = places(values, n_values, n_wanted, "values")?;
            let found = circuit.map(evidence, given)?;
            values.copy_from_slice(&found.values);
            if let Some(logs) = optional_places(logs, n_rows, "logs")? {
                logs.copy_from_slice(&found.logs);
            }
            if let Some(exact) = optional_places(is_exact, n_rows, "is_exact")? {
                let known = found.is_exact.iter().map(|&is_exact| u8::from(is_exact));
                exact
                    .iter_mut()
                    .zip(known)
                    .for_each(|(place, own)| *place = own);
            }
            Ok(())
        })
    }
}

/// Draws samples of all variables, given an event (null or empty for none). `n_values` is the
/// number of samples times that of variables.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_sample(
    handle: *const pelton_circuit,
    n_samples: usize,
    seed: u64,
    given: *const c_char,
    values: *mut f64,
    n_values: usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let n_wanted = n_samples.saturating_mul(circuit.variables().len());
        // SAFETY: the caller's promise.
        unsafe {
            let given = optional_text(given, "what is given")?;
            let values = places(values, n_values, n_wanted, "values")?;
            values.copy_from_slice(&circuit.sample(n_samples, seed, given)?.values);
        }
        Ok(())
    })
}

/// Draws `n_each` samples for each row of what goes with what it has observed, given an event
/// (null or empty for none); those of a row stand together. `n_values` is the number of rows
/// times `n_each` times the number of variables. Impossible rows have NaN.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_sample_rows(
    handle: *const pelton_circuit,
    evidence: *const pelton_batch,
    n_each: usize,
    seed: u64,
    given: *const c_char,
    values: *mut f64,
    n_values: usize,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe {
        with_evidence(handle, evidence, given, |circuit, evidence, given| {
            let n_samples = evidence.n_rows().saturating_mul(n_each);
            let n_wanted = n_samples.saturating_mul(circuit.variables().len());
            let values = places(values, n_values, n_wanted, "values")?;
            let found = circuit.sample_rows(evidence, n_each, seed, given)?;
            values.copy_from_slice(&found.values);
            Ok(())
        })
    }
}

/// The entropy of all variables in nats, exactly; `PELTON_STATUS_CIRCUIT` where the circuit
/// is neither deterministic nor small.
///
/// # Safety
/// `nats` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_entropy(
    handle: *const pelton_circuit,
    nats: *mut f64,
) -> pelton_status {
    call(|| {
        let found = circuit(handle)?.entropy()?;
        // SAFETY: the caller's promise.
        unsafe { put(nats, found, "nats") }
    })
}

/// The mean and variance of each variable, given an event (null or empty for none); NaN for
/// categories. `n_variables` is the number of variables.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_moments(
    handle: *const pelton_circuit,
    given: *const c_char,
    means: *mut f64,
    variances: *mut f64,
    n_variables: usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let n_wanted = circuit.variables().len();
        // SAFETY: the caller's promise.
        unsafe {
            let given = optional_text(given, "what is given")?;
            let means = places(means, n_variables, n_wanted, "means")?;
            let variances = places(variances, n_variables, n_wanted, "variances")?;
            let found = circuit.moments(given)?;
            means.copy_from_slice(&found.spread(&found.means, n_wanted));
            variances.copy_from_slice(&found.spread(&found.variances, n_wanted));
            Ok(())
        }
    })
}

/// A question about each row of evidence, given an event.
///
/// # Safety
/// Pointers are null or point to what they are said to.
unsafe fn with_evidence(
    handle: *const pelton_circuit,
    evidence: *const pelton_batch,
    given: *const c_char,
    ask: impl FnOnce(&Circuit, &Batch<'_>, &str) -> CallResult<()>,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        // SAFETY: the caller's promise.
        unsafe {
            let given = optional_text(given, "what is given")?;
            with_batch(evidence, "the evidence", |evidence| {
                ask(&circuit, evidence, given)
            })
        }
    })
}
