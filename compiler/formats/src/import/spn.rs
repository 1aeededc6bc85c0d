//! Sum-product networks of Juice.
//!
//! `(2 2 2)` has the numbers of values of all variables, then come units, one a line,
//! counted from 0: `v variable state` (both from 0), `* child…` and `+ (child logw)…`.
//! The root stands last; `EOF` may close the file.

use super::lines::{Line, Lines};
use super::units::Units;
use super::weights::Weights;
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{Child, UnitId, ValueSet};
use pelton_grammar::source::Span;

pub(super) fn read(context: &Context) -> Result<Imported, Fault> {
    let mut reader = Reader {
        units: Units::new(context),
        weights: Weights::default(),
        n_units: 0,
    };
    let mut lines = Lines::of(context.source);
    if let Some(header) = lines.next() {
        reader.header(header)?;
    }
    for mut line in lines {
        let is_end = line.clone().next_word() == Some("EOF");
        if is_end {
            line.word("EOF")?;
            line.end()?;
            break;
        }
        reader.unit(line)?;
    }
    let notes = reader.weights.note(context.source);
    reader.units.finish(notes.into_iter().collect())
}

struct Reader<'a> {
    units: Units<'a>,
    weights: Weights,
    n_units: i64,
}

impl Reader<'_> {
    /// The numbers of values, in parentheses.
    fn header(&mut self, mut line: Line) -> Result<(), Fault> {
        if !line
            .clone()
            .next_word()
            .is_some_and(|word| word.starts_with('('))
        {
            let message = "the file does not begin with the numbers of values in parentheses";
            return Err(Fault::whole(message));
        }
        let mut number = 0;
        while let Some(word) = line.next_word() {
            let digits = word.trim_start_matches('(').trim_end_matches(')');
            if digits.is_empty() {
                continue;
            }
            let n_values = digits
                .parse::<usize>()
                .ok()
                .filter(|n| (1..=1 << 16).contains(n));
            let n_values = n_values.ok_or_else(|| {
                line.fault(format!(
                    "`{digits}` is no number of values: 1 to 65536 is meant"
                ))
            })?;
            number += 1;
            let variable = self.units.variable(number, &line)?;
            if n_values != 2 {
                self.units.widen(variable, n_values);
            }
        }
        Ok(())
    }

    fn unit(&mut self, mut line: Line) -> Result<(), Fault> {
        let kind = line.word("kind of a unit")?;
        let unit = match kind {
            "v" => self.indicator(&mut line)?,
            "*" => self.product(&mut line)?,
            "+" => self.sum(&mut line)?,
            _ => {
                let message = format!("`{kind}` is no kind of unit: `v`, `*` or `+` is meant");
                return Err(line.fault(message));
            }
        };
        line.end()?;
        self.units.define(self.n_units, unit);
        self.n_units += 1;
        Ok(())
    }

    fn indicator(&mut self, line: &mut Line) -> Result<UnitId, Fault> {
        let at = line.index("variable")?;
        let n_variables = self.units.builder.variables().len();
        if at >= n_variables {
            let message =
                format!("there is no variable {at}: the first line has {n_variables}, from 0");
            return Err(line.fault(message));
        }
        let variable = self.units.variable(at as i64 + 1, line)?;
        let state = line.index("state")?;
        let n_states = self.units.builder.variables()[at]
            .domain
            .size()
            .unwrap_or(0);
        if state as u64 >= n_states {
            let message =
                format!("variable {at} has no state {state}: it has {n_states}, counted from 0");
            return Err(line.fault(message));
        }
        self.units.make_room(1, line)?;
        let values = ValueSet::integers(state as i64, state as i64 + 1);
        Ok(self.units.indicator(variable, values, line.span()))
    }

    fn product(&mut self, line: &mut Line) -> Result<UnitId, Fault> {
        let mut factors: Vec<Child> = Vec::new();
        while line.clone().next_word().is_some() {
            self.units.make_room(2, line)?;
            factors.push(Child::factor(self.units.known(line)?, line.last_span()));
        }
        let origin = self.units.named(self.n_units, line.span());
        Ok(self.units.builder.product(&factors, origin))
    }

    fn sum(&mut self, line: &mut Line) -> Result<UnitId, Fault> {
        let mut terms: Vec<(UnitId, f64, Span)> = Vec::new();
        while line.clone().next_word().is_some() {
            self.units.make_room(2, line)?;
            let (child, span) = (self.units.known(line)?, line.last_span());
            let log = line.log("log weight")?;
            terms.push((child, log, span.to(line.last_span())));
        }
        if terms.is_empty() {
            return Err(line.fault("a sum has at least one child"));
        }
        let origin = self.units.named(self.n_units, line.span());
        Ok(self.weights.sum(&terms, &mut self.units.builder, origin))
    }
}
