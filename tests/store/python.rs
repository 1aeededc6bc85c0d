//! Python reads model files with the safetensors package alone.

use super::{SMALL, bits, read};
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::store::{StateTensor, load, save};
use std::process::Command;

/// Prints what it finds, one thing a line, and changes a parameter.
const SCRIPT: &str = r#"
import json, sys
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
path, copy = sys.argv[1], sys.argv[2]
with safe_open(path, framework="numpy") as f:
    about = f.metadata()
    tensors = {name: f.get_tensor(name) for name in f.keys()}
print(about["format"], about["version"], list(json.loads(about["sources"])))
for name in sorted(tensors):
    print(name, list(tensors[name].shape), str(tensors[name].dtype))
print(repr(float(tensors["comp.s.p"][1, 2])))
tensors["w"][:] = [0.125, 0.875]
save_file(tensors, copy, about)
"#;

fn has_package() -> bool {
    let mut check = Command::new("python3");
    check.args(["-c", "import numpy, safetensors.numpy"]);
    check.output().is_ok_and(|output| output.status.success())
}

#[test]
fn python_reads_and_changes_a_model() {
    if !has_package() {
        let why = "python3 has no safetensors and numpy (pip install safetensors numpy)";
        pelton_tests::skip::skip("python_reads_and_changes_a_model", why);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("a.pelton"),
        folder.path().join("b.pelton"),
    );
    let mut given = read(SMALL, None).unwrap();
    let state = StateTensor::integers(vec![1, 2, 3]);
    given.document.state.insert("steps".into(), state);
    let circuit = given.checked.circuit();
    let mut values = circuit.start_values();
    let species = circuit
        .parameters()
        .iter()
        .rposition(|p| p.len() == 3)
        .unwrap();
    let at = circuit.parameters()[species].entries().start;
    for (value, share) in values[at..].iter_mut().zip([0.1, 0.2, 0.7]) {
        *value = ParameterValue::Linear(share);
    }
    save(&path, &given.document, circuit, &values).unwrap();
    let mut python = Command::new("python3");
    let output = python
        .args(["-c", SCRIPT])
        .args([&path, &copy])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "pelton 1 ['model.pcirc']
comp.s.p [2, 3] float64
mu [2] float64
sd [] float64
sd.log [] float64
state/steps [3] uint64
w [2] float64
0.7
"
    );
    // What Python wrote is a model again, with its one change.
    let back = load(&copy).unwrap();
    let w = circuit.parameters()[0].entries();
    values[w].copy_from_slice(&[0.125, 0.875].map(ParameterValue::Linear));
    assert_eq!(bits(&back.checked.circuit().start_values()), bits(&values));
    assert_eq!(back.document, given.document);
}
