//! Members that were learned apart are joined into their mixture.

use super::kit;
use pelton_runtime::Model;
use pelton_runtime::data::Schema;
use pelton_runtime::structure::{
    EnsembleMember, HiddenTree, HiddenTreeForm, JoinForm, LearnedStructure, StructureError,
    StructureReport, VariableTree, clt_source, hclt_source, join,
};
use pelton_tests::dice::Dice;

/// A member with parameters drawn at random, and how likely it makes rows.
fn member(dice: &mut Dice, schema: &Schema, is_hidden: bool) -> (EnsembleMember, Model, Vec<f64>) {
    learned(dice, schema, is_hidden, |trees, n_states| JoinForm::Trees {
        trees,
        n_states,
    })
}

/// The same of which nothing is known but its text.
fn circuit_member(
    dice: &mut Dice,
    schema: &Schema,
    is_hidden: bool,
) -> (EnsembleMember, Model, Vec<f64>) {
    learned(dice, schema, is_hidden, |_, _| JoinForm::Circuit)
}

fn learned(
    dice: &mut Dice,
    schema: &Schema,
    is_hidden: bool,
    form: impl FnOnce(Vec<VariableTree>, Option<usize>) -> JoinForm,
) -> (EnsembleMember, Model, Vec<f64>) {
    let n_trees = 1 + dice.below(3);
    let trees: Vec<VariableTree> = (0..n_trees)
        .map(|_| kit::tree(dice, schema.columns.len()))
        .collect();
    let n_states = is_hidden.then(|| 1 + dice.below(3));
    let source = match n_states {
        Some(n_states) => {
            let hidden = trees.iter().map(|tree| HiddenTree { tree, n_states });
            hclt_source(schema, &hidden.collect::<Vec<_>>(), HiddenTreeForm::Pelton)
        }
        None => clt_source(schema, &trees.iter().collect::<Vec<_>>()),
    };
    let model = kit::model(&source);
    let values = kit::drawn(dice, &model);
    let structure = LearnedStructure {
        source,
        form: form(trees, n_states),
        learned: None,
        is_cancelled: false,
        report: StructureReport::default(),
    };
    let member = EnsembleMember::new(&structure, model.circuit(), &values);
    let logs = kit::logs(&model, &values, &rows(schema));
    (member, model, logs)
}

/// The same rows whenever they are asked for.
fn rows(schema: &Schema) -> Vec<Vec<f64>> {
    let mut dice = Dice::new(7);
    (0..30)
        .map(|at| kit::row(&mut dice, schema, [0, 20][at % 2]))
        .collect()
}

fn assert_joined(dice: &mut Dice, schema: &Schema, is_hidden: bool, what: &str) {
    let n_members = 1 + dice.below(4);
    let members: Vec<_> = (0..n_members)
        .map(|_| member(dice, schema, is_hidden))
        .collect();
    assert_mixture(dice, schema, &members, what);
}

fn assert_mixture(
    dice: &mut Dice,
    schema: &Schema,
    members: &[(EnsembleMember, Model, Vec<f64>)],
    what: &str,
) {
    let shares: Vec<f64> = members.iter().map(|_| dice.fraction() + 0.01).collect();
    let total: f64 = shares.iter().sum();
    let weights: Vec<f64> = shares.iter().map(|share| share / total).collect();
    let given: Vec<(&EnsembleMember, f64)> = members
        .iter()
        .zip(&weights)
        .map(|((member, ..), weight)| (member, *weight))
        .collect();
    let joined = join(schema, &given).unwrap();
    let model = kit::model(&joined.source);
    let logs = kit::logs(&model, &joined.values(&model), &rows(schema));
    for (row, log) in logs.into_iter().enumerate() {
        let terms = members.iter().zip(&weights);
        let terms = terms.map(|((_, _, logs), weight)| logs[row] + weight.ln());
        let what = format!("{what}, row {row}\n{}", joined.source);
        kit::assert_close(log, kit::log_sum(terms), 1e-9, &what);
    }
}

