//! How options that would help are called in Rust.

use pelton_grammar::remedy::RemedyOption;

/// An option of this library, as a clause; `None` where it has none for it.
pub fn rust_words(option: RemedyOption) -> Option<String> {
    let clause = match option {
        RemedyOption::SearchLonger => "search longer with `Options::effort(10.0)`",
        RemedyOption::FillSmooth => "let `Options::smooth(true)` fill in uniform ones",
        RemedyOption::LearnFixedNumbers => "use `Options::learn_all(true)`",
        RemedyOption::AllowFolder => {
            "to use it nevertheless, allow its folder: `Options::allow_use`"
        }
        RemedyOption::EstimateEntropy => "`Circuit::estimate_entropy` gives an estimate",
        RemedyOption::EstimateBySamples => {
            "the argument `samples` of `Circuit::ask` gives an estimate"
        }
        RemedyOption::JointEntropy => {
            "the argument `joint` of `Circuit::ask` gives the entropy of the variables and of the choices that sums make"
        }
        RemedyOption::CrossEntropy => {
            "the argument `cross` of `Circuit::ask` gives the cross entropy, which asks less of the first"
        }
        RemedyOption::WeightedCount => {
            "the argument `weighted` of `Circuit::ask` gives the mass of all inputs"
        }
        RemedyOption::BoundByEvidence => "say that the variable is smaller (`given`)",
        RemedyOption::ExpectationMaximisation => "`FitOptions::method` chooses it",
        RemedyOption::SofteningObjective => "`FitOptions::softening` chooses it",
        _ => return None,
    };
    Some(clause.to_string())
}
