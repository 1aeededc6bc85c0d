//! What commands read beside circuits.

use crate::arguments::MessageArguments;
use crate::{CommandFailure, CommandResult, write};
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::{DataSet, DataSource, ReadOptions, read};
use std::path::Path;

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses more than one path that stands for standard input, which can be read once;
/// `which` of the inputs can be read from it.
pub fn check_stdin<'p>(
    paths: impl IntoIterator<Item = &'p Path>,
    which: &str,
) -> CommandResult<()> {
    if paths.into_iter().filter(|path| is_standard(path)).count() > 1 {
        let message = format!("only one of {which} can be read from standard input");
        return Err(CommandFailure::Usage(message));
    }
    Ok(())
}

/// Reads rows for the variables of a circuit; notes on them are told.
pub fn read_data(
    source: DataSource,
    circuit: &CircuitGraph,
    options: &ReadOptions,
    messages: &MessageArguments,
) -> CommandResult<DataSet> {
    let data = read(source, circuit, options)?;
    messages.notes(&data.notes);
    Ok(data)
}

/// The same from a file that no result may replace.
pub fn read_file(
    path: &Path,
    circuit: &CircuitGraph,
    options: &ReadOptions,
    messages: &MessageArguments,
) -> CommandResult<DataSet> {
    write::note_read(path, write::DATA);
    read_data(DataSource::open(path)?, circuit, options, messages)
}
