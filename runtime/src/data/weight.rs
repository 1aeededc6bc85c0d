//! Weights of rows: which column holds them, and what its cells may be.

use super::cell::InvalidCell;
use super::error::{DataError, shown};
use super::number::FileNumber;
use pelton_compiler::lower::nearest;
use pelton_grammar::diagnostic::counted;

/// The weight that a cell of a text gives its row.
pub(super) fn read(cell: &[u8]) -> Result<f64, InvalidCell> {
    let text = String::from_utf8_lossy(cell);
    match text.parse::<f64>() {
        Ok(value) => check(value, &text),
        Err(_) if matches!(&*text, "" | "?" | "NA") => Err(missing()),
        Err(_) => Err(refusal(&text, "not a number")),
    }
}

/// The weight that a number gives its row.
pub(super) fn number(number: FileNumber) -> Result<f64, InvalidCell> {
    check(number.value(), &number.to_string())
}

/// What is wrong with a row without a weight.
pub(super) fn missing() -> InvalidCell {
    InvalidCell {
        message: "the weight is missing".to_string(),
        help: HELP.to_string(),
    }
}

fn check(value: f64, text: &str) -> Result<f64, InvalidCell> {
    match value {
        _ if value.is_nan() => Err(missing()),
        _ if value.is_infinite() => Err(refusal(text, "not finite")),
        _ if value < 0.0 => Err(refusal(text, "negative")),
        // A negative zero is none.
        _ => Ok(value.abs()),
    }
}

const HELP: &str = "write a finite number from 0 up";

fn refusal(text: &str, what: &str) -> InvalidCell {
    InvalidCell {
        message: format!("the weight {} is {what}", shown(text)),
        help: HELP.to_string(),
    }
}

/// The position of the column of weights where columns have no names, so that it
/// is called by its number.
pub(super) fn position(file: &str, name: &str, n_variables: usize) -> Result<usize, DataError> {
    let Ok(number) = name.trim().parse::<usize>() else {
        let name = shown(name);
        let message = format!("there is no column {name} for weights: columns have no names here");
        let help = "give the number of the column, from 1, or data with a header";
        return Err(DataError::unfit(file, message).help(help));
    };
    if (1..=n_variables + 1).contains(&number) {
        return Ok(number - 1);
    }
    let (variables, most) = (
        counted(n_variables, "variable", "variables"),
        n_variables + 1,
    );
    let message = format!(
        "there is no column {number} for weights: {variables} and weights are {most} columns"
    );
    Err(DataError::unfit(file, message).help("the first column is column 1"))
}

/// What is wrong if no column has the name of the one of weights.
pub(super) fn no_column(file: &str, name: &str, others: &[&str]) -> DataError {
    let message = format!("there is no column {} for weights", shown(name));
    let help = match nearest(name, others.iter().copied()) {
        Some(near) => format!("did you mean {}?", shown(&near)),
        None => "where columns have names, the one of weights is called by its name".into(),
    };
    DataError::unfit(file, message).help(help)
}

/// What is wrong with weights that are all zero.
pub(super) fn all_zero(file: &str, column: usize, name: Option<&str>) -> DataError {
    DataError::unfit(file, "the weight of every row is zero").in_column(column, name)
}
