//! Chow-Liu trees are deterministic, learned in closed form, and the best of all trees.

use super::kit;
use pelton_compiler::circuit::Property;
use pelton_runtime::data::{Schema, Table};
use pelton_runtime::learn::{LearnOptions, Method};
use pelton_runtime::structure::{
    ChowLiu, InformationOptions, JoinForm, LearnedStructure, StructureTask, TreeOptions,
    VariableTree, WeightedSample, clt_source,
};
use pelton_tests::dice::Dice;

/// Rows whose columns depend on each other, and what each counts.
struct Data {
    schema: Schema,
    rows: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Data {
    fn draw(seed: u64, n_columns: usize, weighted: bool) -> Self {
        let mut dice = Dice::new(seed);
        let schema = if dice.chance(50) {
            kit::named(&mut dice, n_columns, kit::FINITE)
        } else {
            let domain = dice.pick(kit::FINITE).domain(&mut dice);
            kit::array(n_columns, domain)
        };
        let n_rows = 5 + dice.below(40);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for _ in 0..n_rows {
            let mut row = kit::row(&mut dice, &schema, 0);
            if let Some(last) = rows.last()
                && dice.chance(40)
            {
                let at = dice.below(n_columns);
                row[..at].copy_from_slice(&last[..at]);
            }
            rows.push(row);
        }
        let weight = |_| {
            if weighted {
                dice.below(4) as f64 * 0.75
            } else {
                1.0
            }
        };
        let mut weights: Vec<f64> = (0..n_rows).map(weight).collect();
        weights[0] = 1.0;
        Data {
            schema,
            rows,
            weights,
        }
    }

    /// What the rows weigh for which something is true.
    fn count(&self, is_meant: impl Fn(&[f64]) -> bool) -> f64 {
        let rows = self.rows.iter().zip(&self.weights);
        let meant = rows.filter(|(row, _)| is_meant(row));
        meant.map(|(_, weight)| weight).sum()
    }

    /// The log-likelihood of a row under a tree whose parameters are counted from the
    /// rows with a pseudocount for each vector.
    fn log(&self, tree: &VariableTree, row: &[f64], pseudocount: f64) -> f64 {
        let share = |variable: usize| {
            pseudocount / self.schema.columns[variable].domain.size().unwrap() as f64
        };
        let root = tree.root();
        let own = self.count(|other| other[root] == row[root]);
        let all = self.count(|_| true);
        let mut log = ((own + share(root)) / (all + pseudocount)).ln();
        for (parent, child) in tree.edges() {
            let given = self.count(|other| other[parent] == row[parent]);
            let is_both =
                |other: &[f64]| other[parent] == row[parent] && other[child] == row[child];
            log += ((self.count(is_both) + share(child)) / (given + pseudocount)).ln();
        }
        log
    }

    /// The log-likelihood of all rows under the most likely parameters of a tree.
    fn most(&self, tree: &VariableTree) -> f64 {
        let rows = self.rows.iter().zip(&self.weights);
        let counted = rows.filter(|(_, weight)| **weight > 0.0);
        counted
            .map(|(row, weight)| weight * self.log(tree, row, 0.0))
            .sum()
    }

    fn with_study<T>(&self, run: impl FnOnce(&StructureTask) -> T) -> T {
        let circuit = self.schema.circuit();
        let table = Table::from_assignments(&circuit, &self.rows);
        run(&StructureTask {
            schema: &self.schema,
            train: WeightedSample {
                table: &table,
                weights: Some(&self.weights),
            },
            valid: None,
            model: &kit::precise(),
        })
    }
}

fn only_tree(structure: &LearnedStructure) -> &VariableTree {
    match &structure.form {
        JoinForm::Trees { trees, .. } => &trees[0],
        JoinForm::Circuit => panic!("trees are joined as trees"),
    }
}

fn tree_options(pseudocount: f64) -> TreeOptions {
    TreeOptions {
        information: InformationOptions {
            pseudocount,
            threads: 1,
        },
        ..TreeOptions::default()
    }
}

#[test]
fn single_trees_are_proven_deterministic() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let n_columns = 1 + dice.below(6);
        let schema = if dice.chance(50) {
            kit::named(&mut dice, n_columns, kit::FINITE)
        } else {
            let domain = dice.pick(kit::FINITE).domain(&mut dice);
            kit::array(n_columns, domain)
        };
        let tree = kit::tree(&mut dice, n_columns);
        let source = clt_source(&schema, &[&tree]);
        let model = kit::model(&source);
        let is_proven = model.facts().is_proven(Property::Deterministic);
        assert!(is_proven, "seed {seed}\n{source}");
        let values = kit::drawn(&mut dice, &model);
        let logs = kit::logs(&model, &values, &kit::all_rows(&schema));
        let total: f64 = logs.iter().map(|log| log.exp()).sum();
        kit::assert_close(total, 1.0, 1e-9, &source);
    }
}

#[test]
fn parameters_are_counts() {
    for seed in 0..60 {
        let data = Data::draw(100 + seed, 1 + seed as usize % 6, seed % 3 == 0);
        let pseudocount = [0.0, 0.1, 3.0][seed as usize % 3];
        let learning = LearnOptions {
            pseudocount,
            threads: 1,
            ..LearnOptions::default()
        };
        data.with_study(|study| {
            let structure = ChowLiu(tree_options(0.1)).structure(study).unwrap();
            let model = study.compile(&structure.source).unwrap();
            let learned = study.learn(&model, &learning, &mut ()).unwrap();
            assert_eq!(learned.report.method, Method::Mle);
            let logs = kit::logs(&model, &learned.values, &data.rows);
            for ((row, log), weight) in data.rows.iter().zip(logs).zip(&data.weights) {
                // What no row that counts has shown may have any share of nothing.
                if *weight > 0.0 || pseudocount > 0.0 {
                    let wanted = data.log(only_tree(&structure), row, pseudocount);
                    kit::assert_close(log, wanted, 1e-9, &structure.source);
                }
            }
        });
    }
}

/// All trees over the variables.
fn all_trees(n_variables: usize) -> Vec<VariableTree> {
    let pairs: Vec<(usize, usize)> = (0..n_variables)
        .flat_map(|a| (a + 1..n_variables).map(move |b| (a, b)))
        .collect();
    let sets = (0_u32..1 << pairs.len()).map(|bits| {
        let chosen = pairs.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| bits >> at & 1 == 1);
        chosen.map(|(_, &pair)| pair).collect::<Vec<_>>()
    });
    sets.filter_map(|edges| VariableTree::from_edges(n_variables, &edges))
        .collect()
}

/// What Chow and Liu promise.
#[test]
fn no_tree_makes_the_rows_likelier() {
    for (n_variables, n_trees) in [(1, 1), (2, 1), (3, 3), (4, 16), (5, 125)] {
        let trees = all_trees(n_variables);
        assert_eq!(trees.len(), n_trees);
        for seed in 0..12 {
            let data = Data::draw(200 + seed, n_variables, seed % 3 == 0);
            data.with_study(|study| {
                let structure = ChowLiu(tree_options(0.0)).structure(study).unwrap();
                let own = data.most(only_tree(&structure));
                for tree in &trees {
                    let other = data.most(tree);
                    assert!(own >= other - 1e-9, "seed {seed}: {own} and {other}");
                }
            });
        }
    }
}
