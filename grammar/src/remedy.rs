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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct RemedyText {
    text: String,
    /// Each with what joins it to the text before.
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

    /// With several of the kind.
    pub fn with(self, options: &[RemedyOption]) -> Self {
        options.iter().fold(self, |text, &option| text.also(option))
    }

    /// The text behind another, with `joint` between them if anything is said at all.
    pub fn behind(mut self, start: &str, joint: &'static str) -> Self {
        if !self.text.is_empty() {
            self.text.insert_str(0, joint);
        } else if let Some((own, _)) = self.options.first_mut() {
            *own = joint;
        }
        self.text.insert_str(0, start);
        self
    }

    /// What holds for every front end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The options that would help.
    pub fn options(&self) -> impl Iterator<Item = RemedyOption> {
        self.options.iter().map(|&(_, option)| option)
    }

    /// The whole text; options that the front end does not have are left out.
    #[must_use]
    pub fn worded(&self, words: RemedyWords) -> String {
        let mut whole = self.text.clone();
        for &(joint, option) in &self.options {
            let Some(clause) = words(option) else {
                continue;
            };
            if !whole.is_empty() {
                whole.push_str(joint);
            }
            whole.push_str(&clause);
        }
        whole
    }
}

/// The text alone, without options.
impl fmt::Display for RemedyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Texts that offer no option are equal to plain ones.
impl<T: AsRef<str> + ?Sized> PartialEq<T> for RemedyText {
    fn eq(&self, other: &T) -> bool {
        self.options.is_empty() && self.text == other.as_ref()
    }
}

impl<T: Into<String>> From<T> for RemedyText {
    fn from(text: T) -> Self {
        RemedyText {
            text: text.into(),
            options: Vec::new(),
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
        let alone = RemedyText::from(RemedyOption::LearnFixedNumbers);
        assert_eq!(alone.worded(flags), "use `--learn-all`");
    }
}
