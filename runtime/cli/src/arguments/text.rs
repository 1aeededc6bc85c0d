//! What commands about texts of circuits take.

use super::RunningArguments;
use super::named::{NamedChoice, named};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use pelton_compiler::circuit::Property;
use pelton_compiler::emit::EmittedFormat;
use pelton_compiler::kernel::KernelPass;
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::optimize;
use pelton_grammar::parse::ParseOptions;
use std::path::PathBuf;

/// How a circuit is read.
#[derive(Clone, Debug, Args)]
pub struct ReadingArguments {
    /// Override a constant of the circuit.
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = define)]
    pub defines: Vec<(String, String)>,

    /// Allow `use` of files below this folder, beside those below their own.
    #[arg(long, value_name = "DIR")]
    pub allow_use: Vec<PathBuf>,

    /// Repair sums that are not smooth, and note what was added.
    #[arg(long)]
    pub smooth: bool,

    /// Limit the number of units and edges together.
    #[arg(long, value_name = "N", default_value_t = LowerOptions::default().max_size,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=2_000_000_000))]
    pub max_size: usize,

    /// Limit how deeply brackets are nested.
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

/// A circuit, and how it is read.
#[derive(Clone, Debug, Args)]
pub struct CircuitArguments {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// `pelton check`
#[derive(Debug, Args)]
pub struct CheckCommand {
    /// Circuits to check.
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Assert properties of the root, as if the file did.
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
pub struct FmtCommand {
    /// Files to rewrite; `-` formats standard input to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change nothing; list the files that are not in canonical form and fail if there are any.
    #[arg(long)]
    pub check: bool,

    /// Limit how deeply brackets are nested.
    #[arg(long, value_name = "N", default_value_t = ParseOptions::default().max_depth,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=ParseOptions::DEEPEST as u64))]
    pub max_depth: usize,
}

/// `pelton explain`
#[derive(Debug, Args)]
pub struct ExplainCommand {
    /// A code such as PC0101 or a name such as not_smooth; without one, all codes are listed.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `pelton stats`
#[derive(Debug, Args)]
pub struct StatsCommand {
    #[command(flatten)]
    pub circuit: CircuitArguments,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton params`
#[derive(Debug, Args)]
pub struct ParamsCommand {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// A node or parameter, such as `z[3, 7]`, `trans` or `trans[2]`; all without one.
    #[arg(value_name = "NODE")]
    pub node: Option<String>,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Print JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// `pelton emit`
#[derive(Debug, Args)]
pub struct EmitCommand {
    /// Choose what to show.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: EmitForm,

    /// Optimize first, up to and including this pass; `-v` says what each took and did.
    #[arg(long, value_name = "PASS", value_parser = passes())]
    pub after: Option<String>,

    /// Choose the kernel to show, for plan, clif and asm.
    #[arg(long, value_parser = named(KERNELS), default_value = "forward")]
    pub kernel: KernelPass,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub circuit: CircuitArguments,
}

/// What `emit` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmitForm {
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

impl EmitForm {
    /// The compiler's name for a form of the circuit itself.
    pub fn emitted(self) -> Option<EmittedFormat> {
        match self {
            EmitForm::Circuit => Some(EmittedFormat::Circuit),
            EmitForm::Dot => Some(EmittedFormat::Dot),
            EmitForm::Svg => Some(EmittedFormat::Svg),
            EmitForm::Json => Some(EmittedFormat::Json),
            _ => None,
        }
    }
}

/// Which of a circuit's kernels `emit` shows.
const KERNELS: &[NamedChoice<KernelPass>] = &[
    ("forward", KernelPass::Forward, "Values"),
    (
        "max",
        KernelPass::Max,
        "Values with maxima in place of sums",
    ),
    ("backward", KernelPass::Backward, "Flows"),
];

/// `pelton completions`
#[derive(Debug, Args)]
pub struct CompletionsCommand {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `pelton demo`
#[derive(Debug, Args)]
pub struct DemoCommand {
    /// Write the circuits, the data and the drawings to this folder.
    #[arg(short, long, value_name = "DIR", default_value = "pelton-demo")]
    pub output: PathBuf,
}

/// The passes by name, in the order they run, and the name for all of them.
fn passes() -> PossibleValuesParser {
    let passes = optimize::PIPELINE.iter();
    let named = passes.map(|pass| {
        PossibleValue::new(pass.name)
            .aliases(pass.former_name)
            .help(pass.about)
    });
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
