//! How options that would help are called in C.

use pelton::RemedyOption;

/// An option of this library, as a clause; `None` where it has none for it.
pub(crate) fn c_words(option: RemedyOption) -> Option<String> {
    let clause = match option {
        RemedyOption::LearnFixedNumbers => "set `learn_all` of `pelton_options` to 1",
        RemedyOption::AllowFolder => {
            "to use it nevertheless, add its folder to `allow_use` of `pelton_options`"
        }
        RemedyOption::EstimateEntropy => "the argument `samples` of `pelton_ask` gives an estimate",
        RemedyOption::EstimateBySamples => {
            "the argument `samples` of `pelton_ask` gives an estimate"
        }
        RemedyOption::JointEntropy => {
            "the argument `joint` of `pelton_ask` gives the entropy of the variables and of the choices that sums make"
        }
        RemedyOption::CrossEntropy => {
            "the argument `cross` of `pelton_ask` gives the cross entropy, which asks less of the first"
        }
        RemedyOption::WeightedCount => {
            "the argument `weighted` of `pelton_ask` gives the mass of all inputs"
        }
        RemedyOption::BoundByEvidence => "say that the variable is smaller (`given`)",
        RemedyOption::ExpectationMaximisation => "`PELTON_METHOD_EM` chooses it",
        _ => return None,
    };
    Some(clause.to_string())
}
