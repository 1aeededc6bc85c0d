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
pub fn diagnostics(
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

/// Prints diagnostics to standard error. That it may be closed changes nothing.
pub fn to_stderr(found: &SourceDiagnostics, sources: &SourceMap, messages: &MessageArguments) {
    let _ = diagnostics(found, sources, messages, &mut std::io::stderr().lock());
}

/// Prints a line to standard error. That it may be closed or full changes nothing.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// Makes control characters visible in what is written for people; data and JSON, which
/// programs read, go another way.
pub struct VisibleWriter<W>(pub W);

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

/// Prints a note about data or a run, which have no place in a circuit's text.
pub fn note(text: &str, messages: &MessageArguments) {
    if messages.quiet {
        return;
    }
    let mut out = std::io::stderr().lock();
    // That standard error may be closed changes nothing.
    let _ = match messages.message_format {
        MessageFormat::Json => {
            let note = serde_json::json!({"code": null, "severity": "note", "message": text});
            writeln!(out, "{note}")
        }
        _ => writeln!(out, "note: {}", visible(text)),
    };
}

/// Prints several notes.
pub fn notes(texts: &[String], messages: &MessageArguments) {
    texts.iter().for_each(|text| note(text, messages));
}

/// Whether standard error should be colored.
fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
