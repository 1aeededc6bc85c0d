//! Probabilistic sentential decision diagrams.
//!
//! `L id vtree literal`, `T id vtree variable logp` (the logarithm of the probability of
//! true), `D id vtree n (prime sub logw)*n`. Units stand above those that use them and
//! the root stands last. The vtree is not needed: products say how variables split.

use super::lines::{FormatLine, FormatLines};
use super::listing::UnitListing;
use super::weights::TOLERANCE;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    BernoulliDistribution, ChildEdge, ParamKind, ParameterEntry, UnitId,
};
use pelton_grammar::source::Span;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = PsddReader {
        list: UnitListing::new(context),
    };
    for line in FormatLines::behind(context.source, "psdd")? {
        reader.unit(line)?;
    }
    reader.list.finish(context)
}

struct PsddReader<'a> {
    list: UnitListing<'a>,
}

impl PsddReader<'_> {
    fn unit(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let kind = line.kind(&["L", "T", "D"])?;
        let id = self.list.units.new_id(&mut line)?;
        line.int("vtree node")?;
        let unit = match kind {
            "L" => self.list.units.literal(&mut line)?,
            "T" => self.coin(id, &mut line)?,
            _ => self.decision(id, &mut line)?,
        };
        line.end()?;
        self.list.units.define(id, unit);
        Ok(())
    }

    /// A variable that is true with a probability.
    fn coin(&mut self, id: i64, line: &mut FormatLine) -> Result<UnitId, ImportError> {
        let number = line.int("variable")?;
        let variable = self.list.units.variable(number, line)?;
        let log = self.log_weight(line)?;
        let log = self.list.weights.probability(log, line);
        self.list.units.make_room(1, line)?;
        let entry = ParameterEntry::fixed_log(log);
        let origin = self.list.units.named(id, line.span());
        let builder = &mut self.list.units.builder;
        let entries = [entry.complement(), entry];
        let (family, kind) = (BernoulliDistribution.into(), ParamKind::Unit);
        Ok(builder.distribution(variable, family, kind, &entries, origin))
    }

    /// A sum of products of two; a product if there is one that weighs 1.
    fn decision(&mut self, id: i64, line: &mut FormatLine) -> Result<UnitId, ImportError> {
        let n_elements = line.n_elements()?;
        let origin = self.list.units.named(id, line.span());
        let inner = origin.unnamed();
        let mut terms: Vec<(UnitId, f64, Span)> = Vec::new();
        for _ in 0..n_elements {
            let prime = (self.list.units.known(line)?, line.last_span());
            let sub = (self.list.units.known(line)?, line.last_span());
            let log = self.log_weight(line)?;
            self.list.units.make_room(4, line)?;
            let factors = [prime, sub].map(|(unit, span)| ChildEdge::factor(unit, span));
            if n_elements == 1 && log == 0.0 {
                return Ok(self.list.units.builder.product(&factors, origin));
            }
            let product = self.list.units.builder.product(&factors, inner);
            terms.push((product, log, prime.1.to(line.last_span())));
        }
        let UnitListing { units, weights } = &mut self.list;
        Ok(weights.sum(&terms, &mut units.builder, origin))
    }

    /// The next word as the logarithm of a number up to 1.
    fn log_weight(&mut self, line: &mut FormatLine) -> Result<f64, ImportError> {
        let log = line.log("log weight")?;
        if log > TOLERANCE {
            Err(line.fault(format!(
                "log weight {log} is above 0: weights of a PSDD are probabilities"
            )))
        } else {
            Ok(log)
        }
    }
}
