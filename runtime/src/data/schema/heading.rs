//! Whether the first line of a text is a header, if there is no circuit to tell.

use super::survey::{ExpectedColumns, SchemaRequest};
use super::tally::{ColumnValueKind, ValueTally};
use crate::data::cell::{finite, is_missing, truth};
use crate::data::naming::without_spaces;
use crate::data::read::HeaderMode;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstLine {
    Row,
    Header,
    /// A header, as far as one can tell.
    Perhaps,
}

/// Tells what the first line is by the lines below it.
///
/// A line with a number in it is a row. Otherwise it is a header if it holds names that
/// are asked for, or a word above numbers or truth values. Above texts only, it is taken
/// as one if it has a different text for each column and none of them occurs again.
pub(super) fn first_line(
    first: &[String],
    below: &[ValueTally],
    request: &SchemaRequest<'_>,
) -> FirstLine {
    match request.options.header {
        HeaderMode::Yes | HeaderMode::ExceptArrays => return FirstLine::Header,
        HeaderMode::No => return FirstLine::Row,
        HeaderMode::Auto => {}
    }
    if first.iter().any(|cell| finite(cell).is_some()) {
        return FirstLine::Row;
    }
    let columns = || first.iter().zip(below);
    let is_nothing = |tally: &ValueTally| tally.kind() == ColumnValueKind::Nothing;
    let is_alone = below.iter().all(is_nothing);
    match request.expected {
        _ if is_asked_for(first, request) => FirstLine::Header,
        _ if columns().any(|(cell, tally)| is_above(cell, tally)) => FirstLine::Header,
        // Nobody writes a single row of words, but a header without rows is soon written.
        ExpectedColumns::Anything if is_alone && first.iter().all(|cell| is_cell(cell)) => {
            FirstLine::Row
        }
        ExpectedColumns::Anything if is_alone => FirstLine::Header,
        ExpectedColumns::Anything if is_new(first, below) => FirstLine::Perhaps,
        _ => FirstLine::Row,
    }
}

fn is_asked_for(first: &[String], request: &SchemaRequest<'_>) -> bool {
    let weights = request.options.weight_column.iter();
    let known = match request.expected {
        ExpectedColumns::Names(names) => names,
        _ => &[],
    };
    let wanted = weights.chain(known).map(|name| without_spaces(name));
    let wanted: HashSet<String> = wanted.collect();
    let mut names = first.iter();
    names.any(|name| wanted.contains(&without_spaces(name)))
}

/// Whether a cell is a word above what are no words.
fn is_above(cell: &str, below: &ValueTally) -> bool {
    match below.kind() {
        ColumnValueKind::Truth => !is_cell(cell),
        ColumnValueKind::Integers | ColumnValueKind::Numbers => !is_missing(cell),
        ColumnValueKind::Nothing | ColumnValueKind::Texts => false,
    }
}

/// Whether a text is a cell of truth values.
fn is_cell(text: &str) -> bool {
    is_missing(text) || truth(text).is_some()
}

/// Whether there is a text for each column, and none of them twice or again below.
fn is_new(first: &[String], below: &[ValueTally]) -> bool {
    let mut seen = HashSet::new();
    first.iter().zip(below).all(|(cell, tally)| {
        !is_missing(cell) && seen.insert(without_spaces(cell)) && !tally.contains(cell)
    })
}
