//! Columns of a frame, which may have others than the circuit's variables.

use super::{BatchError, BatchReader};
use crate::data::binding::column_name;
use crate::data::error::listed;
use pelton_compiler::lower::nearest;

impl BatchReader {
    /// The columns, by position, that are variables, by the rule for headers of files:
    /// columns may be left out, and there may be further ones, but both at once is more
    /// often a misspelt name.
    pub fn frame_columns(&self, names: &[&str]) -> Result<Vec<usize>, BatchError> {
        let (known, unknown): (Vec<usize>, Vec<usize>) =
            (0..names.len()).partition(|&at| self.position(names[at]).is_ok());
        let unknown: Vec<&str> = unknown.iter().map(|&at| names[at]).collect();
        let mut is_bound = vec![false; self.encoders.len()];
        for &at in &known {
            is_bound[self.position(names[at])?] = true;
        }
        let variables = self.encoders.iter().zip(is_bound);
        let unbound = variables.filter(|(_, is_bound)| !is_bound);
        let unbound: Vec<&str> = unbound.map(|(own, _)| column_name(&own.variable)).collect();
        match (unbound.is_empty(), known.is_empty(), unknown.is_empty()) {
            (false, true, _) => Err(nothing(&unbound, &unknown)),
            (false, false, false) => Err(half(&unbound, &unknown)),
            _ => Ok(known),
        }
    }
}

fn nothing(unbound: &[&str], unknown: &[&str]) -> BatchError {
    let found = if unknown.is_empty() {
        "there are no columns".to_string()
    } else {
        format!("no column has the name of a variable: {}", listed(unknown))
    };
    BatchError {
        help: Some(format!("the circuit asks for {}", listed(unbound))),
        ..BatchError::shape(found)
    }
}

fn half(unbound: &[&str], unknown: &[&str]) -> BatchError {
    let message = format!(
        "columns name some variables and not others: {} {} no variable, and there is no \
         column for {}",
        listed(unknown),
        if unknown.len() == 1 { "is" } else { "are" },
        listed(unbound)
    );
    let near = unknown.iter().find_map(|name| {
        let near = nearest(name, unbound.iter().copied())?;
        Some(format!("did you write `{name}` for `{near}`?"))
    });
    let otherwise = || "leave out columns that are meant for others".to_string();
    BatchError {
        help: Some(near.unwrap_or_else(otherwise)),
        ..BatchError::shape(message)
    }
}
