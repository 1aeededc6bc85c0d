//! What the command line takes.

mod asking;
mod build;
mod convert;
mod learning;
mod messages;
mod named;
mod question;
mod running;
mod text;
mod time;
mod transform;

pub(crate) use asking::{
    AskingArguments, MapCommand, MarginalsCommand, QueryCommand, RowArguments, SampleCommand,
};
pub(crate) use build::BuildCommand;
pub(crate) use convert::{ConvertCommand, FileFormat};
pub(crate) use learning::{
    FitCommand, FitOptions, LearnCommand, LearningJob, OutputArguments, SplitArguments, TuneCommand,
};
pub use messages::{Color, MessageArguments, MessageFormat, ProgressForm};
pub(crate) use question::{QueriesCommand, QuestionCommand};
pub use running::RunningArguments;
pub(crate) use running::{BenchCommand, DoctorCommand, EvalCommand, read_options};
pub(crate) use text::{
    CheckCommand, CircuitArguments, CompletionsCommand, DemoCommand, EmitCommand, EmitForm,
    ExplainCommand, FmtCommand, ParamsCommand, ReadingArguments, StatsCommand,
};
pub use time::time;
pub(crate) use transform::{
    ConditionCommand, MarginalizeCommand, MixCommand, MultiplyCommand, PruneCommand, SmoothCommand,
    TransformOutput,
};

use clap::{Parser, Subcommand};

