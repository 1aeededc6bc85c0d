//! Variables, node instances and `-D`.

use super::constant::{Arithmetic, ConstantValue};
use super::draft::NodeInstance;
use super::env::{Env, NameBinding};
use super::resolve::nearest;
use super::symbols::{ConstState, Symbol, SymbolArray};
use super::{Lowering, LoweringResult};
use crate::circuit::{CircuitVariable, Domain, index_tuples, n_members, show_name};
use pelton_grammar::ast::{self, DomainKind, Expr, ItemKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics, thousands};
use pelton_grammar::parse::{ParseOptions, parse};
use pelton_grammar::source::{Source, Span};
use rustc_hash::FxHashMap;

/// The most values a finite domain may have: more is never meant, and every
/// distribution over it would need as many parameters.
const LARGEST_DOMAIN: i64 = 1 << 24;

impl<'a> Lowering<'a, '_> {
    /// Gives constants the values that the caller chose.
    pub(super) fn define(&mut self) {
        for (name, text) in &self.options.defines {
            let Some(id) = self.defined_const(name) else {
                continue;
            };
            match define_value(text) {
                Some(value) => self.symbols.consts[id].state = ConstState::Done(Ok(value)),
                None => {
                    let message = format!("the value given for `{name}`, `{text}`, cannot be read");
                    let diagnostic = SourceDiagnostic::without_place(Code::BadDefine, message)
                        .help("write a number, a truth value, a text in quotes or a list of them, such as `8` or `[0.5, 0.5]`");
                    self.found.push(diagnostic);
                }
            }
        }
    }

    fn defined_const(&mut self, name: &str) -> Option<usize> {
        let uses = &self.program.modules[0].uses;
        // A constant of a used file is named with the prefix of its `use`.
        let (module, plain) = match name.split_once('.') {
            Some((prefix, plain)) => match uses.get(prefix) {
                Some(&module) => (module, plain),
                None => {
                    self.report_unknown_prefix(name, prefix);
                    return None;
                }
            },
            None => (0, name),
        };
        let names = &self.symbols.modules[module];
        if let Some(&Symbol::Const(id)) = names.get(plain) {
            return Some(id);
        }
        let message = format!("`{name}` is no constant of the circuit");
        let consts = names
            .iter()
            .filter(|(_, symbol)| matches!(symbol, Symbol::Const(_)));
        let mut all: Vec<&str> = consts.map(|(&name, _)| name).collect();
        all.sort_unstable();
        let help = match (nearest(plain, all.iter().copied()), all.is_empty()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, true) => "the circuit declares no `const`".to_string(),
            (None, false) => format!("it declares {}", all.join(", ")),
        };
        self.found
            .push(SourceDiagnostic::without_place(Code::BadDefine, message).help(help));
        None
    }

    fn report_unknown_prefix(&mut self, name: &str, prefix: &str) {
        let message = format!("`{name}` is no constant: the circuit uses nothing as `{prefix}`");
        let uses = self.program.modules[0].uses.keys().map(String::as_str);
        let help = nearest(prefix, uses).map_or(
            "the prefix is that of a `use` statement of the given file".to_string(),
            |near| format!("did you mean `{near}`?"),
        );
        self.found
            .push(SourceDiagnostic::without_place(Code::BadDefine, message).help(help));
    }

    pub(super) fn declare_variables(&mut self) {
        for id in 0..self.symbols.vars.len() {
            let outer = self.current.replace(Symbol::Var(id));
            self.symbols.vars[id].array = self.declare_variable(id);
            self.current = outer;
        }
    }

    fn declare_variable(
        &mut self,
        id: usize,
    ) -> LoweringResult<SymbolArray<crate::circuit::VarId>> {
        let symbol = &self.symbols.vars[id];
        let (decl, declarator, item, module) =
            (symbol.decl, symbol.declarator, symbol.item, symbol.module);
        let domain = self.domain(&decl.domain, module);
        let dims = self.dims(&declarator.dims, module)?;
        let domain = domain?;
        let n_variables = self.builder.variables().len();
        self.check_members(n_variables, &dims, "variables", declarator.name.span)?;
        let base = self.full_name(&declarator.name, module);
        let mut members = Vec::new();
        for indices in index_tuples(&dims) {
            let binding = self.binding(item, &indices)?;
            members.push(self.builder.variable(CircuitVariable {
                name: show_name(&base, &indices),
                domain: domain.clone(),
                span: declarator.name.span,
                binding,
            }));
        }
        Ok(SymbolArray { dims, members })
    }

    /// A name as the circuit calls it, with the prefix of the file that declares it.
    pub(super) fn full_name(&self, name: &ast::Name, module: usize) -> String {
        format!("{}{}", self.program.modules[module].prefix, name.text)
    }

    /// Makes sure that the members of an array, and those `known` before, can be used: a
    /// circuit of all of them has a leaf and an edge for each, so that more than half the
    /// limit could only be refused later, when they have been made.
    pub(super) fn check_members(
        &mut self,
        known: usize,
        dims: &[(i64, i64)],
        what: &str,
        span: Span,
    ) -> LoweringResult<()> {
        let limit = (self.options.max_size / 2).max(1);
        if known.saturating_add(n_members(dims)) <= limit {
            return Ok(());
        }
        let limit = thousands(limit);
        let message =
            format!("there are more than {limit} {what}, half of the limit of units and edges");
        Err(self.report_limit(span, message))
    }

    /// Bounds of an array's dimensions, with no more members than the limit allows.
    pub(super) fn dims(
        &mut self,
        dims: &'a [Expr],
        module: usize,
    ) -> LoweringResult<Vec<(i64, i64)>> {
        let mut bounds = Vec::new();
        // Counted dimension by dimension, so that no array is made that is beyond the limit.
        let mut members: u128 = 1;
        for dim in dims {
            let (low, high) = self.range_bounds(dim, Env::of_module(module))?;
            let high = high.max(low);
            members = members.saturating_mul(high.abs_diff(low).into());
            if members > self.options.max_size as u128 {
                return Err(self.report_too_large(dim.span));
            }
            bounds.push((low, high));
        }
        Ok(bounds)
    }

    fn domain(&mut self, domain: &'a ast::DomainSyntax, module: usize) -> LoweringResult<Domain> {
        match &domain.kind {
            DomainKind::Bool => Ok(Domain::Bool),
            DomainKind::Real => Ok(Domain::Real),
            DomainKind::Nat => Ok(Domain::Nat),
            DomainKind::Categories(names) => self.categories(names),
            DomainKind::Range(range) => self.range_domain(range, domain.span, module),
        }
    }

    fn categories(&mut self, names: &'a [ast::Name]) -> LoweringResult<Domain> {
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        for name in names {
            if let Some(&earlier) = first.get(name.text.as_str()) {
                let message = format!("the category `{}` is listed twice", name.text);
                let diagnostic = SourceDiagnostic::new(Code::DefinedTwice, name.span, message)
                    .at("listed again here")
                    .label(earlier, "first listed here");
                return Err(self.error(diagnostic));
            }
            first.insert(&name.text, name.span);
        }
        let names = names.iter().map(|name| name.text.clone());
        Ok(Domain::Categories(names.collect()))
    }

    fn range_domain(
        &mut self,
        range: &'a Expr,
        span: Span,
        module: usize,
    ) -> LoweringResult<Domain> {
        if !matches!(range.unparenthesized().kind, ast::ExprKind::Range(..)) {
            let help =
                "domains are `bool`, `real`, `nat`, categories `{a, b}` and integer ranges `0..N`";
            let diagnostic = SourceDiagnostic::new(Code::EmptyDomain, span, "this is not a domain")
                .at("unknown domain")
                .help(help);
            let near = super::plain_name(range).and_then(|name| intended_domain(&name.text));
            return Err(self.error(match near {
                Some(near) => diagnostic.suggest(format!("write `{near}`"), span, near),
                None => diagnostic,
            }));
        }
        let (low, high) = self.range_bounds(range, Env::of_module(module))?;
        // Beyond this, neighbouring integers are one number as `f64`.
        let inside = |bound: i64| bound.abs() <= Domain::LARGEST_INT;
        let problem = if low >= high {
            format!("the domain {low}..{high} is empty")
        } else if high.abs_diff(low) > LARGEST_DOMAIN as u64 || !inside(low) || !inside(high) {
            format!(
                "the domain {low}..{high} has more than {LARGEST_DOMAIN} values or too large ones"
            )
        } else {
            return Ok(Domain::Range { low, high });
        };
        let diagnostic = SourceDiagnostic::new(Code::EmptyDomain, span, problem)
            .at("no usable domain")
            .help("a range leaves out its upper end: `0..2` holds 0 and 1; for counts without a bound use `nat`");
        Err(self.error(diagnostic))
    }

    pub(super) fn enumerate_instances(&mut self) {
        for node in 0..self.symbols.nodes.len() {
            if self.enumerate_node(node).is_err() {
                self.symbols.nodes[node].broken = true;
            }
        }
    }

    fn enumerate_node(&mut self, node: usize) -> LoweringResult<()> {
        let symbol = &self.symbols.nodes[node];
        let (decl, item, module) = (symbol.decl, symbol.item, symbol.module);
        let base = self.full_name(&decl.name, module);
        let frozen = super::attribute::has(item, "frozen");
        let outer = self.current.replace(Symbol::Node(node));
        let env = Env::of_module(module);
        self.check_loop_size(&decl.binders, env, |this| match decl.filter {
            None => this.least_size(&decl.body, env).max(1),
            Some(_) => 0,
        })?;
        let mut add = |this: &mut Self, env: Env<'_>| {
            let indices = this.binder_values(decl, env)?;
            if this.draft.instances.len() >= this.options.max_size {
                return Err(this.report_too_large(decl.name.span));
            }
            let name = this.builder.name(&base, &indices);
            let at = this.draft.instances.len() as u32;
            let instance = NodeInstance::new(Some((node, name)), decl.body.span, frozen);
            this.draft.instances.push(instance);
            let known = this.symbols.nodes[node]
                .instances
                .insert(indices.into(), at);
            debug_assert!(known.is_none() || !decl.binders.is_empty());
            Ok(())
        };
        let result = self.for_each(&decl.binders, decl.filter.as_ref(), env, &mut add);
        self.current = outer;
        result
    }

    /// The values of a node's binders, which must be integers.
    pub(super) fn binder_values(
        &mut self,
        decl: &ast::NodeDecl,
        env: Env<'_>,
    ) -> LoweringResult<Vec<i64>> {
        let value = |binder: &ast::Binder| match env.lookup(&binder.name.text) {
            Some(NameBinding::Value(ConstantValue::Int(value))) => Ok(*value),
            _ => {
                let message = "indices of a node are integers";
                Err(self.wrong_kind(binder.domain.span, message, "other values here"))
            }
        };
        decl.binders.iter().map(value).collect()
    }
}

