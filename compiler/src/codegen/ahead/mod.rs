//! Circuits as object files, to be linked into programs without Pelton.
//!
//! [`object`] compiles the forward pass of a plan for a [`BuildTarget`] and adds what
//! the library does around it: rows become evidence (`fill`), densities are computed
//! (`density`), losses are bounded (`second_look`), and rows in which they matter are
//! evaluated again in logarithms (`reference`). All of it is generated, so that the object
//! needs no more than C's mathematical functions: `pelton-macros` makes of functions in
//! Rust what writes them as Cranelift IR (`emitter`), of those here and of the library's own
//! formulas. What depends on the circuit alone is kept in data of the object (`facts`,
//! `structure`), what depends on the values of its parameters in a block (`weights`), which
//! is part of the object or loaded.

mod archive;
mod density;
pub(crate) mod emitter;
mod entry;
mod environment;
mod evaluate;
mod facts;
mod fill;
mod header;
mod layout;
mod leaf;
mod library;
mod names;
mod passes;
mod reference;
mod second_look;
mod structure;
mod target;
mod weights;

pub use target::{BuildTarget, UnknownTarget};
pub use weights::WeightsAre;

use super::CodegenError;
use super::isa::CodegenTarget;
use super::link::memory_error;
use crate::circuit::{CircuitGraph, ParameterValue};
use crate::kernel::{KernelPass, Precision, Real};
use crate::plan::Plan;
use cranelift_module::default_libcall_names;
use cranelift_object::{ObjectBuilder, ObjectModule};
use emitter::GeneratedType;
use environment::FloatFlags;
use facts::ObjectFacts;
use layout::Layout;
use library::FunctionLibrary;
use names::NameTable;
use structure::Structure;

/// What is to be built.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSpec<'a> {
    /// What all symbols begin with, a C identifier.
    pub name: &'a str,
    /// The circuit that the plan is of.
    pub circuit: &'a CircuitGraph,
    /// The plan of its evaluation.
    pub plan: &'a Plan,
    /// A value for each of [`CircuitGraph::all_entries`].
    pub values: &'a [ParameterValue],
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
    /// A plan of the same circuit that [keeps](crate::plan::RowRetention) all rows.
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
    let parts = (&structure, &layout, &weights[..]);
    let code_bytes = match spec.precision {
        Precision::F32 => define::<f32>(&mut module, (spec, &target), parts),
        Precision::F64 => define::<f64>(&mut module, (spec, &target), parts),
    }?;
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

fn empty_module(spec: &ObjectSpec, target: &CodegenTarget) -> Result<ObjectModule, CodegenError> {
    let builder = ObjectBuilder::new(target.isa.clone(), spec.name, default_libcall_names());
    Ok(ObjectModule::new(builder.map_err(memory_error)?))
}

/// Defines everything in the module; says how much of it is code.
fn define<R: Real + GeneratedType<As = R>>(
    module: &mut ObjectModule,
    (spec, target): (&ObjectSpec, &CodegenTarget),
    (structure, layout, weights): (&Structure, &Layout, &[u8]),
) -> Result<usize, CodegenError> {
    let mut library = FunctionLibrary::new(module, target);
    let names = NameTable::new(spec.circuit);
    library.data("facts", &facts(spec, structure, layout, &names).bytes())?;
    library.data("structure", &structure.bytes)?;
    library.data("names", &names.bytes)?;
    if spec.weights == WeightsAre::Baked {
        library.data("weights", weights)?;
    }
    environment::define(&mut library, spec.target)?;
    let again = spec.second_look.plan;
    for (names, of) in [
        (("run_forward", ""), (spec.plan, KernelPass::Forward)),
        (("run_again", "again_"), (again, KernelPass::Forward)),
        (
            ("run_backward", "again_back_"),
            (again, KernelPass::Backward),
        ),
    ] {
        passes::define::<R>(&mut library, spec, names, of)?;
    }
    entry::define::<R>(&mut library, spec.name, spec.weights)?;
    Ok(library.code_bytes)
}

fn facts(
    spec: &ObjectSpec,
    structure: &Structure,
    layout: &Layout,
    names: &NameTable,
) -> ObjectFacts {
    let (circuit, places) = (spec.circuit, &structure.places);
    ObjectFacts {
        n_variables: circuit.variables().len(),
        n_units: circuit.n_units(),
        root_unit: circuit.root().index(),
        units: structure.units,
        edges: structure.edges,
        weights: places.weights,
        entries: places.entries,
        tables: places.tables,
        leaves: places.leaves,
        texts: names.texts,
        categories: names.categories,
        n_code_rows: spec.plan.n_code_rows(),
        n_derivative_rows: spec.second_look.plan.n_derivative_rows(),
        layout: *layout,
        flags: FloatFlags::of(spec.target),
        version: weights::version(spec.precision),
        fingerprint: weights::fingerprint(spec, structure),
        n_losses: spec.second_look.n_losses,
        tolerance: spec.second_look.tolerance,
    }
}
