//! What the command line takes.

mod asking;
mod convert;
mod information;
mod learning;
mod reproduce;
mod running;
mod time;
mod transform;

pub use asking::{Map, Marginals, Query, Rows, Sample};
pub use convert::{Convert, FileFormat};
pub use information::{Base, Count, Entropy, Kl, Mi, Moments, Queries};
pub use learning::{
    Fit, FitOptions, Growing, GrowingClt, GrowingHclt, Job, LearnKind, Outputs, Splits, Tune,
};
pub use reproduce::{PartName, Reproduce, SettingName};
pub use running::{Bench, Doctor, EngineName, Eval, PrecisionName, Running};
pub use transform::{Condition, Marginalize, Mix, Multiply, Prune, Smooth, Target, read_options};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use pelton_compiler::circuit::Property;
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::optimize;
use pelton_grammar::parse::ParseOptions;
use std::path::PathBuf;

/// A compiler and runtime for probabilistic circuits.
///
/// Circuits are text files ending in .pcirc, trained ones in model files ending in
/// .pelton, or files of other tools (.psdd, .jpc, .nnf and more); `-` reads one from
/// standard input.
#[derive(Debug, Parser)]
#[command(name = "pelton", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// How messages are shown.
    #[command(flatten)]
    pub messages: Messages,
}

/// How messages are shown.
#[derive(Clone, Debug, Args)]
pub struct Messages {
    /// Form of diagnostics.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// When to use colors.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// How the progress of long runs is shown.
    #[arg(long, global = true, value_enum, default_value_t = Progress::Auto)]
    pub progress: Progress,

