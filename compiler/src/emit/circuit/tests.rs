//! Written circuits, in full, each read again by the grammar.

mod round_trip;

use super::super::EmitError;
use crate::circuit::*;
use crate::emit::tests::fixture::{self, Kit, child, leaf, learned};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::{ParseOptions, parse};
use pelton_grammar::source::{Source, Span};

/// The written circuit, which must be free of syntax errors.
pub(super) fn written(circuit: &CircuitGraph) -> String {
    let mut text = String::new();
    super::circuit(circuit, &mut text).unwrap();
    let mut found = SourceDiagnostics::new();
    let source = Source::standalone("written", text.clone());
    parse(&source, &ParseOptions::default(), &mut found);
    assert!(found.is_empty(), "{text}\n{found:?}");
    text
}

fn started(value: f64) -> ParameterEntry {
    ParameterEntry {
        value: Some(ParameterValue::Linear(value)),
        learned: true,
    }
}

#[test]
fn named_nodes_stay_and_the_rest_is_inlined() {
    assert_eq!(
        written(&fixture::sprinkler()),
        "var rain, wet : bool;\n\
         \n\
         node wet_if_rain = 0.9: wet + 0.1: !wet;\n\
         node wet_if_dry = 0.2: wet + 0.8: !wet;\n\
         node joint = 0.3: rain * wet_if_rain + 0.7: !rain * wet_if_dry;\n\
         root joint;\n\
         assert root is smooth, deterministic;\n\
         query P(rain | wet);\n"
    );
}

#[test]
fn arrays_attributes_and_tied_parameters_are_declared() {
    assert_eq!(
        written(&fixture::penguins()),
        "@column(\"height_cm\") @unit(\"cm\")\n\
         var height : real;\n\
         var species : {adelie, chinstrap, gentoo};\n\
         param w : simplex(3) = ?;\n\
         param sigma : positive = ?10;\n\
         param mu[0..3] : real = ?;\n\
         \n\
         node `comp[0]` = height ~ normal(mu[0], sigma) * species ~ categorical(?);\n\
         node `comp[1]` = height ~ normal(mu[1], sigma) * species ~ categorical(?);\n\
         node `comp[2]` = height ~ normal(mu[2], sigma) * species ~ categorical(?);\n\
         root w[0]: `comp[0]` + w[1]: `comp[1]` + w[2]: `comp[2]`;\n"
    );
}

#[test]
fn families_keep_the_indices_of_their_parameters() {
    let text = written(&fixture::hmm(2, 2, 3));
    assert_eq!(
        text,
        "var x[0..2] : 0..3;\n\
         param init : simplex(2) = ?;\n\
         param trans[0..2] : simplex(2) = ?;\n\
         param emit[0..2] : simplex(3) = ?;\n\
         \n\
         node `z[1, 0]` = x[1] ~ categorical(emit[0]);\n\
         node `z[1, 1]` = x[1] ~ categorical(emit[1]);\n\
         node `z[0, 0]` = x[0] ~ categorical(emit[0]) * (trans[0, 0]: `z[1, 0]` + trans[0, 1]: `z[1, 1]`);\n\
         node `z[0, 1]` = x[0] ~ categorical(emit[1]) * (trans[1, 0]: `z[1, 0]` + trans[1, 1]: `z[1, 1]`);\n\
         root init[0]: `z[0, 0]` + init[1]: `z[0, 1]`;\n"
    );
}

#[test]
fn a_learned_parameter_without_a_name_gets_one_where_it_is_tied() {
    let mut kit = Kit::default();
    let (a, b) = (kit.var("a", Domain::Bool), kit.var("p0", Domain::Bool));
    let shared = kit.param(ParamKind::Simplex, &[started(0.25), started(0.75)]);
    let own = kit.param(
        ParamKind::Simplex,
        &[ParameterEntry::fixed(0.5), ParameterEntry::learned()],
    );
    let coins: Vec<UnitId> = [a, b]
        .into_iter()
        .map(|variable| {
            let sides = [kit.within(variable, 0, 1), kit.within(variable, 1, 2)];
            kit.mix(shared, &sides, SourceOrigin::default())
        })
        .collect();
    let both = kit.product(&coins, SourceOrigin::default());
    let twice = kit.product(&[both], SourceOrigin::default());
    let root = kit.mix(own, &[both, twice], SourceOrigin::default());
    assert_eq!(
        written(&kit.builder.finish(root)),
        "var a, p0 : bool;\n\
         param p0_2 : simplex(2) = ?[0.25, 0.75];\n\
         \n\
         node u6 = (p0_2[0]: !a + p0_2[1]: a) * (p0_2[0]: !p0 + p0_2[1]: p0);\n\
         root 0.5: u6 + ?: u6;\n"
    );
}

