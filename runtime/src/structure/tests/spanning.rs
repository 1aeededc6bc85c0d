//! The best trees against all trees.

use super::world::{World, all_trees};
use crate::structure::swap::edge;
use crate::structure::{InformationMatrix, VariableTree, best_trees};
use std::collections::BTreeSet;

fn edges(tree: &VariableTree) -> Vec<(usize, usize)> {
    let mut edges: Vec<_> = tree.edges().map(|(a, b)| edge(a, b)).collect();
    edges.sort_unstable();
    edges
}

fn assert_best(information: &InformationMatrix, k: usize) {
    let trees = all_trees(information.n_variables());
    let total = |edges: &Vec<(usize, usize)>| -> f64 {
        edges.iter().map(|&(i, j)| information.get(i, j)).sum()
    };
    let mut totals: Vec<f64> = trees.iter().map(total).collect();
    totals.sort_by(|a, b| b.total_cmp(a));
    let found = best_trees(information, k);
    assert_eq!(found.len(), k.min(trees.len()));
    let different: BTreeSet<_> = found.iter().map(edges).collect();
    assert_eq!(different.len(), found.len(), "some tree came twice");
    for (tree, best) in found.iter().zip(&totals) {
        let own = information.of_tree(tree);
        assert!((own - best).abs() < 1e-12, "{own} instead of {best}");
    }
}

#[test]
fn the_best_trees_are_found_in_order() {
    for seed in 0..40 {
        let mut world = World::new(seed);
        let n = 1 + seed as usize % 6;
        let ties = [None, Some(1), Some(2), Some(5)][world.below(4)];
        let information = world.matrix(n, ties);
        for k in [0, 1, 2, 7, 30] {
            assert_best(&information, k);
        }
    }
}

#[test]
fn all_trees_are_found_if_asked_for() {
    for (n, ties) in [(5, None), (6, Some(3)), (6, Some(1)), (6, None)] {
        assert_best(&World::new(3).matrix(n, ties), usize::MAX);
    }
}

#[test]
fn better_trees_do_not_depend_on_how_many_are_asked_for() {
    let information = World::new(4).matrix(9, Some(3));
    let many = best_trees(&information, 50);
    assert_eq!(best_trees(&information, 20), many[..20]);
}

#[test]
fn negative_values_and_what_is_no_number_still_give_trees() {
    let values = [f64::NAN, -1.0, f64::INFINITY, 0.5, -3.0, f64::NEG_INFINITY];
    let information = InformationMatrix::from_fn(5, |i, j| values[(i * 5 + j) % 6]);
    assert_best(&information, 200);
}

#[test]
fn independent_columns_are_joined_by_index() {
    let information = InformationMatrix::from_fn(5, |_, _| 0.0);
    let star: Vec<_> = (1..5).map(|at| (0, at)).collect();
    assert_eq!(edges(&best_trees(&information, 1)[0]), star);
}

#[test]
fn no_variables_have_no_tree() {
    assert!(best_trees(&InformationMatrix::from_fn(0, |_, _| 0.0), 3).is_empty());
}
