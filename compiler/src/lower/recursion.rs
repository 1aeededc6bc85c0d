//! Definitions that expand into each other without end.

use super::Lowering;
use super::symbols::Symbol;
use pelton_grammar::ast::{Expr, ExprKind, PathSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

impl Lowering<'_, '_> {
    /// Reports the first cycle of calls; expansion could not end.
    pub(super) fn report_recursive_definitions(&mut self) {
        let n = self.symbols.defs.len();
        let Some(cycle) = crate::cycle::find(n, |def| self.calls_of(def)) else {
            return;
        };
        let name = |at: usize| {
            let (def, _) = cycle[at % cycle.len()];
            self.symbols.defs[def].decl.name.text.as_str()
        };
        let calls = |at| format!("`{}` calls `{}`", name(at), name(at + 1));
        let message = format!("the definition `{}` expands into itself", name(0));
        let mut diagnostic =
            SourceDiagnostic::new(Code::DefCycle, cycle[0].1, message).at(calls(0));
        for (at, &(_, span)) in cycle.iter().enumerate().skip(1).take(12) {
            diagnostic = diagnostic.label(span, calls(at));
        }
        self.error(diagnostic.help(
            "definitions cannot be recursive; use an indexed node, `node f[n in 0..N] = …`, whose instances refer to each other",
        ));
        // Their bodies must not be expanded any more.
        self.recursive = cycle.iter().map(|&(def, _)| def).collect();
    }

    /// The definitions a definition calls, with the places of the calls.
    fn calls_of(&self, def: usize) -> Vec<(usize, Span)> {
        let symbol = &self.symbols.defs[def];
        let mut calls = Vec::new();
        visit_calls(&symbol.decl.body, &mut |path| {
            let is_argument = symbol
                .decl
                .args
                .iter()
                .any(|arg| arg.text == path.name.text);
            // The name may be that of an argument, of this file or of a used one.
            let module = match &path.qualifier {
                None if is_argument => return,
                None => symbol.module,
                Some(prefix) => match self.symbols.modules[symbol.module].get(&*prefix.text) {
                    Some(&Symbol::Module(target)) => target,
                    _ => return,
                },
            };
            let names = self.symbols.modules.get(module);
            if let Some(&Symbol::Def(id)) = names.and_then(|n| n.get(path.name.text.as_str())) {
                calls.push((id, path.span));
            }
        });
        calls
    }
}

fn visit_calls(expr: &Expr, visit: &mut dyn FnMut(&PathSyntax)) {
    super::with_stack(|| {
        if let ExprKind::Call(path, _) = &expr.kind {
            visit(path);
        }
        expr.for_each_child(&mut |child| visit_calls(child, visit));
    });
}
