//! The same seed gives the same structures and values, whatever the number of threads.

use super::kit;
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::data::{Schema, Table};
use pelton_runtime::learn::{LearnOptions, Start};
use pelton_runtime::structure::{
    ChowLiu, HiddenChowLiu, InformationOptions, StructureLearner, StructureTask, TreeChoice,
    TreeOptions, WeightedSample,
};
use pelton_tests::dice::Dice;

fn data() -> (Schema, Vec<Vec<f64>>) {
    let mut dice = Dice::new(11);
    let schema = kit::array(20, kit::FINITE[0].domain(&mut dice));
    let rows = (0..700).map(|_| {
        let mut row = kit::row(&mut dice, &schema, 3);
        let first = row[0];
        (1..8).for_each(|at| row[at] = if dice.chance(80) { first } else { row[at] });
        row
    });
    let rows = rows.collect();
    (schema, rows)
}

fn with_study<T>(run: impl FnOnce(&StructureTask) -> T) -> T {
    let (schema, rows) = data();
    let circuit = schema.circuit();
    let table = Table::from_assignments(&circuit, &rows);
    run(&StructureTask {
        schema: &schema,
        train: WeightedSample {
            table: &table,
            weights: None,
        },
        valid: None,
        model: &kit::precise(),
    })
}

fn trees(choice: TreeChoice, threads: usize, seed: u64) -> TreeOptions {
    TreeOptions {
        n_trees: 3,
        choice,
        information: InformationOptions {
            threads,
            ..InformationOptions::default()
        },
        seed,
    }
}

fn learning(threads: usize, seed: u64) -> LearnOptions {
    LearnOptions {
        minibatch_epochs: 2,
        fullbatch_epochs: 3,
        batch_size: 100,
        start: Start::KMeans,
        softness: 0.01,
        threads,
        seed,
        ..LearnOptions::default()
    }
}

const CHOICES: [TreeChoice; 2] = [TreeChoice::Best { of: 20 }, TreeChoice::Bootstrap];

/// The text and values of hidden trees.
fn hidden(choice: TreeChoice, threads: usize, seed: u64) -> (String, Vec<ParameterValue>) {
    with_study(|study| {
        let learner = HiddenChowLiu {
            n_states: 4,
            trees: trees(choice, threads, seed),
            ..HiddenChowLiu::default()
        };
        let structure = learner.structure(study).unwrap();
        let model = study.compile(&structure.source).unwrap();
        let learned = study.learn(&model, &learning(threads, seed), &mut ());
        (structure.source, learned.unwrap().values)
    })
}

/// The text and values of an ensemble of others.
fn plain(choice: TreeChoice, threads: usize, seed: u64) -> (String, Vec<ParameterValue>) {
    with_study(|study| {
        let learner = ChowLiu(trees(choice, threads, seed));
        let found = learner.learn(study, &learning(threads, seed), &mut ());
        let found = found.unwrap();
        (found.source, found.learned.unwrap().values)
    })
}

fn assert_reproducible(run: impl Fn(TreeChoice, usize, u64) -> (String, Vec<ParameterValue>)) {
    for choice in CHOICES {
        let once = run(choice, 1, 3);
        assert!(once == run(choice, 1, 3), "the same twice");
        assert!(once == run(choice, 2, 3), "threads do not matter");
        assert!(once != run(choice, 1, 4), "seeds do");
    }
}

#[test]
fn hidden_trees_are_reproducible() {
    assert_reproducible(hidden);
}

#[test]
fn ensembles_are_reproducible() {
    assert_reproducible(plain);
}
