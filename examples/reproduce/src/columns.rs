//! What the columns of a data set hold, and tables of them.

use super::dataset::{Dataset, Split};
use pelton_cli::Failure;
use pelton_compiler::circuit::Circuit;
use pelton_runtime::data::{
    Header, ReadOptions, Schema, SchemaLimits, Source, Table, read, schema,
};

/// The columns of a data set, which has no header.
pub struct Columns {
    /// What they hold.
    pub schema: Schema,
    /// The circuit that tables are read with.
    circuit: Circuit,
}

impl Columns {
    /// Looks at the training and validation rows.
    pub fn of(dataset: &Dataset) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        for split in [Split::Train, Split::Valid] {
            sources.push(Source::open(&dataset.path(split))?);
        }
        let schema = schema(sources, &options(), &SchemaLimits::default())?.schema;
        Ok(Columns {
            circuit: schema.circuit(),
            schema,
        })
    }

    /// Reads one of the files.
    pub fn table(&self, dataset: &Dataset, split: Split) -> Result<Table, Failure> {
        let source = Source::open(&dataset.path(split))?;
        Ok(read(source, &self.circuit, &options())?.table)
    }
}

fn options() -> ReadOptions {
    ReadOptions {
        header: Header::No,
        ..ReadOptions::default()
    }
}
