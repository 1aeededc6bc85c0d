//! Rows of a program: an array, columns, or a frame.

use crate::array::{self, NumpyCell, NumpyMatrix};
use crate::arrow;
use crate::circuit::Core;
use crate::texts::PythonTexts;
use pelton::{Batch, CellValue, Element, Series};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyString};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Rows that can be handed to any number of calls.
#[pyclass(frozen, module = "pelton._pelton")]
pub struct Rows {
    pub inner: Arc<PythonTable>,
}

/// What rows are kept as.
pub struct PythonTable {
    cells: PythonCells,
    names: Option<Vec<String>>,
}

enum PythonCells {
    Matrix {
        own: NumpyMatrix,
        mask: Option<NumpyMatrix>,
    },
    Columns {
        own: Vec<PythonColumn>,
        n_rows: usize,
    },
}

/// A column of its own kind.
pub enum PythonColumn {
    Numbers(Vec<f64>),
    Texts(PythonTexts),
    Mixed(Vec<PythonMixedCell>),
}

/// A cell of a column that holds numbers as well as texts.
pub enum PythonMixedCell {
    Missing,
    Truth(bool),
    Number(f64),
    Text(String),
}

#[pymethods]
impl Rows {
    /// Rows of a matrix, with a mask of bytes and names of columns if there are any.
    #[new]
    #[pyo3(signature = (matrix, mask=None, names=None))]
    fn new(
        matrix: &Bound<'_, PyAny>,
        mask: Option<&Bound<'_, PyAny>>,
        names: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let own = plain(matrix)?;
        let mask = mask.map(plain).transpose()?;
        if let Some(mask) = &mask {
            let is_alike = (mask.n_rows, mask.n_columns) == (own.n_rows, own.n_columns);
            let lies_plain = mask.cell == NumpyCell::U8 && mask.strides == (mask.n_columns, 1);
            if !is_alike || !lies_plain {
                return Err(PyValueError::new_err(
                    "the mask is not one byte for each cell",
                ));
            }
        }
        Ok(Rows::of(PythonCells::Matrix { own, mask }, names))
    }

    /// Rows of columns: each an array of `float64`, or a list of texts, truth values, numbers
    /// and None. `declared` has the categories of those that are declared with some.
    #[staticmethod]
    #[pyo3(signature = (names, columns, n_rows, declared=None))]
    fn columns(
        names: Option<Vec<String>>,
        columns: &Bound<'_, PyList>,
        n_rows: usize,
        declared: Option<Vec<Option<Vec<String>>>>,
    ) -> PyResult<Self> {
        let mut declared = declared.unwrap_or_default();
        declared.resize(columns.len(), None);
        let own: Vec<PythonColumn> = columns
            .iter()
            .zip(declared)
            .map(|(own, declared)| column(&own, &declared.unwrap_or_default()))
            .collect::<PyResult<_>>()?;
        if own.iter().any(|column| column.len() != n_rows) {
            return Err(PyValueError::new_err("columns have different lengths"));
        }
        Ok(Rows::of(PythonCells::Columns { own, n_rows }, names))
    }

    /// Rows of a frame, from what its `__arrow_c_stream__` gives. Of a circuit only the
    /// columns are read that are its variables; `only` names those that belong to the frame.
    #[staticmethod]
    #[pyo3(signature = (stream, core=None, only=None))]
    fn arrow(
        stream: &Bound<'_, PyAny>,
        core: Option<&Core>,
        only: Option<HashSet<String>>,
    ) -> PyResult<Self> {
        let mut stream = arrow::ArrowBatches::take(stream)?;
        let all = stream.names()?;
        let is_own = |name: &String| only.as_ref().is_none_or(|only| only.contains(name));
        let own: Vec<usize> = (0..all.len()).filter(|&at| is_own(&all[at])).collect();
        let names: Vec<&str> = own.iter().map(|&at| all[at].as_str()).collect();
        // Positions among the frame's own columns become positions in the stream.
        let wanted = match core {
            Some(core) => core.frame_columns(stream.py(), &names)?,
            None => (0..names.len()).collect(),
        };
        let wanted: Vec<usize> = wanted.into_iter().map(|at| own[at]).collect();
        let names = wanted.iter().map(|&at| all[at].clone()).collect();
        let (own, n_rows) = stream.columns(&wanted)?;
        Ok(Rows::of(PythonCells::Columns { own, n_rows }, Some(names)))
    }

