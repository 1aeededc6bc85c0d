//! From statements and expressions to calls of the emitter's methods.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprForLoop, ExprIf, Ident, Local, Pat, Stmt, Type, UnOp,
};

/// Tokens whose own names cannot meet those of the function.
macro_rules! code {
    ($($token:tt)*) => { ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($token)*) };
}
pub(crate) use code;

/// Methods of numbers and pointers, and what the emitter calls them.
pub(crate) const METHODS: [(&str, &str); 15] = [
    ("abs", "abs"),
    ("add", "offset"),
    ("cast", "cast_pointer"),
    ("exp", "exp"),
    ("is_finite", "is_finite"),
    ("is_nan", "is_nan"),
    ("is_null", "is_null"),
    ("ln", "ln"),
    ("ln_1p", "ln_1p"),
    ("log2", "log2"),
    ("mul_add", "mul_add"),
    ("sin", "sin"),
    ("to_bits", "bits"),
    ("wrapping_add", "add"),
    ("wrapping_mul", "mul"),
];

/// Pointers and references are alike in generated code.
pub(crate) fn generated_type(kind: &Type) -> Type {
    match kind {
        Type::Reference(to) => {
            let to = generated_type(&to.elem);
            syn::parse_quote!(*const #to)
        }
        Type::Ptr(to) => {
            let to = generated_type(&to.elem);
            syn::parse_quote!(*const #to)
        }
        Type::Paren(inside) => generated_type(&inside.elem),
        other => other.clone(),
    }
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq)]
enum NameKind {
    Value,
    Variable,
    Constant,
}

/// Writes one function; knows the names in scope.
pub(crate) struct BodyWriter<'a> {
    result: &'a Type,
    names: Vec<(Ident, NameKind)>,
}

type Written = syn::Result<TokenStream>;

impl<'a> BodyWriter<'a> {
    pub(crate) fn new(parameters: &[Ident], result: &'a Type) -> Self {
        let names = parameters
            .iter()
            .map(|name| (name.clone(), NameKind::Value));
        BodyWriter {
            result,
            names: names.collect(),
        }
    }

