//! What each module declares.

use super::constant::ConstantValue;
use super::{LoweringResult, ReportedError};
use crate::circuit::{ParamId, ParamKind, VarId};
use crate::load::SourceProgram;
use pelton_grammar::ast::{
    ConstDecl, Declarator, DefDecl, Item, ItemKind, Name, NodeDecl, ParamDecl, VarDecl,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use pelton_grammar::source::Span;
use rustc_hash::FxHashMap;

/// A declared name: its kind and its position in the table of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Symbol {
    Const(usize),
    Var(usize),
    Param(usize),
    Node(usize),
    Def(usize),
    Module(usize),
}

impl Symbol {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Symbol::Const(_) => "a constant",
            Symbol::Var(_) => "a variable",
            Symbol::Param(_) => "a parameter",
            Symbol::Node(_) => "a node",
            Symbol::Def(_) => "a definition",
            Symbol::Module(_) => "a used file",
        }
    }
}

/// `const K = 3`
pub(super) struct ConstSymbol<'a> {
    pub decl: &'a ConstDecl,
    pub module: usize,
    pub state: ConstState,
}

#[derive(Clone)]
pub(super) enum ConstState {
    Waiting,
    Running,
    Done(LoweringResult<ConstantValue>),
}

/// A variable or array of variables; ids are filled in when it is declared.
pub(super) struct VarSymbol<'a> {
    pub decl: &'a VarDecl,
    pub declarator: &'a Declarator,
    pub item: &'a Item,
    pub module: usize,
    pub array: LoweringResult<SymbolArray<VarId>>,
}

pub(super) struct ParamSymbol<'a> {
    pub decl: &'a ParamDecl,
    pub declarator: &'a Declarator,
    pub item: &'a Item,
    pub module: usize,
    pub kind: ParamKind,
    pub array: LoweringResult<SymbolArray<ParamId>>,
}

/// A node or family of nodes; instances are filled in when it is enumerated.
pub(super) struct NodeSymbol<'a> {
    pub decl: &'a NodeDecl,
    pub item: &'a Item,
    pub module: usize,
    /// Position of each instance in the table of all instances, by indices.
    pub instances: FxHashMap<Box<[i64]>, u32>,
    /// Whether enumerating the indices failed, which was reported.
    pub broken: bool,
}

/// `def f(a) = …`
pub(super) struct DefSymbol<'a> {
    pub decl: &'a DefDecl,
    pub module: usize,
}

/// Members of a rectangular array, the last index running fastest.
#[derive(Clone, Debug)]
pub(super) struct SymbolArray<T> {
    /// Half-open bounds of each dimension.
    pub dims: Vec<(i64, i64)>,
    pub members: Vec<T>,
}

pub(super) enum IndexFault {
    /// There should be this many indices.
    Count(usize),
    /// The index at this position is out of these bounds.
    Range(usize, i64, i64),
}

impl<T: Copy> SymbolArray<T> {
    /// The member at `indices`.
    pub(super) fn get(&self, indices: &[i64]) -> LoweringResult<T, IndexFault> {
        if indices.len() != self.dims.len() {
            return Err(IndexFault::Count(self.dims.len()));
        }
        let mut at = 0usize;
        for (position, (&index, &(low, high))) in indices.iter().zip(&self.dims).enumerate() {
            if index < low || index >= high {
                return Err(IndexFault::Range(position, low, high));
            }
            at = at * (high - low) as usize + (index - low) as usize;
        }
        Ok(self.members[at])
    }
}

#[derive(Default)]
pub(super) struct Symbols<'a> {
    /// For each module, its names.
    pub modules: Vec<FxHashMap<&'a str, Symbol>>,
    pub consts: Vec<ConstSymbol<'a>>,
    pub vars: Vec<VarSymbol<'a>>,
    pub params: Vec<ParamSymbol<'a>>,
    pub nodes: Vec<NodeSymbol<'a>>,
    pub defs: Vec<DefSymbol<'a>>,
    /// Where each symbol was declared, with its statement, for messages and warnings.
    pub places: Vec<(Symbol, &'a Name, &'a Item)>,
}

impl<'a> Symbols<'a> {
    /// Collects the declarations of all modules; a name declared twice in one
    /// module is reported, and its first declaration counts.
    pub(super) fn collect(program: &'a SourceProgram, found: &mut SourceDiagnostics) -> Self {
        let mut symbols = Symbols::default();
        for (module, content) in program.modules.iter().enumerate() {
            symbols.modules.push(FxHashMap::default());
            let mut first_places = FxHashMap::default();
            for item in &content.file.items {
                symbols.collect_item(program, module, item, &mut first_places, found);
            }
        }
        symbols
    }

    fn collect_item(
        &mut self,
        program: &'a SourceProgram,
        module: usize,
        item: &'a Item,
        first_places: &mut FxHashMap<&'a str, Span>,
        found: &mut SourceDiagnostics,
    ) {
        for (name, symbol) in self.symbols_of(program, module, item) {
            if let Some(&first) = first_places.get(name.text.as_str()) {
                let message = format!("`{}` is defined twice", name.text);
                let diagnostic = SourceDiagnostic::new(Code::DefinedTwice, name.span, message)
                    .at("defined again here")
                    .label(first, "first defined here")
                    .help("rename one of them; each name of a file means one thing");
                found.push(diagnostic);
                continue;
            }
            first_places.insert(&name.text, name.span);
            self.modules[module].insert(&name.text, symbol);
            self.places.push((symbol, name, item));
        }
    }

    fn symbols_of(
        &mut self,
        program: &'a SourceProgram,
        module: usize,
        item: &'a Item,
    ) -> Vec<(&'a Name, Symbol)> {
        match &item.kind {
            ItemKind::Const(decl) => {
                self.consts.push(ConstSymbol {
                    decl,
                    module,
                    state: ConstState::Waiting,
                });
                vec![(&decl.name, Symbol::Const(self.consts.len() - 1))]
            }
            ItemKind::Var(decl) => {
                let symbols = decl.names.iter().map(|declarator| {
                    self.vars.push(VarSymbol {
                        decl,
                        declarator,
                        item,
                        module,
                        array: Err(ReportedError),
                    });
                    (&declarator.name, Symbol::Var(self.vars.len() - 1))
                });
                symbols.collect()
            }
            ItemKind::Param(decl) => {
                let symbols = decl.names.iter().map(|declarator| {
                    self.params.push(ParamSymbol {
                        decl,
                        declarator,
                        item,
                        module,
                        kind: ParamKind::Real,
                        array: Err(ReportedError),
                    });
                    (&declarator.name, Symbol::Param(self.params.len() - 1))
                });
                symbols.collect()
            }
            ItemKind::Node(decl) => {
                self.nodes.push(NodeSymbol {
                    decl,
                    item,
                    module,
                    instances: FxHashMap::default(),
                    broken: false,
                });
                vec![(&decl.name, Symbol::Node(self.nodes.len() - 1))]
            }
            ItemKind::Def(decl) => {
                self.defs.push(DefSymbol { decl, module });
                vec![(&decl.name, Symbol::Def(self.defs.len() - 1))]
            }
            ItemKind::Use(decl) => {
                let target = program.modules[module].uses.get(&decl.name.text);
                // A file that could not be read was reported; its prefix is known all the same.
                let target = target.copied().unwrap_or(usize::MAX);
                vec![(&decl.name, Symbol::Module(target))]
            }
            ItemKind::Root(_) | ItemKind::Assert(_) | ItemKind::Query(_) => Vec::new(),
        }
    }
}
