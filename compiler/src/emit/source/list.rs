//! Values of parameters as nested lists.

use super::super::token::{EntryText, ValueText};
use super::SourceRewrite;
use crate::circuit::{ParamId, ParamKind, ParameterEntry};
use pelton_grammar::diagnostic::listed;

/// Lines are broken where they would be longer.
const LINE_WIDTH: usize = 100;
/// What a line in a list is moved to the right by.
const INDENT: usize = 4;

/// The values of an array as `param` takes them: a list for each of `sizes`, and
/// one more for the entries of a vector. `column` is where the text will begin.
pub(super) fn values(
    work: &SourceRewrite,
    params: &[ParamId],
    sizes: &[usize],
    column: usize,
) -> String {
    let all_learned = params
        .iter()
        .all(|&param| work.entries(param).iter().all(|entry| entry.learned));
    let cells = params
        .iter()
        .map(|&param| cell(work, param, all_learned))
        .collect();
    let list = sizes
        .iter()
        .rev()
        .fold(cells, |cells: Vec<NumberList>, &size| {
            let mut rows = Vec::with_capacity(cells.len() / size.max(1));
            let mut cells = cells.into_iter().peekable();
            while cells.peek().is_some() {
                rows.push(NumberList::many(cells.by_ref().take(size).collect()));
            }
            rows
        });
    let mut text = String::from(if all_learned { "?" } else { "" });
    for list in &list {
        // A semicolon or a bracket follows.
        list.write(0, column + 1, 1, &mut text);
    }
    text
}

/// The numbers of one parameter one behind the other, without a list around them.
pub(super) fn spread(work: &SourceRewrite, param: ParamId) -> String {
    listed(written(work, param).iter().copied().map(EntryText))
}

/// The number that is written for an entry.
pub(super) fn entry(entry: ParameterEntry) -> String {
    EntryText(entry).to_string()
}

fn cell(work: &SourceRewrite, param: ParamId, all_learned: bool) -> NumberList {
    let text = |entry: &ParameterEntry| match (all_learned, entry.value) {
        (true, Some(value)) => NumberList::one(ValueText(value).to_string()),
        _ => NumberList::one(EntryText(*entry).to_string()),
    };
    let entries = written(work, param);
    match (work.circuit.parameter(param).kind, entries) {
        (ParamKind::Simplex | ParamKind::Weights, _) => {
            NumberList::many(entries.iter().map(text).collect())
        }
        (_, entries) => text(&entries[0]),
    }
}

/// The entries that are written: a `unit` parameter is its second one.
fn written<'a>(work: &SourceRewrite<'a>, param: ParamId) -> &'a [ParameterEntry] {
    match work.circuit.parameter(param).kind {
        ParamKind::Unit => &work.entries(param)[1..],
        _ => work.entries(param),
    }
}

/// A number or a list, with its width on one line.
struct NumberList {
    content: NumberListContent,
    width: usize,
}

enum NumberListContent {
    One(String),
    Many(Vec<NumberList>),
}

impl NumberList {
    fn one(text: String) -> NumberList {
        NumberList {
            width: text.len(),
            content: NumberListContent::One(text),
        }
    }

    fn many(list: Vec<NumberList>) -> NumberList {
        let width: usize = list.iter().map(|item| item.width + ", ".len()).sum();
        NumberList {
            width: width.max(2),
            content: NumberListContent::Many(list),
        }
    }

    /// Writes it from `column` on, with further lines moved to the right of `indent`.
    /// So many characters stick to its end. Lines end where the formatter ends them.
    fn write(&self, indent: usize, column: usize, n_behind: usize, out: &mut String) {
        let list = match &self.content {
            NumberListContent::One(text) => return out.push_str(text),
            NumberListContent::Many(list) => list,
        };
        let is_flat = column + self.width + n_behind <= LINE_WIDTH;
        let has_lists = list
            .iter()
            .any(|item| matches!(item.content, NumberListContent::Many(_)));
        let inner = indent + INDENT;
        let mut column = column + 1;
        out.push('[');
        for (at, item) in list.iter().enumerate() {
            let n_behind = usize::from(at + 1 < list.len());
            let is_full = column + item.width + n_behind > LINE_WIDTH;
            let breaks = !is_flat && (at == 0 || has_lists || is_full);
            if at > 0 {
                out.push_str(if breaks { "," } else { ", " });
            }
            if breaks {
                new_line(inner, out);
                column = inner;
            }
            item.write(inner, column, n_behind, out);
            column += item.width + ", ".len();
        }
        if !is_flat {
            new_line(indent, out);
        }
        out.push(']');
    }
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}
