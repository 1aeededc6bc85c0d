//! How options that would help are called in Python.

use pelton::RemedyOption;

/// An option of this package, as a clause; `None` where it has none for it.
pub fn python_words(option: RemedyOption) -> Option<String> {
    let clause = match option {
        RemedyOption::SearchLonger => "search longer with `effort=10`",
        RemedyOption::FillSmooth => "let `smooth=True` fill in uniform ones",
        RemedyOption::LearnFixedNumbers => "use `learn_all=True`",
        RemedyOption::AllowFolder => "to use it nevertheless, allow its folder: `allow_use=[...]`",
        RemedyOption::EstimateEntropy => "`estimate_entropy()` gives an estimate",
        RemedyOption::EstimateBySamples => "`ask(..., samples=100000)` gives an estimate",
        RemedyOption::JointEntropy => {
            "`ask(\"entropy\", joint=True)` gives the entropy of the variables and of the choices that sums make"
        }
        RemedyOption::CrossEntropy => {
            "`ask(\"kl\", cross=True)` gives the cross entropy, which asks less of the first"
        }
        RemedyOption::WeightedCount => {
            "`ask(\"count\", weighted=True)` gives the mass of all inputs"
        }
        RemedyOption::BoundByEvidence => "say that the variable is smaller (`given=...`)",
        RemedyOption::ExpectationMaximisation => "`method=\"em\"` chooses it",
        RemedyOption::SofteningObjective => "`softening=...` chooses it",
        _ => return None,
    };
    Some(clause.to_string())
}
