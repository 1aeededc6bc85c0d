//! Which name means what: every declaration of a program and every mention of one.
//!
//! The index is built from the syntax trees alone, so it is there while a
//! circuit is wrong; names that mean nothing are left out.

mod declare;
mod walk;

use pelton_compiler::load::SourceProgram;
use pelton_grammar::ast::Item;
use pelton_grammar::source::{SourceId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// `var x`
    Variable,
    /// `const K`
    Constant,
    /// `param w`
    Parameter,
    /// `node z`
    Node,
    /// `def f`
    Definition,
    /// `use "…" as lib`: the module, if the file could be read.
    Import(Option<usize>),
    /// An argument of a `def`.
    Argument,
    /// `k in 0..K`
    LoopIndex,
    /// A value of the variable at this position of the declarations.
    Category(usize),
}

impl DeclarationKind {
    pub fn name(self) -> &'static str {
        match self {
            DeclarationKind::Variable => "variable",
            DeclarationKind::Constant => "constant",
            DeclarationKind::Parameter => "parameter",
            DeclarationKind::Node => "node",
            DeclarationKind::Definition => "definition",
            DeclarationKind::Import(_) => "used file",
            DeclarationKind::Argument => "argument",
            DeclarationKind::LoopIndex => "index",
            DeclarationKind::Category(_) => "category",
        }
    }

    /// Whether the name is visible in its whole file and behind a prefix.
    pub fn is_global(self) -> bool {
        !matches!(
            self,
            DeclarationKind::Argument | DeclarationKind::LoopIndex | DeclarationKind::Category(_)
        )
    }
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: String,
    /// Where it is declared, backquotes included.
    pub span: Span,
    pub kind: DeclarationKind,
    pub module: usize,
    /// The statement that declares it, by position in its module.
    pub item_idx: usize,
    /// Where a local name is visible; the statement for others.
    pub visible: Span,
}

/// What a mentioned word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordMeaning {
    /// A declaration, by position.
    Declared(usize),
    /// `normal`
    Distribution,
    /// `exp`
    Function,
    /// `@column`
    Attribute,
    /// `smooth`
    Property,
    /// `simplex`
    ParamKind,
}

/// A word that means something.
#[derive(Clone, Copy, Debug)]
pub struct Mention {
    pub span: Span,
    pub meaning: WordMeaning,
}

/// All declarations and mentions of a program.
#[derive(Debug, Default)]
pub struct ProgramIndex {
    /// Declarations, module by module.
    pub declarations: Vec<Declaration>,
    /// Mentions other than the declarations themselves.
    pub mentions: Vec<Mention>,
}

impl ProgramIndex {
    pub fn of(program: &SourceProgram) -> Self {
        let mut index = ProgramIndex::default();
        let tables = declare::declare_all(program, &mut index);
        walk::walk_all(program, &tables, &mut index);
        index
    }

    /// The word at a cursor and what it means.
    pub fn at(&self, source: SourceId, offset: usize) -> Option<Mention> {
        let is_here = |span: Span| span.source == source && span.touches(offset);
        let declared = self.declarations.iter().enumerate();
        let declared = declared.map(|(at, declaration)| Mention {
            span: declaration.span,
            meaning: WordMeaning::Declared(at),
        });
        let all = declared.chain(self.mentions.iter().copied());
        // Behind one word and before the next, the next is meant.
        all.filter(|mention| is_here(mention.span))
            .max_by_key(|mention| mention.span.start)
    }

    /// The places that mention a declaration, without the declaration itself.
    pub fn mentions_of(&self, declaration: usize) -> impl Iterator<Item = Span> + '_ {
        self.mentions
            .iter()
            .filter(move |mention| mention.meaning == WordMeaning::Declared(declaration))
            .map(|mention| mention.span)
    }

    /// The names visible at a place of a module, locals included.
    pub fn visible(&self, module: usize, place: Span) -> impl Iterator<Item = &Declaration> + '_ {
        self.declarations.iter().filter(move |declaration| {
            let is_local = matches!(
                declaration.kind,
                DeclarationKind::Argument | DeclarationKind::LoopIndex
            );
            let is_around = declaration.visible.touches(place.start as usize);
            declaration.module == module
                && (declaration.kind.is_global() || (is_local && is_around))
        })
    }
}

/// The statement that holds a declaration.
pub fn item_of<'p>(program: &'p SourceProgram, declaration: &Declaration) -> &'p Item {
    &program.modules[declaration.module].file.items[declaration.item_idx]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_compiler::load::{FileLoader, SourceInput, load};
    use pelton_grammar::diagnostic::SourceDiagnostics;

    const TEXT: &str = "const K = 2;\nvar sky : {clear, K};\nvar x[0..K] : bool;\n\
        def f(K, v) = sum t in 0..K { 0.5: v[t] };\n\
        node a[k in 0..K, j in 0..k] = [sky = K] * f(2, x) * x[k] ~ bernoulli(exp(-1));\n\
        root a[1, 0];\n";

    /// The line on which the word at `nth` occurrence of `needle` is declared.
    fn declared_on(needle: &str, nth: usize) -> Option<usize> {
        let input = SourceInput {
            name: "t".into(),
            path: None,
            bytes: TEXT.into(),
        };
        let mut found = SourceDiagnostics::new();
        let program = load(input, &FileLoader, &Default::default(), &mut found);
        assert!(found.is_empty());
        let index = ProgramIndex::of(&program);
        let (at, _) = TEXT.match_indices(needle).nth(nth).unwrap();
        let source = program.modules[0].source;
        match index.at(source, at)?.meaning {
            WordMeaning::Declared(declared) => {
                let span = index.declarations[declared].span;
                Some(program.sources.get(source).line_col(span.start as usize).0)
            }
            _ => None,
        }
    }

    #[test]
    fn inner_names_hide_outer_ones() {
        assert_eq!(declared_on("K] : bool", 0), Some(1));
        assert_eq!(declared_on("K { 0.5", 0), Some(4), "the argument");
        assert_eq!(declared_on("K, j", 0), Some(1));
        assert_eq!(declared_on("k] =", 0), Some(5), "an earlier index");
        assert_eq!(declared_on("v[t]", 0), Some(4));
        assert_eq!(declared_on("t] }", 0), Some(4));
    }

    #[test]
    fn values_of_a_variable_hide_constants() {
        assert_eq!(declared_on("K] * f", 0), Some(2));
        assert_eq!(declared_on("sky = K", 0), Some(2));
        assert_eq!(declared_on("exp", 0), None, "a function");
    }
}
