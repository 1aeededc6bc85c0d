//! Whether the first line is a header, and what it binds.

use super::binding::{Binding, column_name};
use super::error::{DataError, listed, shown};
use super::lines::Lines;
use super::read::Header;
use super::record::Record;
use pelton_compiler::circuit::Circuit;
use pelton_compiler::lower::nearest;
use std::collections::HashSet;

/// Binds the columns of `lines` to the variables of `circuit`, by the header if
/// there is one, which is taken then.
pub(super) fn bind(
    lines: &mut Lines,
    circuit: &Circuit,
    header: Header,
) -> Result<Binding, DataError> {
    let number = lines.next_number();
    let (name, delimiter) = (lines.name().to_string(), lines.delimiter());
    let Some(line) = lines.peek()? else {
        return Err(DataError::unfit(&name, "there is nothing in it"));
    };
    let mut record = Record::new(delimiter);
    record.cut(line);
    let by_order = Binding::by_order(circuit);
    if header == Header::No {
        return Ok(by_order);
    }
    let first = First {
        names: (0..record.len())
            .map(|at| String::from_utf8_lossy(record.cell(line, at)).into_owned())
            .collect(),
        is_data: by_order.fits(circuit, &record, line),
        file: &name,
        circuit,
    };
    let bound = first.bind(header).map_err(|error| error.on_line(number))?;
    let Some(binding) = bound else {
        return Ok(by_order);
    };
    lines.next(|_, _, _| Ok(()))?;
    if lines.peek()?.is_none() {
        return Err(DataError::unfit(
            &name,
            "there is only a header in it, and no row",
        ));
    }
    Ok(binding)
}

/// The first line and what speaks for and against a header.
struct First<'a> {
    names: Vec<String>,
    is_data: bool,
    file: &'a str,
    circuit: &'a Circuit,
}

impl First<'_> {
    /// What the header binds; `None` if the line is none.
    fn bind(self, header: Header) -> Result<Option<Binding>, DataError> {
        let binding = Binding::by_name(self.circuit, self.names.clone());
        let n_bound = binding.columns.iter().flatten().count();
        let is_all_names = n_bound > 0 && binding.unknown().is_empty();
        match header {
            Header::Auto if self.is_data && is_all_names => return Err(self.ambiguous()),
            Header::Auto if self.is_data => return Ok(None),
            Header::Auto if n_bound == 0 && self.holds_numbers() => return Ok(None),
            _ => {}
        }
        self.check_names()?;
        let (unbound, unknown) = (binding.unbound(self.circuit), binding.unknown());
        if n_bound == 0 {
            return Err(self.nothing_matches(&unbound, &unknown));
        }
        if header == Header::Auto && !unbound.is_empty() && !unknown.is_empty() {
            return Err(self.half_matches(&unbound, &unknown));
        }
        let notes = notes(self.file, &unbound, &unknown);
        Ok(Some(Binding { notes, ..binding }))
    }

    /// Headers hold words: a line with a number in it is a row, if a wrong one.
    fn holds_numbers(&self) -> bool {
        self.names.iter().any(|name| name.parse::<f64>().is_ok())
    }

    /// A column that a variable asks for is there once.
    fn check_names(&self) -> Result<(), DataError> {
        let wanted: HashSet<&str> = self.circuit.variables().iter().map(column_name).collect();
        let mut seen = HashSet::new();
        for (at, name) in self.names.iter().enumerate() {
            if wanted.contains(name.as_str()) && !seen.insert(name) {
                let message = format!("the header names the column {} twice", shown(name));
                return Err(self.fault(message).in_column(at, None));
            }
        }
        Ok(())
    }

    fn fault(&self, message: impl Into<Box<str>>) -> DataError {
        DataError::unfit(self.file, message)
    }

    fn ambiguous(&self) -> DataError {
        self.fault("the first line may be a header or a row: its cells are both names and values")
            .help("say `--header yes` or `--header no`")
    }

    fn nothing_matches(&self, unbound: &[&str], unknown: &[&str]) -> DataError {
        let message = format!("no column has the name of a variable: {}", listed(unknown));
        self.fault(message).help(format!(
            "the circuit asks for {}; `@column(\"…\")` before a variable gives the name of its column",
            listed(unbound)
        ))
    }

    fn half_matches(&self, unbound: &[&str], unknown: &[&str]) -> DataError {
        let message = format!(
            "the header names some variables and not others: {} {} no variable, \
             and there is no column for {}",
            listed(unknown),
            if unknown.len() == 1 { "is" } else { "are" },
            listed(unbound)
        );
        let near = unknown.iter().find_map(|name| {
            let near = nearest(name, unbound.iter().copied())?;
            Some(format!(
                "did you write {} for {}? ",
                shown(name),
                shown(&near)
            ))
        });
        self.fault(message).help(format!(
            "{}`--header yes` ignores such columns and takes such variables as missing",
            near.unwrap_or_default()
        ))
    }
}

fn notes(file: &str, unbound: &[&str], unknown: &[&str]) -> Vec<String> {
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        let names = listed(unknown);
        notes.push(match unknown.len() {
            1 => {
                format!("the column {names} of {file} is no variable of the circuit and is ignored")
            }
            _ => format!(
                "the columns {names} of {file} are no variables of the circuit and are ignored"
            ),
        });
    }
    if !unbound.is_empty() {
        let names = listed(unbound);
        notes.push(match unbound.len() {
            1 => format!("{file} has no column for {names}, which is missing in every row"),
            _ => format!("{file} has no columns for {names}, which are missing in every row"),
        });
    }
    notes
}
