//! Formulas in DIMACS form (`.cnf`, `.dnf`): clauses, or terms, of signed numbers that
//! end in 0. Variable 1 is called `x[1]`.

use super::formula::{ClausalFormula, Literal, compile};
use super::lines::{FormatLine, FormatLines};
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_grammar::remedy::RemedyOption;
use pelton_grammar::source::Span;

/// Reads a formula and compiles it.
pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut lines = FormatLines::of(context.source);
    let Some(line) = lines.next() else {
        return Err(ImportError::whole(
            "the file has no line `p cnf VARIABLES CLAUSES`",
        ));
    };
    let mut reader = CnfReader::new(line, context.max_size)?;
    // What is no part of the circuit takes less memory, so there may be more of it.
    let max_words = context.max_size.saturating_mul(4);
    for line in lines {
        if line.clone().next_word() == Some("%") {
            break;
        }
        reader.line(line)?;
        if reader.n_words > max_words {
            let message = format!(
                "the formula has more than {} literals",
                thousands(max_words)
            );
            return Err(ImportError::whole(message).help(RemedyOption::RaiseSizeLimit));
        }
    }
    let (formula, notes) = reader.finish(context.source.span().after())?;
    compile(context, &formula, notes)
}

struct CnfReader {
    formula: ClausalFormula,
    /// What the header says.
    n_announced: usize,
    n_read: usize,
    /// The clause that is being read, once it has begun.
    clause: Vec<Literal>,
    has_begun: bool,
    /// What the clauses take in memory.
    n_words: usize,
}

impl CnfReader {
    fn new(mut line: FormatLine, max_size: usize) -> Result<Self, ImportError> {
        let is_header = line.next_word() == Some("p");
        let is_negated = match line.next_word() {
            Some("cnf") if is_header => false,
            Some("dnf") if is_header => true,
            _ => {
                let message = "the first line should be `p cnf VARIABLES CLAUSES`";
                return Err(ImportError::at(line.span(), message));
            }
        };
        let n_variables = line.index("number of variables")?;
        if n_variables == 0 {
            return Err(line.fault("the formula has no variables"));
        }
        // Each variable needs a unit and an edge at least.
        if n_variables > (max_size / 2).min(1 << 30) {
            let message = format!(
                "{} variables are too many for a limit of {} units and edges",
                thousands(n_variables),
                thousands(max_size)
            );
            return Err(line.fault(message).help(RemedyOption::RaiseSizeLimit));
        }
        let n_announced = line.index(if is_negated {
            "number of terms"
        } else {
            "number of clauses"
        })?;
        let span = line.span();
        line.end()?;
        Ok(CnfReader {
            formula: ClausalFormula {
                n_variables,
                clauses: Vec::new(),
                is_negated,
                span,
            },
            n_announced,
            n_read: 0,
            clause: Vec::new(),
            has_begun: false,
            n_words: 0,
        })
    }

    fn line(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        while line.clone().next_word().is_some() {
            let number = line.int("literal")?;
            let variable = number.unsigned_abs();
            if variable > self.formula.n_variables as u64 {
                let message = format!(
                    "there is no variable {variable}: the header says that there are {}",
                    thousands(self.formula.n_variables)
                );
                return Err(line.fault(message));
            }
            match number {
                0 => self.end_clause(),
                _ => {
                    self.has_begun = true;
                    let literal = Literal::new(variable as u32 - 1, number > 0);
                    // A term is kept as the clause that it breaks.
                    self.clause.push(if self.formula.is_negated {
                        literal.negated()
                    } else {
                        literal
                    });
                }
            }
        }
        Ok(())
    }

    /// Keeps the clause unless a variable stands in it with both signs.
    fn end_clause(&mut self) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.sort_unstable();
        clause.dedup();
        let is_always_true = clause
            .windows(2)
            .any(|pair| pair[0].variable() == pair[1].variable());
        if !is_always_true {
            self.n_words += clause.len() + 8;
            self.formula.clauses.push(clause);
        }
        self.n_read += 1;
        self.has_begun = false;
    }

    fn finish(self, end: Span) -> Result<(ClausalFormula, Vec<String>), ImportError> {
        let (one, many) = if self.formula.is_negated {
            ("term", "terms")
        } else {
            ("clause", "clauses")
        };
        if self.has_begun {
            let message = format!("the file ends within a {one}: each ends in 0");
            return Err(ImportError::at(end, message));
        }
        let (announced, read) = (self.n_announced, self.n_read);
        if read < announced {
            let message = format!(
                "the header announces {}, and the file has {}",
                counted(announced, one, many),
                thousands(read)
            );
            let help = "correct the header if nothing is missing";
            return Err(ImportError::at(self.formula.span, message).help(help));
        }
        let mut notes = Vec::new();
        if read > announced {
            notes.push(format!(
                "the header announces {}, and all {} of the file were read",
                counted(announced, one, many),
                thousands(read)
            ));
        }
        Ok((self.formula, notes))
    }
}
