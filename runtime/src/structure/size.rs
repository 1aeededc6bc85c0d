//! How large a circuit will be, told before its text is written: a short text is soon
//! one of more edges than fit into memory.

use super::{HiddenTreeForm, LARGEST, StructureError, VariableTree};
use crate::data::Schema;
use pelton_compiler::circuit::Domain;
use pelton_grammar::diagnostic::thousands;

pub(super) fn check_hidden(
    schema: &Schema,
    trees: &[VariableTree],
    n_states: usize,
    form: HiddenTreeForm,
) -> Result<(), StructureError> {
    let is_real = |variable: usize| schema.columns[variable].domain == Domain::Real;
    let is_hidden = |tree: &VariableTree, child: usize| {
        !tree.children(child).is_empty() || (form == HiddenTreeForm::Pelton && is_real(child))
    };
    let n_steps = trees.iter().map(|tree| {
        let below = tree.edges().filter(|&(_, child)| is_hidden(tree, child));
        below.count()
    });
    let n_blocks = n_steps.sum::<usize>().saturating_mul(n_states);
    let n_edges = n_blocks
        .saturating_add(trees.len())
        .saturating_mul(n_states);
    check(n_edges, "take fewer hidden states or fewer trees")
}

/// Refuses trees over columns of too many values.
pub(super) fn check_plain(schema: &Schema, trees: &[VariableTree]) -> Result<(), StructureError> {
    let n_values = |variable: usize| {
        let size = schema.columns[variable].domain.size();
        size.map_or(usize::MAX, |size| size as usize)
    };
    let edges = trees.iter().flat_map(VariableTree::edges);
    let n_pairs = edges.map(|(a, b)| n_values(a).saturating_mul(n_values(b)));
    let help = "take fewer trees, or leave out columns of many values";
    check(n_pairs.fold(0, usize::saturating_add), help)
}

fn check(n_edges: usize, help: &str) -> Result<(), StructureError> {
    if n_edges <= LARGEST {
        return Ok(());
    }
    let (n_edges, most) = (thousands(n_edges), thousands(LARGEST));
    Err(StructureError::Circuit(format!(
        "the circuit would be too large: it would have {n_edges} weighted edges, and {most} are \
         the most; {help}"
    )))
}
