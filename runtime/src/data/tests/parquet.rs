//! Parquet files.

use super::*;
use ::parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// Cells of a column; `None` is null.
pub(super) enum Cells {
    Bool(Vec<Option<bool>>),
    Int32(Vec<Option<i32>>),
    Int64(Vec<Option<i64>>),
    Float(Vec<Option<f32>>),
    Double(Vec<Option<f64>>),
    Text(Vec<Option<&'static str>>),
}

/// A file with these columns in each of `n_groups` groups of rows.
pub(super) fn parquet(
    schema: &str,
    columns: &[Cells],
    n_groups: usize,
    properties: WriterPropertiesBuilder,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {schema} }}")).unwrap());
    let properties = Arc::new(properties.build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for _ in 0..n_groups {
        let mut group = file.next_row_group().unwrap();
        for column in columns {
            write_column(&mut group, column);
        }
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

pub(super) type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

fn write_column(group: &mut Group<'_>, column: &Cells) {
    match column {
        Cells::Bool(cells) => write::<BoolType>(group, cells),
        Cells::Int32(cells) => write::<Int32Type>(group, cells),
        Cells::Int64(cells) => write::<Int64Type>(group, cells),
        Cells::Float(cells) => write::<FloatType>(group, cells),
        Cells::Double(cells) => write::<DoubleType>(group, cells),
        Cells::Text(cells) => {
            let cells: Vec<_> = cells.iter().map(|cell| cell.map(ByteArray::from)).collect();
            write::<ByteArrayType>(group, &cells);
        }
    }
}

pub(super) fn write<T: DataType>(group: &mut Group<'_>, cells: &[Option<T::T>]) {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.iter().flatten().cloned().collect();
    let mut column = group.next_column().unwrap().unwrap();
    // Levels of required columns are not written.
    column
        .typed::<T>()
        .write_batch(&values, Some(&levels), None)
        .unwrap();
    column.close().unwrap();
}

const WEATHER_SCHEMA: &str = "OPTIONAL BYTE_ARRAY sky (UTF8); OPTIONAL DOUBLE t; \
    OPTIONAL BOOLEAN rain; REQUIRED INT32 oktas (UINT_8); OPTIONAL INT64 calls; OPTIONAL FLOAT w;";

fn weather(properties: WriterPropertiesBuilder) -> Vec<u8> {
    let columns = [
        Cells::Text(vec![Some("very cold"), None, Some("clear")]),
        Cells::Double(vec![Some(15.0), Some(-99.0), Some(f64::NAN)]),
        Cells::Bool(vec![Some(true), Some(false), None]),
        Cells::Int32(vec![Some(8), Some(2), Some(1)]),
        Cells::Int64(vec![Some(3), None, Some(2)]),
        Cells::Float(vec![Some(0.5), Some(1.0), Some(0.0)]),
    ];
    parquet(WEATHER_SCHEMA, &columns, 2, properties)
}

fn weights(column: &str) -> ReadOptions {
    ReadOptions {
        weight_column: Some(column.to_string()),
        ..ReadOptions::default()
    }
}

fn check_weather(data: &DataSet) {
    let [sky, temp, rain, oktas, calls] = data.table.columns() else {
        panic!("{data:?}");
    };
    let missing = MISSING_SMALL;
    assert_eq!(*sky, Column::Small(vec![2, missing, 0, 2, missing, 0]));
    assert_eq!(*rain, Column::Small(vec![1, 0, missing, 1, 0, missing]));
    assert_eq!(*oktas, Column::Small(vec![7, 1, 0, 7, 1, 0]));
    let reals = |column: &Column| match column {
        Column::Reals(cells) => cells
            .iter()
            .map(f64::to_string)
            .collect::<Vec<_>>()
            .join(" "),
        other => panic!("{other:?}"),
    };
    assert_eq!(reals(temp), "15 NaN NaN 15 NaN NaN");
    assert_eq!(reals(calls), "3 NaN 2 3 NaN 2");
    assert_eq!(data.weights, Some(vec![0.5, 1.0, 0.0, 0.5, 1.0, 0.0]));
    assert_eq!(data.notes, Vec::<String>::new());
}

#[test]
fn cells_are_read_by_the_domains_of_their_columns() {
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for compression in compressions {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for has_dictionary in [true, false] {
                let bytes = weather(
                    WriterProperties::builder()
                        .set_compression(compression)
                        .set_writer_version(version)
                        .set_dictionary_enabled(has_dictionary),
                );
                for bytes in [bytes.clone(), gzipped(&bytes)] {
                    let source = DataSource::new("d.parquet", std::io::Cursor::new(bytes.clone()));
                    check_weather(&read(source, &circuit(WEATHER), &weights("w")).unwrap());
                    chunks::hold(&circuit(WEATHER), &bytes, &weights("w"));
                }
            }
        }
    }
}

#[test]
fn files_and_streams_are_read_alike() {
    let bytes = weather(WriterProperties::builder());
    let path = std::env::temp_dir().join(format!("pelton-{}.parquet", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    let sources = [
        DataSource::open(&path).unwrap(),
        DataSource::new("pipe", Trickle(std::io::Cursor::new(bytes))),
    ];
    for source in sources {
        check_weather(&read(source, &circuit(WEATHER), &weights("w")).unwrap());
    }
    std::fs::remove_file(path).unwrap();
}

/// Written by pandas 3.1 and polars 2.1 with their defaults.
#[test]
fn files_of_pandas_and_polars_are_read() {
    let pandas = include_bytes!("../../../../tests/data/pandas.parquet");
    let source = DataSource::new("pandas.parquet", &pandas[..]);
    let data = read(source, &circuit(WEATHER), &weights("w")).unwrap();
    let missing = MISSING_SMALL;
    assert_eq!(
        data.table.columns()[0],
        Column::Small(vec![2, missing, 0, 1])
    );
    assert_eq!(
        data.table.columns()[2],
        Column::Small(vec![1, 0, missing, 1])
    );
    assert_eq!(data.weights, Some(vec![1.0, 2.0, 3.0, 0.0]));
    let note =
        "pandas.parquet has no columns for `oktas` and `calls`, which are missing in every row";
    assert_eq!(data.notes, [note], "the index of the frame is no column");
    let polars = include_bytes!("../../../../tests/data/polars.parquet");
    let table = read_bytes(&circuit(WEATHER), *polars).unwrap().table;
    assert_eq!(table.columns()[0], Column::Small(vec![2, missing, 0, 1]));
    assert_eq!(table.columns()[3], Column::Small(vec![7, missing, 0, 2]));
}

#[test]
fn every_encoding_is_read() {
    let n_rows = 10_000;
    let texts = (0..n_rows).map(|row| (row % 3 > 0).then_some(["zero", "one", "two"][row % 3]));
    let texts = Cells::Text(texts.collect());
    let numbers = Cells::Int64((0..n_rows as i64).map(|row| Some(row % 2)).collect());
    let columns = [texts, numbers];
    let schema = "OPTIONAL BYTE_ARRAY a (UTF8); REQUIRED INT64 b;";
    let circuit = circuit("var a : {one, two}; var b : bool; root a ~ categorical(?) * b;");
    let plain = parquet(schema, &columns, 1, WriterProperties::builder());
    let expected = read_bytes(&circuit, plain).unwrap().table;
    for (text, number) in [
        (Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED),
        (
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::BYTE_STREAM_SPLIT,
        ),
        (Encoding::DELTA_BYTE_ARRAY, Encoding::PLAIN),
    ] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_dictionary_enabled(false)
                .set_data_page_row_count_limit(1000)
                .set_write_batch_size(100)
                .set_column_encoding("a".into(), text)
                .set_column_encoding("b".into(), number);
            let bytes = parquet(schema, &columns, 1, properties);
            assert_eq!(
                read_bytes(&circuit, bytes.clone()).unwrap().table,
                expected,
                "{text}"
            );
            chunks::hold(&circuit, &bytes, &ReadOptions::default());
        }
    }
}

/// A file with a column of integers for each name.
fn integers(names: &[&str], row: &[i32]) -> Vec<u8> {
    let schema: String = names
        .iter()
        .map(|name| format!("REQUIRED INT32 {name};"))
        .collect();
    let columns: Vec<Cells> = row
        .iter()
        .map(|&cell| Cells::Int32(vec![Some(cell)]))
        .collect();
    parquet(&schema, &columns, 1, WriterProperties::builder())
}

fn with_header(header: HeaderMode) -> ReadOptions {
    ReadOptions {
        header,
        ..ReadOptions::default()
    }
}

fn pair() -> CircuitGraph {
    circuit("var a : bool; var b : bool; root a * b;")
}

#[test]
fn columns_are_bound_as_a_header_binds_them() {
    let data = read_bytes(&pair(), integers(&["b", "id", "a"], &[1, 7, 0])).unwrap();
    assert_eq!(data.table.columns()[0], Column::Small(vec![0]));
    let note = "the column `id` of d.csv is no variable of the circuit and is ignored";
    assert_eq!(data.notes, [note]);
    assert_eq!(
        message(&pair(), integers(&["x", "y"], &[1, 1])),
        "d.csv: no column has the name of a variable: `x` and `y`\n  help: the circuit asks for `a` \
         and `b`; `@column(\"…\")` before a variable gives the name of its column; BindByOrder"
    );
    let half = integers(&["a", "c"], &[1, 1]);
    assert!(
        message(&pair(), half.clone()).starts_with("d.csv: the header names some variables and")
    );
    let chunks = read_chunks(&pair(), &half, &with_header(HeaderMode::Yes), 9).unwrap();
    assert_eq!(chunks[0].table.columns()[1], Column::Missing);
    let chunks = read_chunks(&pair(), &half, &with_header(HeaderMode::No), 9).unwrap();
    assert_eq!(chunks[0].table.columns()[1], Column::Small(vec![1]));
    let one = integers(&["a"], &[1]);
    let error = read_chunks(&pair(), &one, &with_header(HeaderMode::No), 9).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("d.csv: the file has 1 column, but the circuit has 2")
    );
}

