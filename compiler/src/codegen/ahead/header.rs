//! The C header of an object.

use super::layout::Layout;
use super::{ObjectSpec, WeightsAre};
use crate::circuit::{CircuitGraph, Domain};
use crate::kernel::Precision;
use std::fmt::Write;

/// Names of categories that a comment lists before it leaves the rest to a function.
const LISTED: usize = 24;

/// The text of the header.
pub(super) fn header(spec: &ObjectSpec, layout: &Layout) -> String {
    let name = spec.name;
    let upper = name.to_uppercase();
    let precision = match spec.precision {
        Precision::F32 => "single",
        Precision::F64 => "double",
    };
    let (argument, weights_about) = match spec.weights {
        WeightsAre::Baked => ("", String::new()),
        WeightsAre::Loaded => ("const void *weights, ", check_weights(name, &upper)),
    };
    let example = example(spec);
    let n_variables = spec.circuit.variables().len();
    let variables = variables(spec.circuit);
    let target = spec.target.name();
    let triple = spec.target.triple();
    let bytes = layout.workspace_bytes;
    format!(
        "\
/* The circuit `{name}`, compiled by Pelton for {target} ({triple}), {precision} precision.
 *
 * Link with lib{name}.a (or {name}.o) and -lm; nothing of Pelton is needed:
 *
 *     cc -O2 program.c lib{name}.a -lm
 *
{example} *
 * A row has a double for each variable, in the order below. NaN is a missing cell, which
 * is summed out: the logarithm of a probability of some cells given others is that of
 * the row with all of them less that of the row with the others alone. All functions may
 * be called by several threads at once; they keep nothing between calls.
 *
 * Variables:
{variables} */

#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>

#ifdef __cplusplus
extern \"C\" {{
#endif

/* Cells of a row. */
#define {upper}_VARIABLES {n_variables}

/* What functions return. */
enum {{
    {upper}_OK = 0,
    /* A cell is neither missing nor a value of its variable. */
    {upper}_CELL = 1,
    /* There is no memory. */
    {upper}_MEMORY = 2,
    /* The weights are damaged, or of another circuit or version. */
    {upper}_WEIGHTS = 3
}};

{weights_about}/* Writes the natural logarithm of the probability, or density, of what each of `n_rows`
 * rows has observed to `out`; -inf for impossible ones. The rows follow each other. Where
 * it does not return {upper}_OK, nothing is known of what `out` holds. Takes {bytes} bytes
 * of memory while it runs. */
int {name}_log_likelihood({argument}const double *rows, size_t n_rows, double *out);

/* The same without asking for memory: `workspace` has {name}_workspace_bytes() bytes, which
 * no other call uses at the same time. They need neither be aligned nor cleared. If
 * `fault` is not null and a cell is no value, `fault[0]` is its row and `fault[1]` its
 * variable, both counted from 0. */
int {name}_log_likelihood_with({argument}const double *rows, size_t n_rows, double *out,
    void *workspace, size_t *fault);

/* Bytes of a workspace. */
size_t {name}_workspace_bytes(void);

/* Cells of a row. */
size_t {name}_variables(void);

/* The name of a variable in UTF-8; null if there is none of this number. */
const char *{name}_variable_name(size_t variable);

/* How many values a variable has; 0 if there are infinitely many. */
size_t {name}_domain_size(size_t variable);

/* The name of a variable's category, which is counted from 0; null if there is none. */
const char *{name}_category_name(size_t variable, size_t category);

#ifdef __cplusplus
}}
#endif

#endif
"
    )
}

fn check_weights(name: &str, upper: &str) -> String {
    format!(
        "\
/* Looks whether `size` bytes in memory are weights of this circuit: the content of
 * {name}.weights, or of the file of weights that was built for the same circuit with other
 * values of its parameters. Returns {upper}_OK or {upper}_WEIGHTS.
 * Functions that take `weights` trust that this was asked. */
int {name}_check_weights(const void *weights, size_t size);

"
    )
}

fn example(spec: &ObjectSpec) -> String {
    let name = spec.name;
    let upper = name.to_uppercase();
    let weights = match spec.weights {
        WeightsAre::Baked => "",
        WeightsAre::Loaded => "weights, ",
    };
    format!(
        " *     double row[{upper}_VARIABLES], log_likelihood;
 *     ... (a value or NAN for each variable)
 *     if ({name}_log_likelihood({weights}row, 1, &log_likelihood) != {upper}_OK) ...
"
    )
}

fn variables(circuit: &CircuitGraph) -> String {
    let mut text = String::new();
    for (at, variable) in circuit.variables().iter().enumerate() {
        let domain = harmless(&domain(&variable.domain));
        let name = harmless(&variable.name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, " *   {at:>4}  {name}: {domain}");
    }
    text
}

/// What a cell of a domain may hold.
fn domain(domain: &Domain) -> String {
    match domain {
        Domain::Bool => "0 or 1".to_string(),
        Domain::Range { low, high } => format!("an integer from {low} to {}", high - 1),
        Domain::Nat => "an integer from 0 up".to_string(),
        Domain::Real => "a finite number".to_string(),
        Domain::Categories(names) => {
            let listed = names.iter().take(LISTED).enumerate();
            let listed: Vec<String> = listed.map(|(at, name)| format!("{at} {name}")).collect();
            let more = match names.len() > LISTED {
                true => format!(", ... {} in all", names.len()),
                false => String::new(),
            };
            format!("{}{more}", listed.join(", "))
        }
    }
}

/// A text that cannot end the comment that it stands in or the line.
fn harmless(text: &str) -> String {
    let kept = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = text.chars().map(kept).collect();
    text.replace("*/", "* /").replace("/*", "/ *")
}
