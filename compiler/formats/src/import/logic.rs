//! What readers of logical circuits share: constants, sums of weight 1, and smoothing.
//!
//! Logical circuits say nothing about weights and are seldom smooth. Every weight is 1,
//! and what a branch does not mention may have any value, so that the mass of the
//! circuit is the number of its models.

use super::units::{Units, too_large};
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{Child, Circuit, Entry, Origin, ParamKind, UnitId};
use pelton_compiler::repair::fill_any;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_grammar::source::Span;

/// What a unit of a logical circuit means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Never true.
    False,
    /// Always true.
    True,
    /// As true as a unit.
    Unit(UnitId),
}

/// All of the parts, which are no constant by themselves if they are units.
pub(super) fn and(
    parts: impl IntoIterator<Item = (Meaning, Span)>,
    units: &mut Units,
    origin: Origin,
) -> Meaning {
    let mut factors: Vec<Child> = Vec::new();
    for (part, span) in parts {
        match part {
            Meaning::False => return Meaning::False,
            Meaning::True => {}
            Meaning::Unit(unit) => factors.push(Child::factor(unit, span)),
        }
    }
    match factors[..] {
        [] => Meaning::True,
        [only] => Meaning::Unit(only.unit),
        _ => Meaning::Unit(units.builder.product(&factors, origin)),
    }
}

/// One of the parts; that no two are true together is for the checks to find out.
pub(super) fn or(
    parts: impl IntoIterator<Item = (Meaning, Span)>,
    units: &mut Units,
    origin: Origin,
) -> Meaning {
    let parts = parts.into_iter();
    let parts: Vec<_> = parts.filter(|(part, _)| *part != Meaning::False).collect();
    if let [] | [_] = parts[..] {
        return parts.first().map_or(Meaning::False, |(part, _)| *part);
    }
    let entries = vec![Entry::fixed(1.0); parts.len()];
    let builder = &mut units.builder;
    let weights = builder.weights(ParamKind::Weights, &entries, origin.span);
    let children = parts.into_iter().zip(weights);
    let children = children.map(|((part, span), weight)| {
        let unit = match part {
            Meaning::Unit(unit) => unit,
            _ => builder.product(&[], Origin::anonymous(span)),
        };
        Child::term(unit, weight, span)
    });
    let children: Vec<Child> = children.collect();
    Meaning::Unit(builder.sum(&children, origin))
}

/// The circuit of a root, smooth over all variables.
pub(super) fn finish(
    root: Meaning,
    mut units: Units,
    context: &Context,
    mut notes: Vec<String>,
) -> Result<Imported, Fault> {
    let span = context.source.span();
    let root = match root {
        Meaning::Unit(unit) => unit,
        Meaning::True => units.builder.product(&[], Origin::anonymous(span.before())),
        Meaning::False => {
            let message = "the circuit is false: it has no model, so it is no distribution";
            return Err(Fault::whole(message));
        }
    };
    let circuit = fill_any(units.builder.finish(root), context.max_size);
    let circuit = circuit.ok_or_else(|| {
        too_large(span.before(), context.max_size)
            .help("filling in what branches do not mention makes it that large; `--max-size` sets the limit")
    })?;
    notes.push(counts(&circuit));
    Ok(Imported { circuit, notes })
}

/// The note on what the circuit counts.
pub(super) fn counts(circuit: &Circuit) -> String {
    let n = circuit.variables().len();
    format!(
        "the circuit is logical: weights are 1, and variables that a branch does not mention may \
         have any value, so that its mass is the number of models over {}",
        match n {
            1 => counted(1, "variable", "variables"),
            _ => format!("{} variables", thousands(n)),
        }
    )
}
