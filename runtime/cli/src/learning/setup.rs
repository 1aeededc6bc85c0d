//! The circuit that is learned.

use crate::arguments::{Job, Messages};
use crate::exit::Exit;
use crate::progress::shown_time;
use crate::{Failure, engine, model, report};
use pelton_compiler::Options;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Property, Value};
use pelton_compiler::emit;
use pelton_compiler::stats::Stats;
use pelton_grammar::diagnostic::thousands;
use pelton_runtime::Model;
use pelton_runtime::store::Document;

/// The circuit that is learned.
pub struct Setup {
    /// The circuit as it was read, with all that is to be learned.
    pub checked: Checked,
    /// What it is derived from, for model files.
    pub document: Document,
    /// The same compiled.
    pub model: Model,
}

impl Setup {
    /// Reads and compiles the circuit of a job. If it is wrong, that has been told,
    /// and the exit code comes instead.
    pub fn of(job: Job, messages: &Messages) -> Result<Result<Self, Exit>, Failure> {
        // Closed-form learning needs a proof of determinism.
        let options = Options {
            decide: vec![Property::Deterministic],
            ..model::options(job.reading)
        };
        let opened = match model::opened_with(job.model, &options, messages)? {
            Ok(opened) => opened,
            Err(exit) => return Ok(Err(exit)),
        };
        let (mut checked, mut document) = (opened.checked, opened.document);
        if job.learning.learn_all {
            checked = checked.learn_all();
            document.learn_all = true;
        }
        // What a former run left there does not belong to this one.
        document.extra.clear();
        document.state.clear();
        let (model, time) = engine::compile(checked.clone(), job.running)?;
        if messages.verbose {
            let n_learned = Stats::of(checked.circuit()).free_parameters;
            let (n_learned, time) = (thousands(n_learned), shown_time(time));
            let note = format!("compiled in {time}; {n_learned} free parameters");
            report::note(&note, messages);
        }
        Ok(Ok(Setup {
            checked,
            document,
            model,
        }))
    }

    /// The circuit's source with these values.
    pub fn source(&self, values: &[Value]) -> Result<String, Failure> {
        let mut text = String::new();
        let valued = self.checked.clone().with_values(values);
        emit::circuit(valued.circuit(), &mut text)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(text)
    }
}
