//! What readers of circuit formats share: units under the ids that a file gives them,
//! variables that it counts from 1, and the limits.

use super::lines::{FileUnitId, FormatLine};
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    CircuitBuilder, CircuitVariable, Domain, Leaf, ReachableUnits, SourceOrigin, UnitId, ValueSet,
    VarId, VariableAttributes,
};
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::remedy::RemedyOption;
use pelton_grammar::source::Span;
use std::collections::HashMap;

/// So many variables may be there whatever the size of the file.
const FREE_VARIABLES: usize = 1 << 17;
/// A file that mentions a variable takes at least so many bytes for it.
const BYTES_OF_A_VARIABLE: usize = 4;

/// A circuit in the making whose units are known by the ids of a file.
///
/// Ids are labels: they are looked up by hash, so that a file may skip as many as it
/// likes. The hash is keyed because the ids are anybody's.
pub(super) struct FileUnits<'a> {
    context: &'a ImportContext<'a>,
    /// Where units without an id are added.
    pub builder: CircuitBuilder,
    by_id: HashMap<FileUnitId, UnitId>,
    last: Option<UnitId>,
    size: usize,
}

impl<'a> FileUnits<'a> {
    /// No units yet.
    pub fn new(context: &'a ImportContext<'a>) -> Self {
        FileUnits {
            context,
            builder: CircuitBuilder::new(),
            by_id: HashMap::new(),
            last: None,
            size: 0,
        }
    }

    /// The next word as the id of a unit that is not there yet.
    pub fn new_id(&self, line: &mut FormatLine) -> Result<FileUnitId, ImportError> {
        let id = line.id()?;
        if self.by_id.contains_key(&id) {
            Err(line.fault(format!("unit {id} is defined a second time")))
        } else {
            Ok(id)
        }
    }

    /// The next word as the id of a unit that is there.
    pub fn known(&self, line: &mut FormatLine) -> Result<UnitId, ImportError> {
        let id = line.id()?;
        self.get(id, line)
    }

    /// The unit of an id that was just read.
    pub fn get(&self, id: FileUnitId, line: &FormatLine) -> Result<UnitId, ImportError> {
        let known = self.by_id.get(&id).copied();
        known.ok_or_else(|| Self::undefined(id, line))
    }

    /// The fault of an id that was just read and is not there yet.
    pub fn undefined(id: FileUnitId, line: &FormatLine) -> ImportError {
        line.fault(format!("unit {id} is not defined above this line"))
            .help("units stand above those that use them; the file may be cut or out of order")
    }

    /// Lets an id stand for a unit. The one that came last is the root.
    pub fn define(&mut self, id: FileUnitId, unit: UnitId) {
        self.by_id.insert(id, unit);
        self.last = Some(unit);
    }

    /// Makes sure that there is room for so many more units and edges.
    pub fn make_room(&mut self, n_more: usize, line: &FormatLine) -> Result<(), ImportError> {
        self.size = self.size.saturating_add(n_more);
        if self.size > self.context.max_size {
            Err(too_large(line.span(), self.context.max_size))
        } else {
            Ok(())
        }
    }

    /// The origin of a unit that has an id, and a name after it.
    pub fn named(&mut self, id: FileUnitId, span: Span) -> SourceOrigin {
        SourceOrigin {
            span,
            owner: Some(self.builder.name("n", &[id])),
            is_named: true,
        }
    }

    /// Declares variables up to a number, used or not.
    pub fn declare(&mut self, number: i64, line: &FormatLine) -> Result<(), ImportError> {
        match number {
            0 => Ok(()),
            _ => self.variable(number, line).map(|_| ()),
        }
    }

    /// The variable of a number from 1 up; all below it are declared too.
    pub fn variable(&mut self, number: i64, line: &FormatLine) -> Result<VarId, ImportError> {
        let n_bytes = self.context.source.text().len();
        let most = (n_bytes / BYTES_OF_A_VARIABLE).max(FREE_VARIABLES);
        let most = most.min(self.context.max_size);
        let position = usize::try_from(number).ok().filter(|&n| n > 0);
        let Some(position) = position else {
            let message = format!("there is no variable {number}: variables count from 1");
            return Err(line.fault(message));
        };
        if position > most {
            let message = format!("a file of this size has no variable {position}");
            return Err(line
                .fault(message)
                .help("number the variables from 1 without large gaps"));
        }
        while self.builder.variables().len() < position {
            let number = self.builder.variables().len() + 1;
            self.builder.variable(CircuitVariable {
                name: format!("x[{number}]"),
                domain: Domain::Bool,
                span: line.span(),
                binding: VariableAttributes::default(),
            });
        }
        Ok(VarId::new(position - 1))
    }

    /// Gives a variable the integers from 0 up as values, at least so many.
    pub fn widen(&mut self, variable: VarId, n_values: usize) {
        let known = match self.builder.variables()[variable.index()].domain {
            Domain::Range { high, .. } => high,
            _ => 0,
        };
        let high = known.max(n_values as i64);
        self.builder
            .set_domain(variable, Domain::Range { low: 0, high });
    }

    /// The next word as a literal: a variable, or with a minus its negation.
    pub fn literal(&mut self, line: &mut FormatLine) -> Result<UnitId, ImportError> {
        let literal = line.int("literal")?;
        self.literal_of(literal, line)
    }

    /// The unit of a literal that was just read.
    pub fn literal_of(&mut self, literal: i64, line: &FormatLine) -> Result<UnitId, ImportError> {
        if literal == 0 {
            return Err(line.fault("0 is no literal: variables count from 1"));
        }
        let variable = self.variable(literal.saturating_abs(), line)?;
        self.make_room(1, line)?;
        let value = i64::from(literal > 0);
        Ok(self.indicator(variable, ValueSet::integers(value, value + 1), line.span()))
    }

    /// The unit that is 1 on a set of values.
    pub fn indicator(&mut self, variable: VarId, values: ValueSet, span: Span) -> UnitId {
        let leaf = Leaf::indicator(variable, values);
        self.builder.input(leaf, SourceOrigin::anonymous(span))
    }

    /// The circuit below the unit that was defined last.
    pub fn finish(self, mut notes: Vec<String>) -> Result<ImportedCircuit, ImportError> {
        let root = self.last;
        let root = root.ok_or_else(|| ImportError::whole("the file has no units"))?;
        let circuit = self.builder.finish(root);
        // Many writers list both literals of every variable, used or not.
        let reach = ReachableUnits::of(&circuit, &[root]);
        let inner = circuit.sums().chain(circuit.products());
        let n_unused = inner.filter(|&unit| !reach.contains(unit)).count();
        if n_unused > 0 {
            let n_units = thousands(circuit.n_units());
            notes.push(format!(
                "{} not below the root, which stands last of {n_units} units; is the file complete?",
                match n_unused {
                    1 => "1 sum or product is".to_string(),
                    n => format!("{} sums and products are", thousands(n)),
                }
            ));
        }
        Ok(ImportedCircuit { circuit, notes })
    }
}

/// The fault of a file with more units and edges than are allowed.
pub(super) fn too_large(span: Span, max_size: usize) -> ImportError {
    let message = format!(
        "the circuit has more than {} units and edges",
        thousands(max_size)
    );
    ImportError::at(span, message).help(RemedyOption::RaiseSizeLimit)
}
