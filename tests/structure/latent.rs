//! The latent tree model as it is defined: a sum over all states of hidden variables.

use pelton_compiler::circuit::Domain;
use pelton_runtime::data::Schema;
use pelton_runtime::structure::{HiddenTreeForm, VariableTree};
use std::collections::HashMap;

/// Mixtures of latent trees with parameters that are looked up by name.
pub struct Latent<'a> {
    pub schema: &'a Schema,
    pub source: &'a str,
    pub values: &'a HashMap<String, Vec<f64>>,
    /// The trees with their numbers of states.
    pub trees: Vec<(&'a VariableTree, usize)>,
    pub form: HiddenTreeForm,
}

impl Latent<'_> {
    /// The probability or density of a row; NaN is a missing cell.
    pub fn density(&self, row: &[f64]) -> f64 {
        let trees = (1..).zip(&self.trees);
        let mut n_before = 0;
        let terms = trees.map(|(number, (tree, n_states))| {
            let one = One {
                all: self,
                number,
                tree,
                n_states: *n_states,
                n_before,
            };
            n_before += n_states;
            one.density(row)
        });
        terms.sum()
    }
}

/// One tree of a mixture.
struct One<'a> {
    all: &'a Latent<'a>,
    number: usize,
    tree: &'a VariableTree,
    n_states: usize,
    /// States of the trees before it.
    n_before: usize,
}

impl One<'_> {
    fn density(&self, row: &[f64]) -> f64 {
        let n = self.tree.n_variables();
        let hidden: Vec<usize> = (0..n).filter(|&at| self.is_hidden(at)).collect();
        let n_worlds = self.n_states.pow(hidden.len() as u32);
        let worlds = (0..n_worlds).map(|world| {
            let mut states = vec![usize::MAX; n];
            let mut rest = world;
            for &variable in &hidden {
                states[variable] = rest % self.n_states;
                rest /= self.n_states;
            }
            self.world(row, &states)
        });
        worlds.sum()
    }

    /// Whether a variable has a hidden one of its own; the others depend on that of
    /// their parent.
    fn is_hidden(&self, variable: usize) -> bool {
        let is_real = self.all.schema.columns[variable].domain == Domain::Real;
        self.tree.root() == variable
            || !self.tree.children(variable).is_empty()
            || (self.all.form == HiddenTreeForm::Pelton && is_real)
    }

    /// The density of a row together with these hidden states.
    fn world(&self, row: &[f64], states: &[usize]) -> f64 {
        let mut density = self.first(states[self.tree.root()]);
        for (variable, &cell) in row.iter().enumerate() {
            let parent = self.tree.parent(variable);
            let state = if self.is_hidden(variable) {
                states[variable]
            } else {
                states[parent.unwrap()]
            };
            if let Some(parent) = parent
                && self.is_hidden(variable)
            {
                let name = self.named("to", variable, states[parent]);
                density *= self.all.values[&name][state];
            }
            density *= self.leaf(variable, state, cell);
        }
        density
    }

    /// The weight of the tree with its root in a state.
    fn first(&self, state: usize) -> f64 {
        let values = self.all.values;
        let free = |name: &str| {
            let mut name = name.to_string();
            while !values.contains_key(&name) {
                name.push('_');
                assert!(name.len() < 20, "{name}");
            }
            &values[&name]
        };
        match self.all.form {
            HiddenTreeForm::Paper => free("prior")[self.n_before + state],
            HiddenTreeForm::Pelton => {
                let marks = ["", "_tree", "_tree_"];
                let names = marks.map(|mark| format!("prior{mark}{}", self.number));
                let prior = names.iter().find_map(|name| values.get(name)).unwrap();
                let weight = match self.all.trees.len() {
                    1 => 1.0,
                    _ => free("mix")[self.number - 1],
                };
                weight * prior[state]
            }
        }
    }

    /// What a variable's leaf gives to a cell.
    fn leaf(&self, variable: usize, state: usize, cell: f64) -> f64 {
        let column = &self.all.schema.columns[variable];
        let of = |stem| &self.all.values[&self.named(stem, variable, state)];
        match column.domain {
            _ if cell.is_nan() => 1.0,
            Domain::Real => {
                let (mean, spread) = (of("mean")[0], of("spread")[0]);
                let scaled = (cell - mean) / spread;
                (-0.5 * scaled * scaled).exp() / (spread * std::f64::consts::TAU.sqrt())
            }
            Domain::Nat => {
                let rate = of("rate")[0];
                let factorial: f64 = (1..=cell as u64).map(|n| n as f64).product();
                (-rate).exp() * rate.powf(cell) / factorial
            }
            _ => of("p")[(cell - column.domain.first()) as usize],
        }
    }

    /// The name of what a variable has in a state: `p1[place, k]` in an array,
    /// otherwise `p1_rain[k]`, where more may stand around the number and the name.
    fn named(&self, stem: &str, variable: usize, state: usize) -> String {
        let number = self.number;
        if self.all.schema.is_array() {
            let places = list(self.all.source, &format!("const column{number} = "));
            let place = places.iter().position(|&at| at == variable).unwrap();
            return format!("{stem}{number}[{place}, {state}]");
        }
        let own = &self.all.schema.columns[variable].variable;
        let column = variable + 1;
        let marks = ["", "_tree", "_tree_"];
        let ends = if own.contains('[') {
            ["", "_", "__"].map(|more| format!("column{column}{more}"))
        } else {
            [own.clone(), own.clone(), own.clone()]
        };
        let mut names = marks.iter().flat_map(|mark| {
            let ends = ends.iter();
            ends.map(move |end| format!("{stem}{mark}{number}_{end}[{state}]"))
        });
        let is_one = |name: &String| self.all.values.contains_key(name);
        let name = names.rfind(is_one);
        name.unwrap_or_else(|| panic!("{stem} of {own} in\n{}", self.all.source))
    }
}

/// The numbers of a list in a text.
fn list(source: &str, begin: &str) -> Vec<usize> {
    let from = source.find(begin).unwrap() + begin.len();
    let to = from + source[from..].find(';').unwrap();
    let items = source[from..to].trim_matches(['[', ']']).split(',');
    let items = items.map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| item.parse().unwrap()).collect()
}
