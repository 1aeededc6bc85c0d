//! The table of questions.

use crate::kit::of_text;
use pelton_runtime::query_table::{QueryKind, Standing, TABLE, page};
use std::path::Path;

/// `BLESS=1` writes the page anew.
#[test]
fn the_page_is_written_from_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammar/reference/query-table.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page(), "BLESS=1 writes {} anew", path.display());
}

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
        assert_eq!(standing(kind, &sharp), Standing::Exact);
        let Standing::NotExact(reason) = standing(kind, &blunt) else {
            panic!("{kind:?}");
        };
        assert!(
            reason.contains("sum at the root is not deterministic"),
            "{reason}"
        );
    }
    assert_eq!(standing(QueryKind::Moments, &blunt), Standing::Exact);
    assert!(matches!(
        standing(QueryKind::Divergence, &sharp),
        Standing::Depends(_)
    ));
    assert!(matches!(
        standing(QueryKind::Divergence, &blunt),
        Standing::NotExact(_)
    ));
    assert!(matches!(
        standing(QueryKind::CrossEntropy, &blunt),
        Standing::Depends(_)
    ));
    let Standing::NotExact(reason) = standing(QueryKind::ModelCount, &blunt) else {
        panic!("an infinite domain has no count");
    };
    assert!(reason.contains("`x` is real"), "{reason}");
}
