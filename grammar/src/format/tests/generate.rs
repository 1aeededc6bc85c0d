//! Random trees of the shapes that the parser gives.
//!
//! A tree is drawn from a list of numbers, so that proptest can shrink it; when
//! the list is used up every choice is the first one, which is always small.

use crate::ast::*;
use crate::source::Span;

/// Draws choices from a list.
pub(super) struct Dice<'c> {
    choices: &'c [u32],
}

const NAMES: &[&str] = &[
    "a",
    "rain",
    "x_1",
    "in",
    "root",
    "very long name with blanks",
    "größe",
    "0x",
    "bool",
    "é",
    "/*",
    "//",
];
const NUMBERS: &[&str] = &["0", "1", "0.3", "12", "1e-5", "2.50E+3", "007", "inf"];
const TEXTS: &[&str] = &[
    "",
    "text",
    "a \"b\" \\ c",
    "line\nline\ttab",
    "; // no /* comment */",
    "ü",
];
const DOCS: &[&str] = &[
    "",
    "text",
    " indented",
    "/ slash",
    "/* no comment */",
    "`x`; y",
];

impl<'c> Dice<'c> {
    pub(super) fn new(choices: &'c [u32]) -> Self {
        Dice { choices }
    }

    /// A number below `n`.
    pub(super) fn pick(&mut self, n: usize) -> usize {
        let Some((&first, rest)) = self.choices.split_first() else {
            return 0;
        };
        self.choices = rest;
        first as usize % n
    }

    fn flip(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn one_of(&mut self, list: &[&str]) -> String {
        list[self.pick(list.len())].to_string()
    }

    fn many<T>(&mut self, least: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let n = least + [0, 1, 2, 9][self.pick(4)];
        (0..n).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flip().then(|| make(self))
    }

    pub(super) fn file(&mut self) -> FileSyntax {
        let n = 1 + self.pick(4);
        FileSyntax {
            items: (0..n).map(|_| self.item()).collect(),
            broken: Vec::new(),
            comments: Vec::new(),
            span: Span::default(),
        }
    }

    fn item(&mut self) -> Item {
        let n_docs = self.pick(3);
        let n_attributes = self.pick(3);
        Item {
            docs: (0..n_docs)
                .map(|_| Comment {
                    text: self.one_of(DOCS),
                    span: Span::default(),
                })
                .collect(),
            attributes: (0..n_attributes).map(|_| self.attribute()).collect(),
            kind: self.statement(),
            span: Span::default(),
        }
    }

    fn attribute(&mut self) -> Attribute {
        Attribute {
            name: self.name(),
            args: self.many(0, |d| d.expr(1)),
            span: Span::default(),
        }
    }

    fn statement(&mut self) -> ItemKind {
        const DEPTH: usize = 4;
        match self.pick(9) {
            0 => ItemKind::Root(RootDecl {
                body: self.expr(DEPTH),
                keyword: Span::default(),
            }),
            1 => ItemKind::Var(VarDecl {
                names: self.many(1, Self::declarator),
                domain: self.domain(),
            }),
            2 => ItemKind::Const(ConstDecl {
                name: self.name(),
                value: self.expr(DEPTH),
            }),
            3 => ItemKind::Param(ParamDecl {
                names: self.many(1, Self::declarator),
                kind: self.name(),
                size: self.maybe(|d| d.expr(2)),
                value: self.maybe(|d| d.expr(DEPTH)),
            }),
            4 => self.node_decl(DEPTH),
            5 => ItemKind::Def(DefDecl {
                name: self.name(),
                args: self.many(0, Self::name),
                body: self.expr(DEPTH),
            }),
            6 => ItemKind::Use(UseDecl {
                path: self.one_of(TEXTS),
                path_span: Span::default(),
                name: self.name(),
            }),
            7 => ItemKind::Assert(AssertDecl {
                target: self.maybe(|d| d.path(2)),
                properties: self.many(1, Self::name),
            }),
            _ => ItemKind::Query(QueryDecl {
                kind: self.name(),
                events: self.many(0, |d| d.expr(2)),
                given: self.many(0, |d| d.expr(2)),
                span: Span::default(),
            }),
        }
    }

    fn node_decl(&mut self, depth: usize) -> ItemKind {
        let binders = self.many(0, |d| d.binder(2));
        let filter = if binders.is_empty() {
            None
        } else {
            self.maybe(|d| d.expr(2))
        };
        ItemKind::Node(NodeDecl {
            name: self.name(),
            binders,
            filter,
            body: self.expr(depth),
        })
    }

    fn name(&mut self) -> Name {
        Name {
            text: self.one_of(NAMES),
            span: Span::default(),
        }
    }

    fn declarator(&mut self) -> Declarator {
        Declarator {
            name: self.name(),
            dims: self.many(0, |d| d.expr(2)),
        }
    }

    fn domain(&mut self) -> DomainSyntax {
        let kind = match self.pick(5) {
            0 => DomainKind::Bool,
            1 => DomainKind::Real,
            2 => DomainKind::Nat,
            3 => DomainKind::Categories(self.many(1, |d| Name {
                text: if d.flip() {
                    d.one_of(NAMES)
                } else {
                    d.one_of(TEXTS)
                },
                span: Span::default(),
            })),
            _ => DomainKind::Range(Box::new(self.plain_range())),
        };
        DomainSyntax {
            kind,
            span: Span::default(),
        }
    }

    /// A range that begins with no bracket: the grammar takes brackets for sets and intervals.
    fn plain_range(&mut self) -> Expr {
        let low = self.arithmetic();
        if self.flip() {
            low
        } else {
            made(ExprKind::Range(Box::new(low), Box::new(self.arithmetic())))
        }
    }

    /// `x`, `t + 1`: an operand that no `in` behind it can be taken into.
    fn arithmetic(&mut self) -> Expr {
        let atom = |d: &mut Self| {
            if d.flip() {
                made(ExprKind::Ref(d.path(1)))
            } else {
                d.number()
            }
        };
        let first = atom(self);
        if self.flip() {
            let terms = [first, atom(self)]
                .into_iter()
                .enumerate()
                .map(|(idx, body)| TermSyntax {
                    negative: idx > 0 && self.flip(),
                    weight: None,
                    body,
                    span: Span::default(),
                });
            made(ExprKind::Sum(terms.collect()))
        } else {
            first
        }
    }

    fn binder(&mut self, depth: usize) -> Binder {
        Binder {
            name: self.name(),
            domain: self.range(depth),
        }
    }

    fn path(&mut self, depth: usize) -> PathSyntax {
        let indices = match depth {
            0 => Vec::new(),
            _ => self.many(0, |d| d.expr(depth - 1)),
        };
        PathSyntax {
            qualifier: self.maybe(Self::name),
            name: self.name(),
            indices,
            span: Span::default(),
        }
    }

    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        match self.pick(8) {
            1 => made(ExprKind::Or(self.many(2, |d| d.conjunction(depth)))),
            _ => self.conjunction(depth),
        }
    }

