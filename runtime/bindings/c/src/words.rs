//! How options that would help are called in C.

use pelton::RemedyOption;

/// An option of this library, as a clause; `None` where it has none for it.
pub(crate) fn c_words(option: RemedyOption) -> Option<String> {
    let clause = match option {
        RemedyOption::LearnFixedNumbers => "set `learn_all` of `pelton_options` to 1",
        RemedyOption::AllowFolder => {
            "to use it nevertheless, add its folder to `allow_use` of `pelton_options`"
        }
        RemedyOption::BoundByEvidence => "say that the variable is smaller (`given`)",
        RemedyOption::ExpectationMaximisation => "`PELTON_METHOD_EM` chooses it",
        _ => return None,
    };
    Some(clause.to_string())
}
