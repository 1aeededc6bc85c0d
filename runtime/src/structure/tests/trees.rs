//! What every tree has to be.

use super::world::all_trees;
use crate::structure::{TreeOptions, VariableTree, trees};

fn depths(tree: &VariableTree) -> Vec<usize> {
    let mut depths = vec![0; tree.n_variables()];
    for (parent, child) in tree.edges() {
        depths[child] = depths[parent] + 1;
    }
    depths
}

/// How far the farthest variable is from each, by Floyd's algorithm.
fn eccentricities(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut away = vec![vec![n; n]; n];
    (0..n).for_each(|i| away[i][i] = 0);
    for &(a, b) in edges {
        (away[a][b], away[b][a]) = (1, 1);
    }
    for over in 0..n {
        for i in 0..n {
            for j in 0..n {
                away[i][j] = away[i][j].min(away[i][over] + away[over][j]);
            }
        }
    }
    away.iter().map(|row| *row.iter().max().unwrap()).collect()
}

#[test]
fn roots_are_centres_and_orders_breadth_first() {
    for n in 1..7 {
        for edges in all_trees(n) {
            let tree = VariableTree::from_edges(n, &edges).unwrap();
            let away = eccentricities(n, &edges);
            let least = *away.iter().min().unwrap();
            let centre = away.iter().position(|&far| far == least).unwrap();
            assert_eq!(tree.root(), centre, "{edges:?}");
            let depths = depths(&tree);
            assert_eq!(depths.iter().max(), Some(&least));
            assert!(tree.order().is_sorted_by_key(|&at| depths[at]));
        }
    }
}

#[test]
fn parents_and_children_agree() {
    for edges in all_trees(5) {
        let tree = VariableTree::from_edges(5, &edges).unwrap();
        let mut seen = tree.order().to_vec();
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        assert_eq!(tree.parent(tree.root()), None);
        let mut again: Vec<_> = tree.edges().map(|(a, b)| (a.min(b), a.max(b))).collect();
        again.sort_unstable();
        assert_eq!(again, edges);
        for at in 0..5 {
            let children = tree.children(at);
            assert!(children.is_sorted());
            let of_parents = (0..5).filter(|&child| tree.parent(child) == Some(at));
            assert!(of_parents.eq(children.iter().copied()));
        }
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    assert_eq!(VariableTree::from_edges(0, &[]), None);
    assert_eq!(VariableTree::from_edges(2, &[]), None);
    assert_eq!(VariableTree::from_edges(2, &[(0, 2)]), None);
    assert_eq!(VariableTree::from_edges(2, &[(1, 1)]), None);
    assert_eq!(VariableTree::from_edges(3, &[(0, 1), (1, 0)]), None);
    assert_eq!(VariableTree::from_edges(4, &[(0, 1), (1, 2), (2, 0)]), None);
    assert_eq!(VariableTree::from_edges(2, &[(0, 1), (0, 1)]), None);
    assert_eq!(VariableTree::from_edges(1, &[]).unwrap().order(), [0]);
}

#[test]
fn a_long_chain_is_no_trouble() {
    let edges: Vec<_> = (1..100_001).map(|at| (at - 1, at)).collect();
    let tree = VariableTree::from_edges(100_001, &edges).unwrap();
    assert_eq!(tree.root(), 50_000);
}

#[test]
fn more_columns_than_pairs_fit_into_memory_are_refused() {
    let columns = vec![crate::data::Column::Small(vec![0, 1]); 8193];
    let table = crate::data::Table::new(2, columns);
    let error = trees::found(&table, None, &TreeOptions::default()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("there are 8,193 columns"), "{message}");
    assert!(
        message.contains("all pairs of 8,192 are the most"),
        "{message}"
    );
}
