//! What the columns of data hold, told from the data alone.
//!
//! Structures are learned before there is a circuit, so the variables have to come from
//! the data. Each source is surveyed (`text.rs`, `npy.rs`, `parquet.rs`) into a tally
//! of every column, the distinct values that occur (`tally.rs`); when all sources have been seen,
//! `domain.rs` makes domains of tallies and `naming.rs` variables of names.
//!
//! | the column's cells | its domain |
//! |---|---|
//! | `0` and `1`, or truth values in words | `bool` |
//! | integers that a range of at most 256 values holds | that range, from 0 if that is near |
//! | other numbers | `real` |
//! | other texts, at most 1,000 of them | categories, sorted |
//! | nothing but missing cells | `bool`, with a note |
//!
//! Where cells have types, a column of texts is one of categories whatever they are, and one
//! that is declared with categories has all of them, in their order.

mod batch;
mod circuit;
mod domain;
mod heading;
mod naming;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod survey;
mod tally;
mod text;

use super::batch::Batch;
use super::content::{DataFormat, UnpackedContent};
use super::error::{DataError, listed, shown};
use super::read::ReadOptions;
use super::source::DataSource;
use domain::ColumnRemark;
use pelton_compiler::circuit::Domain;
use pelton_grammar::remedy::RemedyText;
use survey::{ExpectedColumns, SchemaRequest, SourceSurvey};

/// What the columns of data hold, as far as the data tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The columns that become variables, in the order of the data.
    pub columns: Vec<SchemaColumn>,
}

/// A column that becomes a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaColumn {
    /// Its name in the data; none if columns have no names there.
    pub name: Option<String>,
    /// The name of the variable, which no other one has.
    pub variable: String,
    /// The values it takes.
    pub domain: Domain,
}

/// How many values finite domains are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// The most values of a range; integers that lie further apart are real numbers.
    pub max_range: u64,
    /// The most categories; a column with more different texts is an error.
    pub max_categories: usize,
}

impl Default for SchemaLimits {
    fn default() -> Self {
        SchemaLimits {
            max_range: 256,
            max_categories: 1_000,
        }
    }
}

/// A schema that was found.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct SchemaFound {
    /// What the columns hold.
    pub schema: Schema,
    /// What the user should know: what was guessed, what is left out.
    pub notes: Vec<RemedyText>,
}

/// Tells what the columns of some sources hold.
///
/// The first source says which columns there are; those of the others are the same by
/// name, or by order where columns have no names. A value that occurs in any source
/// belongs to its column's domain. The column of weights is left out, and so are columns
/// that have no name although others do.
///
/// Each source is read once, in the memory of one line and of the distinct values.
pub fn schema(
    sources: Vec<DataSource>,
    options: &ReadOptions,
    limits: &SchemaLimits,
) -> Result<SchemaFound, DataError> {
    let mut whole: Option<SourceSurvey> = None;
    for source in sources {
        let known = whole.as_ref().map(SourceSurvey::expects);
        let request = SchemaRequest {
            expected: known.unwrap_or(ExpectedColumns::Anything),
            options,
            limits,
        };
        let survey = survey(source, &request)?;
        whole = Some(joined(whole, survey, limits)?);
    }
    let whole = whole.ok_or_else(|| DataError::unfit("data", "there is no source of them"))?;
    found(whole, limits)
}

/// Tells what the columns of some batches hold, as [`schema`] does of files.
pub fn schema_of_batches(
    batches: &[&Batch<'_>],
    limits: &SchemaLimits,
) -> Result<SchemaFound, DataError> {
    let mut whole: Option<SourceSurvey> = None;
    for batch in batches {
        whole = Some(joined(whole, batch::survey(batch, limits)?, limits)?);
    }
    let whole = whole.ok_or_else(|| DataError::unfit("data", "there are none"))?;
    found(whole, limits)
}

/// What was seen so far, and in one more source.
fn joined(
    whole: Option<SourceSurvey>,
    survey: SourceSurvey,
    limits: &SchemaLimits,
) -> Result<SourceSurvey, DataError> {
    match whole {
        None => Ok(survey),
        Some(whole) => whole.join(survey, limits),
    }
}

fn survey(source: DataSource, request: &SchemaRequest<'_>) -> Result<SourceSurvey, DataError> {
    let content = UnpackedContent::open(source)?;
    match content.format {
        DataFormat::Text => text::survey(content, request),
        DataFormat::Npy => npy::survey(content, request),
        #[cfg(feature = "parquet")]
        DataFormat::Parquet => parquet::survey(content, request),
        #[cfg(not(feature = "parquet"))]
        DataFormat::Parquet => Err(super::reader::no_parquet(&content.name)),
    }
}

/// Decides on what was seen.
fn found(survey: SourceSurvey, limits: &SchemaLimits) -> Result<SchemaFound, DataError> {
    let file = survey.file;
    let mut notes = survey.notes;
    let (mut domains, mut remarks) = (Vec::new(), Vec::new());
    for column in &survey.columns {
        let (domain, remark) = domain::of(&column.tally, limits)
            .map_err(|refusal| refusal.in_column(&file, column.at, column.name.as_deref()))?;
        domains.push(domain);
        remarks.push(remark);
    }
    let names: Vec<Option<String>> = survey.columns.into_iter().map(|c| c.name).collect();
    let are_named = names.iter().any(Option::is_some);
    if !are_named && let Some(domain) = domain::in_common(&domains, limits) {
        let note = format!(
            "the columns of {file} have no names and hold alike integers: each is taken as {domain}"
        );
        notes.push(note.into());
        domains.fill(domain);
    }
    let variables = naming::variables(&names, &domains);
    notes.extend(remarks_told(&file, &variables, &remarks));
    let columns = names.into_iter().zip(variables).zip(domains);
    let columns = columns.map(|((name, variable), domain)| SchemaColumn {
        name,
        variable,
        domain,
    });
    let schema = Schema {
        columns: columns.collect(),
    };
    Ok(SchemaFound { schema, notes })
}

/// One note for each kind of remark, however many columns it is about.
fn remarks_told(file: &str, variables: &[String], remarks: &[ColumnRemark]) -> Vec<RemedyText> {
    let about = |is_meant: fn(&ColumnRemark) -> bool| -> Vec<&String> {
        let columns = variables.iter().zip(remarks);
        let meant = columns.filter(|(_, remark)| is_meant(remark));
        meant.map(|(variable, _)| variable).collect()
    };
    let empty = about(|remark| matches!(remark, ColumnRemark::Empty));
    let mixed = about(|remark| matches!(remark, ColumnRemark::Mixed(_)));
    let mut notes = Vec::new();
    if !empty.is_empty() {
        let empty = listed(&empty);
        let note =
            format!("every cell of {empty} is missing in {file}: bool is as good as anything");
        notes.push(note.into());
    }
    let example = remarks.iter().find_map(|remark| match remark {
        ColumnRemark::Mixed(text) => Some(text),
        _ => None,
    });
    if let Some(example) = example {
        let (mixed, example) = (listed(&mixed), shown(example));
        let note = format!(
            "{mixed} in {file} has numbers and texts, such as {example}: each value is taken as a \
             category"
        );
        notes.push(note.into());
    }
    notes
}
