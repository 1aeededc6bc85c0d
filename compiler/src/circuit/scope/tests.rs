//! Laminar families against brute force.

use super::arrange;
use crate::check::tests::sketch::Sketch;
use crate::circuit::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Every set of a family, as units whose scopes they are, plus the whole.
fn scopes_of(sets: &[Vec<usize>], n_variables: usize) -> (Scopes, Vec<UnitId>) {
    let mut s = Sketch::new("");
    let variables: Vec<VarId> = (0..n_variables)
        .map(|at| s.variable(&format!("x{at}"), Domain::Bool))
        .collect();
    let whole = (0..n_variables).collect();
    let mut units = Vec::new();
    for set in sets.iter().chain([&whole]) {
        let leaves: Vec<_> = set
            .iter()
            .map(|&at| (s.literal(variables[at], 1), ""))
            .collect();
        units.push(s.product(&leaves, ""));
    }
    let root = *units.last().unwrap();
    (Scopes::compute(&s.finish(root).circuit), units)
}

fn cross(a: &Scope, b: &Scope) -> bool {
    !a.is_disjoint(b) && !a.is_subset(b) && !b.is_subset(a)
}

/// The set of variables below each node of a vtree.
fn sets_of(vtree: &Vtree) -> Vec<Scope> {
    let mut sets: Vec<Scope> = Vec::new();
    for node in vtree.nodes() {
        let set = match node {
            VtreeNode::Leaf(variable) => Scope::single(*variable),
            VtreeNode::Split(parts) => {
                let parts = parts.iter().map(|part| sets[part.index()].clone());
                parts.reduce(|a, b| a.union(&b)).unwrap()
            }
        };
        sets.push(set);
    }
    sets
}

/// Sets that often nest: ranges and arbitrary ones, of more variables than one word holds.
fn family() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let range = (0usize..6, 1usize..4).prop_map(|(low, len)| (low..(low + len).min(8)).collect());
    let far = (0usize..6, 1usize..4).prop_map(|(low, len)| {
        let near = low..(low + len).min(8);
        near.map(|at| at * 20).collect::<Vec<usize>>()
    });
    prop::collection::vec(prop_oneof![range, far], 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn arranges_exactly_the_laminar_families(sets in family()) {
        let (scopes, units) = scopes_of(&sets, 150);
        let mut family: Vec<_> = units.iter().map(|&unit| scopes.id(unit)).collect();
        let all: Vec<&Scope> = units.iter().map(|&unit| scopes.of(unit)).collect();
        let is_laminar = !all.iter().any(|a| all.iter().any(|b| cross(a, b)));
        match arrange(&scopes, &mut family) {
            Ok(vtree) => {
                prop_assert!(is_laminar);
                let sets = sets_of(&vtree);
                prop_assert!(all.iter().all(|scope| sets.contains(scope)));
                prop_assert_eq!(sets.last().unwrap().len(), 150);
                // A tree: every node but the root is a part of exactly one other.
                let parts = vtree.nodes().iter().map(|node| match node {
                    VtreeNode::Leaf(_) => 0,
                    VtreeNode::Split(parts) => parts.len(),
                });
                prop_assert_eq!(parts.sum::<usize>(), vtree.nodes().len() - 1);
            }
            Err(crossing) => {
                prop_assert!(!is_laminar);
                prop_assert!(cross(scopes.get(crossing.0), scopes.get(crossing.1)));
            }
        }
    }
}
