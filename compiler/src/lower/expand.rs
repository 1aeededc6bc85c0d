//! Expands node instances into the draft.

use super::draft::{DraftKind, DraftTarget, NodeInstance};
use super::env::Env;
use super::resolve::{PathEntity, ResolvedPath};
use super::symbols::Symbol;
use super::{Lowering, LoweringResult, ReportedError, with_stack};
use crate::circuit::{Domain, Leaf, ValueSet, VarId, show_name};
use pelton_grammar::ast::{Expr, ExprKind, PathSyntax, RepeatKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

/// Instances of one node that may fail before the rest is skipped: they fail
/// alike, and a million of them would be slow.
const FAILURES_SHOWN: usize = 20;

impl<'a> Lowering<'a, '_> {
    pub(super) fn expand_all(&mut self) {
        for node in 0..self.symbols.nodes.len() {
            let mut failures = 0;
            let symbol = &self.symbols.nodes[node];
            let (decl, module) = (symbol.decl, symbol.module);
            // A node that nothing but itself refers to counts as unused.
            self.current = Some(Symbol::Node(node));
            // Errors in ranges were reported when the instances were enumerated.
            let mut expand = |this: &mut Self, env: Env<'_>| {
                let indices = this.binder_values(decl, env)?;
                let known = this.symbols.nodes[node].instances.get(indices.as_slice());
                let at = *known.ok_or(ReportedError)?;
                if this.expand_instance(at, &decl.body, env).is_err() {
                    failures += 1;
                }
                if failures > FAILURES_SHOWN || this.too_large {
                    Err(ReportedError)
                } else {
                    Ok(())
                }
            };
            if !self.symbols.nodes[node].broken {
                let env = Env::of_module(module);
                let _ = self.for_each(&decl.binders, decl.filter.as_ref(), env, &mut expand);
            }
            self.current = None;
        }
    }

    fn expand_instance(&mut self, at: u32, body: &Expr, env: Env<'_>) -> LoweringResult<()> {
        let instance = &self.draft.instances[at as usize];
        let name = instance.name;
        self.instance_name = name.map(|name| self.builder.show_name(name));
        self.frozen = instance.frozen;
        // Whatever the body adds to the draft from here on are units of this instance. Other
        // instances are only referred to, so that expansion does not recurse from one to the next.
        let first = self.draft.units.len() as u32;
        let top = self.circuit(body, env);
        self.instance_name = None;
        self.frozen = false;
        let units = first..self.draft.units.len() as u32;
        // A body that failed leaves its units behind, and an instance without a top: what refers
        // to it stays silent, because the error has been reported.
        let instance = &mut self.draft.instances[at as usize];
        instance.units = units;
        instance.top = top.ok();
        top.map(|_| ())
    }

    /// Expands the root's expression as an instance of its own; `None` if there
    /// is no root or it is wrong, which was reported.
    pub(super) fn expand_root(&mut self) -> Option<u32> {
        let (item, decl) = self.root_statement()?;
        let at = self.draft.instances.len() as u32;
        // The root is an instance like all others, the last one and without a name.
        let frozen = super::attribute::has(item, "frozen");
        self.draft
            .instances
            .push(NodeInstance::new(None, decl.body.span, frozen));
        self.expand_instance(at, &decl.body, Env::of_module(0))
            .ok()?;
        Some(at)
    }

    pub(super) fn circuit(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<DraftTarget> {
        with_stack(|| self.circuit_inner(expr, env))
    }

    fn circuit_inner(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<DraftTarget> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.circuit(inner, env),
            ExprKind::Ref(path) => self.circuit_ref(path, env),
            ExprKind::Not(inner) => self.negated_literal(inner, expr.span, env),
            ExprKind::Indicator(test) => self.indicator(test, expr.span, env),
            ExprKind::Leaf(leaf) => {
                let leaf = self.leaf(leaf, expr.span, env)?;
                self.input(leaf, expr.span)
            }
            ExprKind::Sum(_) => self.sum_unit(expr, env),
            ExprKind::Repeat(repeat) if repeat.kind == RepeatKind::Sum => self.sum_unit(expr, env),
            ExprKind::Product(_) | ExprKind::Repeat(_) => self.product_unit(expr, env),
            ExprKind::If(branches) => match self.taken_branch(branches, env)? {
                Some(branch) => self.circuit(branch, env),
                None => Err(self.missing_else(expr.span)),
            },
            ExprKind::Call(path, args) => {
                self.call_definition(path, args, expr.span, env, |this, body, env| {
                    this.circuit(body, env)
                })
            }
            _ => Err(self.not_circuit(expr)),
        }
    }

    pub(super) fn input(&mut self, leaf: Leaf, span: Span) -> LoweringResult<DraftTarget> {
        self.grow(span)?;
        Ok(self.draft.unit(DraftKind::Input(Box::new(leaf)), [], span))
    }

    fn not_circuit(&mut self, expr: &Expr) -> ReportedError {
        let (message, help) = match &expr.kind {
            ExprKind::Number(_) => (
                "a number is not a circuit",
                "a number can be a weight, `0.3: a`, or an argument of a distribution",
            ),
            ExprKind::Learned(_) => (
                "`?` is a weight, not a circuit",
                "write the term it weighs behind a colon: `?: a`",
            ),
            ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) => (
                "a comparison is not a circuit",
                "an indicator stands in brackets: `[sky = storm]`",
            ),
            ExprKind::List(_) => (
                "a list is not a circuit",
                "an indicator holds one comparison: `[sky = storm]`",
            ),
            _ => (
                "this is not a circuit",
                "circuits are literals, indicators, leaves `x ~ normal(0, 1)`, sums and products of nodes",
            ),
        };
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, expr.span, message)
            .at("a circuit is needed here")
            .help(help);
        self.error(diagnostic)
    }

    fn circuit_ref(&mut self, path: &PathSyntax, env: Env<'_>) -> LoweringResult<DraftTarget> {
        let ResolvedPath { entity, indices } = self.resolve(path, env)?;
        match entity {
            PathEntity::Expr(expr, outer) if indices.is_empty() => self.circuit(expr, outer),
            PathEntity::Symbol(Symbol::Node(node)) => self.node_ref(node, &indices, path),
            PathEntity::Symbol(Symbol::Var(var)) => {
                let variable = self.var_member(var, &indices, path)?;
                self.literal(variable, true, path.span)
            }
            PathEntity::Symbol(Symbol::Def(id)) if self.symbols.defs[id].decl.args.is_empty() => {
                let name = &path.name.text;
                let message = format!("`{name}` is a definition and is called with `()`");
                let diagnostic = SourceDiagnostic::new(Code::WrongKind, path.span, message)
                    .at("a circuit is needed here")
                    .suggest("call it", path.span.after(), "()");
                Err(self.error(diagnostic))
            }
            PathEntity::Symbol(symbol) => {
                let diagnostic = self.other_kind(symbol, path, "circuit");
                let text = &path.name.text;
                Err(self.error(match symbol {
                    Symbol::Param(_) => diagnostic
                        .help(format!("as a weight it stands before a colon: `{text}: …`")),
                    _ => diagnostic,
                }))
            }
            _ => {
                let name = &path.name.text;
                let message = format!("`{name}` is a constant, and a circuit is needed here");
                Err(self.wrong_kind(path.span, message, "not a circuit"))
            }
        }
    }

    /// The instance of a node that indices name.
    pub(super) fn node_ref(
        &mut self,
        node: usize,
        indices: &[i64],
        path: &PathSyntax,
    ) -> LoweringResult<DraftTarget> {
        let symbol = &self.symbols.nodes[node];
        if let Some(&at) = symbol.instances.get(indices) {
            return Ok(DraftTarget::Instance(at));
        }
        if symbol.broken {
            return Err(ReportedError);
        }
        let decl = symbol.decl;
        if indices.len() != decl.binders.len() {
            return Err(self.report_index_count(path, indices.len(), decl.binders.len()));
        }
        let instance = show_name(&decl.name.text, indices);
        let message = format!("there is no `{instance}`");
        let binders = decl.binders.iter().map(|binder| binder.domain.span);
        let filter = decl.filter.iter().map(|filter| filter.span);
        let header = binders.chain(filter).reduce(Span::to);
        let diagnostic = SourceDiagnostic::new(Code::OutOfRange, path.span, message)
            .at(format!("this is `{instance}`"))
            .label(header.unwrap_or(decl.name.span), "the indices that exist");
        Err(self.error(diagnostic))
    }

    /// The member of a variable array that indices name.
    pub(super) fn var_member(
        &mut self,
        var: usize,
        indices: &[i64],
        path: &PathSyntax,
    ) -> LoweringResult<VarId> {
        let array = self.symbols.vars[var].array.as_ref();
        let member = array.map_err(|&reported| reported)?.get(indices);
        member.map_err(|fault| self.index_error(fault, path, indices))
    }

    fn negated_literal(
        &mut self,
        inner: &Expr,
        span: Span,
        env: Env<'_>,
    ) -> LoweringResult<DraftTarget> {
        if let ExprKind::Ref(path) = &inner.unparenthesized().kind {
            let ResolvedPath { entity, indices } = self.resolve(path, env)?;
            if let PathEntity::Symbol(Symbol::Var(var)) = entity {
                let variable = self.var_member(var, &indices, path)?;
                return self.literal(variable, false, span);
            }
        }
        let message = "only a `bool` variable can be negated";
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, span, message)
        .at("not a variable")
        .help("circuits have no negation; write the complement out, or use an indicator such as `[x != 3]`");
        Err(self.error(diagnostic))
    }

    fn literal(
        &mut self,
        variable: VarId,
        positive: bool,
        span: Span,
    ) -> LoweringResult<DraftTarget> {
        let declared = &self.builder.variables()[variable.index()];
        if declared.domain != Domain::Bool {
            let (name, domain) = (declared.name.clone(), declared.domain.clone());
            let message = format!("`{name}` is not a `bool` variable and is no literal");
            let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, span, message)
                .at("a circuit is needed here")
                .label(declared.span, format!("its domain is {domain}"))
                .help(format!(
                    "write an indicator such as `[{name} = …]` or a distribution such as `{name} ~ …`"
                ));
            return Err(self.error(diagnostic));
        }
        let set = ValueSet::point(f64::from(positive), true);
        self.input(Leaf::indicator(variable, set), span)
    }
}
