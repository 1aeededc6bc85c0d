//! What the cells of one variable may hold.

use super::error::{DataError, listed, shown};
use super::number::FileNumber;
use pelton_compiler::circuit::{CircuitVariable, Domain};
use pelton_compiler::lower::nearest;
use std::collections::HashMap;

/// Cells that are missing whatever the variable, unless a category is called so.
const MISSING: [&str; 3] = ["", "?", "NA"];

/// What is wrong with a cell, and what is allowed instead.
#[derive(Debug, PartialEq)]
pub(super) struct InvalidCell {
    pub message: String,
    pub help: String,
}

impl InvalidCell {
    /// The same as an error of a column, by its position from 0 and its name if it has one.
    pub fn in_column(self, file: &str, at: usize, name: Option<&str>) -> DataError {
        let error = DataError::unfit(file, self.message);
        error.in_column(at, name).help(self.help)
    }
}

/// Where a cell comes from, which decides what its texts mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellOrigin {
    /// A text file, in which all cells are texts.
    Written,
    /// A source whose cells have types.
    Typed,
}

/// Reads the cells of one variable.
pub(super) struct CellReader {
    variable: CircuitVariable,
    /// Values of categories by name.
    names: HashMap<String, f64>,
    /// Words of `@missing` that are numbers, for cells that are.
    missing: Vec<f64>,
    /// The first integer of the domain and the first one behind it, if it has
    /// integers.
    integers: Option<(f64, f64)>,
    /// Values of cells of one ASCII character, which most cells are; `None` if the
    /// character is no cell.
    single: Vec<Option<f64>>,
}

impl CellReader {
    /// A reader for the variable's domain.
    pub fn new(variable: &CircuitVariable) -> Self {
        let mut names = HashMap::new();
        if let Domain::Categories(categories) = &variable.domain {
            let numbered = categories.iter().enumerate();
            names.extend(numbered.map(|(at, name)| (name.clone(), at as f64)));
        }
        let words = variable.binding.missing.iter();
        let mut reader = CellReader {
            variable: variable.clone(),
            names,
            missing: words.filter_map(|word| word.trim().parse().ok()).collect(),
            integers: integers(&variable.domain),
            single: Vec::new(),
        };
        // Without what is wrong with all others: to find the nearest name among a hundred
        // thousand takes as long as to read a file of them.
        let value = |byte: u8| reader.found(char::from(byte).encode_utf8(&mut [0; 4]));
        reader.single = (0..128).map(value).collect();
        reader
    }

    /// The value of a cell; NaN if it is missing.
    pub fn read(&self, cell: &[u8]) -> Result<f64, InvalidCell> {
        if let [byte] = *cell
            && let Some(Some(value)) = self.single.get(usize::from(byte))
        {
            return Ok(*value);
        }
        let text = utf8(cell)?;
        let refused = || self.refuse(self.trimmed(text), CellOrigin::Written);
        self.found(text).ok_or_else(refused)
    }

    /// The value of a text, NaN if it is missing; `None` if it is neither.
    fn found(&self, text: &str) -> Option<f64> {
        // A category is never missing, whatever it is called.
        if let Some(&value) = self.names.get(text) {
            return Some(value);
        }
        let text = self.trimmed(text);
        if self.is_declared_missing(text) {
            return Some(f64::NAN);
        }
        let missing = is_missing(text).then_some(f64::NAN);
        self.value(text).or(missing)
    }

