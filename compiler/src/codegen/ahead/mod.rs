//! Circuits as object files, to be linked into programs without Pelton.
//!
//! [`object`] compiles the forward pass of a plan for a [`BuildTarget`] and adds what
//! the library does around it: rows become evidence (`fill`), densities are computed
//! (`density`), losses are bounded (`second_look`), and rows in which they matter are
//! evaluated again in logarithms (`reference`). All of it is generated, so that the object
//! needs no more than C's mathematical functions. What depends on the circuit alone is kept
//! in one block of data (`structure`), what depends on the values of its parameters in
//! another (`weights`), which is part of the object or loaded.

mod archive;
mod density;
pub(crate) mod emitter;
mod entry;
mod environment;
mod evaluate;
mod fill;
mod frame;
mod gamma;
mod header;
mod layout;
mod leaf;
pub(crate) mod library;
mod names;
mod passes;
mod power;
mod reference;
mod saddle;
mod second_look;
mod structure;
mod target;
mod vector;
mod weights;
mod writer;

pub use target::{BuildTarget, UnknownTarget};
pub use weights::WeightsAre;

use super::CodegenError;
use super::isa::Target;
use super::link::memory_error;
use crate::circuit::{Circuit, Value};
use crate::kernel::{Pass, Precision};
use crate::plan::Plan;
use cranelift_module::default_libcall_names;
use cranelift_object::{ObjectBuilder, ObjectModule};
use layout::Layout;
use passes::Passes;
use structure::Structure;
use writer::Library;

/// What is to be built.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSpec<'a> {
    /// What all symbols begin with, a C identifier.
    pub name: &'a str,
    /// The circuit that the plan is of.
    pub circuit: &'a Circuit,
    /// The plan of its evaluation.
    pub plan: &'a Plan,
    /// A value for each of [`Circuit::all_entries`].
    pub values: &'a [Value],
    /// The number type of the plan.
    pub precision: Precision,
    /// The machine.
    pub target: BuildTarget,
    /// Where the values of the parameters are.
    pub weights: WeightsAre,
    /// The logarithm of what values are divided by to be likelihoods.
    pub log_divisor: f64,
    /// A root from here on vouches for what was lost below it (base 2); infinite if
    /// none does.
    pub log2_least: f64,
    /// How losses are bounded where no root vouches for them.
    pub second_look: SecondLook<'a>,
    /// Threads that compile; 0 takes as many as the machine has.
    pub threads: usize,
}

/// How losses are bounded: by the derivatives of the root with respect to all rows.
#[derive(Clone, Copy, Debug)]
pub struct SecondLook<'a> {
    /// A plan of the same circuit that [keeps](crate::plan::Keep) all rows.
    pub plan: &'a Plan,
    /// How many losses may reach one row.
    pub n_losses: f64,
    /// Which part of the root's value may be lost.
    pub tolerance: f64,
}

/// A circuit compiled ahead of time.
#[derive(Clone, Debug)]
#[must_use]
pub struct Built {
    /// The object file.
    pub object: Vec<u8>,
    /// A static library of the object alone.
    pub library: Vec<u8>,
    /// The C header.
    pub header: String,
    /// The weights, if they are loaded.
    pub weights: Option<Vec<u8>>,
    /// Bytes of machine code.
    pub code_bytes: usize,
    /// Bytes that a call needs to work in.
    pub workspace_bytes: usize,
}

/// Compiles a circuit for a machine that need not be this one.
pub fn object(spec: &ObjectSpec) -> Result<Built, CodegenError> {
    let target = spec.target.machine(spec.precision)?;
    let structure = Structure::new(spec);
    let layout = Layout::new(spec, &structure);
    let weights = weights::blob(spec, &structure);
    let mut module = empty_module(spec, &target)?;
    let code_bytes = define(
        &mut module,
        (spec, &target),
        (&structure, &layout, &weights),
    )?;
    let object = module
        .finish()
        .emit()
        .map_err(|error| CodegenError::Memory(error.to_string()))?;
    let symbols = names::public(spec.name, spec.weights);
    Ok(Built {
        library: archive::library(&format!("{}.o", spec.name), &object, &symbols),
        header: header::header(spec, &layout),
        weights: (spec.weights == WeightsAre::Loaded).then_some(weights),
        code_bytes,
        workspace_bytes: layout.workspace_bytes,
        object,
    })
}

fn empty_module(spec: &ObjectSpec, target: &Target) -> Result<ObjectModule, CodegenError> {
    let builder = ObjectBuilder::new(target.isa.clone(), spec.name, default_libcall_names());
    Ok(ObjectModule::new(builder.map_err(memory_error)?))
}

/// Defines everything in the module; says how much of it is code.
fn define(
    module: &mut ObjectModule,
    (spec, target): (&ObjectSpec, &Target),
    (structure, layout, weights): (&Structure, &Layout, &[u8]),
) -> Result<usize, CodegenError> {
    let mut library = Library::new(module, target);
    let environment = environment::define(&mut library, spec.target)?;
    let log_leaf = leaf::define(&mut library)?;
    let mut passes = Passes {
        spec,
        log_leaf,
        leaves: structure.places.leaves,
    };
    let drivers = passes.define(&mut library, "", spec.plan, Pass::Forward)?;
    let again = spec.second_look.plan;
    let forward = passes.define(&mut library, "again_", again, Pass::Forward)?;
    let backward = passes.define(&mut library, "again_", again, Pass::Backward)?;
    let data = library.data("structure", &structure.bytes, 64)?;
    let fill = fill::define(&mut library, data, spec)?;
    let reference = reference::define(&mut library, data, log_leaf, (spec, structure))?;
    let places = (layout, structure.places.weights);
    let look = second_look::Parts {
        fill,
        environment,
        forward,
        backward,
    };
    let second_look = second_look::define(&mut library, &look, places, spec)?;
    let parts = evaluate::Parts {
        fill,
        reference,
        second_look,
        environment,
        drivers,
    };
    let evaluate = evaluate::define(&mut library, &parts, places, spec)?;
    entry::define(&mut library, evaluate, weights, (spec, structure, layout))?;
    Ok(library.code_bytes)
}
