//! The header of an array of NumPy, which is a dictionary of Python.
//!
//! A reader of our own: it has to understand three keys only, must not recurse into
//! whatever else is written there, and says what is wrong in our words.

use super::element::{ElementError, NpyElement};

#[derive(Debug, PartialEq)]
pub(super) struct NpyHeader {
    pub element: NpyElement,
    /// Whether columns lie one after the other instead of rows.
    pub is_fortran: bool,
    pub shape: Vec<u64>,
}

#[derive(Debug, PartialEq)]
pub(super) enum HeaderError {
    /// It is not what NumPy writes.
    Damaged,
    /// Its cells are no numbers.
    Element(ElementError),
}

impl NpyHeader {
    /// Reads the dictionary `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
    pub fn parse(text: &[u8]) -> Result<Self, HeaderError> {
        let mut rest = NpyHeaderParser(text);
        let (mut element, mut is_fortran, mut shape) = (None, None, None);
        rest.eat(b'{').ok_or(HeaderError::Damaged)?;
        while rest.eat(b'}').is_none() {
            let entry = rest.key().ok_or(HeaderError::Damaged)?;
            match entry {
                b"descr" => element = Some(rest.element()?),
                b"fortran_order" => is_fortran = rest.truth(),
                b"shape" => shape = rest.tuple(),
                _ => return Err(HeaderError::Damaged),
            }
            if rest.eat(b',').is_none() && rest.peek() != Some(b'}') {
                return Err(HeaderError::Damaged);
            }
        }
        match (element, is_fortran, shape, rest.peek()) {
            (Some(element), Some(is_fortran), Some(shape), None) => Ok(NpyHeader {
                element,
                is_fortran,
                shape,
            }),
            _ => Err(HeaderError::Damaged),
        }
    }
}

/// What of a header has not been read.
struct NpyHeaderParser<'a>(&'a [u8]);

impl<'a> NpyHeaderParser<'a> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        self.0 = self.0.trim_ascii_start();
        self.0.first().copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.0 = &self.0[1..])
    }

    /// A string in quotes of either kind; none that needs escapes means anything here.
    fn string(&mut self) -> Option<&'a [u8]> {
        let quote = self.peek().filter(|byte| matches!(byte, b'\'' | b'"'))?;
        let length = self.0[1..].iter().position(|&byte| byte == quote)?;
        let (string, rest) = (&self.0[1..=length], &self.0[length + 2..]);
        self.0 = rest;
        Some(string)
    }

    fn key(&mut self) -> Option<&'a [u8]> {
        let key = self.string()?;
        self.eat(b':')?;
        Some(key)
    }

    fn element(&mut self) -> Result<NpyElement, HeaderError> {
        match self.peek() {
            Some(b'[') => Err(HeaderError::Element(ElementError::Records)),
            _ => {
                let name = self.string().ok_or(HeaderError::Damaged)?;
                NpyElement::parse(name).map_err(HeaderError::Element)
            }
        }
    }

    /// The letters and digits that come next.
    fn word(&mut self) -> &'a [u8] {
        self.peek();
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric();
        let length = self.0.iter().position(is_end).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(length);
        self.0 = rest;
        word
    }

    fn truth(&mut self) -> Option<bool> {
        match self.word() {
            b"True" => Some(true),
            b"False" => Some(false),
            _ => None,
        }
    }

    fn tuple(&mut self) -> Option<Vec<u64>> {
        let mut numbers = Vec::new();
        self.eat(b'(')?;
        while self.eat(b')').is_none() {
            let word = self.word();
            // Python 2 wrote long integers with an `L`.
            let word = word.strip_suffix(b"L").unwrap_or(word);
            numbers.push(std::str::from_utf8(word).ok()?.parse().ok()?);
            if self.eat(b',').is_none() && self.peek()? != b')' {
                return None;
            }
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(tuple: &str) -> Result<Vec<u64>, HeaderError> {
        let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple}, }}  \n");
        NpyHeader::parse(text.as_bytes()).map(|header| header.shape)
    }

    #[test]
    fn headers_are_read_as_numpy_and_others_write_them() {
        assert_eq!(shape("(3, 4)"), Ok(vec![3, 4]));
        assert_eq!(shape("(3,)"), Ok(vec![3]));
        assert_eq!(shape("()"), Ok(vec![]));
        assert_eq!(shape("(3L, 4L)"), Ok(vec![3, 4]));
        let other = b"{\"shape\":(1,2),\"fortran_order\":True,\"descr\":\"|b1\"}";
        let header = NpyHeader::parse(other).unwrap();
        assert!(header.is_fortran && header.shape == [1, 2]);
    }

    #[test]
    fn what_is_no_header_is_told() {
        for tuple in [
            "(3 4)",
            "3",
            "(-1, 2)",
            "(3, 4",
            "(1e3,)",
            "(99999999999999999999,)",
            "(,)",
        ] {
            assert_eq!(shape(tuple), Err(HeaderError::Damaged), "{tuple}");
        }
        for text in [
            "",
            "{",
            "{}",
            "{'descr'",
            "{'descr': '<f8'}",
            "{'a': 1}",
            "(((((((((",
        ] {
            assert_eq!(
                NpyHeader::parse(text.as_bytes()),
                Err(HeaderError::Damaged),
                "{text}"
            );
        }
        let records = b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}";
        let error = HeaderError::Element(ElementError::Records);
        assert_eq!(NpyHeader::parse(records), Err(error));
    }
}
