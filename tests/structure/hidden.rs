//! Hidden Chow-Liu trees mean what they are defined to be.

use super::kit::{self, Kind};
use super::latent::Latent;
use pelton_runtime::data::Schema;
use pelton_runtime::structure::{HiddenTree, HiddenTreeForm, VariableTree, hclt_source};
use pelton_tests::dice::Dice;

const FORMS: [HiddenTreeForm; 2] = [HiddenTreeForm::Paper, HiddenTreeForm::Pelton];

/// Draws trees and parameters over the columns, and compares the circuit with the
/// definition.
fn assert_defined(dice: &mut Dice, schema: &Schema, form: HiddenTreeForm, what: &str) {
    let n_trees = 1 + dice.below(3);
    let trees: Vec<(VariableTree, usize)> = (0..n_trees)
        .map(|_| (kit::tree(dice, schema.columns.len()), 1 + dice.below(4)))
        .collect();
    let hidden = trees.iter().map(|(tree, n_states)| HiddenTree {
        tree,
        n_states: *n_states,
    });
    let source = hclt_source(schema, &hidden.collect::<Vec<_>>(), form);
    let model = kit::model(&source);
    let values = kit::drawn(dice, &model);
    let what = format!("{what}\n{source}");
    let rows = kit::all_rows(schema);
    let total: f64 = kit::logs(&model, &values, &rows)
        .iter()
        .map(|log| log.exp())
        .sum();
    kit::assert_close(total, 1.0, 1e-9, &what);
    let latent = Latent {
        schema,
        source: &source,
        values: &kit::by_name(&model, &values),
        trees: trees.iter().map(|(tree, n)| (tree, *n)).collect(),
        form,
    };
    let rows: Vec<Vec<f64>> = (0..12)
        .map(|at| kit::row(dice, schema, [0, 30][at % 2]))
        .collect();
    for (row, log) in rows.iter().zip(kit::logs(&model, &values, &rows)) {
        kit::assert_close(log, latent.density(row).ln(), 1e-9, &what);
    }
}

#[test]
fn arrays_of_one_domain() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let domain = kit::ALL[seed as usize % kit::ALL.len()].domain(&mut dice);
        let schema = kit::array(1 + dice.below(6), domain);
        for form in FORMS {
            assert_defined(&mut dice, &schema, form, &format!("seed {seed}"));
        }
    }
}

#[test]
fn columns_with_names_of_mixed_kinds() {
    for seed in 0..80 {
        let mut dice = Dice::new(1_000 + seed);
        let n_columns = 1 + dice.below(6);
        let schema = kit::named(&mut dice, n_columns, kit::ALL);
        for form in FORMS {
            assert_defined(&mut dice, &schema, form, &format!("seed {seed}"));
        }
    }
}

/// Columns without names that differ are called `x0`, `x1`, …
#[test]
fn columns_without_names_of_mixed_kinds() {
    for seed in 0..20 {
        let mut dice = Dice::new(2_000 + seed);
        let mut schema = kit::array(4, Kind::Bool.domain(&mut dice));
        for (at, column) in schema.columns.iter_mut().enumerate() {
            column.variable = format!("x{at}");
            column.domain = dice.pick(kit::ALL).domain(&mut dice);
        }
        let form = FORMS[seed as usize % 2];
        assert_defined(&mut dice, &schema, form, &format!("seed {seed}"));
    }
}
