//! `pelton params`

mod wanted;

use crate::arguments::{MessageArguments, ParamsCommand};
use crate::number::six_digits;
use crate::{CommandResult, Exit, model, report};
use pelton_compiler::circuit::{
    CircuitGraph, ParamId, ParamKind, ParameterEntry, ReachableUnits, UnitId,
};
use pelton_compiler::circuit::{ParameterValue, show_name};
use pelton_grammar::diagnostic::thousands;
use pelton_runtime::store::{InPlaceParameter, parameters_in_place};
use serde_json::json;
use std::collections::HashSet;
use std::io::Write;
use wanted::{ParameterSelector, without_blanks};

/// Values of one vector that the table shows.
const SHOWN: usize = 8;

pub fn run(options: &ParamsCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let checked = model::checked(&options.model, &options.reading, messages)?;
    let circuit = checked.circuit();
    let wanted = options.node.as_deref().map(ParameterSelector::new);
    let rows = rows(circuit, wanted.as_ref());
    if let (Some(wanted), true) = (&wanted, rows.is_empty()) {
        wanted.must_exist(circuit)?;
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if options.json {
        rows.iter()
            .try_for_each(|row| writeln!(out, "{}", row.to_json(circuit)))?
    } else {
        tell(circuit, &rows, &mut out)?
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// One line: a parameter, or one of its entries.
struct ParamsRow {
    name: String,
    /// The node that holds it, if it was written in place.
    node: Option<String>,
    param: ParamId,
    entry: Option<usize>,
}

/// Declared parameters, then those written in place by their nodes.
fn rows(circuit: &CircuitGraph, wanted: Option<&ParameterSelector>) -> Vec<ParamsRow> {
    let parts = wanted.map_or(Vec::new(), |wanted| wanted.parts(circuit));
    let in_place = in_place(circuit, wanted, &parts);
    let mut used: HashSet<ParamId> = HashSet::new();
    let mut rows = Vec::new();
    let is_part = |unit: &UnitId| parts.get(unit.index()) == Some(&true);
    // 1. Parameters that the wanted node uses, wherever they are declared.
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    for unit in reach.units().filter(is_part) {
        used.extend(circuit.params_of(unit).into_iter().map(|(param, _)| param));
    }
    // 2. Declared ones, if they are used, or called by name, or an entry of them is.
    for (at, parameter) in circuit.parameters().iter().enumerate() {
        let (param, Some(name)) = (ParamId::new(at), parameter.name) else {
            continue;
        };
        let entry = wanted.and_then(|wanted| wanted.entry(circuit, param, name));
        let is_wanted = wanted.is_none_or(|wanted| wanted.is_name(circuit, name));
        if is_wanted || entry.is_some() || used.contains(&param) {
            let names = circuit.names();
            let shown = |entry: usize| {
                let indices = names.indices(name).iter().copied().chain([entry as i64]);
                show_name(names.base(name), &indices.collect::<Vec<_>>())
            };
            rows.push(ParamsRow {
                name: entry.map_or_else(|| names.show(name), shown),
                node: None,
                param,
                entry,
            });
        }
    }
    rows.extend(in_place);
    rows
}

/// Parameters without a name, called by their node and what they are to it.
fn in_place(
    circuit: &CircuitGraph,
    wanted: Option<&ParameterSelector>,
    parts: &[bool],
) -> Vec<ParamsRow> {
    let is_wanted = |own: &InPlaceParameter| {
        wanted.is_none_or(|wanted| {
            let is_called = |name: &String| wanted.plain == without_blanks(name);
            parts[own.unit.index()]
                || is_called(&own.name)
                || own.plain.as_ref().is_some_and(is_called)
        })
    };
    let all = parameters_in_place(circuit).into_iter();
    let rows = all.filter(is_wanted).map(|own| ParamsRow {
        name: own.name,
        node: Some(own.node),
        param: own.param,
        entry: None,
    });
    rows.collect()
}

impl ParamsRow {
    fn entries<'c>(&self, circuit: &'c CircuitGraph) -> &'c [ParameterEntry] {
        let entries = circuit.entries(self.param);
        match (self.entry, circuit.parameter(self.param).kind) {
            (Some(entry), _) => &entries[entry..=entry],
            (None, ParamKind::Unit) => &entries[1..],
            (None, _) => entries,
        }
    }

    fn to_json(&self, circuit: &CircuitGraph) -> serde_json::Value {
        let entries = self.entries(circuit);
        let values: Vec<Option<f64>> = entries
            .iter()
            .map(|entry| entry.value.map(ParameterValue::linear))
            .collect();
        let learned: Vec<bool> = entries.iter().map(|entry| entry.learned).collect();
        let mut row = json!({
            "name": self.name,
            "node": self.node,
            "kind": circuit.parameter(self.param).kind.name(),
            "values": values,
            "learned": learned,
        });
        let log = |entry: &ParameterEntry| match entry.value {
            Some(ParameterValue::Log(log)) if log.is_finite() => Some(log),
            _ => None,
        };
        if entries.iter().any(|entry| log(entry).is_some()) {
            row["logs"] = entries.iter().map(log).collect::<Vec<_>>().into();
        }
        row
    }

    fn kind(&self, circuit: &CircuitGraph) -> String {
        let parameter = circuit.parameter(self.param);
        match parameter.kind {
            ParamKind::Simplex | ParamKind::Weights if self.entry.is_none() => {
                format!("{}({})", parameter.kind.name(), parameter.len())
            }
            kind => kind.name().to_string(),
        }
    }
}

fn tell(circuit: &CircuitGraph, rows: &[ParamsRow], out: &mut dyn Write) -> std::io::Result<()> {
    let out = &mut report::VisibleWriter(out);
    let kinds: Vec<String> = rows.iter().map(|row| row.kind(circuit)).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let name_width = width(&mut rows.iter().map(|row| row.name.chars().count()));
    let kind_width = width(&mut kinds.iter().map(|kind| kind.chars().count()));
    for (row, kind) in rows.iter().zip(&kinds) {
        let name = &row.name;
        write!(out, "{name:<name_width$}  {kind:<kind_width$} ")?;
        let entries = row.entries(circuit);
        for entry in entries.iter().take(SHOWN) {
            write!(out, " {}", shown(entry))?;
        }
        if entries.len() > SHOWN {
            write!(out, " … {} in all", thousands(entries.len()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The number as the language writes it, with six digits.
fn shown(entry: &ParameterEntry) -> String {
    let mark = if entry.learned { "?" } else { "" };
    match entry.value {
        None => mark.to_string(),
        Some(ParameterValue::Log(log)) => format!("{mark}exp({})", six_digits(log)),
        Some(ParameterValue::Linear(value)) => format!("{mark}{}", six_digits(value)),
    }
}
