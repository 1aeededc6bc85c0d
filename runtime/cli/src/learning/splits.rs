//! The data that are learned from.

use super::opener::Opener;
use crate::Failure;
use crate::arguments::{Messages, Splits};
use crate::inputs::read_data;
use crate::report;
use pelton_compiler::circuit::{Circuit, Domain};
use pelton_runtime::Model;
use pelton_runtime::data::{Column, Data, DataError, ReadOptions, Reader, Source, Table};
use pelton_runtime::learn::{Checkpoint, LearnOptions, RowChunk, RowChunks, RowStream, Rows, Task};
use pelton_runtime::structure::Sample;
use std::path::{Path, PathBuf};

/// The data that are learned from.
pub struct Tables<'a> {
    train: Training<'a>,
    valid: Option<Data>,
    test: Option<Data>,
    /// Whether likelihoods are densities: reals are observed.
    pub is_density: bool,
}

enum Training<'a> {
    Memory(Data),
    Stream(FileStream<'a>),
}

impl<'a> Tables<'a> {
    /// Reads all files for the variables of `circuit`; notes on them are told.
    pub fn read(
        splits: &Splits,
        circuit: &'a Circuit,
        opener: &Opener,
        messages: &Messages,
    ) -> Result<Self, Failure> {
        let options = splits.read_options();
        let load = |path: &Path| read_data(opener.open(path)?, circuit, &options, messages);
        let (train, is_density) = match splits.chunk_rows {
            None => {
                let data = load(&splits.train)?;
                let is_density = observes_reals(circuit, &data.table);
                (Training::Memory(data), is_density)
            }
            Some(chunk_rows) => {
                let stream = FileStream {
                    path: splits.train.clone(),
                    circuit,
                    options: options.clone(),
                    chunk_rows,
                };
                let is_density = stream.look(messages)?;
                (Training::Stream(stream), is_density)
            }
        };
        let other = |path: &Option<PathBuf>| path.as_deref().map(load).transpose();
        Ok(Tables {
            train,
            valid: other(&splits.valid)?,
            test: other(&splits.test)?,
            is_density,
        })
    }

    /// What is to be learned from them.
    pub fn task<'t>(
        &'t self,
        model: &'t Model,
        options: &'t LearnOptions,
        resume: Option<&'t Checkpoint>,
    ) -> Task<'t> {
        Task {
            model,
            train: self.train(),
            valid: self.valid(),
            test: self.test(),
            options,
            resume,
        }
    }

    /// The training rows, if they are in memory.
    pub fn train_sample(&self) -> Option<Sample<'_>> {
        match &self.train {
            Training::Memory(data) => Some(sample(data)),
            Training::Stream(_) => None,
        }
    }

    /// The validation rows.
    pub fn valid_sample(&self) -> Option<Sample<'_>> {
        self.valid.as_ref().map(sample)
    }

    /// The rows to learn from.
    fn train(&self) -> Rows<'_> {
        match &self.train {
            Training::Memory(data) => rows(data),
            Training::Stream(stream) => Rows::Stream(stream),
        }
    }

    /// The rows that decide.
    fn valid(&self) -> Option<Rows<'_>> {
        self.valid.as_ref().map(rows)
    }

    /// The rows that are evaluated at the end.
    pub fn test(&self) -> Option<Rows<'_>> {
        self.test.as_ref().map(rows)
    }
}

/// Whether a table has values of reals, which have densities; everything else has
/// probabilities.
pub fn observes_reals(circuit: &Circuit, table: &Table) -> bool {
    let mut columns = circuit.variables().iter().zip(table.columns());
    columns.any(|(variable, column)| variable.domain == Domain::Real && *column != Column::Missing)
}

fn sample(data: &Data) -> Sample<'_> {
    Sample {
        table: &data.table,
        weights: data.weights.as_deref(),
    }
}

fn rows(data: &Data) -> Rows<'_> {
    sample(data).rows()
}

/// A file that is read again in every epoch.
struct FileStream<'a> {
    path: PathBuf,
    circuit: &'a Circuit,
    options: ReadOptions,
    chunk_rows: usize,
}

impl FileStream<'_> {
    fn reader(&self) -> Result<Reader, DataError> {
        Reader::open(Source::open(&self.path)?, self.circuit, &self.options)
    }

    /// Reads the first row: tells the notes, and whether reals are observed.
    fn look(&self, messages: &Messages) -> Result<bool, Failure> {
        let mut reader = self.reader()?;
        report::notes(reader.notes(), messages);
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
    reader: Reader,
    chunk_rows: usize,
}

impl RowChunks for FileChunks {
    fn next_chunk(&mut self, max_rows: usize) -> Result<Option<RowChunk>, DataError> {
        let chunk = self.reader.next_chunk(max_rows.min(self.chunk_rows))?;
        Ok(chunk.map(|chunk| (chunk.table, chunk.weights)))
    }
}
