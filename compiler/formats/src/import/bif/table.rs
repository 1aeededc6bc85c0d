//! The probabilities of one variable, as rows, a table or a default.

use super::BifVariables;
use super::token::{BifToken, BifTokens};
use crate::import::ImportError;
use crate::import::network::NetworkFactor;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_grammar::remedy::RemedyOption;
use pelton_grammar::source::Span;

/// What a `probability` block says.
pub(super) struct BifProbabilityBlock<'a> {
    pub child: BifToken<'a>,
    pub parents: Vec<BifToken<'a>>,
    rows: Vec<BifProbabilityRow<'a>>,
    table: Option<Vec<f64>>,
    default: Option<Vec<f64>>,
}

/// `(yes, no) 0.3, 0.7;`
struct BifProbabilityRow<'a> {
    values: Vec<BifToken<'a>>,
    numbers: Vec<f64>,
    span: Span,
}

impl<'a> BifProbabilityBlock<'a> {
    /// Reads a block behind its first word.
    pub fn read(tokens: &mut BifTokens<'a>) -> Result<Self, ImportError> {
        let open = super::expect(tokens, "(")?;
        let mut names = words(tokens, ")")?;
        if names.is_empty() {
            return Err(open.fault("a probability is of a variable, and none is named"));
        }
        let mut block = BifProbabilityBlock {
            child: names.remove(0),
            parents: names,
            rows: Vec::new(),
            table: None,
            default: None,
        };
        super::expect(tokens, "{")?;
        while block.entry(tokens)? {}
        Ok(block)
    }

    /// Reads one entry; `false` at the end of the block.
    fn entry(&mut self, tokens: &mut BifTokens<'a>) -> Result<bool, ImportError> {
        let token = tokens.token("`}`")?;
        match token.text {
            "}" if token.is_sign => return Ok(false),
            "(" if token.is_sign => {
                let values = words(tokens, ")")?;
                let numbers = numbers(tokens)?;
                self.rows.push(BifProbabilityRow {
                    values,
                    numbers,
                    span: token.span,
                });
            }
            "table" => self.table = Some(numbers(tokens)?),
            "default" => self.default = Some(numbers(tokens)?),
            "property" => super::skip_property(tokens)?,
            text => {
                let message = format!("`{text}` is no entry of a probability");
                return Err(token.fault(message).help(
                    "entries are rows `(value) 0.2, 0.8;`, `table`, `default` and `property`",
                ));
            }
        }
        Ok(true)
    }

