//! The author's text with values filled in.
//!
//! The text is edited where parameters were written and stays as it is elsewhere:
//! names, loops, comments and layout survive. Declared parameters get lists
//! (`declared`), a `?` that stands for one parameter gets its value (`in_place`),
//! and one that stands for several becomes a declared array with the indices
//! around it (`hoist`). What cannot be said like this is written flat, as
//! [`circuit`](super::circuit()) does. An edited text is read back and compared
//! with the circuit (`same`) before it is given out.

mod affine;
mod declared;
mod edit;
mod hoist;
mod in_place;
mod list;
mod read_back;
mod same;
#[cfg(test)]
mod tests;

use super::EmitError;
use crate::AnalysisOptions;
use crate::check::Checked;
use crate::circuit::{CircuitGraph, ParamId, ParameterEntry, ParameterValue};
use crate::load::SourceProgram;
use crate::lower::{ParameterTrace, trace};
use edit::TextReplacements;
use pelton_grammar::ast::{Item, ItemKind};
use pelton_grammar::source::{Source, Span};

/// A circuit with its values as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct SourceText {
    /// The text.
    pub text: String,
    /// How it was made.
    pub form: SourceForm,
}

/// How a text with values was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceForm {
    /// The author's text, edited.
    Author,
    /// Every unit written out, because of what is said here.
    Flat(&'static str),
}

/// How a text with values is written.
#[derive(Clone, Debug)]
pub struct SourceOptions<'a> {
    /// The options that the program was analyzed with.
    pub analysis: &'a AnalysisOptions,
    /// Whether files that the text uses will be found from where it is going to be.
    pub finds_uses: bool,
}

/// Writes a circuit as the author's text with these values, and flat where that is
/// not possible.
///
/// `checked` is what `program` means, perhaps with everything learned; `values` has
/// one for each of its entries. Read again, the text is the same circuit with the
/// same values bit for bit. Of a `unit` parameter only the probability is written;
/// what is left to 1 is computed from it.
pub fn source_with_values(
    program: &SourceProgram,
    checked: &Checked,
    values: &[ParameterValue],
    options: &SourceOptions,
) -> Result<SourceText, EmitError> {
    let circuit = checked.circuit().clone().with_values(values);
    let (text, form) = match edited(program, &circuit, options) {
        Ok(text) => (text, SourceForm::Author),
        Err(reason) => {
            let mut text = String::new();
            super::circuit(&circuit, &mut text)?;
            (text, SourceForm::Flat(reason))
        }
    };
    Ok(SourceText { text, form })
}

/// The author's text, or why it cannot hold the values.
fn edited(
    program: &SourceProgram,
    circuit: &CircuitGraph,
    options: &SourceOptions,
) -> Result<String, &'static str> {
    if program.modules.len() > 1 && !options.finds_uses {
        return Err("the files that it uses are not where it is written to");
    }
    let main = program.sources.get(program.modules[0].source);
    let analysis = options.analysis;
    if analysis
        .foreign_for(main.name(), main.text().as_bytes())
        .is_some()
    {
        return Err("it comes from a file in a foreign format");
    }
    let lower_options = &analysis.lower;
    let (lowered, trace) = trace(program, lower_options).ok_or("its text cannot be read")?;
    if !learns_the_same(&lowered, circuit) {
        return Err("numbers that are fixed in its text are learned");
    }
    let work = SourceRewrite {
        program,
        circuit,
        trace: &trace,
    };
    // 1. Collect replacements: constants from outside, declared parameters, those in place.
    let mut edits = TextReplacements::default();
    work.constants(&lower_options.defines, &mut edits)?;
    declared::edit(&work, &mut edits)?;
    in_place::edit(&work, &mut edits)?;
    if options.analysis.smooth {
        work.smooth_root(&mut edits);
    }
    // 2. Make them all at once.
    let overlapping = "two parameters share one place in its text";
    let text = edits.apply(work.source().text()).ok_or(overlapping)?;
    // 3. Read the result back: only a text that means this circuit is given out.
    let again = read_back::read(program, &text, options.analysis);
    if again.is_some_and(|again| same::is_same(circuit, &again)) {
        Ok(text)
    } else {
        Err("its parameters have no place of their own in its text")
    }
}

/// Whether the circuit as written learns what the circuit at hand learns. The
/// latter may have more parameters: repairs add fixed ones.
fn learns_the_same(lowered: &CircuitGraph, circuit: &CircuitGraph) -> bool {
    let (old, new) = (lowered.all_entries(), circuit.all_entries());
    let n = old.len();
    n <= new.len()
        && old
            .iter()
            .zip(new)
            .all(|(old, new)| old.learned == new.learned)
        && new[n..].iter().all(|entry| !entry.learned)
}

/// What the steps look at.
struct SourceRewrite<'a> {
    program: &'a SourceProgram,
    /// The circuit with its values.
    circuit: &'a CircuitGraph,
    trace: &'a ParameterTrace,
}

impl<'a> SourceRewrite<'a> {
    /// The text that is edited.
    fn source(&self) -> &'a Source {
        self.program.sources.get(self.program.modules[0].source)
    }

    fn items(&self) -> &'a [Item] {
        &self.program.modules[0].file.items
    }

    fn entries(&self, param: ParamId) -> &'a [ParameterEntry] {
        self.circuit.entries(param)
    }

    fn is_learned(&self, param: ParamId) -> bool {
        self.entries(param).iter().any(|entry| entry.learned)
    }

    /// Whether the place lies in the text that is edited.
    fn is_own(&self, span: Span) -> bool {
        span.source == self.source().id()
    }

    /// The column at which a place begins.
    fn column(&self, span: Span) -> usize {
        self.source().line_col(span.start as usize).1 - 1
    }

    /// Writes constants that were set from outside into the text.
    fn constants(
        &self,
        defines: &[(String, String)],
        edits: &mut TextReplacements,
    ) -> Result<(), &'static str> {
        for (name, value) in defines {
            let mut consts = self.items().iter().filter_map(|item| match &item.kind {
                ItemKind::Const(decl) if decl.name.text == *name => Some(decl),
                _ => None,
            });
            let decl = consts
                .next()
                .ok_or("a constant of a file that it uses is set")?;
            // The last of several settings counts.
            edits.replace_again(decl.value.span, value.clone());
        }
        Ok(())
    }

    /// Says in the text that all of it is smoothed.
    fn smooth_root(&self, edits: &mut TextReplacements) {
        let is_root = |item: &&Item| matches!(item.kind, ItemKind::Root(_));
        let has = |item: &&Item| item.attributes.iter().any(|a| a.name.text == "smooth");
        if let Some(root) = self.items().iter().find(is_root).filter(|root| !has(root)) {
            edits.replace(root.span.before(), "@smooth\n".to_string());
        }
    }
}
