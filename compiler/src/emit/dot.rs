//! `emit --as dot`: the graph for Graphviz.

use super::{EmitError, EmitResult, label};
use crate::circuit::{CircuitGraph, ReachableUnits, UnitId, UnitKind};
use std::fmt::Write;

/// Writes what the root reaches as a Graphviz digraph.
///
/// Sums are circles with `+`, products circles with `×`, inputs rounded boxes;
/// a named node has its name beside it, an edge of a sum its weight. Edges keep
/// the order they were written in.
pub fn dot(circuit: &CircuitGraph, out: &mut dyn Write) -> Result<(), EmitError> {
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    writeln!(out, "digraph circuit {{")?;
    writeln!(out, "  graph [ordering=out];")?;
    writeln!(out, "  node [fontname=\"Helvetica\", fontsize=11];")?;
    writeln!(
        out,
        "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.6];"
    )?;
    for unit in circuit.units().rev().filter(|&unit| reach.contains(unit)) {
        write_unit(circuit, unit, out)?;
        write_edges(circuit, unit, out)?;
    }
    Ok(writeln!(out, "}}")?)
}

fn write_unit(circuit: &CircuitGraph, unit: UnitId, out: &mut dyn Write) -> EmitResult {
    let id = unit.index();
    match circuit.kind(unit) {
        UnitKind::Input(leaf) => {
            let text = label::leaf(circuit, circuit.leaf(leaf));
            write!(
                out,
                "  u{id} [shape=box, style=rounded, label={}",
                quoted(&text)
            )?;
        }
        UnitKind::Product => write!(out, "  u{id} [shape=circle, label=\"×\"")?,
        UnitKind::Sum => write!(out, "  u{id} [shape=circle, label=\"+\"")?,
    }
    if let Some(name) = circuit.name(unit) {
        write!(out, ", xlabel={}", quoted(&circuit.names().show(name)))?;
    }
    Ok(writeln!(out, "];")?)
}

fn write_edges(circuit: &CircuitGraph, unit: UnitId, out: &mut dyn Write) -> EmitResult {
    for child in circuit.children(unit) {
        write!(out, "  u{} -> u{}", unit.index(), child.unit.index())?;
        if let Some(weight) = child.weight {
            write!(out, " [label={}]", quoted(&label::weight(circuit, weight)))?;
        }
        writeln!(out, ";")?;
    }
    Ok(())
}

/// A Graphviz string; backslashes would start its escapes, and control characters those
/// of a terminal.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                quoted.push('\\');
                quoted.extend(c.escape_default());
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::fixture;

    #[test]
    fn the_sprinkler_in_full() {
        let mut text = String::new();
        dot(&fixture::sprinkler(), &mut text).unwrap();
        assert_eq!(
            text,
            r#"digraph circuit {
  graph [ordering=out];
  node [fontname="Helvetica", fontsize=11];
  edge [fontname="Helvetica", fontsize=9, arrowsize=0.6];
  u8 [shape=circle, label="+", xlabel="joint"];
  u8 -> u5 [label="0.3"];
  u8 -> u7 [label="0.7"];
  u7 [shape=circle, label="×"];
  u7 -> u6;
  u7 -> u3;
  u6 [shape=box, style=rounded, label="¬rain"];
  u5 [shape=circle, label="×"];
  u5 -> u4;
  u5 -> u2;
  u4 [shape=box, style=rounded, label="rain"];
  u3 [shape=circle, label="+", xlabel="wet_if_dry"];
  u3 -> u0 [label="0.2"];
  u3 -> u1 [label="0.8"];
  u2 [shape=circle, label="+", xlabel="wet_if_rain"];
  u2 -> u0 [label="0.9"];
  u2 -> u1 [label="0.1"];
  u1 [shape=box, style=rounded, label="¬wet"];
  u0 [shape=box, style=rounded, label="wet"];
}
"#
        );
    }

    #[test]
    fn quotes_and_backslashes_are_escaped_and_unused_units_left_out() {
        assert_eq!(quoted("a\"b\\n"), "\"a\\\"b\\\\n\"");
        assert_eq!(quoted("a\x1b[31m"), "\"a\\\\u{1b}[31m\"");
        let mut text = String::new();
        dot(&fixture::with_unused_node(), &mut text).unwrap();
        assert!(!text.contains("unused") && text.contains("label=\"a\""));
    }
}
