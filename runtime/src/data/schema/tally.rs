//! The distinct values of a column.

use super::SchemaLimits;
use crate::data::cell::{InvalidCell, finite, integer, is_missing, truth, utf8};
use crate::data::error::shown;
use crate::data::number::FileNumber;
use pelton_grammar::diagnostic::counted;
use std::collections::HashSet;

/// The longest name of a category, in bytes. Whole articles are no categories, and a
/// thousand of them in each column would fill the memory.
const LONGEST_CATEGORY: usize = 1_000;

/// The distinct values of a column, as far as they matter.
#[derive(Debug, Default)]
pub(super) struct ValueTally {
    /// The integers from 0 to 255, written without a sign or needless zeros, a bit for
    /// each that occurs: most cells of most data are such.
    small: [u64; 4],
    texts: HashSet<String>,
    /// The bits of numbers that are known to be among the texts.
    numbers: HashSet<u64>,
    /// Whether there were more texts than are kept. All cells are numbers then, and
    /// there is no need to know which.
    is_many: bool,
    /// Whether some cells were texts by their type: all values are texts then, be they
    /// called like numbers or not.
    is_typed: bool,
    declared: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnValueKind {
    Nothing,
    /// Truth values; 0 and 1 are such.
    Truth,
    Integers,
    Numbers,
    Texts,
}

impl ValueTally {
    /// Counts in a cell of a text.
    #[inline]
    pub fn text(&mut self, cell: &[u8], limits: &SchemaLimits) -> Result<(), InvalidCell> {
        let Some(value) = small(cell) else {
            return self.other(cell, limits);
        };
        self.small(value);
        Ok(())
    }

    /// Counts in a text of a source whose cells have types, where it is that text.
    pub fn verbatim(&mut self, cell: &[u8], limits: &SchemaLimits) -> Result<(), InvalidCell> {
        let text = utf8(cell)?;
        self.is_typed = true;
        self.keep(text, limits)
    }

    /// Counts in the categories that the column is declared with.
    pub fn declare<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let known: HashSet<String> = self.declared.iter().cloned().collect();
        let new = names.into_iter().filter(|name| !known.contains(*name));
        self.declared.extend(new.map(str::to_string));
    }

    /// Whether all values are texts by their type.
    pub fn has_texts(&self) -> bool {
        self.is_typed || !self.declared.is_empty()
    }

    /// Counts in an integer that was written plainly.
    #[inline]
    pub fn small(&mut self, value: u8) {
        self.small[usize::from(value / 64)] |= 1 << (value % 64);
    }

    /// Counts in digits, given as the bits of those that occur.
    pub fn digits(&mut self, bits: u64) {
        self.small[0] |= bits;
    }

    /// Counts in a cell of a file that holds numbers.
    pub fn number(&mut self, number: FileNumber, limits: &SchemaLimits) -> Result<(), InvalidCell> {
        // A truth value is another text than the number that it is worth.
        if !matches!(number, FileNumber::Bool(_)) {
            let value = number.value();
            if f64::from(value as u8) == value {
                self.small(value as u8);
                return Ok(());
            }
            let is_of_many = self.is_many && value.is_finite();
            if is_of_many || !self.numbers.insert(value.to_bits()) {
                return Ok(());
            }
        }
        self.other(number.to_string().as_bytes(), limits)
    }

    fn other(&mut self, cell: &[u8], limits: &SchemaLimits) -> Result<(), InvalidCell> {
        let text = utf8(cell)?;
        if !is_missing(text) {
            self.keep(text, limits)?;
        }
        Ok(())
    }

    fn keep(&mut self, text: &str, limits: &SchemaLimits) -> Result<(), InvalidCell> {
        if self.is_many {
            return finite(text).map(drop).ok_or_else(|| no_number(text));
        }
        if self.texts.contains(text) {
            return Ok(());
        }
        if text.len() > LONGEST_CATEGORY {
            return Err(InvalidCell {
                message: format!(
                    "{} is longer than {LONGEST_CATEGORY} bytes, which is too long for a category",
                    shown(text)
                ),
                help: LEAVE_OUT.to_string(),
            });
        }
        self.texts.insert(text.to_string());
        if self.texts.len() > limits.max_categories {
            self.stop_keeping(limits)?;
        }
        Ok(())
    }

