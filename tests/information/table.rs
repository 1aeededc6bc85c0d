//! The table of questions.

use crate::kit::of_text;
use pelton_compiler::check::{Checked, DeterminismLimits};
use pelton_compiler::circuit::{ValueSet, VarId};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::transform::{TransformError, condition, multiply};
use pelton_grammar::remedy::WordedError;
use pelton_runtime::query::{InformationError, entropy, mutual_information};
use pelton_runtime::tractability::{
    CircuitOperand, ExactnessStatus, QueryKind, TABLE, TractabilityRefusal, TractabilityRequirement,
};

#[test]
fn every_question_has_one_row() {
    for rule in TABLE {
        assert_eq!(rule.kind.rule().name, rule.name);
    }
}

#[test]
fn circuits_stand_as_their_properties_say() {
    let sharp = of_text("var a, b : bool;\nroot 0.5: a * b + 0.5: !a * !b;\n");
    let blunt = of_text(
        "var a : bool;\nvar x : real;\nroot 0.5: a * x ~ normal(0, 1) + 0.5: a ~ bernoulli(0.5) * x ~ normal(1, 1);\n",
    );
    let standing = |kind: QueryKind, checked: &pelton_compiler::check::Checked| {
        kind.standing(checked.circuit(), checked.facts())
    };
    for kind in [
        QueryKind::Entropy,
        QueryKind::Map,
        QueryKind::ModelCount,
        QueryKind::ClosedForm,
    ] {
        assert_eq!(standing(kind, &sharp), ExactnessStatus::Exact);
        let ExactnessStatus::NotExact(reason) = standing(kind, &blunt) else {
            panic!("{kind:?}");
        };
        assert!(
            reason.contains("sum at the root is not deterministic"),
            "{reason}"
        );
    }
    assert_eq!(standing(QueryKind::Moments, &blunt), ExactnessStatus::Exact);
    assert!(matches!(
        standing(QueryKind::Divergence, &sharp),
        ExactnessStatus::Depends(_)
    ));
    assert!(matches!(
        standing(QueryKind::Divergence, &blunt),
        ExactnessStatus::NotExact(_)
    ));
    assert!(matches!(
        standing(QueryKind::CrossEntropy, &blunt),
        ExactnessStatus::Depends(_)
    ));
    let ExactnessStatus::NotExact(reason) = standing(QueryKind::ModelCount, &blunt) else {
        panic!("an infinite domain has no count");
    };
    assert!(reason.contains("`x` is real"), "{reason}");
}

/// What refuses does so by the table: it names a need that its row lists, and the units.
#[test]
fn refusals_are_rows_of_the_table() {
    let mixture = of_text(
        "var x : real;\nvar c : bool;\n\
         root 0.5: x ~ normal(0, 1) * c + 0.5: x ~ normal(3, 2) * c ~ bernoulli(0.5);\n",
    );
    let refusal = entropy(&mixture, &start(&mixture), 1).map_err(of_information);
    assert_refused(
        refusal,
        QueryKind::Entropy,
        TractabilityRequirement::Holds(DETERMINISTIC),
        1,
    );
    let (x, c) = ([VarId::new(0)], [VarId::new(1)]);
    let found = mutual_information(
        &mixture,
        &start(&mixture),
        (&x, &c),
        &DeterminismLimits::default(),
        1,
    );
    let (kind, need) = (
        QueryKind::MutualInformation,
        TractabilityRequirement::MarginallyDeterministic,
    );
    assert_refused(found.map_err(of_information), kind, need, 1);

    let left = of_text("var a, b, c : bool;\nnode ab = 0.5: a * b + 0.5: !a * !b;\nroot ab * c;\n");
    let right =
        of_text("var a, b, c : bool;\nnode bc = 0.5: b * c + 0.5: !b * !c;\nroot a * bc;\n");
    let values = (start(&left), start(&right));
    let product = multiply((&left, &values.0), (&right, &values.1), true, 1000);
    let (kind, need) = (QueryKind::Multiply, TractabilityRequirement::Compatible);
    assert_refused(product.map_err(of_transform), kind, need, 2);
    let square = multiply((&left, &values.0), (&left, &values.0), true, 1);
    assert_refused(
        square.map_err(of_transform),
        kind,
        TractabilityRequirement::Room,
        0,
    );
    let truths =
        [0.0, 1.0].map(|x| ValueBox::from_iter([(VarId::new(0), ValueSet::point(x, true))]));
    let given = condition(&left, &values.0, &truths, false, 5).map_err(of_transform);
    assert_refused(
        given,
        QueryKind::Condition,
        TractabilityRequirement::Room,
        0,
    );
}

const DETERMINISTIC: pelton_compiler::circuit::Property =
    pelton_compiler::circuit::Property::Deterministic;

fn start(checked: &Checked) -> Vec<pelton_compiler::circuit::ParameterValue> {
    checked.circuit().start_values()
}

fn of_information(error: InformationError) -> TractabilityRefusal {
    match error {
        InformationError::Refused(refusal) => *refusal,
        error => panic!("{error}"),
    }
}

fn of_transform(error: TransformError) -> TractabilityRefusal {
    match error {
        TransformError::Refused(refusal) => *refusal,
        error => panic!("{error}"),
    }
}

fn assert_refused<T>(
    found: Result<T, TractabilityRefusal>,
    kind: QueryKind,
    need: TractabilityRequirement,
    n_culprits: usize,
) {
    let Err(refusal) = found else {
        panic!("{kind:?} is refused");
    };
    assert_eq!((refusal.kind(), refusal.need()), (kind, need), "{refusal}");
    assert!(kind.rule().needs.contains(&need));
    assert_eq!(refusal.culprits().len(), n_culprits, "{refusal:?}");
    let text = refusal.to_string();
    assert!(text.contains(&kind.rule().when()), "{text}");
    assert!(text.ends_with(kind.rule().way_out), "{text}");
    let options: Vec<_> = refusal.remedy_text().options().collect();
    assert_eq!(options, kind.rule().remedies, "{text}");
    if let Some(culprit) = refusal.culprits().first() {
        assert_eq!(culprit.side, CircuitOperand::First);
    }
}