#[test]
fn a_sum_that_uses_its_entries_out_of_order_is_told_by_name() {
    let mut kit = Kit::default();
    let a = kit.var("a", Domain::Bool);
    let param = kit.param(ParamKind::Simplex, &learned(2));
    let rate = kit.param(ParamKind::Unit, &[started(0.75), started(0.25)]);
    let units = [kit.within(a, 0, 1), kit.within(a, 1, 2)];
    let weigh = |param, index| Some(Weight { param, index });
    let swapped = [
        child(units[0], weigh(param, 1)),
        child(units[1], weigh(param, 0)),
    ];
    let swapped = kit.builder.sum(&swapped, SourceOrigin::default());
    let tilted = kit.mix(rate, &units, SourceOrigin::default());
    let root = kit.sum(&[(0.5, swapped), (0.5, tilted)], SourceOrigin::default());
    assert_eq!(
        written(&kit.builder.finish(root)),
        "var a : bool;\n\
         param p0 : simplex(2) = ?;\n\
         param p1 : unit = ?0.25;\n\
         \n\
         root 0.5: (p0[1]: !a + p0[0]: a) + 0.5: ((1 - p1): !a + p1: a);\n"
    );
}

/// A product of one leaf for each of several kinds.
fn gallery() -> CircuitGraph {
    let mut kit = Kit::default();
    let sky = ["clear", "very \"stormy\"", "in"].map(String::from);
    let sky = kit.var("sky", Domain::Categories(sky.to_vec().into()));
    let temp = kit.var("temp °C", Domain::Real);
    let count = kit.var("count", Domain::Nat);
    let dice = kit.var("dice", Domain::Range { low: -1, high: 7 });
    let mean = kit.param(ParamKind::Real, &[ParameterEntry::fixed(-1.5)]);
    let spread = kit.param(ParamKind::Positive, &[started(1e-7)]);
    let rate = kit.param(ParamKind::Positive, &[ParameterEntry::learned()]);
    let bins = kit.param(
        ParamKind::Simplex,
        &[started(0.5), ParameterEntry::fixed(0.5)],
    );
    let interval = |low, high| Some(ValueSet::between(low, high, false));
    let breaks = [0.0, 0.5, 2.0].map(FiniteConstant::new).to_vec();
    let uniform = Family::Uniform(UniformDistribution {
        low: FiniteConstant::new(-2.5),
        high: FiniteConstant::new(20.0),
    });
    let scattered = ValueSet::integers(1, 3).union(&ValueSet::integers(5, 6));
    let apart = |from: f64| ValueSet::between(Cut::after(from), Cut::after(from + 1.0), false);
    let holes = LeafKind::Indicator(apart(0.0).union(&apart(5.0)));
    let leaves = [
        leaf(
            temp,
            Family::Normal(NormalDistribution),
            &[mean, spread],
            interval(Cut::before(10.0), Cut::before(20.0)),
        ),
        leaf(
            temp,
            Family::Exponential(ExponentialDistribution),
            &[rate],
            interval(Cut::after(0.5), Cut::before(f64::INFINITY)),
        ),
        leaf(
            temp,
            Family::Histogram(HistogramDistribution { breaks }),
            &[bins],
            None,
        ),
        leaf(temp, uniform, &[], None),
        leaf(
            count,
            Family::Poisson(PoissonDistribution),
            &[rate],
            Some(ValueSet::integers_from(3)),
        ),
        leaf(
            dice,
            Family::Categorical(CategoricalDistribution),
            &[bins],
            Some(scattered.clone()),
        ),
        leaf(
            sky,
            Family::Categorical(CategoricalDistribution),
            &[bins],
            Some(ValueSet::integers(0, 2)),
        ),
        Leaf {
            variable: dice,
            kind: LeafKind::Indicator(scattered),
        },
        Leaf {
            variable: dice,
            kind: LeafKind::Indicator(ValueSet::integers(-1, 0)),
        },
        Leaf {
            variable: dice,
            kind: LeafKind::Indicator(ValueSet::integers(-1, 5)),
        },
        Leaf {
            variable: sky,
            kind: LeafKind::Indicator(ValueSet::integers(2, 3)),
        },
        Leaf {
            variable: sky,
            kind: LeafKind::Indicator(ValueSet::integers(0, 2)),
        },
        Leaf {
            variable: temp,
            kind: holes,
        },
    ];
    let units: Vec<UnitId> = leaves
        .into_iter()
        .map(|leaf| kit.builder.input(leaf, SourceOrigin::default()))
        .collect();
    let root = kit.product(&units, SourceOrigin::default());
    kit.builder.finish(root)
}

