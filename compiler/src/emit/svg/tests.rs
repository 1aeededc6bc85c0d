//! Drawings of small and large circuits.

use super::*;
use crate::circuit::{
    BernoulliDistribution, Domain, Family, ParamKind, SourceOrigin, UnitId, VarId,
};
use crate::emit::tests::fixture::{self, Kit};

/// A hidden Chow-Liu tree over a heap-shaped tree of `n` variables.
fn hclt(n: usize, n_states: i64) -> CircuitGraph {
    let mut kit = Kit::default();
    let x: Vec<VarId> = (0..n)
        .map(|i| kit.var(&format!("x[{i}]"), Domain::Bool))
        .collect();
    let mut nodes: Vec<Vec<UnitId>> = vec![Vec::new(); n];
    for i in (0..n).rev() {
        for k in 0..n_states {
            let b = kit.tied("b", &[i as i64, k], ParamKind::Unit, &fixture::learned(2));
            let mut factors =
                vec![kit.distribution(x[i], Family::Bernoulli(BernoulliDistribution), &[b])];
            let origin = kit.named("h", &[i as i64, k]);
            for c in [2 * i + 1, 2 * i + 2].into_iter().filter(|&c| c < n) {
                let at = [c as i64, k];
                let theta = fixture::learned(n_states as usize);
                let theta = kit.tied("theta", &at, ParamKind::Simplex, &theta);
                factors.push(kit.mix(theta, &nodes[c].clone(), origin.unnamed()));
            }
            let node = kit.product(&factors, origin);
            nodes[i].push(node);
        }
    }
    let prior = fixture::learned(n_states as usize);
    let prior = kit.tied("prior", &[], ParamKind::Simplex, &prior);
    let root = kit.mix(prior, &nodes[0].clone(), SourceOrigin::default());
    kit.builder.finish(root)
}

/// A circuit without names: layers of random sums and products.
fn nameless(n_layers: usize, width: usize, seed: u64) -> CircuitGraph {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut kit = Kit::default();
    let x: Vec<VarId> = (0..width)
        .map(|i| kit.var(&format!("v{i}"), Domain::Bool))
        .collect();
    let mut pool: Vec<UnitId> = x.iter().map(|&v| kit.within(v, 0, 1)).collect();
    for layer in 0..n_layers {
        let next = (0..width).map(|_| {
            let mut pick = || pool[random.random_range(0..pool.len())];
            let picked = [pick(), pick(), pick()];
            match layer % 2 {
                0 => kit.product(&picked, SourceOrigin::default()),
                _ => kit.sum(
                    &[(0.2, picked[0]), (0.3, picked[1]), (0.5, picked[2])],
                    SourceOrigin::default(),
                ),
            }
        });
        pool = next.collect();
    }
    let root = kit.product(&pool, SourceOrigin::default());
    kit.builder.finish(root)
}

/// Fails unless `text` is one balanced XML element with escaped text and
/// quoted attributes.
fn assert_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let between = &rest[..at];
        assert!(!between.contains('>'), "stray `>` in {between:?}");
        for after in between.split('&').skip(1) {
            let entity = after.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot"].contains(&entity), "&{after}");
        }
        assert!(!open.is_empty() || between.trim().is_empty(), "{between:?}");
        let end = at + rest[at..].find('>').expect("every tag is closed");
        let tag = &rest[at + 1..end];
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None => {
                assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
                assert_eq!(
                    tag.matches('"').count(),
                    2 * tag.matches('=').count(),
                    "<{tag}>"
                );
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(
        open.is_empty() && rest.trim().is_empty(),
        "{open:?} {rest:?}"
    );
}

fn drawn(circuit: &CircuitGraph, detail: SvgDetail) -> String {
    let options = SvgOptions {
        detail,
        ..SvgOptions::default()
    };
    let text = svg(circuit, &options);
    assert_well_formed(&text);
    text
}

fn n_boxes(circuit: &CircuitGraph) -> usize {
    collapse::diagram(circuit, &CircuitStatistics::of(circuit), String::new())
        .nodes
        .len()
}

fn box_texts(circuit: &CircuitGraph) -> Vec<(String, String)> {
    let diagram = collapse::diagram(circuit, &CircuitStatistics::of(circuit), String::new());
    let nodes = diagram.nodes.into_iter();
    nodes.map(|node| (node.text, node.subtext)).collect()
}

#[test]
fn a_small_circuit_shows_every_unit_weight_and_name() {
    let text = drawn(&fixture::sprinkler(), SvgDetail::Auto);
    // The legend has one of each as well.
    assert_eq!(text.matches("class=\"sum").count(), 3 + 1);
    assert_eq!(text.matches("class=\"product").count(), 2 + 1);
    assert_eq!(text.matches("class=\"leaf").count(), 4 + 1);
    assert_eq!(text.matches("class=\"edge\"").count(), 10);
    for words in [
        "¬rain<",
        ">wet_if_dry<",
        ">0.7<",
        ">0.1<",
        "9 units",
        "scope: 2 variables (rain, wet)",
    ] {
        assert!(text.contains(words), "{words}");
    }
    assert!(text.contains("prefers-color-scheme:dark"));
}