    /// The table of the block, the child running fastest.
    pub fn factor(
        &self,
        declared: &BifVariables,
        max_size: usize,
    ) -> Result<NetworkFactor, ImportError> {
        let child = declared.find(&self.child)?;
        let parents = self.parents.iter().map(|parent| declared.find(parent));
        let parents: Vec<u32> = parents.collect::<Result<_, _>>()?;
        let mut scope = parents.clone();
        scope.push(child);
        let mut sorted = scope.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            let message = format!(
                "a variable stands twice in the probability of `{}`",
                self.child.text
            );
            return Err(self.child.fault(message));
        }
        let size = |&v: &u32| declared.nodes[v as usize].n_values;
        let n_cells = scope.iter().fold(1usize, |n, v| n.saturating_mul(size(v)));
        if n_cells > max_size {
            let message = format!(
                "the table of `{}` has {} variables and more than {} cells",
                self.child.text,
                scope.len(),
                thousands(max_size)
            );
            return Err(self.child.fault(message).help(RemedyOption::RaiseSizeLimit));
        }
        let table = match &self.table {
            Some(table) if self.rows.is_empty() => self.listed(table, n_cells, size(&child))?,
            _ => self.by_rows(declared, &parents, n_cells, size(&child))?,
        };
        Ok(NetworkFactor {
            scope,
            table,
            span: self.child.span,
        })
    }

    /// The numbers behind `table`, in which the child runs slowest.
    fn listed(
        &self,
        table: &[f64],
        n_cells: usize,
        n_values: usize,
    ) -> Result<Vec<f64>, ImportError> {
        self.expect_count(table.len(), n_cells, "table", self.child.span)?;
        let n_rows = n_cells / n_values;
        let cells =
            (0..n_rows).flat_map(|row| (0..n_values).map(move |value| value * n_rows + row));
        Ok(cells.map(|at| table[at]).collect())
    }

    fn by_rows(
        &self,
        declared: &BifVariables,
        parents: &[u32],
        n_cells: usize,
        n_values: usize,
    ) -> Result<Vec<f64>, ImportError> {
        let mut cells: Vec<Option<&[f64]>> = vec![None; n_cells / n_values];
        for row in &self.rows {
            self.expect_count(row.numbers.len(), n_values, "row", row.span)?;
            let at = self.row_index(declared, parents, row)?;
            if cells[at].replace(&row.numbers).is_some() {
                let message = format!("this row of `{}` was given before", self.child.text);
                return Err(ImportError::at(row.span, message));
            }
        }
        if let Some(default) = &self.default {
            self.expect_count(default.len(), n_values, "default", self.child.span)?;
        }
        let mut table = Vec::with_capacity(n_cells);
        for (at, row) in cells.into_iter().enumerate() {
            match row.or(self.default.as_deref()) {
                Some(row) => table.extend_from_slice(row),
                None => return Err(self.missing_row(declared, parents, at)),
            }
        }
        Ok(table)
    }

    /// Which row it is, the last parent running fastest.
    fn row_index(
        &self,
        declared: &BifVariables,
        parents: &[u32],
        row: &BifProbabilityRow,
    ) -> Result<usize, ImportError> {
        if row.values.len() != parents.len() {
            let message = format!(
                "the row names {}, and `{}` has {}",
                counted(row.values.len(), "value", "values"),
                self.child.text,
                counted(parents.len(), "parent", "parents")
            );
            return Err(ImportError::at(row.span, message));
        }
        let mut index = 0;
        for (value, &parent) in row.values.iter().zip(parents) {
            let node = &declared.nodes[parent as usize];
            index = index * node.n_values + declared.value(parent, value)?;
        }
        Ok(index)
    }

    fn missing_row(&self, declared: &BifVariables, parents: &[u32], mut at: usize) -> ImportError {
        let mut values = Vec::new();
        for &parent in parents.iter().rev() {
            let names = declared.values(parent);
            values.push(names[at % names.len()].as_str());
            at /= names.len();
        }
        values.reverse();
        let message = if values.is_empty() {
            format!("the probabilities of `{}` are missing", self.child.text)
        } else {
            format!(
                "the probabilities of `{}` for ({}) are missing",
                self.child.text,
                values.join(", ")
            )
        };
        self.child.fault(message)
    }

    fn expect_count(
        &self,
        n_given: usize,
        n_meant: usize,
        what: &str,
        span: Span,
    ) -> Result<(), ImportError> {
        if n_given == n_meant {
            return Ok(());
        }
        let message = format!(
            "the {what} of `{}` has {}, and {} are meant",
            self.child.text,
            counted(n_given, "number", "numbers"),
            thousands(n_meant)
        );
        Err(ImportError::at(span, message))
    }
}

/// The words up to a closing sign.
pub(super) fn words<'a>(
    tokens: &mut BifTokens<'a>,
    close: &str,
) -> Result<Vec<BifToken<'a>>, ImportError> {
    let mut words = Vec::new();
    loop {
        let token = tokens.token(&format!("`{close}`"))?;
        if token.is(close) {
            return Ok(words);
        }
        if token.is_sign {
            return Err(token.fault(format!("`{close}` should stand where `{}` is", token.text)));
        }
        words.push(token);
    }
}

/// The numbers up to `;`.
fn numbers(tokens: &mut BifTokens) -> Result<Vec<f64>, ImportError> {
    let mut numbers = Vec::new();
    for word in words(tokens, ";")? {
        match word.text.parse::<f64>() {
            Ok(number) if number >= 0.0 && number.is_finite() => numbers.push(number),
            Ok(number) => {
                let fault = word.fault(format!("{number} cannot be a probability"));
                return Err(fault.help("probabilities are from 0 to 1"));
            }
            Err(_) => return Err(word.fault(format!("`{}` is no number", word.text))),
        }
    }
    Ok(numbers)
}
