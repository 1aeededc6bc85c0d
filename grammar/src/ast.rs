//! The syntax tree: what the author wrote, with a span on every node.
//!
//! Chains (`a + b + c`, `a * b`, comparisons, `else if`) are flat lists, so
//! the depth of a tree is the depth of the author's brackets and a sum of a
//! million written terms is not a million levels deep.

use crate::source::Span;

/// One source file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSyntax {
    /// Statements in the order written; broken ones are left out.
    pub items: Vec<Item>,
    /// Places of statements that could not be read; they were reported.
    pub broken: Vec<Span>,
    /// Ordinary comments, which the formatter keeps; `///` lines are in [`Item::docs`].
    pub comments: Vec<Comment>,
    /// The whole text.
    pub span: Span,
}

/// A comment: an ordinary one, `//` or `/* */`, or a `///` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// An ordinary comment with its marks, without a line comment's newline.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A statement with what stands before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// `///` lines, each without its marks and one leading blank.
    pub docs: Vec<Comment>,
    /// `@name(args)`.
    pub attributes: Vec<Attribute>,
    /// The statement itself.
    pub kind: ItemKind,
    /// From the first attribute or keyword to the `;`, doc comments left out.
    pub span: Span,
}

/// `@column("h_cm")`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The word behind `@`.
    pub name: Name,
    /// What stands in parentheses.
    pub args: Vec<Expr>,
    /// From `@` to the end.
    pub span: Span,
}

/// The statements of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `var rain, wet : bool;`
    Var(VarDecl),
    /// `const K = 3;`
    Const(ConstDecl),
    /// `param w : simplex(K) = ?;`
    Param(ParamDecl),
    /// `node z[t in 0..T] = …;`
    Node(NodeDecl),
    /// `root expr;`
    Root(RootDecl),
    /// `def f(a, b) = expr;`
    Def(DefDecl),
    /// `use "lib.pcirc" as lib;`
    Use(UseDecl),
    /// `assert root is smooth;`
    Assert(AssertDecl),
    /// `query P(rain | wet);`
    Query(QueryDecl),
}

/// An identifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name, without the backquotes that may surround it in the text.
    pub text: String,
    /// Its place, backquotes included.
    pub span: Span,
}

/// A name with the extents of an array: `x[0..T, 0..K]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The declared name.
    pub name: Name,
    /// One range for each dimension; none for a scalar.
    pub dims: Vec<Expr>,
}

/// `var NAME, … : DOMAIN`
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// What is declared.
    pub names: Vec<Declarator>,
    /// The domain all of them share.
    pub domain: DomainSyntax,
}

/// The values a variable can take.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainSyntax {
    /// Which kind.
    pub kind: DomainKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of domains.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainKind {
    /// `bool`
    Bool,
    /// `real`
    Real,
    /// `nat`
    Nat,
    /// `{clear, cloudy, "very stormy"}`
    Categories(Vec<Name>),
    /// `0..256`, or anything else that is not a domain and is reported when lowered
    Range(Box<Expr>),
}

/// `const NAME = EXPR`
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDecl {
    /// The constant.
    pub name: Name,
    /// Its value unless `-D` overrides it.
    pub value: Expr,
}

/// `param NAME, … : KIND = VALUE`
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDecl {
    /// What is declared.
    pub names: Vec<Declarator>,
    /// `simplex`, `unit`, `positive` or `real`; other words are reported when lowered.
    pub kind: Name,
    /// The size in `simplex(K)`.
    pub size: Option<Expr>,
    /// `?`, `?start`, a fixed value, or a (nested) list of values; nothing means `?`.
    pub value: Option<Expr>,
}

/// `node NAME[BINDERS where FILTER] = BODY`
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDecl {
    /// The node or family of nodes.
    pub name: Name,
    /// The indices of a family.
    pub binders: Vec<Binder>,
    /// Which index tuples exist.
    pub filter: Option<Expr>,
    /// What each instance is.
    pub body: Expr,
}

/// `k in 0..K`
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The index.
    pub name: Name,
    /// The range or list it runs over.
    pub domain: Expr,
}

/// `root EXPR`
#[derive(Clone, Debug, PartialEq)]
pub struct RootDecl {
    /// The circuit's root.
    pub body: Expr,
    /// The word `root`.
    pub keyword: Span,
}

/// `def NAME(ARGS) = BODY`
#[derive(Clone, Debug, PartialEq)]
pub struct DefDecl {
    /// The definition.
    pub name: Name,
    /// Its formal arguments.
    pub args: Vec<Name>,
    /// What a call stands for.
    pub body: Expr,
}

/// `use "PATH" as NAME`
#[derive(Clone, Debug, PartialEq)]
pub struct UseDecl {
    /// The file, relative to this one.
    pub path: String,
    /// The place of the path.
    pub path_span: Span,
    /// The prefix for its names.
    pub name: Name,
}

/// `assert TARGET is PROPERTY, …`
#[derive(Clone, Debug, PartialEq)]
pub struct AssertDecl {
    /// What is asserted about; none means `root`.
    pub target: Option<PathSyntax>,
    /// Property names; unknown ones are reported when lowered.
    pub properties: Vec<Name>,
}

