//! Commands made of the table of questions, and the one that lists how tractable they are.

use super::ReadingArguments;
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use pelton::question::{
    ArgumentKind, LogBase, QUESTIONS, QuestionArgument, QuestionArguments, QuestionRule,
};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// A question of the table as it was asked.
#[derive(Debug)]
pub struct QuestionCommand {
    pub rule: &'static QuestionRule,
    pub models: Vec<PathBuf>,
    pub arguments: QuestionArguments,
    pub common: QuestionCommon,
}

/// What all questions take.
#[derive(Clone, Debug, Args)]
pub struct QuestionCommon {
    /// Answer requests from standard input, an object of JSON a line, until it ends.
    #[arg(long)]
    pub stream: bool,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Print JSON: one object, or one for each variable where there are several.
    #[arg(long)]
    pub json: bool,
}

impl Subcommand for QuestionCommand {
    fn augment_subcommands(all: Command) -> Command {
        let each = QUESTIONS.iter().map(|rule| command(rule));
        each.fold(all, Command::subcommand)
    }

    fn augment_subcommands_for_update(all: Command) -> Command {
        Self::augment_subcommands(all)
    }

    fn has_subcommand(name: &str) -> bool {
        QuestionRule::named(name).is_some()
    }
}

impl FromArgMatches for QuestionCommand {
    fn from_arg_matches(all: &ArgMatches) -> Result<Self, Error> {
        let found = all.subcommand();
        let found = found.and_then(|(name, own)| Some((QuestionRule::named(name)?, own)));
        let (rule, own) = found.ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let models = rule
            .circuits
            .iter()
            .filter_map(|(name, _)| own.get_one::<PathBuf>(name));
        let set = rule
            .arguments
            .iter()
            .filter_map(|argument| Some((argument.name.to_string(), value_of(argument, own)?)));
        Ok(QuestionCommand {
            rule,
            models: models.cloned().collect(),
            arguments: QuestionArguments::new(set.collect::<Map<String, Value>>()),
            common: QuestionCommon::from_arg_matches(own)?,
        })
    }

    fn update_from_arg_matches(&mut self, all: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(all)?;
        Ok(())
    }
}

fn command(rule: &'static QuestionRule) -> Command {
    let circuits = rule.circuits.iter().map(|&(name, help)| {
        let path = clap::value_parser!(PathBuf);
        Arg::new(name)
            .value_name(name)
            .help(help)
            .required(true)
            .value_parser(path)
    });
    let all = Command::new(rule.name)
        .args(circuits)
        .args(rule.arguments.iter().map(argument));
    let first = rule.about.first().copied().unwrap_or_default();
    let (line, rest) = (format!("{first}."), rule.about[1..].join("\n\n"));
    let all = QuestionCommon::augment_args(all).about(first);
    let all = all.long_about(format!("{line}\n\n{rest}"));
    if rule.exits.is_empty() {
        all
    } else {
        all.after_help(rule.exits)
    }
}

/// An argument of a question as one of its command.
fn argument(own: &'static QuestionArgument) -> Arg {
    let all = Arg::new(own.name).help(own.help);
    let option = || all.clone().long(own.name).value_name(own.value);
    match own.kind {
        ArgumentKind::Required => all.clone().value_name(own.value).required(true),
        ArgumentKind::Text => option().default_value(""),
        ArgumentKind::Flag(other) => {
            let flag = all.clone().long(own.name).action(ArgAction::SetTrue);
            other.map_or(flag.clone(), |other| flag.conflicts_with(other))
        }
        ArgumentKind::Number(least, most, default) => {
            let range = RangedU64ValueParser::<u64>::new().range(least..=most);
            let number = option().value_parser(range);
            match default {
                Some(default) => number.default_value(default),
                None => number,
            }
        }
        ArgumentKind::Base => option().default_value("e").value_parser(base),
    }
}

/// What was given for an argument, as requests would say it.
fn value_of(own: &QuestionArgument, given: &ArgMatches) -> Option<Value> {
    match own.kind {
        ArgumentKind::Flag(_) => given.get_flag(own.name).then_some(Value::Bool(true)),
        ArgumentKind::Number(..) => given.get_one::<u64>(own.name).map(|number| json!(number)),
        ArgumentKind::Required | ArgumentKind::Text | ArgumentKind::Base => {
            given.get_one::<String>(own.name).map(|text| json!(text))
        }
    }
}

fn base(text: &str) -> Result<String, String> {
    let known = LogBase::of_text(text).map(|_| text.to_string());
    known.ok_or_else(|| "write `e` or a number above 1".to_string())
}

/// `pelton queries`
#[derive(Debug, Args)]
pub struct QueriesCommand {
    /// A circuit to say it of; without one, what each question needs is listed.
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Print JSON, one object for each question.
    #[arg(long)]
    pub json: bool,
}
