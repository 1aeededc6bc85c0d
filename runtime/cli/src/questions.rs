//! The commands that ask questions, as the manual and programs read them.

use pelton_compiler::tractability::QueryKind;

/// The command that asks a question.
pub fn command(kind: QueryKind) -> &'static str {
    match kind {
        QueryKind::Likelihood => "eval",
        QueryKind::Marginal | QueryKind::Conditional | QueryKind::Constraint => "query",
        QueryKind::Posteriors => "marginals",
        QueryKind::Map => "map",
        QueryKind::Sampling => "sample",
        QueryKind::Moments => "moments",
        QueryKind::Entropy => "entropy",
        QueryKind::CrossEntropy => "kl --cross",
        QueryKind::Divergence => "kl",
        QueryKind::MutualInformation => "mi",
        QueryKind::ModelCount => "count",
        QueryKind::ClosedForm => "fit --method mle",
        QueryKind::Softening => "fit --softness",
        QueryKind::Multiply => "multiply",
        QueryKind::Condition => "condition",
        QueryKind::Marginalize => "marginalize",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton::question::QUESTIONS;

    #[test]
    fn questions_are_called_as_their_table_says() {
        for question in QUESTIONS {
            assert_eq!(command(question.kind), question.name);
        }
    }
}
