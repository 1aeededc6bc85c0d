//! A tree of variables that the products of a circuit can follow once it is filled.

use crate::circuit::{CircuitGraph, ReachableUnits, ScopeId, Scopes, VarId};
use crate::disjoint_sets::DisjointSets;
use rustc_hash::FxHashSet;

/// Steps before the search is given up: seconds.
const MOST_STEPS: usize = 300_000_000;

/// A tree over all variables of a circuit in which the factors of every product lie in
/// subtrees that do not meet.
#[derive(Default)]
pub(super) struct FactorTree {
    /// The parts of each node, none for a variable; parents before their parts.
    parts: Vec<Vec<usize>>,
    parents: Vec<usize>,
    depths: Vec<u32>,
    /// The variable of each node that is one.
    variables: Vec<Option<VarId>>,
    leaves: Vec<usize>,
}

/// Factors of a product that are still in one part: the variables of each.
type FactorSplit = Vec<Vec<usize>>;

impl FactorTree {
    /// Looks for such a tree, from the top down: two variables are in one part if they are
    /// in one factor of a product that mentions something else of the part, too. (If one
    /// part is all that comes of it, there is no tree: A. Aho et al., *Inferring a tree
    /// from lowest common ancestors*, 1981.)
    ///
    /// The time is what products mention, for each level of the tree.
    pub fn of(circuit: &CircuitGraph) -> Option<FactorTree> {
        let n = circuit.variables().len();
        let mut guide = FactorTree {
            leaves: vec![0; n],
            ..FactorTree::default()
        };
        let mut finder = VariablePartFinder::new(n);
        let all: Vec<usize> = (0..n).collect();
        let mut open = vec![(None, all, splits(circuit)?)];
        while let Some((parent, variables, splits)) = open.pop() {
            // A node for these variables, and below it one for each part that its products agree on.
            let node = guide.push(parent);
            if let [only] = variables[..] {
                guide.variables[node] = Some(VarId::new(only));
                guide.leaves[only] = node;
                continue;
            }
            for (variables, splits) in finder.parts(&variables, splits)? {
                open.push((Some(node), variables, splits));
            }
        }
        Some(guide)
    }

    fn push(&mut self, parent: Option<usize>) -> usize {
        let node = self.parts.len();
        self.parts.push(Vec::new());
        self.variables.push(None);
        self.parents.push(parent.unwrap_or(node));
        let depth = parent.map_or(0, |parent| self.depths[parent] + 1);
        self.depths.push(depth);
        if let Some(parent) = parent {
            self.parts[parent].push(node);
        }
        node
    }

    /// The node above all others.
    pub fn root(&self) -> usize {
        0
    }

    /// The parts of a node; none for a variable.
    pub fn parts(&self, node: usize) -> &[usize] {
        &self.parts[node]
    }

    pub fn variable(&self, node: usize) -> Option<VarId> {
        self.variables[node]
    }

    pub fn leaf(&self, variable: VarId) -> usize {
        self.leaves[variable.index()]
    }

    /// The node of which a node is a part; the root is its own.
    pub fn parent(&self, node: usize) -> usize {
        self.parents[node]
    }

    /// The lowest node above both, and the number of steps to it.
    pub fn join(&self, mut a: usize, mut b: usize) -> (usize, usize) {
        let mut n_steps = 1;
        while a != b {
            // The deeper one goes up, until both are the same node.
            if self.depths[a] >= self.depths[b] {
                a = self.parents[a]
            } else {
                b = self.parents[b]
            }
            n_steps += 1;
        }
        (a, n_steps)
    }
}

/// What the products below the root ask of the tree, each thing once; `None` if that is
/// too much.
fn splits(circuit: &CircuitGraph) -> Option<Vec<FactorSplit>> {
    let scopes = Scopes::compute(circuit);
    let mut seen: FxHashSet<Vec<ScopeId>> = FxHashSet::default();
    let mut found = Vec::new();
    let mut size = 0;
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    for product in circuit
        .products()
        .filter(|&product| reach.contains(product))
    {
        let factors = circuit.children(product).map(|child| scopes.id(child.unit));
        let mut factors: Vec<ScopeId> = factors.filter(|&id| scopes.size(id) > 0).collect();
        // Products that split alike ask the same; those of one factor with variables ask
        // nothing.
        factors.sort_unstable();
        if factors.len() < 2 || !seen.insert(factors.clone()) {
            continue;
        }
        let variables = |id: &ScopeId| scopes.get(*id).iter().map(VarId::index).collect();
        let split: FactorSplit = factors.iter().map(variables).collect();
        size += split.iter().map(Vec::len).sum::<usize>();
        found.push(split);
        if size > MOST_STEPS / 64 {
            return None;
        }
    }
    Some(found)
}

/// Finds the parts of a set of variables.
struct VariablePartFinder {
    together: DisjointSets,
    /// The number of the part that each leading variable stands for.
    part_of: Vec<usize>,
    steps_left: usize,
}

impl VariablePartFinder {
    fn new(n_variables: usize) -> Self {
        VariablePartFinder {
            together: DisjointSets::new(n_variables),
            part_of: vec![usize::MAX; n_variables],
            steps_left: MOST_STEPS,
        }
    }

    /// The parts, each with the products that it still has to take apart; `None` if there
    /// is one part only, or if the steps are used up.
    fn parts(
        &mut self,
        variables: &[usize],
        splits: Vec<FactorSplit>,
    ) -> Option<Vec<(Vec<usize>, Vec<FactorSplit>)>> {
        let size: usize = splits.iter().flatten().map(Vec::len).sum();
        self.steps_left = self.steps_left.checked_sub(size + variables.len())?;
        // 1. Every variable alone.
        for &variable in variables {
            self.together.part(variable);
            self.part_of[variable] = usize::MAX;
        }
        // 2. Variables of one factor stay together, since no split inside it is asked for here.
        for factor in splits.iter().flatten() {
            for &variable in &factor[1..] {
                self.together.unite(factor[0], variable);
            }
        }
        // 3. What is connected is a part; one part alone means that the products contradict each
        // other.
        let mut parts: Vec<(Vec<usize>, Vec<FactorSplit>)> = Vec::new();
        for &variable in variables {
            let top = self.together.find(variable);
            if self.part_of[top] == usize::MAX {
                self.part_of[top] = parts.len();
                parts.push((Vec::new(), Vec::new()));
            }
            parts[self.part_of[top]].0.push(variable);
        }
        if parts.len() == 1 {
            return None;
        }
        // 4. Products that mention several things of one part have to be followed there, too.
        for split in splits {
            self.hand_down(split, &mut parts);
        }
        Some(parts)
    }

    /// Gives the factors of a product to the parts that hold several of them.
    fn hand_down(&mut self, split: FactorSplit, parts: &mut [(Vec<usize>, Vec<FactorSplit>)]) {
        let part = |factor: Vec<usize>| (self.part_of[self.together.find(factor[0])], factor);
        let mut factors: Vec<(usize, Vec<usize>)> = split.into_iter().map(part).collect();
        factors.sort_by_key(|(part, _)| *part);
        for group in factors.chunk_by(|a, b| a.0 == b.0) {
            if let [(part, _), _, ..] = group {
                let split = group.iter().map(|(_, factor)| factor.clone()).collect();
                parts[*part].1.push(split);
            }
        }
    }
}
