//! Assignments, and what follows from them.

use super::{ClausalFormula, Literal};

/// A partial assignment with the state of all clauses.
pub(super) struct ClauseSearch<'f> {
    clauses: &'f [Vec<Literal>],
    /// The clauses that each literal stands in.
    occurrences: Vec<Vec<u32>>,
    values: Vec<Option<bool>>,
    /// Literals of each clause that hold.
    n_true: Vec<u32>,
    /// Literals of each clause that are not assigned.
    n_open: Vec<u32>,
    trail: Vec<Literal>,
    /// Literals looked at so far.
    pub steps: usize,
    /// Marks of variables and clauses that the walk of this number has seen.
    seen_variables: Vec<u64>,
    seen_clauses: Vec<u64>,
    walk: u64,
}

/// Variables that hang together, with the clauses that join them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClauseComponent {
    /// Ascending.
    pub variables: Vec<u32>,
    /// Ascending; none only for a single variable.
    pub clauses: Vec<u32>,
}

impl ClauseComponent {
    /// The words it takes in memory.
    pub fn size(&self) -> usize {
        self.variables.len() + self.clauses.len()
    }
}

impl<'f> ClauseSearch<'f> {
    /// Nothing is assigned.
    pub fn new(formula: &'f ClausalFormula) -> Self {
        let clauses = formula.clauses.as_slice();
        let mut occurrences = vec![Vec::new(); 2 * formula.n_variables];
        for (at, clause) in clauses.iter().enumerate() {
            for literal in clause {
                occurrences[literal.index()].push(at as u32);
            }
        }
        ClauseSearch {
            clauses,
            occurrences,
            values: vec![None; formula.n_variables],
            n_true: vec![0; clauses.len()],
            n_open: clauses.iter().map(|clause| clause.len() as u32).collect(),
            trail: Vec::new(),
            steps: 0,
            seen_variables: vec![0; formula.n_variables],
            seen_clauses: vec![0; clauses.len()],
            walk: 0,
        }
    }

    /// Number of assigned variables.
    pub fn depth(&self) -> usize {
        self.trail.len()
    }

    /// What was assigned since the depth was `from`.
    pub fn assigned(&self, from: usize) -> &[Literal] {
        &self.trail[from..]
    }

    /// Assigns literals and all that follows from them; `false` if that is a contradiction.
    pub fn assign(&mut self, literals: impl IntoIterator<Item = Literal>) -> bool {
        let mut next = self.trail.len();
        let mut is_consistent = literals.into_iter().all(|literal| self.set(literal));
        while is_consistent && next < self.trail.len() {
            let literal = self.trail[next];
            next += 1;
            is_consistent = self.propagate(literal.negated());
        }
        is_consistent
    }

    /// Draws conclusions from clauses in which a literal has become false.
    fn propagate(&mut self, falsified: Literal) -> bool {
        for at in 0..self.occurrences[falsified.index()].len() {
            let clause = self.occurrences[falsified.index()][at] as usize;
            // A clause says something only when all but one of its literals have failed.
            if self.n_true[clause] > 0 || self.n_open[clause] > 1 {
                continue;
            }
            self.steps += self.clauses[clause].len();
            let is_open = |literal: &&Literal| self.value(**literal).is_none();
            // What is not assigned can be set.
            let _ = match self.clauses[clause].iter().find(is_open).copied() {
                Some(last) => self.set(last),
                None => return false,
            };
        }
        true
    }

    /// Makes a literal true; `false` if it is false already.
    fn set(&mut self, literal: Literal) -> bool {
        if let Some(is_true) = self.value(literal) {
            return is_true;
        }
        self.values[literal.variable() as usize] = Some(literal.is_true());
        self.trail.push(literal);
        self.count(literal, |n_true, n_open| {
            *n_true += 1;
            *n_open -= 1;
        });
        self.count(literal.negated(), |_, n_open| *n_open -= 1);
        true
    }

    fn count(&mut self, literal: Literal, mut change: impl FnMut(&mut u32, &mut u32)) {
        let clauses = &self.occurrences[literal.index()];
        self.steps += 1 + clauses.len();
        for &clause in clauses {
            let at = clause as usize;
            change(&mut self.n_true[at], &mut self.n_open[at]);
        }
    }

    /// Takes back what was assigned since the depth was `depth`.
    pub fn undo(&mut self, depth: usize) {
        while self.trail.len() > depth
            && let Some(literal) = self.trail.pop()
        {
            self.values[literal.variable() as usize] = None;
            self.count(literal, |n_true, n_open| {
                *n_true -= 1;
                *n_open += 1;
            });
            self.count(literal.negated(), |_, n_open| *n_open += 1);
        }
    }

