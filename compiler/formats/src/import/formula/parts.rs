//! Units for assignments that satisfy a part of a formula, and for those that do not.

use super::{ClausalFormula, Literal};
use crate::import::ImportError;
use crate::import::assembly::CircuitAssembly;
use pelton_compiler::circuit::{Domain, ParameterValue, SourceOrigin, UnitId, ValueSet, VarId};

/// The assignments of some variables, told apart by whether they satisfy a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormulaPart {
    /// Those that do; none if there are none.
    pub holds: Option<UnitId>,
    /// Those that do not; none if there are none or nobody asks.
    pub fails: Option<UnitId>,
}

/// Makes units of parts.
pub(super) struct FormulaUnits {
    pub assembly: CircuitAssembly,
    is_negated: bool,
    origin: SourceOrigin,
}

impl FormulaUnits {
    /// Declares the variables of a formula as `x[1]`, `x[2]`, …
    pub fn new(
        mut assembly: CircuitAssembly,
        formula: &ClausalFormula,
        origin: SourceOrigin,
    ) -> Self {
        for number in 1..=formula.n_variables {
            assembly.variable(format!("x[{number}]"), Domain::Bool, formula.span);
        }
        FormulaUnits {
            assembly,
            is_negated: formula.is_negated,
            origin,
        }
    }

    fn literal(&mut self, literal: Literal) -> UnitId {
        let variable = VarId::new(literal.variable() as usize);
        let value = i64::from(literal.is_true());
        self.assembly.literal(variable, value, self.origin)
    }

    /// Both values of a variable.
    fn free(&mut self, variable: u32) -> UnitId {
        let variable = VarId::new(variable as usize);
        let values = ValueSet::integers(0, 2);
        self.assembly.indicator(variable, values, self.origin)
    }

    /// All assignments; none if there are no variables.
    fn all(&mut self, variables: impl Iterator<Item = u32>) -> Result<Option<UnitId>, ImportError> {
        let free: Vec<UnitId> = variables.map(|variable| self.free(variable)).collect();
        if free.is_empty() {
            Ok(None)
        } else {
            self.assembly.product(&free, self.origin).map(Some)
        }
    }

    fn product(&mut self, factors: &[UnitId]) -> Result<UnitId, ImportError> {
        self.assembly.product(factors, self.origin)
    }

    /// A sum of what there is.
    fn sum(&mut self, terms: [Option<UnitId>; 2]) -> Result<Option<UnitId>, ImportError> {
        let terms = terms.into_iter().flatten();
        let terms: Vec<(ParameterValue, UnitId)> = terms
            .map(|unit| (ParameterValue::Linear(1.0), unit))
            .collect();
        if terms.is_empty() {
            Ok(None)
        } else {
            self.assembly.sum(&terms, self.origin).map(Some)
        }
    }

    /// One of two parts, which a decision tells apart.
    pub fn either(&mut self, parts: [FormulaPart; 2]) -> Result<FormulaPart, ImportError> {
        Ok(FormulaPart {
            holds: self.sum(parts.map(|part| part.holds))?,
            fails: self.sum(parts.map(|part| part.fails))?,
        })
    }

    /// A part that a contradiction breaks, whatever the variables are; `decided` is the
    /// literal that led there, and is true in both cases.
    pub fn contradiction(
        &mut self,
        decided: Option<Literal>,
        variables: &[u32],
    ) -> Result<FormulaPart, ImportError> {
        let mut fails = None;
        if self.is_negated {
            let decided_variable = decided.map(Literal::variable);
            let others = variables.iter().copied();
            let others = self.all(others.filter(|&v| Some(v) != decided_variable))?;
            let decided = decided.map(|literal| self.literal(literal));
            let factors: Vec<UnitId> = decided.into_iter().chain(others).collect();
            fails = Some(self.product(&factors)?);
        }
        Ok(FormulaPart { holds: None, fails })
    }

    /// All parts together: `decided` is true in any case, conclusions and components can
    /// fail, and free variables can be anything.
    pub fn together(&mut self, branch: &DecisionBranch) -> Result<FormulaPart, ImportError> {
        let holds = self.satisfied(branch)?;
        let fails = if self.is_negated {
            self.broken(branch)?
        } else {
            None
        };
        Ok(FormulaPart { holds, fails })
    }

    fn satisfied(&mut self, branch: &DecisionBranch) -> Result<Option<UnitId>, ImportError> {
        let literals = branch.decided.iter().chain(&branch.conclusions);
        let mut factors: Vec<UnitId> = literals.map(|&literal| self.literal(literal)).collect();
        factors.extend(branch.free.iter().map(|&variable| self.free(variable)));
        for (_, part) in &branch.components {
            match part.holds {
                Some(unit) => factors.push(unit),
                None => return Ok(None),
            }
        }
        self.product(&factors).map(Some)
    }

    /// Goes from the last factor to the first: either it fails and those behind it can be
    /// anything, or it holds and one behind it fails.
    fn broken(&mut self, branch: &DecisionBranch) -> Result<Option<UnitId>, ImportError> {
        let mut rest = self.all(branch.free.iter().copied())?;
        let mut broken = None;
        for (variables, part) in branch.components.iter().rev() {
            let any = self.all(variables.iter().copied())?;
            (broken, rest) = self.one_more(*part, any, broken, rest)?;
        }
        for &literal in branch.conclusions.iter().rev() {
            let part = FormulaPart {
                holds: Some(self.literal(literal)),
                fails: Some(self.literal(literal.negated())),
            };
            let any = Some(self.free(literal.variable()));
            (broken, rest) = self.one_more(part, any, broken, rest)?;
        }
        let (Some(broken), Some(decided)) = (broken, branch.decided) else {
            return Ok(broken);
        };
        let decided = self.literal(decided);
        self.product(&[decided, broken]).map(Some)
    }

    /// The assignments that break this part or a later one, and all assignments.
    fn one_more(
        &mut self,
        part: FormulaPart,
        any: Option<UnitId>,
        broken: Option<UnitId>,
        rest: Option<UnitId>,
    ) -> Result<(Option<UnitId>, Option<UnitId>), ImportError> {
        let join = |units: &mut FormulaUnits, first: Option<UnitId>, second: Option<UnitId>| {
            let factors: Vec<UnitId> = first.into_iter().chain(second).collect();
            units.product(&factors)
        };
        let here = match part.fails {
            Some(fails) => Some(join(self, Some(fails), rest)?),
            None => None,
        };
        let later = match (part.holds, broken) {
            (Some(holds), Some(broken)) => Some(join(self, Some(holds), Some(broken))?),
            _ => None,
        };
        let all = join(self, any, rest)?;
        Ok((self.sum([here, later])?, Some(all)))
    }
}

/// One value of a decision and what follows from it.
#[derive(Default)]
pub(super) struct DecisionBranch {
    /// None above all decisions.
    pub decided: Option<Literal>,
    /// Literals that follow.
    pub conclusions: Vec<Literal>,
    /// Variables that nothing depends on any more.
    pub free: Vec<u32>,
    /// What is left, with its variables.
    pub components: Vec<(Vec<u32>, FormulaPart)>,
}
