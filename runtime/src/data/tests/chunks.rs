//! Chunks of any size hold the same rows.

use super::*;

/// The rows of chunks, cell by cell; a missing one is `-`.
fn cells(chunks: &[TableChunk]) -> Vec<String> {
    let row = |chunk: &TableChunk, row: usize| {
        let cells = chunk.table.columns().iter().map(|column| match column {
            Column::Missing => "-".to_string(),
            Column::Small(cells) if cells[row] == MISSING_SMALL => "-".to_string(),
            Column::Small(cells) => cells[row].to_string(),
            Column::Reals(cells) => cells[row].to_string(),
            other => panic!("{other:?}"),
        });
        let mut cells: Vec<String> = cells.collect();
        cells.extend(
            chunk
                .weights
                .as_ref()
                .map(|weights| weights[row].to_string()),
        );
        cells.join(",")
    };
    let rows = |chunk| (0..TableChunk::n_rows(chunk)).map(move |at| row(chunk, at));
    chunks.iter().flat_map(rows).collect()
}

impl TableChunk {
    fn n_rows(&self) -> usize {
        self.table.n_rows()
    }
}

/// Holds chunks of several sizes to the whole.
pub(super) fn hold(circuit: &CircuitGraph, bytes: &[u8], options: &ReadOptions) {
    let whole = read_chunks(circuit, bytes, options, usize::MAX);
    for max_rows in [0, 1, 2, 3, 7, 64, 1000, 5000] {
        let parts = read_chunks(circuit, bytes, options, max_rows);
        match (&whole, parts) {
            (Ok(whole), Ok(parts)) => {
                assert_eq!(whole.len(), 1);
                assert_eq!(cells(whole), cells(&parts), "{max_rows}");
                let (last, full) = parts.split_last().unwrap();
                let max_rows = max_rows.max(1);
                assert!(full.iter().all(|chunk| chunk.n_rows() == max_rows));
                assert!(last.n_rows() <= max_rows);
            }
            (Err(whole), Err(part)) => assert_eq!(*whole, part, "{max_rows}"),
            (whole, part) => panic!("{whole:?} {part:?}"),
        }
    }
}

#[test]
fn texts_are_the_same_in_chunks_of_any_size() {
    let plain: String = (0..300)
        .map(|row| format!("{},{}\n", row % 2, row / 2 % 2))
        .collect();
    let mixed = format!("{plain}\n1,?\n{plain} 0, 1\n\"1\",1");
    for text in [&plain, &mixed, &format!("x[1],x[0]\r\n{mixed}")] {
        hold(&bits(2), text.as_bytes(), &ReadOptions::default());
        hold(&bits(2), &gzipped(text.as_bytes()), &ReadOptions::default());
    }
}

#[test]
fn faults_are_the_same_in_chunks_of_any_size() {
    let rows = "0,1\n".repeat(70);
    for end in ["1,2\n0,1\n", "1\n", "1,\"\n"] {
        hold(
            &bits(2),
            format!("{rows}{end}").as_bytes(),
            &ReadOptions::default(),
        );
    }
    let archive = gzipped(rows.repeat(100).as_bytes());
    hold(
        &bits(2),
        &archive[..archive.len() - 9],
        &ReadOptions::default(),
    );
}

#[test]
fn what_is_wrong_is_told_again_and_the_end_stays_the_end() {
    let circuit = bits(2);
    let open = |text: &'static str| {
        let source = DataSource::new("d.csv", text.as_bytes());
        TableReader::open(source, &circuit, &ReadOptions::default()).unwrap()
    };
    let mut wrong = open("0,1\n0,7\n1,1\n");
    assert_eq!(wrong.next_chunk(1).unwrap().unwrap().n_rows(), 1);
    let error = wrong.next_chunk(1).unwrap_err();
    assert_eq!(error.line, Some(2));
    assert_eq!(wrong.next_chunk(1).unwrap_err(), error);
    let mut right = open("x[1],x[0],id\n0,1,7\n");
    assert_eq!(right.notes().len(), 1);
    assert!(right.next_chunk(1).unwrap().is_some());
    assert!(right.next_chunk(1).unwrap().is_none());
    assert!(right.next_chunk(1).unwrap().is_none());
}

#[test]
fn readers_can_be_sent_to_other_threads() {
    fn is_send<T: Send>() {}
    is_send::<TableReader>();
    is_send::<DataSource>();
}
