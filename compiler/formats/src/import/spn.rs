//! Sum-product networks of Juice.
//!
//! `(2 2 2)` has the numbers of values of all variables, then come units, one a line,
//! counted from 0: `v variable state` (both from 0), `* child…` and `+ (child logw)…`.
//! The root stands last; `EOF` may close the file.

use super::lines::{FormatLine, FormatLines};
use super::listing::UnitListing;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{UnitId, ValueSet};

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = SpnReader {
        list: UnitListing::new(context),
        n_units: 0,
    };
    let mut lines = FormatLines::of(context.source);
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
    reader.list.finish(context)
}

struct SpnReader<'a> {
    list: UnitListing<'a>,
    n_units: i64,
}

impl SpnReader<'_> {
    /// The numbers of values, in parentheses.
    fn header(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        if !line
            .clone()
            .next_word()
            .is_some_and(|word| word.starts_with('('))
        {
            let message = "the file does not begin with the numbers of values in parentheses";
            return Err(ImportError::whole(message));
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
            let variable = self.list.units.variable(number, &line)?;
            if n_values != 2 {
                self.list.units.widen(variable, n_values);
            }
        }
        Ok(())
    }

    fn unit(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let unit = match line.kind(&["v", "*", "+"])? {
            "v" => self.indicator(&mut line)?,
            "*" => self.list.product(self.n_units, line.n_left(), &mut line)?,
            // Each child is followed by its weight.
            _ => {
                let n_children = line.n_left().div_ceil(2);
                self.list.sum(self.n_units, n_children, &mut line)?
            }
        };
        line.end()?;
        self.list.units.define(self.n_units, unit);
        self.n_units += 1;
        Ok(())
    }

    fn indicator(&mut self, line: &mut FormatLine) -> Result<UnitId, ImportError> {
        let at = line.index("variable")?;
        let n_variables = self.list.units.builder.variables().len();
        if at >= n_variables {
            let message =
                format!("there is no variable {at}: the first line has {n_variables}, from 0");
            return Err(line.fault(message));
        }
        let variable = self.list.units.variable(at as i64 + 1, line)?;
        let state = line.index("state")?;
        let n_states = self.list.units.builder.variables()[at]
            .domain
            .size()
            .unwrap_or(0);
        if state as u64 >= n_states {
            let message =
                format!("variable {at} has no state {state}: it has {n_states}, counted from 0");
            return Err(line.fault(message));
        }
        self.list.units.make_room(1, line)?;
        let values = ValueSet::integers(state as i64, state as i64 + 1);
        Ok(self.list.units.indicator(variable, values, line.span()))
    }
}
