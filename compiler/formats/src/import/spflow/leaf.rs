//! Leaves: `Gaussian(V0|mean=0;stdev=1)`, `Histogram(V1|[0, 1, 2];[0.4, 0.6];[0, 1])`.

use super::scan::SpflowScanner;
use crate::import::ImportError;
use crate::import::outline::DescribedLeaf;
use crate::import::rounding::{Rounding, scaled};
use crate::spflow_class::SPFLOW_CLASSES;
use pelton_compiler::circuit::{FamilyDomains, FiniteConstant, ParamKind, UniformDistribution};

/// A leaf and the name of its variable.
pub(super) struct NamedLeaf<'a> {
    pub variable: &'a str,
    pub described: DescribedLeaf,
}

/// One argument of a leaf.
enum SpflowArgument {
    Number(f64),
    List(Vec<f64>),
    /// A word such as `None`, which says nothing about the distribution.
    Word,
}

/// Reads a leaf.
pub(super) fn read<'a>(
    scan: &mut SpflowScanner<'a>,
    rounding: &mut Rounding,
) -> Result<NamedLeaf<'a>, ImportError> {
    let start = scan.position();
    let class = scan.word(|c| c.is_ascii_alphanumeric() || c == '_');
    if class.is_empty() {
        return Err(scan.unexpected("a leaf or `(`"));
    }
    scan.expect('(')?;
    let variable = scan
        .word(|c| !matches!(c, '(' | '|' | ')' | '\n' | '`'))
        .trim();
    if variable.is_empty() {
        return Err(scan.unexpected("the name of a variable"));
    }
    scan.expect('|')?;
    let mut arguments = SpflowArguments {
        class,
        list: Vec::new(),
        start,
        scan,
    };
    arguments.read()?;
    let described = arguments.describe(rounding)?;
    Ok(NamedLeaf {
        variable,
        described,
    })
}

struct SpflowArguments<'a, 's> {
    class: &'a str,
    list: Vec<(&'a str, SpflowArgument)>,
    start: usize,
    scan: &'s mut SpflowScanner<'a>,
}

impl SpflowArguments<'_, '_> {
    fn read(&mut self) -> Result<(), ImportError> {
        loop {
            let argument = self.argument()?;
            self.list.push(argument);
            if self.scan.take(')') {
                return Ok(());
            }
            self.scan.expect_one_of(';', ')')?;
        }
    }

    fn argument(&mut self) -> Result<(&'static str, SpflowArgument), ImportError> {
        let mut key = "";
        if self.scan.peek() != Some('[') {
            let word = self.scan.word(|c| c.is_ascii_alphanumeric() || c == '_');
            let known = KEYS.iter().find(|known| **known == word);
            let Some(known) = known else {
                let message = format!("`{word}` is no parameter of `{}`", self.class);
                return Err(self.scan.fault(message));
            };
            key = known;
            self.scan.expect('=')?;
        }
        let argument = match self.scan.peek() {
            Some('[') => SpflowArgument::List(self.numbers()?),
            Some('N' | 'T' | '<') => {
                self.scan.word(|c| !matches!(c, ';' | ')'));
                SpflowArgument::Word
            }
            _ => SpflowArgument::Number(self.scan.number("a number")?),
        };
        Ok((key, argument))
    }

    /// `[0.2, 0.8]`, or `[0.2 0.8]` as NumPy prints arrays.
    fn numbers(&mut self) -> Result<Vec<f64>, ImportError> {
        self.scan.expect('[')?;
        let mut numbers = Vec::new();
        while !self.scan.take(']') {
            if !numbers.is_empty() {
                self.scan.take(',');
            }
            if self.scan.peek() == Some('.') {
                let word = self.scan.word(|c| c == '.' || c.is_ascii_digit());
                if word.starts_with("...") {
                    let message = "the list was abbreviated when it was printed";
                    let help =
                        "print it whole, after `numpy.set_printoptions(threshold=sys.maxsize)`";
                    return Err(self.scan.fault(message).help(help));
                }
                return Err(self.scan.fault(format!("`{word}` is no number")));
            }
            numbers.push(self.scan.number("a number or `]`")?);
        }
        Ok(numbers)
    }

    fn describe(&self, rounding: &mut Rounding) -> Result<DescribedLeaf, ImportError> {
        match self.class {
            "Uniform" => return self.uniform(),
            "Bernoulli" => return self.bernoulli(),
            "Categorical" => return self.categorical(rounding),
            "Histogram" => return self.histogram(rounding),
            _ => {}
        }
        let Some(class) = SPFLOW_CLASSES.iter().find(|class| class.name == self.class) else {
            let message = format!("leaves of the class `{}` are not read", self.class);
            let help = match self.class {
                "Geometric" => "SPFlow counts from 1, and a geometric leaf here from 0".to_string(),
                _ => format!("there are {}", CLASSES.join(", ")),
            };
            return Err(self.fault(message).help(help));
        };
        let row = class.family.description();
        let read = |((_, kind), key): ((_, ParamKind), &&str)| {
            let number = if kind == ParamKind::Positive {
                self.positive(key)
            } else {
                self.number(key)
            };
            Ok((kind, number?))
        };
        let params: Result<Vec<_>, ImportError> =
            row.parameters().zip(class.keys).map(read).collect();
        Ok(if row.domains == FamilyDomains::Counts {
            DescribedLeaf::Counts(class.family.clone(), params?)
        } else {
            DescribedLeaf::Reals(class.family.clone(), params?)
        })
    }

