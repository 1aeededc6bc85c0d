//! What readers of logical circuits share: constants, sums of weight 1, and smoothing.
//!
//! Logical circuits say nothing about weights and are seldom smooth. Every weight is 1,
//! and what a branch does not mention may have any value, so that the mass of the
//! circuit is the number of its models.

use super::units::{FileUnits, too_large};
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    ChildEdge, CircuitGraph, ParamKind, ParameterEntry, SourceOrigin, UnitId,
};
use pelton_compiler::repair::fill_any;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use pelton_grammar::source::Span;

/// What a unit of a logical circuit means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogicMeaning {
    /// Never true.
    False,
    /// Always true.
    True,
    /// As true as a unit.
    Unit(UnitId),
}

/// All of the parts, which are no constant by themselves if they are units.
pub(super) fn and(
    parts: impl IntoIterator<Item = (LogicMeaning, Span)>,
    units: &mut FileUnits,
    origin: SourceOrigin,
) -> LogicMeaning {
    let mut factors: Vec<ChildEdge> = Vec::new();
    for (part, span) in parts {
        match part {
            LogicMeaning::False => return LogicMeaning::False,
            LogicMeaning::True => {}
            LogicMeaning::Unit(unit) => factors.push(ChildEdge::factor(unit, span)),
        }
    }
    match factors[..] {
        [] => LogicMeaning::True,
        [only] => LogicMeaning::Unit(only.unit),
        _ => LogicMeaning::Unit(units.builder.product(&factors, origin)),
    }
}

/// One of the parts; that no two are true together is for the checks to find out.
pub(super) fn or(
    parts: impl IntoIterator<Item = (LogicMeaning, Span)>,
    units: &mut FileUnits,
    origin: SourceOrigin,
) -> LogicMeaning {
    let parts = parts.into_iter();
    let parts: Vec<_> = parts
        .filter(|(part, _)| *part != LogicMeaning::False)
        .collect();
    if let [] | [_] = parts[..] {
        return parts.first().map_or(LogicMeaning::False, |(part, _)| *part);
    }
    let entries = vec![ParameterEntry::fixed(1.0); parts.len()];
    let builder = &mut units.builder;
    let weights = builder.weights(ParamKind::Weights, &entries, origin.span);
    let children = parts.into_iter().zip(weights);
    let children = children.map(|((part, span), weight)| {
        let unit = match part {
            LogicMeaning::Unit(unit) => unit,
            _ => builder.product(&[], SourceOrigin::anonymous(span)),
        };
        ChildEdge::term(unit, weight, span)
    });
    let children: Vec<ChildEdge> = children.collect();
    LogicMeaning::Unit(builder.sum(&children, origin))
}

/// The circuit of a root, smooth over all variables.
pub(super) fn finish(
    root: LogicMeaning,
    mut units: FileUnits,
    context: &ImportContext,
    mut notes: Vec<String>,
) -> Result<ImportedCircuit, ImportError> {
    let span = context.source.span();
    let root = match root {
        LogicMeaning::Unit(unit) => unit,
        LogicMeaning::True => units
            .builder
            .product(&[], SourceOrigin::anonymous(span.before())),
        LogicMeaning::False => {
            let message = "the circuit is false: it has no model, so it is no distribution";
            return Err(ImportError::whole(message));
        }
    };
    let circuit = fill_any(units.builder.finish(root), context.max_size);
    let circuit = circuit.ok_or_else(|| {
        let help = "filling in what branches do not mention makes it that large";
        let help = RemedyText::from(help).also(RemedyOption::RaiseSizeLimit);
        too_large(span.before(), context.max_size).help(help)
    })?;
    notes.push(counts(&circuit));
    Ok(ImportedCircuit { circuit, notes })
}

/// The note on what the circuit counts.
pub(super) fn counts(circuit: &CircuitGraph) -> String {
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
