//! `kl`: how far one circuit is from another.

use super::answer::{below, infinite, method_text};
use super::{
    Answered, ArgumentKind, QuestionAnswer, QuestionArgument, QuestionAsked, QuestionRule,
};
use pelton_compiler::tractability::QueryKind;
use pelton_runtime::query::{cross_entropy, divergence, entropy, estimate_divergence};
use serde_json::json;

pub(super) const RULE: QuestionRule = QuestionRule {
    name: "kl",
    about: &[
        "Compute the Kullback-Leibler divergence of circuit B from circuit A",
        "That is the mean of log A - log B under A. Both are circuits over the same \
         variables, by name. Exact if both are proven deterministic and split their variables \
         alike; for others all states are visited if they are few. It is infinite if A is \
         positive where B is zero, which is decided without rounding.",
    ],
    exits: "Exit codes: 0 ok, 1 a circuit is wrong or does not allow it, 2 a file cannot be \
            read or the circuits do not go together, 3 a circuit is zero everywhere, 4 a result \
            is not a number.",
    circuits: &[
        ("A", "The circuit that the mean is taken under"),
        ("B", "The circuit that it is compared with"),
    ],
    arguments: &[
        QuestionArgument {
            name: "cross",
            value: "",
            help: "Compute the cross entropy alone, which needs only B to be deterministic",
            kind: ArgumentKind::Flag(None),
        },
        QuestionArgument::SAMPLES,
        QuestionArgument::SEED,
        QuestionArgument::BASE,
    ],
    kind: QueryKind::Divergence,
    without_needs: None,
    is_scaled: true,
    answer,
};

fn answer(asked: &QuestionAsked<'_>) -> Answered {
    let (first, second) = (asked.circuits[0], asked.circuits[1]);
    let (base, is_cross) = (asked.arguments.base(), asked.arguments.is_set("cross"));
    let refused = |error| asked.refused(error);
    if let Some(sampling) = asked.arguments.sampling(asked.effort.n_threads) {
        let found = estimate_divergence(first, second, is_cross, &sampling).map_err(refused)?;
        let (key, label) = if is_cross {
            ("cross_entropy", "cross entropy")
        } else {
            ("kl", "divergence")
        };
        return Ok(QuestionAnswer::estimate(key, label, &found, base));
    }
    let n_threads = asked.effort.n_threads;
    // The cross entropy is printed beside the divergence and is all that `cross` asks for; the
    // entropy of A is shown where it is exact and no error where it is not.
    let kl = (!is_cross).then(|| divergence(first, second, n_threads));
    let kl = kl.transpose().map_err(refused)?;
    let cross = cross_entropy(first, second, n_threads).map_err(refused)?;
    let own = entropy(first.0, first.1, n_threads).ok();
    let method = kl.map_or(cross.method, |found| found.method);
    // A number that is not finite is null.
    let amount = |nats: Option<f64>| {
        nats.filter(|nats| nats.is_finite())
            .map(|n| base.of_nats(n))
    };
    let fields = json!({
        "kl": amount(kl.map(|found| found.nats)),
        "infinite": cross.nats == f64::INFINITY,
        "cross_entropy": amount(Some(cross.nats)),
        "entropy": amount(own.map(|found| found.nats)),
        "unit": base.unit(),
        "method": method.name(),
        "states": method.n_states(),
    });
    let amounts = [
        ("divergence", kl.map(|found| found.nats)),
        ("cross entropy", Some(cross.nats)),
        ("entropy of A", own.map(|found| found.nats)),
    ];
    let known = amounts
        .into_iter()
        .filter_map(|(label, nats)| Some((label, nats?)));
    let line = |(label, nats): (&str, f64)| {
        if nats == f64::INFINITY {
            format!("{} (A is positive where B is zero)", infinite(label))
        } else {
            base.line(label, nats)
        }
    };
    let mut lines: Vec<String> = known.map(line).collect();
    lines.push(below(&method_text(method)));
    Ok(QuestionAnswer::new(fields, &lines))
}
