//! The variables of a schema as a circuit and as text.

use super::{Schema, SchemaColumn};
use crate::data::naming::without_spaces;
use pelton_compiler::circuit::{
    BernoulliDistribution, CategoricalDistribution, ChildEdge, CircuitBuilder, CircuitGraph,
    CircuitVariable, Distribution, Domain, Family, Leaf, LeafKind, NormalDistribution, ParamId,
    ParamKind, ParameterEntry, PoissonDistribution, SourceOrigin, UnitId, VariableAttributes,
    show_name,
};
use pelton_compiler::emit::declarations;
use pelton_grammar::source::Span;

impl Schema {
    /// The variables, in the order of the columns and bound to them.
    pub fn variables(&self) -> Vec<CircuitVariable> {
        self.columns.iter().map(SchemaColumn::declared).collect()
    }

    /// A circuit over these variables in which all are independent and every parameter is
    /// learned: rows are read with it before there is a structure. They fit every circuit
    /// that declares the same variables in the same order.
    pub fn circuit(&self) -> CircuitGraph {
        let mut builder = CircuitBuilder::new();
        let variables = self.variables().into_iter();
        let leaves: Vec<ChildEdge> = variables
            .map(|variable| ChildEdge {
                unit: leaf(&mut builder, variable),
                weight: None,
                span: Span::default(),
            })
            .collect();
        let root = builder.product(&leaves, anonymous());
        builder.finish(root)
    }

    /// The `var` statements of the circuit language that declare the variables.
    pub fn declarations(&self) -> String {
        declarations(&self.variables()).text
    }

    /// Whether the variables are the members of one array `x`, in order. So are columns
    /// without names that hold the same kind of values.
    pub fn is_array(&self) -> bool {
        let mut pairs = self.columns.windows(2);
        let mut numbered = (0..).zip(&self.columns);
        pairs.all(|pair| pair[0].domain == pair[1].domain)
            && numbered.all(|(at, column)| column.variable == show_name("x", &[at]))
    }

    /// How a text behind [`Schema::declarations`] refers to the variable of a column.
    ///
    /// # Panics
    /// If there are fewer columns.
    pub fn reference(&self, column: usize) -> String {
        self.references().swap_remove(column)
    }

    /// How the text refers to each variable: `x[3]`, `rain`.
    pub fn references(&self) -> Vec<String> {
        declarations(&self.variables()).references
    }
}

impl SchemaColumn {
    /// What people call it: its name in the data, or else that of the variable.
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.variable)
    }

    /// The variable, bound by `@column` only where the names differ; spaces do not count
    /// in names.
    fn declared(&self) -> CircuitVariable {
        let plain = without_spaces(&self.variable);
        let other = self.name.clone();
        let other = other.filter(|name| without_spaces(name) != plain);
        CircuitVariable {
            name: self.variable.clone(),
            domain: self.domain.clone(),
            span: Span::default(),
            binding: VariableAttributes {
                column: other,
                ..VariableAttributes::default()
            },
        }
    }
}

/// A leaf of its own for a variable.
fn leaf(builder: &mut CircuitBuilder, variable: CircuitVariable) -> UnitId {
    let (family, params) = distribution(builder, &variable.domain);
    let variable = builder.variable(variable);
    let kind = LeafKind::Distribution(Distribution {
        family,
        params,
        truncation: None,
    });
    builder.input(Leaf { variable, kind }, anonymous())
}

/// The family of distributions that suits a domain, and parameters for it.
fn distribution(builder: &mut CircuitBuilder, domain: &Domain) -> (Family, Vec<ParamId>) {
    let mut learned = |kind, n_entries| {
        let entries = vec![ParameterEntry::learned(); n_entries];
        builder.parameter(None, kind, &entries, Span::default())
    };
    match (domain, domain.size()) {
        (Domain::Bool, _) => {
            let shares = learned(ParamKind::Unit, 2);
            (BernoulliDistribution.into(), vec![shares])
        }
        (Domain::Nat, _) => {
            let rate = learned(ParamKind::Positive, 1);
            (PoissonDistribution.into(), vec![rate])
        }
        (_, Some(size)) => {
            let shares = learned(ParamKind::Simplex, size as usize);
            (CategoricalDistribution.into(), vec![shares])
        }
        (_, None) => {
            let mean = learned(ParamKind::Real, 1);
            let deviation = learned(ParamKind::Positive, 1);
            (NormalDistribution.into(), vec![mean, deviation])
        }
    }
}

fn anonymous() -> SourceOrigin {
    SourceOrigin {
        span: Span::default(),
        owner: None,
        is_named: false,
    }
}
