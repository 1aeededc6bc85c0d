//! One suite for every engine.
//!
//! An engine that is in the table of [`Engine`] is tested by being there: tests walk over
//! [`engine_setups`] and hold each to the [`ENGINE_LAWS`]. Whoever writes an engine can do
//! the same from their own tests.

mod laws;

pub use laws::{ENGINE_LAWS, EngineLaw};

use pelton_compiler::kernel::Precision;
use pelton_runtime::{Engine, ModelOptions};

/// An engine with what else decides how it computes.
#[derive(Clone, Copy, Debug)]
pub struct EngineSetup {
    /// The engine.
    pub engine: Engine,
    /// Whether it may use no more than every CPU of its kind has.
    pub baseline: bool,
    /// The number type of values.
    pub precision: Precision,
}

impl EngineSetup {
    /// How models are compiled for it.
    pub fn options(&self) -> ModelOptions {
        ModelOptions {
            engine: self.engine,
            precision: self.precision,
            baseline: self.baseline,
            ..ModelOptions::default()
        }
    }

    /// What it is called in messages.
    pub fn name(&self) -> String {
        let kind = if self.baseline { " for any CPU" } else { "" };
        let (engine, precision) = (self.engine.name(), self.precision.name());
        format!("{engine}{kind} in {precision}")
    }

    fn runs(&self) -> bool {
        self.options().select_engine().is_ok()
    }

    /// Whether rows are evaluated by kernels.
    fn has_kernels(&self) -> bool {
        let engine = self.options().select_engine();
        engine.is_ok_and(|engine| !engine.is_reference())
    }
}

/// The engines of the table that run here, each once.
pub fn engines() -> Vec<Engine> {
    let listed = Engine::ALL.iter().filter(|&&own| own != Engine::Auto);
    let runs = |own: &Engine| own.available(&Default::default()).is_ok();
    listed.copied().filter(runs).collect()
}

/// Every way to run every engine of the table here.
pub fn engine_setups() -> Vec<EngineSetup> {
    let mut all = Vec::new();
    for engine in engines() {
        for precision in [Precision::F32, Precision::F64] {
            all.extend([false, true].map(|baseline| EngineSetup {
                engine,
                baseline,
                precision,
            }));
        }
    }
    all.retain(EngineSetup::runs);
    all
}

/// Those that evaluate rows by kernels, in one precision.
pub fn kernel_setups(precision: Precision) -> Vec<EngineSetup> {
    let all = engine_setups().into_iter();
    all.filter(|own| own.precision == precision && own.has_kernels())
        .collect()
}
