//! Names bound twice in one place: indices of a node or loop, arguments of a definition.

use super::Lowering;
use pelton_grammar::ast::{Expr, ExprKind, Item, ItemKind, Name};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};

impl Lowering<'_, '_> {
    /// Reports them: the second would hide the first without a word.
    pub(super) fn report_names_bound_twice(&mut self) {
        for item in self.program.items() {
            for_each_list(item, &mut |names| self.report_repeated(names));
        }
    }

    fn report_repeated(&mut self, names: &[&Name]) {
        for (at, name) in names.iter().enumerate() {
            let Some(first) = names[..at].iter().find(|other| other.text == name.text) else {
                continue;
            };
            let message = format!("`{}` is bound twice", name.text);
            let diagnostic = SourceDiagnostic::new(Code::DefinedTwice, name.span, message)
                .at("bound again here")
                .label(first.span, "first bound here")
                .help("give each index or argument a name of its own");
            self.error(diagnostic);
        }
    }
}

/// Visits the names that are bound together, for every such place of a statement.
fn for_each_list<'a>(item: &'a Item, visit: &mut dyn FnMut(&[&'a Name])) {
    let body = match &item.kind {
        ItemKind::Node(decl) => {
            let names: Vec<&Name> = decl.binders.iter().map(|binder| &binder.name).collect();
            visit(&names);
            &decl.body
        }
        ItemKind::Def(decl) => {
            visit(&decl.args.iter().collect::<Vec<_>>());
            &decl.body
        }
        ItemKind::Root(decl) => &decl.body,
        _ => return,
    };
    in_expression(body, visit);
}

fn in_expression<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&[&'a Name])) {
    super::with_stack(|| {
        if let ExprKind::Repeat(repeat) = &expr.kind {
            let names: Vec<&Name> = repeat.binders.iter().map(|binder| &binder.name).collect();
            visit(&names);
        }
        expr.for_each_child(&mut |child| in_expression(child, visit));
    });
}
