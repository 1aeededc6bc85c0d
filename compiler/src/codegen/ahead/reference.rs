//! One row in logarithms, unit by unit: what `crate::reference` does, for rows in which kernels
//! lost something that may matter.

use super::ObjectSpec;
use super::structure::{EDGE, Structure, UNIT, VARIABLE, unit};
use super::weights::LEAF;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::{DataId, FuncId};
use std::f64::consts::LN_2;

/// Addresses that all units share.
struct Tables {
    /// The weights' block.
    block: Value,
    row: Value,
    logs: Value,
    variables: Value,
    edges: Value,
    entries: Value,
    tables: Value,
    leaves: Value,
}

/// Functions that units call.
struct Calls {
    ln: FuncId,
    exp: FuncId,
    log_leaf: FuncId,
}

/// One unit's numbers.
struct Unit {
    n: Value,
    first: Value,
    variable: Value,
}

/// Defines a function of the weights' block, a row and room for a number for each unit;
/// it gives the logarithm of the root.
pub(super) fn define(
    library: &mut Library,
    data: DataId,
    log_leaf: FuncId,
    (spec, structure): (&ObjectSpec, &Structure),
) -> Result<FuncId, CodegenError> {
    let one = (&[types::F64][..], Some(types::F64));
    let calls = Calls {
        ln: library.import("log", one)?,
        exp: library.import("exp", one)?,
        log_leaf,
    };
    let kind = (&[types::I64; 3][..], Some(types::F64));
    library.local("reference", kind, |w, arguments| {
        let (block, variables) = (arguments[0], w.address(data));
        let places = structure.places;
        let tables = Tables {
            block,
            row: arguments[1],
            logs: arguments[2],
            variables,
            edges: w.plus(variables, structure.edges),
            entries: w.plus(block, places.entries),
            tables: w.plus(block, places.tables),
            leaves: w.plus(block, places.leaves),
        };
        let units = w.plus(variables, structure.units);
        let n = w.int(spec.circuit.n_units() as i64);
        w.each(n, |w, number| {
            let at = w.element(units, number, UNIT);
            let log = log_unit(w, &tables, &calls, at);
            let place = w.element(tables.logs, number, 8);
            w.store(log, place, 0);
        });
        let root = w.plus(tables.logs, 8 * structure.root as i64);
        let log = w.load(types::F64, root, 0);
        w.give(&[log]);
    })
}

fn log_unit(w: &mut Writer, tables: &Tables, calls: &Calls, at: Value) -> Value {
    let kind = w.load_u32(at, 0);
    let unit = Unit {
        n: w.load_u32(at, 4),
        first: w.load_u32(at, 8),
        variable: w.load_u32(at, 12),
    };
    let zero = w.double(0.0);
    let log = w.variable(zero);
    for (wanted, write) in KINDS {
        let is = w.equals(kind, wanted);
        w.when(is, |w| {
            let value = write(w, tables, calls, &unit);
            w.set(log, value);
        });
    }
    w.get(log)
}

type Write = fn(&mut Writer, &Tables, &Calls, &Unit) -> Value;

const KINDS: [(i64, Write); 4] = [
    (unit::PRODUCT, product),
    (unit::SUM, sum),
    (unit::TABLE, table),
    (unit::DENSITY, density),
];

/// The edge of a unit, and what its child is worth.
fn edge(w: &mut Writer, tables: &Tables, unit: &Unit, number: Value) -> (Value, Value) {
    let number = w.b.ins().iadd(unit.first, number);
    let edge = w.element(tables.edges, number, EDGE);
    let child = w.load_u32(edge, 0);
    let log = w.element(tables.logs, child, 8);
    (edge, w.load(types::F64, log, 0))
}

fn is_nothing(w: &mut Writer, log: Value) -> Value {
    let nothing = w.double(f64::NEG_INFINITY);
    w.compare(FloatCC::Equal, log, nothing)
}

