//! Lists of weighted units, one a line: what jpc, spn and psdd share.

use super::lines::{FileUnitId, FormatLine};
use super::units::FileUnits;
use super::weights::WeightCorrections;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{ChildEdge, UnitId};
use pelton_grammar::source::Span;

/// Units that were read so far, with what was corrected of their weights.
pub(super) struct UnitListing<'a> {
    pub units: FileUnits<'a>,
    pub weights: WeightCorrections,
}

impl<'a> UnitListing<'a> {
    /// Nothing yet.
    pub fn new(context: &'a ImportContext<'a>) -> Self {
        UnitListing {
            units: FileUnits::new(context),
            weights: WeightCorrections::default(),
        }
    }

    /// A product of the next units of a line.
    pub fn product(
        &mut self,
        id: FileUnitId,
        n: usize,
        line: &mut FormatLine,
    ) -> Result<UnitId, ImportError> {
        let mut factors = Vec::new();
        for _ in 0..n {
            self.units.make_room(2, line)?;
            factors.push(ChildEdge::factor(self.units.known(line)?, line.last_span()));
        }
        let origin = self.units.named(id, line.span());
        Ok(self.units.builder.product(&factors, origin))
    }

    /// A sum of the next units of a line, each with the logarithm of its weight.
    pub fn sum(
        &mut self,
        id: FileUnitId,
        n: usize,
        line: &mut FormatLine,
    ) -> Result<UnitId, ImportError> {
        if n == 0 {
            return Err(line.fault("a sum has at least one child"));
        }
        let mut terms: Vec<(UnitId, f64, Span)> = Vec::new();
        for _ in 0..n {
            self.units.make_room(2, line)?;
            let (child, span) = (self.units.known(line)?, line.last_span());
            let log = line.log("log weight")?;
            terms.push((child, log, span.to(line.last_span())));
        }
        let origin = self.units.named(id, line.span());
        Ok(self.weights.sum(&terms, &mut self.units.builder, origin))
    }

    /// The circuit below the unit that was defined last.
    pub fn finish(self, context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
        let notes = self.weights.note(context.source);
        self.units.finish(notes.into_iter().collect())
    }
}
