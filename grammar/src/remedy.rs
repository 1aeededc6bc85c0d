//! Ways out that are options, as data: every front end names its options differently.
//!
//! A library cannot know whether its user writes `--learn-all`, `learn_all=True` or
//! `Options::learn_all(true)`. So messages carry a [`RemedyOption`], and whoever shows them
//! brings [`RemedyWords`].

use std::fmt;

/// An option that would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemedyOption {
    /// Allow circuits of more units and edges.
    RaiseSizeLimit,
    /// Allow more steps of compiling a formula, which are a multiple of the same limit.
    RaiseStepLimit,
    /// Allow brackets to be nested deeper, at most so deep.
    RaiseDepthLimit(usize),
    /// Search longer for a proof of determinism.
    SearchLonger,
    /// Fill in uniform distributions where sums are not smooth.
    FillSmooth,
    /// Learn the numbers that the text fixes, too.
    LearnFixedNumbers,
    /// Let circuits use files of a folder.
    AllowFolder,
    /// Say whether the first line of the data is a header.
    StateHeader,
    /// Say that data have no header.
    DenyHeader,
    /// Bind columns by their order, whatever the header says.
    BindByOrder,
    /// Ignore columns without a variable, and take variables without a column as missing.
    IgnoreOtherColumns,
    /// Take the first line as a row.
    TakeLineAsRow,
    /// Read some rows at a time.
    ReadInChunks,
    /// Estimate an entropy by samples.
    EstimateEntropy,
    /// Estimate another measure of information by samples.
    EstimateBySamples,
    /// Try more samples for the most probable completion.
    TryMoreSamples,
    /// Ask for the entropy of variables and of the choices that sums make.
    JointEntropy,
    /// Ask for the cross entropy instead of the divergence.
    CrossEntropy,
    /// Ask for the mass of all inputs instead of their number.
    WeightedCount,
    /// Keep variables whose values are known.
    KeepKnownVariables,
    /// Say that a variable is smaller, as an event that is given.
    BoundByEvidence,
    /// Learn by expectation maximisation.
    ExpectationMaximisation,
    /// Choose the objective of learning from softened data.
    SofteningObjective,
}

/// How a front end says an option, as a clause such as "use `--learn-all`"; `None` where it
/// has no such option.
pub type RemedyWords = fn(RemedyOption) -> Option<String>;

/// Names no option: for messages whose front end is unknown.
pub fn no_options(_: RemedyOption) -> Option<String> {
    None
}

/// A text that holds for every front end, with the options that would help.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemedyText {
    /// What stands before it, and what joins them if there is anything to join.
    lead: Option<(String, &'static str)>,
    text: String,
    /// Each with what joins it to what is said before.
    options: Vec<(&'static str, RemedyOption)>,
}

impl RemedyText {
    /// With an option that may be taken instead: "…, or …".
    pub fn or(mut self, option: RemedyOption) -> Self {
        self.options.push((", or ", option));
        self
    }

    /// With an option that the text leads to: "…; …", or "…? …" behind a question.
    pub fn also(mut self, option: RemedyOption) -> Self {
        let is_question = self.options.is_empty() && self.text.ends_with('?');
        self.options
            .push((if is_question { " " } else { "; " }, option));
        self
    }

    /// The text behind another one, with `joint` between them if it says anything.
    pub fn behind(self, start: impl Into<String>, joint: &'static str) -> Self {
        let lead = Some((start.into(), joint));
        RemedyText { lead, ..self }
    }

    /// The options that would help.
    pub fn options(&self) -> impl Iterator<Item = RemedyOption> {
        self.options.iter().map(|&(_, option)| option)
    }

    /// The whole text; options that the front end does not have are left out.
    #[must_use]
    pub fn worded(&self, words: RemedyWords) -> String {
        let mut ways = self.text.clone();
        for &(joint, option) in &self.options {
            if let Some(clause) = words(option) {
                ways.push_str(if ways.is_empty() { "" } else { joint });
                ways.push_str(&clause);
            }
        }
        match &self.lead {
            Some((lead, _)) if ways.is_empty() => lead.clone(),
            Some((lead, joint)) => format!("{lead}{joint}{ways}"),
            None => ways,
        }
    }
}

/// The text alone, without options.
impl fmt::Display for RemedyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(no_options))
    }
}

/// Texts that offer no option are equal to plain ones.
impl<T: AsRef<str> + ?Sized> PartialEq<T> for RemedyText {
    fn eq(&self, other: &T) -> bool {
        self.options.is_empty() && self.worded(no_options) == other.as_ref()
    }
}

impl<T: Into<String>> From<T> for RemedyText {
    fn from(text: T) -> Self {
        RemedyText {
            text: text.into(),
            ..RemedyText::default()
        }
    }
}

impl From<RemedyOption> for RemedyText {
    fn from(option: RemedyOption) -> Self {
        RemedyText::default().also(option)
    }
}

/// An error that may know options that would help.
pub trait WordedError: fmt::Display {
    /// The whole message, with its options as data.
    fn remedy_text(&self) -> RemedyText;

    /// The whole message in the words of a front end.
    fn worded(&self, words: RemedyWords) -> String {
        self.remedy_text().worded(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(option: RemedyOption) -> Option<String> {
        let is_known = option == RemedyOption::LearnFixedNumbers;
        is_known.then(|| "use `--learn-all`".to_string())
    }

    #[test]
    fn options_are_joined_and_unknown_ones_left_out() {
        let text = RemedyText::from("write `?`")
            .or(RemedyOption::LearnFixedNumbers)
            .also(RemedyOption::SearchLonger);
        assert_eq!(text.worded(flags), "write `?`, or use `--learn-all`");
        assert_eq!(text.worded(no_options), "write `?`");
        assert_eq!(text.to_string(), "write `?`");
        let alone =
            RemedyText::from(RemedyOption::SearchLonger).or(RemedyOption::LearnFixedNumbers);
        assert_eq!(alone.worded(flags), "use `--learn-all`");
        let behind = alone.behind("it is fixed", "; ");
        assert_eq!(behind.worded(flags), "it is fixed; use `--learn-all`");
        assert_eq!(behind.to_string(), "it is fixed");
        assert_eq!(
            RemedyText::from("why?")
                .also(RemedyOption::LearnFixedNumbers)
                .worded(flags),
            "why? use `--learn-all`"
        );
    }
}
