//! The functions that programs call.

use super::evaluate::{evaluate, status};
use super::facts::{NameFacts, WeightsHead, facts, names, weights};
use super::library::FunctionLibrary;
use super::weights::{MAGIC, SUMMED, WeightsAre, checksum};
use crate::codegen::CodegenError;
use crate::kernel::Real;
use pelton_macros::only_generated;

/// Defines all of them.
pub(super) fn define<R: Real + super::emitter::GeneratedType<As = R>>(
    library: &mut FunctionLibrary,
    name: &str,
    weights_are: WeightsAre,
) -> Result<(), CodegenError> {
    let mut public = |ending: &str, function| library.public(&format!("{name}_{ending}"), function);
    public("variables", variables::function())?;
    public("variable_name", variable_name::function())?;
    public("domain_size", domain_size::function())?;
    public("category_name", category_name::function())?;
    public("workspace_bytes", workspace_bytes::function())?;
    match weights_are {
        WeightsAre::Baked => {
            public("log_likelihood_with", baked_with::<R>::function())?;
            public("log_likelihood", baked::<R>::function())
        }
        WeightsAre::Loaded => {
            public("check_weights", check_weights::function())?;
            public("log_likelihood_with", evaluate::<R>::function())?;
            public("log_likelihood", with_memory::<R>::function())
        }
    }
}

#[only_generated]
fn malloc(bytes: usize) -> *mut u8;
#[only_generated]
fn free(memory: *mut u8);

#[only_generated]
fn workspace_bytes() -> usize {
    facts().layout.workspace_bytes
}

/// Evaluation in memory that the caller has.
#[only_generated]
fn baked_with<R: Real>(
    rows: *const f64,
    n_rows: usize,
    out: *mut f64,
    workspace: *mut u8,
    fault: *mut u64,
) -> i32 {
    evaluate::<R>(weights(), rows, n_rows, out, workspace, fault)
}

#[only_generated]
fn baked<R: Real>(rows: *const f64, n_rows: usize, out: *mut f64) -> i32 {
    with_memory::<R>(weights(), rows, n_rows, out)
}

/// Evaluation in memory that is asked for and given back.
#[only_generated]
fn with_memory<R: Real>(block: *const u8, rows: *const f64, n_rows: usize, out: *mut f64) -> i32 {
    let workspace = malloc(workspace_bytes());
    if workspace.is_null() {
        return status::MEMORY;
    }
    let status = evaluate::<R>(block, rows, n_rows, out, workspace, std::ptr::null::<u64>());
    free(workspace);
    status
}

/// Whether a block is whole and belongs to this object.
#[only_generated]
fn check_weights(block: *const u8, size: usize) -> i32 {
    if size < size_of::<WeightsHead>() {
        return status::WEIGHTS;
    }
    let (facts, head) = (facts(), block.cast::<WeightsHead>());
    if head.magic != MAGIC || head.version != facts.version {
        return status::WEIGHTS;
    }
    if head.fingerprint != facts.fingerprint || head.length != size as u64 {
        return status::WEIGHTS;
    }
    let summed = block.add(SUMMED).cast::<u64>();
    let n_words = (size - SUMMED) >> 3;
    if checksum(summed, n_words) != head.checksum {
        return status::WEIGHTS;
    }
    status::OK
}

#[only_generated]
fn variables() -> usize {
    facts().n_variables
}

#[only_generated]
fn variable_name(number: usize) -> *const u8 {
    if number >= variables() {
        return std::ptr::null::<u8>();
    }
    let variable = names().cast::<NameFacts>().add(number);
    names().add(facts().texts + variable.name as usize)
}

#[only_generated]
fn domain_size(number: usize) -> u64 {
    if number >= variables() {
        return 0;
    }
    (*names().cast::<NameFacts>().add(number)).n_values
}

#[only_generated]
fn category_name(number: usize, category: usize) -> *const u8 {
    if number >= variables() {
        return std::ptr::null::<u8>();
    }
    let variable = names().cast::<NameFacts>().add(number);
    if category >= variable.n_categories as usize {
        return std::ptr::null::<u8>();
    }
    let categories = names().add(facts().categories).cast::<u32>();
    let at = *categories.add(variable.first_category as usize + category);
    names().add(facts().texts + at as usize)
}
