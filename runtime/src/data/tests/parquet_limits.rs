//! Parquet files that are small and unpack to much.

use super::parquet::write;
use super::*;
use ::parquet::basic::Encoding;
use ::parquet::data_type::{ByteArray, ByteArrayType};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// A column of equal texts, each written as what it adds to the one before it.
fn repeated(text: &[u8], n_rows: usize) -> Vec<u8> {
    let schema = "message m { REQUIRED BYTE_ARRAY sky (UTF8); }";
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BYTE_ARRAY);
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(properties.build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    let shared = ByteArray::from(text.to_vec());
    write::<ByteArrayType>(&mut group, &vec![Some(shared); n_rows]);
    group.close().unwrap();
    file.into_inner().unwrap()
}

#[test]
fn texts_that_repeat_those_before_them_are_counted() {
    let circuit = circuit("var sky : {clear, cloudy}; root sky ~ uniform();");
    let data = read_bytes(&circuit, repeated(b"cloudy", 3000)).unwrap();
    assert_eq!(data.table.n_rows(), 3000);
    let file = repeated(&vec![b'a'; 2 << 20], 300);
    assert!(file.len() < 5 << 20, "{} bytes", file.len());
    let error = read_bytes(&circuit, file).unwrap_err().to_string();
    assert!(
        error.contains("its pages unpack to more than 512 MiB at once\n  help: write it with pages of a megabyte"),
        "{error}"
    );
}
