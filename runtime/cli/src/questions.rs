//! The commands that ask questions, as the manual and programs read them.

use pelton::question::QUESTIONS;
use pelton_compiler::tractability::QueryKind;

/// The command that asks a question.
pub fn command(kind: QueryKind) -> &'static str {
    match kind {
        QueryKind::Likelihood => "eval",
        QueryKind::Marginal => "query",
        QueryKind::Conditional => "query",
        QueryKind::Posteriors => "marginals",
        QueryKind::Map => "map",
        QueryKind::Sampling => "sample",
        QueryKind::CrossEntropy => "kl --cross",
        QueryKind::Constraint => "query",
        QueryKind::ClosedForm => "fit --method mle",
        QueryKind::Softening => "fit --softness",
        QueryKind::Multiply => "multiply",
        QueryKind::Condition => "condition",
        QueryKind::Marginalize => "marginalize",
        // The table of questions says what they are called.
        _ => QUESTIONS
            .iter()
            .find(|own| own.kind == kind)
            .map_or("", |own| own.name),
    }
}