    /// The body; where it can return early, that is from here.
    pub(crate) fn function(&mut self, block: &Block) -> Written {
        let body = self.block(block)?;
        if mentions(block.to_token_stream(), &|name, _| name == "return") {
            return Ok(code!(e.returning(|e| #body)));
        }
        Ok(body)
    }

    fn known(&self, name: &Ident) -> Option<NameKind> {
        let names = self.names.iter().rev();
        names
            .filter(|(known, _)| known == name)
            .map(|&(_, known)| known)
            .next()
    }

    /// Whether nothing is mentioned that only a run can know.
    fn is_constant(&self, expression: &Expr) -> bool {
        let is_control = matches!(
            expression,
            Expr::Loop(_) | Expr::While(_) | Expr::Match(_) | Expr::Macro(_)
        );
        !is_control
            && !mentions(expression.to_token_stream(), &|name, is_call| {
                is_call
                    || name == "return"
                    || self.known(name).is_some_and(|it| it != NameKind::Constant)
            })
    }

    fn block(&mut self, block: &Block) -> Written {
        let n_names = self.names.len();
        let mut written = TokenStream::new();
        let mut result = code!(e.nothing());
        for (number, statement) in (1..).zip(&block.stmts) {
            match statement {
                Stmt::Local(local) => written.extend(self.local(local)?),
                Stmt::Item(item @ syn::Item::Const(_)) => item.to_tokens(&mut written),
                Stmt::Expr(expression, None) if number == block.stmts.len() => {
                    result = self.expression(expression)?;
                }
                Stmt::Expr(expression, _) => {
                    let expression = self.expression(expression)?;
                    written.extend(code!(let _ = #expression;));
                }
                other => return Err(unsupported(other)),
            }
        }
        self.names.truncate(n_names);
        Ok(code!({ #written #result }))
    }

    /// `let`; parts of a tuple are computed before any of them has its name.
    fn local(&mut self, local: &Local) -> Written {
        let Some(init) = &local.init else {
            return Err(unsupported(local));
        };
        let pairs = match (&local.pat, &*init.expr) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                names.elems.iter().zip(&values.elems).collect()
            }
            (pattern, value) => vec![(pattern, value)],
        };
        let (mut written, mut named) = (TokenStream::new(), TokenStream::new());
        let mut names = Vec::new();
        for (number, (pattern, value)) in pairs.into_iter().enumerate() {
            let (name, is_mutable, kind) = binding(pattern)?;
            let value = self.expression(value)?;
            let part = Ident::new(&format!("part{number}"), Span::mixed_site());
            let kind = kind.map(|kind| {
                let kind = generated_type(kind);
                code!(: crate::codegen::ahead::emitter::IrNumber<#kind>)
            });
            written.extend(code!(let #part #kind = #value;));
            let (bound, known) = if is_mutable {
                (code!(e.variable(#part)), NameKind::Variable)
            } else {
                (code!(#part), NameKind::Value)
            };
            named.extend(code!(let #name = #bound;));
            names.push((name.clone(), known));
        }
        self.names.extend(names);
        Ok(code!(#written #named))
    }

    fn expression(&mut self, expression: &Expr) -> Written {
        if self.is_constant(expression) {
            return Ok(code!(e.constant(#expression)));
        }
        match expression {
            Expr::Paren(inside) => self.expression(&inside.expr),
            Expr::Group(inside) => self.expression(&inside.expr),
            Expr::Block(block) => self.block(&block.block),
            Expr::Unsafe(block) => self.block(&block.block),
            Expr::Path(path) => {
                let name = path.path.require_ident()?;
                match self.known(name) {
                    Some(NameKind::Variable) => Ok(code!(e.get(#name))),
                    _ => Ok(name.to_token_stream()),
                }
            }
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) => self.load(expression),
                UnOp::Neg(_) => self.apply(expression, "neg", &[&unary.expr]),
                UnOp::Not(_) => self.apply(expression, "not", &[&unary.expr]),
                _ => Err(unsupported(expression)),
            },
            Expr::Field(_) | Expr::Index(_) => self.load(expression),
            Expr::RawAddr(address) => self.address(&address.expr),
            Expr::Reference(address) => self.address(&address.expr),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.expression(&assign.right)?;
                self.assign(&assign.left, value)
            }
            Expr::Cast(cast) => {
                let (value, kind) = (self.expression(&cast.expr)?, generated_type(&cast.ty));
                Ok(code!({ let value = #value; e.cast::<_, #kind>(value) }))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let Some((_, method)) = METHODS.iter().find(|(known, _)| *known == name) else {
                    let known = METHODS.map(|(known, _)| known).join(", ");
                    let said =
                        format!("`{name}` is none of the methods of generated code: {known}");
                    return Err(syn::Error::new(call.method.span(), said));
                };
                let arguments = std::iter::once(&*call.receiver).chain(&call.args);
                let arguments: Vec<&Expr> = arguments.collect();
                match &call.turbofish {
                    Some(turbofish) => {
                        let (value, to) = (self.expression(&call.receiver)?, &turbofish.args);
                        Ok(code!({ let value = #value; e.cast_pointer::<_, #to>(value) }))
                    }
                    None => self.apply(expression, method, &arguments),
                }
            }
            Expr::If(branch) => self.branch(branch),
            Expr::While(repeat) => {
                let (condition, body) = (self.expression(&repeat.cond)?, self.block(&repeat.body)?);
                Ok(code!(e.while_true(|e| #condition, |e| #body)))
            }
            Expr::ForLoop(repeat) => self.repeat(repeat),
            Expr::Return(returned) => {
                let value = match &returned.expr {
                    Some(value) => self.expression(value)?,
                    None => code!(e.nothing()),
                };
                let result = self.result;
                Ok(code!({ let value = #value; e.leave::<#result>(value) }))
            }
            other => Err(unsupported(other)),
        }
    }

    /// A method of the emitter on the values of some expressions, in their order.
    fn apply(&mut self, whole: &impl Spanned, method: &str, arguments: &[&Expr]) -> Written {
        let span = Span::mixed_site().located_at(whole.span());
        let method = Ident::new(method, span);
        let names = (0..arguments.len()).map(|at| Ident::new(&format!("argument{at}"), span));
        let names: Vec<Ident> = names.collect();
        let values = arguments.iter().map(|argument| self.expression(argument));
        let values = values.collect::<syn::Result<Vec<_>>>()?;
        let e = Ident::new("e", Span::mixed_site());
        Ok(quote_spanned!(span=> { #(let #names = #values;)* #e.#method(#(#names),*) }))
    }

    fn call(&mut self, call: &syn::ExprCall) -> Written {
        let path = call.func.to_token_stream().to_string().replace(' ', "");
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (path.as_str(), &arguments[..]) {
            ("f64::from" | "i64::from" | "u64::from", [value]) => {
                let (value, to) = (
                    self.expression(value)?,
                    Ident::new(&path[..3], Span::call_site()),
                );
                Ok(code!({ let value = #value; e.cast::<_, #to>(value) }))
            }
            ("f64::from_bits" | "f32::from_bits", _) => self.apply(call, "bits", &arguments),
            _ => {
                let function = &call.func;
                let values = arguments.iter().map(|argument| self.expression(argument));
                let values = values.collect::<syn::Result<Vec<_>>>()?;
                let names = (0..values.len())
                    .map(|at| Ident::new(&format!("argument{at}"), Span::mixed_site()));
                let names: Vec<Ident> = names.collect();
                Ok(code!({ #(let #names = #values;)* #function::emit(e #(, #names)*) }))
            }
        }
    }

    fn binary(&mut self, binary: &ExprBinary) -> Written {
        let (left, right) = (&*binary.left, &*binary.right);
        let (method, assigns) = match binary.op {
            BinOp::Add(_) => ("add", false),
            BinOp::Sub(_) => ("sub", false),
            BinOp::Mul(_) => ("mul", false),
            BinOp::Div(_) => ("div", false),
            BinOp::Rem(_) => ("rem", false),
            BinOp::BitAnd(_) => ("and", false),
            BinOp::BitOr(_) => ("or", false),
            BinOp::BitXor(_) => ("xor", false),
            BinOp::Shl(_) => ("shl", false),
            BinOp::Shr(_) => ("shr", false),
            BinOp::Eq(_) => ("eq", false),
            BinOp::Ne(_) => ("ne", false),
            BinOp::Lt(_) => ("lt", false),
            BinOp::Le(_) => ("le", false),
            BinOp::Gt(_) => ("gt", false),
            BinOp::Ge(_) => ("ge", false),
            BinOp::AddAssign(_) => ("add", true),
            BinOp::SubAssign(_) => ("sub", true),
            BinOp::MulAssign(_) => ("mul", true),
            BinOp::BitAndAssign(_) => ("and", true),
            BinOp::BitOrAssign(_) => ("or", true),
            BinOp::BitXorAssign(_) => ("xor", true),
            BinOp::And(_) | BinOp::Or(_) => {
                let is_and = matches!(binary.op, BinOp::And(_));
                if is_cheap(right.to_token_stream()) {
                    return self.apply(binary, if is_and { "and" } else { "or" }, &[left, right]);
                }
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                let (yes, no) = if is_and {
                    (right, code!(e.constant(false)))
                } else {
                    (code!(e.constant(true)), right)
                };
                return Ok(code!({ let left = #left; e.branch(left, |e| #yes, |e| #no) }));
            }
            _ => return Err(unsupported(binary)),
        };
        let value = self.apply(binary, method, &[left, right])?;
        if assigns {
            return self.assign(left, value);
        }
        Ok(value)
    }

    fn assign(&mut self, place: &Expr, value: TokenStream) -> Written {
        if let Expr::Path(path) = place {
            let name = path.path.require_ident()?;
            return Ok(code!({ let value = #value; e.set(#name, value) }));
        }
        let address = self.address(place)?;
        Ok(code!({ let value = #value; let address = #address; e.store(address, value) }))
    }

    fn load(&mut self, place: &Expr) -> Written {
        let address = self.address(place)?;
        Ok(code!({ let address = #address; e.load(address) }))
    }

    fn address(&mut self, place: &Expr) -> Written {
        let (pointer, path) = self.place(place)?;
        if path.is_empty() {
            return Ok(pointer);
        }
        // SAFETY: the emitter asks for a place in memory of the whole type.
        Ok(code!({
            let pointer = #pointer;
            e.field(pointer, |whole| unsafe { &raw const (*whole) #path })
        }))
    }

    /// A pointer, and the fields from what it points to on.
    fn place(&mut self, place: &Expr) -> syn::Result<(TokenStream, TokenStream)> {
        let (base, step) = match place {
            Expr::Paren(inside) => return self.place(&inside.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                return Ok((self.expression(&unary.expr)?, TokenStream::new()));
            }
            Expr::Field(field) => {
                let member = &field.member;
                (&field.base, quote!(.#member))
            }
            Expr::Index(index) if self.is_constant(&index.index) => {
                let at = &index.index;
                (&index.expr, quote!([#at]))
            }
            Expr::Index(index) => {
                let said = "only a constant index is generated; use a pointer";
                return Err(syn::Error::new(index.index.span(), said));
            }
            other => return Err(unsupported(other)),
        };
        let (pointer, path) = match &**base {
            Expr::Path(_) | Expr::Call(_) => (self.expression(base)?, TokenStream::new()),
            base => self.place(base)?,
        };
        Ok((pointer, quote!(#path #step)))
    }

    /// A condition that is constant decides while code is generated.
    fn branch(&mut self, branch: &ExprIf) -> Written {
        let yes = self.block(&branch.then_branch)?;
        let no = match &branch.else_branch {
            Some((_, no)) => self.expression(no)?,
            None => code!(e.nothing()),
        };
        if self.is_constant(&branch.cond) {
            let condition = &branch.cond;
            return Ok(code!(if #condition #yes else { #no }));
        }
        let condition = self.expression(&branch.cond)?;
        let is_value = matches!(&branch.then_branch.stmts[..], [Stmt::Expr(_, None)]);
        let both = [Some(&branch.then_branch.stmts[..]), else_statements(branch)];
        let mut all = both.iter().flatten().flat_map(|part| part.iter());
        if is_value && both[1].is_some() && all.all(|part| is_cheap(part.to_token_stream())) {
            return Ok(
                code!({ let condition = #condition; let (yes, no) = (#yes, #no); e.choose(condition, yes, no) }),
            );
        }
        Ok(code!({ let condition = #condition; e.branch(condition, |e| #yes, |e| #no) }))
    }

    /// A loop over constants is unrolled.
    fn repeat(&mut self, repeat: &ExprForLoop) -> Written {
        let n_names = self.names.len();
        let is_lanes = matches!(&*repeat.expr, Expr::Call(call) if is_named(&call.func, "lanes"));
        let written = if !is_lanes && self.is_constant(&repeat.expr) {
            let names = mentioned(repeat.pat.to_token_stream());
            let constants = names.into_iter().map(|name| (name, NameKind::Constant));
            self.names.extend(constants);
            let (pattern, numbers, body) = (&repeat.pat, &repeat.expr, self.block(&repeat.body)?);
            code!({ for #pattern in #numbers { let _: crate::codegen::ahead::emitter::IrNumber<()> = #body; } e.nothing() })
        } else {
            let (name, ..) = binding(&repeat.pat)?;
            let (start, end, method) = match &*repeat.expr {
                Expr::Range(syn::ExprRange {
                    start: Some(start),
                    limits: syn::RangeLimits::HalfOpen(_),
                    end: Some(end),
                    ..
                }) => (self.expression(start)?, self.expression(end)?, code!(each)),
                Expr::Call(call) if is_lanes => {
                    let end = call.args.first().ok_or_else(|| unsupported(call))?;
                    (code!(e.constant(0)), self.expression(end)?, code!(lanes))
                }
                other => return Err(unsupported(other)),
            };
            self.names.push((name.clone(), NameKind::Value));
            let body = self.block(&repeat.body)?;
            code!({ let start = #start; let end = #end; e.#method(start, end, |e, #name| #body) })
        };
        self.names.truncate(n_names);
        Ok(written)
    }
}

fn is_named(path: &Expr, name: &str) -> bool {
    matches!(path, Expr::Path(path) if path.path.is_ident(name))
}

fn else_statements(branch: &ExprIf) -> Option<&[Stmt]> {
    match &*branch.else_branch.as_ref()?.1 {
        Expr::Block(block) => Some(&block.block.stmts),
        _ => None,
    }
}

/// Whether something costs less than a branch and can be computed in vain: names, numbers,
/// sums and comparisons.
fn is_cheap(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|tree| match tree {
        TokenTree::Group(_) => false,
        TokenTree::Punct(mark) => "<>=!:+-".contains(mark.as_char()),
        TokenTree::Ident(name) => name != "return" && name != "if",
        TokenTree::Literal(_) => true,
    })
}

/// A name that is bound, whether it can change, and its type.
fn binding(pattern: &Pat) -> syn::Result<(&Ident, bool, Option<&Type>)> {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            Ok((&name.ident, name.mutability.is_some(), None))
        }
        Pat::Type(typed) => {
            let (name, is_mutable, _) = binding(&typed.pat)?;
            Ok((name, is_mutable, Some(&typed.ty)))
        }
        other => Err(syn::Error::new(other.span(), "only plain names are bound")),
    }
}

fn unsupported(place: &impl Spanned) -> syn::Error {
    syn::Error::new(
        place.span(),
        "this is not generated; see the docs of pelton-macros",
    )
}

/// Whether a test holds for any name that is no field and no method. It is told whether
/// the name is called without arguments.
fn mentions(tokens: TokenStream, test: &impl Fn(&Ident, bool) -> bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot = |tree: &TokenTree| matches!(tree, TokenTree::Punct(dot) if dot.as_char() == '.');
    let is_empty = |tree: &TokenTree| {
        matches!(tree, TokenTree::Group(group)
            if group.delimiter() == proc_macro2::Delimiter::Parenthesis && group.stream().is_empty())
    };
    // Two dots make a range, and what comes after it is no field.
    let is_range = |at: usize| at >= 2 && is_dot(&tokens[at - 2]);
    (0..tokens.len()).any(|at| match &tokens[at] {
        TokenTree::Group(group) => mentions(group.stream(), test),
        TokenTree::Ident(name) => {
            let is_member = at > 0 && is_dot(&tokens[at - 1]) && !is_range(at);
            let is_module = matches!(tokens.get(at + 1..at + 3), Some([TokenTree::Punct(a), TokenTree::Punct(b)])
                if a.as_char() == ':' && b.as_char() == ':');
            !is_member && !is_module && test(name, tokens.get(at + 1).is_some_and(is_empty))
        }
        _ => false,
    })
}

fn mentioned(tokens: TokenStream) -> Vec<Ident> {
    let names = tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => mentioned(group.stream()),
        TokenTree::Ident(name) => vec![name],
        _ => Vec::new(),
    });
    names.collect()
}
