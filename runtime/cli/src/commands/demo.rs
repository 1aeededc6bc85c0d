//! `pelton demo`: the main job on an embedded example.

use super::{check, eval};
use crate::arguments::{Demo, Messages, Running};
use crate::exit::Exit;
use crate::{Failure, report, write};
use pelton_compiler::circuit::Property;
use pelton_compiler::emit::{SvgOptions, svg};
use pelton_compiler::load::{FileLoader, Input};
use pelton_compiler::{Analysis, Options, analyze};
use pelton_runtime::data::{ReadOptions, Source, read};
use std::io::Write;
use std::path::Path;

/// The circuit, as it stands among the examples.
const WEATHER: &str = include_str!("../../../../examples/weather.pcirc");

/// Days to evaluate, some of them not fully observed.
const DAYS: &str = include_str!("../../../../examples/weather.csv");

/// Checks the example, answers its queries, draws it, evaluates data, and shows
/// what Pelton says when one interval is moved so that two branches overlap.
pub fn run(options: &Demo, messages: &Messages) -> Result<Exit, Failure> {
    let folder = &options.output;
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::Usage(format!(
            "the folder `{}` cannot be made: {error}",
            folder.display()
        ))
    })?;
    let mut out = std::io::stdout().lock();

    let source = folder.join("weather.pcirc");
    write::atomically(&source, |file| file.write_all(WEATHER.as_bytes()))?;
    let analysis = analysis(WEATHER, &source);
    check::tell(&analysis, &source, &mut out)?;

    let drawing = folder.join("weather.svg");
    if let Some(circuit) = &analysis.circuit {
        let text = svg(circuit, &SvgOptions::default());
        write::atomically(&drawing, |file| file.write_all(text.as_bytes()))?;
        writeln!(out, "\nThe circuit is drawn in {}.", drawing.display())?;
    }

    let days = folder.join("weather.csv");
    write::atomically(&days, |file| file.write_all(DAYS.as_bytes()))?;
    writeln!(
        out,
        "\nHow well it describes the days in {}:\n",
        days.display()
    )?;
    let exit = super::exit_for(&analysis.found);
    if let Some(checked) = analysis.into_checked() {
        let data = read(
            Source::open(&days)?,
            checked.circuit(),
            &ReadOptions::default(),
        )?;
        let running = Running::default();
        eval::evaluate(checked, &data.table, &running, messages)?.tell(&running, &mut out)?;
    }

    let broken = WEATHER.replacen("in [15, inf)", "in [12, inf)", 1);
    let broken_path = folder.join("overlapping.pcirc");
    write::atomically(&broken_path, |file| file.write_all(broken.as_bytes()))?;
    writeln!(
        out,
        "\nWith one interval moved, so that two branches overlap:\n"
    )?;
    out.flush()?;
    let broken = self::analysis(&broken, &broken_path);
    report::diagnostics(&broken.found, &broken.program.sources, messages, &mut out)?;
    let (program, source, days) = (program(), source.display(), days.display());
    writeln!(
        out,
        "Next: edit {source} and run `{program} check {source}`,\n\
         or `{program} eval {source} --data {days} --per-row`."
    )?;
    Ok(exit)
}

/// The program as it was called, so that the command shown works before it is installed.
fn program() -> String {
    let called = std::env::args_os().next();
    called.map_or("pelton".into(), |name| name.to_string_lossy().into_owned())
}

fn analysis(text: &str, path: &Path) -> Analysis {
    let input = Input {
        name: path.display().to_string(),
        path: Some(path.to_path_buf()),
        bytes: text.as_bytes().to_vec(),
    };
    let options = Options {
        decide: Property::ALL.to_vec(),
        ..Options::default()
    };
    analyze(input, &FileLoader, &options)
}
