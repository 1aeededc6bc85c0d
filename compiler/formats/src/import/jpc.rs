//! Circuits of Juice.
//!
//! `L id vtree literal`, `I id vtree variable value`, `C id vtree variable logp…`,
//! `B id vtree variable n logp`, `P id vtree n child*n` and `S id vtree n (child logw)*n`.
//! Variables count from 1 and values from 0. Units stand above those that use them and
//! the root stands last.
//!
//! The file does not say what values a variable has. One that is used in literals only
//! is `bool`; others have the integers that their leaves can tell apart.

use super::lines::{Id, Line, Lines};
use super::units::{Units, factor};
use super::weights::{TOLERANCE, Weights};
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{
    BinomialDistribution, CategoricalDistribution, Distribution, Entry, Family, Leaf, LeafKind,
    ParamKind, UnitId, ValueSet, VarId,
};
use pelton_grammar::source::Span;

/// Values of an indicator and trials of a binomial are below this: domains are tables.
const LARGEST_DOMAIN: usize = 1 << 16;

pub(super) fn read(context: &Context) -> Result<Imported, Fault> {
    let mut reader = Reader {
        units: Units::new(context),
        weights: Weights::default(),
        terms: Vec::new(),
    };
    for line in Lines::behind(context.source, "jpc")? {
        reader.values(line)?;
    }
    for line in Lines::behind(context.source, "jpc")? {
        reader.unit(line)?;
    }
    let notes = reader.weights.note(context.source);
    reader.units.finish(notes.into_iter().collect())
}

struct Reader<'a> {
    units: Units<'a>,
    weights: Weights,
    /// The children of the sum at hand.
    terms: Vec<(UnitId, f64, Span)>,
}

impl Reader<'_> {
    /// Widens the domain of the variable on a line to the values that the line is about.
    fn values(&mut self, mut line: Line) -> Result<(), Fault> {
        let kind = line.word("kind of a unit")?;
        if !matches!(kind, "I" | "C" | "B") {
            return Ok(());
        }
        line.id()?;
        line.int("vtree node")?;
        let number = line.int("variable")?;
        let variable = self.units.variable(number, &line)?;
        let n_values = match kind {
            "I" => line.index("value")?.saturating_add(1),
            "B" => line.index("number of trials")?.saturating_add(1),
            _ => std::iter::from_fn(|| line.next_word()).count(),
        };
        if n_values > LARGEST_DOMAIN {
            let message = format!("a variable has at most {LARGEST_DOMAIN} values");
            return Err(line.fault(message));
        }
        self.units.widen(variable, n_values.max(2));
        Ok(())
    }

    fn unit(&mut self, mut line: Line) -> Result<(), Fault> {
        let kind = line.word("kind of a unit")?;
        if !matches!(kind, "L" | "I" | "C" | "B" | "P" | "S") {
            let message =
                format!("`{kind}` is no kind of unit: `L`, `I`, `C`, `B`, `P` or `S` is meant");
            return Err(line.fault(message));
        }
        let id = self.units.new_id(&mut line)?;
        line.int("vtree node")?;
        let unit = match kind {
            "L" => self.units.literal(&mut line)?,
            "P" => self.product(id, &mut line)?,
            "S" => self.sum(id, &mut line)?,
            _ => self.leaf(kind, id, &mut line)?,
        };
        line.end()?;
        self.units.define(id, unit);
        Ok(())
    }

    fn product(&mut self, id: Id, line: &mut Line) -> Result<UnitId, Fault> {
        let n_children = line.index("number of children")?;
        let mut factors = Vec::new();
        for _ in 0..n_children {
            self.units.make_room(2, line)?;
            factors.push(factor(self.units.known(line)?, line.last_span()));
        }
        let origin = self.units.named(id, line.span());
        Ok(self.units.builder.product(&factors, origin))
    }

    fn sum(&mut self, id: Id, line: &mut Line) -> Result<UnitId, Fault> {
        let n_children = line.index("number of children")?;
        if n_children == 0 {
            return Err(line.fault("a sum has at least one child"));
        }
        self.terms.clear();
        for _ in 0..n_children {
            self.units.make_room(2, line)?;
            let (child, span) = (self.units.known(line)?, line.last_span());
            let log = line.log("log weight")?;
            self.terms.push((child, log, span.to(line.last_span())));
        }
        let origin = self.units.named(id, line.span());
        Ok(self
            .weights
            .sum(&self.terms, &mut self.units.builder, origin))
    }

    fn leaf(&mut self, kind: &str, id: Id, line: &mut Line) -> Result<UnitId, Fault> {
        let number = line.int("variable")?;
        let variable = self.units.variable(number, line)?;
        self.units.make_room(1, line)?;
        match kind {
            "I" => {
                let value = line.int("value")?;
                let values = ValueSet::integers(value, value.saturating_add(1));
                Ok(self.units.indicator(variable, values, line.span()))
            }
            "B" => self.binomial(variable, id, line),
            _ => self.categorical(variable, id, line),
        }
    }

    fn binomial(&mut self, variable: VarId, id: Id, line: &mut Line) -> Result<UnitId, Fault> {
        let trials = line.index("number of trials")?;
        let trials = u32::try_from(trials).map_err(|_| line.fault("there are too many trials"))?;
        let log = line.log("log probability")?;
        if log > TOLERANCE {
            return Err(line.fault(format!("log probability {log} is above 0")));
        }
        let entry = Entry::fixed_log(self.weights.probability(log, line));
        let entries = [entry.complement(), entry];
        let family = BinomialDistribution { trials }.into();
        Ok(self.distribution(variable, family, (ParamKind::Unit, &entries), id, line))
    }

    fn categorical(&mut self, variable: VarId, id: Id, line: &mut Line) -> Result<UnitId, Fault> {
        let mut logs = Vec::new();
        while line.clone().next_word().is_some() {
            logs.push(line.log("log probability")?);
        }
        if logs.is_empty() {
            return Err(line.fault("the probabilities of the values are missing"));
        }
        // Values that another leaf of the variable knows of are impossible here.
        let n_values = self.units.builder.variables()[variable.index()]
            .domain
            .size();
        let n_values = n_values.map_or(logs.len(), |n| n as usize);
        logs.resize(n_values.max(logs.len()), f64::NEG_INFINITY);
        self.units.make_room(logs.len(), line)?;
        let entries = self.weights.simplex(&logs, line)?;
        let family = CategoricalDistribution.into();
        Ok(self.distribution(variable, family, (ParamKind::Simplex, &entries), id, line))
    }

    fn distribution(
        &mut self,
        variable: VarId,
        family: Family,
        (kind, entries): (ParamKind, &[Entry]),
        id: Id,
        line: &Line,
    ) -> UnitId {
        let origin = self.units.named(id, line.span());
        let builder = &mut self.units.builder;
        let param = builder.parameter(None, kind, entries, origin.span);
        let kind = LeafKind::Distribution(Distribution {
            family,
            params: vec![param],
            truncation: None,
        });
        builder.input(Leaf { variable, kind }, origin)
    }
}