    /// Show errors only.
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Say more about what is being done.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// Form of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source and labelled places.
    Human,
    /// One line each.
    Short,
    /// One JSON object a line.
    Json,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the progress of long runs is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// As a line that changes, on a terminal.
    Auto,
    /// As a line now and then.
    Plain,
    /// Not at all.
    None,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Parse and check circuits; prove or refute their structural properties.
    Check(Check),
    /// Rewrite circuits in canonical form.
    Fmt(Fmt),
    /// Explain a message by its code, with an example and its repair.
    Explain(Explain),
    /// Show the size and properties of a circuit.
    Stats(Stats),
    /// Show a stage of compilation: syntax tree, circuit, drawing, plan, code.
    Emit(Emit),
    /// Write a circuit in another format.
    ///
    /// Reads and writes circuit source, model files and the formats of other tools;
    /// what a format cannot hold is refused with the unit at fault, and what it has no
    /// room for is said. Weights come back bit for bit.
    Convert(Convert),
    /// Show parameters by name, with their values.
    ///
    /// Learned numbers have a `?` before them, as in circuits. Parameters that were
    /// written in place are called by their node, as in `comp[0].height.sd` or
    /// `root.weights`.
    Params(Params),
    /// Compute the log-likelihood of data.
    ///
    /// Prints the mean log-likelihood of the rows whose probability is not zero, and
    /// how many are zero. DATA is CSV with or without a header, a .data file, Parquet
    /// or .npy, plain or gzipped; `-` reads standard input.
    ///
    /// Where columns have names, a variable is bound to the column of its name or of
    /// its `@column`; elsewhere, columns are bound by order. A cell that is empty, `?`,
    /// `NA`, `nan` or null is missing, as are the words of the variable's `@missing`; what is
    /// missing is summed out. Parameters without a value are taken at the value that
    /// learning starts from.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong, 2 a file cannot be read, 3 the \
                            data do not fit the circuit, 4 a result is not a number."
    )]
    Eval(Eval),
    /// Answer questions: exact probabilities and densities.
    ///
    /// A question is written as in circuits: P(rain | wet, temp <= 10), with values, sets,
    /// intervals, `&&`, `||` and `!`. Without one, the file's own are answered. With --data
    /// each question is answered for each row, given also what the row has observed; rows
    /// are lines, questions are columns between tabs.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong or has no answer, 2 the question or a \
                            file cannot be read, 3 what is given has probability zero."
    )]
    Query(Query),
    /// Show what each variable is, given what is known.
    ///
    /// For every variable the probabilities of its values, or mean and standard deviation
    /// where they are infinitely or very many. With --data, for each row.
    Marginals(Marginals),
    /// Find the most probable values of everything that is not known.
    ///
    /// Exact where the circuit is proven deterministic or where the completions are few
    /// enough to try each, about a million for all rows together. Elsewhere it is the
    /// likeliest of what max-product finds and of --samples drawn from the posterior, and
    /// called approximate. Kernels compute in double precision here, whatever --precision
    /// says.
    Map(Map),
    /// Draw samples, free or given what is known.
    ///
    /// Writes CSV with a header, categories by name, as every command reads it. With
    /// --data, -n samples of each row's missing cells. What is drawn depends on --seed and
    /// on nothing else.
    Sample(Sample),
    /// Show which questions have exact answers, in general or for a circuit.
    ///
    /// Without MODEL, what each question needs of a circuit. With one, whether its
    /// answer is exact by the structure of the circuit, or why it is not.
    Queries(Queries),
    /// Compute the entropy of a circuit.
    ///
    /// Exact for circuits that are proven deterministic, in one pass. For others all states
    /// are visited if they are few; otherwise the answer is the reason why there is none.
    /// Weights need not add up to 1: the circuit counts as scaled. With real variables it
    /// is a differential entropy.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong or does not allow it, 2 a file cannot \
                            be read, 3 the circuit is zero everywhere, 4 a result is not a number."
    )]
    Entropy(Entropy),
    /// Compute the Kullback-Leibler divergence of circuit B from circuit A.
    ///
    /// That is the mean of log A - log B under A. Both are circuits over the same
    /// variables, by name. Exact if both are proven deterministic and split their variables
    /// alike; for others all states are visited if they are few. It is infinite if A is
    /// positive where B is zero, which is decided without rounding.
    #[command(
        after_help = "Exit codes: 0 ok, 1 a circuit is wrong or does not allow it, 2 a file cannot be \
                            read or the circuits do not go together, 3 a circuit is zero \
                            everywhere, 4 a result is not a number."
    )]
    Kl(Kl),
    /// Compute the mutual information of two sets of variables.
    ///
    /// All states of the two sets are visited if they are few. Otherwise it is exact where
    /// the variables of either set, and of both, decide what sums choose.
    Mi(Mi),
    /// Compute means, variances and covariances of variables.
    ///
    /// Exact for every circuit. Truth values count as 0 and 1; variables with categories
    /// have no moments and are left out.
    Moments(Moments),
    /// Count the inputs for which a circuit is positive.
    ///
    /// Fixed zeros count, learned numbers are taken as positive. Exact for circuits over
    /// finite domains that are proven deterministic, with all digits; for others all states
    /// are visited if they are few.
    Count(Count),
    /// Learn the parameters of a circuit from data.
    ///
    /// What is maximised is the mean log-likelihood of the training rows, with
    /// pseudocounts, of softened data, and together with the circuit's entropy, as far
    /// as the options ask for them. A deterministic circuit with complete data is
    /// learned in closed form, every other one by expectation maximisation (EM): epochs
    /// of mini-batches if asked for, then epochs over all rows.
    ///
    /// With --valid, the parameters of the epoch with the best validation likelihood
    /// are kept. Values that the circuit gives after a `?` are where learning starts.
    /// Ctrl-C keeps the best parameters so far.
    ///
    /// DATA is read as by `pelton eval`.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong or does not allow what is asked \
                            for, 2 usage or a file that cannot be read or written, 3 the data do \
                            not fit the circuit, 4 a result is not a number, 130 interrupted."
    )]
    Fit(Fit),
    /// Learn a circuit from data: its structure, then its parameters.
    ///
    /// What the columns hold is told from the data: truth values, categories, small
    /// integers or real numbers, with names if there is a header. The circuit is
    /// written as readable source (`-o OUT.pcirc`) or as a model file (`-o OUT.pelton`).
    #[command(subcommand)]
    Learn(LearnKind),
    /// Search for how much to regularize, by validation.
    ///
    /// Learns as `pelton fit` does with every combination of the given pseudocounts,
    /// softnesses and weights of the entropy, and keeps the one under which the
    /// validation rows are likeliest; of equal ones that with the least
    /// regularization. Test rows are evaluated once, at the very end.
    ///
    /// The lists that are tried by default are those of the paper, and no softness and
    /// no entropy beside them: 96 combinations. Ctrl-C keeps the best so far.
    Tune(Tune),
    /// Reproduce the paper's table and figures from a folder of data sets.
    ///
    /// DIR has a folder for each data set, named as in the literature (nltcs, msnbc, kdd,
    /// …), with train.data, valid.data and test.data. Each run writes a file to OUT when
    /// it has finished; after each, the table is written anew, so that there is always one
    /// of what is done. The same command goes on where it was interrupted. A result that
    /// was computed from other data, with other options or by another version is computed
    /// again, and a note says why.
    ///
    /// `--setting paper` learns mixtures of 4 hidden Chow-Liu trees, drawn from the 20
    /// best, with 12 states, by the paper's schedule and regularization. Four things differ
    /// from the released scripts, which end a phase at the fourth fall of validation and
    /// report the last epoch: a phase ends after 8 epochs without a better validation
    /// likelihood, because mini-batches are still noisy when it has fallen four times, the
    /// second phase goes on from the best parameters of the first, with pseudocounts as
    /// strong as those of the first, and the parameters of the best validation are
    /// reported. `--setting best` searches by validation for --budget and reports the
    /// ensemble that it finds.
    ///
    /// Test rows decide nothing. test.data is first opened when all of a run is decided,
    /// then evaluated once; of a result that is there, it is compared with the file that
    /// was evaluated. The figure protein shows test likelihoods by epoch, of the two
    /// configurations that validation has chosen before; nothing is chosen after that.
    ///
    /// Likelihoods in tables are rounded down and deviations up. OUT has SETTING.md,
    /// SETTING.json, and SETTING/ with a file for each run and the curves of each data
    /// set; figures have files by the names of their parts.
    #[command(
        after_help = "Exit codes: 0 ok, 2 usage or a file that cannot be read or written, 3 the \
                            data cannot be used, 4 a result is not a number, 130 interrupted; the \
                            same command goes on from there."
    )]
    Reproduce(Reproduce),
    /// Measure speed as a fraction of this machine's peak.
    ///
    /// Without MODEL a built-in set is measured: hidden Chow-Liu trees of several
    /// sizes, a hidden Markov model, and circuits without regularity. Rows are random.
    ///
    /// For each circuit there are three cases: `forward` (log-likelihoods), `flows`
    /// (log-likelihoods and what learning needs) and `compile` (the code of both). "gflops" counts
    /// multiply-adds per second, in units of 10^9: one for each sum edge and row of a
    /// forward pass, three with flows. The peak is that of one core's multiply-adds in
    /// the vectors the engine uses, measured in the same run, times the number of
    /// threads. Each time is the best of several.
    Bench(Bench),
    /// Show what Pelton finds on this machine, and test its code generator.
    ///
    /// Shows versions, the CPU with its features, caches and measured peak, the engine
    /// that is chosen here, and compiles and runs a tiny circuit as a test.
    Doctor(Doctor),
    /// Make the circuit of what is left, given what is known.
    ///
    /// EVENT is written as in queries: `wet, 10 <= temp < 20`. Leaves are truncated, what
    /// has no mass goes, weights are scaled so that the circuit is normalized, and all
    /// numbers become fixed. Variables of a known value leave the circuit.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit does not allow it, 2 usage or a file that \
                      cannot be read or written, 3 what is known has probability zero."
    )]
    Condition(Condition),
    /// Sum variables out.
    ///
    /// Weights stay as they are, learned or not, where all that is summed out has mass 1.
    Marginalize(Marginalize),
    /// Multiply two circuits.
    ///
    /// Variables are matched by their names. What the circuits share they have to split
    /// alike; all numbers become fixed.
    Multiply(Multiply),
    /// Fill in the variables that children of sums miss.
    Smooth(Smooth),
    /// Leave out edges that hardly count.
    ///
    /// The weights that are left are scaled to the total they had; a sum keeps one edge at
    /// least. What is learned stays learned.
    Prune(Prune),
    /// Mix circuits over the same variables.
    ///
    /// Variables are matched by their names. The members keep what they learn.
    Mix(Mix),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Check, train, query and draw an embedded example.
    Demo(Demo),
    /// Run the language server on standard input and output.
    Lsp,
}

