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
        Err(_) => Err(refusal(format!(
            "the weight {} is not a number",
            shown(&text)
        ))),
    }
}

/// The weight that a number gives its row.
pub(super) fn number(number: FileNumber) -> Result<f64, InvalidCell> {
    check(number.value(), &number.to_string())
}

/// What is wrong with a row without a weight.
pub(super) fn missing() -> InvalidCell {
    refusal("the weight is missing".to_string())
}

fn check(value: f64, text: &str) -> Result<f64, InvalidCell> {
    match value {
        _ if value.is_nan() => Err(missing()),
        _ if value.is_infinite() => {
            Err(refusal(format!("the weight {} is not finite", shown(text))))
        }
        _ if value < 0.0 => Err(refusal(format!("the weight {} is negative", shown(text)))),
        // A negative zero is none.
        _ => Ok(value.abs()),
    }
}

fn refusal(message: String) -> InvalidCell {
    InvalidCell {
        message,
        help: "write a finite number from 0 up".to_string(),
    }
}

/// The position of the column of weights where columns have no names, so that it
/// is called by its number.
pub(super) fn position(file: &str, name: &str, n_variables: usize) -> Result<usize, DataError> {
    let Ok(number) = name.trim().parse::<usize>() else {
        let message = format!(
            "there is no column {} for weights: columns have no names here",
            shown(name)
        );
        return Err(DataError::unfit(file, message)
            .help("give the number of the column, from 1, or data with a header"));
    };
    if (1..=n_variables + 1).contains(&number) {
        return Ok(number - 1);
    }
    let variables = counted(n_variables, "variable", "variables");
    let message = format!(
        "there is no column {number} for weights: {variables} and weights are {} columns",
        n_variables + 1
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
