//! The suite that all ways to embed the library have in common, for Rust.

use pelton::{Batch, Circuit, Error, Options, Posterior, Precision};
use pelton_tests::conformance::{Binding, Outcome, check, rows, to_json};
use serde_json::{Value as Json, json};

struct Rust(Circuit);

impl Rust {
    fn run(&self, call: &Json) -> Result<Json, Error> {
        let circuit = &self.0;
        let n_variables = circuit.variables().len();
        let text = |name: &str| call[name].as_str().unwrap_or_default();
        let cells = |name: &str| -> (Vec<f64>, usize, usize) {
            let rows = rows(&call[name]);
            let n_columns = rows.first().map_or(n_variables, Vec::len);
            (rows.concat(), rows.len(), n_columns)
        };
        let list = |numbers: &[f64]| -> Json { numbers.iter().copied().map(to_json).collect() };
        let of = |(cells, n_rows, n_columns)| Batch::new(cells, n_rows, n_columns);
        let (own, evidence) = (cells("rows"), cells("evidence"));
        let own = of((&own.0[..], own.1, own.2));
        let evidence = of((&evidence.0[..], evidence.1, evidence.2));
        Ok(match call["call"].as_str().unwrap_or_default() {
            "log_likelihood" => json!({ "logs": list(&circuit.log_likelihood(&own)?) }),
            "log_conditional" => {
                json!({ "logs": list(&circuit.log_conditional(&own, &evidence)?) })
            }
            "query" => {
                let answer = circuit.query(text("question"))?;
                json!({ "log": to_json(answer.log), "is_density": answer.is_density })
            }
            "posteriors" => {
                let found = circuit.marginals(&evidence, text("given"))?;
                let one = |row, variable| match found.of(row, variable) {
                    Posterior::Probabilities(own) => list(own),
                    Posterior::Spread { mean, sd } => list(&[mean, sd]),
                    Posterior::Unmentioned => json!([]),
                };
                let row = |row| {
                    (0..n_variables)
                        .map(|variable| one(row, variable))
                        .collect()
                };
                let numbers: Vec<Json> = (0..found.n_rows()).map(row).collect();
                json!({ "log_evidence": list(found.log_evidence()), "numbers": numbers })
            }
            "map" => {
                let found = circuit.map(&evidence, text("given"))?;
                let values: Json = found.values.chunks(n_variables).map(list).collect();
                json!({ "values": values, "logs": list(&found.logs) })
            }
            "entropy" => json!({ "nats": circuit.entropy()? }),
            "moments" => {
                let found = circuit.moments(text("given"))?;
                let place = |numbers: &[f64]| {
                    let mut all = vec![f64::NAN; n_variables];
                    let own = found.variables.iter().zip(numbers);
                    own.for_each(|(&variable, &number)| all[variable] = number);
                    list(&all)
                };
                json!({ "means": place(&found.means), "variances": place(&found.variances) })
            }
            "parameter" => json!({ "values": circuit.parameter(text("name"))?.values }),
            other => panic!("there is no call `{other}`"),
        })
    }
}

impl Binding for Rust {
    fn make(&self, call: &Json) -> Outcome {
        self.run(call).map_err(|error| error.kind() as u8)
    }
}

#[test]
fn the_suite_holds_for_rust() {
    let n_calls = check(&|text, is_double| {
        let precision = if is_double {
            Precision::F64
        } else {
            Precision::F32
        };
        let circuit = Options::new().precision(precision).threads(1).compile(text);
        let circuit = circuit.map_err(|error| error.kind() as u8)?;
        Ok(Box::new(Rust(circuit)))
    });
    assert!(n_calls >= 60);
}
