//! The commands that ask questions, as the manual and programs read them.

use pelton::question::QUESTIONS;
use pelton_compiler::tractability::QueryKind;

/// The command that asks a question.
pub fn command(kind: QueryKind) -> &'static str {
    // Questions of the table are commands of their own.
    if let Some(question) = QUESTIONS.iter().find(|own| own.kind == kind) {
        return question.name;
    }
    match kind {
        QueryKind::Likelihood => "eval",
        QueryKind::Marginal | QueryKind::Conditional | QueryKind::Constraint => "query",
        QueryKind::Posteriors => "marginals",
        QueryKind::Map => "map",
        QueryKind::Sampling => "sample",
        QueryKind::CrossEntropy => "kl --cross",
        QueryKind::ClosedForm => "fit --method mle",
        QueryKind::Softening => "fit --softness",
        QueryKind::Multiply => "multiply",
        QueryKind::Condition => "condition",
        QueryKind::Marginalize => "marginalize",
        other => unreachable!("{other:?} is asked by no command, which a test would have found"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_compiler::tractability::TABLE;

    #[test]
    fn every_kind_is_asked_by_a_command() {
        for rule in TABLE {
            assert!(!command(rule.kind).is_empty(), "{:?}", rule.kind);
        }
    }
}
