//! Sum-product networks of Juice.

use super::listing::{Dialect, list};
use super::{Exported, Refusal};
use pelton_compiler::circuit::{Circuit, VarId};

pub(super) fn write(circuit: &Circuit) -> Result<Exported, Refusal> {
    if circuit.variables().is_empty() {
        return Err(Refusal("the circuit has no variables".to_string()));
    }
    let lines = list(circuit, &Spn)?;
    let variables = circuit.variables().iter();
    let sizes: Option<Vec<String>> = variables
        .map(|variable| variable.domain.size().map(|size| size.to_string()))
        .collect();
    let sizes = sizes.ok_or_else(|| {
        Refusal(
            "there is a variable with infinitely many values, which the format does not have"
                .to_string(),
        )
    })?;
    let mut text = format!("({})\n", sizes.join(" "));
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("EOF\n");
    Ok(Exported {
        text,
        vtree: None,
        notes: Vec::new(),
    })
}

struct Spn;

impl Dialect for Spn {
    fn indicator(&self, _id: u32, variable: VarId, value: usize, _is_bool: bool) -> String {
        format!("v {} {value}", variable.index())
    }

    fn product(&self, _id: u32, children: &[u32]) -> String {
        let mut line = "*".to_string();
        children
            .iter()
            .for_each(|child| line += &format!(" {child}"));
        line
    }

    fn sum(&self, _id: u32, terms: &[(u32, f64)]) -> String {
        let mut line = "+".to_string();
        let mut add = |child: &u32, log: &f64| line += &format!(" {child} {log:?}");
        terms.iter().for_each(|(child, log)| add(child, log));
        line
    }
}
