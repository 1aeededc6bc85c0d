//! Probabilistic sentential decision diagrams.
//!
//! `L id vtree literal`, `T id vtree variable logp` (the logarithm of the probability of
//! true), `D id vtree n (prime sub logw)*n`. Units stand above those that use them and
//! the root stands last. The vtree is not needed: products say how variables split.

use super::lines::{Line, Lines};
use super::units::{Units, factor};
use super::weights::{TOLERANCE, Weights};
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{
    BernoulliDistribution, Distribution, Entry, Leaf, LeafKind, Origin, ParamKind, UnitId,
};
use pelton_grammar::source::Span;

pub(super) fn read(context: &Context) -> Result<Imported, Fault> {
    let mut reader = Reader {
        units: Units::new(context),
        weights: Weights::default(),
        terms: Vec::new(),
    };
    for line in Lines::behind(context.source, "psdd")? {
        reader.unit(line)?;
    }
    let notes = reader.weights.note(context.source);
    reader.units.finish(notes.into_iter().collect())
}

struct Reader<'a> {
    units: Units<'a>,
    weights: Weights,
    /// The elements of the decision at hand.
    terms: Vec<(UnitId, f64, Span)>,
}

impl Reader<'_> {
    fn unit(&mut self, mut line: Line) -> Result<(), Fault> {
        let kind = line.word("kind of a unit")?;
        if !matches!(kind, "L" | "T" | "D") {
            return Err(line.fault(format!(
                "`{kind}` is no kind of unit: `L`, `T` or `D` is meant"
            )));
        }
        let id = self.units.new_id(&mut line)?;
        line.int("vtree node")?;
        let unit = match kind {
            "L" => self.units.literal(&mut line)?,
            "T" => self.coin(id, &mut line)?,
            _ => self.decision(id, &mut line)?,
        };
        line.end()?;
        self.units.define(id, unit);
        Ok(())
    }

    /// A variable that is true with a probability.
    fn coin(&mut self, id: i64, line: &mut Line) -> Result<UnitId, Fault> {
        let number = line.int("variable")?;
        let variable = self.units.variable(number, line)?;
        let log = self.log_weight(line)?;
        let log = self.weights.probability(log, line);
        self.units.make_room(1, line)?;
        let entry = Entry::fixed_log(log);
        let origin = self.units.named(id, line.span());
        let builder = &mut self.units.builder;
        let entries = [entry.complement(), entry];
        let param = builder.parameter(None, ParamKind::Unit, &entries, origin.span);
        let kind = LeafKind::Distribution(Distribution {
            family: BernoulliDistribution.into(),
            params: vec![param],
            truncation: None,
        });
        Ok(builder.input(Leaf { variable, kind }, origin))
    }

    /// A sum of products of two; a product if there is one that weighs 1.
    fn decision(&mut self, id: i64, line: &mut Line) -> Result<UnitId, Fault> {
        let n_elements = line.index("number of elements")?;
        if n_elements == 0 {
            return Err(line.fault("a decision has at least one element"));
        }
        let origin = self.units.named(id, line.span());
        let inner = Origin {
            is_named: false,
            ..origin
        };
        self.terms.clear();
        for _ in 0..n_elements {
            let prime = (self.units.known(line)?, line.last_span());
            let sub = (self.units.known(line)?, line.last_span());
            let log = self.log_weight(line)?;
            self.units.make_room(4, line)?;
            let factors = [prime, sub].map(|(unit, span)| factor(unit, span));
            if n_elements == 1 && log == 0.0 {
                return Ok(self.units.builder.product(&factors, origin));
            }
            let product = self.units.builder.product(&factors, inner);
            self.terms
                .push((product, log, prime.1.to(line.last_span())));
        }
        Ok(self
            .weights
            .sum(&self.terms, &mut self.units.builder, origin))
    }

    /// The next word as the logarithm of a number up to 1.
    fn log_weight(&mut self, line: &mut Line) -> Result<f64, Fault> {
        let log = line.log("log weight")?;
        match log > TOLERANCE {
            true => Err(line.fault(format!(
                "log weight {log} is above 0: weights of a PSDD are probabilities"
            ))),
            false => Ok(log),
        }
    }
}
