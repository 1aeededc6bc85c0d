//! Networks of the UAI competitions (`.uai`): numbers between blanks.
//!
//! `BAYES` or `MARKOV`, the number of variables and of values of each, the number of
//! tables and the variables of each, then the tables, the last variable running fastest.
//! In a `BAYES` file the last variable of a table is the one whose probabilities it
//! gives. Variables are called `x[0]`, `x[1]`, …; one with two values is a `bool`.

use super::network::{Network, NetworkFactor, NetworkVariable};
use super::words::FormatWords;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::Domain;
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::remedy::RemedyOption;
use pelton_grammar::source::Span;

/// Reads a network and compiles it.
pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = UaiReader {
        words: FormatWords::of(context.source),
        n_bytes: context.source.text().len(),
        // Cells that are zero add nothing to the circuit, so there may be more of them.
        n_cells_left: context.max_size.saturating_mul(4),
    };
    let network = reader.network()?;
    network.compile(context, Vec::new())
}

struct UaiReader<'a> {
    words: FormatWords<'a>,
    /// The length of the text: no count of what follows can be larger.
    n_bytes: usize,
    n_cells_left: usize,
}

impl UaiReader<'_> {
    fn network(&mut self) -> Result<Network, ImportError> {
        let line = self.words.line("`BAYES` or `MARKOV`")?;
        let is_directed = match line.next_word() {
            Some("BAYES") => true,
            Some("MARKOV") => false,
            other => {
                let message = format!("`{}` is no kind of network", other.unwrap_or_default());
                return Err(line
                    .fault(message)
                    .help("a file begins with `BAYES` or `MARKOV`"));
            }
        };
        let variables = self.variables()?;
        let scopes = self.scopes(&variables)?;
        let mut factors = Vec::new();
        for (at, (scope, span)) in scopes.into_iter().enumerate() {
            factors.push(self.table(at, scope, span, &variables)?);
        }
        if let Some(word) = self.words.next_word() {
            let message = format!("`{word}` stands behind the last table");
            return Err(ImportError::at(self.words.last_span(), message));
        }
        if is_directed {
            factors = by_child(factors, &variables)?;
        }
        Ok(Network {
            variables,
            factors,
            is_directed,
        })
    }

    /// A count of things each of which takes a word of its own.
    fn count(&mut self, what: &str) -> Result<usize, ImportError> {
        let n_bytes = self.n_bytes;
        let line = self.words.line(&format!("the {what}"))?;
        let count = line.index(what)?;
        if count > n_bytes {
            Err(line.fault(format!(
                "{} is more than the file can hold: it has {} bytes",
                thousands(count),
                thousands(n_bytes)
            )))
        } else {
            Ok(count)
        }
    }

    fn variables(&mut self) -> Result<Vec<NetworkVariable>, ImportError> {
        let n_variables = self.count("number of variables")?;
        let mut variables = Vec::new();
        for at in 0..n_variables {
            let line = self.words.line("the number of values of a variable")?;
            let n_values = line.index("number of values")?;
            if n_values == 0 || n_values as u64 > Domain::LARGEST_INT as u64 {
                let message = format!("a variable cannot have {n_values} values");
                return Err(line.fault(message));
            }
            let domain = match n_values {
                2 => Domain::Bool,
                _ => Domain::Range {
                    low: 0,
                    high: n_values as i64,
                },
            };
            variables.push(NetworkVariable {
                name: format!("x[{at}]"),
                domain,
                n_values,
                span: line.last_span(),
            });
        }
        Ok(variables)
    }

    fn scopes(
        &mut self,
        variables: &[NetworkVariable],
    ) -> Result<Vec<(Vec<u32>, Span)>, ImportError> {
        let n_factors = self.count("number of tables")?;
        let mut scopes = Vec::new();
        for _ in 0..n_factors {
            scopes.push(self.scope(variables)?);
        }
        Ok(scopes)
    }

    fn scope(&mut self, variables: &[NetworkVariable]) -> Result<(Vec<u32>, Span), ImportError> {
        let n_members = self.count("number of variables of a table")?;
        let span = self.words.last_span();
        let mut scope: Vec<u32> = Vec::new();
        let mut n_cells = 1usize;
        for _ in 0..n_members {
            let line = self.words.line("a variable")?;
            let at = line.index("variable")?;
            let Some(node) = variables.get(at) else {
                let last = variables.len().saturating_sub(1);
                return Err(
                    line.fault(format!("there is no variable {at}: the last one is {last}"))
                );
            };
            n_cells = n_cells.saturating_mul(node.n_values);
            if n_cells > self.n_bytes {
                let message = format!(
                    "the table has more cells than the file of {} bytes can hold",
                    thousands(self.n_bytes)
                );
                return Err(line.fault(message));
            }
            // Scopes are short unless variables have a single value, which is looked for below.
            scope.push(at as u32);
        }
        let mut sorted = scope.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("variable {} stands twice in the scope of a table", pair[0]);
            return Err(ImportError::at(span, message));
        }
        Ok((scope, span))
    }

    fn table(
        &mut self,
        at: usize,
        scope: Vec<u32>,
        span: Span,
        variables: &[NetworkVariable],
    ) -> Result<NetworkFactor, ImportError> {
        let sizes = scope.iter().map(|&v| variables[v as usize].n_values);
        let n_cells: usize = sizes.product();
        let line = self.words.line("the size of a table")?;
        let n_given = line.index("size of a table")?;
        if n_given != n_cells {
            let message = format!(
                "table {at} is said to have {} cells, and its variables have {} assignments",
                thousands(n_given),
                thousands(n_cells)
            );
            return Err(line.fault(message));
        }
        if n_cells > self.n_cells_left {
            let message = "the tables have more than four times as many cells as the circuit may have units and edges";
            return Err(line.fault(message).help(RemedyOption::RaiseSizeLimit));
        }
        self.n_cells_left -= n_cells;
        let mut table = Vec::new();
        for _ in 0..n_cells {
            let line = self.words.line("a number of a table")?;
            let number = line.number("number of a table")?;
            if !(number >= 0.0 && number.is_finite()) {
                let message = format!("{number} cannot stand in a table");
                return Err(line
                    .fault(message)
                    .help("numbers are finite and not negative"));
            }
            table.push(number);
        }
        Ok(NetworkFactor { scope, table, span })
    }
}

/// Puts the table of each variable in its place: there is exactly one.
fn by_child(
    factors: Vec<NetworkFactor>,
    variables: &[NetworkVariable],
) -> Result<Vec<NetworkFactor>, ImportError> {
    let mut sorted: Vec<Option<NetworkFactor>> = Vec::new();
    sorted.resize_with(variables.len(), || None);
    for factor in factors {
        let Some(&child) = factor.scope.last() else {
            return Err(ImportError::at(
                factor.span,
                "a table of a BAYES network has a variable",
            ));
        };
        let place = &mut sorted[child as usize];
        if place.is_some() {
            let message = format!("`{}` has two tables", variables[child as usize].name);
            let help = "the last variable of a table is the one whose probabilities it gives";
            return Err(ImportError::at(factor.span, message).help(help));
        }
        *place = Some(factor);
    }
    let given = sorted.into_iter().enumerate().map(|(at, factor)| {
        let node = &variables[at];
        factor.ok_or_else(|| ImportError::at(node.span, format!("`{}` has no table", node.name)))
    });
    given.collect()
}