    fn uniform(&self) -> Result<DescribedLeaf, ImportError> {
        let (low, high) = (self.number("start")?, self.number("end")?);
        if low >= high {
            return Err(self.fault(format!("there is nothing between {low} and {high}")));
        }
        let family = UniformDistribution {
            low: FiniteConstant::new(low),
            high: FiniteConstant::new(high),
        };
        Ok(DescribedLeaf::Reals(family.into(), Vec::new()))
    }

    fn bernoulli(&self) -> Result<DescribedLeaf, ImportError> {
        let p = self.number("p")?;
        if (0.0..=1.0).contains(&p) {
            Ok(DescribedLeaf::Coin(p))
        } else {
            Err(self.fault(format!("{p} is no probability")))
        }
    }

    fn categorical(&self, rounding: &mut Rounding) -> Result<DescribedLeaf, ImportError> {
        let mut shares = self.list("p")?.to_vec();
        self.are_shares(&shares)?;
        if !scaled(&mut shares, rounding) {
            let total: f64 = shares.iter().sum();
            return Err(self.fault(format!("the probabilities add up to {total}, not 1")));
        }
        Ok(DescribedLeaf::Values {
            low: 0,
            shares,
            is_whole: true,
        })
    }

    /// Densities are printed with four digits, and smoothing in SPFlow leaves bins of
    /// other widths than 1 with a mass of their own: shares are scaled in any case.
    fn histogram(&self, rounding: &mut Rounding) -> Result<DescribedLeaf, ImportError> {
        let lists: Vec<&[f64]> = self
            .list
            .iter()
            .filter_map(|(_, argument)| match argument {
                SpflowArgument::List(list) => Some(list.as_slice()),
                _ => None,
            })
            .collect();
        let &[breaks, densities, points] = lists.as_slice() else {
            return Err(self.fault("a histogram has three lists: breaks, densities and points"));
        };
        let rise = breaks.windows(2).all(|pair| pair[0] < pair[1]);
        let are_finite = breaks.iter().all(|value| value.is_finite());
        if breaks.len() < 2 || !rise || !are_finite {
            return Err(
                self.fault("the breaks of a histogram are at least two finite numbers that rise")
            );
        }
        if densities.len() != breaks.len() - 1 {
            let message = format!(
                "a histogram with {} breaks has {} densities, and {} are given",
                breaks.len(),
                breaks.len() - 1,
                densities.len()
            );
            return Err(self.fault(message));
        }
        self.are_shares(densities)?;
        let masses = breaks
            .windows(2)
            .zip(densities)
            .map(|(pair, d)| d * (pair[1] - pair[0]));
        let mut shares: Vec<f64> = masses.collect();
        let total: f64 = shares.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            return Err(self.fault(format!("the histogram has mass {total}")));
        }
        if (total - 1.0).abs() > 1e-12 {
            shares.iter_mut().for_each(|share| *share /= total);
            rounding.add(total);
        }
        Ok(if are_integers(breaks, points) {
            DescribedLeaf::Values {
                low: breaks[0] as i64,
                shares,
                is_whole: false,
            }
        } else {
            DescribedLeaf::Bins {
                breaks: breaks.to_vec(),
                shares,
            }
        })
    }

    fn are_shares(&self, numbers: &[f64]) -> Result<(), ImportError> {
        if numbers.is_empty() {
            return Err(self.fault("the list of probabilities is empty"));
        }
        match numbers.iter().find(|n| !(**n >= 0.0 && n.is_finite())) {
            Some(number) => Err(self.fault(format!("{number} is no probability"))),
            None => Ok(()),
        }
    }

    fn find(&self, key: &str) -> Option<&SpflowArgument> {
        let found = self.list.iter().find(|(known, _)| *known == key);
        found.map(|(_, argument)| argument)
    }

    fn number(&self, key: &str) -> Result<f64, ImportError> {
        match self.find(key) {
            Some(SpflowArgument::Number(number)) if number.is_finite() => Ok(*number),
            Some(SpflowArgument::Number(number)) => {
                Err(self.fault(format!("`{key}` of `{}` cannot be {number}", self.class)))
            }
            _ => Err(self.fault(format!("`{}` needs a number `{key}`", self.class))),
        }
    }

    fn positive(&self, key: &str) -> Result<f64, ImportError> {
        match self.number(key)? {
            number if number > 0.0 => Ok(number),
            number => Err(self.fault(format!(
                "`{key}` of `{}` is above 0, and {number} is given",
                self.class
            ))),
        }
    }

    fn list(&self, key: &str) -> Result<&[f64], ImportError> {
        match self.find(key) {
            Some(SpflowArgument::List(list)) => Ok(list),
            _ => Err(self.fault(format!("`{}` needs a list `{key}`", self.class))),
        }
    }

    fn fault(&self, message: impl Into<String>) -> ImportError {
        ImportError::at(self.scan.span_from(self.start), message)
    }
}

/// Names of parameters.
const KEYS: &[&str] = &[
    "mean", "stdev", "p", "alpha", "beta", "l", "start", "end", "density", "type", "n", "N", "K",
    "sigma",
];

/// Classes that are read.
const CLASSES: &[&str] = &[
    "Gaussian",
    "LogNormal",
    "Gamma",
    "Exponential",
    "Poisson",
    "Uniform",
    "Bernoulli",
    "Categorical",
    "Histogram",
];

/// Whether a histogram counts integers: bins of width 1 that stand for where they begin.
fn are_integers(breaks: &[f64], points: &[f64]) -> bool {
    let is_whole = breaks[0].fract() == 0.0 && breaks[0].abs() < 1e15;
    is_whole
        && breaks.windows(2).all(|pair| pair[1] - pair[0] == 1.0)
        && breaks[..breaks.len() - 1] == *points
}