    /// Rows of which nothing is known.
    #[staticmethod]
    fn nothing(n_rows: usize) -> Self {
        let own = Vec::new();
        Rows::of(PythonCells::Columns { own, n_rows }, Some(Vec::new()))
    }

    fn __len__(&self) -> usize {
        self.inner.n_rows()
    }
}

impl Rows {
    fn of(cells: PythonCells, names: Option<Vec<String>>) -> Self {
        let inner = Arc::new(PythonTable { cells, names });
        Rows { inner }
    }

    /// The rows that an argument is: an array as it comes, or rows made before.
    pub fn read(argument: &Bound<'_, PyAny>) -> PyResult<Arc<PythonTable>> {
        if array::is_array(argument)? {
            let cells = PythonCells::Matrix {
                own: plain(argument)?,
                mask: None,
            };
            return Ok(Arc::new(PythonTable { cells, names: None }));
        }
        match argument.cast::<Rows>() {
            Ok(rows) => Ok(rows.get().inner.clone()),
            Err(_) => Err(PyTypeError::new_err("rows are an array or `Rows`")),
        }
    }
}

/// The matrix of an array, copied where it cannot be read as it lies.
fn plain(array: &Bound<'_, PyAny>) -> PyResult<NumpyMatrix> {
    if let Some(own) = array::matrix(array)? {
        return Ok(own);
    }
    let module = array.py().import("pelton._rows")?;
    let copy = module.getattr("plain")?.call1((array,))?;
    array::matrix(&copy)?.ok_or_else(|| PyTypeError::new_err("the array cannot be read"))
}

fn column(own: &Bound<'_, PyAny>, declared: &[String]) -> PyResult<PythonColumn> {
    let Ok(list) = own.cast::<PyList>() else {
        return Ok(PythonColumn::Numbers(array::numbers(own)?));
    };
    let is_text = |cell: &Bound<'_, PyAny>| cell.is_none() || cell.is_instance_of::<PyString>();
    if !list.iter().all(|cell| is_text(&cell)) {
        let cells = list.iter().map(|cell| mixed(&cell));
        return Ok(PythonColumn::Mixed(cells.collect::<PyResult<_>>()?));
    }
    let mut texts = PythonTexts::default();
    for name in declared {
        texts.declare(name);
    }
    for cell in list.iter() {
        if cell.is_none() {
            texts.push(None)
        } else {
            texts.push(Some(&cell.cast::<PyString>()?.to_cow()?))
        }
    }
    Ok(PythonColumn::Texts(texts))
}

fn mixed(cell: &Bound<'_, PyAny>) -> PyResult<PythonMixedCell> {
    if cell.is_none() {
        return Ok(PythonMixedCell::Missing);
    }
    if let Ok(text) = cell.cast::<PyString>() {
        return Ok(PythonMixedCell::Text(text.to_cow()?.into_owned()));
    }
    match cell.cast::<PyBool>() {
        Ok(truth) => Ok(PythonMixedCell::Truth(truth.is_true())),
        Err(_) => Ok(PythonMixedCell::Number(cell.extract()?)),
    }
}

impl PythonMixedCell {
    fn value(&self) -> CellValue<'_> {
        match self {
            PythonMixedCell::Missing => CellValue::Missing,
            PythonMixedCell::Truth(truth) => CellValue::Truth(*truth),
            PythonMixedCell::Number(number) => CellValue::Number(*number),
            PythonMixedCell::Text(text) => CellValue::Text(text),
        }
    }
}

impl PythonColumn {
    pub fn len(&self) -> usize {
        match self {
            PythonColumn::Numbers(own) => own.len(),
            PythonColumn::Texts(own) => own.len(),
            PythonColumn::Mixed(own) => own.len(),
        }
    }
}

