//! Circuits of Juice.
//!
//! `L id vtree literal`, `I id vtree variable value`, `C id vtree variable logp…`,
//! `B id vtree variable n logp`, `P id vtree n child*n` and `S id vtree n (child logw)*n`.
//! Variables count from 1 and values from 0. Units stand above those that use them and
//! the root stands last.
//!
//! The file does not say what values a variable has. One that is used in literals only
//! is `bool`; others have the integers that their leaves can tell apart.

use super::lines::{FileUnitId, FormatLine, FormatLines};
use super::listing::UnitListing;
use super::weights::TOLERANCE;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    BinomialDistribution, CategoricalDistribution, ParamKind, ParameterEntry, UnitId, ValueSet,
    VarId,
};

/// Values of an indicator and trials of a binomial are below this: domains are tables.
const LARGEST_DOMAIN: usize = 1 << 16;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = JpcReader {
        list: UnitListing::new(context),
    };
    for line in FormatLines::behind(context.source, "jpc")? {
        reader.values(line)?;
    }
    for line in FormatLines::behind(context.source, "jpc")? {
        reader.unit(line)?;
    }
    reader.list.finish(context)
}

struct JpcReader<'a> {
    list: UnitListing<'a>,
}

impl JpcReader<'_> {
    /// Widens the domain of the variable on a line to the values that the line is about.
    fn values(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let kind = line.word("kind of a unit")?;
        if !matches!(kind, "I" | "C" | "B") {
            return Ok(());
        }
        line.id()?;
        line.int("vtree node")?;
        let number = line.int("variable")?;
        let variable = self.list.units.variable(number, &line)?;
        let n_values = match kind {
            "I" => line.index("value")?.saturating_add(1),
            "B" => line.index("number of trials")?.saturating_add(1),
            _ => line.n_left(),
        };
        if n_values > LARGEST_DOMAIN {
            let message = format!("a variable has at most {LARGEST_DOMAIN} values");
            return Err(line.fault(message));
        }
        self.list.units.widen(variable, n_values.max(2));
        Ok(())
    }

    fn unit(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let kind = line.kind(&["L", "I", "C", "B", "P", "S"])?;
        let id = self.list.units.new_id(&mut line)?;
        line.int("vtree node")?;
        let unit = match kind {
            "L" => self.list.units.literal(&mut line)?,
            "P" => {
                let n_children = line.index("number of children")?;
                self.list.product(id, n_children, &mut line)?
            }
            "S" => {
                let n_children = line.index("number of children")?;
                self.list.sum(id, n_children, &mut line)?
            }
            _ => self.leaf(kind, id, &mut line)?,
        };
        line.end()?;
        self.list.units.define(id, unit);
        Ok(())
    }

    fn leaf(
        &mut self,
        kind: &str,
        id: FileUnitId,
        line: &mut FormatLine,
    ) -> Result<UnitId, ImportError> {
        let number = line.int("variable")?;
        let variable = self.list.units.variable(number, line)?;
        self.list.units.make_room(1, line)?;
        match kind {
            "I" => {
                let value = line.int("value")?;
                let values = ValueSet::integers(value, value.saturating_add(1));
                Ok(self.list.units.indicator(variable, values, line.span()))
            }
            "B" => self.binomial(variable, id, line),
            _ => self.categorical(variable, id, line),
        }
    }

    fn binomial(
        &mut self,
        variable: VarId,
        id: FileUnitId,
        line: &mut FormatLine,
    ) -> Result<UnitId, ImportError> {
        let trials = line.index("number of trials")?;
        let trials = u32::try_from(trials).map_err(|_| line.fault("there are too many trials"))?;
        let log = line.log("log probability")?;
        if log > TOLERANCE {
            return Err(line.fault(format!("log probability {log} is above 0")));
        }
        let entry = ParameterEntry::fixed_log(self.list.weights.probability(log, line));
        let entries = [entry.complement(), entry];
        let origin = self.list.units.named(id, line.span());
        let builder = &mut self.list.units.builder;
        let family = BinomialDistribution { trials }.into();
        Ok(builder.distribution(variable, family, ParamKind::Unit, &entries, origin))
    }

    fn categorical(
        &mut self,
        variable: VarId,
        id: FileUnitId,
        line: &mut FormatLine,
    ) -> Result<UnitId, ImportError> {
        let mut logs = Vec::new();
        while line.clone().next_word().is_some() {
            logs.push(line.log("log probability")?);
        }
        if logs.is_empty() {
            return Err(line.fault("the probabilities of the values are missing"));
        }
        // Values that another leaf of the variable knows of are impossible here.
        let n_values = self.list.units.builder.variables()[variable.index()]
            .domain
            .size();
        let n_values = n_values.map_or(logs.len(), |n| n as usize);
        logs.resize(n_values.max(logs.len()), f64::NEG_INFINITY);
        self.list.units.make_room(logs.len(), line)?;
        let entries = self.list.weights.simplex(&logs, line)?;
        let origin = self.list.units.named(id, line.span());
        let builder = &mut self.list.units.builder;
        let (family, kind) = (CategoricalDistribution.into(), ParamKind::Simplex);
        Ok(builder.distribution(variable, family, kind, &entries, origin))
    }
}
