//! What programs use that embed Pelton: one type for circuits, one for errors.

mod answers;
mod asking;
mod circuit;
mod diagnostic;
mod drawing;
mod error;
mod evaluation;
mod fitting;
mod hclt;
mod information;
mod options;
mod parameters;
mod saving;
mod shared;

pub use answers::{Answer, Completions, Marginals, Moments, Samples};
pub use circuit::{Circuit, Size, Variable};
pub use diagnostic::{Diagnostic, Edit, Place, Suggestion};
pub use error::{Cell, Error, ErrorKind, Result};
pub use fitting::{Fitted, Progress, Training};
pub use hclt::HcltOptions;
pub use information::Verdict;
pub use options::Options;
pub use parameters::Parameter;
pub use shared::{Change, Shared};

pub use pelton_compiler::circuit::{Domain, Property};
pub use pelton_compiler::kernel::Precision;
pub use pelton_grammar::diagnostic::{Severity, WitnessValue};
pub use pelton_runtime::Engine;
pub use pelton_runtime::data::{Batch, CellValue, Element, Series};
pub use pelton_runtime::information::Estimate;
pub use pelton_runtime::learn::{
    Epoch, LearnOptions as FitOptions, Method, Phase, Report, Score, Softening, Start, StopReason,
};
pub use pelton_runtime::query::Posterior;
