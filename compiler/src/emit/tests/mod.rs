//! Where texts go, and what tests of all written forms share.

pub(crate) mod fixture;

use super::*;

#[test]
fn every_form_can_be_asked_for_by_name() {
    let circuit = fixture::sprinkler();
    let starts = ["var rain", "{\"format\"", "digraph", "<svg"];
    for (form, start) in EmittedFormat::ALL.into_iter().zip(starts) {
        assert_eq!(form.name().parse(), Ok(form));
        let mut bytes = Vec::new();
        emit(&circuit, form, &SvgOptions::default(), &mut bytes).unwrap();
        assert!(bytes.starts_with(start.as_bytes()), "{form:?}");
    }
    assert_eq!("png".parse::<EmittedFormat>(), Err(()));
}

#[test]
fn a_full_disk_is_reported_as_such() {
    let mut room = [0u8; 16];
    let result = emit(
        &fixture::sprinkler(),
        EmittedFormat::Json,
        &SvgOptions::default(),
        &mut room.as_mut_slice(),
    );
    match result {
        Err(EmitError::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::WriteZero),
        other => panic!("{other:?}"),
    }
}
