//! Circuits of Juice.

use super::listing::{Dialect, list};
use super::{Exported, Refusal};
use crate::circuit::{Circuit, Family, Leaf, LeafKind, VarId};

pub(super) fn write(circuit: &Circuit) -> Result<Exported, Refusal> {
    let lines = list(circuit, &Jpc)?;
    let mut text = format!("jpc {}\n", lines.len());
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    Ok(Exported {
        text,
        vtree: None,
        notes: Vec::new(),
    })
}

/// The vtree of every unit is 0, which says that there is none.
struct Jpc;

impl Dialect for Jpc {
    fn indicator(&self, id: u32, variable: VarId, value: usize, is_bool: bool) -> String {
        let number = variable.index() + 1;
        match (is_bool, value) {
            (true, 0) => format!("L {id} 0 -{number}"),
            (true, _) => format!("L {id} 0 {number}"),
            (false, _) => format!("I {id} 0 {number} {value}"),
        }
    }

    fn product(&self, id: u32, children: &[u32]) -> String {
        let mut line = format!("P {id} 0 {}", children.len());
        children
            .iter()
            .for_each(|child| line += &format!(" {child}"));
        line
    }

    fn sum(&self, id: u32, terms: &[(u32, f64)]) -> String {
        let mut line = format!("S {id} 0 {}", terms.len());
        let mut add = |child: &u32, log: &f64| line += &format!(" {child} {log:?}");
        terms.iter().for_each(|(child, log)| add(child, log));
        line
    }

    /// Other distributions than categorical ones are tables of what they say.
    fn distribution(&self, id: u32, leaf: &Leaf, logs: &[f64], is_bool: bool) -> Option<String> {
        let is_categorical = matches!(
            &leaf.kind,
            LeafKind::Distribution(it) if it.family == Family::Categorical
        );
        // A variable with literals is one of Juice's two values; a sum of them keeps it so.
        if is_bool || !is_categorical {
            return None;
        }
        let mut line = format!("C {id} 0 {}", leaf.variable.index() + 1);
        logs.iter().for_each(|log| line += &format!(" {log:?}"));
        Some(line)
    }
}
