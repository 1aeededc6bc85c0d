//! What everything is called in the written text.
//!
//! Variables, parameters and nodes share one space of names. Members of an
//! array keep their indices if the whole array is there and can be declared as
//! one; otherwise each is a name of its own in backquotes.

use super::super::token;
use super::declare::share_a_declaration;
use super::tie::tied_without_name;
use crate::circuit::{
    CircuitGraph, CircuitVariable, ParamId, ParamKind, UnitId, VarId, VariableAttributes,
    index_tuples, show_name, split_name,
};
use indexmap::IndexMap;
use pelton_grammar::diagnostic::listed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The names of a written circuit.
pub(super) struct EmittedNames {
    taken: FxHashSet<String>,
    /// Declarations of variables, in the order of their ids.
    pub variable_groups: Vec<VariableGroup>,
    variables: Vec<String>,
    /// Declarations of parameters, in the order of their first ids.
    pub parameter_groups: Vec<ParameterGroup>,
    parameters: Vec<Option<Head>>,
    units: FxHashMap<UnitId, String>,
}

/// Variables that one declaration declares: an array, or scalars.
pub(super) struct VariableGroup {
    pub ids: Range<usize>,
    /// The extents of an array; none for scalars.
    pub array: Option<(String, Vec<Range<i64>>)>,
    /// The data columns; `{0}` in an array's column stands for the index.
    pub binding: VariableAttributes,
}

/// Parameters that one declaration declares, in the order of their indices.
pub(super) struct ParameterGroup {
    pub name: String,
    pub ids: Vec<ParamId>,
    /// The extents; none for a scalar.
    pub dims: Vec<Range<i64>>,
}

/// The beginning of a reference, to which an entry's index can be added.
struct Head {
    /// `w`, or `trans[3` with its bracket still open.
    text: String,
    is_member: bool,
}

impl EmittedNames {
    /// Names everything but units without a name of their own, which
    /// [`EmittedNames::name_unit`] adds as they turn out to be needed.
    pub fn of(circuit: &CircuitGraph, reached: &[bool]) -> Self {
        let mut naming = EmittedNames::of_variables(circuit.variables());
        let unnamed = (0..circuit.parameters().len()).map(|_| None);
        naming.parameters = unnamed.collect();
        naming.name_parameters(circuit, reached);
        naming.name_units(circuit, reached);
        naming
    }

    /// Names variables, which come before everything else.
    pub fn of_variables(variables: &[CircuitVariable]) -> Self {
        let mut naming = EmittedNames {
            taken: FxHashSet::default(),
            variable_groups: Vec::new(),
            variables: Vec::new(),
            parameter_groups: Vec::new(),
            parameters: Vec::new(),
            units: FxHashMap::default(),
        };
        naming.name_variables(variables);
        naming
    }

    pub fn into_variables(self) -> Vec<String> {
        self.variables
    }

    pub fn variable(&self, id: VarId) -> &str {
        &self.variables[id.index()]
    }

    /// Whether something is called like this.
    pub fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The name of a unit that is written as a node.
    pub fn unit(&self, id: UnitId) -> Option<&str> {
        self.units.get(&id).map(String::as_str)
    }

    /// A reference to a whole parameter; none if it is written in place.
    pub fn parameter(&self, id: ParamId) -> Option<String> {
        let head = self.parameters[id.index()].as_ref()?;
        let end = if head.is_member { "]" } else { "" };
        Some(format!("{}{end}", head.text))
    }

    /// A reference to one number of a parameter; none if it is written in place.
    pub fn entry(&self, id: ParamId, kind: ParamKind, index: u32) -> Option<String> {
        let head = self.parameters[id.index()].as_ref()?;
        match kind {
            ParamKind::Unit if index == 0 => Some(format!("(1 - {})", self.parameter(id)?)),
            ParamKind::Unit | ParamKind::Positive | ParamKind::Real => self.parameter(id),
            _ if head.is_member => Some(format!("{}, {index}]", head.text)),
            _ => Some(format!("{}[{index}]", head.text)),
        }
    }

