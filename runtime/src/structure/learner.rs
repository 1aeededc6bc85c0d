//! What a learner of structures is, and what it gives.

use super::{JoinForm, SearchObserver, SearchReport, StructureError, StructureTask};
use crate::learn::{LearnOptions, LearningResult};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Learns circuits from data; its fields are its options.
pub trait StructureLearner: fmt::Debug {
    /// Writes a circuit over the columns of the data. Where parameters come with it,
    /// `learning` says how they are learned, and the observer may end that.
    fn learn(
        &self,
        study: &StructureTask,
        learning: &LearnOptions,
        observer: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError>;

    /// Whether parameters come with the structure, so that nothing is left to be learned.
    fn learns_parameters(&self) -> bool {
        false
    }

    /// What is learned by where nothing is said about it, if that is not what other learners
    /// have in common.
    fn default_learning(&self) -> Option<LearnOptions> {
        None
    }
}

/// A circuit that was written from data.
#[derive(Clone, Debug)]
pub struct LearnedStructure {
    /// Its text.
    pub source: String,
    /// How it becomes a member of an ensemble.
    pub form: JoinForm,
    /// Its parameters, if they were learned along with it.
    pub learned: Option<LearningResult>,
    /// Whether the observer ended the run.
    pub is_cancelled: bool,
    /// What is known of it.
    pub report: StructureReport,
}

/// What is known of a structure beside its parameters.
#[derive(Clone, Debug, Default)]
pub struct StructureReport {
    /// What it is, in a line: `Chow-Liu tree over 5 columns`.
    pub summary: String,
    /// Figures by their names.
    pub figures: Vec<(&'static str, Json)>,
    /// How long it took; parameters not included.
    pub time: Duration,
    /// What was tried, if choices were searched for.
    pub search: Option<SearchReport>,
}

impl StructureReport {
    /// The report of a run with what is known of the structure, which `learner` found.
    pub fn to_json(&self, learner: &str, mut report: Json) -> Json {
        if let Some(search) = &self.search {
            search.add_to(&mut report);
        }
        let figures = self.figures.iter().cloned();
        let figures = figures.map(|(name, value)| (name.to_string(), value));
        let mut structure: serde_json::Map<String, Json> = figures.collect();
        structure.shift_insert(0, "kind".to_string(), json!(learner));
        if self.search.is_none() {
            structure.insert("seconds".to_string(), json!(self.time.as_secs_f64()));
        }
        report["structure"] = Json::Object(structure);
        report
    }
}

/// A learner as front ends offer it.
#[derive(Clone, Copy, Debug)]
pub struct LearnerEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line that begins with a verb.
    pub about: &'static str,
    /// The same at length.
    pub details: &'static str,
    /// What can be chosen.
    pub options: &'static [LearnerOption],
    /// The learner with these choices.
    pub make: fn(&LearnerSettings) -> Box<dyn StructureLearner>,
}

/// A choice that a learner leaves to its users.
#[derive(Clone, Copy, Debug)]
pub struct LearnerOption {
    /// Its name, words joined by hyphens.
    pub name: &'static str,
    /// What stands for its value in help.
    pub value_name: &'static str,
    /// What it does, in a line that begins with a verb.
    pub about: &'static str,
    /// What its values are.
    pub kind: OptionKind,
    /// The value that it has anyway. Without one the learner sees whether it was given.
    pub default: Option<&'static str>,
    /// Options of the learner and of learning that it leaves no room for.
    pub conflicts: &'static [&'static str],
    /// Whether there have to be validation rows.
    pub needs_validation: bool,
}

impl LearnerOption {
    /// An option that nothing else depends on.
    pub const fn new(
        name: &'static str,
        value_name: &'static str,
        about: &'static str,
        kind: OptionKind,
    ) -> Self {
        LearnerOption {
            name,
            value_name,
            about,
            kind,
            default: None,
            conflicts: &[],
            needs_validation: false,
        }
    }

    /// The same with a value that it has where none is given.
    pub const fn or(self, default: &'static str) -> Self {
        LearnerOption {
            default: Some(default),
            ..self
        }
    }
}

/// What the values of an option are.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// Whole numbers from 1 up.
    Count,
    /// Finite numbers from 0 up.
    Amount,
    /// A time: seconds, more than 0.
    Seconds,
    /// One of these words, with what each means.
    Word(&'static [(&'static str, &'static str)]),
}

/// The largest count: of epochs or rows as well as of trees.
const LARGEST_COUNT: usize = 1_000_000_000;

/// Longer times cannot be added to the clock.
const MOST_SECONDS: f64 = 4e9;

impl OptionKind {
    /// Says what is wrong with a value, if something is.
    pub fn check(self, value: &str) -> Result<(), String> {
        let number = || value.parse::<f64>().ok().filter(|n| n.is_finite());
        let (is_right, wanted) = match self {
            OptionKind::Count => (
                value
                    .parse()
                    .is_ok_and(|n| (1..=LARGEST_COUNT).contains(&n)),
                format!("{value} is not in 1..={LARGEST_COUNT}"),
            ),
            OptionKind::Amount => (
                number().is_some_and(|n| n >= 0.0),
                "it must be a finite number from 0 up".to_string(),
            ),
            OptionKind::Seconds => (
                number().is_some_and(|n| n > 0.0 && n <= MOST_SECONDS),
                "it must be a number of seconds, more than 0".to_string(),
            ),
            OptionKind::Word(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                let wanted = format!("it must be one of {}", words.join(", "));
                (words.contains(&value), wanted)
            }
        };
        if is_right { Ok(()) } else { Err(wanted) }
    }
}

/// What was chosen for a learner.
#[derive(Clone, Debug, Default)]
pub struct LearnerSettings {
    /// Values by the names of options, which have been checked. Front ends add how much to
    /// regularize, if that is given.
    pub values: BTreeMap<String, String>,
    /// The seed of what is drawn.
    pub seed: u64,
    /// Number of threads; 0 means one for each core.
    pub threads: usize,
}

impl LearnerSettings {
    /// The value of an option, if it was given.
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.values.get(name)?.parse().ok()
    }

    /// Whether the value of an option is this word.
    pub fn is(&self, name: &str, word: &str) -> bool {
        self.values.get(name).is_some_and(|own| own == word)
    }
}
