//! Pieces of text to lines of at most [`WIDTH`] columns.
//!
//! A group is written on one line if it fits and otherwise broken at every
//! [`Piece::Line`] directly in it, as in the printers of Oppen and Wadler.
//! Widths are computed beforehand for all groups at once, so the cost is
//! linear in the number of pieces however groups are nested.

/// The widest line, in characters, that the formatter writes where it can help it.
pub(super) const WIDTH: u64 = 100;

const INDENT: usize = 4;

/// The width of what cannot stand on one line.
const NEVER_FITS: u64 = 1 << 32;

/// One step of the output.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormatPiece<'a> {
    /// Part of a token or a block comment.
    Text(&'a str),
    /// A comment that ends its line; it may stand beyond the margin.
    LineComment(&'a str),
    /// A blank, left out at the ends of lines.
    Blank,
    /// A place where a group can be broken.
    Line(LineBreak),
    /// The end of a line.
    Newline,
    /// The end of a line inside a statement, which continues indented but for so many columns
    /// that it hangs out.
    Continue(usize),
    /// Starts a group.
    Open,
    /// Ends a group.
    Close,
    /// Lines that start from here on are indented by one more level.
    Indent,
    /// Undoes one `Indent`.
    Dedent,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LineBreak {
    /// Whether it is a blank when it is not broken.
    pub blank: bool,
    /// Columns by which the new line hangs out to the left of the indentation.
    pub hang: usize,
    /// Broken only if what follows does not fit, whatever its group does.
    pub fill: bool,
}

/// Writes `pieces` to `out`, whose last line already has `column` characters.
pub(super) fn layout(pieces: &[FormatPiece<'_>], column: usize, out: &mut String) {
    let extents = extents(pieces);
    let mut state = FormatterState {
        out,
        column: column as u64,
        indent: 0,
        owed: PendingWhitespace::Nothing,
        broken: Vec::new(),
    };
    for (&piece, &extent) in pieces.iter().zip(&extents) {
        state.piece(piece, extent);
    }
}

/// For each `OpenBracket` the width of its group on one line with what sticks to its end, and for each
/// `Line` the width up to the next one.
fn extents(pieces: &[FormatPiece<'_>]) -> Vec<u64> {
    let mut extents = vec![0; pieces.len()];
    // Read from the back: widths from each piece to the end of the text.
    let mut to_end = 0;
    let mut next_line_to_end = 0;
    let mut closes = Vec::new();
    for (piece, extent) in pieces.iter().zip(&mut extents).rev() {
        to_end += flat_width(piece);
        match piece {
            FormatPiece::Close => closes.push(next_line_to_end),
            FormatPiece::Open => *extent = to_end - closes.pop().unwrap_or(0),
            FormatPiece::Line(_) | FormatPiece::Newline | FormatPiece::Continue(_) => {
                *extent = to_end - next_line_to_end;
                next_line_to_end = to_end;
            }
            _ => {}
        }
    }
    extents
}

fn flat_width(piece: &FormatPiece<'_>) -> u64 {
    match piece {
        FormatPiece::Text(text) if text.contains('\n') => NEVER_FITS,
        FormatPiece::Text(text) => width(text),
        FormatPiece::Blank => 1,
        FormatPiece::Line(line) => u64::from(line.blank),
        FormatPiece::Newline | FormatPiece::Continue(_) => NEVER_FITS,
        _ => 0,
    }
}

fn width(text: &str) -> u64 {
    if text.is_ascii() {
        text.len() as u64
    } else {
        text.chars().count() as u64
    }
}

/// What is due before the next text.
enum PendingWhitespace {
    Nothing,
    Blank,
    /// A new line with this many blanks.
    Line(usize),
}

struct FormatterState<'o> {
    out: &'o mut String,
    column: u64,
    indent: usize,
    owed: PendingWhitespace,
    /// For each open group whether it is broken.
    broken: Vec<bool>,
}

impl FormatterState<'_> {
    fn piece(&mut self, piece: FormatPiece<'_>, extent: u64) {
        match piece {
            FormatPiece::Text(text) | FormatPiece::LineComment(text) => self.text(text),
            FormatPiece::Blank => self.owe_blank(),
            FormatPiece::Line(line) => self.line(line, extent),
            FormatPiece::Newline => self.owed = PendingWhitespace::Line(self.indent),
            FormatPiece::Continue(hang) => {
                self.owed = PendingWhitespace::Line(self.indent.max(INDENT) - hang)
            }
            // Decided when a group begins, for all of its lines: it is on one line or broken at each.
            FormatPiece::Open => {
                let fits = self.next_column() + extent <= WIDTH;
                self.broken.push(!fits);
            }
            FormatPiece::Close => _ = self.broken.pop(),
            FormatPiece::Indent => self.indent += INDENT,
            FormatPiece::Dedent => self.indent -= INDENT,
        }
    }

    fn line(&mut self, line: LineBreak, extent: u64) {
        // Outside of all groups lines are broken wherever they can be.
        let group_broken = self.broken.last().copied().unwrap_or(true);
        let at_line_start = matches!(self.owed, PendingWhitespace::Line(_));
        // A filled line is broken only where the next part would not fit.
        let fits = line.fill && !at_line_start && self.column + extent <= WIDTH;
        if group_broken && !fits {
            self.owed = PendingWhitespace::Line(self.indent.saturating_sub(line.hang));
        } else if line.blank {
            self.owe_blank();
        }
    }

    fn owe_blank(&mut self) {
        if matches!(self.owed, PendingWhitespace::Nothing) && self.column > 0 {
            self.owed = PendingWhitespace::Blank;
        }
    }

    /// The column at which the next text will start.
    fn next_column(&self) -> u64 {
        match self.owed {
            PendingWhitespace::Nothing => self.column,
            PendingWhitespace::Blank => self.column + 1,
            PendingWhitespace::Line(indent) => indent as u64,
        }
    }

    fn text(&mut self, text: &str) {
        self.column = self.next_column();
        match self.owed {
            PendingWhitespace::Nothing => {}
            PendingWhitespace::Blank => self.out.push(' '),
            PendingWhitespace::Line(indent) => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
        }
        self.owed = PendingWhitespace::Nothing;
        self.out.push_str(text);
        match text.rfind('\n') {
            None => self.column += width(text),
            Some(at) => self.column = width(&text[at + 1..]),
        }
    }
}