    /// Gives a unit without a name one.
    pub fn name_unit(&mut self, id: UnitId) -> &str {
        let name = self.claim(&format!("u{}", id.index()));
        self.units.entry(id).or_insert(name)
    }

    /// Takes `text`, or the next free variation of it, and returns it as written.
    fn claim(&mut self, text: &str) -> String {
        let text = text.replace(['`', '\n'], "'");
        let free = (1..)
            .map(|n| match n {
                1 if !text.is_empty() => text.clone(),
                n => format!("{text}_{n}"),
            })
            .find(|candidate| !self.taken.contains(candidate))
            .expect("some number is free");
        let written = token::name(&free).into_owned();
        self.taken.insert(free);
        written
    }

    fn is_free(&self, base: &str) -> bool {
        !base.is_empty() && !base.contains(['`', '\n']) && !self.taken.contains(base)
    }

    fn name_variables(&mut self, variables: &[CircuitVariable]) {
        let split: Vec<_> = variables.iter().map(|v| split_name(&v.name)).collect();
        let mut members: FxHashMap<&str, usize> = FxHashMap::default();
        for (base, _) in &split {
            *members.entry(base).or_default() += 1;
        }
        let mut at = 0;
        while at < variables.len() {
            // Neighbours with one base name are an array if nothing else has that name, all indices
            // are there, and one declaration says the same of all.
            let base = split[at].0;
            let run = split[at..].iter().take_while(|s| s.0 == base).count();
            let end = at + run;
            let (members_here, first) = (&variables[at..end], &variables[at]);
            let alike = members_here.iter().all(|v| v.domain == first.domain);
            let binding = shared_binding(&variables[at..end], &split[at..end]);
            let indices: Vec<&[i64]> = split[at..end].iter().map(|s| s.1.as_slice()).collect();
            let dims = box_of(&indices);
            let is_array = alike && members[base] == run && self.is_free(base);
            match (dims, binding) {
                (Some(dims), Some(binding)) if is_array => {
                    self.name_variable_array(&split[at..end], at, dims, binding);
                }
                _ => self.name_scalars(variables, at..end),
            }
            at = end;
        }
    }

    fn name_variable_array(
        &mut self,
        members: &[(&str, Vec<i64>)],
        first: usize,
        dims: Vec<Range<i64>>,
        binding: VariableAttributes,
    ) {
        let name = self.claim(members[0].0);
        for (_, indices) in members {
            self.variables.push(show_name(&name, indices));
        }
        self.variable_groups.push(VariableGroup {
            ids: first..first + members.len(),
            array: Some((name, dims)),
            binding,
        });
    }

    /// Neighbours of one domain that no attribute sets apart share a declaration.
    fn name_scalars(&mut self, variables: &[CircuitVariable], ids: Range<usize>) {
        for at in ids {
            let name = self.claim(&variables[at].name);
            self.variables.push(name);
            match self.variable_groups.last_mut() {
                Some(group)
                    if group.array.is_none()
                        && variables[group.ids.start].domain == variables[at].domain
                        && group.binding == VariableAttributes::default()
                        && variables[at].binding == VariableAttributes::default() =>
                {
                    group.ids.end = at + 1;
                }
                _ => self.variable_groups.push(VariableGroup {
                    ids: at..at + 1,
                    array: None,
                    binding: variables[at].binding.clone(),
                }),
            }
        }
    }

    fn name_parameters(&mut self, circuit: &CircuitGraph, reached: &[bool]) {
        let used = circuit.parameters_of(reached);
        let mut families: IndexMap<&str, Vec<ParamId>> = IndexMap::new();
        for id in (0..used.len()).filter(|&at| used[at]).map(ParamId::new) {
            if let Some(name) = circuit.parameter(id).name {
                let family = families.entry(circuit.names().base(name));
                family.or_default().push(id);
            }
        }
        for (base, members) in families {
            self.name_family(circuit, base, &members);
        }
        for id in tied_without_name(circuit, reached) {
            let name = self.claim(&format!("p{}", id.index()));
            self.add_parameter(name, id);
        }
    }

