//! Whether the first line is a header, and what names of columns bind.

use super::binding::{ColumnBinding, column_name};
use super::error::{DataError, listed, shown};
use super::lines::TextLines;
use super::naming::without_spaces;
use super::read::{HeaderMode, ReadOptions};
use super::record::TextRecord;
use super::weight;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::lower::nearest;
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use std::collections::{HashMap, HashSet};

/// Binds the columns of `lines` to the variables of `circuit`, by the header if
/// there is one, which is taken then.
pub(super) fn bind(
    lines: &mut TextLines,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<ColumnBinding, DataError> {
    let number = lines.next_number();
    let (name, delimiter) = (lines.name().to_string(), lines.delimiter());
    let Some(line) = lines.peek()? else {
        return Err(nothing(&name));
    };
    let mut record = TextRecord::new(delimiter);
    record.cut(line);
    let by_order = by_order(&name, circuit, options);
    if options.header == HeaderMode::No {
        return by_order;
    }
    let cell = |at| String::from_utf8_lossy(record.cell(line, at)).into_owned();
    let first = HeaderCandidate {
        names: (0..record.len()).map(cell).collect(),
        file: &name,
        circuit,
        options,
    };
    let is_data = |binding: &ColumnBinding| binding.fits(circuit, &record, line);
    let is_header = first.is_header(by_order.as_ref().is_ok_and(is_data));
    if !is_header.map_err(|error| error.on_line(number))? {
        return by_order;
    }
    let binding = first.bind(None).map_err(|error| error.on_line(number))?;
    lines.next(|_, _, _| Ok(()))?;
    if lines.peek()?.is_none() {
        return Err(only_header(&name));
    }
    Ok(binding)
}

/// What is wrong with a text without a line.
pub(super) fn nothing(file: &str) -> DataError {
    DataError::unfit(file, "there is nothing in it")
}

/// What is wrong with a text of one line that is a header.
pub(super) fn only_header(file: &str) -> DataError {
    DataError::unfit(file, "there is only a header in it, and no row")
}

/// What is wrong with a header that has a name a second time, at this column.
pub(super) fn named_twice(file: &str, at: usize, name: &str) -> DataError {
    let message = format!("the header names the column {} twice", shown(name));
    DataError::unfit(file, message).in_column(at, None)
}

/// Binds columns that have names whatever their cells are.
#[cfg(feature = "parquet")]
pub(super) fn bind_names(
    file: &str,
    names: Vec<String>,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<ColumnBinding, DataError> {
    if options.header == HeaderMode::No {
        let binding = by_order(file, circuit, options)?;
        return check_width(file, "the file", names.len() as u64, binding);
    }
    let columns = HeaderCandidate {
        names,
        file,
        circuit,
        options,
    };
    columns.bind(Some(RemedyOption::BindByOrder))
}

/// Binds `n_columns` columns of an array, which has no names for them.
pub(super) fn bind_array(
    file: &str,
    n_columns: u64,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<ColumnBinding, DataError> {
    if options.header == HeaderMode::Yes {
        let message = "there is no header: an array has no names for its columns";
        let help = "columns of arrays are bound to variables by order";
        return Err(DataError::unfit(file, message).help(help));
    }
    let binding = by_order(file, circuit, options)?;
    check_width(file, "the array", n_columns, binding)
}

fn check_width(
    file: &str,
    what: &str,
    n_columns: u64,
    binding: ColumnBinding,
) -> Result<ColumnBinding, DataError> {
    if n_columns == binding.n_cells as u64 && n_columns > 0 {
        return Ok(binding);
    }
    let columns = if n_columns == 1 { "column" } else { "columns" };
    let found = format!("{what} has {n_columns} {columns}");
    Err(binding.wrong_length(file, &found))
}

fn by_order(
    file: &str,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<ColumnBinding, DataError> {
    let n_variables = circuit.variables().len();
    let weights = options.weight_column.as_deref();
    let weights = weights.map(|name| weight::position(file, name, n_variables));
    Ok(ColumnBinding::by_order(circuit, weights.transpose()?))
}

/// The names of columns, or what may be.
struct HeaderCandidate<'a> {
    names: Vec<String>,
    file: &'a str,
    circuit: &'a CircuitGraph,
    options: &'a ReadOptions,
}

impl HeaderCandidate<'_> {
    /// Whether the line is a header, if its cells could be those of a row (`is_data`).
    fn is_header(&self, is_data: bool) -> Result<bool, DataError> {
        use HeaderMode::{ExceptArrays, Yes};
        if matches!(self.options.header, Yes | ExceptArrays) {
            return Ok(true);
        }
        let binding = self.by_name();
        let n_bound = binding.columns.iter().flatten().count();
        let is_all_names = n_bound > 0 && binding.unknown().is_empty();
        if is_data && is_all_names {
            return Err(self.ambiguous());
        }
        Ok(!is_data && (n_bound > 0 || !self.holds_numbers()))
    }

    fn by_name(&self) -> ColumnBinding {
        let weights = self.options.weight_column.as_deref();
        ColumnBinding::by_name(self.circuit, self.names.clone(), weights)
    }

    /// What the names bind. If they are no variables', `advice` is what else to do.
    fn bind(&self, advice: Option<RemedyOption>) -> Result<ColumnBinding, DataError> {
        self.check_names()?;
        let binding = self.by_name();
        let (unbound, unknown) = (binding.unbound(self.circuit), binding.unknown());
        if binding.columns.iter().all(Option::is_none) {
            return Err(self.nothing_matches(&unbound, &unknown, advice));
        }
        self.check_weights(&binding)?;
        let is_guess = self.options.header == HeaderMode::Auto;
        if is_guess && !unbound.is_empty() && !unknown.is_empty() {
            return Err(self.half_matches(&unbound, &unknown));
        }
        let notes = notes(self.file, &unbound, &unknown);
        Ok(ColumnBinding { notes, ..binding })
    }

    /// Weights have a column, and it is no variable's.
    fn check_weights(&self, binding: &ColumnBinding) -> Result<(), DataError> {
        let Some(name) = self.options.weight_column.as_deref() else {
            return Ok(());
        };
        let Some(column) = binding.weights else {
            return Err(weight::no_column(self.file, name, &binding.unknown()));
        };
        if binding.columns.contains(&Some(column)) {
            let name = shown(name);
            let message =
                format!("the column {name} belongs to a variable and cannot hold weights");
            return Err(self.fault(message).in_column(column, None));
        }
        Ok(())
    }

    /// Headers hold words: a line with a number in it is a row, if a wrong one.
    fn holds_numbers(&self) -> bool {
        self.names.iter().any(|name| name.parse::<f64>().is_ok())
    }

    /// A column that is asked for is there once. Names that differ in spaces only are two
    /// if both are asked for.
    fn check_names(&self) -> Result<(), DataError> {
        let variables = self.circuit.variables().iter().map(column_name);
        let wanted = variables.chain(self.options.weight_column.as_deref());
        let wanted: HashSet<&str> = wanted.collect();
        let loosely: HashSet<String> = wanted.iter().map(|name| without_spaces(name)).collect();
        let mut seen: HashMap<String, &str> = HashMap::new();
        for (at, name) in self.names.iter().enumerate() {
            let plain = without_spaces(name);
            if !loosely.contains(&plain) {
                continue;
            }
            let are_two = |before: &str| {
                before != name && wanted.contains(before) && wanted.contains(name.as_str())
            };
            let before = seen.insert(plain, name);
            if before.is_some_and(|before| !are_two(before)) {
                return Err(named_twice(self.file, at, name));
            }
        }
        Ok(())
    }

    fn fault(&self, message: impl Into<Box<str>>) -> DataError {
        DataError::unfit(self.file, message)
    }

    fn ambiguous(&self) -> DataError {
        self.fault("the first line may be a header or a row: its cells are both names and values")
            .help(RemedyOption::StateHeader)
    }

    fn nothing_matches(
        &self,
        unbound: &[&str],
        unknown: &[&str],
        advice: Option<RemedyOption>,
    ) -> DataError {
        let message = format!("no column has the name of a variable: {}", listed(unknown));
        let help = RemedyText::from(format!(
            "the circuit asks for {}; `@column(\"…\")` before a variable gives the name of its \
             column",
            listed(unbound)
        ));
        let help = advice.into_iter().fold(help, RemedyText::also);
        self.fault(message).help(help)
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
            let (name, near) = (shown(name), shown(&near));
            Some(format!("did you write {name} for {near}?"))
        });
        let help = RemedyText::from(near.unwrap_or_default());
        self.fault(message)
            .help(help.also(RemedyOption::IgnoreOtherColumns))
    }
}

fn notes(file: &str, unbound: &[&str], unknown: &[&str]) -> Vec<String> {
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        let names = listed(unknown);
        let (columns, are, variables) = match unknown.len() {
            1 => ("column", "is", "variable"),
            _ => ("columns", "are", "variables"),
        };
        notes.push(format!(
            "the {columns} {names} of {file} {are} no {variables} of the circuit and {are} ignored"
        ));
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
