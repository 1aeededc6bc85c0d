//! What names mean at one place: loop indices and arguments of definitions.

use super::constant::ConstantValue;
use pelton_grammar::ast::Expr;
use smallvec::SmallVec;

/// The names bound around an expression. Frames live on the stack of the walk
/// that binds them, so entering a loop body costs no allocation.
#[derive(Clone, Copy)]
pub(super) struct Env<'e> {
    /// The module whose declarations are visible.
    pub module: usize,
    /// How many calls of definitions deep this is.
    pub calls: u32,
    top: Option<&'e EnvironmentFrame<'e>>,
}

pub(super) struct EnvironmentFrame<'e> {
    name: &'e str,
    binding: NameBinding<'e>,
    outer: Option<&'e EnvironmentFrame<'e>>,
}

#[derive(Clone)]
pub(super) enum NameBinding<'e> {
    /// A loop index.
    Value(ConstantValue),
    /// An argument: the caller's expression with the caller's names.
    Argument(&'e Expr, Env<'e>),
}

impl<'e> Env<'e> {
    /// Only the declarations of a module.
    pub(super) fn of_module(module: usize) -> Self {
        Env {
            module,
            calls: 0,
            top: None,
        }
    }

    /// A frame that binds `name` on top of this environment.
    pub(super) fn frame(self, name: &'e str, binding: NameBinding<'e>) -> EnvironmentFrame<'e> {
        EnvironmentFrame {
            name,
            binding,
            outer: self.top,
        }
    }

    /// This environment with `frame` on top.
    pub(super) fn with(self, frame: &'e EnvironmentFrame<'e>) -> Env<'e> {
        Env {
            top: Some(frame),
            ..self
        }
    }

    /// What `name` is bound to, innermost first.
    pub(super) fn lookup(self, name: &str) -> Option<&'e NameBinding<'e>> {
        let frame = self.frames().find(|frame| frame.name == name)?;
        Some(&frame.binding)
    }

    /// The frames, innermost first.
    fn frames(self) -> impl Iterator<Item = &'e EnvironmentFrame<'e>> {
        std::iter::successors(self.top, |frame| frame.outer)
    }

    /// The loop indices with their values, outermost first; no value for one that
    /// is no integer.
    pub(super) fn indices(self) -> SmallVec<[(&'e str, Option<i64>); 4]> {
        let index = |frame: &'e EnvironmentFrame<'e>| match frame.binding {
            NameBinding::Value(ConstantValue::Int(value)) => Some((frame.name, Some(value))),
            NameBinding::Value(_) => Some((frame.name, None)),
            NameBinding::Argument(..) => None,
        };
        let mut indices: SmallVec<_> = self.frames().filter_map(index).collect();
        indices.reverse();
        indices
    }

    /// All bound names, for hints.
    pub(super) fn names(self) -> Vec<&'e str> {
        self.frames().map(|frame| frame.name).collect()
    }
}
