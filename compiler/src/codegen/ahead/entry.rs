//! The functions that programs call.

use super::evaluate::status;
use super::layout::Layout;
use super::structure::Structure;
use super::weights::{MAGIC, SUM_FACTOR, SUM_START, WeightsAre, fingerprint, head, version};
use super::writer::{Library, Writer};
use super::{ObjectSpec, names};
use crate::codegen::CodegenError;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use cranelift_module::{DataId, FuncId};

/// Defines all of them.
pub(super) fn define(
    library: &mut Library,
    evaluate: FuncId,
    weights: &[u8],
    (spec, structure, layout): (&ObjectSpec, &Structure, &Layout),
) -> Result<(), CodegenError> {
    names::define(library, spec.name, spec.circuit)?;
    let bytes = layout.workspace_bytes as i64;
    let kind = (&[][..], Some(types::I64));
    library.public(&format!("{}_workspace_bytes", spec.name), kind, |w, _| {
        let bytes = w.int(bytes);
        w.give(&[bytes]);
    })?;
    let block = match spec.weights {
        WeightsAre::Baked => Some(library.data("weights", weights, 64)?),
        WeightsAre::Loaded => {
            check_weights(library, spec, structure)?;
            None
        }
    };
    with_workspace(library, evaluate, spec.name, block)?;
    with_memory(library, evaluate, (spec.name, bytes), block)
}

/// The weights' block and the other arguments.
fn split(w: &mut Writer, block: Option<DataId>, arguments: &[Value]) -> (Value, Vec<Value>) {
    match block {
        Some(data) => (w.address(data), arguments.to_vec()),
        None => (arguments[0], arguments[1..].to_vec()),
    }
}

fn pointers(block: Option<DataId>, n: usize) -> Vec<Type> {
    vec![types::I64; n + usize::from(block.is_none())]
}

/// Evaluation in memory that the caller has.
fn with_workspace(
    library: &mut Library,
    evaluate: FuncId,
    name: &str,
    block: Option<DataId>,
) -> Result<(), CodegenError> {
    let takes = pointers(block, 5);
    let kind = (&takes[..], Some(types::I32));
    let name = format!("{name}_log_likelihood_with");
    library.public(&name, kind, |w, arguments| {
        let (block, rest) = split(w, block, arguments);
        let status = w.value_of(evaluate, &[&[block], &rest[..]].concat());
        w.give(&[status]);
    })
}

/// Evaluation in memory that is asked for and given back.
fn with_memory(
    library: &mut Library,
    evaluate: FuncId,
    (name, bytes): (&str, i64),
    block: Option<DataId>,
) -> Result<(), CodegenError> {
    let malloc = library.import("malloc", (&[types::I64], Some(types::I64)))?;
    let free = library.import("free", (&[types::I64], None))?;
    let takes = pointers(block, 3);
    let kind = (&takes[..], Some(types::I32));
    library.public(&format!("{name}_log_likelihood"), kind, |w, arguments| {
        let (block, rest) = split(w, block, arguments);
        let bytes = w.int(bytes);
        let work = w.value_of(malloc, &[bytes]);
        let is_null = w.equals(work, 0);
        w.return_if(is_null, |w| {
            vec![w.b.ins().iconst(types::I32, status::MEMORY)]
        });
        let null = w.int(0);
        let status = w.value_of(evaluate, &[&[block], &rest[..], &[work, null]].concat());
        w.call(free, &[work]);
        w.give(&[status]);
    })
}

/// Whether a block is whole and belongs to this object.
fn check_weights(
    library: &mut Library,
    spec: &ObjectSpec,
    structure: &Structure,
) -> Result<(), CodegenError> {
    let kind = (&[types::I64; 2][..], Some(types::I32));
    let heads = [
        (0, MAGIC),
        (8, version(spec.precision)),
        (head::FINGERPRINT, fingerprint(spec, structure)),
    ];
    let name = format!("{}_check_weights", spec.name);
    library.public(&name, kind, |w, arguments| {
        let (block, size) = (arguments[0], arguments[1]);
        let refuse = |w: &mut Writer, is_wrong: Value| {
            w.return_if(is_wrong, |w| {
                vec![w.b.ins().iconst(types::I32, status::WEIGHTS)]
            });
        };
        let least = w.int(head::BYTES as i64);
        let is_short = w.less(size, least);
        refuse(w, is_short);
        for (offset, word) in heads {
            let own = w.load(types::I64, block, offset);
            let word = w.int(word as i64);
            let differs = w.b.ins().icmp(IntCC::NotEqual, own, word);
            refuse(w, differs);
        }
        let length = w.load(types::I64, block, head::LENGTH);
        let differs = w.b.ins().icmp(IntCC::NotEqual, length, size);
        refuse(w, differs);
        let sum = checksum(w, block, size);
        let own = w.load(types::I64, block, head::CHECKSUM);
        let differs = w.b.ins().icmp(IntCC::NotEqual, sum, own);
        refuse(w, differs);
        let ok = w.b.ins().iconst(types::I32, status::OK);
        w.give(&[ok]);
    })
}

fn checksum(w: &mut Writer, block: Value, size: Value) -> Value {
    let start = w.int(SUM_START as i64);
    let sum = w.variable(start);
    let body = w.plus(block, head::SUMMED as i64);
    let bytes = w.plus(size, -(head::SUMMED as i64));
    let n = w.b.ins().ushr_imm_u(bytes, 3);
    w.each(n, |w, word| {
        let place = w.element(body, word, 8);
        let word = w.load(types::I64, place, 0);
        let old = w.get(sum);
        let mixed = w.b.ins().bxor(old, word);
        let factor = w.int(SUM_FACTOR as i64);
        let new = w.b.ins().imul(mixed, factor);
        w.set(sum, new);
    });
    w.get(sum)
}
