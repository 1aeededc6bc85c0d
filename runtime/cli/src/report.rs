//! Shows diagnostics in the form asked for.

use crate::arguments::{Color, MessageArguments, MessageFormat};
use crate::flags::flags;
use pelton_grammar::diagnostic::{
    Severity, SourceDiagnostic, SourceDiagnostics, json, render, visible,
};
use pelton_grammar::source::SourceMap;
use std::io::{IsTerminal, Write};

/// Messages shown in full; a file with more errors is better read from the top again.
const SHOWN: usize = 50;

/// Prints diagnostics to `out`.
///
/// JSON has all of them; the other forms stop after some, errors first.
pub(crate) fn diagnostics(
    found: &SourceDiagnostics,
    sources: &SourceMap,
    messages: &MessageArguments,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let visible =
        |diagnostic: &&SourceDiagnostic| !messages.quiet || diagnostic.severity == Severity::Error;
    if messages.message_format == MessageFormat::Json {
        for diagnostic in found.iter().filter(visible) {
            writeln!(out, "{}", json::to_json(diagnostic, sources, flags))?;
        }
        return Ok(());
    }
    let mut list: Vec<&SourceDiagnostic> = found.iter().filter(visible).collect();
    let hidden = list.len().saturating_sub(SHOWN);
    if hidden > 0 {
        list.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
        list.truncate(SHOWN);
    }
    let color = use_color(messages.color);
    for diagnostic in list {
        match messages.message_format {
            MessageFormat::Short => writeln!(out, "{}", render::short(diagnostic, sources))?,
            _ => writeln!(
                out,
                "{}\n",
                render::human(diagnostic, sources, flags, color)
            )?,
        }
    }
    if hidden > 0 {
        writeln!(
            out,
            "… and {hidden} more; `--message-format json` lists them all"
        )?;
    }
    Ok(())
}

/// Prints a line to standard error. That it may be closed or full changes nothing.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// Makes control characters visible in what is written for people; data and JSON, which
/// programs read, go another way.
pub(crate) struct VisibleWriter<W>(pub W);

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(visible(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl MessageArguments {
    /// Prints diagnostics to standard error. That it may be closed changes nothing.
    pub fn show(&self, found: &SourceDiagnostics, sources: &SourceMap) {
        let _ = diagnostics(found, sources, self, &mut std::io::stderr().lock());
    }

    /// Prints a note about data or a run, which have no place in a circuit's text.
    pub fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            self.without_place("note", "note: ", text.as_ref());
        }
    }

    /// Prints why a command could not do what it was asked for.
    pub(crate) fn failure(&self, text: &str) {
        self.without_place("error", "pelton: ", text);
    }

    fn without_place(&self, severity: &str, prefix: &str, text: &str) {
        if self.message_format == MessageFormat::Json {
            let message = serde_json::json!({"code": null, "severity": severity, "message": text});
            // That standard error may be closed changes nothing.
            let _ = writeln!(std::io::stderr().lock(), "{message}");
        } else {
            line(&format!("{prefix}{text}"));
        }
    }

    /// Prints several notes.
    pub fn notes(&self, texts: &[String]) {
        texts.iter().for_each(|text| self.note(text));
    }
}

/// Whether standard error should be colored.
fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
