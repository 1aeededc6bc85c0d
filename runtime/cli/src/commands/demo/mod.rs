//! `pelton demo`: the main job on an embedded example.

mod run;

use super::check;
use crate::arguments::{DemoCommand, MessageArguments};
use crate::{CommandFailure, CommandResult, Exit, report, write};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Property;
use pelton_compiler::emit::{SvgOptions, svg};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::{Analysis, AnalysisOptions, analyze};
use pelton_runtime::answer;
use pelton_runtime::data::{DataSource, ReadOptions, Table, read};
use pelton_runtime::learn::{LearnOptions, Method};
use pelton_runtime::store::{self, ModelDocument};
use pelton_runtime::{Model, ModelOptions};
use run::{DemoRun, DemoSplits};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The circuit, as it stands among the examples.
const PACKING: &str = include_str!("../../../../../examples/packing/packing.pcirc");

/// Trips to learn from, to choose by, and to look at in the end.
const DATA: [(&str, &str); 3] = [
    (
        "train.csv",
        include_str!("../../../../../examples/packing/train.csv"),
    ),
    (
        "valid.csv",
        include_str!("../../../../../examples/packing/valid.csv"),
    ),
    (
        "test.csv",
        include_str!("../../../../../examples/packing/test.csv"),
    ),
];

/// A circuit for the message at the end.
const WEATHER: &str = include_str!("../../../../../examples/weather.pcirc");

/// Epochs of each run.
const N_EPOCHS: usize = 40;

/// Checks the example, trains it with and without regularization, draws what
/// happened, answers its queries, and shows what Pelton says of a circuit that is
/// wrong.
pub fn run(options: &DemoCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let folder = &*options.output;
    write::make_folder(folder)?;
    let mut out = std::io::stdout().lock();
    let source = leave(folder, "packing.pcirc", PACKING)?;
    for (name, text) in DATA {
        leave(folder, name, text)?;
    }
    let analysis = analysis(PACKING, &source);
    check::tell(&analysis, &source, &mut out)?;
    let document = ModelDocument::of(&analysis.program, &AnalysisOptions::default());
    let exit = super::exit_for(&analysis.found);
    if let Some(checked) = analysis.into_checked() {
        train(checked, document, folder, &mut out)?;
    }
    out.flush()?;
    show_message(folder, messages, &mut out)?;
    let program = program();
    let shown = folder.display();
    writeln!(
        out,
        "Next: edit {shown}/packing.pcirc and run\n  \
         {program} fit {shown}/packing.pcirc --train {shown}/train.csv --valid {shown}/valid.csv \
         -o {shown}/own.pelton\n  \
         {program} eval {shown}/own.pelton --data {shown}/test.csv"
    )?;
    Ok(exit)
}

/// Writes a file that the demo leaves behind.
fn leave(folder: &Path, name: &str, text: &str) -> CommandResult<PathBuf> {
    let path = folder.join(name);
    write::atomically(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

/// Learns with and without regularization and tells what that changed.
fn train(
    checked: Checked,
    document: ModelDocument,
    folder: &Path,
    out: &mut dyn Write,
) -> CommandResult<()> {
    let circuit = checked.circuit().clone();
    let drawing = leave(
        folder,
        "packing.svg",
        &svg(&circuit, &SvgOptions::default()),
    )?;
    let model = Model::compile(checked, &ModelOptions::default())?;
    let table = |file: &str| -> CommandResult<Table> {
        let source = DataSource::open(&folder.join(file))?;
        Ok(read(source, &circuit, &ReadOptions::default())?.table)
    };
    let splits = [table("train.csv")?, table("valid.csv")?, table("test.csv")?];
    let plain = DemoRun::run("plain", &model, &splits, &plain_options())?;
    let options = regularized_options();
    let regularized = DemoRun::run("regularized", &model, &splits, &options)?;
    let chart = run::chart(&[&plain, &regularized]);
    let curves = leave(folder, "learning.svg", &chart.to_svg())?;
    tell_runs(&splits, &plain, &regularized, &options, out)?;

    let saved = folder.join("packing.pelton");
    store::save(&saved, &document, &circuit, &regularized.learned.values)
        .map_err(|error| CommandFailure::Usage(format!("`{}`: {error}", saved.display())))?;
    writeln!(out, "\nWhat the regularized circuit answers:\n")?;
    for query in circuit.queries() {
        let values = &regularized.learned.values;
        writeln!(out, "  {}", answer(&circuit, values, query))?;
    }
    writeln!(
        out,
        "\n{:<32} how both runs went, epoch by epoch\n{:<32} the circuit\n\
         {:<32} the learned model",
        curves.display(),
        drawing.display(),
        saved.display(),
    )
    .map_err(CommandFailure::from)
}

/// The most likely parameters, whatever they make of other rows.
fn plain_options() -> LearnOptions {
    LearnOptions {
        method: Some(Method::Em),
        pseudocount: 0.0,
        fullbatch_epochs: N_EPOCHS,
        // Both runs do all their epochs, so that there is something to look at.
        patience: N_EPOCHS,
        tolerance: 0.0,
        seed: 1,
        ..LearnOptions::default()
    }
}

/// A bit of everything, about as much as validation prefers.
fn regularized_options() -> LearnOptions {
    LearnOptions {
        pseudocount: 4.0,
        softness: 0.1,
        entropy: 0.01,
        ..plain_options()
    }
}

fn tell_runs(
    splits: &DemoSplits,
    plain: &DemoRun,
    regularized: &DemoRun,
    options: &LearnOptions,
    out: &mut dyn Write,
) -> CommandResult<()> {
    writeln!(
        out,
        "\nMean log-likelihood of a trip after {N_EPOCHS} epochs of EM on {} rows, some cells of \
         which are missing:\n",
        splits[0].n_rows()
    )?;
    let header = ["train", "valid", "test"].map(|name| format!("{name:>10}"));
    writeln!(out, "{:<32}{}", "", header.concat())?;
    for run in [plain, regularized] {
        run.tell(out)?;
    }
    let gain = regularized.last[2] - plain.last[2];
    writeln!(
        out,
        "\nRegularization (pseudocount {}, softness {}, entropy {}) is worth {gain:.2} nats a \
         trip\non trips that neither run has seen, and {:.2} beside stopping the plain run in time.",
        options.pseudocount,
        options.softness,
        options.entropy,
        regularized.best[2] - plain.best[2],
    )?;
    Ok(())
}

/// What Pelton says when one interval is moved so that two branches overlap.
fn show_message(
    folder: &Path,
    messages: &MessageArguments,
    out: &mut dyn Write,
) -> CommandResult<()> {
    let broken = WEATHER.replacen("in [15, inf)", "in [12, inf)", 1);
    let path = leave(folder, "overlapping.pcirc", &broken)?;
    writeln!(
        out,
        "\nAnd of a circuit with two branches that overlap, it says:\n"
    )?;
    let broken = analysis(&broken, &path);
    report::diagnostics(&broken.found, &broken.program.sources, messages, out)?;
    Ok(())
}

/// The program as it was called, so that the command shown works before it is installed.
fn program() -> String {
    let called = std::env::args_os().next();
    called.map_or("pelton".into(), |name| name.to_string_lossy().into_owned())
}

fn analysis(text: &str, path: &Path) -> Analysis {
    let input = SourceInput {
        name: path.display().to_string(),
        path: Some(path.to_path_buf()),
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        ..AnalysisOptions::default()
    };
    analyze(input, &FileLoader, &options)
}
