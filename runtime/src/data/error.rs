//! What can be wrong with data.

use pelton_grammar::remedy::{RemedyText, WordedError, no_options};

/// Why data could not be read into a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.worded(no_options))]
pub struct DataError {
    /// Whether the file or its content is at fault.
    pub kind: DataErrorKind,
    /// The file, as messages call it.
    pub file: Box<str>,
    /// The line of a text, from 1.
    pub line: Option<u64>,
    /// The row of a file that has no lines, from 1.
    pub row: Option<u64>,
    /// The column: its number from 1, and its name if there is a header.
    pub column: Option<(usize, Option<Box<str>>)>,
    /// What is wrong.
    pub message: Box<str>,
    /// What is allowed, or what to do.
    pub help: Option<Box<RemedyText>>,
}

/// What is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataErrorKind {
    /// The file cannot be read.
    Unreadable,
    /// Its content does not fit the circuit.
    Unfit,
}

impl DataError {
    /// A fault of the file itself.
    pub(super) fn unreadable(file: &str, message: impl Into<Box<str>>) -> Self {
        DataError {
            kind: DataErrorKind::Unreadable,
            file: file.into(),
            line: None,
            row: None,
            column: None,
            message: message.into(),
            help: None,
        }
    }

    pub(super) fn unfit(file: &str, message: impl Into<Box<str>>) -> Self {
        DataError {
            kind: DataErrorKind::Unfit,
            ..DataError::unreadable(file, message)
        }
    }

    pub(super) fn on_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Says in which row, by its position from 0.
    pub(super) fn in_row(mut self, at: u64) -> Self {
        self.row = Some(at.saturating_add(1));
        self
    }

    /// Says in which column, by its position from 0.
    pub(super) fn in_column(mut self, at: usize, name: Option<&str>) -> Self {
        self.column = Some((at + 1, name.map(Box::from)));
        self
    }

    /// Where it is, and what is wrong there.
    fn fault(&self) -> String {
        let mut fault = self.file.to_string();
        if let Some(line) = self.line {
            fault.push_str(&format!(":{line}"));
        }
        if let Some(row) = self.row {
            fault.push_str(&format!(": row {row}"));
        }
        match &self.column {
            Some((number, Some(name))) => fault.push_str(&format!(": column {number}, `{name}`")),
            Some((number, None)) => fault.push_str(&format!(": column {number}")),
            None => {}
        }
        format!("{fault}: {}", self.message)
    }

    /// Says what to do; an empty text says nothing.
    pub(super) fn help(mut self, help: impl Into<RemedyText>) -> Self {
        let help = Some(help.into()).filter(|help| *help != RemedyText::default());
        self.help = help.map(Box::new);
        self
    }
}

impl WordedError for DataError {
    fn remedy_text(&self) -> RemedyText {
        let fault = self.fault();
        match &self.help {
            Some(help) => RemedyText::clone(help).behind(fault, "\n  help: "),
            None => fault.into(),
        }
    }
}

/// A text of a data file in a message: quoted, without line ends, and not too long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    // Control characters are made visible; quotes are visible already.
    let visible = |c: char| match c {
        '\'' | '"' => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    let text: String = short.chars().map(visible).collect();
    format!("`{text}`")
}

/// Some of many names: "`a`, `b` and 7 more".
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST);
    let shown: Vec<String> = first.map(|name| shown(name.as_ref())).collect();
    match shown.as_slice() {
        many if names.len() > MOST => {
            format!("{} and {} more", many.join(", "), names.len() - MOST)
        }
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        few => few.join(", "),
    }
}