impl PythonTable {
    pub fn n_rows(&self) -> usize {
        match &self.cells {
            PythonCells::Matrix { own, .. } => own.n_rows,
            PythonCells::Columns { n_rows, .. } => *n_rows,
        }
    }

    /// Does something with some of the rows.
    pub fn with<R>(&self, rows: Range<usize>, run: impl FnOnce(&Batch<'_>) -> R) -> R {
        let names: Option<Vec<&str>> = self
            .names
            .as_ref()
            .map(|names| names.iter().map(String::as_str).collect());
        let named = |batch: Batch<'_>| {
            let batch = batch.first_row(rows.start);
            match &names {
                Some(names) => run(&batch.names(names)),
                None => run(&batch),
            }
        };
        match &self.cells {
            PythonCells::Matrix { own, mask } => {
                let mask = mask.as_ref().map(|own| cells::<u8>(own, &rows));
                with_matrix(own, &rows, |batch| match mask {
                    Some(mask) => named(batch.mask(mask)),
                    None => named(batch),
                })
            }
            PythonCells::Columns { own, .. } => with_columns(own, &rows, named),
        }
    }
}

fn with_columns<R>(
    own: &[PythonColumn],
    rows: &Range<usize>,
    run: impl FnOnce(Batch<'_>) -> R,
) -> R {
    // Numbers are lent as they are; texts and mixed cells are made into values for these rows.
    let values: Vec<Vec<CellValue<'_>>> = own
        .iter()
        .map(|column| match column {
            PythonColumn::Numbers(_) => Vec::new(),
            PythonColumn::Texts(own) => own.cells(rows.start, rows.len()),
            PythonColumn::Mixed(own) => own[rows.clone()]
                .iter()
                .map(PythonMixedCell::value)
                .collect(),
        })
        .collect();
    let series: Vec<Series<'_>> = own
        .iter()
        .zip(&values)
        .map(|(column, values)| match column {
            PythonColumn::Numbers(own) => Series::Numbers(&own[rows.clone()]),
            PythonColumn::Texts(_) | PythonColumn::Mixed(_) => Series::Values(values),
        })
        .collect();
    let declared: Vec<Vec<&str>> = own
        .iter()
        .map(|column| match column {
            PythonColumn::Texts(own) => own.declared(),
            PythonColumn::Numbers(_) | PythonColumn::Mixed(_) => Vec::new(),
        })
        .collect();
    let declared: Vec<&[&str]> = declared.iter().map(Vec::as_slice).collect();
    run(Batch::columns(&series, rows.len()).categories(&declared))
}

fn with_matrix<R>(own: &NumpyMatrix, rows: &Range<usize>, run: impl FnOnce(Batch<'_>) -> R) -> R {
    match own.cell {
        NumpyCell::F64 => run(batch::<f64>(own, rows)),
        NumpyCell::F32 => run(batch::<f32>(own, rows)),
        NumpyCell::I64 => run(batch::<i64>(own, rows)),
        NumpyCell::I32 => run(batch::<i32>(own, rows)),
        NumpyCell::U8 => run(batch::<u8>(own, rows)),
    }
}

fn batch<'a, T: Element + 'a>(own: &'a NumpyMatrix, rows: &Range<usize>) -> Batch<'a> {
    let (down, along) = own.strides;
    let batch = Batch::new(cells::<T>(own, rows), rows.len(), own.n_columns);
    batch.strides(down, along)
}

/// The cells from the first to the last one of some rows.
fn cells<'a, T>(own: &'a NumpyMatrix, rows: &Range<usize>) -> &'a [T] {
    if rows.is_empty() || own.n_columns == 0 {
        return &[];
    }
    let (down, along) = own.strides;
    let n = down * (rows.len() - 1) + along * (own.n_columns - 1) + 1;
    // SAFETY: the array has these rows, of cells of this type, at these distances; it is
    // kept alive. Programs that write to an array while it is being read get a result
    // for some of the numbers that were there, as with all of NumPy.
    unsafe {
        let first = own.data.cast::<T>().add(down * rows.start);
        std::slice::from_raw_parts(first, n)
    }
}
