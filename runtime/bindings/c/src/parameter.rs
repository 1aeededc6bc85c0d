//! Parameters by name.

use crate::error::{CallFailure, pelton_status};
use crate::guard::{call, copy, places, put, slice, text};
use crate::handle::{change, circuit, held, pelton_circuit};
use std::ffi::c_char;

/// Number of parameters, each of which has one or more values.
///
/// # Safety
/// `n_parameters` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_n_parameters(
    handle: *const pelton_circuit,
    n_parameters: *mut usize,
) -> pelton_status {
    call(|| {
        let n = circuit(handle)?.parameters().len();
        // SAFETY: the caller's promise.
        unsafe { put(n_parameters, n, "n_parameters") }
    })
}

/// The name of a parameter, by its position from 0. Its length, without the 0 behind it, goes
/// to `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes, `length` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_parameter_name(
    handle: *const pelton_circuit,
    parameter: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> pelton_status {
    call(|| {
        let all = circuit(handle)?.parameters();
        let own = all.get(parameter).ok_or_else(|| {
            let n = all.len();
            CallFailure::usage(format!(
                "there is no parameter {parameter}; the circuit has {n}"
            ))
        })?;
        // SAFETY: the caller's promise.
        unsafe { copy(&own.name, buffer, capacity, length) }
    })
}

/// Number of values of a parameter.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_parameter_size(
    handle: *const pelton_circuit,
    name: *const c_char,
    n_values: *mut usize,
) -> pelton_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            let own = circuit(handle)?.parameter(text(name, "the name")?)?;
            put(n_values, own.values.len(), "n_values")
        }
    })
}

/// The values of a parameter, of a probability the one number. `n_values` is how many there
/// are.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_get_parameter(
    handle: *const pelton_circuit,
    name: *const c_char,
    values: *mut f64,
    n_values: usize,
) -> pelton_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            let own = circuit(handle)?.parameter(text(name, "the name")?)?;
            let places = places(values, n_values, own.values.len(), "values")?;
            places.copy_from_slice(&own.values);
        }
        Ok(())
    })
}

/// Gives a parameter other values. Probabilities have to add up to 1, and what the text
/// fixes has to stay, unless the circuit was read with `learn_all`.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_set_parameter(
    handle: *mut pelton_circuit,
    name: *const c_char,
    values: *const f64,
    n_values: usize,
) -> pelton_status {
    call(|| {
        let held = held(handle)?;
        let mut change = change(&held)?;
        // SAFETY: the caller's promise.
        unsafe {
            let values = slice(values, n_values, "values")?;
            change
                .circuit
                .set_parameter(text(name, "the name")?, values)?;
        }
        change.done();
        Ok(())
    })
}