    /// White space belongs to names, not to numbers.
    fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        match self.variable.domain {
            Domain::Categories(_) => text,
            _ => text.trim_ascii(),
        }
    }

    /// The value of a text of a source whose cells have types: there a text is that text,
    /// which is a value of categories only. NaN if `@missing` names it.
    pub fn verbatim(&self, cell: &[u8]) -> Result<f64, InvalidCell> {
        let text = utf8(cell)?;
        let is_missing = || self.variable.binding.missing.iter().any(|own| own == text);
        match self.names.get(text) {
            Some(&value) => Ok(value),
            None if is_missing() => Ok(f64::NAN),
            None => Err(self.refuse_text(text)),
        }
    }

    /// The value of a cell that is a number, NaN if it is missing; `None` if that takes
    /// a closer look.
    #[inline]
    pub fn quick(&self, value: f64) -> Option<f64> {
        let (low, high) = self.integers?;
        // Shorter than asking for the fraction, which has no instruction on every machine.
        let is_integer = (value as i64) as f64 == value;
        let fits = is_integer && value >= low && value < high && self.missing.is_empty();
        fits.then_some(value)
    }

    /// The value of a cell that is a number; NaN if it is missing.
    pub fn number(&self, number: FileNumber) -> Result<f64, InvalidCell> {
        let value = number.value();
        let is_name = || self.names.contains_key(&number.to_string());
        if value.is_nan() || (self.missing.contains(&value) && !is_name()) {
            return Ok(f64::NAN);
        }
        let fits = match (self.integers, &self.variable.domain) {
            (Some((low, high)), _) => is_integer(value) && value >= low && value < high,
            // By name only, and a name may be a number.
            (None, Domain::Categories(_)) => return self.verbatim(number.to_string().as_bytes()),
            (None, _) => value.is_finite(),
        };
        let refused = || self.refuse(&number.to_string(), CellOrigin::Typed);
        fits.then_some(value).ok_or_else(refused)
    }

    fn is_declared_missing(&self, text: &str) -> bool {
        let mut words = self.variable.binding.missing.iter();
        words.any(|word| word == text || word.trim_ascii() == text)
    }

    fn value(&self, text: &str) -> Option<f64> {
        match &self.variable.domain {
            Domain::Bool => truth(text),
            Domain::Categories(_) => self.names.get(text).copied(),
            Domain::Range { low, high } => {
                integer(text).filter(|&value| value >= *low as f64 && value < *high as f64)
            }
            Domain::Nat => integer(text).filter(|&value| value >= 0.0),
            Domain::Real => finite(text),
        }
    }

    /// Why a text of a typed source is no value.
    fn refuse_text(&self, text: &str) -> InvalidCell {
        let (values, help) = match &self.variable.domain {
            Domain::Categories(names) => {
                return self.refuse_category(text, names, CellOrigin::Typed);
            }
            Domain::Bool => (
                "truth values".to_string(),
                "give truth values, or 0 and 1 as numbers",
            ),
            Domain::Range { low, high } => {
                let values = format!("integers from {low} to {}", high - 1);
                (values, "give numbers as numbers")
            }
            Domain::Nat => ("natural numbers".to_string(), "give numbers as numbers"),
            Domain::Real => ("numbers".to_string(), "give numbers as numbers"),
        };
        let name = &self.variable.name;
        let message = format!("{} is a text, and `{name}` takes {values}", shown(text));
        self.refusal(message, help, CellOrigin::Typed)
    }

    fn refuse(&self, text: &str, origin: CellOrigin) -> InvalidCell {
        let shown = shown(text);
        match &self.variable.domain {
            Domain::Bool => {
                let allowed = match origin {
                    CellOrigin::Written => "write 0 or 1, true or false, yes or no",
                    CellOrigin::Typed => "write 0 or 1, true or false",
                };
                self.refusal(
                    format!("{shown} is neither true nor false"),
                    allowed,
                    origin,
                )
            }
            Domain::Categories(names) => self.refuse_category(text, names, origin),
            Domain::Range { low, high } => {
                let message = match integer(text) {
                    Some(_) => format!("{shown} is not in the range {low}..{high}"),
                    None => format!("{shown} is not an integer"),
                };
                let allowed = format!("write an integer from {low} to {}", high - 1);
                self.refusal(message, &allowed, origin)
            }
            Domain::Nat => {
                let message = format!("{shown} is not a natural number");
                self.refusal(message, "write an integer from 0 up", origin)
            }
            Domain::Real => {
                let help = if text.contains(',') {
                    "write the decimal point as a point"
                } else {
                    "write a finite number such as 12.5 or -3e-4"
                };
                self.refusal(format!("{shown} is not a number"), help, origin)
            }
        }
    }

    fn refuse_category(&self, text: &str, names: &[String], origin: CellOrigin) -> InvalidCell {
        let help = match nearest(text, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {}?", shown(&near)),
            None if integer(text).is_some() => {
                let names = listed(names);
                format!("categories are written by name, not by number: {names}")
            }
            None => format!("write one of {}", listed(names)),
        };
        let (text, name) = (shown(text), &self.variable.name);
        let message = format!("{text} is not a category of `{name}`");
        self.refusal(message, &help, origin)
    }

    fn refusal(&self, message: String, allowed: &str, origin: CellOrigin) -> InvalidCell {
        // Who misspelt a name did not mean that it is missing.
        if allowed.ends_with('?') {
            let help = allowed.to_string();
            return InvalidCell { message, help };
        }
        let is_new = |word: &&String| origin == CellOrigin::Typed || !is_missing(word);
        let words = self.variable.binding.missing.iter();
        let others: Vec<&String> = words.filter(is_new).collect();
        let others = match others[..] {
            [] => String::new(),
            _ => format!(", {}", listed(&others)),
        };
        let missing = match origin {
            CellOrigin::Written => "a cell that is empty, `?`, `NA`, `nan`",
            CellOrigin::Typed => "null or NaN",
        };
        let help = format!("{allowed}; {missing}{others} is missing");
        InvalidCell { message, help }
    }
}

