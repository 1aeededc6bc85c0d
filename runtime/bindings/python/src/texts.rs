//! Columns of texts, of which many are alike.

use pelton::CellValue;
use std::collections::HashMap;

/// The number of a cell that is missing.
const MISSING: u32 = u32::MAX;

/// A column of texts: different ones are kept once.
#[derive(Default)]
pub struct PythonTexts {
    words: Vec<String>,
    by_word: HashMap<String, u32>,
    codes: Vec<u32>,
    /// The numbers of the texts that the column is declared with.
    declared: Vec<u32>,
}

impl PythonTexts {
    pub fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(MISSING, |text| self.code(text));
        self.codes.push(code);
    }

    pub fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.by_word.get(text) {
            return code;
        }
        let code = self.words.len() as u32;
        self.words.push(text.to_string());
        self.by_word.insert(text.to_string(), code);
        code
    }

    /// Says that the column is declared with a category, in the order of the calls.
    pub fn declare(&mut self, text: &str) {
        let code = self.code(text);
        // Every part of a frame declares the same, or more.
        let is_known = match self.declared.get(code as usize) {
            Some(&own) if own == code => true,
            _ => self.declared.contains(&code),
        };
        if !is_known {
            self.declared.push(code);
        }
    }

    /// The categories that the column is declared with.
    pub fn declared(&self) -> Vec<&str> {
        let codes = self.declared.iter();
        codes
            .map(|&code| self.words[code as usize].as_str())
            .collect()
    }

    /// Adds a cell that holds the text of a number that [`PythonTexts::code`] gave.
    pub fn push_code(&mut self, code: Option<u32>) {
        self.codes.push(code.unwrap_or(MISSING));
    }

    pub fn len(&self) -> usize {
        self.codes.len()
    }

    pub fn cells(&self, first: usize, n: usize) -> Vec<CellValue<'_>> {
        let codes = self.codes[first..first + n].iter();
        let cell = |&code: &u32| match self.words.get(code as usize) {
            Some(word) => CellValue::Text(word),
            None => CellValue::Missing,
        };
        codes.map(cell).collect()
    }
}
