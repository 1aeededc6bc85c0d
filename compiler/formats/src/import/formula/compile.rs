//! The search, with its own stack.

use super::parts::{DecisionBranch, FormulaPart, FormulaUnits};
use super::search::{ClauseComponent, ClauseSearch};
use super::{ClausalFormula, Literal};
use crate::import::assembly::CircuitAssembly;
use crate::import::logic::counts;
use crate::import::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::SourceOrigin;
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use rustc_hash::FxHashMap;

/// Literals that may be looked at for each unit and edge that the circuit may have.
const STEPS: usize = 50;

/// Words that may be remembered for each unit and edge that the circuit may have.
const MEMORY: usize = 4;

/// Compiles a formula whose circuit stays within the limits.
pub(in crate::import) fn compile(
    context: &ImportContext,
    formula: &ClausalFormula,
    notes: Vec<String>,
) -> Result<ImportedCircuit, ImportError> {
    let origin = SourceOrigin::anonymous(formula.span);
    let units = FormulaUnits::new(CircuitAssembly::new(context), formula, origin);
    let mut compiler = FormulaCompiler {
        search: ClauseSearch::new(formula),
        units,
        solved: FxHashMap::default(),
        n_words: 0,
        max_size: context.max_size,
    };
    let part = compiler.formula(formula)?;
    let root = if formula.is_negated {
        part.fails
    } else {
        part.holds
    };
    let Some(root) = root else {
        let message = "the formula has no models, and a circuit has some mass";
        return Err(ImportError::at(formula.span, message)
            .help("no assignment satisfies it; look for what contradicts itself"));
    };
    let mut imported = compiler.units.assembly.finish(root, notes);
    imported.notes.push(counts(&imported.circuit));
    Ok(imported)
}

struct FormulaCompiler<'f> {
    search: ClauseSearch<'f>,
    units: FormulaUnits,
    /// Components that were solved. What is left of a clause that is not satisfied is
    /// told by the variables that are not assigned, so this is all there is to compare.
    solved: FxHashMap<Box<[u32]>, FormulaPart>,
    /// Words that are remembered on the stack and in `solved`.
    n_words: usize,
    max_size: usize,
}

/// A component that is being solved.
struct FormulaFrame {
    component: ClauseComponent,
    variable: u32,
    /// What became of the values tried so far.
    done: Vec<FormulaPart>,
    /// The value that is being tried.
    branch: DecisionBranch,
    /// Components of this value that are not solved yet.
    open: Vec<ClauseComponent>,
    /// Where the search was before.
    depth: usize,
}

impl FormulaFrame {
    fn size(&self) -> usize {
        let open: usize = self.open.iter().map(ClauseComponent::size).sum();
        let solved = &self.branch.components;
        let solved: usize = solved.iter().map(|(variables, _)| variables.len()).sum();
        self.component.size() + open + solved
    }
}

/// What to do next.
enum FormulaStep {
    Solve(ClauseComponent),
    Return(FormulaPart),
}

