//! From the distinct values of a column to a domain.

use super::SchemaLimits;
use super::tally::{ColumnValueKind, ValueTally, too_many};
use crate::data::cell::{InvalidCell, finite};
use crate::data::error::shown;
use pelton_compiler::circuit::Domain;

/// What the user should know about a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnRemark {
    None,
    /// No cell of it is observed.
    Empty,
    /// It has numbers and texts, one of which is this.
    Mixed(String),
}

/// The domain of a column with these values.
pub(super) fn of(
    tally: &ValueTally,
    limits: &SchemaLimits,
) -> Result<(Domain, ColumnRemark), InvalidCell> {
    match tally.kind() {
        ColumnValueKind::Nothing => Ok((Domain::Bool, ColumnRemark::Empty)),
        ColumnValueKind::Truth => Ok((Domain::Bool, ColumnRemark::None)),
        ColumnValueKind::Integers => Ok((integers(tally, limits), ColumnRemark::None)),
        ColumnValueKind::Numbers => Ok((Domain::Real, ColumnRemark::None)),
        ColumnValueKind::Texts if tally.has_texts() => declared(tally.texts(), limits),
        ColumnValueKind::Texts => categories(tally.texts(), limits),
    }
}

/// Few integers are a range. What counts is how far they lie apart, because a leaf has a
/// parameter for each value.
fn integers(tally: &ValueTally, limits: &SchemaLimits) -> Domain {
    let Some((low, high)) = tally.bounds() else {
        return Domain::Real;
    };
    // Integers are below 2^53, so nothing overflows.
    let from = |low| Domain::Range {
        low,
        high: high + 1,
    };
    let fits = |range: &Domain| range.size().is_some_and(|size| size <= limits.max_range);
    let mut ranges = [first_value(low, high), low].into_iter().map(from);
    ranges.find(fits).unwrap_or(Domain::Real)
}

/// Where a range of integers begins. Counts begin at 0 and dice at 1 even if no row of the
/// data happens to show it, but where 0 is further away than the range is long, it is
/// no value.
fn first_value(low: i64, high: i64) -> i64 {
    match low {
        2.. if low <= high - low + 1 => 0,
        _ => low,
    }
}

/// Texts of a source whose cells have types.
fn declared(
    texts: Vec<String>,
    limits: &SchemaLimits,
) -> Result<(Domain, ColumnRemark), InvalidCell> {
    if texts.len() > limits.max_categories {
        return Err(too_many(limits));
    }
    Ok((Domain::Categories(texts.into()), ColumnRemark::None))
}

fn categories(
    texts: Vec<String>,
    limits: &SchemaLimits,
) -> Result<(Domain, ColumnRemark), InvalidCell> {
    let is_number = |text: &&String| finite(text).is_some();
    let n_numbers = texts.iter().filter(is_number).count();
    let is_infinite = |text: &&String| text.parse::<f64>().is_ok_and(f64::is_infinite);
    let n_infinite = texts.iter().filter(is_infinite).count();
    if let Some(text) = texts.iter().find(is_infinite)
        && n_numbers + n_infinite == texts.len()
    {
        return Err(InvalidCell {
            message: format!("{} is not a finite number", shown(text)),
            help: "a cell that is empty, `?`, `NA`, `nan` is missing".to_string(),
        });
    }
    if texts.len() > limits.max_categories {
        return Err(too_many(limits));
    }
    let other = texts.iter().find(|text| !is_number(text)).cloned();
    let remark = match other {
        Some(text) if n_numbers > 0 => ColumnRemark::Mixed(text),
        _ => ColumnRemark::None,
    };
    Ok((Domain::Categories(texts.into()), remark))
}

/// The one domain of columns that seem to hold the same kind of thing, such as pixels or
/// letters of a sequence, but do not all show all of its values; none if they do, or if
/// they seem to differ.
///
/// They are alike if three quarters of them have at least half of the values.
pub(super) fn in_common(domains: &[Domain], limits: &SchemaLimits) -> Option<Domain> {
    let bounds = domains.iter().map(|domain| match domain {
        Domain::Bool => Some((0, 2)),
        Domain::Range { low, high } => Some((*low, *high)),
        _ => None,
    });
    let bounds: Vec<(i64, i64)> = bounds.collect::<Option<_>>()?;
    let low = bounds.iter().map(|bounds| bounds.0).min()?;
    let high = bounds.iter().map(|bounds| bounds.1).max()?;
    let n_alike = bounds.iter().filter(|(a, b)| 2 * (b - a) >= high - low);
    let are_alike = 4 * n_alike.count() >= 3 * bounds.len() && high - low > 2;
    let differ = domains.windows(2).any(|pair| pair[0] != pair[1]);
    let fits = high.abs_diff(low) <= limits.max_range;
    (differ && are_alike && fits).then_some(Domain::Range { low, high })
}
