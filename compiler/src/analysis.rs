//! The front half of the compiler in one call.

use crate::check::{CheckOptions, Checked, CircuitFacts, DeterminismLimits, examine};
use crate::circuit::{CircuitGraph, NameId, Property, UnitId};
use crate::foreign::ForeignFormats;
use crate::load::{Loader, SourceInput, SourceProgram, load};
use crate::lower::{LowerOptions, Lowered, Repairs, lower};
use crate::repair::{FillRule, normalize, smooth};
use pelton_grammar::diagnostic::{Code, SourceDiagnostics};
use pelton_grammar::parse::ParseOptions;
use rustc_hash::FxHashSet;
use std::path::PathBuf;

/// What to analyze for, and within which limits.
#[derive(Clone, Debug, Default)]
pub struct AnalysisOptions {
    /// Limits of the parser.
    pub parse: ParseOptions,
    /// Limits and overrides of lowering.
    pub lower: LowerOptions,
    /// Whether to smooth the whole circuit, as `@smooth root` does.
    pub smooth: bool,
    /// Properties to decide although nobody asserts them.
    pub decide: Vec<Property>,
    /// Properties asserted of the root from outside the file.
    pub assert: Vec<Property>,
    /// Whether an asserted property that stays unknown is an error.
    pub strict: bool,
    /// How long to search for an answer on determinism.
    pub limits: DeterminismLimits,
    /// Folders whose files every file may `use`, beside those below its own folder. Loaders
    /// of files go by it, see [`FolderLoader`](crate::load::FolderLoader).
    pub allow_use: Vec<PathBuf>,
    /// Readers of circuits of other tools; without any, every text is circuit source.
    pub foreign: Option<&'static dyn ForeignFormats>,
}

impl AnalysisOptions {
    /// The readers of a text, if it is a circuit of another tool.
    pub fn foreign_for(&self, name: &str, start: &[u8]) -> Option<&'static dyn ForeignFormats> {
        self.foreign
            .filter(|formats| formats.recognizes(name, start))
    }
}

/// What is known about a text.
#[derive(Debug)]
#[must_use]
pub struct Analysis {
    /// The files and their syntax trees.
    pub program: SourceProgram,
    /// Everything there is to say, in the order found.
    pub found: SourceDiagnostics,
    /// The circuit, if the text could be lowered; it may still be wrong.
    pub circuit: Option<CircuitGraph>,
    /// What the checks found out about the circuit.
    pub facts: Option<CircuitFacts>,
}

impl Analysis {
    /// The circuit with the proof that it was checked; `None` if anything is wrong.
    pub fn into_checked(self) -> Option<Checked> {
        self.into_parts().2
    }

    /// The files, what there is to say, and the circuit as
    /// [`Analysis::into_checked`] gives it.
    pub fn into_parts(self) -> (SourceProgram, SourceDiagnostics, Option<Checked>) {
        let is_right = !self.found.has_errors();
        let checked = self.circuit.zip(self.facts).filter(|_| is_right);
        let checked = checked.map(|(circuit, facts)| Checked::of(circuit, facts));
        (self.program, self.found, checked)
    }
}

/// Reads a circuit and everything it uses, lowers, repairs and checks it.
pub fn analyze(input: SourceInput, loader: &dyn Loader, options: &AnalysisOptions) -> Analysis {
    let mut found = SourceDiagnostics::new();
    let foreign = options.foreign_for(&input.name, &input.bytes);
    let (program, lowered) = match foreign {
        Some(formats) => formats.read(input, &options.lower, &mut found),
        None => read(input, loader, options, &mut found),
    };
    // What could not be read might be what the rest needs: circuits of broken files are not checked.
    let Some(lowered) = lowered.filter(|_| !found.has_errors()) else {
        return Analysis {
            program,
            found,
            circuit: None,
            facts: None,
        };
    };
    let circuit = repair(lowered.circuit, lowered.repairs, options.smooth, &mut found);
    let check_options = CheckOptions {
        decide: options.decide.clone(),
        assert: options.assert.clone(),
        strict: options.strict,
        limits: options.limits.clone(),
        sources: Some(&program.sources),
    };
    let facts = examine(&circuit, &check_options, &mut found);
    lowered.allowed.silence(&mut found);
    if foreign.is_some() {
        // Other tools divide by the mass without a word; nobody is going to edit their files.
        found.retain(|message| message.code != Code::MassOff);
    }
    Analysis {
        program,
        found,
        circuit: Some(circuit),
        facts: Some(facts),
    }
}

fn read(
    input: SourceInput,
    loader: &dyn Loader,
    options: &AnalysisOptions,
    found: &mut SourceDiagnostics,
) -> (SourceProgram, Option<Lowered>) {
    let program = load(input, loader, &options.parse, found);
    // Of a text that was cut where it stops being text, names and the root may be missing.
    let is_cut = found.iter().any(|message| message.code == Code::NotText);
    let lowered = (!is_cut).then(|| lower(&program, &options.lower, found));
    (program, lowered.flatten())
}

/// Does what `@normalize`, `@smooth` and the options ask for, and says so.
fn repair(
    circuit: CircuitGraph,
    repairs: Repairs,
    smooth_all: bool,
    found: &mut SourceDiagnostics,
) -> CircuitGraph {
    let owned = |circuit: &CircuitGraph, all: bool, nodes: &FxHashSet<NameId>| -> Vec<bool> {
        let is_picked = |unit| all || circuit.owner(unit).is_some_and(|o| nodes.contains(&o));
        circuit.units().map(is_picked).collect()
    };
    let picked = owned(&circuit, repairs.normalize_all, &repairs.normalize);
    let circuit = normalize(circuit, |unit| picked[unit.index()], found);
    let picked = owned(&circuit, repairs.smooth_all || smooth_all, &repairs.smooth);
    let is_picked = |unit: UnitId| picked[unit.index()];
    smooth(circuit, FillRule::Uniform, is_picked, found)
}
