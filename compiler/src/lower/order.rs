//! Puts instances in order, or shows the cycle that prevents it.

use super::Lowering;
use crate::cycle;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};

/// Steps of a cycle that are labelled one by one; longer ones are abridged.
const LABELLED_STEPS: usize = 12;

impl Lowering<'_, '_> {
    /// The instances that `wanted` need, children first; `None` after reporting a cycle.
    pub(super) fn ordered(&mut self, wanted: &[u32]) -> Option<Vec<u32>> {
        let n = self.draft.instances.len();
        // An instance that needs itself has no place in any order.
        if let Some(cycle) = cycle::find(n, |instance| self.draft.references(instance)) {
            self.report_cycle(&cycle);
            return None;
        }
        // Depth first from what is wanted: each instance is built right after what it refers to,
        // and what nobody wants is not built at all.
        let needs = |at: usize| {
            let references = self.draft.references(at).into_iter();
            references.map(|(instance, _)| instance)
        };
        let wanted = wanted.iter().map(|&at| at as usize);
        let order = cycle::children_first(n, wanted, needs).into_iter();
        Some(order.map(|at| at as u32).collect())
    }

    fn report_cycle(&mut self, cycle: &[(usize, pelton_grammar::source::Span)]) {
        let name = |at: usize| {
            let name = self.draft.instances[cycle[at % cycle.len()].0].name;
            name.map_or("the root".to_string(), |name| self.builder.show_name(name))
        };
        let (first, second) = (name(0), name(1));
        let message = match cycle.len() {
            1 => format!("node `{first}` refers to itself"),
            n => format!("{n} nodes refer to each other in a cycle, starting from `{first}`"),
        };
        let mut diagnostic = SourceDiagnostic::new(Code::Cycle, cycle[0].1, message)
            .at(format!("`{first}` needs `{second}`"));
        // The first step is the message's own place, the others explain it.
        for (at, &(_, span)) in cycle.iter().enumerate().take(LABELLED_STEPS).skip(1) {
            let text = format!("`{}` needs `{}`", name(at), name(at + 1));
            diagnostic = diagnostic.label(span, text);
        }
        if cycle.len() > LABELLED_STEPS {
            let more = cycle.len() - LABELLED_STEPS;
            diagnostic = diagnostic.note(format!("and {more} more steps back to `{first}`"));
        }
        self.error(diagnostic.help(
            "a circuit has no cycles: let one of them end in leaves, for instance by an `if` on \
             the last index",
        ));
    }
}
