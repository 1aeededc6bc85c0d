//! Log weights of sums: kept bit for bit, or scaled where a file rounded them.

use super::ImportError;
use super::lines::FormatLine;
use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, ParamKind, ParameterEntry, SourceOrigin, UnitId,
};
use pelton_grammar::diagnostic::counted;
use pelton_grammar::source::{Source, Span};

/// Weights printed with six digits add up to 1 within this.
pub(super) const TOLERANCE: f64 = 1e-6;
/// Weights written to the last digit add up to 1 within this: rounding moves the total
/// of a thousand of them by some 1e-13, and printing six digits by some 1e-7. They are
/// left as they are, so that they come back the same when they are written again.
const ROUNDING: f64 = 1e-9;

/// What was corrected so far.
#[derive(Default)]
pub(super) struct WeightCorrections {
    n_scaled: usize,
    /// The largest change of a logarithm, and where.
    largest: Option<(f64, Span)>,
}

impl WeightCorrections {
    /// Adds a sum of terms with log weights. Weights that are off by no more than what
    /// printing costs are scaled; others stay, and the checks tell of them.
    pub fn sum(
        &mut self,
        terms: &[(UnitId, f64, Span)],
        builder: &mut CircuitBuilder,
        origin: SourceOrigin,
    ) -> UnitId {
        let logs = terms.iter().map(|(_, log, _)| *log);
        let (kind, entries) = self.entries(logs, origin.span);
        let weights = builder.weights(kind, &entries, origin.span);
        let children = terms.iter().zip(weights);
        let children =
            children.map(|(&(unit, _, span), weight)| ChildEdge::term(unit, weight, span));
        let children: Vec<ChildEdge> = children.collect();
        builder.sum(&children, origin)
    }

    /// Log probabilities that have to add up to 1.
    pub fn simplex(
        &mut self,
        logs: &[f64],
        line: &FormatLine,
    ) -> Result<Vec<ParameterEntry>, ImportError> {
        match self.entries(logs.iter().copied(), line.span()) {
            (ParamKind::Simplex, entries) => Ok(entries),
            _ => {
                let total: f64 = logs.iter().map(|log| log.exp()).sum();
                let message = format!("the probabilities add up to {total}, not to 1");
                Err(ImportError::at(line.span(), message))
            }
        }
    }

    /// Log weights as a parameter takes them, scaled if they are nearly right.
    fn entries(
        &mut self,
        logs: impl Iterator<Item = f64> + Clone,
        span: Span,
    ) -> (ParamKind, Vec<ParameterEntry>) {
        let total: f64 = logs.clone().map(f64::exp).sum();
        let off = (total - 1.0).abs();
        let kind = if off <= TOLERANCE {
            ParamKind::Simplex
        } else {
            // Also where the total is no number.
            ParamKind::Weights
        };
        if kind == ParamKind::Weights || off <= ROUNDING {
            return (kind, logs.map(ParameterEntry::fixed_log).collect());
        }
        let shift = self.correct(-total.ln(), span);
        let scaled = logs.map(|log| ParameterEntry::fixed_log((log + shift).min(0.0)));
        (kind, scaled.collect())
    }

    /// A log probability, which is at most 0 but for rounding.
    pub fn probability(&mut self, log: f64, line: &FormatLine) -> f64 {
        if log > 0.0 {
            log + self.correct(-log, line.span())
        } else {
            log
        }
    }

    /// Counts a change of logarithms.
    fn correct(&mut self, shift: f64, span: Span) -> f64 {
        self.n_scaled += 1;
        if self
            .largest
            .is_none_or(|(largest, _)| shift.abs() > largest)
        {
            self.largest = Some((shift.abs(), span));
        }
        shift
    }

    /// What the user should know.
    pub fn note(&self, source: &Source) -> Option<String> {
        let (largest, span) = self.largest?;
        let (line, _) = source.line_col(span.start as usize);
        Some(format!(
            "weights of {} were scaled to add up to 1; the largest correction is {largest:.1e} in \
             logarithms, on line {line}",
            counted(self.n_scaled, "unit", "units"),
        ))
    }
}
