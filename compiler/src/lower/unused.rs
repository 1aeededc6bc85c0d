//! Names that are declared and never used.

use super::Lowering;
use super::symbols::Symbol;
use pelton_grammar::ast::{Item, Name};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};

impl Lowering<'_, '_> {
    /// Warns of everything in the given file that nothing refers to. Used files
    /// are libraries: what this circuit does not need of them is no fault.
    pub(super) fn report_unused(&mut self) {
        // After errors much is unused only because what would use it is broken.
        if self.found.has_errors() {
            return;
        }
        let places = self.symbols.places.iter();
        let unused = places.filter(|(symbol, name, _)| self.is_unused(*symbol, name));
        let warnings = unused.map(|(symbol, name, item)| warning(*symbol, name, item));
        let warnings: Vec<SourceDiagnostic> = warnings.collect();
        warnings
            .into_iter()
            .for_each(|warning| self.found.push(warning));
    }

    fn is_unused(&self, symbol: Symbol, name: &Name) -> bool {
        let here = name.span.source == self.program.modules[0].source;
        let used = match symbol {
            Symbol::Module(_) => self.used_prefixes.contains(&(0, name.text.clone())),
            _ => self.used.contains(&symbol),
        };
        here && !used && !name.text.starts_with('_')
    }
}

fn warning(symbol: Symbol, name: &Name, item: &Item) -> SourceDiagnostic {
    let (code, what) = match symbol {
        Symbol::Node(_) => (Code::UnusedNode, "node"),
        Symbol::Param(_) => (Code::UnusedParameter, "parameter"),
        Symbol::Var(_) => (Code::UnusedVariable, "variable"),
        Symbol::Const(_) => (Code::UnusedName, "constant"),
        Symbol::Def(_) => (Code::UnusedName, "definition"),
        Symbol::Module(_) => (Code::UnusedName, "import"),
    };
    let message = format!("{what} `{}` is never used", name.text);
    let diagnostic = SourceDiagnostic::new(code, name.span, message).at("nothing refers to it");
    let diagnostic = match symbol {
        Symbol::Var(_) => diagnostic
            .note("the circuit says nothing about it, and data columns of that name are ignored"),
        _ => diagnostic,
    };
    let attribute = format!("@allow({}) ", code.name());
    diagnostic.suggest("if this is meant, say so", item.span.before(), attribute)
}