/// How a circuit is read.
#[derive(Clone, Debug, Args)]
pub struct Reading {
    /// Override a constant of the circuit.
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = define)]
    pub defines: Vec<(String, String)>,

    /// Repair sums that are not smooth, and say what was added.
    #[arg(long)]
    pub smooth: bool,

    /// Greatest number of units and edges together.
    #[arg(long, value_name = "N", default_value_t = LowerOptions::default().max_size,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=2_000_000_000))]
    pub max_size: usize,

    /// How deeply brackets may be nested.
    #[arg(long, value_name = "N", default_value_t = ParseOptions::default().max_depth,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=ParseOptions::DEEPEST as u64))]
    pub max_depth: usize,

    /// Multiply the budget of the searches that decide determinism.
    ///
    /// The budget is counted in steps, so that the answer does not depend on the machine. 10
    /// searches ten times as long as usual, which is a few seconds at most; 0 leaves the searches
    /// out and decides only what single variables and a few drawn inputs decide.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = effort)]
    pub effort: f64,
}

/// `pelton check`
#[derive(Debug, Args)]
pub struct Check {
    /// Circuits to check.
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,

    /// How the circuits are read.
    #[command(flatten)]
    pub reading: Reading,

    /// Properties the root must have, as if the file asserted them.
    #[arg(long, value_name = "PROPERTY", value_delimiter = ',', value_parser = property)]
    pub assert: Vec<Property>,