    fn conjunction(&mut self, depth: usize) -> Expr {
        match self.pick(8) {
            1 => made(ExprKind::And(self.many(2, |d| d.comparison(depth)))),
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        if self.pick(5) != 1 {
            return self.range(depth);
        }
        let first = self.arithmetic();
        let rest = self.many(1, |d| d.comparison_tail(depth));
        made(ExprKind::Compare(Box::new(first), rest))
    }

    fn comparison_tail(&mut self, depth: usize) -> (CompareOp, Expr) {
        use CompareOp::*;
        match [Eq, Ne, Lt, Le, Gt, Ge, In][self.pick(7)] {
            In => (In, self.region(depth)),
            op => (op, self.arithmetic()),
        }
    }

    fn region(&mut self, depth: usize) -> Expr {
        match self.pick(3) {
            0 => self.plain_range(),
            1 => made(ExprKind::Set(
                self.many(0, |d| d.expr(depth.saturating_sub(1))),
            )),
            _ => made(ExprKind::Interval(Interval {
                low: Box::new(self.expr(depth.saturating_sub(1))),
                low_closed: self.flip(),
                high: Box::new(self.expr(depth.saturating_sub(1))),
                high_closed: self.flip(),
            })),
        }
    }

    fn range(&mut self, depth: usize) -> Expr {
        match self.pick(6) {
            1 => made(ExprKind::Range(
                Box::new(self.sum(depth)),
                Box::new(self.sum(depth)),
            )),
            _ => self.sum(depth),
        }
    }

    fn sum(&mut self, depth: usize) -> Expr {
        if self.pick(3) != 1 {
            return self.product(depth);
        }
        let terms = self.many(1, |d| TermSyntax {
            negative: d.flip(),
            weight: d.maybe(|d| d.product(depth)),
            body: d.product(depth),
            span: Span::default(),
        });
        sum_of(terms)
    }

    fn product(&mut self, depth: usize) -> Expr {
        if self.pick(3) != 1 {
            return self.unary(depth);
        }
        let mut factors = self.many(2, |d| FactorSyntax {
            op: [FactorOp::Mul, FactorOp::Div, FactorOp::Rem][d.pick(3)],
            expr: d.unary(depth),
        });
        factors[0].op = FactorOp::Mul;
        made(ExprKind::Product(factors))
    }

    fn unary(&mut self, depth: usize) -> Expr {
        match self.pick(6) {
            1 => made(ExprKind::Not(Box::new(self.power(depth)))),
            2 => made(ExprKind::Neg(Box::new(self.power(depth)))),
            _ => self.power(depth),
        }
    }

    fn power(&mut self, depth: usize) -> Expr {
        match self.pick(8) {
            1 => {
                let exponent = if self.flip() {
                    made(ExprKind::Neg(Box::new(self.primary(depth))))
                } else {
                    self.primary(depth)
                };
                made(ExprKind::Power(
                    Box::new(self.primary(depth)),
                    Box::new(exponent),
                ))
            }
            _ => self.primary(depth),
        }
    }

    fn primary(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.atom();
        }
        let depth = depth - 1;
        made(match self.pick(14) {
            0 | 1 => return self.atom(),
            2 | 3 => ExprKind::Leaf(self.leaf(depth)),
            4 => ExprKind::Call(self.path(depth), self.many(0, |d| d.expr(depth))),
            5 => ExprKind::Learned(Some(Box::new(self.start(depth)))),
            6 => return parenthesized(made(ExprKind::Learned(None))),
            7 | 8 => ExprKind::Repeat(Repeat {
                kind: [RepeatKind::Sum, RepeatKind::Prod][self.pick(2)],
                binders: self.many(1, |d| d.binder(depth)),
                filter: self.maybe(|d| Box::new(d.expr(depth))),
                body: Box::new(self.expr(depth)),
            }),
            9 | 10 => ExprKind::If(If {
                branches: self.many(1, |d| (d.expr(depth), d.expr(depth))),
                otherwise: self.maybe(|d| Box::new(d.expr(depth))),
            }),
            11 => bracket(self.many(0, |d| d.expr(depth))),
            12 => ExprKind::Set(self.many(0, |d| d.expr(depth))),
            _ => return parenthesized(self.expr(depth)),
        })
    }

