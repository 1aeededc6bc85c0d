//! Puts instances in order, or shows the cycle that prevents it.

use super::Lowering;
use pelton_grammar::diagnostic::{Code, Diagnostic};

/// Steps of a cycle that are labelled one by one; longer ones are abridged.
const LABELLED_STEPS: usize = 12;

impl Lowering<'_, '_> {
    /// The instances that `wanted` need, children first; `None` after reporting a cycle.
    pub(super) fn ordered(&mut self, wanted: &[u32]) -> Option<Vec<u32>> {
        let n = self.draft.instances.len();
        let cycle = crate::cycle::find(n, |instance| self.draft.references(instance));
        if let Some(cycle) = cycle {
            self.report_cycle(&cycle);
            return None;
        }
        let mut order = Vec::new();
        let mut seen = vec![false; n];
        for &start in wanted {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            let mut stack = vec![(start, self.draft.references(start as usize).into_iter())];
            while let Some((instance, rest)) = stack.last_mut() {
                match rest.next() {
                    None => {
                        order.push(*instance);
                        stack.pop();
                    }
                    Some((next, _)) => {
                        if !std::mem::replace(&mut seen[next], true) {
                            let references = self.draft.references(next).into_iter();
                            stack.push((next as u32, references));
                        }
                    }
                }
            }
        }
        Some(order)
    }

    fn report_cycle(&mut self, cycle: &[(usize, pelton_grammar::source::Span)]) {
        let name = |at: usize| {
            let instance = &self.draft.instances[cycle[at % cycle.len()].0];
            instance
                .name
                .map_or("the root".to_string(), |name| self.builder.show_name(name))
        };
        let message = match cycle.len() {
            1 => format!("node `{}` refers to itself", name(0)),
            n => format!(
                "{n} nodes refer to each other in a cycle, starting from `{}`",
                name(0)
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::Cycle, cycle[0].1, message).at(format!(
            "`{}` needs `{}`",
            name(0),
            name(1)
        ));
        for (at, &(_, span)) in cycle.iter().enumerate().take(LABELLED_STEPS).skip(1) {
            let text = format!("`{}` needs `{}`", name(at), name(at + 1));
            diagnostic = diagnostic.label(span, text);
        }
        if cycle.len() > LABELLED_STEPS {
            let more = cycle.len() - LABELLED_STEPS;
            diagnostic = diagnostic.note(format!("and {more} more steps back to `{}`", name(0)));
        }
        let diagnostic =
            diagnostic.help("a circuit has no cycles: let one of them end in leaves, for instance by an `if` on the last index");
        self.error(diagnostic);
    }
}
