//! How options that would help are called on the command line.

use pelton_grammar::remedy::RemedyOption;

/// An option of the library as a flag, in a clause that goes on after "…, or" or "…;".
pub fn flags(option: RemedyOption) -> Option<String> {
    let clause = match option {
        RemedyOption::RaiseSizeLimit => "raise the limit with `--max-size N`",
        RemedyOption::RaiseStepLimit => "raise `--max-size N`, of which the steps are a multiple",
        RemedyOption::RaiseDepthLimit(most) => {
            return Some(format!("allow more with `--max-depth N` (at most {most})"));
        }
        RemedyOption::SearchLonger => "search longer with `--effort 10`",
        RemedyOption::FillSmooth => "let `--smooth` fill in uniform ones",
        RemedyOption::LearnFixedNumbers => "use `--learn-all`",
        RemedyOption::AllowFolder => {
            "to use it nevertheless, allow its folder: `--allow-use FOLDER`"
        }
        RemedyOption::StateHeader => "say `--header yes` or `--header no`",
        RemedyOption::DenyHeader => "say `--header no`",
        RemedyOption::BindByOrder => "`--header no` binds columns by order",
        RemedyOption::IgnoreOtherColumns => {
            "`--header yes` ignores such columns and takes such variables as missing"
        }
        RemedyOption::TakeLineAsRow => "`--header no` takes it as a row",
        RemedyOption::ReadInChunks => "read some rows at a time (`--chunk-rows` of `fit`)",
        RemedyOption::EstimateEntropy | RemedyOption::EstimateBySamples => {
            "`--samples 100000` gives an estimate"
        }
        RemedyOption::TryMoreSamples => "`--samples 10000` tries more of them",
        RemedyOption::JointEntropy => {
            "`--joint` gives the entropy of the variables and of the choices that sums make"
        }
        RemedyOption::CrossEntropy => "`--cross` gives the cross entropy, which asks less of A",
        RemedyOption::WeightedCount => "`--weighted` gives the mass of all inputs",
        RemedyOption::KeepKnownVariables => "keep them with `--keep`",
        RemedyOption::BoundByEvidence => "say that the variable is smaller (`--given`)",
        RemedyOption::ExpectationMaximisation => "`--method em` chooses it",
        RemedyOption::SofteningObjective => "`--softening` chooses one",
    };
    Some(clause.to_string())
}