/// `query P(rain | wet)`
#[derive(Clone, Debug, PartialEq)]
pub struct QueryDecl {
    /// What is asked, such as `P`.
    pub kind: Name,
    /// Events or variables before the bar.
    pub events: Vec<Expr>,
    /// Evidence behind the bar.
    pub given: Vec<Expr>,
    /// From the kind to the closing parenthesis.
    pub span: Span,
}

/// `lib.name[i, j]`
#[derive(Clone, Debug, PartialEq)]
pub struct PathSyntax {
    /// The `use` prefix.
    pub qualifier: Option<Name>,
    /// The name.
    pub name: Name,
    /// Indices in brackets.
    pub indices: Vec<Expr>,
    /// The whole path.
    pub span: Span,
}

/// An expression. Circuits, constants, weights and conditions share one
/// grammar; lowering knows which of them a place needs and says so in words
/// rather than by a syntax error.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which kind.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `0.3`, `12`, `1e-5`, `inf`
    Number(NumberLiteral),
    /// `"text"`
    Text(String),
    /// `true`, `false`
    Bool(bool),
    /// `rain`, `w[k]`, `lib.mix`
    Ref(PathSyntax),
    /// `f(a, b)`, `exp(-1.2)`
    Call(PathSyntax, Vec<Expr>),
    /// `?` or `?0.3`
    Learned(Option<Box<Expr>>),
    /// `!rain`
    Not(Box<Expr>),
    /// `-x`
    Neg(Box<Expr>),
    /// `0.3: a + 0.7: b`, `t + 1`; at least two terms, or one with a weight
    Sum(Vec<TermSyntax>),
    /// `a * b`, `1/3`; at least two factors
    Product(Vec<FactorSyntax>),
    /// `2 ^ n`
    Power(Box<Expr>, Box<Expr>),
    /// `10 <= temp < 20`, `sky in {a, b}`; at least one comparison
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `a && b`
    And(Vec<Expr>),
    /// `a || b`
    Or(Vec<Expr>),
    /// `0..K`
    Range(Box<Expr>, Box<Expr>),
    /// `[1, 2, 3]`
    List(Vec<Expr>),
    /// `[sky = storm]`: brackets around one comparison
    Indicator(Box<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `[10, 20)`
    Interval(Interval),
    /// `x ~ normal(0, 1) in [0, 5)`
    Leaf(LeafSyntax),
    /// `sum k in 0..K where … { … }` and `prod`
    Repeat(Repeat),
    /// `if … { … } else { … }`
    If(If),
    /// `( … )`
    Paren(Box<Expr>),
}

/// A numeric literal.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberLiteral {
    /// As written.
    pub text: String,
    /// What it means.
    pub value: NumberValue,
}

/// The value of a numeric literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberValue {
    /// Without point or exponent.
    Int(i64),
    /// With point or exponent, or `inf`.
    Real(f64),
}

/// A term of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct TermSyntax {
    /// Whether `-` stands before it.
    pub negative: bool,
    /// What stands before the colon.
    pub weight: Option<Expr>,
    /// The term itself.
    pub body: Expr,
    /// From the weight to the end of the body.
    pub span: Span,
}

/// A factor of a product with the operator before it (`Mul` for the first).
#[derive(Clone, Debug, PartialEq)]
pub struct FactorSyntax {
    /// How it is joined to what stands before.
    pub op: FactorOp,
    /// The factor.
    pub expr: Expr,
}

/// Operators between factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `=` or `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
}

/// `[10, 20)`: an interval of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: Box<Expr>,
    /// Whether the lower end belongs to it.
    pub low_closed: bool,
    /// Upper end.
    pub high: Box<Expr>,
    /// Whether the upper end belongs to it.
    pub high_closed: bool,
}

/// `x ~ normal(0, 1) in [0, 5)`
#[derive(Clone, Debug, PartialEq)]
pub struct LeafSyntax {
    /// The variable.
    pub variable: PathSyntax,
    /// The distribution's name.
    pub family: Name,
    /// The distribution's arguments.
    pub args: Vec<Expr>,
    /// What it is truncated to: a set, an interval or a range.
    pub truncation: Option<Box<Expr>>,
}

/// Which repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatKind {
    /// `sum`
    Sum,
    /// `prod`
    Prod,
}

/// `sum k in 0..K where k != 2 { w[k]: a[k] }`
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// `sum` or `prod`.
    pub kind: RepeatKind,
    /// Indices, the last one running fastest.
    pub binders: Vec<Binder>,
    /// Which index tuples count.
    pub filter: Option<Box<Expr>>,
    /// What is repeated.
    pub body: Box<Expr>,
}

/// `if … { … } else if … { … } else { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// Conditions with what they guard, in order.
    pub branches: Vec<(Expr, Expr)>,
    /// The last `else`.
    pub otherwise: Option<Box<Expr>>,
}

impl Expr {
    /// The expression inside any parentheses.
    pub fn unparenthesized(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}

impl CompareOp {
    /// The operator as the formatter writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            CompareOp::Eq => "=",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::In => "in",
        }
    }
}

impl FactorOp {
    /// The operator as written.
    pub fn as_str(self) -> &'static str {
        match self {
            FactorOp::Mul => "*",
            FactorOp::Div => "/",
            FactorOp::Rem => "%",
        }
    }
}
