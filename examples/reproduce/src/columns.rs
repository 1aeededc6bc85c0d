//! What the columns of a data set hold, and tables of them.

use super::dataset::{Dataset, Split};
use pelton_cli::CommandResult;
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::{
    DataSource, HeaderMode, ReadOptions, Schema, SchemaLimits, Table, read, schema,
};

/// The columns of a data set, which has no header.
pub struct Columns {
    /// What they hold.
    pub schema: Schema,
    /// The circuit that tables are read with.
    circuit: CircuitGraph,
}

impl Columns {
    /// Looks at the training and validation rows.
    pub fn of(dataset: &Dataset) -> CommandResult<Self> {
        let mut sources = Vec::new();
        for split in [Split::Train, Split::Valid] {
            sources.push(DataSource::open(&dataset.path(split))?);
        }
        let schema = schema(sources, &options(), &SchemaLimits::default())?.schema;
        Ok(Columns {
            circuit: schema.circuit(),
            schema,
        })
    }

    /// Reads one of the files.
    pub fn table(&self, dataset: &Dataset, split: Split) -> CommandResult<Table> {
        let source = DataSource::open(&dataset.path(split))?;
        Ok(read(source, &self.circuit, &options())?.table)
    }
}

fn options() -> ReadOptions {
    ReadOptions {
        header: HeaderMode::No,
        ..ReadOptions::default()
    }
}
