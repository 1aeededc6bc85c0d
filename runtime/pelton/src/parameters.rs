//! Parameters by name.

use crate::{Circuit, Error, Result};
use pelton_compiler::circuit::{self, ParamId, ParamKind, ParameterEntry, ParameterValue};
use pelton_compiler::lower::nearest;
use pelton_runtime::store::{fault, parameters_in_place};
use std::collections::HashMap;

/// A parameter of a circuit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name as declared, with indices (`trans[2]`), or its node and what it is to it
    /// (`root.weights`, `comp[1].species.p`). Without brackets it is the name of the tensor
    /// that holds it in a model file.
    pub name: String,
    /// `simplex`, `unit`, `positive`, `real` or `weights`.
    pub kind: &'static str,
    /// Its values; of a `unit` parameter the probability.
    pub values: Vec<f64>,
    /// Whether each value is learned, or fixed by the text.
    pub learned: Vec<bool>,
}

impl Circuit {
    /// All parameters: declared ones first, then those written in place.
    pub fn parameters(&self) -> Vec<Parameter> {
        let all = self.names().all.iter();
        all.map(|(name, param)| self.shown(name, *param)).collect()
    }

    /// A parameter.
    pub fn parameter(&self, name: &str) -> Result<Parameter> {
        Ok(self.shown(name, self.param(name)?))
    }

    /// Gives a parameter other values, of a `unit` parameter the probability. Probabilities
    /// have to add up to 1, and what the text fixes has to stay; [`Options::learn_all`]
    /// lets it go.
    ///
    /// [`Options::learn_all`]: crate::Options::learn_all
    pub fn set_parameter(&mut self, name: &str, values: &[f64]) -> Result<()> {
        let param = self.param(name)?;
        let circuit = self.compiled.checked.circuit();
        let (entries, parameter) = (circuit.entries(param), circuit.parameter(param));
        // A `unit` parameter has two entries, of which the first is what the probability leaves.
        let new: Vec<ParameterValue> = match (parameter.kind, values) {
            (ParamKind::Unit, &[p]) if !(0.0..=1.0).contains(&p) => {
                let message = format!("of `{name}`, {p:?} is no probability; it is from 0 to 1");
                return Err(Error::usage(message));
            }
            (ParamKind::Unit, &[p]) => [1.0 - p, p].map(ParameterValue::Linear).to_vec(),
            (ParamKind::Unit, _) => Vec::new(),
            (_, values) => values.iter().copied().map(ParameterValue::Linear).collect(),
        };
        if new.len() != entries.len() {
            let n_values = shown_entries(parameter.kind, entries).len();
            return Err(Error::usage(format!(
                "`{name}` has {n_values} values, and {} were given",
                values.len()
            )));
        }
        if let Some(fault) = fault(parameter.kind, &new) {
            return Err(Error::usage(format!("of `{name}`, {fault}")));
        }
        // Nothing is changed before all is known to fit.
        check_fixed(name, entries, &new)?;
        let mut all = self.values().to_vec();
        all[parameter.entries()].copy_from_slice(&new);
        self.set_values(all);
        Ok(())
    }

    fn shown(&self, name: &str, param: ParamId) -> Parameter {
        let circuit = self.compiled.checked.circuit();
        let parameter = circuit.parameter(param);
        let values = &self.values()[parameter.entries()];
        let values = shown_entries(parameter.kind, values).iter();
        let entries = shown_entries(parameter.kind, circuit.entries(param)).iter();
        Parameter {
            name: name.to_string(),
            kind: parameter.kind.name(),
            values: values.map(|value| value.linear()).collect(),
            learned: entries.map(|entry| entry.learned).collect(),
        }
    }

    fn param(&self, name: &str) -> Result<ParamId> {
        let names = self.names();
        if let Some(&at) = names.by_name.get(&without_blanks(name)) {
            return Ok(names.all[at].1);
        }
        let near = nearest(name, names.all.iter().map(|(own, _)| own.as_str()));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(Error::usage(format!(
            "the circuit has no parameter `{name}`{hint}"
        )))
    }

    fn names(&self) -> &ParameterNames {
        let compiled = &self.compiled;
        let names = || ParameterNames::of(compiled.checked.circuit());
        compiled.names.get_or_init(names)
    }
}

/// The parameters of a circuit by name.
pub(crate) struct ParameterNames {
    all: Vec<(String, ParamId)>,
    /// Positions in the list, by names without blanks.
    by_name: HashMap<String, usize>,
}

impl ParameterNames {
    fn of(circuit: &circuit::CircuitGraph) -> Self {
        let declared = circuit.parameters().iter().enumerate();
        let declared = declared
            .filter_map(|(at, own)| Some((circuit.names().show(own.name?), ParamId::new(at))));
        // 1. Declared parameters, then those written in place by their nodes.
        let mut all: Vec<(String, ParamId)> = declared.collect();
        // 2. Positions by name. Those that leave out a number come first, so that whole names,
        // which are entered later, take precedence.
        let mut by_name = HashMap::new();
        for own in parameters_in_place(circuit) {
            if let Some(plain) = own.plain {
                by_name.insert(without_blanks(&plain), all.len());
            }
            all.push((own.name, own.param));
        }
        // Of several that are called the same the first one is meant, and whole names come
        // before those without a number.
        let backwards = all.iter().enumerate().rev();
        by_name.extend(backwards.map(|(at, (name, _))| (without_blanks(name), at)));
        ParameterNames { by_name, all }
    }
}

fn without_blanks(name: &str) -> String {
    name.split_whitespace().collect()
}

/// Of a `unit` parameter the probability, else everything.
fn shown_entries<T>(kind: ParamKind, entries: &[T]) -> &[T] {
    match kind {
        ParamKind::Unit => &entries[1..],
        _ => entries,
    }
}

/// Says which value is fixed that should change.
fn check_fixed(name: &str, entries: &[ParameterEntry], new: &[ParameterValue]) -> Result<()> {
    let mut pairs = entries.iter().zip(new);
    let changed = pairs.find_map(|(entry, new)| {
        let fixed = entry.fixed_value()?.linear();
        (fixed != new.linear()).then_some((fixed, new.linear()))
    });
    match changed {
        Some((fixed, new)) => Err(Error::usage(format!(
            "a value of `{name}` is fixed to {fixed} and cannot become {new}; write `?` in the \
             text, or let everything be learned"
        ))),
        None => Ok(()),
    }
}