#[test]
fn names_of_any_kind_are_escaped() {
    let mut kit = Kit::default();
    let variable = kit.var("a<b>&\"c\"\u{1}", Domain::Bool);
    let yes = kit.within(variable, 1, 2);
    let no = kit.within(variable, 0, 1);
    let origin = kit.named("x & <y>", &[]);
    let root = kit.sum(&[(0.25, yes), (0.75, no)], origin);
    let circuit = kit.builder.finish(root);
    let text = drawn(&circuit, SvgDetail::Auto);
    assert!(
        text.contains("a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}"),
        "{text}"
    );
    drawn(&circuit, SvgDetail::Groups);
}

#[test]
fn a_chain_of_groups_is_split_while_it_stays_small() {
    let boxes = box_texts(&fixture::hmm(8, 8, 4));
    assert!(
        boxes.contains(&("z[3, ·]".into(), "8 sums · 8 products".into())),
        "{boxes:?}"
    );
    assert!(boxes.contains(&("x[3] ~ categorical".into(), "8 inputs".into())));
    assert_eq!(boxes.len(), 1 + 7 + 8);
}

#[test]
fn families_of_a_large_model_are_one_box_each() {
    let boxes = box_texts(&fixture::hmm(1024, 32, 27));
    let expected = [
        ("x[·] ~ categorical", "32,768 inputs · 1,024 variables"),
        ("z[·, ·]", "32,736 sums · 32,736 products"),
        ("root", "1 sum"),
    ];
    assert_eq!(boxes, expected.map(|(a, b)| (a.to_string(), b.to_string())));
    let text = drawn(&fixture::hmm(1024, 32, 27), SvgDetail::Auto);
    // Edges between instances of the family, on its loop.
    assert!(text.contains(">1,046,528<"), "{text}");
    assert!(n_boxes(&hclt(100, 4)) <= group::MOST_BOXES);
    assert_eq!(n_boxes(&hclt(7, 4)), 15);
}

#[test]
fn a_circuit_without_names_is_grouped_by_depth_and_never_points_upwards() {
    let circuit = nameless(100, 100, 1);
    let diagram = collapse::diagram(&circuit, &CircuitStatistics::of(&circuit), String::new());
    assert!(diagram.nodes.len() <= group::MOST_BOXES && diagram.nodes.len() > 5);
    assert!(diagram.edges.iter().all(|edge| !edge.is_reversed));
    drawn(&circuit, SvgDetail::Auto);
}

#[test]
fn names_that_differ_in_digits_alone_are_one_family() {
    let mut kit = Kit::default();
    let variable = kit.var("x", Domain::Bool);
    let mut top = kit.within(variable, 1, 2);
    for at in 0..100 {
        let origin = kit.named(&format!("n{at}"), &[]);
        top = kit.sum(&[(1.0, top)], origin);
    }
    let boxes = box_texts(&kit.builder.finish(top));
    assert!(
        boxes.contains(&("n·".into(), "100 sums".into())),
        "{boxes:?}"
    );
}

#[test]
fn families_that_feed_each_other_are_drawn_with_an_edge_upwards() {
    let mut kit = Kit::default();
    let variable = kit.var("x", Domain::Bool);
    let mut top = kit.within(variable, 1, 2);
    for at in 0..100 {
        let origin = kit.named(if at % 2 == 0 { "a" } else { "b" }, &[at]);
        top = kit.sum(&[(1.0, top)], origin);
    }
    let text = drawn(&kit.builder.finish(top), SvgDetail::Auto);
    assert_eq!(text.matches("edge back").count(), 1);
    assert!(text.contains(">50<") && text.contains(">49<"));
}

#[test]
fn extreme_shapes_are_collapsed_even_if_units_are_asked_for() {
    let mut kit = Kit::default();
    let domain = Domain::Range {
        low: 0,
        high: 1 << 20,
    };
    let variable = kit.var("x", domain);
    let leaves: Vec<UnitId> = (0..200_000)
        .map(|at| kit.within(variable, at, at + 1))
        .collect();
    let weights = kit.param(ParamKind::Simplex, &fixture::learned(leaves.len()));
    let root = kit.mix(weights, &leaves, SourceOrigin::default());
    let wide = drawn(&kit.builder.finish(root), SvgDetail::Units);
    assert!(wide.contains("200,000 inputs") && wide.len() < 10_000);

    let mut kit = Kit::default();
    let variable = kit.var("x", Domain::Bool);
    let mut top = kit.within(variable, 1, 2);
    for _ in 0..1_000_000 {
        top = kit.sum(&[(1.0, top)], SourceOrigin::default());
    }
    let deep = drawn(&kit.builder.finish(top), SvgDetail::Units);
    assert!(deep.contains("depth 0–71,428") && deep.len() < 20_000);
}

#[test]
fn a_lone_leaf_and_an_empty_product_are_drawn() {
    drawn(&fixture::with_unused_node(), SvgDetail::Auto);
    drawn(&fixture::with_unused_node(), SvgDetail::Groups);
    let mut kit = Kit::default();
    let root = kit.product(&[], SourceOrigin::default());
    drawn(&kit.builder.finish(root), SvgDetail::Auto);
}

#[test]
fn boxes_of_real_circuits_do_not_overlap() {
    for circuit in [
        fixture::sprinkler(),
        fixture::penguins(),
        fixture::hmm(3, 3, 4),
        hclt(7, 2),
        nameless(6, 8, 7),
    ] {
        let stats = CircuitStatistics::of(&circuit);
        for diagram in [
            detail::diagram(&circuit, &stats, String::new()),
            collapse::diagram(&circuit, &stats, String::new()),
        ] {
            layout::assert_clear(&draw::graph(&diagram));
        }
    }
}
