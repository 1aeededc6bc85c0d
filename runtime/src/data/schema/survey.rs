//! What was seen in one source.

use super::SchemaLimits;
use super::tally::ValueTally;
use crate::data::error::{DataError, listed};
use crate::data::header::named_twice;
use crate::data::naming::without_spaces;
use crate::data::read::ReadOptions;
use crate::data::weight;
use pelton_grammar::diagnostic::counted;
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use std::collections::{HashMap, HashSet};

/// The most columns that are looked at. A line of delimiters, or a header of an array,
/// could ask for any number of them.
const MOST_COLUMNS: u64 = 1 << 20;

#[derive(Clone, Copy)]
pub(super) struct SchemaRequest<'a> {
    pub expected: ExpectedColumns<'a>,
    pub options: &'a ReadOptions,
    pub limits: &'a SchemaLimits,
}

/// What an earlier source says about columns.
#[derive(Clone, Copy)]
pub(super) enum ExpectedColumns<'a> {
    Anything,
    Names(&'a [String]),
    NoNames,
}

pub(super) struct SourceSurvey {
    pub file: String,
    pub columns: Vec<ColumnSurvey>,
    /// The names of all columns, if they have names.
    names: Option<Vec<String>>,
    pub notes: Vec<RemedyText>,
}

pub(super) struct ColumnSurvey {
    pub at: usize,
    pub name: Option<String>,
    pub tally: ValueTally,
}

impl SourceSurvey {
    /// What was seen of the columns of a source, of which some may have been left out.
    /// The one of weights is, and so are those that have no name although there are names.
    pub fn new(
        file: String,
        names: Option<Vec<String>>,
        tallies: Vec<Option<ValueTally>>,
        options: &ReadOptions,
    ) -> Result<Self, DataError> {
        let weights = match &names {
            Some(names) => weights_by_name(&file, names, options)?,
            None => weights_by_number(&file, tallies.len(), options)?,
        };
        let columns = tallies.into_iter().enumerate().filter_map(|(at, tally)| {
            let (name, tally) = (names.as_ref().map(|names| names[at].clone()), tally?);
            let is_meant = Some(at) != weights && name.as_deref() != Some("");
            is_meant.then_some(ColumnSurvey { at, name, tally })
        });
        let columns: Vec<ColumnSurvey> = columns.collect();
        if columns.is_empty() {
            return Err(no_column(&file));
        }
        let notes = nameless(&file, names.as_deref()).into_iter();
        let notes = notes.map(RemedyText::from).collect();
        Ok(SourceSurvey {
            file,
            columns,
            names,
            notes,
        })
    }

    /// What further sources have to agree with.
    pub fn expects(&self) -> ExpectedColumns<'_> {
        match &self.names {
            Some(names) => ExpectedColumns::Names(names),
            None => ExpectedColumns::NoNames,
        }
    }

    /// Counts in what was seen in a further source.
    pub fn join(mut self, other: SourceSurvey, limits: &SchemaLimits) -> Result<Self, DataError> {
        let places = self.places(&other)?;
        self.notes.extend(other.notes);
        for (column, place) in other.columns.into_iter().zip(places) {
            let Some(place) = place else { continue };
            let name = column.name.as_deref();
            let joined = self.columns[place].tally.join(column.tally, limits);
            joined.map_err(|refusal| refusal.in_column(&other.file, column.at, name))?;
        }
        Ok(self)
    }

    /// For each column of a further source the one that it is here, if it is one.
    fn places(&self, other: &SourceSurvey) -> Result<Vec<Option<usize>>, DataError> {
        if self.names.is_none()
            && let Some(names) = &other.names
        {
            let (names, file) = (listed(names), &self.file);
            let message = format!("it has names for its columns, {names}, but {file} has none");
            return Err(DataError::unfit(&other.file, message)
                .help(RemedyText::from("give both a header").or(RemedyOption::DenyHeader)));
        }
        if other.names.is_none() {
            if other.columns.len() != self.columns.len() {
                return Err(self.other_width(other));
            }
            return Ok((0..self.columns.len()).map(Some).collect());
        }
        let names = self.columns.iter().flat_map(|column| &column.name);
        let places = names.map(|name| without_spaces(name)).zip(0..);
        let places: HashMap<String, usize> = places.collect();
        let place =
            |column: &ColumnSurvey| places.get(&without_spaces(column.name.as_ref()?)).copied();
        Ok(other.columns.iter().map(place).collect())
    }

    fn other_width(&self, other: &SourceSurvey) -> DataError {
        let columns = |survey: &SourceSurvey| counted(survey.columns.len(), "column", "columns");
        let (theirs, file, own) = (columns(other), &self.file, columns(self));
        let message = format!("it has {theirs} for variables, but {file} has {own}");
        DataError::unfit(&other.file, message)
            .help("without a header, columns are the same ones by order")
    }
}

/// Refuses more columns than anybody means.
pub(super) fn check_width(file: &str, n_columns: u64) -> Result<usize, DataError> {
    match usize::try_from(n_columns) {
        Ok(n) if n_columns <= MOST_COLUMNS => Ok(n),
        _ => {
            let most = counted(MOST_COLUMNS as usize, "column", "columns");
            let message = format!("there are more than {most}");
            Err(DataError::unfit(file, message))
        }
    }
}

/// What is wrong with data that have no column for a variable.
pub(super) fn no_column(file: &str) -> DataError {
    DataError::unfit(file, "there is no column for a variable in it")
}

fn weights_by_number(
    file: &str,
    n_columns: usize,
    options: &ReadOptions,
) -> Result<Option<usize>, DataError> {
    let name = options.weight_column.as_deref();
    name.map(|name| weight::position(file, name, n_columns.saturating_sub(1)))
        .transpose()
}

fn weights_by_name(
    file: &str,
    names: &[String],
    options: &ReadOptions,
) -> Result<Option<usize>, DataError> {
    let plain: Vec<String> = names.iter().map(|name| without_spaces(name)).collect();
    let mut seen = HashSet::new();
    for (at, name) in plain.iter().enumerate() {
        if !name.is_empty() && !seen.insert(name) {
            return Err(named_twice(file, at, &names[at]));
        }
    }
    let Some(name) = options.weight_column.as_deref() else {
        return Ok(None);
    };
    let wanted = without_spaces(name);
    match plain.iter().position(|name| *name == wanted) {
        Some(at) => Ok(Some(at)),
        None => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Err(weight::no_column(file, name, &names))
        }
    }
}

fn nameless(file: &str, names: Option<&[String]>) -> Option<String> {
    let empty = names?.iter().filter(|name| name.is_empty()).count();
    let columns = match empty {
        0 => return None,
        1 => format!("the column of {file} without a name is"),
        n => format!("the {n} columns of {file} without a name are"),
    };
    Some(format!("{columns} left out"))
}