#[test]
fn cells_that_do_not_fit_are_told_with_their_row() {
    let told = |schema: &str, cells: Cells, domain: &str| {
        let circuit = circuit(&format!("var a : {domain}; root a ~ uniform();"));
        let text = message(
            &circuit,
            parquet(schema, &[cells], 1, WriterProperties::builder()),
        );
        text.split('\n').next().unwrap().to_string()
    };
    assert_eq!(
        told(
            "REQUIRED INT32 a;",
            Cells::Int32(vec![Some(1), Some(-1)]),
            "0..4"
        ),
        "d.csv: row 2: column 1, `a`: `-1` is not in the range 0..4"
    );
    assert_eq!(
        told(
            "REQUIRED INT32 a (UINT_32);",
            Cells::Int32(vec![Some(-1)]),
            "0..4"
        ),
        "d.csv: row 1: column 1, `a`: `4294967295` is not in the range 0..4"
    );
    assert_eq!(
        told(
            "OPTIONAL DOUBLE a;",
            Cells::Double(vec![None, Some(f64::NEG_INFINITY)]),
            "bool"
        ),
        "d.csv: row 2: column 1, `a`: `-inf` is neither true nor false"
    );
    assert_eq!(
        told(
            "OPTIONAL BYTE_ARRAY a (UTF8);",
            Cells::Text(vec![Some("x"), Some(" x ")]),
            "{x, y}"
        ),
        "d.csv: row 2: column 1, `a`: ` x ` is not a category of `a`"
    );
    assert_eq!(
        told("REQUIRED INT64 a;", Cells::Int64(vec![Some(1)]), "{x, y}"),
        "d.csv: row 1: column 1, `a`: `1` is not a category of `a`"
    );
    assert_eq!(
        told(
            "REQUIRED BYTE_ARRAY a;",
            Cells::Text(vec![Some("2")]),
            "0..4"
        ),
        "d.csv: row 1: column 1, `a`: `2` is a text, and `a` takes integers from 0 to 3"
    );
}