#[test]
fn every_kind_of_leaf_is_written() {
    assert_eq!(
        written(&gallery()),
        "var sky : {clear, \"very \\\"stormy\\\"\", \"in\"};\n\
         var `temp °C` : real;\n\
         var count : nat;\n\
         var dice : -1..7;\n\
         param p2 : positive = ?;\n\
         param p3 : simplex(2) = [?0.5, 0.5];\n\
         \n\
         root\n    \
         `temp °C` ~ normal(-1.5, ?1e-7) in [10, 20) * `temp °C` ~ exponential(p2) in (0.5, inf)\n  \
         * `temp °C` ~ histogram([0, 0.5, 2], p3) * `temp °C` ~ uniform(-2.5, 20)\n  \
         * count ~ poisson(p2) in [3, inf) * dice ~ categorical(p3) in {1, 2, 5}\n  \
         * sky ~ categorical(p3) in {clear, \"very \\\"stormy\\\"\"} * [dice in {1, 2, 5}] * [dice = -1]\n  \
         * [-1 <= dice < 5] * [sky = \"in\"] * [sky in {clear, \"very \\\"stormy\\\"\"}]\n  \
         * (1: [0 < `temp °C` <= 1] + 1: [5 < `temp °C` <= 6]);\n"
    );
}

#[test]
fn a_category_that_is_called_like_a_variable_is_a_string() {
    let mut kit = Kit::default();
    let cause = kit.var(
        "cause",
        Domain::Categories(["rain".into(), "hose".into()].into()),
    );
    let rain = kit.var("rain", Domain::Bool);
    let leaves = [
        (cause, ValueSet::integers(0, 1)),
        (rain, ValueSet::integers(1, 2)),
    ];
    let units = leaves.map(|(variable, set)| {
        let kind = LeafKind::Indicator(set);
        kit.builder
            .input(Leaf { variable, kind }, SourceOrigin::default())
    });
    let root = kit.product(&units, SourceOrigin::default());
    let text = written(&kit.builder.finish(root));
    assert!(text.contains("[cause = \"rain\"]"), "{text}");
}

#[test]
fn a_truncation_without_words_is_an_error_and_no_wrong_text() {
    let mut kit = Kit::default();
    let x = kit.var("x", Domain::Real);
    let rate = kit.param(ParamKind::Positive, &[ParameterEntry::fixed(2.0)]);
    let part = |from: f64| ValueSet::between(Cut::before(from), Cut::before(from + 1.0), false);
    let set = part(0.0).union(&part(5.0));
    let leaf = leaf(x, ExponentialDistribution.into(), &[rate], Some(set));
    let root = kit.builder.input(leaf, SourceOrigin::default());
    let result = super::circuit(&kit.builder.finish(root), &mut String::new());
    assert!(
        matches!(result, Err(EmitError::Inexpressible(_))),
        "{result:?}"
    );
}