/// The first integer of a domain of integers and the first one behind it.
pub(super) fn integers(domain: &Domain) -> Option<(f64, f64)> {
    match domain {
        Domain::Bool => Some((0.0, 2.0)),
        Domain::Range { low, high } => Some((*low as f64, *high as f64)),
        Domain::Nat => Some((0.0, Domain::LARGEST_INT as f64)),
        Domain::Categories(_) | Domain::Real => None,
    }
}

/// A cell as text.
pub(super) fn utf8(cell: &[u8]) -> Result<&str, InvalidCell> {
    std::str::from_utf8(cell).map_err(|_| {
        let shown = shown(&String::from_utf8_lossy(cell));
        InvalidCell {
            message: format!("{shown} is not UTF-8 text"),
            help: "save the file as UTF-8".to_string(),
        }
    })
}

/// Whether a text means that a cell is missing.
pub(super) fn is_missing(text: &str) -> bool {
    MISSING.contains(&text) || text.eq_ignore_ascii_case("nan")
}

/// The truth value that a text stands for. White space around it is no part of it, as of
/// numbers.
pub(super) fn truth(text: &str) -> Option<f64> {
    let is = |word: &str| text.trim_ascii().eq_ignore_ascii_case(word);
    match text.trim_ascii() {
        "0" => Some(0.0),
        "1" => Some(1.0),
        _ if is("true") || is("yes") => Some(1.0),
        _ if is("false") || is("no") => Some(0.0),
        // Columns with missing cells are often written as floating-point numbers.
        _ => integer(text).filter(|value| matches!(value, 0.0 | 1.0)),
    }
}

/// An integer that is exact as `f64`; `3.0` is one too.
pub(super) fn integer(text: &str) -> Option<f64> {
    let value: f64 = match text.as_bytes() {
        [digit @ b'0'..=b'9'] => f64::from(digit - b'0'),
        _ => text.trim_ascii().parse().ok()?,
    };
    is_integer(value).then_some(value)
}

/// A number that is neither infinite nor NaN.
pub(super) fn finite(text: &str) -> Option<f64> {
    let value = text.trim_ascii().parse();
    value.ok().filter(|value: &f64| value.is_finite())
}

fn is_integer(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < Domain::LARGEST_INT as f64
}