    fn atom(&mut self) -> Expr {
        made(match self.pick(6) {
            0 | 1 => ExprKind::Ref(self.path(0)),
            2 => ExprKind::Ref(self.path(1)),
            3 => ExprKind::Text(self.one_of(TEXTS)),
            4 => ExprKind::Bool(self.flip()),
            _ => return self.number(),
        })
    }

    fn number(&mut self) -> Expr {
        let text = self.one_of(NUMBERS);
        let value = match text.parse() {
            Ok(int) => NumberValue::Int(int),
            Err(_) => NumberValue::Real(text.parse().expect("the table holds numbers")),
        };
        made(ExprKind::Number(NumberLiteral { text, value }))
    }

    fn start(&mut self, depth: usize) -> Expr {
        let value = match self.pick(3) {
            0 => self.number(),
            1 => made(bracket(self.many(0, |d| d.expr(depth)))),
            _ => parenthesized(self.expr(depth)),
        };
        if self.flip() {
            made(ExprKind::Neg(Box::new(value)))
        } else {
            value
        }
    }

    fn leaf(&mut self, depth: usize) -> LeafSyntax {
        let truncation = self.maybe(|d| match d.region(depth) {
            region @ Expr {
                kind: ExprKind::Set(_) | ExprKind::Interval(_),
                ..
            } => region,
            // The bounds of a truncation have no operators of their own.
            _ => made(ExprKind::Range(Box::new(d.number()), Box::new(d.atom()))),
        });
        LeafSyntax {
            variable: self.path(depth),
            family: self.name(),
            args: self.many(0, |d| d.expr(depth)),
            truncation: truncation.map(Box::new),
        }
    }
}

fn made(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

fn parenthesized(expr: Expr) -> Expr {
    made(ExprKind::Paren(Box::new(expr)))
}

/// What the parser makes of a bracket: one test is an indicator.
fn bracket(mut list: Vec<Expr>) -> ExprKind {
    let is_test = |expr: &Expr| {
        matches!(
            expr.kind,
            ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_)
        )
    };
    if list.len() == 1 && is_test(&list[0]) {
        ExprKind::Indicator(Box::new(list.remove(0)))
    } else {
        ExprKind::List(list)
    }
}

fn sum_of(mut terms: Vec<TermSyntax>) -> Expr {
    terms[0].negative = false;
    if terms.len() == 1 && terms[0].weight.is_none() {
        terms.remove(0).body
    } else {
        made(ExprKind::Sum(terms))
    }
}
