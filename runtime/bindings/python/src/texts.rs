//! Columns of texts, of which many are alike.

use std::collections::HashMap;

/// The number of a cell that is missing.
const MISSING: u32 = u32::MAX;

/// A column of texts: different ones are kept once.
#[derive(Default)]
pub struct Texts {
    words: Vec<String>,
    by_word: HashMap<String, u32>,
    codes: Vec<u32>,
}

impl Texts {
    /// Adds a cell.
    pub fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(MISSING, |text| self.code(text));
        self.codes.push(code);
    }

    /// The number of a text.
    pub fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.by_word.get(text) {
            return code;
        }
        let code = self.words.len() as u32;
        self.words.push(text.to_string());
        self.by_word.insert(text.to_string(), code);
        code
    }

    /// Adds a cell that holds the text of a number that [`Texts::code`] gave.
    pub fn push_code(&mut self, code: Option<u32>) {
        self.codes.push(code.unwrap_or(MISSING));
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Cells from `first` on; those that are missing are empty.
    pub fn cells(&self, first: usize, n: usize) -> Vec<&str> {
        let codes = self.codes[first..first + n].iter();
        let word = |&code: &u32| self.words.get(code as usize).map_or("", String::as_str);
        codes.map(word).collect()
    }
}