impl FormulaCompiler<'_> {
    /// Draws the first conclusions and solves what is left.
    fn formula(&mut self, formula: &ClausalFormula) -> Result<FormulaPart, ImportError> {
        let variables: Vec<u32> = (0..formula.n_variables as u32).collect();
        let is_empty = formula.clauses.iter().any(Vec::is_empty);
        let single = |clause: &Vec<Literal>| (clause.len() == 1).then(|| clause[0]);
        // Clauses of one literal leave no choice, and neither does what follows from them.
        let facts = formula.clauses.iter().filter_map(single);
        if is_empty || !self.search.assign(facts) {
            return self.units.contradiction(None, &variables);
        }
        let mut branch = DecisionBranch {
            conclusions: self.search.assigned(0).to_vec(),
            ..DecisionBranch::default()
        };
        for component in self.split(&variables, &mut branch) {
            let names = component.variables.clone();
            let part = self.solve(component)?;
            branch.components.push((names, part));
        }
        self.units.together(&branch)
    }

    /// What the variables fall apart into; those that stand alone are free.
    fn split(&mut self, variables: &[u32], branch: &mut DecisionBranch) -> Vec<ClauseComponent> {
        let mut components = self.search.components(variables);
        components.retain(|component| {
            if component.clauses.is_empty() {
                branch.free.extend(&component.variables);
            }
            !component.clauses.is_empty()
        });
        components
    }

    /// Solves a component, however deep that leads.
    fn solve(&mut self, component: ClauseComponent) -> Result<FormulaPart, ImportError> {
        let mut stack: Vec<FormulaFrame> = Vec::new();
        let mut step = FormulaStep::Solve(component);
        loop {
            step = match step {
                FormulaStep::Solve(component) => match self.solved.get(&key(&component)) {
                    Some(&part) => FormulaStep::Return(part),
                    None => {
                        let frame = self.open(component)?;
                        self.go_on(&mut stack, frame)?
                    }
                },
                FormulaStep::Return(part) => match stack.pop() {
                    None => return Ok(part),
                    Some(mut frame) => {
                        self.n_words -= frame.size();
                        self.take(&mut frame, part)?;
                        self.go_on(&mut stack, frame)?
                    }
                },
            };
        }
    }

    /// Decides a variable of a component.
    fn open(&mut self, component: ClauseComponent) -> Result<FormulaFrame, ImportError> {
        let variable = self.search.decision(&component);
        let mut frame = FormulaFrame {
            component,
            variable,
            done: Vec::with_capacity(2),
            branch: DecisionBranch::default(),
            open: Vec::new(),
            depth: self.search.depth(),
        };
        self.try_value(&mut frame)?;
        Ok(frame)
    }

    /// Tries the next value of a decision until one leaves something to solve, or both
    /// are done.
    fn try_value(&mut self, frame: &mut FormulaFrame) -> Result<(), ImportError> {
        while frame.done.len() < 2 {
            // The variable true first, then false.
            let decided = Literal::new(frame.variable, frame.done.is_empty());
            let variables = &frame.component.variables;
            if !self.search.assign([decided]) {
                let part = self.units.contradiction(Some(decided), variables)?;
                self.close(frame, part);
                continue;
            }
            frame.branch = DecisionBranch {
                decided: Some(decided),
                conclusions: self.search.assigned(frame.depth + 1).to_vec(),
                ..DecisionBranch::default()
            };
            // What is left falls into parts without common variables, each solved on its own. Variables
            // that no clause mentions any more are free.
            frame.open = self.split(variables, &mut frame.branch);
            self.stay_within_limits()?;
            if !frame.open.is_empty() {
                return Ok(());
            }
            let part = self.units.together(&frame.branch)?;
            self.close(frame, part);
        }
        Ok(())
    }

    /// Ends a value of a decision.
    fn close(&mut self, frame: &mut FormulaFrame, part: FormulaPart) {
        self.search.undo(frame.depth);
        frame.open.clear();
        frame.branch = DecisionBranch::default();
        frame.done.push(part);
    }

    /// Takes a solved component into its frame.
    fn take(&mut self, frame: &mut FormulaFrame, part: FormulaPart) -> Result<(), ImportError> {
        let component = frame.open.pop().expect("the component solved is open");
        frame.branch.components.push((component.variables, part));
        // A contradiction in one component is one of all of them, unless it matters how
        // the others fail.
        let is_lost = part.holds.is_none() && part.fails.is_none();
        if frame.open.is_empty() || is_lost {
            let part = if is_lost {
                part
            } else {
                self.units.together(&frame.branch)?
            };
            self.close(frame, part);
            self.try_value(frame)?;
        }
        Ok(())
    }

    /// Waits for the next component of a frame, or ends it.
    fn go_on(
        &mut self,
        stack: &mut Vec<FormulaFrame>,
        frame: FormulaFrame,
    ) -> Result<FormulaStep, ImportError> {
        if let Some(next) = frame.open.last().cloned() {
            self.n_words += frame.size();
            stack.push(frame);
            return Ok(FormulaStep::Solve(next));
        }
        let parts = [frame.done[0], frame.done[1]];
        let part = self.units.either(parts)?;
        self.remember(&frame.component, part);
        Ok(FormulaStep::Return(part))
    }

    /// Remembers a solved component while there is room.
    fn remember(&mut self, component: &ClauseComponent, part: FormulaPart) {
        let n_words = component.size() + 8;
        if self.n_words + n_words <= self.max_words() {
            self.n_words += n_words;
            self.solved.insert(key(component), part);
        }
    }

    fn max_words(&self) -> usize {
        self.max_size.saturating_mul(MEMORY)
    }

    fn stay_within_limits(&self) -> Result<(), ImportError> {
        let max_steps = self.max_size.saturating_mul(STEPS);
        // Half as much again as may be remembered is left for the stack.
        let is_deep = self.n_words > self.max_words() + self.max_words() / 2;
        if self.search.steps <= max_steps && !is_deep {
            return Ok(());
        }
        let message = format!(
            "the formula is too hard: its circuit was not found within {} steps",
            thousands(max_steps)
        );
        let help = RemedyText::from("compile it with c2d or d4 and read their circuit");
        Err(ImportError::whole(message).help(help.or(RemedyOption::RaiseStepLimit)))
    }
}

fn key(component: &ClauseComponent) -> Box<[u32]> {
    let n_variables = component.variables.len() as u32;
    let members = component.variables.iter().chain(&component.clauses);
    std::iter::once(n_variables)
        .chain(members.copied())
        .collect()
}
