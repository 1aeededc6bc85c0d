//! Declared parameters and the shapes of their values.

use super::constant::ConstantValue;
use super::env::Env;
use super::resolve::{PathEntity, ResolvedPath};
use super::symbols::{Symbol, SymbolArray};
use super::trace::TracedDeclaration;
use super::{Lowering, LoweringResult, ReportedError};
use crate::circuit::{ParamId, ParamKind, ParameterEntry, ParameterValue, index_tuples, n_members};
use pelton_grammar::ast::{Expr, ExprKind, ParamDecl};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

/// How far the fixed values of a simplex may be from adding up to 1: values
/// printed with seven digits pass, a forgotten tenth does not.
pub(super) const SIMPLEX_TOLERANCE: f64 = 1e-6;

/// What a `param` statement can declare.
const DECLARED_KINDS: [ParamKind; 4] = [
    ParamKind::Simplex,
    ParamKind::Unit,
    ParamKind::Positive,
    ParamKind::Real,
];

const LARGEST_SIMPLEX: i64 = 1 << 24;

/// Entries as they were written: one for all, or a list for each member.
#[derive(Clone, Debug)]
pub(super) enum WrittenEntries {
    One(ParameterEntry),
    Many(Vec<WrittenEntries>),
}

impl WrittenEntries {
    /// How deeply lists are nested; a single entry among lists counts for all of its own.
    fn depth(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Many(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    fn learned(self) -> WrittenEntries {
        match self {
            Self::One(entry) => Self::One(ParameterEntry {
                learned: true,
                ..entry
            }),
            Self::Many(list) => Self::Many(list.into_iter().map(Self::learned).collect()),
        }
    }
}

impl<'a> Lowering<'a, '_> {
    pub(super) fn declare_parameters(&mut self) {
        for id in 0..self.symbols.params.len() {
            let outer = self.current.replace(Symbol::Param(id));
            self.symbols.params[id].array = self.declare_parameter(id);
            self.current = outer;
        }
    }

    fn declare_parameter(&mut self, id: usize) -> LoweringResult<SymbolArray<ParamId>> {
        let symbol = &self.symbols.params[id];
        let (decl, declarator, module) = (symbol.decl, symbol.declarator, symbol.module);
        let frozen = super::attribute::has(symbol.item, "frozen");
        // 1. What one member is, and how many there are; both are limited before anything is
        // made.
        let (kind, size) = self.param_kind(decl, module)?;
        self.symbols.params[id].kind = kind;
        let dims = self.dims(&declarator.dims, module)?;
        let n_members = n_members(&dims);
        let n_parameters = self.builder.n_parameters();
        self.check_members(n_parameters, &dims, "parameters", declarator.name.span)?;
        self.grow_entries(n_members.saturating_mul(size), declarator.name.span)?;
        // 2. The values as they were written, whatever their levels.
        let shape = match &decl.value {
            None => WrittenEntries::One(ParameterEntry::learned()),
            Some(value) => self.shape(value, Env::of_module(module))?,
        };
        let value_span = decl.value.as_ref().map_or(declarator.name.span, |v| v.span);
        let base = self.full_name(&declarator.name, module);
        let sizes: Vec<usize> = dims
            .iter()
            .map(|(low, high)| (high - low) as usize)
            .collect();
        // Lists may leave out outer dimensions, all members of which are then alike; the innermost
        // level of a simplex is its own.
        let own_levels = usize::from(kind == ParamKind::Simplex);
        let outer_levels = shape.depth().saturating_sub(own_levels);
        let skipped = dims.len().saturating_sub(outer_levels);
        // 3. Each member takes its part of them.
        let mut members = Vec::with_capacity(n_members);
        for (at, indices) in index_tuples(&dims).enumerate() {
            let position = positions(&sizes, at);
            let own = position[skipped..].iter().zip(&sizes[skipped..]);
            let shape = self.member_shape(&shape, own, value_span)?;
            let entries = self.vector(shape, kind, size, value_span)?;
            let entries = self.finished_entries(kind, entries, frozen, value_span)?;
            let name = self.builder.name(&base, &indices);
            let span = declarator.name.span;
            members.push(self.builder.parameter(Some(name), kind, &entries, span));
        }
        if let Some(trace) = &mut self.trace {
            trace.declared.push(TracedDeclaration {
                module,
                name: declarator.name.span,
                dims: dims.clone(),
                params: members.clone(),
            });
        }
        Ok(SymbolArray { dims, members })
    }

    fn param_kind(
        &mut self,
        decl: &'a ParamDecl,
        module: usize,
    ) -> LoweringResult<(ParamKind, usize)> {
        let name = &decl.kind;
        let named = DECLARED_KINDS.iter().find(|kind| kind.name() == name.text);
        let Some(&kind) = named else {
            let message = format!("there is no kind of parameter called `{}`", name.text);
            let diagnostic = SourceDiagnostic::new(Code::WrongKind, name.span, message)
                .at("unknown kind")
                .help("kinds are `simplex(K)`, `unit`, `positive` and `real`");
            let near = super::resolve::nearest(&name.text, DECLARED_KINDS.map(ParamKind::name));
            return Err(self.error(match near {
                Some(near) => diagnostic.suggest(format!("write `{near}`"), name.span, near),
                None => diagnostic,
            }));
        };
        let wrong = |span, message| SourceDiagnostic::new(Code::WrongShape, span, message);
        let diagnostic = match (kind, &decl.size) {
            (ParamKind::Simplex, Some(size)) => {
                let n = self.integer(size, Env::of_module(module))?;
                if (1..=LARGEST_SIMPLEX).contains(&n) {
                    return Ok((kind, n as usize));
                }
                wrong(
                    size.span,
                    format!("a simplex of {n} numbers is not possible"),
                )
                .at(format!("this is {n}"))
                .help(format!("sizes go from 1 to {LARGEST_SIMPLEX}"))
            }
            (ParamKind::Simplex, None) => wrong(
                name.span,
                "a simplex needs its number of entries".to_string(),
            )
            .at("how many?")
            .help("write `simplex(K)`"),
            (_, Some(size)) => {
                let message = format!("`{}` is one number and takes no size", name.text);
                wrong(size.span, message)
                    .at("not needed")
                    .help("an array is declared with brackets: `param mu[0..K] : real = ?;`")
            }
            (ParamKind::Unit, None) => return Ok((kind, 2)),
            (_, None) => return Ok((kind, 1)),
        };
        Err(self.error(diagnostic))
    }

    /// Reads values: `?`, `?0.3`, `[0.2, ?]`, `?[[0.1, 0.9], [0.5, 0.5]]`, a constant list.
    pub(super) fn shape(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<WrittenEntries> {
        super::with_stack(|| match &expr.kind {
            ExprKind::Paren(inner) => self.shape(inner, env),
            ExprKind::Learned(None) => Ok(WrittenEntries::One(ParameterEntry::learned())),
            ExprKind::Learned(Some(start)) => Ok(self.shape(start, env)?.learned()),
            ExprKind::List(items) => {
                let list = items.iter().map(|item| self.shape(item, env));
                Ok(WrittenEntries::Many(list.collect::<LoweringResult<_>>()?))
            }
            ExprKind::Ref(path) => match self.resolve(path, env)? {
                ResolvedPath {
                    entity: PathEntity::Expr(argument, outer),
                    indices,
                } if indices.is_empty() => self.shape(argument, outer),
                _ => {
                    let value = self.constant(expr, env)?;
                    self.const_shape(&value, expr.span)
                }
            },
            _ => match self.value(expr, env)? {
                Ok(value) => Ok(WrittenEntries::One(ParameterEntry {
                    value: Some(value),
                    learned: false,
                })),
                Err(list) => self.const_shape(&list, expr.span),
            },
        })
    }

    fn const_shape(&mut self, value: &ConstantValue, span: Span) -> LoweringResult<WrittenEntries> {
        match value {
            ConstantValue::List(items) => {
                let list = items.iter().map(|item| self.const_shape(item, span));
                Ok(WrittenEntries::Many(list.collect::<LoweringResult<_>>()?))
            }
            other => match other.number() {
                Some(number) => Ok(WrittenEntries::One(ParameterEntry::fixed(number))),
                None => Err(self.not_a_number(other, span)),
            },
        }
    }

    /// What was written for one member of an array, by its position along each dimension
    /// and that dimension's size. Values with fewer levels of lists than the array has
    /// dimensions count for all members of the outer ones, which are left out here.
    fn member_shape<'s, 'p>(
        &mut self,
        mut shape: &'s WrittenEntries,
        position: impl Iterator<Item = (&'p usize, &'p usize)>,
        span: Span,
    ) -> LoweringResult<&'s WrittenEntries> {
        for (&at, &wanted) in position {
            let WrittenEntries::Many(list) = shape else {
                break;
            };
            if list.len() != wanted {
                return Err(self.wrong_length(list.len(), wanted, span));
            }
            shape = &list[at];
        }
        Ok(shape)
    }

    /// The entries of one vector from their written form.
    pub(super) fn vector(
        &mut self,
        shape: &WrittenEntries,
        kind: ParamKind,
        size: usize,
        span: Span,
    ) -> LoweringResult<Vec<ParameterEntry>> {
        match (kind, shape) {
            (ParamKind::Unit, WrittenEntries::One(entry)) => Ok(vec![entry.complement(), *entry]),
            (_, WrittenEntries::One(entry)) => Ok(vec![*entry; size]),
            (ParamKind::Simplex, WrittenEntries::Many(list)) => {
                if list.len() != size {
                    return Err(self.wrong_length(list.len(), size, span));
                }
                let entry = |shape: &WrittenEntries| match shape {
                    WrittenEntries::One(entry) => Some(*entry),
                    WrittenEntries::Many(_) => None,
                };
                match list.iter().map(entry).collect() {
                    Some(entries) => Ok(entries),
                    None => Err(self.too_nested(span)),
                }
            }
            (_, WrittenEntries::Many(_)) => Err(self.too_nested(span)),
        }
    }

    fn too_nested(&mut self, span: Span) -> ReportedError {
        let message = "these values have more levels of lists than were declared";
        let diagnostic = SourceDiagnostic::new(Code::WrongShape, span, message)
            .at("too deeply nested")
            .help("one level for each index, and one more for the entries of a simplex");
        self.error(diagnostic)
    }

    fn wrong_length(&mut self, given: usize, wanted: usize, span: Span) -> ReportedError {
        let message = format!("{wanted} values are needed here, and {given} are given");
        let diagnostic = SourceDiagnostic::new(Code::WrongShape, span, message);
        self.error(diagnostic.at("wrong number of values"))
    }

    /// Checks the values of one vector against its kind and freezes them where asked.
    pub(super) fn finished_entries(
        &mut self,
        kind: ParamKind,
        mut entries: Vec<ParameterEntry>,
        frozen: bool,
        span: Span,
    ) -> LoweringResult<Vec<ParameterEntry>> {
        if let Some(problem) = problem(kind, &entries) {
            let diagnostic = SourceDiagnostic::new(Code::BadParameter, span, problem)
                .at("out of range")
                .help(match kind {
                    ParamKind::Simplex => "the entries of a simplex are 0 or more and add up to 1",
                    ParamKind::Unit => "a probability lies between 0 and 1",
                    ParamKind::Positive => "rates, shapes and standard deviations are above 0",
                    ParamKind::Real | ParamKind::Weights => "the number must be finite",
                });
            return Err(self.error(diagnostic));
        }
        if frozen {
            crate::circuit::freeze(kind, &mut entries);
        }
        Ok(entries)
    }
}

/// What is wrong with the values of a vector, if anything.
fn problem(kind: ParamKind, entries: &[ParameterEntry]) -> Option<String> {
    let given = || entries.iter().filter_map(|entry| entry.value);
    // Values that are given have to be legal; those that are open only must have something
    // left.
    let values = || given().map(ParameterValue::linear);
    let bad = |value: f64| match kind {
        ParamKind::Simplex | ParamKind::Unit => !(0.0..=1.0 + SIMPLEX_TOLERANCE).contains(&value),
        ParamKind::Positive => !(value > 0.0 && value.is_finite()),
        ParamKind::Real => !value.is_finite(),
        ParamKind::Weights => !(value >= 0.0 && value.is_finite()),
    };
    if let Some(value) = values().find(|&value| bad(value)) {
        let value = match kind {
            // The second entry is the probability that was written.
            ParamKind::Unit => entries.last()?.value?.linear(),
            _ => value,
        };
        return Some(format!(
            "{value} is no value of a {} parameter",
            kind.name()
        ));
    }
    if kind != ParamKind::Simplex {
        return None;
    }
    let total: f64 = values().sum();
    let complete = entries.iter().all(|entry| entry.value.is_some());
    let excess = total > 1.0 + SIMPLEX_TOLERANCE;
    let off = complete && (total - 1.0).abs() > SIMPLEX_TOLERANCE;
    (excess || off).then(|| format!("these values add up to {}, not to 1", tidy(total)))
}

/// A total without the last digits' noise.
pub(super) fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// The position along each dimension of the member with this number.
fn positions(sizes: &[usize], mut at: usize) -> Vec<usize> {
    let mut position = vec![0; sizes.len()];
    for (place, &size) in position.iter_mut().zip(sizes).rev() {
        *place = at % size;
        at /= size;
    }
    position
}
