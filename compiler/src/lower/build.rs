//! From the ordered draft to the circuit.

use super::draft::{DraftChild, DraftKind, DraftTarget, DraftUnit, DraftWeight, NodeInstance};
use super::param::{SIMPLEX_TOLERANCE, tidy};
use super::{Lowered, Lowering, LoweringResult, Repairs, ReportedError};
use crate::circuit::{
    Assertion, ChildEdge, NameId, ParamId, ParamKind, ParameterEntry, SourceOrigin, UnitId, Weight,
    freeze, given_total,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// Builds the circuit of all that the root and the assertions reach.
    pub(super) fn build(mut self, root: Option<u32>) -> Option<Lowered> {
        let allowed = self.allowed();
        let mut wanted: Vec<u32> = root.into_iter().collect();
        wanted.extend(self.statements.asserts.iter().filter_map(|a| a.target));
        // Instances in an order in which each comes after those it refers to; from here on every
        // reference leads to a unit that is there.
        let order = self.ordered(&wanted)?;
        if self.found.has_errors() {
            return None;
        }
        let mut units: Vec<Option<UnitId>> = vec![None; self.draft.units.len()];
        let mut tops: Vec<Option<UnitId>> = vec![None; self.draft.instances.len()];
        let mut complete = true;
        for at in order {
            match self.build_instance(at, &mut units, &tops) {
                Ok(top) => tops[at as usize] = Some(top),
                Err(ReportedError) => complete = false,
            }
        }
        let root = tops[root? as usize].filter(|_| complete)?;
        for assert in std::mem::take(&mut self.statements.asserts) {
            let properties = assert.properties;
            let target = assert.target.map_or(Some(root), |at| tops[at as usize])?;
            self.builder.assertion(Assertion { target, properties });
        }
        for query in std::mem::take(&mut self.statements.queries) {
            self.builder.query(query);
        }
        Some(Lowered {
            repairs: self.repairs(),
            circuit: self.builder.finish(root),
            allowed,
            trace: self.trace,
        })
    }

    fn build_instance(
        &mut self,
        at: u32,
        units: &mut [Option<UnitId>],
        tops: &[Option<UnitId>],
    ) -> LoweringResult<UnitId> {
        let instance: NodeInstance = self.draft.instances[at as usize].clone();
        let top = instance.top.ok_or(ReportedError)?;
        self.instance_name = instance.name.map(|name| self.builder.show_name(name));
        let mut result = Ok(());
        // Units of an instance are children first, so each finds what it refers to.
        for position in instance.units.clone() {
            let unit = self.draft.units[position as usize].clone();
            let origin = SourceOrigin {
                span: unit.span,
                owner: instance.name,
                is_named: instance.name.is_some() && top == DraftTarget::Unit(position),
            };
            match self.build_unit(&unit, origin, instance.frozen, units, tops) {
                Ok(id) => units[position as usize] = Some(id),
                Err(reported) => result = Err(reported),
            }
        }
        self.instance_name = None;
        result?;
        unit_of(top, units, tops)
    }

    fn build_unit(
        &mut self,
        unit: &DraftUnit,
        origin: SourceOrigin,
        frozen: bool,
        units: &[Option<UnitId>],
        tops: &[Option<UnitId>],
    ) -> LoweringResult<UnitId> {
        if let DraftKind::Input(leaf) = &unit.kind {
            return Ok(self.builder.input((**leaf).clone(), origin));
        }
        // Numbers written in one sum are one parameter; its entries are handed out in the order
        // of terms.
        let own = self.own_weights(unit, frozen)?;
        let mut next_own = 0;
        let mut children = Vec::with_capacity(unit.n_children as usize);
        for child in self.draft.children_of(unit) {
            let weight = match child.weight {
                DraftWeight::None => None,
                DraftWeight::Param(param, index) => Some(Weight { param, index }),
                DraftWeight::Own(_) => {
                    next_own += 1;
                    own.map(|param| Weight {
                        param,
                        index: next_own - 1,
                    })
                }
            };
            children.push(ChildEdge {
                unit: unit_of(child.target, units, tops)?,
                weight,
                span: child.span,
            });
        }
        Ok(match unit.kind {
            DraftKind::Sum => self.builder.sum(&children, origin),
            _ => self.builder.product(&children, origin),
        })
    }

    /// The parameter made of the numbers and `?`s written in one sum.
    fn own_weights(&mut self, unit: &DraftUnit, frozen: bool) -> LoweringResult<Option<ParamId>> {
        let children = self.draft.children_of(unit);
        let own = |child: &DraftChild| match child.weight {
            DraftWeight::Own(at) => Some(at),
            _ => None,
        };
        let own: Vec<u32> = children.iter().filter_map(own).collect();
        if own.is_empty() {
            return Ok(None);
        }
        let entries = own.iter().map(|&at| self.draft.entries[at as usize]);
        let mut entries: Vec<ParameterEntry> = entries.collect();
        // Beside entries of declared parameters nothing can be said of a total.
        let alone = entries.len() == children.len();
        let kind = own_kind(&entries, alone);
        let given = given_total(&entries);
        let some_open = entries.iter().any(|entry| entry.value.is_none());
        if kind == ParamKind::Simplex && some_open && given > 1.0 + SIMPLEX_TOLERANCE {
            return Err(self.nothing_left(unit.span, given));
        }
        if frozen {
            freeze(kind, &mut entries);
        }
        let param = self.builder.parameter(None, kind, &entries, unit.span);
        if let Some(trace) = &mut self.trace {
            trace.own_weights(param, unit.first_child, own.into_iter());
        }
        Ok(Some(param))
    }

    fn nothing_left(&mut self, span: Span, given: f64) -> ReportedError {
        let message = format!(
            "the weights given add up to {}, which leaves nothing for `?`",
            tidy(given)
        );
        let diagnostic = SourceDiagnostic::new(Code::BadWeight, span, message)
            .at("more than 1")
            .help("learned weights of a sum share what the fixed ones leave of 1");
        self.error(diagnostic)
    }

    /// What attributes of nodes and of the root ask to be repaired.
    fn repairs(&self) -> Repairs {
        let root = self.statements.root_item;
        let on_root = |name| root.is_some_and(|item| super::attribute::has(item, name));
        let with = |attribute: &str| {
            let named = self.draft.instances.iter().filter_map(|instance| {
                let item = self.symbols.nodes[instance.node?].item;
                super::attribute::has(item, attribute).then_some(instance.name?)
            });
            named.collect::<rustc_hash::FxHashSet<NameId>>()
        };
        Repairs {
            smooth_all: on_root("smooth"),
            smooth: with("smooth"),
            normalize_all: on_root("normalize"),
            normalize: with("normalize"),
        }
    }
}

/// Weights of a sum form a simplex if they add up to 1 or the learned ones can
/// make them; beside entries of declared parameters they are just numbers.
fn own_kind(entries: &[ParameterEntry], alone: bool) -> ParamKind {
    let open = entries.iter().any(|entry| entry.learned);
    let total = given_total(entries);
    if alone && (open || (total - 1.0).abs() <= SIMPLEX_TOLERANCE) {
        ParamKind::Simplex
    } else {
        ParamKind::Weights
    }
}

fn unit_of(
    target: DraftTarget,
    units: &[Option<UnitId>],
    tops: &[Option<UnitId>],
) -> LoweringResult<UnitId> {
    match target {
        DraftTarget::Unit(at) => units[at as usize].ok_or(ReportedError),
        DraftTarget::Instance(at) => tops[at as usize].ok_or(ReportedError),
    }
}