/// A compiler and runtime for probabilistic circuits.
///
/// Circuits are text files ending in .pcirc, trained ones in model files ending in
/// .pelton, or files in foreign formats (.psdd, .jpc, .nnf and more); `-` reads one from
/// standard input.
#[derive(Debug, Parser)]
#[command(name = "pelton", version, arg_required_else_help = true)]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub messages: MessageArguments,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Parse and check circuits; prove or refute their structural properties.
    Check(CheckCommand),
    /// Rewrite circuits in canonical form.
    Fmt(FmtCommand),
    /// Explain a message by its code, with an example and its repair.
    Explain(ExplainCommand),
    /// Show the size and properties of a circuit.
    Stats(StatsCommand),
    /// Show a stage of compilation: syntax tree, circuit, drawing, plan, code.
    Emit(EmitCommand),
    /// Write a circuit in another format.
    ///
    /// Reads and writes circuit source, model files and foreign formats;
    /// what a format cannot hold is refused with the unit at fault, and what it leaves out
    /// is noted. Weights come back bit for bit.
    Convert(ConvertCommand),
    /// Compile a circuit ahead of time, for C programs that do without Pelton.
    ///
    /// Writes an object file, a static library and a header that says how to call it. The
    /// code computes log-likelihoods of rows with missing cells, needs C's mathematical
    /// functions alone and gives what `--engine cranelift` gives.
    Build(BuildCommand),
    /// Show parameters by name, with their values.
    ///
    /// Learned numbers have a `?` before them, as in circuits. Parameters that were
    /// written in place are called by their node, as in `comp[0].height.sd` or
    /// `root.weights`.
    Params(ParamsCommand),
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
    Eval(EvalCommand),
    /// Answer queries: exact probabilities and densities, conditional or not.
    ///
    /// A query is written as in circuits: P(rain | wet, temp <= 10), with values, sets,
    /// intervals, `&&`, `||` and `!`. Without one, the file's own are answered. With --data
    /// each query is answered for each row, given also the evidence of the row; rows
    /// are lines, queries are columns between tabs.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong or has no answer, 2 the query or a \
                            file cannot be read, 3 the evidence has probability zero."
    )]
    Query(QueryCommand),
    /// Compute the posterior marginals of all variables, given evidence.
    ///
    /// Prints for every variable the posterior probabilities of its values, or mean and
    /// standard deviation where they are infinitely or very many. With --data, for each row.
    Marginals(MarginalsCommand),
    /// Find the most probable completion (MAP, MPE) of the evidence.
    ///
    /// Exact where the circuit is proven deterministic or where the completions are few
    /// enough to try each, about a million for all rows together. Elsewhere it is the
    /// likeliest of what max-product finds and of --samples drawn from the posterior, and
    /// marked as approximate. Kernels compute in double precision here, whatever --precision
    /// says.
    Map(MapCommand),
    /// Draw samples, unconditional or from the posterior given evidence.
    ///
    /// Writes CSV with a header, categories by name, as every command reads it. With
    /// --data, -n samples of each row's missing cells. The samples depend on --seed and
    /// on nothing else.
    Sample(SampleCommand),
    /// Show which queries are tractable, in general or for a circuit.
    ///
    /// Without MODEL, lists the properties that each query needs of a circuit. With one, says
    /// whether its answer is exact by the structure of the circuit, or why it is not.
    Queries(QueriesCommand),
    #[command(flatten)]
    Question(QuestionCommand),
    /// Learn the parameters of a circuit from data.
    ///
    /// Maximises the mean log-likelihood of the training rows, regularized by
    /// pseudocounts, softened data and the circuit's entropy, as far as the options
    /// ask for them. A deterministic circuit with complete data is
    /// learned in closed form, every other one by expectation maximisation (EM): epochs
    /// of mini-batches if asked for, then epochs over all rows.
    ///
    /// With --valid, the parameters of the epoch with the best validation likelihood
    /// are kept (early stopping). Learning starts from values that the circuit gives after a `?`.
    /// Ctrl-C keeps the best parameters so far.
    ///
    /// DATA is read as by `pelton eval`.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit is wrong or does not allow what is asked \
                            for, 2 usage or a file that cannot be read or written, 3 the data do \
                            not fit the circuit, 4 a result is not a number, 130 interrupted."
    )]
    Fit(FitCommand),
    /// Learn a circuit from data: its structure, then its parameters.
    ///
    /// The schema is inferred from the data: truth values, categories, small
    /// integers or real numbers, with names if there is a header. The circuit is
    /// written as readable source (`-o OUT.pcirc`) or as a model file (`-o OUT.pelton`).
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Tune the regularization by validation.
    ///
    /// Learns as `pelton fit` does with every combination of the given pseudocounts,
    /// softnesses and weights of the entropy, and keeps the one under which the
    /// validation rows are likeliest; of equal ones that with the least
    /// regularization. Test rows are evaluated once, at the very end.
    ///
    /// The lists that are tried by default are those of the paper, and no softness and
    /// no entropy beside them: 96 combinations. Ctrl-C keeps the best so far.
    Tune(TuneCommand),
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
    Bench(BenchCommand),
    /// Show what Pelton finds on this machine and test its code generator.
    ///
    /// Shows versions, the CPU with its features, caches and measured peak, the engine
    /// that is chosen here, and compiles and runs a tiny circuit as a test.
    Doctor(DoctorCommand),
    /// Condition a circuit on evidence.
    ///
    /// EVENT is written as in queries: `wet, 10 <= temp < 20`. Leaves are truncated, what
    /// has no mass is dropped, weights are scaled so that the circuit is normalized, and all
    /// numbers become fixed. Variables of an observed value leave the circuit.
    #[command(
        after_help = "Exit codes: 0 ok, 1 the circuit does not allow it, 2 usage or a file that \
                      cannot be read or written, 3 the evidence has probability zero."
    )]
    Condition(ConditionCommand),
    /// Marginalize: sum variables out.
    ///
    /// Weights stay as they are, learned or not, where all that is summed out has mass 1.
    Marginalize(MarginalizeCommand),
    /// Multiply two circuits.
    ///
    /// Variables are matched by their names. What the circuits share they have to split
    /// alike; all numbers become fixed.
    Multiply(MultiplyCommand),
    /// Smooth a circuit: fill in the variables that children of sums miss.
    Smooth(SmoothCommand),
    /// Prune edges of small weight or flow.
    ///
    /// The weights that are left are scaled to the total they had; a sum keeps one edge at
    /// least. What is learned stays learned.
    Prune(PruneCommand),
    /// Mix circuits over the same variables.
    ///
    /// Variables are matched by their names. The members keep what they learn.
    Mix(MixCommand),
    /// Print a completion script for a shell.
    Completions(CompletionsCommand),
    /// Check, train, query and draw a built-in example.
    Demo(DemoCommand),
    /// Run the language server on standard input and output.
    Lsp,
}
