//! How fast data are read.

use flate2::Compression;
use flate2::write::GzEncoder;
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::{Column, DataSource, ReadOptions, Table, read};
use pelton_tests::measure::fastest;
use pelton_workload as workload;
use std::io::{Cursor, Write};

/// Prints megabytes a second, beside counting the lines of the same text.
pub fn compare() {
    let circuit = workload::hclt(64, 1, 2, workload::SEED);
    let table = workload::rows(&circuit, 200_000, workload::SEED);
    let plain = text(&table, ",");
    let spaced = text(&table, ", ");
    println!(
        "\n{:<24} {:>8} {:>20}",
        "reading 64 columns", "MB/s", "of counting lines"
    );
    let lines = rate(&plain, || {
        let n_lines = memchr::memchr_iter(b'\n', &plain).count();
        assert_eq!(n_lines, table.n_rows());
    });
    for (name, text) in [
        ("digits", &plain),
        ("other cells", &spaced),
        ("digits, gzipped", &gzipped(&plain)),
    ] {
        let rate = rate(&plain, || {
            let data = read_all(&circuit, text);
            assert_eq!(data.n_rows(), table.n_rows());
        });
        println!("{name:<24} {rate:>8.0} {:>20.3}", rate / lines);
    }
}

fn read_all(circuit: &CircuitGraph, text: &[u8]) -> Table {
    let source = DataSource::new("bench", Cursor::new(text.to_vec()));
    read(source, circuit, &ReadOptions::default())
        .expect("the benchmark's data fit")
        .table
}

/// Megabytes of `text` a second.
fn rate(text: &[u8], body: impl FnMut()) -> f64 {
    text.len() as f64 / 1e6 / fastest(3, body).as_secs_f64()
}

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

fn text(table: &Table, delimiter: &str) -> Vec<u8> {
    let mut text = String::new();
    for row in 0..table.n_rows() {
        for (at, column) in table.columns().iter().enumerate() {
            if at > 0 {
                text.push_str(delimiter);
            }
            if let Column::Small(cells) = column {
                text.push(char::from(b'0' + cells[row]));
            }
        }
        text.push('\n');
    }
    text.into_bytes()
}