#[test]
fn hidden_trees_become_the_mixture_of_members() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let n_columns = 1 + dice.below(5);
        let schema = match seed % 3 {
            0 => kit::array(n_columns, dice.pick(kit::ALL).domain(&mut dice)),
            _ => kit::named(&mut dice, n_columns, kit::ALL),
        };
        assert_joined(&mut dice, &schema, true, &format!("seed {seed}"));
    }
}

#[test]
fn plain_trees_become_the_mixture_of_members() {
    for seed in 0..40 {
        let mut dice = Dice::new(500 + seed);
        let n_columns = 1 + dice.below(5);
        let schema = match seed % 3 {
            0 => kit::array(n_columns, dice.pick(kit::FINITE).domain(&mut dice)),
            _ => kit::named(&mut dice, n_columns, kit::FINITE),
        };
        assert_joined(&mut dice, &schema, false, &format!("seed {seed}"));
    }
}

/// Names with numbers and names that the circuit has for itself, all at once.
#[test]
fn awkward_names_are_not_mixed_up() {
    for seed in 0..20 {
        let mut dice = Dice::new(900 + seed);
        let mut schema = kit::array(6, kit::FINITE[seed as usize % 4].domain(&mut dice));
        let names = ["p1", "to2_x", "mix", "prior", "x", "k"];
        for (column, name) in schema.columns.iter_mut().zip(names) {
            column.name = Some(name.to_string());
            column.variable = name.to_string();
        }
        assert_joined(&mut dice, &schema, seed % 2 == 0, &format!("seed {seed}"));
    }
}

/// More than nine trees have numbers of two digits.
#[test]
fn many_members_keep_their_own_parameters() {
    let mut dice = Dice::new(4);
    let schema = kit::array(3, kit::FINITE[0].domain(&mut dice));
    let members: Vec<_> = (0..13).map(|_| member(&mut dice, &schema, true)).collect();
    let given: Vec<(&EnsembleMember, f64)> =
        members.iter().map(|own| (&own.0, 1.0 / 13.0)).collect();
    let joined = join(&schema, &given).unwrap();
    let model = kit::model(&joined.source);
    let logs = kit::logs(&model, &joined.values(&model), &rows(&schema));
    for (row, log) in logs.into_iter().enumerate() {
        let terms = members.iter().map(|own| own.2[row] - 13_f64.ln());
        kit::assert_close(log, kit::log_sum(terms), 1e-9, &joined.source);
    }
}

/// Hidden trees and others have no flat mixture: the ensemble is a sum over both.
#[test]
fn members_of_two_kinds_become_their_mixture() {
    for seed in 0..20 {
        let mut dice = Dice::new(700 + seed);
        let n_columns = 1 + dice.below(5);
        let schema = kit::named(&mut dice, n_columns, kit::FINITE);
        let members = [true, false, true].map(|kind| member(&mut dice, &schema, kind));
        assert_mixture(&mut dice, &schema, &members, &format!("seed {seed}"));
    }
}

/// Any circuit can be a member, whatever its names are: here that of the others' own.
#[test]
fn any_circuits_become_their_mixture() {
    for seed in 0..20 {
        let mut dice = Dice::new(300 + seed);
        let n_columns = 1 + dice.below(5);
        let schema = kit::array(n_columns, kit::FINITE[0].domain(&mut dice));
        let members = [true, true].map(|kind| circuit_member(&mut dice, &schema, kind));
        assert_mixture(&mut dice, &schema, &members, &format!("seed {seed}"));
    }
}

#[test]
fn an_ensemble_has_a_member() {
    let schema = kit::array(2, kit::FINITE[0].domain(&mut Dice::new(5)));
    let refused = join(&schema, &[]).unwrap_err();
    assert!(matches!(refused, StructureError::Option(_)), "{refused}");
}
