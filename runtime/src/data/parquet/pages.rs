//! Pages of a column, looked at before the `parquet` crate decodes them.
//!
//! The crate trusts the numbers in a page where it reserves memory, and panics where
//! a page of codes comes without the dictionary they are codes of.

use super::budget::PageBudget;
use super::delta;
use bytes::Bytes;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescPtr;
use std::sync::Arc;

/// Pages of a column without repeated values.
pub(super) struct CheckedPages {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    has_dictionary: bool,
    budget: Arc<PageBudget>,
    /// What the values of the dictionary take of it.
    taken: u64,
}

impl CheckedPages {
    /// Looks at every page of `pages`.
    pub fn new(
        pages: Box<dyn PageReader>,
        column: ColumnDescPtr,
        budget: &Arc<PageBudget>,
    ) -> Self {
        CheckedPages {
            pages,
            column,
            has_dictionary: false,
            budget: Arc::clone(budget),
            taken: 0,
        }
    }

    fn check(&mut self, page: &Page) -> Option<()> {
        match page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => {
                let size = least_size(self.column.physical_type());
                self.has_dictionary = true;
                (u64::from(*num_values) * size <= buf.len() as u64).then_some(())
            }
            _ => {
                let values = values(page, self.column.max_def_level())?;
                self.check_values(values, page.num_values(), page.encoding())
            }
        }
    }

    /// Counts what the crate makes of a page: a list with a place for each text of a
    /// dictionary or for each length, and texts that are written as what they add to
    /// those before them.
    fn count(&mut self, page: &Page) -> Result<()> {
        let n_values = u64::from(page.num_values());
        match (page, page.encoding(), self.column.physical_type()) {
            (Page::DictionaryPage { .. }, _, Type::BYTE_ARRAY) => {
                let n_bytes = n_values * size_of::<ByteArray>() as u64;
                self.budget.take(n_bytes)?;
                self.taken += n_bytes;
                Ok(())
            }
            (_, Encoding::DELTA_LENGTH_BYTE_ARRAY, _) => self.budget.check(4 * n_values),
            (_, Encoding::DELTA_BYTE_ARRAY, _) => {
                self.budget.check(8 * n_values)?;
                let wrong = || ParquetError::General("lengths of texts are wrong".to_string());
                let unpacked = values(page, self.column.max_def_level())
                    .and_then(|values| unpacked_length(values, n_values));
                self.budget.check(unpacked.ok_or_else(wrong)?)
            }
            _ => Ok(()),
        }
    }

    fn check_values(&self, values: &[u8], n_values: u32, encoding: Encoding) -> Option<()> {
        let n_most = u64::from(n_values);
        match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => {
                self.has_dictionary.then_some(())
            }
            Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::length(values, n_most).map(|_| ()),
            Encoding::DELTA_BYTE_ARRAY => {
                let prefixes = delta::length(values, n_most)?;
                delta::length(&values[prefixes..], n_most).map(|_| ())
            }
            _ => Some(()),
        }
    }
}

/// The part of a page of data that holds values.
fn values(page: &Page, max_def_level: i16) -> Option<&[u8]> {
    match page {
        Page::DictionaryPage { buf, .. } => Some(buf),
        Page::DataPage {
            buf,
            num_values,
            def_level_encoding,
            ..
        } => {
            let values = match (max_def_level, *def_level_encoding) {
                (0, _) => 0,
                (_, Encoding::RLE) => 4 + little_endian(buf)?,
                // Levels of a bit each, as the first writers had them.
                _ => (*num_values as usize).div_ceil(8),
            };
            buf.get(values..)
        }
        Page::DataPageV2 {
            buf,
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => {
            let values = def_levels_byte_len.checked_add(*rep_levels_byte_len)?;
            buf.get(values as usize..)
        }
    }
}

/// Bytes of all texts that are written as what they add to those before them.
fn unpacked_length(values: &[u8], n_values: u64) -> Option<u64> {
    let suffixes = delta::length(values, n_values)?;
    delta::sum(values)?.checked_add(delta::sum(&values[suffixes..])?)
}

/// The fewest bytes of a value in a dictionary.
fn least_size(kind: Type) -> u64 {
    match kind {
        Type::INT64 | Type::DOUBLE => 8,
        // A text has its length before it.
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::INT96 => 12,
        Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
    }
}

fn little_endian(buffer: &Bytes) -> Option<usize> {
    let bytes = buffer.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        match &page {
            Some(page) if self.check(page).is_none() => {
                let message = format!("a page says what cannot be: {:?}", page.encoding());
                Err(ParquetError::General(message))
            }
            Some(found) => self.count(found).map(|()| page),
            None => Ok(None),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Drop for CheckedPages {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