    /// Fail if an asserted property stays unknown.
    #[arg(long)]
    pub strict: bool,

    /// Print diagnostics and the summary as JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// `pelton fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// Files to rewrite; `-` formats standard input to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change nothing; list the files that are not in canonical form and fail if there are any.
    #[arg(long)]
    pub check: bool,

    /// How deeply brackets may be nested.
    #[arg(long, value_name = "N", default_value_t = ParseOptions::default().max_depth,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=ParseOptions::DEEPEST as u64))]
    pub max_depth: usize,
}

/// `pelton explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// A code such as PC0101 or a name such as not_smooth; without one, all codes are listed.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `pelton stats`
#[derive(Debug, Args)]
pub struct Stats {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton params`
#[derive(Debug, Args)]
pub struct Params {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// A node or parameter, such as `z[3, 7]`, `trans` or `trans[2]`; all without one.
    #[arg(value_name = "NODE")]
    pub node: Option<String>,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// `pelton emit`
#[derive(Debug, Args)]
pub struct Emit {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// What to show.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: Form,

    /// Optimize first, up to and including this pass; `-v` says what each took and did.
    #[arg(long, value_name = "PASS", value_parser = passes())]
    pub after: Option<String>,

    /// Which kernel to show, for plan, clif and asm.
    #[arg(long, value_enum, default_value_t = KernelName::Forward)]
    pub kernel: KernelName,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How the circuit is run, for plan, clif and asm.
    #[command(flatten)]
    pub running: Running,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// What `emit` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The syntax tree.
    Ast,
    /// The text as it was written, with values filled in.
    Source,
    /// The expanded graph as circuit source.
    Circuit,
    /// The graph for Graphviz.
    Dot,
    /// A drawing; large circuits are drawn by groups.
    Svg,
    /// The graph as JSON.
    Json,
    /// The plan: operations over rows of samples.
    Plan,
    /// The generated code in Cranelift's language.
    Clif,
    /// The generated code in the instructions of this machine.
    Asm,
}

impl Form {
    /// Whether it shows what is run rather than what was written.
    pub fn is_code(self) -> bool {
        matches!(self, Form::Plan | Form::Clif | Form::Asm)
    }
}

/// Which of a circuit's kernels `emit` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum KernelName {
    /// Values.
    #[default]
    Forward,
    /// Values with maxima in place of sums.
    Max,
    /// Flows.
    Backward,
}

/// `pelton completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `pelton demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Folder for the circuits, the data and the drawings.
    #[arg(short, long, value_name = "DIR", default_value = "pelton-demo")]
    pub output: PathBuf,
}

/// The passes by name, in the order they run, and the name for all of them.
fn passes() -> PossibleValuesParser {
    let passes = optimize::PIPELINE.iter();
    let named = passes.map(|pass| PossibleValue::new(pass.name).help(pass.about));
    let all = PossibleValue::new(optimize::ALL).help("the whole pipeline");
    PossibleValuesParser::new(named.chain([all]))
}

fn define(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("write NAME=VALUE, such as K=8".to_string()),
    }
}

fn effort(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(effort) if (0.0..=1e6).contains(&effort) => Ok(effort),
        _ => Err("write a number from 0 to 1000000".to_string()),
    }
}

fn property(text: &str) -> Result<Property, String> {
    text.parse().map_err(|()| {
        let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
        format!("there is no such property; there are {}", names.join(", "))
    })
}