#[test]
fn log_weights_columns_and_whole_arrays_of_values_survive() {
    let mut kit = Kit::default();
    let mut pixels = Vec::new();
    for at in 9..12 {
        pixels.push(kit.builder.variable(CircuitVariable {
            name: format!("pixel[{at}]"),
            domain: Domain::Bool,
            span: Span::default(),
            binding: VariableAttributes {
                column: Some(format!("p9_{at}")),
                unit: None,
                missing: vec!["NA".into(), "?".into()],
            },
        }));
    }
    let rows: Vec<ParamId> = [(0, 0, 0.5), (0, 1, 0.25), (1, 0, 0.125), (1, 1, 1.0)]
        .into_iter()
        .map(|(i, j, p)| {
            kit.tied(
                "t",
                &[i, j],
                ParamKind::Unit,
                &[started(1.0 - p), started(p)],
            )
        })
        .collect();
    let mut coin = |at: usize, row: usize| {
        kit.distribution(
            pixels[at],
            Family::Bernoulli(BernoulliDistribution),
            &[rows[row]],
        )
    };
    let coins = [coin(0, 0), coin(0, 1), coin(0, 2), coin(1, 3)];
    let log = |value| ParameterEntry {
        value: Some(ParameterValue::Log(value)),
        learned: false,
    };
    let weights = kit.param(ParamKind::Simplex, &[log(-0.5), log(-2.25), log(-1000.0)]);
    let mix = kit.mix(weights, &coins[..3], SourceOrigin::default());
    let empty = kit.product(&[], SourceOrigin::default());
    let root = kit.product(&[mix, coins[3], empty], SourceOrigin::default());
    let either = Event::Or(vec![
        Event::In(pixels[0], ValueSet::integers(0, 1)),
        Event::And(vec![
            Event::In(pixels[1], ValueSet::integers(1, 2)),
            Event::In(pixels[2], ValueSet::integers(0, 2)),
        ]),
    ]);
    kit.builder.query(DeclaredQuery {
        text: "P( … )".into(),
        event: either,
        given: Event::And(Vec::new()),
        span: Span::default(),
    });
    assert_eq!(
        written(&kit.builder.finish(root)),
        "@column(\"p9_{0}\") @missing(\"NA\", \"?\")\n\
         var pixel[9..12] : bool;\n\
         param t[0..2, 0..2] : unit = ?[[0.5, 0.25],\n    [0.125, 1]];\n\
         \n\
         node u4 =\n    \
         exp(-0.5): pixel[9] ~ bernoulli(t[0, 0]) + exp(-2.25): pixel[9] ~ bernoulli(t[0, 1])\n  \
         + exp(-1000): pixel[9] ~ bernoulli(t[1, 0]);\n\
         root u4 * pixel[10] ~ bernoulli(t[1, 1]) * prod i in 0..0 { 1 };\n\
         query P(!pixel[9] || (pixel[10] && pixel[11] in {false, true}));\n"
    );
}

#[test]
fn names_that_clash_stay_apart() {
    let mut kit = Kit::default();
    let scalar = kit.var("x", Domain::Bool);
    let member = kit.var("x[0]", Domain::Bool);
    let weights = kit.tied(
        "x",
        &[],
        ParamKind::Unit,
        &[ParameterEntry::fixed(0.5), ParameterEntry::fixed(0.5)],
    );
    let first = kit.distribution(scalar, Family::Bernoulli(BernoulliDistribution), &[weights]);
    let second = kit.within(member, 1, 2);
    let origin = kit.named("x", &[0]);
    let node = kit.product(&[first, second], origin);
    kit.builder.assertion(Assertion {
        target: node,
        properties: vec![(Property::Decomposable, None)],
    });
    let other = kit.within(member, 0, 1);
    let root = kit.product(&[node, other], SourceOrigin::default());
    assert_eq!(
        written(&kit.builder.finish(root)),
        "var x, `x[0]` : bool;\n\
         param x_2 : unit = 0.5;\n\
         \n\
         node `x[0]_2` = x ~ bernoulli(x_2) * `x[0]`;\n\
         root `x[0]_2` * !`x[0]`;\n\
         assert `x[0]_2` is decomposable;\n"
    );
}

#[test]
fn a_deep_chain_is_written_without_deep_brackets() {
    let mut kit = Kit::default();
    let a = kit.var("a", Domain::Bool);
    let mut top = kit.within(a, 1, 2);
    for _ in 0..100_000 {
        top = kit.sum(&[(1.0, top)], SourceOrigin::default());
    }
    let text = written(&kit.builder.finish(top));
    let deepest = text.lines().map(|line| line.matches('(').count()).max();
    assert!(deepest < Some(20), "{deepest:?}");
    assert_eq!(text.matches("1: ").count(), 100_000);
}
