//! What the columns of a data set hold, and tables of them.

use super::dataset::{Dataset, Split};
use crate::Failure;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Domain;
use pelton_compiler::load::{FileLoader, Input};
use pelton_compiler::{Options, analyze};
use pelton_runtime::data::{Header, ReadOptions, Schema, SchemaColumn, Source, Table, read};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Larger values are no categories.
const MOST_VALUES: i64 = 256;

/// The columns of a data set: all hold 0 and 1, or all numbers from 0 up.
pub struct Columns {
    /// What they hold.
    pub schema: Schema,
    /// The circuit that tables are read with.
    checked: Checked,
}

impl Columns {
    /// Looks at the training and validation rows.
    pub fn of(dataset: &Dataset) -> Result<Self, Failure> {
        let train = survey(&dataset.path(Split::Train))?;
        let valid = survey(&dataset.path(Split::Valid))?;
        let domain = match train.largest.max(valid.largest) {
            0 | 1 => Domain::Bool,
            largest => Domain::Range {
                low: 0,
                high: largest + 1,
            },
        };
        let column = |at: usize| SchemaColumn {
            name: None,
            variable: format!("x{at}"),
            domain: domain.clone(),
        };
        let schema = Schema {
            columns: (0..train.n_columns).map(column).collect(),
        };
        let checked = reading_circuit(&schema, &domain)?;
        Ok(Columns { schema, checked })
    }

    /// Reads one of the files.
    pub fn table(&self, dataset: &Dataset, split: Split) -> Result<Table, Failure> {
        let options = ReadOptions {
            header: Header::No,
            ..ReadOptions::default()
        };
        let source = Source::open(&dataset.path(split))?;
        Ok(read(source, self.checked.circuit(), &options)?.table)
    }
}

/// What the rows of a file look like.
struct Survey {
    n_columns: usize,
    largest: i64,
}

fn survey(path: &Path) -> Result<Survey, Failure> {
    let unfit = |what: String| Failure::Unfit(format!("`{}`{what}", path.display()));
    let unreadable =
        |error| Failure::Usage(format!("`{}` cannot be read: {error}", path.display()));
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut survey = Survey {
        n_columns: 0,
        largest: 0,
    };
    for (number, line) in (1..).zip(file.split(b'\n')) {
        let line = line.map_err(unreadable)?;
        let cells = line.trim_ascii().split(|&byte| byte == b',');
        let mut n_columns = 0;
        for cell in cells.filter(|cell| !cell.is_empty()) {
            let value = value(cell).ok_or_else(|| {
                let cell = String::from_utf8_lossy(cell).into_owned();
                unfit(format!(
                    ", line {number}: `{cell}` is no whole number from 0 up to {}",
                    MOST_VALUES - 1
                ))
            })?;
            survey.largest = survey.largest.max(value);
            n_columns += 1;
        }
        survey.n_columns = survey.n_columns.max(n_columns);
    }
    match survey.n_columns {
        0 => Err(unfit(" has no rows".to_string())),
        _ => Ok(survey),
    }
}

fn value(cell: &[u8]) -> Option<i64> {
    let digit = |value: i64, byte: &u8| match byte {
        b'0'..=b'9' => Some(value * 10 + i64::from(byte - b'0')).filter(|&all| all < MOST_VALUES),
        _ => None,
    };
    cell.trim_ascii().iter().try_fold(0, digit)
}

/// A circuit over the columns in which all are independent.
fn reading_circuit(schema: &Schema, domain: &Domain) -> Result<Checked, Failure> {
    let (n_columns, array) = (schema.columns.len(), schema.array());
    let family = match domain {
        Domain::Bool => "bernoulli",
        _ => "categorical",
    };
    let declarations = schema.declarations();
    let text =
        format!("{declarations}root prod c in 0..{n_columns} {{ {array}[c] ~ {family}(?) }};\n");
    let input = Input {
        name: "columns".to_string(),
        path: None,
        bytes: text.into_bytes(),
    };
    let checked = analyze(input, &FileLoader, &Options::default()).into_checked();
    checked.ok_or_else(|| Failure::Unfit(format!("there are too many columns: {n_columns}")))
}
