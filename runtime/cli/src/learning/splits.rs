//! The data that are learned from.

use super::opener::DataOpener;
use crate::CommandResult;
use crate::arguments::{MessageArguments, SplitArguments, read_options};
use crate::inputs::read_data;
use pelton_compiler::circuit::{CircuitGraph, Domain};
use pelton_runtime::Model;
use pelton_runtime::data::{
    Column, DataError, DataSet, DataSource, ReadOptions, Table, TableReader,
};
use pelton_runtime::learn::{
    Checkpoint, LearnOptions, LearningRows, RowChunk, RowChunks, RowStream, TrainingTask,
};
use pelton_runtime::structure::WeightedSample;
use std::path::{Path, PathBuf};

pub struct SplitTables<'a> {
    train: TrainSplit<'a>,
    valid: Option<DataSet>,
    test: Option<DataSet>,
    /// Whether likelihoods are densities: reals are observed.
    pub is_density: bool,
}

enum TrainSplit<'a> {
    Memory(DataSet),
    Stream(FileStream<'a>),
}

impl<'a> SplitTables<'a> {
    /// Reads all files for the variables of `circuit`; notes on them are told.
    pub fn read(
        splits: &SplitArguments,
        circuit: &'a CircuitGraph,
        opener: &DataOpener,
        messages: &MessageArguments,
    ) -> CommandResult<Self> {
        let options = read_options(splits.header, splits.weight_column.as_deref());
        let load = |path: &Path| read_data(opener.open(path)?, circuit, &options, messages);
        let (train, is_density) = match splits.chunk_rows {
            None => {
                let data = load(&splits.train)?;
                let is_density = observes_reals(circuit, &data.table);
                (TrainSplit::Memory(data), is_density)
            }
            Some(chunk_rows) => {
                let stream = FileStream {
                    path: splits.train.clone(),
                    circuit,
                    options: options.clone(),
                    chunk_rows,
                };
                let is_density = stream.look(messages)?;
                (TrainSplit::Stream(stream), is_density)
            }
        };
        let other = |path: &Option<PathBuf>| path.as_deref().map(load).transpose();
        Ok(SplitTables {
            train,
            valid: other(&splits.valid)?,
            test: other(&splits.test)?,
            is_density,
        })
    }

    pub fn task<'t>(
        &'t self,
        model: &'t Model,
        options: &'t LearnOptions,
        resume: Option<&'t Checkpoint>,
    ) -> TrainingTask<'t> {
        TrainingTask {
            model,
            train: match &self.train {
                TrainSplit::Memory(data) => sample(data).rows(),
                TrainSplit::Stream(stream) => LearningRows::Stream(stream),
            },
            valid: self.valid_sample().map(WeightedSample::rows),
            test: self.test(),
            options,
            resume,
        }
    }

    /// The training rows, if they are in memory.
    pub fn train_sample(&self) -> Option<WeightedSample<'_>> {
        match &self.train {
            TrainSplit::Memory(data) => Some(sample(data)),
            TrainSplit::Stream(_) => None,
        }
    }

    pub fn valid_sample(&self) -> Option<WeightedSample<'_>> {
        self.valid.as_ref().map(sample)
    }

    /// The rows that are evaluated at the end.
    pub fn test(&self) -> Option<LearningRows<'_>> {
        self.test.as_ref().map(|data| sample(data).rows())
    }
}

/// Whether a table has values of reals, which have densities; everything else has
/// probabilities.
pub fn observes_reals(circuit: &CircuitGraph, table: &Table) -> bool {
    let mut columns = circuit.variables().iter().zip(table.columns());
    columns.any(|(variable, column)| variable.domain == Domain::Real && *column != Column::Missing)
}

fn sample(data: &DataSet) -> WeightedSample<'_> {
    WeightedSample {
        table: &data.table,
        weights: data.weights.as_deref(),
    }
}

/// A file that is read again in every epoch.
struct FileStream<'a> {
    path: PathBuf,
    circuit: &'a CircuitGraph,
    options: ReadOptions,
    chunk_rows: usize,
}

impl FileStream<'_> {
    fn reader(&self) -> Result<TableReader, DataError> {
        TableReader::open(DataSource::open(&self.path)?, self.circuit, &self.options)
    }

    /// Reads the first row: tells the notes, and whether reals are observed.
    fn look(&self, messages: &MessageArguments) -> CommandResult<bool> {
        let mut reader = self.reader()?;
        messages.notes(reader.notes());
        let first = reader.next_chunk(1)?;
        Ok(first.is_some_and(|chunk| observes_reals(self.circuit, &chunk.table)))
    }
}

impl RowStream for FileStream<'_> {
    fn open(&self) -> Result<Box<dyn RowChunks + '_>, DataError> {
        Ok(Box::new(FileChunks {
            reader: self.reader()?,
            chunk_rows: self.chunk_rows,
        }))
    }
}

struct FileChunks {
    reader: TableReader,
    chunk_rows: usize,
}

impl RowChunks for FileChunks {
    fn next_chunk(&mut self, max_rows: usize) -> Result<Option<RowChunk>, DataError> {
        let chunk = self.reader.next_chunk(max_rows.min(self.chunk_rows))?;
        Ok(chunk.map(|chunk| (chunk.table, chunk.weights)))
    }
}