/// The domain that a name of another language, or a misspelt one, stands for.
fn intended_domain(name: &str) -> Option<String> {
    let known = match name {
        "boolean" | "binary" | "bit" => "bool",
        "float" | "double" | "number" | "continuous" => "real",
        "count" | "natural" | "unsigned" => "nat",
        _ => return nearest(name, ["bool", "real", "nat"]),
    };
    Some(known.to_string())
}

/// Reads the value of a `-D` by way of the language itself, names left out.
fn define_value(text: &str) -> Option<ConstantValue> {
    let mut found = SourceDiagnostics::new();
    let source = Source::standalone("-D", format!("const value = {text};"));
    let file = parse(&source, &ParseOptions::default(), &mut found);
    match file.items.first().map(|item| &item.kind) {
        Some(ItemKind::Const(decl)) if found.is_empty() && file.items.len() == 1 => {
            literal_value(&decl.value)
        }
        _ => None,
    }
}

/// The value of an expression made of literals and arithmetic alone.
fn literal_value(expr: &Expr) -> Option<ConstantValue> {
    use ast::ExprKind;
    Some(match &expr.kind {
        ExprKind::Number(number) => match number.value {
            ast::NumberValue::Int(value) => ConstantValue::Int(value),
            ast::NumberValue::Real(value) => ConstantValue::Real(value),
        },
        ExprKind::Bool(value) => ConstantValue::Bool(*value),
        ExprKind::Text(text) => ConstantValue::Text(text.as_str().into()),
        ExprKind::Paren(inner) => literal_value(inner)?,
        ExprKind::Neg(inner) => super::constant::negate(&literal_value(inner)?).ok()?,
        ExprKind::List(items) => {
            let items = items.iter().map(literal_value);
            ConstantValue::List(items.collect::<Option<_>>()?)
        }
        ExprKind::Product(factors) => match &factors[..] {
            [left, right] if right.op == ast::FactorOp::Div => {
                let (left, right) = (literal_value(&left.expr)?, literal_value(&right.expr)?);
                super::constant::arithmetic(Arithmetic::Div, &left, &right).ok()?
            }
            _ => return None,
        },
        _ => return None,
    })
}