#[test]
fn columns_that_hold_something_else_are_told_if_they_are_asked_for() {
    for (schema, content) in [
        ("REQUIRED INT32 a (DATE);", "dates"),
        ("REQUIRED INT64 a (TIMESTAMP(NANOS,true));", "times"),
        ("REQUIRED INT32 a (DECIMAL(9,2));", "decimal numbers"),
        ("REPEATED INT32 a;", "lists"),
        ("OPTIONAL GROUP a { REQUIRED INT32 x; }", "nested values"),
    ] {
        let schema = format!("{schema} REQUIRED BOOLEAN b;");
        let columns = match content {
            "times" => [Cells::Int64(vec![]), Cells::Bool(vec![])],
            _ => [Cells::Int32(vec![]), Cells::Bool(vec![])],
        };
        let bytes = parquet(&schema, &columns, 1, WriterProperties::builder());
        assert_eq!(
            message(&pair(), bytes.clone()),
            format!(
                "d.csv: column 1, `a`: the column holds {content}\n  help: cells are truth values, \
                 integers, float32, float64 or text"
            )
        );
        let other = circuit("var b : bool; root b;");
        assert_eq!(message(&other, bytes), "d.csv: there is no row in it");
    }
}

#[test]
fn files_that_cannot_be_read_are_told() {
    let whole = weather(WriterProperties::builder());
    let told = |bytes: &[u8]| message(&circuit(WEATHER), bytes);
    let early = "d.csv: the Parquet file ends too early; was it copied completely?";
    assert_eq!(told(&whole[..whole.len() / 2]), early);
    assert_eq!(told(&whole[..5]), early);
    let mut locked = whole.clone();
    let last = locked.len() - 1;
    locked[last] = b'E';
    assert_eq!(
        told(&locked),
        "d.csv: it is an encrypted Parquet file, which is not read"
    );
    let mut absurd = whole.clone();
    absurd[last - 7..last - 3].fill(0xff);
    assert_eq!(told(&absurd), "d.csv: the Parquet file is damaged");
    let archive = gzipped(&whole);
    assert_eq!(
        told(&archive[..archive.len() - 9]),
        "d.csv: the gzip archive ends too early; was it copied completely?"
    );
    let empty = parquet("REQUIRED INT32 a;", &[], 0, WriterProperties::builder());
    assert_eq!(
        message(&circuit("var a : bool; root a;"), empty),
        "d.csv: there is no row in it"
    );
}

/// Files of several kinds, to be damaged.
pub(super) fn small_files() -> Vec<Vec<u8>> {
    let builder = WriterProperties::builder;
    let text = |encoding| {
        let properties = builder()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_dictionary_enabled(false)
            .set_column_encoding("sky".into(), encoding)
            .set_column_encoding("oktas".into(), Encoding::DELTA_BINARY_PACKED);
        weather(properties)
    };
    vec![
        weather(builder()),
        weather(builder().set_compression(Compression::SNAPPY)),
        weather(builder().set_compression(Compression::GZIP(GzipLevel::default()))),
        weather(builder().set_compression(Compression::ZSTD(ZstdLevel::default()))),
        text(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        text(Encoding::DELTA_BYTE_ARRAY),
        include_bytes!("../../../../tests/data/polars.parquet").to_vec(),
    ]
}