    /// Whether a literal holds; none if its variable is not assigned.
    fn value(&self, literal: Literal) -> Option<bool> {
        let value = self.values[literal.variable() as usize]?;
        Some(value == literal.is_true())
    }

    /// What the variables fall apart into that are not assigned.
    pub fn components(&mut self, variables: &[u32]) -> Vec<ClauseComponent> {
        self.walk += 1;
        let mut components = Vec::new();
        for &variable in variables {
            let is_new = self.seen_variables[variable as usize] != self.walk;
            if is_new && self.values[variable as usize].is_none() {
                components.push(self.component(variable));
            }
        }
        components
    }

    fn component(&mut self, start: u32) -> ClauseComponent {
        let mut variables = vec![start];
        let mut clauses = Vec::new();
        self.seen_variables[start as usize] = self.walk;
        let mut next = 0;
        while let Some(&variable) = variables.get(next) {
            next += 1;
            for is_true in [true, false] {
                let literal = Literal::new(variable, is_true);
                for &clause in &self.occurrences[literal.index()] {
                    let at = clause as usize;
                    self.steps += 1;
                    if self.n_true[at] > 0 || self.seen_clauses[at] == self.walk {
                        continue;
                    }
                    self.seen_clauses[at] = self.walk;
                    clauses.push(clause);
                    self.steps += self.clauses[at].len();
                    for member in &self.clauses[at] {
                        let other = member.variable();
                        let is_new = self.seen_variables[other as usize] != self.walk;
                        if is_new && self.values[other as usize].is_none() {
                            self.seen_variables[other as usize] = self.walk;
                            variables.push(other);
                        }
                    }
                }
            }
        }
        variables.sort_unstable();
        clauses.sort_unstable();
        ClauseComponent { variables, clauses }
    }

    /// The variable of a component that says most: the one in the most clauses, short
    /// clauses counting more. Of equals it is the one in the middle: numbers that are close
    /// mostly stand together, so what is left falls into parts of like size.
    pub fn decision(&mut self, component: &ClauseComponent) -> u32 {
        let variables = &component.variables;
        let mut scores = vec![0u64; variables.len()];
        for &clause in &component.clauses {
            // Short clauses are decided soonest; each literal less doubles what a clause counts.
            let weight = 1u64 << 10u32.saturating_sub(self.n_open[clause as usize]);
            self.steps += self.clauses[clause as usize].len();
            for literal in &self.clauses[clause as usize] {
                // Assigned variables are no members.
                if let Ok(at) = variables.binary_search(&literal.variable()) {
                    scores[at] += weight;
                }
            }
        }
        let best = scores.iter().max().copied();
        let is_best = |&at: &usize| Some(scores[at]) == best;
        let equals: Vec<usize> = (0..scores.len()).filter(is_best).collect();
        variables[equals[equals.len() / 2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_grammar::source::Span;

    fn formula(n_variables: usize, clauses: &[&[i32]]) -> ClausalFormula {
        let literal = |&number: &i32| Literal::new(number.unsigned_abs() - 1, number > 0);
        ClausalFormula {
            n_variables,
            clauses: clauses
                .iter()
                .map(|clause| clause.iter().map(literal).collect())
                .collect(),
            is_negated: false,
            span: Span::default(),
        }
    }

    #[test]
    fn conclusions_are_drawn_and_taken_back() {
        let formula = formula(4, &[&[-1, 2], &[-2, 3], &[-3, -1, 4]]);
        let mut search = ClauseSearch::new(&formula);
        assert!(search.assign([Literal::new(0, true)]));
        assert_eq!(search.depth(), 4);
        search.undo(0);
        assert!(search.assign([Literal::new(3, false)]));
        assert!(!search.assign([Literal::new(0, true)]));
        search.undo(0);
        assert_eq!(search.components(&[0, 1, 2, 3]).len(), 1);
    }

    #[test]
    fn parts_without_common_variables_are_apart() {
        let formula = formula(6, &[&[1, 2], &[2, 3], &[4, 5]]);
        let mut search = ClauseSearch::new(&formula);
        let parts = search.components(&[0, 1, 2, 3, 4, 5]);
        assert_eq!(parts.len(), 3);
        assert_eq!(search.decision(&parts[0]), 1);
        assert!(search.assign([Literal::new(1, false)]));
        assert_eq!(search.depth(), 3);
    }
}
