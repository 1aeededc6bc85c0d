//! The search, with its own stack.

use super::parts::{Branch, Part, Units};
use super::search::{Component, Search};
use super::{Formula, Literal};
use crate::import::assembly::Assembly;
use crate::import::logic::counts;
use crate::import::{Context, Fault, Imported};
use pelton_compiler::circuit::Origin;
use pelton_grammar::diagnostic::thousands;
use rustc_hash::FxHashMap;

/// Literals that may be looked at for each unit and edge that the circuit may have.
const STEPS: usize = 50;

/// Words that may be remembered for each unit and edge that the circuit may have.
const MEMORY: usize = 4;

/// Compiles a formula whose circuit stays within the limits.
pub(in crate::import) fn compile(
    context: &Context,
    formula: &Formula,
    notes: Vec<String>,
) -> Result<Imported, Fault> {
    let origin = Origin::anonymous(formula.span);
    let units = Units::new(Assembly::new(context), formula, origin);
    let mut compiler = Compiler {
        search: Search::new(formula),
        units,
        solved: FxHashMap::default(),
        n_words: 0,
        max_size: context.max_size,
    };
    let part = compiler.formula(formula)?;
    let root = match formula.is_negated {
        true => part.fails,
        false => part.holds,
    };
    let Some(root) = root else {
        let message = "the formula has no models, and a circuit has some mass";
        return Err(Fault::at(formula.span, message)
            .help("no assignment satisfies it; look for what contradicts itself"));
    };
    let mut imported = compiler.units.assembly.finish(root, notes);
    imported.notes.push(counts(&imported.circuit));
    Ok(imported)
}

struct Compiler<'f> {
    search: Search<'f>,
    units: Units,
    /// Components that were solved. What is left of a clause that is not satisfied is
    /// told by the variables that are not assigned, so this is all there is to compare.
    solved: FxHashMap<Box<[u32]>, Part>,
    /// Words that are remembered on the stack and in `solved`.
    n_words: usize,
    max_size: usize,
}

/// A component that is being solved.
struct Frame {
    component: Component,
    variable: u32,
    /// What became of the values tried so far.
    done: Vec<Part>,
    /// The value that is being tried.
    branch: Branch,
    /// Components of this value that are not solved yet.
    open: Vec<Component>,
    /// Where the search was before.
    depth: usize,
}

impl Frame {
    fn size(&self) -> usize {
        let open: usize = self.open.iter().map(Component::size).sum();
        let solved = &self.branch.components;
        let solved: usize = solved.iter().map(|(variables, _)| variables.len()).sum();
        self.component.size() + open + solved
    }
}

/// What to do next.
enum Step {
    Solve(Component),
    Return(Part),
}

impl Compiler<'_> {
    /// Draws the first conclusions and solves what is left.
    fn formula(&mut self, formula: &Formula) -> Result<Part, Fault> {
        let variables: Vec<u32> = (0..formula.n_variables as u32).collect();
        let is_empty = formula.clauses.iter().any(Vec::is_empty);
        let single = |clause: &Vec<Literal>| (clause.len() == 1).then(|| clause[0]);
        let facts = formula.clauses.iter().filter_map(single);
        if is_empty || !self.search.assign(facts) {
            return self.units.contradiction(None, &variables);
        }
        let mut branch = Branch {
            conclusions: self.search.assigned(0).to_vec(),
            ..Branch::default()
        };
        for component in self.split(&variables, &mut branch) {
            let names = component.variables.clone();
            let part = self.solve(component)?;
            branch.components.push((names, part));
        }
        self.units.together(&branch)
    }

    /// What the variables fall apart into; those that stand alone are free.
    fn split(&mut self, variables: &[u32], branch: &mut Branch) -> Vec<Component> {
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
    fn solve(&mut self, component: Component) -> Result<Part, Fault> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut step = Step::Solve(component);
        loop {
            step = match step {
                Step::Solve(component) => match self.solved.get(&key(&component)) {
                    Some(&part) => Step::Return(part),
                    None => {
                        let frame = self.open(component)?;
                        self.go_on(&mut stack, frame)?
                    }
                },
                Step::Return(part) => match stack.pop() {
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
    fn open(&mut self, component: Component) -> Result<Frame, Fault> {
        let variable = self.search.decision(&component);
        let mut frame = Frame {
            component,
            variable,
            done: Vec::with_capacity(2),
            branch: Branch::default(),
            open: Vec::new(),
            depth: self.search.depth(),
        };
        self.try_value(&mut frame)?;
        Ok(frame)
    }

    /// Tries the next value of a decision until one leaves something to solve, or both
    /// are done.
    fn try_value(&mut self, frame: &mut Frame) -> Result<(), Fault> {
        while frame.done.len() < 2 {
            let decided = Literal::new(frame.variable, frame.done.is_empty());
            let variables = &frame.component.variables;
            if !self.search.assign([decided]) {
                let part = self.units.contradiction(Some(decided), variables)?;
                self.close(frame, part);
                continue;
            }
            frame.branch = Branch {
                decided: Some(decided),
                conclusions: self.search.assigned(frame.depth + 1).to_vec(),
                ..Branch::default()
            };
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
    fn close(&mut self, frame: &mut Frame, part: Part) {
        self.search.undo(frame.depth);
        frame.open.clear();
        frame.branch = Branch::default();
        frame.done.push(part);
    }

    /// Takes a solved component into its frame.
    fn take(&mut self, frame: &mut Frame, part: Part) -> Result<(), Fault> {
        let component = frame.open.pop().expect("the component solved is open");
        frame.branch.components.push((component.variables, part));
        // A contradiction in one component is one of all of them, unless it matters how
        // the others fail.
        let is_lost = part.holds.is_none() && part.fails.is_none();
        if frame.open.is_empty() || is_lost {
            let part = match is_lost {
                true => part,
                false => self.units.together(&frame.branch)?,
            };
            self.close(frame, part);
            self.try_value(frame)?;
        }
        Ok(())
    }

    /// Waits for the next component of a frame, or ends it.
    fn go_on(&mut self, stack: &mut Vec<Frame>, frame: Frame) -> Result<Step, Fault> {
        if let Some(next) = frame.open.last().cloned() {
            self.n_words += frame.size();
            stack.push(frame);
            return Ok(Step::Solve(next));
        }
        let parts = [frame.done[0], frame.done[1]];
        let part = self.units.either(parts)?;
        self.remember(&frame.component, part);
        Ok(Step::Return(part))
    }

    /// Remembers a solved component while there is room.
    fn remember(&mut self, component: &Component, part: Part) {
        let n_words = component.size() + 8;
        if self.n_words + n_words <= self.max_words() {
            self.n_words += n_words;
            self.solved.insert(key(component), part);
        }
    }

    fn max_words(&self) -> usize {
        self.max_size.saturating_mul(MEMORY)
    }

    fn stay_within_limits(&self) -> Result<(), Fault> {
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
        Err(Fault::whole(message).help(
            "compile it with c2d or d4 and read their circuit, or raise `--max-size N`, of which the steps are a multiple",
        ))
    }
}

fn key(component: &Component) -> Box<[u32]> {
    let n_variables = component.variables.len() as u32;
    let members = component.variables.iter().chain(&component.clauses);
    std::iter::once(n_variables)
        .chain(members.copied())
        .collect()
}