    /// Keeps no more texts, for which all of them have to be numbers.
    fn stop_keeping(&mut self, limits: &SchemaLimits) -> Result<(), InvalidCell> {
        let is_word = |text: &&String| self.has_texts() || finite(text).is_none();
        let others = || self.texts.iter().filter(is_word);
        let n_others = others().count();
        match others().min() {
            None => {
                *self = ValueTally {
                    small: self.small,
                    is_many: true,
                    ..ValueTally::default()
                };
                Ok(())
            }
            Some(text) if n_others < self.texts.len() / 2 => Err(no_number(text)),
            Some(_) => Err(too_many(limits)),
        }
    }

    /// Counts in what was seen elsewhere.
    pub fn join(&mut self, other: ValueTally, limits: &SchemaLimits) -> Result<(), InvalidCell> {
        for (bits, others) in self.small.iter_mut().zip(other.small) {
            *bits |= others;
        }
        let mut texts: Vec<String> = other.texts.into_iter().collect();
        // So that the message, if there is one, is always the same.
        texts.sort_unstable();
        self.is_typed |= other.is_typed;
        self.declare(other.declared.iter().map(String::as_str));
        for text in texts {
            self.keep(&text, limits)?;
        }
        if other.is_many && !self.is_many {
            self.stop_keeping(limits)?;
        }
        Ok(())
    }

    pub fn kind(&self) -> ColumnValueKind {
        let [low, rest @ ..] = self.small;
        let all = |is: fn(&str) -> bool| self.texts.iter().all(|text| is(text));
        match () {
            () if self.has_texts() => ColumnValueKind::Texts,
            () if self.is_many => ColumnValueKind::Numbers,
            () if self.texts.is_empty() && self.small == [0; 4] => ColumnValueKind::Nothing,
            () if low <= 0b11 && rest == [0; 3] && all(|text| truth(text).is_some()) => {
                ColumnValueKind::Truth
            }
            () if all(|text| integer(text).is_some()) => ColumnValueKind::Integers,
            () if all(|text| finite(text).is_some()) => ColumnValueKind::Numbers,
            () => ColumnValueKind::Texts,
        }
    }

    /// The smallest and the largest integer, if all values are integers and there are any.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let texts = self.texts.iter().filter_map(|text| integer(text));
        let all = self.smalls().map(i64::from).chain(texts.map(|x| x as i64));
        let (low, high) = (all.clone().min()?, all.max()?);
        Some((low, high))
    }

    /// The values as texts, without those that stopped being kept: declared ones in their
    /// order, then others sorted.
    pub fn texts(&self) -> Vec<String> {
        let declared: HashSet<&String> = self.declared.iter().collect();
        let small = self.smalls().map(|value| value.to_string());
        let all = small.chain(self.texts.iter().cloned());
        let mut others: Vec<String> = all.filter(|text| !declared.contains(text)).collect();
        others.sort_unstable();
        others.dedup();
        self.declared.iter().cloned().chain(others).collect()
    }

    /// Whether a text occurs in a column of texts.
    pub fn contains(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    fn smalls(&self) -> impl Iterator<Item = u8> + Clone {
        let words = self.small;
        (0..=u8::MAX).filter(move |value| words[usize::from(value / 64)] >> (value % 64) & 1 == 1)
    }
}

/// The integer that a cell is, if it is written as plainly as can be.
#[inline]
fn small(cell: &[u8]) -> Option<u8> {
    let digit = |byte: u8| Some(byte.wrapping_sub(b'0')).filter(|&digit| digit < 10);
    match *cell {
        [a] => digit(a),
        [b'1'..=b'9', _] | [b'1' | b'2', _, _] => {
            let digits = cell.iter();
            let mut digits = digits.map(|&byte| digit(byte).map(u16::from));
            let value = digits.try_fold(0, |value, digit| Some(10 * value + digit?))?;
            u8::try_from(value).ok()
        }
        _ => None,
    }
}

const LEAVE_OUT: &str = "leave out columns such as names, remarks and identifiers";

fn no_number(text: &str) -> InvalidCell {
    InvalidCell {
        message: format!("{} is not a number, but most cells are", shown(text)),
        help: "write finite numbers such as 12.5 or -3e-4; a cell that is empty, `?`, `NA`, `nan` \
               is missing"
            .to_string(),
    }
}

/// What is wrong with a column of too many different texts.
pub(super) fn too_many(limits: &SchemaLimits) -> InvalidCell {
    let most = counted(limits.max_categories, "different text", "different texts");
    InvalidCell {
        message: format!("there are more than {most} in the column"),
        help: LEAVE_OUT.to_string(),
    }
}