    fn name_family(&mut self, circuit: &CircuitGraph, base: &str, members: &[ParamId]) {
        let indices = |id: &ParamId| match circuit.parameter(*id).name {
            Some(name) => circuit.names().indices(name),
            None => &[],
        };
        let mut ids = members.to_vec();
        ids.sort_by(|a, b| indices(a).cmp(indices(b)));
        let dims = box_of(&ids.iter().map(indices).collect::<Vec<_>>());
        match dims.filter(|_| share_a_declaration(circuit, &ids) && self.is_free(base)) {
            Some(dims) => {
                let name = self.claim(base);
                for id in &ids {
                    self.parameters[id.index()] = Some(Head {
                        text: format!("{name}[{}", listed(indices(id))),
                        is_member: true,
                    });
                }
                let group = ParameterGroup { name, ids, dims };
                self.parameter_groups.push(group);
            }
            None => {
                for id in ids {
                    let name = self.claim(&show_name(base, indices(&id)));
                    self.add_parameter(name, id);
                }
            }
        }
    }

    fn add_parameter(&mut self, name: String, id: ParamId) {
        self.parameters[id.index()] = Some(Head {
            text: name.clone(),
            is_member: false,
        });
        self.parameter_groups.push(ParameterGroup {
            name,
            ids: vec![id],
            dims: Vec::new(),
        });
    }

    fn name_units(&mut self, circuit: &CircuitGraph, reached: &[bool]) {
        for unit in circuit.units().filter(|unit| reached[unit.index()]) {
            if let Some(name) = circuit.name(unit) {
                let name = self.claim(&circuit.names().show(name));
                self.units.insert(unit, name);
            }
        }
    }
}

/// The binding that, declared for an array, gives each member its own; none if
/// there is no such.
fn shared_binding(
    members: &[CircuitVariable],
    split: &[(&str, Vec<i64>)],
) -> Option<VariableAttributes> {
    let first = &members.first()?.binding;
    let fits = |binding: &VariableAttributes| {
        members.iter().zip(split).all(|(member, (_, indices))| {
            let column = binding.column.as_ref().map(|pattern| match indices[..] {
                [index] => pattern.replace("{0}", &index.to_string()),
                _ => pattern.clone(),
            });
            member.binding.column == column
                && member.binding.unit == binding.unit
                && member.binding.missing == binding.missing
        })
    };
    let candidates = match (&first.column, split.first()?.1.as_slice()) {
        (None, _) => vec![None],
        (Some(column), &[index]) => column_patterns(column, index),
        (Some(_), _) => Vec::new(),
    };
    let mut bindings = candidates.into_iter().map(|column| VariableAttributes {
        column,
        ..first.clone()
    });
    bindings.find(fits)
}

/// The column's name with one occurrence of the index replaced by `{0}`.
fn column_patterns(column: &str, index: i64) -> Vec<Option<String>> {
    let digits = index.to_string();
    let places = column.match_indices(digits.as_str());
    let pattern = |(at, _): (usize, &str)| {
        let (before, after) = (&column[..at], &column[at + digits.len()..]);
        Some(format!("{before}{{0}}{after}"))
    };
    places.map(pattern).collect()
}

/// The extents of an array whose members, in order, have these indices; none
/// if they have none or some member is missing.
fn box_of(members: &[&[i64]]) -> Option<Vec<Range<i64>>> {
    let (first, last) = (members.first()?, members.last()?);
    let ends = first.iter().zip(*last);
    let bounds = ends.map(|(&low, &high)| Some((low, high.checked_add(1)?)));
    let bounds: Vec<(i64, i64)> = bounds.collect::<Option<_>>()?;
    // In order, the members of a whole array count up, the last index fastest.
    let is_whole = !first.is_empty() && members.iter().copied().eq(index_tuples(&bounds));
    is_whole.then(|| bounds.into_iter().map(|(low, high)| low..high).collect())
}
