//! What the commands take that learn structures: what all have in common, and what each
//! learner leaves to choose.

use super::{FitOptions, LearningArguments, LearningJob, OutputArguments, SplitArguments};
use crate::arguments::time::time;
use crate::arguments::{ReadingArguments, RunningArguments};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use pelton_grammar::parse::ParseOptions;
use pelton_runtime::learn::{LearnOptions, Start};
use pelton_runtime::structure::{
    LARGEST, LEARNERS, LearnerEntry, LearnerOption, LearnerSettings, OptionKind, StructureLearner,
    learner_named,
};
use std::sync::OnceLock;

/// `pelton learn`: a subcommand for each learner.
#[derive(Debug)]
pub struct LearnCommand {
    pub learner: &'static LearnerEntry,

    pub settings: LearnerSettings,

    pub splits: SplitArguments,

    pub outputs: OutputArguments,

    pub fit: FitOptions,

    pub learning: LearningArguments,

    pub running: RunningArguments,
}

impl Subcommand for LearnCommand {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(LEARNERS.iter().map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        LearnCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        learner_named(name).is_some()
    }
}

fn subcommand(learner: &LearnerEntry) -> Command {
    let LearnerEntry { about, details, .. } = learner;
    let command = Command::new(learner.name);
    let command = OutputArguments::augment_args(SplitArguments::augment_args(command));
    let command = command.args(learner.options.iter().map(argument));
    let command = LearningArguments::augment_args(FitOptions::augment_args(command));
    // Sets of arguments bring a description of their own, so the learner's comes last.
    RunningArguments::augment_args(command.next_help_heading("Running"))
        .about(*about)
        .long_about(format!("{about}.\n\n{details}"))
}

fn argument(option: &LearnerOption) -> Arg {
    let argument = Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .help_heading("Structure")
        .default_value(option.default)
        .conflicts_with_all(option.conflicts)
        .requires_all(option.needs_validation.then_some("valid"));
    let argument = match option.about.split_once("\n\n") {
        Some((line, _)) => argument.help(line).long_help(option.about),
        None => argument.help(option.about),
    };
    match option.kind {
        OptionKind::Word(words) => {
            let words = words
                .iter()
                .map(|(word, about)| PossibleValue::new(*word).help(*about));
            argument.value_parser(PossibleValuesParser::new(words))
        }
        OptionKind::Seconds => argument
            .value_parser(|text: &str| time(text).map(|time| time.as_secs_f64().to_string())),
        kind => {
            argument.value_parser(move |text: &str| kind.check(text).map(|()| text.to_string()))
        }
    }
}

impl FromArgMatches for LearnCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let chosen = matches.subcommand();
        let chosen = chosen.and_then(|(name, own)| Some((learner_named(name)?, own)));
        let Some((learner, own)) = chosen else {
            let message = "say what learns the structure";
            return Err(clap::Error::raw(ErrorKind::MissingSubcommand, message));
        };
        let (fit, learning) = (
            FitOptions::from_arg_matches(own)?,
            LearningArguments::from_arg_matches(own)?,
        );
        let running = RunningArguments::from_arg_matches(own)?;
        let options = learner.options.iter().map(|option| option.name);
        let chosen = options.filter_map(|name| Some((name, own.get_one::<String>(name)?.clone())));
        let regularization = [
            ("pseudocount", fit.pseudocount),
            ("softness", fit.softness),
            ("entropy", fit.entropy),
        ];
        let given = regularization.into_iter();
        let given = given.filter_map(|(name, value)| Some((name, value?.to_string())));
        let values = chosen.chain(given);
        Ok(LearnCommand {
            learner,
            settings: LearnerSettings {
                values: values
                    .map(|(name, value)| (name.to_string(), value))
                    .collect(),
                seed: learning.seed,
                threads: running.n_threads(),
            },
            splits: SplitArguments::from_arg_matches(own)?,
            outputs: OutputArguments::from_arg_matches(own)?,
            fit,
            learning,
            running,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = LearnCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

impl LearnCommand {
    pub fn job(&self) -> LearningJob<'_> {
        LearningJob {
            model: None,
            splits: &self.splits,
            outputs: &self.outputs,
            learning: &self.learning,
            running: &self.running,
            reading: reading(),
        }
    }

    pub fn options(&self) -> LearnOptions {
        let options = self.fit.applied(self.job().options());
        let start = match self.learning.init {
            Some(_) => options.start,
            None => Start::KMeans,
        };
        LearnOptions { start, ..options }
    }

    /// The same for a learner, which may have defaults of its own.
    pub fn options_for(&self, learner: &dyn StructureLearner) -> LearnOptions {
        let Some(base) = learner.default_learning() else {
            return self.options();
        };
        let learning = self.learning.over(base, self.running.n_threads());
        self.fit.applied(learning)
    }
}

/// How circuits are read that were written here: there is nothing to override.
fn reading() -> &'static ReadingArguments {
    static READING: OnceLock<ReadingArguments> = OnceLock::new();
    READING.get_or_init(|| ReadingArguments {
        defines: Vec::new(),
        allow_use: Vec::new(),
        smooth: false,
        max_size: LARGEST,
        max_depth: ParseOptions::default().max_depth,
        effort: 1.0,
    })
}
