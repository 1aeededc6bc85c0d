//! Circuits as object files, to be linked into programs without Pelton.
//!
//! [`object`] compiles the forward pass of a plan for a [`BuildTarget`] and adds what
//! the library does around it: rows become evidence ([`fill`]), densities are computed
//! ([`density`]), and rows in which something was lost are evaluated again in
//! logarithms ([`reference`]). All of it is generated, so that the object needs no more
//! than C's mathematical functions. What depends on the circuit alone is kept in one
//! block of data ([`structure`]), what depends on the values of its parameters in
//! another ([`weights`]), which is part of the object or loaded.

mod archive;
mod density;
mod entry;
mod environment;
mod evaluate;
mod fill;
mod gamma;
mod header;
mod layout;
mod leaf;
mod names;
mod power;
mod reference;
mod structure;
mod target;
mod weights;
mod writer;

pub use target::{BuildTarget, UnknownTarget};
pub use weights::WeightsAre;

use super::isa::Target;
use super::link::{Names, memory_error};
use super::parallel::compile_all;
use super::program::Program;
use super::{CodegenError, CodegenOptions, Features};
use crate::circuit::{Circuit, Value};
use crate::kernel::{Pass, Precision};
use crate::plan::Plan;
use cranelift_module::{Linkage, default_libcall_names};
use cranelift_object::{ObjectBuilder, ObjectModule};
use layout::Layout;
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
    /// A root from here on vouches for what was lost below it (base 2); infinite if
    /// none does.
    pub log2_least: f64,
    /// Threads that compile; 0 takes as many as the machine has.
    pub threads: usize,
}

/// A circuit compiled ahead of time.
#[derive(Clone, Debug)]
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
    let options = CodegenOptions {
        precision: spec.precision,
        wide: false,
        features: Features::Baseline,
        threads: spec.threads,
    };
    let program = Program::new(spec.plan, &options, Pass::Forward);
    let mut module = empty_module(spec, &target)?;
    let code_bytes = define(
        &mut module,
        (spec, &target, &program),
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
    (spec, target, program): (&ObjectSpec, &Target, &Program),
    (structure, layout, weights): (&Structure, &Layout, &[u8]),
) -> Result<usize, CodegenError> {
    let codes = compile_all(target, program, spec.threads)?;
    let names = Names::declare(module, target, program, Linkage::Local)?;
    names.define(module, &codes)?;
    let mut library = Library::new(module, target);
    library.define_data(names.ops, structure.operations(spec.plan), 64)?;
    let environment = environment::define(&mut library, spec.target)?;
    let log_leaf = leaf::define(&mut library)?;
    if let [kernel] = names.kernels[..] {
        density::define(&mut library, kernel, log_leaf, structure.places.leaves)?;
    }
    let data = library.data("structure", &structure.bytes, 64)?;
    let fill = fill::define(&mut library, data, spec)?;
    let reference = reference::define(&mut library, data, log_leaf, (spec, structure))?;
    let drivers = names.functions[program.drivers()].to_vec();
    let parts = evaluate::Parts {
        fill,
        reference,
        environment,
        drivers,
    };
    let evaluate = evaluate::define(&mut library, &parts, layout, spec, structure.places.weights)?;
    entry::define(&mut library, evaluate, weights, (spec, structure, layout))?;
    let own: usize = codes.iter().map(|code| code.bytes.len()).sum();
    Ok(own + library.code_bytes)
}