/// The sum of logarithms; a factor of zero decides.
fn product(w: &mut Writer, tables: &Tables, _: &Calls, unit: &Unit) -> Value {
    let zero = w.double(0.0);
    let product = w.variable(zero);
    w.each(unit.n, |w, number| {
        let (_, factor) = edge(w, tables, unit, number);
        let old = w.get(product);
        let sum = w.b.ins().fadd(old, factor);
        let (first, second) = (is_nothing(w, old), is_nothing(w, factor));
        let either = w.b.ins().bor(first, second);
        let nothing = w.double(f64::NEG_INFINITY);
        let new = w.select(either, nothing, sum);
        w.set(product, new);
    });
    w.get(product)
}

/// The logarithm of a sum of exponentials, scaled by the largest so far.
fn sum(w: &mut Writer, tables: &Tables, calls: &Calls, unit: &Unit) -> Value {
    let (nothing, zero) = (w.double(f64::NEG_INFINITY), w.double(0.0));
    let (largest, sum) = (w.variable(nothing), w.variable(zero));
    w.each(unit.n, |w, number| {
        let (edge, value) = edge(w, tables, unit, number);
        let entry = w.load_u32(edge, 4);
        let weight = w.element(tables.entries, entry, 8);
        let weight = w.load(types::F64, weight, 0);
        let log = w.b.ins().fadd(weight, value);
        let is_weightless = is_nothing(w, weight);
        let log = w.select(is_weightless, weight, log);
        let is_zero = is_nothing(w, log);
        w.either(
            is_zero,
            |_| {},
            |w| {
                let (most, total) = (w.get(largest), w.get(sum));
                let is_larger = w.compare(FloatCC::GreaterThan, log, most);
                w.either(
                    is_larger,
                    |w| {
                        let less = w.b.ins().fsub(most, log);
                        let factor = w.value_of(calls.exp, &[less]);
                        let total = w.b.ins().fmul(total, factor);
                        let one = w.double(1.0);
                        let total = w.b.ins().fadd(total, one);
                        w.set(sum, total);
                        w.set(largest, log);
                    },
                    |w| {
                        let less = w.b.ins().fsub(log, most);
                        let term = w.value_of(calls.exp, &[less]);
                        let total = w.b.ins().fadd(total, term);
                        w.set(sum, total);
                    },
                );
            },
        );
    });
    let (most, total) = (w.get(largest), w.get(sum));
    let result = w.variable(most);
    let size = w.b.ins().fabs(most);
    let infinity = w.double(f64::INFINITY);
    let is_infinite = w.compare(FloatCC::Equal, size, infinity);
    w.either(
        is_infinite,
        |_| {},
        |w| {
            let ln = w.value_of(calls.ln, &[total]);
            let log = w.b.ins().fadd(most, ln);
            w.set(result, log);
        },
    );
    w.get(result)
}

fn cell(w: &mut Writer, tables: &Tables, unit: &Unit) -> Value {
    let cell = w.element(tables.row, unit.variable, 8);
    w.load(types::F64, cell, 0)
}

/// An entry of a table; the last is for a missing cell.
fn table(w: &mut Writer, tables: &Tables, _: &Calls, unit: &Unit) -> Value {
    let x = cell(w, tables, unit);
    let variable = w.element(tables.variables, unit.variable, VARIABLE);
    let low = w.load(types::F64, variable, 16);
    let code = w.b.ins().fsub(x, low);
    let code = w.b.ins().fcvt_to_sint_sat(types::I64, code);
    let is_missing = w.compare(FloatCC::Unordered, x, x);
    let code = w.select(is_missing, unit.n, code);
    let at = w.b.ins().iadd(unit.first, code);
    let log = w.element(tables.tables, at, 8);
    w.load(types::F64, log, 0)
}

/// A density, of which the formula gives the logarithm base 2.
fn density(w: &mut Writer, tables: &Tables, calls: &Calls, unit: &Unit) -> Value {
    let x = cell(w, tables, unit);
    let leaf = w.element(tables.leaves, unit.first, LEAF);
    let log = w.value_of(calls.log_leaf, &[tables.block, leaf, x]);
    let base = w.double(LN_2);
    w.b.ins().fmul(log, base)
}
